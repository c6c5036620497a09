//! What the analyses found of a program, as the names of its classes ask for it.

use std::sync::Arc;

use planish_classfile::MemberRef;
use planish_jvm_ir::surroundings::{Argument, Number, PlainField, Surroundings};

use crate::constructors::Constructors;
use crate::fields::PlainFields;
use crate::pure::PureMethods;

/// What is known of the members of a program.
#[derive(Clone, Default)]
pub struct KnownMembers {
    /// Methods that only compute.
    pub pure: Arc<PureMethods>,
    /// Fields.
    pub fields: Arc<PlainFields>,
    /// Constructors.
    pub constructors: Arc<Constructors>,
}

impl Surroundings for KnownMembers {
    fn raises(&self, caller: &[u8], member: &MemberRef<'_>) -> Option<bool> {
        self.pure.raises(caller, member)
    }

    fn raises_on_object(&self, caller: &[u8], member: &MemberRef<'_>) -> Option<bool> {
        self.pure.raises_on_object(caller, member)
    }

    fn runs(&self, caller: &[u8], member: &MemberRef<'_>) -> bool {
        self.pure.runs(caller, member)
    }

    fn run_ahead(&self, caller: &[u8], member: &MemberRef<'_>, arguments: &[Argument]) -> Option<Number> {
        self.pure.run_ahead(caller, member, arguments)
    }

    fn plain_field(&self, member: &MemberRef<'_>) -> Option<PlainField> {
        self.fields.get(member)
    }

    fn is_quiet(&self, class: &[u8]) -> bool {
        self.fields.is_quiet(class)
    }

    fn fills_in(&self, member: &MemberRef<'_>) -> bool {
        self.constructors.fill_in(member)
    }
}

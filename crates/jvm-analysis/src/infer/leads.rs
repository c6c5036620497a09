//! Where a call may lead, on a receiver of which something is known.

use std::rc::Rc;

use planish_domain::{Class as Bound, RefFact};
use planish_jvm_model::program::Found;
use planish_ops::Type;

use crate::dispatch::Targets;
use crate::infer::fact::{Fact, class as class_of};
use crate::infer::state::Analysis;
use crate::infer::state::sites::Callee;

/// A call leads nowhere.
static NOWHERE: Targets = Targets { methods: Vec::new(), outside: false, set: None };

/// A call leads out of the program only.
static OUTSIDE: Targets = Targets { methods: Vec::new(), outside: true, set: None };

/// Where a call leads: what its instruction says, or what many calls share.
pub(super) enum Leads<'c> {
    Direct(&'c Targets),
    Shared(Rc<Targets>),
}

impl Leads<'_> {
    /// The same, to be kept.
    pub fn shared(self) -> Rc<Targets> {
        match self {
            Leads::Direct(targets) => Rc::new(targets.clone()),
            Leads::Shared(targets) => targets,
        }
    }
}

impl std::ops::Deref for Leads<'_> {
    type Target = Targets;

    fn deref(&self) -> &Targets {
        match self {
            Leads::Direct(targets) => targets,
            Leads::Shared(targets) => targets,
        }
    }
}

impl Analysis<'_, '_, '_> {
    /// Where a call may lead on a receiver of which something is known.
    pub(super) fn leads<'c>(&mut self, callee: &'c Callee, receiver: RefFact) -> Leads<'c> {
        if let Some(direct) = &callee.direct {
            return Leads::Direct(direct);
        }
        let (Some(class), Some(selector)) = (callee.class, callee.selector) else {
            return Leads::Direct(&OUTSIDE);
        };
        let program = self.program;
        let (bound, exact) = match receiver.object() {
            None => return Leads::Direct(&NOWHERE),
            Some(Bound::Exactly(exact)) => (class_of(exact), true),
            Some(Bound::AtMost(most))
                if program.hierarchy.is_subtype(class_of(most), class) == Some(true) =>
            {
                (class_of(most), false)
            }
            Some(Bound::AtMost(_) | Bound::Any) => (class, false),
        };
        let in_program = matches!(callee.found, Some(Found::Program(_)));
        Leads::Shared(self.dispatch.targets(bound, exact, selector, in_program))
    }

    /// What is known of a value of a type that an instruction gives.
    pub(super) fn typed(fact: Fact, ty: Type) -> Fact {
        match (fact, ty) {
            (Fact::Int(known), Type::Int(width)) if known.width() == u32::from(width) => fact,
            (Fact::Ref(_), Type::Ref) | (Fact::None, _) => fact,
            (Fact::Real(_), Type::Float(_)) => fact,
            _ => Fact::top(ty),
        }
    }
}

//! The descriptors that random functions name.

use std::sync::Arc;

use arbitrary::{Result, Unstructured};
use planish_ir::Module;
use planish_ir::module::Descriptor;
use planish_ops::world::{CallEffect, Descr, Location, Mutability};
use planish_ops::{Items, Type};

/// A module without functions, and what its descriptors are good for.
pub(super) struct World {
    pub module: Module,
    pub classes: Vec<Descr>,
    /// Fields of objects, with the types of their values.
    pub fields: Vec<(Descr, Type)>,
    /// Static fields.
    pub statics: Vec<(Descr, Type)>,
    /// Arrays.
    pub arrays: Vec<(Descr, Type)>,
    pub callees: Vec<Descr>,
    /// Guards that nothing looks into, and markers.
    pub others: Vec<Descr>,
    /// Constant tables, with the types of their items: those that were made so far.
    pub tables: Vec<(Descr, Type)>,
}

impl World {
    pub fn new() -> Self {
        let mut module = Module::new();
        let mut location = |name: &str, ty, alias_class, mutability, stored_bits| {
            let signed = alias_class % 2 == 1;
            let data = Location { ty, stored_bits, signed, mutability, alias_class, raw: false };
            (module.descriptors.intern(name, || Descriptor::Location(data)), ty)
        };
        let (mutable, fixed) = (Mutability::Mutable, Mutability::Immutable);
        let fields = vec![
            location("C.a", Type::I64, 1, mutable, None),
            location("C.b", Type::I64, 2, mutable, None),
            location("C.byte", Type::I32, 3, mutable, Some(8)),
            location("C.next", Type::Ref, 4, mutable, None),
            location("C.fixed", Type::I64, 5, fixed, None),
        ];
        let statics =
            vec![location("S.x", Type::I64, 6, mutable, None), location("S.o", Type::Ref, 7, mutable, None)];
        let arrays = vec![
            location("long[]", Type::I64, 8, mutable, None),
            location("object[]", Type::Ref, 9, mutable, None),
        ];
        let mut intern = |name: &str, data: Descriptor| module.descriptors.intern(name, || data);
        let classes = vec![intern("C", Descriptor::Class), intern("D", Descriptor::Class)];
        let narrow = CallEffect {
            elidable: false,
            raises: false,
            forces_virtuals: false,
            invalidates: false,
            ..CallEffect::unknown()
        };
        let callees = vec![
            intern("unknown", Descriptor::Callee(CallEffect::unknown())),
            intern("pure", Descriptor::Callee(CallEffect::pure())),
            intern("print", Descriptor::Callee(CallEffect { writes: Some(Vec::new()), ..narrow.clone() })),
            intern(
                "writes_a",
                Descriptor::Callee(CallEffect { reads: Some(vec![2, 8]), writes: Some(vec![1]), ..narrow }),
            ),
            intern("raising", Descriptor::Callee(CallEffect { raises: true, ..CallEffect::pure() })),
            intern("caches", Descriptor::Callee(CallEffect { reads: None, ..CallEffect::pure() })),
        ];
        let others = vec![intern("remark", Descriptor::Other)];
        World { module, classes, fields, statics, arrays, callees, others, tables: Vec::new() }
    }

    /// Makes a table of integers: a few, any or on a line.
    pub fn table(&mut self, u: &mut Unstructured<'_>, ty: Type) -> Result<(Descr, Type)> {
        let count = u.int_in_range(1..=9)?;
        let (factor, offset): (u8, u8) = u.arbitrary()?;
        let on_a_line = u.ratio(1, 3)?;
        let mut words = Vec::with_capacity(count);
        for index in 0..count as u64 {
            let on_it = (u64::from(factor) % 5).wrapping_mul(index).wrapping_add(u64::from(offset));
            words.push(if on_a_line { on_it } else { u.arbitrary::<i8>()? as u64 });
        }
        let items = Items::new(ty, words.into()).expect("there are items of integers");
        let name = format!("t{}", self.tables.len());
        let table = (self.module.descriptors.intern(name, || Descriptor::Table(Arc::new(items))), ty);
        self.tables.push(table);
        Ok(table)
    }

    /// The fields that may be set: all but the last.
    pub fn mutable_fields(&self) -> &[(Descr, Type)] {
        &self.fields[..self.fields.len() - 1]
    }
}

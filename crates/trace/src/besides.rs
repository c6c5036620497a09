//! Descriptors of which more is known than a log prints.
//!
//! The text of an allocation does not say of which class the object is, and that of a copy not what the items are. Where
//! something else in the trace tells, the descriptor is one of its own, whose name ends with what is known. In the text of
//! a trace it is spelled as before.

use planish_base::Id;
use planish_ir::Symbol;
use planish_ir::module::{Descriptor, Module};
use planish_ops::world::{CallEffect, Content, Descr, Fresh, Meaning};

use crate::descr::{Use, Vocabulary};

impl Vocabulary {
    /// The descriptor of an allocation whose text does not say of which class the object is, though that is known.
    pub(crate) fn allocation(&self, module: &mut Module, word: &str, text: &str, class: Content) -> Descr {
        let name = match class {
            Content::Symbol(symbol) => {
                format!("{word} {text} of class {}", module.symbols.get(Symbol::from_index(symbol as usize)))
            }
            other => format!("{word} {text} of class {other:?}"),
        };
        let descr = module.descriptors.intern(name, || Descriptor::Class);
        module.descriptors.set_fresh(descr, Fresh { class: Some(class), cleared: true });
        descr
    }

    /// The descriptor of a call that copies items of an array, of which its text does not say what they are.
    pub(crate) fn copy(
        &mut self,
        module: &mut Module,
        word: &str,
        text: &str,
        meaning: Meaning,
        items: &str,
    ) -> Descr {
        let array = self.descr_of(module, "", items, Use::Heap);
        let descr = module.descriptors.intern(format!("{word} {text} of items {items}"), || {
            let memory = Some(vec![self.alias(items)]);
            Descriptor::Callee(CallEffect {
                elidable: false,
                reads: memory.clone(),
                writes: memory,
                ..CallEffect::pure()
            })
        });
        module.descriptors.set_meaning(descr, meaning, false);
        module.descriptors.set_copied(descr, array);
        descr
    }
}

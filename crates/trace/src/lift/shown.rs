//! What a recording shows of its constants, in the function: classes of objects and guards that constants decide as
//! promises, classes of what is allocated in the descriptors of allocations. A promise has no place in the source.

use planish_ir::{Const, Location, Value};
use planish_ops::world::Descr;
use planish_ops::{Op, Type};

use super::{Work, name_of};
use crate::descr::Use;
use crate::text::OpData;

impl Work<'_, '_> {
    /// Says the classes of constant objects.
    pub(super) fn classes_of_constants(&mut self) {
        let Some(recorded) = self.lifter.recorded else { return };
        for (symbol, class) in recorded.classes() {
            let object = self.builder.constant(Const::Symbol(symbol, Type::Ref));
            let class = self.builder.constant(class);
            self.promise("record_exact_class", &[object, class]);
        }
    }

    /// Says that a guard passes, where constants alone decide it. Whether it did.
    pub(super) fn guard_on_constants(&mut self, guard: Op) -> bool {
        let at = self.builder.location();
        if !self.lifter.recorded.is_some_and(|recorded| recorded.decides(at)) {
            return false;
        }
        let x = self.args[0];
        let is_word = self.builder.function().ty(x) == Type::I64;
        let value = match guard {
            Op::GuardTrue => self.builder.int(Type::I64, 1),
            Op::GuardFalse => self.builder.int(Type::I64, 0),
            Op::GuardValue => self.args[1],
            Op::GuardIsnull => self.builder.constant(Const::Null),
            _ => return false,
        };
        self.promise(if is_word { "record_exact_value_i" } else { "record_exact_value_r" }, &[x, value]);
        true
    }

    /// The descriptor of an allocation.
    pub(super) fn allocation(&mut self, op: &OpData) -> Descr {
        let class = self.lifter.recorded.and_then(|recorded| recorded.allocated(self.builder.location()));
        match (class, op.descr) {
            (Some(class), Some(text)) => {
                let text = self.lifter.texts.get(text);
                self.lifter.vocabulary.allocation(self.lifter.module, name_of(op), text, class)
            }
            _ => self.descr(name_of(op), op.descr, Use::New),
        }
    }

    fn promise(&mut self, word: &'static str, args: &[Value]) {
        let descr = self.descr(word, None, Use::Remark);
        self.builder.locate(Location::default());
        self.builder.inst(Op::Marker, args, &[], Some(descr), None);
    }
}

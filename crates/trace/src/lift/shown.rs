//! What a recording shows of its constants, in the function: classes of objects and results of comparisons as promises,
//! classes of what is allocated in the descriptors of allocations. A promise has no place in the source.

use planish_ir::{Const, Inst, Location, Value};
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

    /// Says what a comparison gives.
    pub(super) fn comparison_of_constants(&mut self, inst: Inst) {
        let function = self.builder.function();
        let (result, at) = (function.result(inst), function.inst(inst).location);
        if let Some(truth) = self.lifter.recorded.and_then(|recorded| recorded.compared(at)) {
            let truth = self.builder.int(Type::I64, i64::from(truth));
            self.promise("record_exact_value_i", &[result, truth]);
            self.builder.locate(at);
        }
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

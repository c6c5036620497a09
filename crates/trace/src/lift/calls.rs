//! What becomes calls and markers: callees, operations without a row, what is opaque, virtual references.

use planish_ir::module::Descriptor;
use planish_ir::{Const, Value};
use planish_ops::world::{CallEffect, Descr, World};
use planish_ops::{Op, Type};

use super::{Lifter, Work, name_of};
use crate::declare;
use crate::descr::{Use, split, word};
use crate::facts::called;
use crate::text::{Arg, OpData};

impl Work<'_, '_> {
    /// An access outside the heap. On a base that is no integer it is opaque.
    pub(super) fn raw(&mut self, table: Op, word: &'static str, op: &OpData) {
        if self.is_int(0) && self.is_int(1) {
            let descr = self.descr(word, op.descr, Use::Raw);
            self.inst(table, op, Some(descr), None);
        } else {
            self.call(op, if table == Op::RawLoad { Use::Reads } else { Use::Opaque });
        }
    }

    pub(super) fn call(&mut self, op: &OpData, use_: Use) {
        let descr = match op.opcode {
            Some(opcode) => match self.known_call(op).filter(|_| use_ == Use::Call) {
                Some(known) => known,
                None => self.descr(opcode.name(), op.descr, use_),
            },
            None => {
                // A name without a row is not static; such operations are few.
                let texts = self.lifter.texts;
                let mut name = format!("{} {}", word::UNKNOWN, self.trace.op_name(op, texts));
                if let Some(descr) = op.descr {
                    name.push(' ');
                    name.push_str(texts.get(descr));
                }
                let unknown = || Descriptor::Callee(CallEffect::unknown());
                self.lifter.module.descriptors.intern(name, unknown)
            }
        };
        self.inst(Op::Call, op, Some(descr), None);
    }

    /// A call in a log of which more is known than its descriptor says.
    fn known_call(&mut self, op: &OpData) -> Option<Descr> {
        let text = op.descr.filter(|_| self.lifter.options.log)?;
        self.copy(op).or_else(|| {
            let Lifter { module, texts, vocabulary, recorded, .. } = &mut *self.lifter;
            let function = called(self.trace, op);
            let known = function
                .and_then(|function| vocabulary.function(module, texts, name_of(op), (text, function)));
            known.or_else(|| {
                let alone = recorded.and_then(|recorded| recorded.spared(op))?;
                vocabulary.sparing(module, texts, name_of(op), text, alone)
            })
        })
    }

    /// A call that copies items, where one of the arrays is made in the trace: its items are what is copied.
    fn copy(&mut self, op: &OpData) -> Option<Descr> {
        let text = self.lifter.texts.get(op.descr?);
        let (meaning, arrays) = declare::printed_copy(text)?;
        let function = self.builder.function();
        let made =
            |&array: &Value| function.def_inst(array).filter(|&made| function.inst(made).op == Op::NewArray);
        let made = self.args.get(1..=arrays)?.iter().find_map(made)?;
        let items = self.lifter.module.descriptors.name(function.inst(made).descr?);
        let items = split(items).1.to_owned();
        Some(self.lifter.vocabulary.copy(self.lifter.module, name_of(op), text, meaning, &items))
    }

    /// A virtual reference is an object with the frame's token and no referent yet. What it is about does
    /// not escape by it: the interpreter finds it through the guard behind a call.
    pub(super) fn virtual_ref(&mut self, op: &OpData) {
        let [size, token, forced] = self.lifter.vocabulary.virtual_ref();
        let frame = self.named_descr("force_token", None, Use::Computes);
        let call = self.builder.inst(Op::Call, &[], &[Type::Ref], Some(frame), None);
        let frame = self.builder.function().result(call);
        let size = self.named_descr("new_with_vtable", Some(size), Use::New);
        let object = self.builder.inst(Op::New, &[], &[], Some(size), None);
        let object = self.builder.function().result(object);
        let null = self.builder.constant(Const::Null);
        for (field, value) in [(token, frame), (forced, null)] {
            let field = self.named_descr("", Some(field), Use::Heap);
            self.builder.inst(Op::SetField, &[object, value], &[], Some(field), None);
        }
        if let Some(var) = op.result {
            self.bind(var, object);
        }
    }

    /// The end of a virtual reference: it is not the frame's any more, and refers to what it is told.
    pub(super) fn virtual_ref_finish(&mut self) {
        let [_, token, forced] = self.lifter.vocabulary.virtual_ref();
        let (object, referent) = (self.args[0], self.args[1]);
        let null = self.builder.constant(Const::Null);
        if referent != null {
            let forced = self.named_descr("", Some(forced), Use::Heap);
            self.builder.inst(Op::SetField, &[object, referent], &[], Some(forced), None);
        }
        let token = self.named_descr("", Some(token), Use::Heap);
        self.builder.inst(Op::SetField, &[object, null], &[], Some(token), None);
    }

    /// A descriptor whose text the file may not have.
    fn named_descr(&mut self, word: &'static str, text: Option<String>, use_: Use) -> Descr {
        self.lifter.vocabulary.descr_of(self.lifter.module, word, text.as_deref().unwrap_or(""), use_)
    }

    pub(super) fn marker(&mut self, op: &OpData) {
        let texts = self.lifter.texts;
        let descr = match self.trace.args(op) {
            [Arg::Raw(raw)] => {
                let name = format!("{}({})", name_of(op), texts.get(*raw));
                self.lifter.module.descriptors.intern(name, || Descriptor::Other)
            }
            _ => self.descr(name_of(op), op.descr, Use::Remark),
        };
        self.inst(Op::Marker, op, Some(descr), None);
    }
}

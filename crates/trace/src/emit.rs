//! Writing one instruction of a function as operations of a trace.
//!
//! The counterpart of [`lift`](crate::lift): a name from the table of operations where there is one, else
//! the word with which the descriptor's name begins. Arithmetic with an overflow bit is written directly
//! before the guard that looks at the bit, again if something came between.

use planish_ir::{Block, ExitTarget, Inst};
use planish_ops::world::World;
use planish_ops::{Op, Type};

use crate::descr::{split, word};
use crate::legal::{Spelling, is_shift, spelling};
use crate::lower::{Illegal, Lowering};
use crate::opcode::{Kind, Opcode};
use crate::stats::Class;
use crate::text::{Arg, Text};

impl<'a> Lowering<'a> {
    /// Writes the instructions of a block.
    pub(crate) fn block(&mut self, block: Block) -> Result<(), Illegal> {
        let function = self.function;
        let insts = function.block_insts(block);
        let mut skip = false;
        for (index, &inst) in insts.iter().enumerate() {
            if std::mem::take(&mut skip) {
                continue;
            }
            let op = function.inst(inst).op;
            // It says how the block ends, wherever an optimizer left it.
            if self.ending(inst).is_some() {
                continue;
            }
            if let Spelling::WithGuard(name) = spelling(op) {
                let guard =
                    insts.get(index + 1).copied().filter(|&next| self.guards_bit_of(next) == Some(inst));
                self.overflow(inst, name, guard)?;
                skip = guard.is_some();
                continue;
            }
            if let Some(arithmetic) = self.guards_bit_of(inst) {
                // Its operation stands further up: what overflows is computed once more.
                let Spelling::WithGuard(name) = spelling(function.inst(arithmetic).op) else { continue };
                let args = self.args(function.args(arithmetic))?;
                let again = Arg::Var(self.fresh(Kind::Int));
                self.push_op(Opcode::from_name(name), None, Some(again), &args, None, None);
                self.overflow_guard(inst)?;
                continue;
            }
            self.inst(inst)?;
        }
        Ok(())
    }

    /// The arithmetic at whose overflow bit a guard looks.
    fn guards_bit_of(&self, guard: Inst) -> Option<Inst> {
        let data = self.function.inst(guard);
        if !matches!(data.op, Op::GuardTrue | Op::GuardFalse) {
            return None;
        }
        let bit = self.function.args(guard)[0];
        let inst = self.function.def_inst(bit)?;
        let with_bit = matches!(spelling(self.function.inst(inst).op), Spelling::WithGuard(_));
        (with_bit && self.function.results(inst).nth(1) == Some(bit)).then_some(inst)
    }

    /// Arithmetic with an overflow bit, and the guard behind it if that looks at the bit.
    fn overflow(&mut self, inst: Inst, name: &'static str, guard: Option<Inst>) -> Result<(), Illegal> {
        let args = self.args(self.function.args(inst))?;
        let mut results = self.function.results(inst);
        let (Some(value), Some(bit)) = (results.next(), results.next()) else { return Ok(()) };
        let opcode = match guard {
            Some(_) => Opcode::from_name(name),
            // Without the guard it is the plain operation.
            None => name.strip_suffix("_ovf").and_then(Opcode::from_name),
        };
        let result = self.define(value)?;
        self.push_op(opcode, None, Some(result), &args, None, None);
        if let Some(guard) = guard {
            self.overflow_guard(guard)?;
        }
        if self.bits[bit] > 0 {
            let computed = self.overflow_bit(self.function.inst(inst).op, args[0], args[1], result);
            self.call_same(bit, computed);
        }
        Ok(())
    }

    fn overflow_guard(&mut self, guard: Inst) -> Result<(), Illegal> {
        let leaves_without = self.function.inst(guard).op == Op::GuardTrue;
        let name = if leaves_without { "guard_overflow" } else { "guard_no_overflow" };
        self.guard(guard, name, &[])
    }

    /// Whether the source says of a comparison of references, or of that of which it is a copy, that they are instances.
    fn compares_instances(&self, inst: Inst) -> bool {
        self.origin.instances.binary_search(&self.function.inst(inst).location).is_ok()
    }

    /// Any other instruction.
    fn inst(&mut self, inst: Inst) -> Result<(), Illegal> {
        let function = self.function;
        let op = function.inst(inst).op;
        match spelling(op) {
            Spelling::Name(name) => {
                let mut args = self.args(function.args(inst))?;
                if op.row().exits != planish_ops::Exits::Never {
                    return self.guard(inst, name, &args);
                }
                if is_shift(name) && !self.amounts.fits(function, function.args(inst)[1]) {
                    args[1] = self.word("int_and", &[args[1], Arg::Int(63)]);
                }
                let name = match name {
                    "ptr_eq" if self.compares_instances(inst) => "instance_ptr_eq",
                    "ptr_ne" if self.compares_instances(inst) => "instance_ptr_ne",
                    // The complement of one bit as a word that is 0 or 1.
                    "int_invert" if function.ty(function.result(inst)) == Type::I1 => {
                        return self.word_as(function.result(inst), "int_xor", &[args[0], Arg::Int(1)]);
                    }
                    name => name,
                };
                self.check_types(inst)?;
                let result = self.define(function.result(inst))?;
                self.push_op(Opcode::from_name(name), None, Some(result), &args, None, None);
                Ok(())
            }
            Spelling::ByDescriptor => self.by_descriptor(inst),
            Spelling::Expanded => self.expand(inst),
            Spelling::WithGuard(_) => Ok(()),
            Spelling::Illegal(reason) => {
                Err(illegal(inst, format!("`{op}` cannot stand in a trace: {reason}")))
            }
        }
    }

    /// Single bits are words that are 0 or 1; only operations that keep them so are written for them.
    fn check_types(&self, inst: Inst) -> Result<(), Illegal> {
        let function = self.function;
        let op = function.inst(inst).op;
        let kept = matches!(op, Op::And | Op::Or | Op::Xor | Op::Eq | Op::Ne | Op::IsTrue | Op::IsZero)
            || matches!(op, Op::Ult | Op::Ule | Op::Ugt | Op::Uge);
        let bits = function.args(inst).iter().any(|&arg| function.ty(arg) == Type::I1);
        if bits && !kept {
            return Err(illegal(inst, format!("`{op}` on single bits cannot stand in a trace")));
        }
        Ok(())
    }

    /// A guard with its fail arguments.
    fn guard(&mut self, inst: Inst, name: &'static str, args: &[Arg]) -> Result<(), Illegal> {
        let function = self.function;
        let (mut fail, mut resume, mut descr, mut listed) = (Vec::new(), None, None, true);
        if let Some(exit) = function.inst(inst).exit {
            let data = function.exit(exit);
            let open = data.open && self.carries(exit, self.origin.behind(data))?;
            if !open {
                (fail, resume) = self.fail_arguments(exit)?;
            }
            if let ExitTarget::Leave(number) = data.target
                && let Some(origin) = self.origin.exit(number)
            {
                // What the text does not carry is listed, also where it is nothing.
                descr = origin.descr;
                listed = !open && (data.open || origin.listed || !fail.is_empty());
            }
        }
        let result = match function.results(inst).next() {
            Some(value) => Some(self.define(value)?),
            None => None,
        };
        self.push_op(Opcode::from_name(name), None, result, args, descr, listed.then_some(&fail[..]));
        if let Some(op) = self.trace.ops.last_mut() {
            op.resume = resume;
        }
        self.amounts.learn(function, inst);
        Ok(())
    }

    /// Writes an access to memory outside the heap.
    fn raw_access(
        &mut self,
        inst: Inst,
        (first, text): (&str, &str),
        result_kind: Option<&str>,
    ) -> Result<(), Illegal> {
        let (function, load) = (self.function, self.function.inst(inst).op == Op::RawLoad);
        let mut args = self.args(function.args(inst))?;
        let name = match first {
            word::RAW_FIELD => {
                if args.remove(1) != Arg::Int(0) {
                    return Err(illegal(inst, "a field outside the heap has no offset".to_owned()));
                }
                if load { "getfield_raw" } else { "setfield_raw" }
            }
            word::RAW_ITEM if load => "getarrayitem_raw",
            word::RAW_ITEM => "setarrayitem_raw",
            _ if load => "raw_load",
            _ => "raw_store",
        };
        self.named(inst, &typed(name, result_kind), &args, text)
    }

    fn by_descriptor(&mut self, inst: Inst) -> Result<(), Illegal> {
        let function = self.function;
        let data = function.inst(inst);
        let module = self.module;
        let full = data.descr.map_or("", |descr| module.descriptors.name(descr));
        let (first, text) = split(full);
        let result_kind = function.results(inst).next().map(|value| suffix(function.ty(value)));
        let value_args = |lowering: &mut Self| lowering.args(function.args(inst));
        match data.op {
            Op::GetField => self.load(inst, "getfield_gc", text),
            Op::GetInterior => self.load(inst, "getinteriorfield_gc", text),
            Op::GetItem if first == word::PURE_ITEM => self.load(inst, "getarrayitem_gc_pure", text),
            Op::GetItem => self.load(inst, "getarrayitem_gc", text),
            Op::SetField => self.plain(inst, "setfield_gc", text),
            Op::SetItem => self.plain(inst, "setarrayitem_gc", text),
            Op::SetInterior => self.plain(inst, "setinteriorfield_gc", text),
            Op::ArrayLen => self.plain(inst, "arraylen_gc", text),
            Op::New => self.plain(inst, if first == "new" { "new" } else { "new_with_vtable" }, text),
            Op::NewArray => {
                self.plain(inst, if first == "new_array" { "new_array" } else { "new_array_clear" }, text)
            }
            Op::NewStr => self.plain(inst, of_characters(full, "newstr", "newunicode"), ""),
            Op::StrLen => self.plain(inst, of_characters(full, "strlen", "unicodelen"), ""),
            Op::StrGet => self.plain(inst, of_characters(full, "strgetitem", "unicodegetitem"), ""),
            Op::StrSet => self.plain(inst, of_characters(full, "strsetitem", "unicodesetitem"), ""),
            Op::StrCopy => self.plain(inst, of_characters(full, "copystrcontent", "copyunicodecontent"), ""),
            Op::RawLoad | Op::RawStore => self.raw_access(inst, (first, text), result_kind),
            Op::Call => {
                let args = value_args(self)?;
                if first == word::UNKNOWN {
                    let (name, text) = text.split_once(' ').unwrap_or((text, ""));
                    return self.named(inst, name, &args, text);
                }
                if first.is_empty() {
                    let name = typed("call", Some(result_kind.unwrap_or("_n")));
                    return self.named(inst, &name, &args, text);
                }
                let plain = if self.behind_optimizer { self.plain_call(first, text) } else { None };
                self.named(inst, plain.as_deref().unwrap_or(first), &args, text)
            }
            Op::Marker => self.marker(inst, full, first, text),
            Op::GuardOther => {
                let args = value_args(self)?;
                match Opcode::from_name(full).filter(|opcode| opcode.is_guard()) {
                    Some(opcode) => self.guard(inst, opcode.name(), &args),
                    None => Err(illegal(inst, format!("`{full}` is no guard of traces"))),
                }
            }
            op => Err(illegal(inst, format!("`{op}` cannot stand in a trace"))),
        }
    }

    /// What an elidable or a loop-invariant call is called that is written as a plain one.
    fn plain_call(&self, word: &str, text: &str) -> Option<String> {
        let is_pure = word.starts_with("call_pure");
        let rest = word.strip_prefix(if is_pure { "call_pure" } else { "call_loopinvariant" })?;
        let plain = format!("call{rest}");
        let descriptors = &self.module.descriptors;
        let is_said = descriptors.lookup(format!("{plain} {text}").trim_end()).is_some_and(|called| {
            let effect = descriptors.call_effect(called);
            if is_pure { effect.elidable } else { effect.loop_invariant }
        });
        (is_said || !self.keeps_effects).then_some(plain)
    }

    fn load(&mut self, inst: Inst, name: &str, text: &str) -> Result<(), Illegal> {
        let name = typed(name, Some(suffix(self.function.ty(self.function.result(inst)))));
        self.plain(inst, &name, text)
    }

    fn plain(&mut self, inst: Inst, name: &str, text: &str) -> Result<(), Illegal> {
        let args = self.args(self.function.args(inst))?;
        self.named(inst, name, &args, text)
    }

    /// Appends an operation under a name that may have no row.
    fn named(&mut self, inst: Inst, name: &str, args: &[Arg], descr: &str) -> Result<(), Illegal> {
        let mut results = self.function.results(inst);
        let result = match results.next() {
            Some(value) => Some(self.define(value)?),
            None => None,
        };
        if results.next().is_some() {
            return Err(illegal(inst, "an operation of a trace has at most one result".to_owned()));
        }
        let opcode = Opcode::from_name(name);
        let unknown = if opcode.is_none() { Some(self.texts.intern_str(name)) } else { None };
        let descr: Option<Text> = (!descr.is_empty()).then(|| self.texts.intern_str(descr));
        self.push_op(opcode, unknown, result, args, descr, None);
        Ok(())
    }

    /// A guard against null, for an operation that yields what it checked.
    pub(crate) fn guard_nonnull(&mut self, inst: Inst, reference: Arg) -> Result<(), Illegal> {
        let function = self.function;
        let args = function.inst(inst).exit.map_or(&[][..], |exit| function.exit_args(exit));
        let fail = self.args(args)?;
        self.push_op(Opcode::from_name("guard_nonnull"), None, None, &[reference], None, Some(&fail));
        Ok(())
    }

    /// A remark. One that traces do not know is left out: it says nothing that changes what runs.
    fn marker(&mut self, inst: Inst, full: &str, first: &str, text: &str) -> Result<(), Illegal> {
        if let Some((name, rest)) = full.split_once('(')
            && matches!(name, "debug_merge_point" | "jit_debug")
        {
            let raw = self.texts.intern_str(rest.strip_suffix(')').unwrap_or(rest));
            self.push_op(Opcode::from_name(name), None, None, &[Arg::Raw(raw)], None, None);
            return Ok(());
        }
        let (name, text) = if first.is_empty() { (text, "") } else { (first, text) };
        let hint = self.behind_optimizer && Class::of_name(name) == Class::Hint;
        if Opcode::from_name(name).is_none() || hint {
            return Ok(());
        }
        let args = self.args(self.function.args(inst))?;
        self.named(inst, name, &args, text)
    }
}

pub(crate) fn illegal(inst: Inst, message: String) -> Illegal {
    Illegal { inst: Some(inst), message }
}

/// The letter with which PyPy marks operations by the kind of their result.
fn suffix(ty: Type) -> &'static str {
    match ty {
        Type::Ref => "_r",
        Type::Float(_) => "_f",
        _ => "_i",
    }
}

fn typed(name: &str, suffix: Option<&str>) -> String {
    format!("{name}{}", suffix.unwrap_or(""))
}

pub(crate) fn of_characters(descr: &str, bytes: &'static str, unicode: &'static str) -> &'static str {
    if descr == "unicode" { unicode } else { bytes }
}

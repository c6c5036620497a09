//! Allocation removal for raw memory (PyPy's `RawBufferPtrInfo`): a buffer outside the heap that is not allocated yet.
//!
//! A buffer of a constant size is known by the value of the call that would allocate it, and so are addresses at a
//! constant distance in it. What is stored is remembered by offset; a load of exactly that is answered. Anything
//! else, one that overlaps too, makes the buffer: the call, a check that it gave memory, and the stores by offset.
//! A buffer that is freed before it was needed never was. The header says which function allocates; where none does,
//! nothing here is asked.

use planish_ir::{Inst, Location, Value};
use planish_ops::world::{Meaning, RawAccess};
use planish_ops::{Int, Op, Type};
use planish_pass::record::Became;

use super::buffers::{Buffer, Stored, place};
use super::state::{Memory, VIRTUALIZE};
use crate::engine::Cx;
use crate::engine::stage::Outcome;

impl Memory {
    /// An operation that memory outside the heap may answer before anything else sees it.
    #[inline(never)]
    pub(super) fn raw_operation(&mut self, cx: &mut Cx<'_>, inst: Inst) -> Option<Outcome> {
        match cx.f.inst(inst).op {
            Op::Call => self.raw_call(cx, inst),
            Op::RawLoad if self.raw.any() => self.raw_load(cx, inst),
            Op::RawStore if self.raw.any() => self.raw_store(cx, inst),
            Op::Add if self.raw.any() => self.raw_address(cx, inst),
            _ => None,
        }
    }

    fn raw_call(&mut self, cx: &mut Cx<'_>, inst: Inst) -> Option<Outcome> {
        let (meaning, _) = cx.world.meaning(cx.f.inst(inst).descr?)?;
        match (meaning, cx.f.args(inst)) {
            (Meaning::RawMalloc, &[_, size]) => {
                let result = cx.f.results(inst).next()?;
                cx.int(size)?;
                if !cx.rewrite(VIRTUALIZE, inst, Became::Nothing) {
                    return None;
                }
                self.raw.buffers.push(Buffer { inst, start: result, made: false, stores: Vec::new() });
                self.raw.add(result, self.raw.buffers.len() - 1, 0);
            }
            (Meaning::RawFree, &[_, address]) => {
                let gone = self.raw.allocation(address).is_some() && cx.f.results(inst).len() == 0;
                if !gone || !cx.rewrite(VIRTUALIZE, inst, Became::Nothing) {
                    return None;
                }
            }
            // Whoever makes the buffer checks, then.
            (Meaning::MemoryCheck, &[address]) => {
                let gone = self.raw.starts(address) && cx.rewrite(VIRTUALIZE, inst, Became::Nothing);
                return gone.then_some(Outcome::Gone);
            }
            _ => return None,
        }
        self.calls.was_removed();
        Some(Outcome::Gone)
    }

    /// The buffer of an access and the place in it.
    fn raw_place(&self, cx: &mut Cx<'_>, inst: Inst) -> Option<(usize, Stored)> {
        let descr = cx.f.inst(inst).descr?;
        let RawAccess { scale, by_bytes } = cx.world.raw_access(descr)?;
        let location = cx.world.location(descr)?;
        let bits = location.stored_bits.filter(|bits| bits.is_multiple_of(8))?;
        let bytes = i64::from(bits / 8);
        let args = cx.f.args(inst);
        let (base, index, value) = (args[0], args[1], *args.last()?);
        let index = cx.int(index)?.signed();
        let (buffer, start) = self.raw.inside(base)?;
        let offset = index.checked_mul(scale)?.checked_add(start)?;
        offset.checked_add(bytes)?;
        let like = (location.ty, location.signed);
        Some((buffer, Stored { offset, value, descr: by_bytes, bytes, like }))
    }

    fn raw_store(&mut self, cx: &mut Cx<'_>, inst: Inst) -> Option<Outcome> {
        let (buffer, stored) = self.raw_place(cx, inst)?;
        let stores = &self.raw.buffers[buffer].stores;
        let at = place(stores, stored.offset, stored.end())?;
        if at.is_ok_and(|at| stores[at].like != stored.like) || !cx.rewrite(VIRTUALIZE, inst, Became::Nothing)
        {
            return None;
        }
        let stores = &mut self.raw.buffers[buffer].stores;
        match at {
            Ok(at) => stores[at] = stored,
            Err(at) => stores.insert(at, stored),
        }
        Some(Outcome::Gone)
    }

    fn raw_load(&mut self, cx: &mut Cx<'_>, inst: Inst) -> Option<Outcome> {
        let (buffer, wanted) = self.raw_place(cx, inst)?;
        let stores = &self.raw.buffers[buffer].stores;
        let found = place(stores, wanted.offset, wanted.end())?.ok().map(|at| stores[at])?;
        let (of, is) = (cx.f.result(inst), cx.resolve(found.value));
        let same = found.like == wanted.like && cx.f.ty(of) == cx.f.ty(is);
        if cx.features.plain && same {
            self.holds_what_fits(cx, inst, is);
        }
        (same && cx.rewrite(VIRTUALIZE, inst, Became::Value { of, is })).then_some(Outcome::Value(is))
    }

    /// An address at a constant distance from one that is not computed.
    fn raw_address(&mut self, cx: &mut Cx<'_>, inst: Inst) -> Option<Outcome> {
        let &[base, distance] = cx.f.args(inst) else { return None };
        let (buffer, start) = self.raw.inside(base)?;
        let offset = cx.int(distance).map(Int::signed)?.checked_add(start)?;
        if !cx.rewrite(VIRTUALIZE, inst, Became::Nothing) {
            return None;
        }
        self.raw.add(cx.f.result(inst), buffer, offset);
        Some(Outcome::Gone)
    }

    /// Computes an address that was kept back; makes the buffer that it is in.
    pub(super) fn force_raw(&mut self, cx: &mut Cx<'_>, value: Value) {
        let Some(address) = self.raw.of[value].as_mut() else { return };
        if std::mem::replace(&mut address.made, true) {
            return;
        }
        let buffer = address.buffer;
        let Buffer { inst, start, .. } = self.raw.buffers[buffer];
        if value != start {
            if let Some(inst) = cx.f.def_inst(value) {
                self.force_all_args(cx, inst);
                cx.emit(inst);
            }
            return;
        }
        self.raw.buffers[buffer].made = true;
        let place = Location::default();
        cx.emit(inst);
        if let Some((check, _)) = cx.world.function(Meaning::MemoryCheck, false) {
            let check = cx.f.make_inst(Op::Call, &[start], &[], Some(check), None, place);
            cx.emit(check);
        }
        for stored in std::mem::take(&mut self.raw.buffers[buffer].stores) {
            self.force(cx, stored.value);
            let (offset, value) = (cx.f.make_int(Type::I64, stored.offset), cx.resolve(stored.value));
            let store =
                cx.f.make_inst(Op::RawStore, &[start, offset, value], &[], Some(stored.descr), None, place);
            cx.emit(store);
        }
    }
}

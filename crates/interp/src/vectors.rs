//! Operations on vectors, and their way to raw memory and back.

use planish_ir::{Function, Inst};
use planish_ops::lanes::{Value as Parts, lane_of};
use planish_ops::{Machine, Op};

use crate::aliasing::ByClass;
use crate::behaviour::End;
use crate::machine::{Outcome, Results, Runner, Step};
use crate::memory::{NO_MEMORY, done};
use crate::value::Val;
use crate::vector::Vector;

impl Runner<'_, '_> {
    /// An operation on vectors that touches no memory; undefined where an operand is.
    pub(crate) fn in_lanes(&mut self, f: &Function, inst: Inst) -> Step<Outcome> {
        let result = f.result(inst);
        let types = f.args(inst).iter().map(|&arg| f.ty(arg)).chain([f.ty(result)]);
        let lane = lane_of(types).ok_or(End::undefined("an operation on vectors without any"))?;
        let parts = |value: Val| match value {
            Val::Vector(vector) => Some(Parts::Lanes(vector.lanes().collect())),
            value => value.datum().map(Parts::One),
        };
        let args: Option<Vec<Parts<Machine>>> =
            f.args(inst).iter().map(|&arg| parts(self.get(arg))).collect();
        let computed = args.and_then(|args| f.inst(inst).op.meaning_in_lanes(&mut Machine, &args, lane));
        let result = computed.and_then(|computed| match computed {
            Parts::One(datum) => Some(Val::of_datum(datum)),
            Parts::Lanes(lanes) => Vector::of(lane, &lanes).map(Val::Vector),
        });
        Ok(Outcome::Yield(Results::One(result.unwrap_or(Val::Undefined))))
    }

    /// Reads a vector from raw memory, or writes one: 16 bytes, whatever is stored of an item elsewhere.
    pub(crate) fn vector_access(&mut self, f: &Function, inst: Inst) -> Step<Outcome> {
        let args = f.args(inst);
        let (world, descr) = (self.program.world, f.inst(inst).descr);
        let address = self.address(descr, args[0], args[1])?;
        let (by, since) = (ByClass::of(world, descr), self.heap.wrote_anything());
        let is_store = f.inst(inst).op == Op::Vstore;
        let mut bytes = [0; 16];
        if is_store {
            match self.get(args[2]) {
                Val::Vector(vector) => bytes = vector.bytes(),
                _ => return Err(End::undefined("an effect depends on an undefined value")),
            }
        }
        for (byte, at) in bytes.iter_mut().zip(0..) {
            let at = address.wrapping_add(at);
            let place = self.heap.byte(at).ok_or(NO_MEMORY)?;
            if is_store {
                self.heap.accesses.store(at, by, since, world)?;
                self.heap.store_byte(place, *byte);
            } else {
                self.heap.accesses.load(at, by, since, world)?;
                *byte = self.heap.load_byte(self.scenario, place);
            }
        }
        match (is_store, f.results(inst).next().and_then(|result| f.ty(result).lane())) {
            (false, Some(lane)) => {
                Ok(Outcome::Yield(Results::One(Val::Vector(Vector::of_bytes(lane, bytes)))))
            }
            _ => done(),
        }
    }
}

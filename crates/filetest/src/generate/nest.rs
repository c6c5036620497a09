//! Nested branches and counted loops.
//!
//! Random edges make loops that end at once or never. Here a loop counts up or down to a small bound, its
//! accumulators go round with it, and branches, further loops and early exits stand inside: what an engine
//! learns in a loop must hold in every round, and what it moves out of one must not depend on it.

use arbitrary::Result;
use planish_ir::{Block, Terminator, Value};
use planish_ops::{Op, Type};

use super::body::Generator;

/// The entry of the whole: nothing above it.
const TOP: [usize; 1] = [0];

impl Generator<'_, '_> {
    /// A whole function of nested regions; the entry has its parameters and nothing else.
    pub(super) fn nest(&mut self, entry: Block) -> Result<()> {
        self.b.at(entry);
        self.seen = self.b.function().params().to_vec();
        self.region(3)?;
        let types = self.results.clone();
        let results = types.into_iter().map(|ty| self.value(ty)).collect::<Result<Vec<Value>>>()?;
        self.b.ret(&results);
        Ok(())
    }

    /// Operations, branches and loops one after the other.
    fn region(&mut self, depth: u32) -> Result<()> {
        for _ in 0..self.u.int_in_range(1..=3)? {
            match self.u.int_in_range(0..=4)? {
                3 if depth > 0 => self.fork(depth)?,
                4 if depth > 0 => self.counted(depth)?,
                _ => {
                    for _ in 0..self.u.int_in_range(1..=self.options.operations)? {
                        self.operation(&TOP)?;
                    }
                }
            }
        }
        Ok(())
    }

    /// Types of values that go round a loop or come together behind a branch.
    fn carried(&mut self) -> Result<Vec<Type>> {
        let count = self.u.int_in_range(1..=3)?;
        (0..count).map(|_| self.u.choose(&self.types).copied()).collect()
    }

    fn block_of(&mut self, types: &[Type]) -> (Block, Vec<Value>) {
        let block = self.b.block("");
        let params = types.iter().map(|&ty| self.b.param(block, ty)).collect();
        (block, params)
    }

    fn values(&mut self, types: &[Type]) -> Result<Vec<Value>> {
        types.iter().map(|&ty| self.value(ty)).collect()
    }

    fn fork(&mut self, depth: u32) -> Result<()> {
        let types = self.carried()?;
        let ((then, _), (other, _)) = (self.block_of(&[]), self.block_of(&[]));
        let (join, params) = self.block_of(&types);
        let condition = self.value(Type::I1)?;
        self.b.branch(condition, then, other);
        let outside = self.seen.clone();
        // Work that both arms begin with.
        let shared = match self.u.ratio(1, 3)? {
            true => {
                let ty = self.types[0];
                Some((*self.u.choose(&[Op::Add, Op::Mul, Op::Xor, Op::Sub])?, self.values(&[ty, ty])?))
            }
            false => None,
        };
        for arm in [then, other] {
            self.b.at(arm);
            if let Some((op, operands)) = &shared {
                let result = self.b.op(*op, operands);
                self.seen.push(result);
            }
            if self.u.ratio(3, 4)? {
                self.region(depth - 1)?;
            }
            let args = self.values(&types)?;
            self.b.jump(join, &args);
            self.seen.clone_from(&outside);
        }
        self.b.at(join);
        self.seen.extend(params);
        Ok(())
    }

    fn counted(&mut self, depth: u32) -> Result<()> {
        let counter = self.types[0];
        let mut types = vec![counter];
        types.extend(self.carried()?);
        let (header, params) = self.block_of(&types);
        let (body, _) = self.block_of(&[]);
        let (exit, results) = self.block_of(&types[1..]);
        // Up to a bound that is known or, in steps of one, is not; or down to zero.
        let unknown = self.u.ratio(1, 3)?;
        let down = !unknown && self.u.ratio(1, 2)?;
        let step = if unknown { 1 } else { i64::from(self.u.int_in_range(1..=2u8)?) };
        let rounds = i64::from(self.u.int_in_range(0..=5u8)?) * step;
        let start = self.b.int(counter, if down { rounds } else { 0 });
        let mut bound = self.b.int(counter, if down { 0 } else { rounds });
        if unknown {
            let (value, few) = (self.value(counter)?, self.b.int(counter, 3));
            bound = self.b.op(Op::And, &[value, few]);
        }
        let mut args = vec![start];
        args.extend(self.values(&types[1..])?);
        self.b.jump(header, &args);
        let outside = self.seen.clone();
        self.b.at(header);
        self.seen.extend(&params);
        let comparisons: &[Op] = if down { &[Op::Gt, Op::Ne, Op::Ugt] } else { &[Op::Lt, Op::Ne, Op::Ult] };
        let compare = *self.u.choose(comparisons)?;
        let goes_on = self.b.op_as(compare, &[params[0], bound], Type::I1);
        let (into, out) = (self.b.call(body, &[]), self.b.call(exit, &params[1..]));
        self.b.terminate(Terminator::Branch { condition: goes_on, then: into, other: out });
        self.b.at(body);
        // A multiple of the counter, and more.
        if self.u.ratio(1, 2)? {
            let factor = self.b.int(counter, self.u.int_in_range(-7..=7i64)?);
            let product = self.b.op(Op::Mul, &[params[0], factor]);
            let other = self.value(counter)?;
            let sum = self.b.op(*self.u.choose(&[Op::Add, Op::Sub, Op::Xor])?, &[product, other]);
            self.seen.extend([product, sum]);
        }
        self.region(depth - 1)?;
        if self.u.ratio(1, 4)? {
            let (next, _) = self.block_of(&[]);
            let condition = self.value(Type::I1)?;
            let args = self.values(&types[1..])?;
            let (stop, on) = (self.b.call(exit, &args), self.b.call(next, &[]));
            self.b.terminate(Terminator::Branch { condition, then: stop, other: on });
            self.b.at(next);
        }
        let amount = self.b.int(counter, if down { -step } else { step });
        let mut args = vec![self.b.op(Op::Add, &[params[0], amount])];
        // What goes round may come from outside: it settles then.
        if self.u.ratio(1, 4)? {
            self.seen.clone_from(&outside);
        }
        args.extend(self.values(&types[1..])?);
        self.b.jump(header, &args);
        // The loop's own parameters are known behind it too.
        self.seen = outside;
        self.seen.extend(params);
        self.seen.extend(results);
        self.b.at(exit);
        Ok(())
    }
}

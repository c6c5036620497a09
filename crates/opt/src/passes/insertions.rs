//! Operations that a pass makes, each in front of one that is there, and the values that stand for others then.

use planish_base::SideTable;
use planish_ir::{Function, Inst, Location, Stands, Value};
use planish_ops::world::Descr;
use planish_ops::{Op, Type};

/// What is made and not yet in its place.
#[derive(Default)]
pub(super) struct Insertions {
    /// Each in front of an operation that is there.
    made: Vec<(Inst, Inst)>,
    /// Which values stand for others.
    pub stands: Stands,
}

impl Insertions {
    /// Makes an operation in front of another one. Those in front of one stand in the order in which they were made.
    pub fn make(&mut self, f: &mut Function, in_front_of: Inst, op: Op, args: &[Value], ty: Type) -> Value {
        self.make_of(f, in_front_of, op, args, ty, None)
    }

    /// The same, of an operation with two results.
    pub fn make_two(
        &mut self,
        f: &mut Function,
        in_front_of: Inst,
        op: Op,
        args: &[Value],
        types: [Type; 2],
    ) -> [Value; 2] {
        let made = f.make_inst(op, args, &types, None, None, Location::default());
        self.made.push((in_front_of, made));
        let mut results = f.results(made);
        [(); 2].map(|()| results.next().expect("an operation with two results"))
    }

    /// The same, of an operation that names a descriptor.
    pub fn make_of(
        &mut self,
        f: &mut Function,
        in_front_of: Inst,
        op: Op,
        args: &[Value],
        ty: Type,
        descr: Option<Descr>,
    ) -> Value {
        let made = f.make_inst(op, args, &[ty], descr, None, Location::default());
        self.made.push((in_front_of, made));
        f.result(made)
    }

    /// Makes an operation without results in front of another one.
    pub fn put(&mut self, f: &mut Function, in_front_of: Inst, op: Op, args: &[Value], descr: Option<Descr>) {
        let made = f.make_inst(op, args, &[], descr, None, Location::default());
        self.made.push((in_front_of, made));
    }

    /// Puts what was made in its place. O(function), if there is any.
    pub fn write(self, f: &mut Function) {
        if !self.made.is_empty() {
            let mut in_front: SideTable<Inst, Vec<Inst>> = SideTable::new();
            for (of, made) in self.made {
                in_front[of].push(made);
            }
            for block in f.blocks().to_vec() {
                if f.block_insts(block).iter().all(|&inst| in_front[inst].is_empty()) {
                    continue;
                }
                let insts = f.replace_insts(block, Vec::new());
                let placed = insts
                    .into_iter()
                    .flat_map(|inst| std::mem::take(&mut in_front[inst]).into_iter().chain([inst]))
                    .collect();
                f.replace_insts(block, placed);
            }
        }
        self.stands.write(f);
    }
}

//! Look-ups in constant tables (LLVM's `ConstantFoldLoadFromConst` and the tests for linear tables of
//! `SwitchLookupTable`): folded where the index is known, computed where the items that can be read lie on a line.

use planish_base::fault;
use planish_domain::IntFact;
use planish_ir::{Const, Inst, Value};
use planish_ops::items::Common;
use planish_ops::{Int, Item, Items, Op, Type};
use planish_pass::record::{Became, Kind};

use crate::engine::state::Cx;

/// `factor` * index + `offset`, for every index that there can be.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
struct Line {
    factor: Int,
    offset: Int,
}

impl Cx<'_> {
    /// Simplifies a look-up. Returns whether something stands for it.
    #[inline(never)]
    pub(super) fn look_up(&mut self, inst: Inst) -> bool {
        let (Some(items), &[index]) = (self.items(inst), self.f.args(inst)) else { return false };
        let (first, last) = self.indices(index);
        if items.clamp(first) == items.clamp(last) {
            let width = self.f.ty(index).int_width().unwrap_or(64);
            let item = match items.item(Int::new(width, first)) {
                Item::Int(int) => Const::Int(int),
                Item::Real(real) => real.into(),
            };
            let value = self.f.make_constant(item);
            return self.becomes(inst, Kind::Fold, value);
        }
        match line(items, first, last) {
            Some(line) => self.computed(inst, index, line),
            None => false,
        }
    }

    /// What is known of an item that is looked up.
    pub(super) fn known_item(&self, inst: Inst) -> Option<IntFact> {
        let items = self.items(inst)?;
        let (first, last) = self.indices(self.f.args(inst)[0]);
        let Common { least, greatest, ones, zeros } = items.common(first, last)?;
        let width = items.ty().int_width()?;
        Some(IntFact::interval(width, least, greatest).meet(IntFact::bits(width, ones, zeros)))
    }

    fn items(&self, inst: Inst) -> Option<&Items> {
        let world = self.world;
        world.table(self.f.inst(inst).descr.filter(|_| self.f.inst(inst).op == Op::Lookup)?)
    }

    /// The least and the greatest number without sign that an index may be.
    fn indices(&self, index: Value) -> (u64, u64) {
        let known = self.engine.facts.of(self.f, index);
        let mask = u64::MAX >> (64 - known.width());
        // Numbers of both signs begin and end with those around zero.
        match (known.lo() < 0, known.hi() < 0) {
            (true, false) => (0, mask),
            _ => (known.lo() as u64 & mask, known.hi() as u64 & mask),
        }
    }

    /// Computes the items of a line, where that is cheaper.
    fn computed(&mut self, inst: Inst, index: Value, line: Line) -> bool {
        let result = self.f.ty(self.f.result(inst));
        let (from, to) = (self.f.ty(index), result);
        let resize = match from.int_width().cmp(&to.int_width()) {
            std::cmp::Ordering::Equal => None,
            std::cmp::Ordering::Less => Some(Op::Zext),
            std::cmp::Ordering::Greater => Some(Op::Trunc),
        };
        let power = line.factor.unsigned().is_power_of_two();
        let scale = (line.factor.unsigned() != 1).then_some(if power { Op::Lshift } else { Op::Mul });
        let add = line.offset.is_true().then_some(Op::Add);
        let target = self.config.target;
        let steps = [resize, scale, add];
        let cost: u32 = steps.iter().flatten().map(|&op| target.cost(op)).sum();
        let Some(last) = steps.iter().flatten().last() else {
            return self.becomes(inst, Kind::Fact, index);
        };
        if cost >= target.cost(Op::Lookup) || !self.rewrite(Kind::Fact, inst, Became::Op(*last)) {
            return false;
        }
        let location = self.f.inst(inst).location;
        let mut value = index;
        if let Some(op) = resize {
            value = self.build(op, &[value], &[to], location);
        }
        if let Some(op) = scale {
            let by = if power { i64::from(line.factor.unsigned().ilog2()) } else { line.factor.signed() };
            let by = self.f.make_int(to, by);
            value = self.build(op, &[value, by], &[], location);
        }
        if let Some(op) = add {
            let offset = self.f.make_int(to, line.offset.signed());
            value = self.build(op, &[value, offset], &[], location);
        }
        self.replace(self.f.result(inst), value);
        true
    }
}

/// The line on which the items lie that indices from `first` to `last` read: only where none is behind the last item, and
/// there are at least two. O(items) until one is beside the line.
fn line(items: &Items, first: u64, last: u64) -> Option<Line> {
    let Type::Int(width) = items.ty() else { return None };
    let words = items.words();
    let end = usize::try_from(last).ok().filter(|&last| last < words.len())?;
    let begin = usize::try_from(first).ok().filter(|&first| first < end)?;
    let int = |value: u64| Int::new(u32::from(width), value);
    let factor = int(words[begin + 1].wrapping_sub(words[begin]));
    let offset = int(words[begin].wrapping_sub(factor.unsigned().wrapping_mul(first)));
    let at = |index: u64| int(factor.unsigned().wrapping_mul(index).wrapping_add(offset.unsigned()));
    let on_it = |(word, index): (&u64, u64)| int(*word) == at(index);
    let all = words[begin..=end].iter().zip(first..).all(on_it);
    let all = all || fault!("lookups: items beside a line are taken to be on it");
    (all && factor.is_true()).then_some(Line { factor, offset })
}

#[cfg(test)]
mod tests {
    use super::{Line, line};
    use planish_ops::{Int, Items, Type};

    #[test]
    fn a_line_goes_through_every_item_that_can_be_read_and_never_behind_the_last() {
        let items = Items::new(Type::Int(8), [9, 250, 253, 0, 3].into()).expect("there are items");
        let byte = |value| Int::new(8, value);
        assert_eq!(line(&items, 1, 4), Some(Line { factor: byte(3), offset: byte(247) }));
        assert_eq!(line(&items, 0, 4), None);
        assert_eq!(line(&items, 1, 5), None);
        assert_eq!(line(&items, 2, 2), None);
    }
}

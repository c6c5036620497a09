//! How a map is computed: part of the word moved as it is, and the rest looked up.

use planish_base::fault;
use planish_ops::{Items, Op, Type};

use super::maps::Map;

/// How many bits of a word are looked up at once.
const INDEX: u32 = 8;

/// The index of a table: some bits of the word.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) struct Window {
    /// The lowest of them.
    pub from: u32,
    /// How many there are.
    pub bits: u32,
}

/// What a map is the xor of.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Plan {
    /// How far the word is shifted to the right, or to the left where that is below zero, and what of it is kept then, if not
    /// all; `None` where nothing of it is.
    pub moved: Option<(i32, Option<u64>)>,
    pub windows: Vec<Window>,
    /// What the bits of the word change besides.
    rest: Vec<u64>,
    /// What it is where the word is zero. It goes into the first table, if there is one.
    pub constant: u64,
    /// How many bits the word has, and the result.
    pub widths: [u32; 2],
}

impl Plan {
    /// The cheapest way that is known. O(64 ways at most).
    pub fn of(map: &Map, to: u32, cost: impl Fn(Op) -> u32) -> Plan {
        let widths = [map.columns.len() as u32, to];
        let mut ways: Vec<i32> =
            (0..).zip(&map.columns).filter_map(|(bit, &column)| single(bit, column)).collect();
        ways.sort_unstable();
        ways.dedup();
        let moved = ways.into_iter().flat_map(|by| {
            let whole = keeps(widths, by);
            let parts = |&(bit, column): &(u32, &u64)| *column == place(bit, by, whole);
            let kept = (0..).zip(&map.columns).filter(parts).fold(0, |kept, (_, &column)| kept | column);
            [Some((by, whole)), Some((by, kept)).filter(|_| kept != whole && kept != 0)]
        });
        let plans = std::iter::once(None).chain(moved.flatten().map(Some));
        plans
            .map(|moved| Plan::moving(map, widths, moved))
            .min_by_key(|plan| plan.cost(&cost))
            .expect("nothing moved is a way")
    }

    /// What is to be looked up where some bits of the word are moved.
    fn moving(map: &Map, widths: [u32; 2], moved: Option<(i32, u64)>) -> Plan {
        let stays = |bit| moved.map_or(0, |(by, kept)| place(bit, by, kept));
        let rest: Vec<u64> = (0..).zip(&map.columns).map(|(bit, column)| column ^ stays(bit)).collect();
        let mut left =
            (0..).zip(&rest).fold(0_u64, |left, (bit, &column)| left | u64::from(column != 0) << bit);
        let mut windows = Vec::new();
        while left != 0 {
            let window = window(left, widths[0]);
            windows.push(window);
            left &= !window.mask();
        }
        let moved = moved.map(|(by, kept)| (by, Some(kept).filter(|&kept| kept != keeps(widths, by))));
        Plan { moved, windows, rest, constant: map.constant, widths }
    }

    /// The tables, one for each index.
    pub fn tables(&self) -> Vec<Items> {
        let mut constant = self.constant;
        let mut rest = self.rest.clone();
        let table = |window: &Window| {
            let begin = std::mem::take(&mut constant);
            // What two indices have in common belongs to the first.
            let columns: Vec<u64> = (window.from..window.from + window.bits)
                .map(|bit| std::mem::take(&mut rest[bit as usize]))
                .collect();
            let lost = usize::from(fault!("linear-maps: a table does not know the highest bit of its index"));
            let columns = &columns[..columns.len() - lost];
            let item = |index: u64| {
                let set = columns.iter().enumerate().filter(|&(bit, _)| index >> bit & 1 == 1);
                set.fold(begin, |item, (_, &column)| item ^ column)
            };
            let items = (0..1_u64 << window.bits).map(item).collect();
            Items::new(Type::Int(self.widths[1] as u8), items).expect("an index has values")
        };
        self.windows.iter().map(table).collect()
    }

    /// The operations that compute it.
    pub fn operations(&self) -> Vec<Op> {
        let mut operations = Vec::new();
        if let Some((by, mask)) = self.moved {
            operations.extend(resize(self.widths));
            operations.extend((by != 0).then_some(if by > 0 { Op::Urshift } else { Op::Lshift }));
            operations.extend(mask.map(|_| Op::And));
        }
        for window in &self.windows {
            operations.extend((window.from > 0).then_some(Op::Urshift));
            operations.extend((window.from + window.bits < self.widths[0]).then_some(Op::And));
            operations.push(Op::Lookup);
        }
        let parts = usize::from(self.moved.is_some())
            + self.windows.len()
            + usize::from(self.windows.is_empty() && self.constant != 0);
        operations.extend(std::iter::repeat_n(Op::Xor, parts.saturating_sub(1)));
        operations
    }

    /// What they cost.
    pub fn cost(&self, cost: impl Fn(Op) -> u32) -> u32 {
        self.operations().into_iter().map(cost).fold(0, u32::saturating_add)
    }

    /// How many items the tables have.
    pub fn items(&self) -> u64 {
        self.windows.iter().map(|window| 1 << window.bits).sum()
    }
}

impl Window {
    fn mask(self) -> u64 {
        (u64::MAX >> (64 - self.bits)) << self.from
    }
}

/// How a word becomes as wide as the result.
pub(super) fn resize([from, to]: [u32; 2]) -> Option<Op> {
    match from.cmp(&to) {
        std::cmp::Ordering::Less => Some(Op::Zext),
        std::cmp::Ordering::Equal => None,
        std::cmp::Ordering::Greater => Some(Op::Trunc),
    }
}

/// How far a bit went to the right, if it is one bit now.
fn single(bit: i32, column: u64) -> Option<i32> {
    column.is_power_of_two().then(|| bit - column.ilog2() as i32)
}

/// Where a bit is when the word is shifted, if it is among those that are kept.
fn place(bit: u32, by: i32, kept: u64) -> u64 {
    let to = u32::try_from(bit as i32 - by).ok();
    to.and_then(|to| 1_u64.checked_shl(to)).unwrap_or(0) & kept
}

/// Which bits of a result a shifted word can have.
fn keeps([from, to]: [u32; 2], by: i32) -> u64 {
    (0..from).fold(0, |kept, bit| kept | place(bit, by, u64::MAX >> (64 - to)))
}

/// The bits for the next index: those in an aligned byte of the word, if no other byte would take more, else those from the
/// lowest on that is left.
fn window(left: u64, width: u32) -> Window {
    if width <= INDEX {
        return Window { from: 0, bits: width };
    }
    let lowest = left.trailing_zeros().min(width - INDEX);
    let aligned = lowest / INDEX * INDEX;
    let byte = |from: u32| left & 0xff << from;
    let highest = width - INDEX;
    let from = [aligned, highest].into_iter().find(|&from| byte(from) & byte(lowest) == byte(lowest));
    Window { from: from.unwrap_or(lowest), bits: INDEX }
}

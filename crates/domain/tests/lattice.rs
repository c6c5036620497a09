//! The lattice of facts: laws over all facts of small widths, and the compact functions beside the
//! generic ones.

use planish_domain::enumerate::{best, facts, mask};
use planish_domain::forward::{self, Shape};
use planish_domain::{IntFact, transfer};
use planish_ops::table::ALL;
use planish_ops::{Int, Machine, Op, Type};

/// S5.17: a fact is a range and known bits, and each sharpens the other as far as it can.
#[test]
fn facts_with_the_same_members_are_the_same_fact() {
    for width in 1..=4 {
        let all = facts(width);
        let mut masks: Vec<u64> = all.iter().map(|&f| mask(f)).collect();
        for &f in &all {
            assert_eq!(best(width, mask(f)), f, "a reduced fact is the best one of its members");
        }
        masks.sort_unstable();
        masks.dedup();
        assert_eq!(masks.len(), all.len());
    }
}

/// S5.17
#[test]
fn join_and_meet_are_the_best_bounds() {
    for width in 1..=4 {
        let mut all = facts(width);
        all.push(IntFact::bottom(width));
        for &f in &all {
            for &g in &all {
                let (join, meet) = (f.join(g), f.meet(g));
                assert_eq!(join, best(width, mask(f) | mask(g)), "{f:?} join {g:?}");
                assert_eq!(meet, best(width, mask(f) & mask(g)), "{f:?} meet {g:?}");
                assert_eq!(mask(meet), mask(f) & mask(g), "a meet loses nothing");
                assert_eq!(f.implies(g), mask(f) & !mask(g) == 0, "{f:?} implies {g:?}");
                assert_eq!(f.join(meet), f, "absorption");
                assert_eq!(f.meet(join), f, "absorption");
            }
        }
    }
}

#[test]
fn join_and_meet_associate() {
    let mut all = facts(3);
    all.push(IntFact::bottom(3));
    for &f in &all {
        for &g in &all {
            for &h in &all {
                assert_eq!(f.join(g).join(h), f.join(g.join(h)));
                assert_eq!(f.meet(g).meet(h), f.meet(g.meet(h)));
            }
        }
    }
}

#[test]
fn widening_holds_of_both_and_rising_chains_are_short() {
    for width in 1..=4 {
        let mut all = facts(width);
        all.push(IntFact::bottom(width));
        for &f in &all {
            for &g in &all {
                let widened = f.widen(g);
                assert!(f.implies(widened) && g.implies(widened), "{f:?} widened by {g:?}: {widened:?}");
            }
        }
    }
    // The longest chain from each fact, by adding one word at a time in any order that keeps rising.
    fn longest(f: IntFact, depth: u32, deepest: &mut u32) {
        *deepest = (*deepest).max(depth);
        for word in 0..1 << f.width() {
            let word = Int::new(f.width(), word);
            let next = f.widen(IntFact::constant(word));
            if next != f {
                longest(next, depth + 1, deepest);
            }
        }
    }
    let mut deepest = 0;
    longest(IntFact::bottom(4), 0, &mut deepest);
    assert!(deepest <= 3 * 4, "a chain of {deepest} steps at 4 bits");
}

#[test]
fn widening_of_a_loop_counter_ends_soon() {
    let one = IntFact::constant(Int::new(64, 1));
    let (mut fact, mut steps) = (IntFact::constant(Int::new(64, 0)), 0);
    loop {
        let next = fact.join(transfer(Op::Add, &[fact, one], Type::I64).0);
        let widened = fact.widen(next);
        if widened == fact {
            break;
        }
        (fact, steps) = (widened, steps + 1);
        assert!(steps <= 3, "still rising: {fact:?}");
    }
    assert!(fact.is_top());

    let (zero, four) = (IntFact::constant(Int::new(64, 0)), IntFact::constant(Int::new(64, 4)));
    let aligned = zero.widen(zero.join(four));
    assert_eq!(aligned, IntFact::bits(64, 0, 3 | 1 << 63), "a counter by four keeps its alignment");
}

/// As PyPy widens: bounds in the outer half of a side become unbounded.
#[test]
fn relaxing_forgets_far_bounds_and_keeps_near_ones() {
    let near = IntFact::interval(64, -5, 1000).relax();
    assert_eq!((near.lo(), near.hi()), (-5, 1000));
    let far = IntFact::interval(64, i64::MIN / 2 - 1, i64::MAX / 2 + 1).relax();
    assert!(far.is_top());
    let masked = IntFact::bits(64, 1, 0).relax();
    assert!(masked.is_top(), "known bits are forgotten: {masked:?}");
    assert!(IntFact::bottom(64).relax().is_bottom());
}

#[test]
fn constructors_say_what_they_mean() {
    for width in 1..=4u32 {
        let (min, max) = (-(1i64 << (width - 1)), (1i64 << (width - 1)) - 1);
        for lo in min..=max {
            for hi in min..=max {
                let wanted = (lo..=hi).fold(0, |set, v| set | 1 << Int::new(width, v as u64).unsigned());
                assert_eq!(IntFact::interval(width, lo, hi), best(width, wanted));
            }
        }
        for lo in 0..1u64 << width {
            for hi in 0..1u64 << width {
                let wanted = (lo..=hi).fold(0, |set, v| set | 1 << v);
                assert_eq!(IntFact::unsigned_interval(width, lo, hi), best(width, wanted), "{lo} {hi}");
            }
        }
        assert_eq!(mask(IntFact::boolean(width)), 3);
    }
    assert_eq!(IntFact::interval(8, -1000, 1000), IntFact::top(8));
    assert!(IntFact::interval(8, 200, 300).is_bottom());
}

#[test]
fn facts_print_as_ranges_and_bits() {
    assert_eq!(IntFact::top(64).to_string(), "any");
    assert_eq!(IntFact::bottom(64).to_string(), "none");
    assert_eq!(IntFact::interval(64, 0, 12).to_string(), "0 to 12");
    assert_eq!(IntFact::interval(64, 0, i64::MAX).to_string(), "≥ 0");
    assert_eq!(IntFact::constant(Int::new(8, 0xff)).to_string(), "-1");
    let even = IntFact::bits(64, 0, 1);
    assert_eq!(even.to_string(), "≤ 9223372036854775806, bits ?..?0");
    assert_eq!(even.meet(IntFact::interval(64, 0, 10)).to_string(), "0 to 10, bits 0..0???0");
    assert_eq!(IntFact::bits(4, 4, 1).to_string(), "-4 to 6, bits ?1?0");
}

#[test]
fn the_compiled_widths_compute_what_machine_words_compute() {
    let mut seed = 1u64;
    let mut word = move || {
        seed = seed.wrapping_mul(0x5851_f42d_4c95_7f2d).wrapping_add(0x1405_7b7e_f767_814f);
        seed >> (seed >> 58)
    };
    for round in 0..2_000 {
        let width = [32, 64][round % 2];
        let mut fact = || {
            let (a, b, known) = (word(), word(), word());
            let (lo, hi) = (Int::new(width, a).signed(), Int::new(width, a.wrapping_add(b)).signed());
            let bits = IntFact::bits(width, a & known, !a & known);
            [IntFact::interval(width, lo.min(hi), lo.max(hi)), bits][(b & 1) as usize]
        };
        let (x, y) = (fact(), fact());
        for &op in ALL {
            let (to, m) = (Type::Int(width as u8), &mut Machine);
            let (a, b) = (x.to_words(), y.to_words());
            let (compact, generic) = match forward::shape(op) {
                Some(Shape::Unary) => (transfer(op, &[x], to), forward::unary(m, op, a)),
                Some(Shape::Binary) => (transfer(op, &[x, y], to), forward::binary(m, op, a, b)),
                Some(Shape::Test) => (transfer(op, &[x], to), forward::test(m, op, a).fact(m, width)),
                Some(Shape::Compare) => {
                    (transfer(op, &[x, y], to), forward::compare(m, op, a, b).fact(m, width))
                }
                Some(Shape::Checked) => (transfer(op, &[x, y], to), forward::checked(m, op, a, b).value),
                _ => continue,
            };
            assert_eq!(compact.0, IntFact::from_words(generic), "{op} of {x:?} and {y:?}");
        }
    }
}

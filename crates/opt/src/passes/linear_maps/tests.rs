use std::fmt::Write;

use planish_base::Id;
use planish_ir::{Function, Inst, Module, Terminator, Value, text};
use planish_ops::meaning::Datum;
use planish_ops::world::World;
use planish_ops::{Fold, Int, Item, Machine, Op, fold};
use planish_pass::Target;

use super::PASS;
use crate::passes::testing::{changed, changed_with};

/// What a function of one block gives for a number.
fn result(module: &Module, argument: u64) -> u64 {
    let f = module.functions.values().next().expect("a function");
    let mut held: Vec<Option<Int>> = vec![None; f.value_count()];
    let param = f.params()[0];
    let word = |value: Value, held: &[Option<Int>]| {
        f.int_constant(value).or(held[value.index()]).expect("it is made before")
    };
    held[param.index()] = Some(Int::new(f.ty(param).int_width().expect("a word"), argument));
    for &inst in f.block_insts(f.entry()) {
        let made = value(module, f, inst, &|value| word(value, &held));
        held[f.result(inst).index()] = Some(made);
    }
    let Terminator::Return(results) = f.terminator(f.entry()) else { panic!("it returns") };
    word(f.list(*results)[0], &held).unsigned()
}

fn value(module: &Module, f: &Function, inst: Inst, word: &dyn Fn(Value) -> Int) -> Int {
    let (data, args) = (f.inst(inst), f.args(inst));
    if data.op == Op::Lookup {
        let items = data.descr.and_then(|descr| module.descriptors.table(descr)).expect("a table");
        let Item::Int(item) = items.item(word(args[0])) else { panic!("integers") };
        return item;
    }
    let args: Vec<_> = args.iter().map(|&arg| Datum::<Machine>::Word(word(arg))).collect();
    match fold(data.op, &args, &[f.ty(f.result(inst))]) {
        Some(Fold::Int(int)) => int,
        other => panic!("{} gives {other:?}", data.op),
    }
}

/// How many operations are left of a function without those that nothing needs, and how many look something up.
fn left(module: &Module) -> (usize, usize) {
    let f = module.functions.values().next().expect("a function");
    let mut needed = vec![false; f.value_count()];
    let Terminator::Return(results) = f.terminator(f.entry()) else { panic!("it returns") };
    f.list(*results).iter().for_each(|&value| needed[value.index()] = true);
    let (mut all, mut lookups) = (0, 0);
    for &inst in f.block_insts(f.entry()).iter().rev() {
        if needed[f.result(inst).index()] {
            all += 1;
            lookups += usize::from(f.inst(inst).op == Op::Lookup);
            f.args(inst).iter().for_each(|&arg| needed[arg.index()] = true);
        }
    }
    (all, lookups)
}

/// Numbers of many forms.
fn numbers() -> impl Iterator<Item = u64> {
    let random = (1_u64..400).scan(0x9e37_79b9_7f4a_7c15_u64, |state, by| {
        *state = (*state ^ *state >> 29).wrapping_mul(0xbf58_476d_1ce4_e5b9).wrapping_add(by);
        Some(*state)
    });
    [0, u64::MAX].into_iter().chain((0..64).map(|bit| 1 << bit)).chain(random)
}

/// Holds a function against what becomes of it, which looks up so often and has so many operations.
fn becomes(source: &str, expected: Option<(usize, usize)>) {
    let (before, errors) = text::read(source);
    assert!(!errors.has_errors(), "{source}");
    let (count, after) = changed(&PASS, source, Target::MACHINE);
    assert_eq!(count, u64::from(expected.is_some()), "{source}");
    if let Some(expected) = expected {
        assert_eq!(left(&after), expected, "{}", text::write(&after, text::Options::default()));
    }
    for number in numbers() {
        assert_eq!(result(&after, number), result(&before, number), "{number:x}\n{source}");
    }
}

/// A step of a checksum whose lowest bit is first, by a choice.
fn reflected(ty: &str, polynomial: &str, count: usize) -> String {
    let mut source = format!("func f(w: {ty}) -> {ty} {{\nentry:\n");
    let mut w = "w".to_owned();
    for step in 0..count {
        write!(
            source,
            "    a{step} = and({w}, 1)\n    b{step} = urshift({w}, 1)\n    c{step} = xor(b{step}, {polynomial})\n    \
             d{step} = select(a{step}, c{step}, b{step})\n"
        )
        .expect("text");
        w = format!("d{step}");
    }
    writeln!(source, "    return {w}\n}}").expect("text");
    source
}

/// The same with the highest bit first, by the sign and a mask.
fn straight(ty: &str, top: u32, polynomial: &str, count: usize) -> String {
    let mut source = format!("func f(w: {ty}) -> {ty} {{\nentry:\n");
    let mut w = "w".to_owned();
    for step in 0..count {
        write!(
            source,
            "    a{step} = rshift({w}, {top})\n    b{step} = and(a{step}, {polynomial})\n    c{step} = lshift({w}, 1)\n    \
             d{step} = xor(c{step}, b{step})\n"
        )
        .expect("text");
        w = format!("d{step}");
    }
    writeln!(source, "    return {w}\n}}").expect("text");
    source
}

#[test]
fn a_checksum_of_either_order_is_one_look_up_a_byte() {
    becomes(&reflected("i32", "-306674912", 8), Some((4, 1)));
    becomes(&reflected("i16", "-24575", 8), Some((4, 1)));
    becomes(&reflected("i64", "-3932672073523589310", 8), Some((4, 1)));
    becomes(&straight("i32", 31, "79764919", 8), Some((4, 1)));
    becomes(&straight("i16", 15, "4129", 8), Some((4, 1)));
}

#[test]
fn a_word_of_a_byte_is_the_index_itself() {
    becomes(&reflected("i8", "-116", 8), Some((1, 1)));
    becomes(&straight("i8", 7, "7", 8), Some((1, 1)));
}

#[test]
fn steps_for_more_bits_take_several_tables() {
    becomes(&reflected("i32", "-306674912", 16), Some((8, 2)));
    becomes(&straight("i32", 31, "79764919", 32), Some((13, 4)));
}

#[test]
fn a_table_that_saves_too_little_is_not_made() {
    becomes(&reflected("i32", "-306674912", 2), None);
    let source = reflected("i32", "-306674912", 8);
    assert_eq!(changed_with(&PASS, &[("items", 255)], &source, Target::MACHINE).0, 0);
    assert_eq!(changed_with(&PASS, &[("density", 1)], &source, Target::MACHINE).0, 0);
    let price = |op| (op != Op::Lookup).then_some(1);
    assert_eq!(changed(&PASS, &source, Target { price: &price, ..Target::MACHINE }).0, 0);
}

#[test]
fn what_is_no_map_over_two_elements_is_a_word_of_its_own() {
    // A carry goes from bit to bit.
    becomes(&reflected("i32", "-306674912", 8).replace("xor(", "add("), None);
    becomes(&straight("i32", 31, "79764919", 8).replace("xor(c", "add(c"), None);
}

#[test]
fn a_step_that_others_need_stays() {
    let source = reflected("i32", "-306674912", 8).replace("return d7", "z = mul(d3, d7)\n    return z");
    let (before, _) = text::read(&source);
    let (_, after) = changed(&PASS, &source, Target::MACHINE);
    numbers().for_each(|number| assert_eq!(result(&after, number), result(&before, number)));
}

/// Chooses by a seed.
struct Choices(u64);

impl Choices {
    fn below(&mut self, bound: usize) -> usize {
        self.0 = (self.0 ^ self.0 >> 31).wrapping_mul(0xbf58_476d_1ce4_e5b9).wrapping_add(0x9e37_79b9);
        (self.0 >> 33) as usize % bound
    }
}

/// A function of one word by operations that often are maps, and sometimes are none.
fn random(seed: u64) -> String {
    let mut choose = Choices(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
    let widths = [5_usize, 8, 12, 16, 32, 64];
    let mut width = widths[choose.below(6)];
    let begin = width;
    let mut body = String::new();
    // The values of the width at hand.
    let mut values = vec!["w".to_owned()];
    for step in 0..12 + choose.below(40) {
        let recent = values.len().min(4);
        let mut value = || values[values.len() - 1 - choose.below(recent)].clone();
        let (x, y) = (value(), value());
        let number = choose.below(1 << 20) as u64 & u64::MAX >> (65 - width);
        let amount = choose.below(width);
        let line = match choose.below(24) {
            0..3 => format!("xor({x}, {y})"),
            3 => format!("xor({x}, {number})"),
            4 => format!("and({x}, {number})"),
            5 => format!("or({x}, {number})"),
            6 => format!("lshift({x}, {amount})"),
            7 => format!("urshift({x}, {amount})"),
            8 => format!("rshift({x}, {amount})"),
            9 => format!("rotl({x}, {amount})"),
            10 => format!("not({x})"),
            11 => format!("or({x}, {y})"),
            12 => format!("add({x}, {y})"),
            13 => {
                let wider = widths[choose.below(6)];
                if wider <= width {
                    continue;
                }
                let op = ["zext", "sext"][choose.below(2)];
                writeln!(body, "    v{step}: i{wider} = {op}({x})").expect("text");
                (width, values) = (wider, vec![format!("v{step}")]);
                continue;
            }
            kind => {
                // By one bit of the word, in two ways.
                writeln!(body, "    a{step} = urshift({x}, {amount})\n    b{step} = and(a{step}, 1)")
                    .expect("text");
                match kind % 2 {
                    0 => writeln!(body, "    c{step} = neg(b{step})\n    d{step} = and(c{step}, {number})"),
                    _ => writeln!(body, "    d{step} = xor({y}, {number})"),
                }
                .expect("text");
                let chosen = format!("select(b{step}, d{step}, {y})");
                if kind % 2 == 0 { format!("xor({y}, d{step})") } else { chosen }
            }
        };
        writeln!(body, "    v{step} = {line}").expect("text");
        values.push(format!("v{step}"));
    }
    let last = &values[values.len() - 1];
    format!("func f(w: i{begin}) -> i{width} {{\nentry:\n{body}    return {last}\n}}\n")
}

#[test]
fn random_maps_are_what_they_were() {
    let mut rewritten = 0;
    for seed in 0..400 {
        let source = random(seed);
        let (before, errors) = text::read(&source);
        assert!(!errors.has_errors(), "{source}\n{errors:?}");
        let options = [("items", 1 << 20), ("density", 1 << 20)];
        let (count, after) = changed_with(&PASS, &options, &source, Target::MACHINE);
        rewritten += u64::from(count > 0);
        for number in numbers() {
            assert_eq!(result(&after, number), result(&before, number), "{number:x}\n{source}");
        }
    }
    assert!(rewritten > 100, "{rewritten}");
}

//! Random calls, many of them wrong, to two modules: one gets all of them, the other those that the first took. If what is
//! refused changes nothing, both give the same numbers and are the same text. What is built then is optimized and run, and
//! nothing of that is a mistake of the library.

use std::ffi::CString;
use std::mem::MaybeUninit;
use std::ptr::{null, null_mut};

use planish::base::Id;
use planish_ops::table;

use super::ends::*;
use super::functions::*;
use super::handle::{Begun, PlanishModule};
use super::operations::*;
use super::run::planish_run;
use super::whole::*;
use super::words::*;
use crate::border::{Status, with};
use crate::names::NONE;
use crate::optimizer::*;
use crate::place::{Place, given};
use crate::rng::Random;

/// How many modules are made unless `PLANISH_ROUNDS` says another number, and how many calls each gets.
const ROUNDS: u64 = 100;
const CALLS: usize = 250;

/// How many functions [`call`] knows.
const FUNCTIONS: u32 = 25;

/// Types that are asked for; the last is none.
const TYPES: [u32; 9] = [4, 4, 4, 0, 1, 6, 7, 256 + 12, 8];

/// The arguments of a call, of which its function takes those that it has parameters for. Of some lists there is only the
/// length: their pointer is null.
#[derive(Debug)]
struct Arguments {
    function: u32,
    name: CString,
    numbers: [u32; 3],
    values: Vec<u32>,
    types: Vec<u32>,
    targets: [(u32, Vec<u32>); 2],
    is_null: [bool; 2],
    exit: Option<u32>,
}

/// What a call wrote; where it wrote nothing, something else stands.
type Results = [u32; 8];

const UNTOUCHED: u32 = 0xdead_beef;

struct Numbers {
    random: Random,
    /// Of the function at hand.
    values: u32,
    blocks: u32,
    words: u32,
    functions: u32,
}

impl Numbers {
    fn below(&mut self, bound: u32) -> u32 {
        self.random.below(bound.max(1) as usize) as u32
    }

    fn rarely(&mut self) -> bool {
        self.below(30) == 0
    }

    /// A number up to a bound, or one too far.
    fn number(&mut self, bound: u32) -> u32 {
        if self.rarely() { bound + self.below(2) * 1000 } else { self.below(bound) }
    }

    fn list(&mut self, most: u32, item: impl Fn(&mut Self) -> u32) -> Vec<u32> {
        let count = self.below(most + 1);
        (0..count).map(|_| item(self)).collect()
    }

    fn ty(&mut self) -> u32 {
        let at = if self.rarely() { 8 } else { self.below(8) };
        TYPES[at as usize]
    }

    fn value(&mut self) -> u32 {
        let values = self.values;
        self.number(values)
    }

    fn arguments(&mut self) -> Arguments {
        // Half of the calls build an operation, and of the others half build blocks.
        let function = match self.below(4) {
            0 => self.below(FUNCTIONS),
            1 => 8 + self.below(10),
            _ => self.below(3),
        };
        let op = self.number(table::ALL.len() as u32);
        let takes = table::ALL.get(op as usize).map_or(2, |op| op.row().operands.len() as u32);
        let (words, blocks, functions) = (self.words, self.blocks, self.functions);
        let numbers = match function {
            0..3 => {
                let wants = table::ALL.get(op as usize).is_some_and(|op| op.row().descriptor.is_some());
                [op, if wants != self.rarely() { self.number(words) } else { NONE }, self.ty()]
            }
            3 | 4 | 10 => [self.number(functions), 0, 0],
            11 => [self.number(blocks), 0, 0],
            _ => [self.value(), self.ty(), self.below(20)],
        };
        let values = match function {
            0..3 if !self.rarely() => (0..takes).map(|_| self.value()).collect(),
            _ => self.list(3, Self::value),
        };
        let target = |n: &mut Self| {
            let arguments = n.below(2);
            (1 + n.number(blocks.max(2) - 1), n.list(arguments, Self::value))
        };
        Arguments {
            function,
            name: CString::new(format!("n{}", self.below(12))).expect("no zero"),
            numbers,
            values,
            types: self.list(2, Self::ty),
            targets: [target(self), target(self)],
            is_null: [self.rarely(), self.rarely()],
            exit: (self.below(4) == 0).then(|| self.below(4)),
        }
    }
}

fn module() -> Box<PlanishModule> {
    given(|out| planish_module_new(out)).expect("a module").expect("not null")
}

fn optimizer() -> Box<PlanishOptimizer> {
    given(|out| planish_optimizer_new(out)).expect("an optimizer").expect("not null")
}

/// Calls a function and gives what it wrote.
fn call(m: &mut PlanishModule, a: &Arguments) -> (Status, Results) {
    let mut memory = Place::of([UNTOUCHED; 8]);
    let room: *mut u32 = if a.is_null[0] { null_mut() } else { memory.0.as_mut_ptr().cast() };
    let (mut first, m) = (Place::of(UNTOUCHED), Some(m));
    let out = first.out(a.is_null[0]);
    let pointer = |list: &[u32]| if a.is_null[1] { null() } else { list.as_ptr() };
    let (values, count) = (pointer(&a.values), a.values.len());
    let (types, type_count) = (pointer(&a.types), a.types.len());
    let targets: Vec<PlanishTarget> = (a.targets.iter())
        .map(|(block, list)| PlanishTarget { block: *block, arguments: pointer(list), count: list.len() })
        .collect();
    let [x, y, z] = a.numbers;
    let handler = PlanishHandler { word: NONE, block: a.targets[0].0 };
    let exit = a.exit.map(|kind| PlanishExit {
        kind,
        number: z,
        live: values,
        live_count: count,
        handlers: &raw const handler,
        handler_count: 1,
    });
    let exit = exit.as_ref().map_or(null(), |exit| exit as *const PlanishExit);
    let name = a.name.as_ptr();
    let status = match a.function {
        0 => planish_build_op(m, x, values, count, out),
        1 => planish_build_typed(m, x, values, count, z, out),
        2 => {
            let is_call = table::ALL.get(x as usize).is_some_and(|op| op.row().free_results);
            let results = table::ALL.get(x as usize).map_or(1, |op| op.row().results.len());
            let (results, types) = if is_call { (type_count, types) } else { (results, null()) };
            let (op, word, operands) = (x, y, values);
            let type_count = if is_call { type_count } else { 0 };
            let what = PlanishOperation { op, word, operands, operand_count: count, types, type_count, exit };
            planish_build(m, Some(&what), room, results)
        }
        3 => planish_build_call(m, x, values, count, room, type_count),
        4 => planish_const_function(m, x, out),
        5 => planish_const_int(m, y, i64::from(z) - 10, out),
        6 => planish_const_real(m, y, f64::from(z) / 4.0, out),
        7 => planish_const_null(m, out),
        8 => planish_function_new(m, name, types, type_count.min(2), types, type_count.min(1), room, out),
        9 => planish_block_new(m, name, types, type_count, room, out),
        10 => planish_function_resume(m, x),
        11 => planish_block_at(m, x),
        12 => planish_build_jump(m, a.targets[0].0, pointer(&a.targets[0].1), a.targets[0].1.len()),
        13 => planish_build_branch(m, x, Some(&targets[0]), Some(&targets[1])),
        14 => planish_build_switch(m, x, [1, i64::from(z)].as_ptr(), targets.as_ptr(), 2, Some(&targets[0])),
        15 => planish_build_return(m, values, count),
        16 => planish_build_throw(m, x, exit),
        17 => planish_build_unreachable(m),
        18 => planish_line_at(m, z),
        19 => planish_callee_word(m, name, z, out),
        20 => planish_location_word(m, name, y, z, z % 8, z % 3, out),
        21 => planish_class_word(m, name, out),
        22 => planish_other_word(m, name, out),
        23 => planish_table_word(m, name, y, [1, 2, 3].as_ptr(), z as usize % 4, out),
        _ => finish(m.expect("it is given")),
    };
    let mut results: Results = memory.read();
    results[7] = first.read();
    (status, results)
}

/// Ends each block that has no end with a return or, where what it returns is not at hand, not at all, and finishes the function.
/// One that is not valid is given up.
fn finish(m: &mut PlanishModule) -> Status {
    let Ok((begun, _)) = m.building() else { return planish_function_finish(Some(m)) };
    let results = begun.builder.function().result_types().to_vec();
    let open: Vec<u32> = (0..begun.ended.len() as u32).filter(|&at| !begun.ended[at as usize]).collect();
    for block in open {
        assert_eq!(planish_block_at(Some(m), block), Status::Ok);
        let constant = |m: &mut PlanishModule, ty: planish::Type| {
            let number = crate::names::type_number(ty);
            match ty {
                planish::Type::Ref => given(|out| planish_const_null(Some(m), out)),
                planish::Type::Float(_) => given(|out| planish_const_real(Some(m), number, 1.5, out)),
                _ => given(|out| planish_const_int(Some(m), number, 0, out)),
            }
        };
        let values: Vec<u32> = results.iter().map(|&ty| constant(m, ty).expect("a constant")).collect();
        assert_eq!(planish_build_return(Some(m), values.as_ptr(), values.len()), Status::Ok);
    }
    let status = planish_function_finish(Some(m));
    if status == Status::Invalid {
        assert_eq!(planish_function_give_up(Some(m)), Status::Ok);
    }
    status
}

/// The text of a module whose functions are all finished.
fn text(m: &mut PlanishModule) -> String {
    let mut start = Place::of(null());
    let mut length = Place::of(0);
    assert_eq!(planish_module_text(Some(m), start.out(false), length.out(false)), Status::Ok);
    assert_eq!((m.text.len(), m.text.last()), (length.read() + 1, Some(&0)));
    String::from_utf8(m.text[..m.text.len() - 1].to_vec()).expect("it is text")
}

/// Gives up what is not finished, if the module holds together then.
fn whole(m: &mut PlanishModule) -> Status {
    for at in 0..m.functions.len() as u32 {
        if planish_function_resume(Some(m), at) == Status::Ok {
            finish(m);
        }
    }
    planish_module_verify(Some(m))
}

/// Optimizes and runs what was built.
fn used(m: &mut PlanishModule, seed: u64) {
    let mut optimizer = optimizer();
    let before = text(m);
    let keep = planish_optimizer_keep_remarks(Some(&mut optimizer), seed.is_multiple_of(2));
    let status = planish_optimize(Some(&mut optimizer), Some(m));
    assert_eq!((keep, status), (Status::Ok, Status::Ok), "seed {seed}\n{before}");
    let after = text(m);
    let mut again = module();
    let read = planish_module_read(Some(&mut again), c"again".as_ptr(), after.as_ptr().cast(), after.len());
    assert_eq!(read, Status::Ok, "seed {seed}: {}\n{after}", again.said.message.to_string_lossy());
    for at in 0..m.functions.len() as u32 {
        let mut outcome = MaybeUninit::uninit();
        let status = planish_run(Some(m), at, null(), 0, 200, None, null_mut(), Some(&mut outcome));
        let may = [Status::Ok, Status::Refused, Status::NoSuchName];
        assert!(may.contains(&status), "seed {seed}, function {at}: {status:?}\n{after}");
    }
    planish_optimizer_free(Some(optimizer));
    planish_module_free(Some(again));
}

/// How often functions ended in which way.
type Statuses = [[u32; 14]; FUNCTIONS as usize];

fn run(seed: u64, seen: &mut Statuses) -> Status {
    let (mut all, mut taken) = (module(), module());
    let mut n = Numbers { random: Random::new(seed), values: 0, blocks: 0, words: 0, functions: 0 };
    for at in 0..CALLS {
        (n.words, n.functions) = (all.words, all.functions.len() as u32);
        let of = |begun: &Begun| (begun.builder.function().value_count() as u32, begun.ended.len() as u32);
        (n.values, n.blocks) = all.building().map_or((0, 0), |(begun, _)| of(begun));
        let arguments = n.arguments();
        let (status, written) = call(&mut all, &arguments);
        seen[arguments.function as usize][status as usize] += 1;
        assert_ne!(status, Status::Broken, "seed {seed}, call {at}: {arguments:?}");
        if status == Status::Ok || arguments.function == FUNCTIONS - 1 {
            assert_eq!(
                call(&mut taken, &arguments),
                (status, written),
                "seed {seed}, call {at}: {arguments:?}"
            );
        } else {
            assert_eq!(written, [UNTOUCHED; 8], "seed {seed}, call {at}: {arguments:?}");
        }
    }
    let status = whole(&mut all);
    assert_eq!(whole(&mut taken), status, "seed {seed}");
    assert_eq!(text(&mut all), text(&mut taken), "seed {seed}");
    if status == Status::Ok {
        used(&mut all, seed);
    }
    planish_module_free(Some(all));
    planish_module_free(Some(taken));
    status
}

#[test]
fn what_is_refused_changes_nothing() {
    let (mut seen, mut valid) = (Statuses::default(), 0);
    let rounds = std::env::var("PLANISH_ROUNDS").map_or(ROUNDS, |rounds| rounds.parse().expect("a number"));
    for seed in 1..=rounds {
        valid += u64::from(run(seed, &mut seen) == Status::Ok);
    }
    if rounds < ROUNDS {
        return;
    }
    assert!(valid > rounds / 2, "{valid} modules of {rounds} are valid");
    for (function, seen) in seen.iter().enumerate() {
        assert!(seen[0] > 0, "function {function} never ended well: {seen:?}");
        assert!(seen[1..].iter().any(|&count| count > 0), "function {function} never refused: {seen:?}");
    }
}

#[test]
fn a_panic_ends_at_the_border() {
    let mut module = module();
    assert_eq!(with(Some(&mut *module), |_| panic!("on purpose")), Status::Broken);
    assert_eq!(given(|out| planish_const_null(Some(&mut module), out)), Err(Status::Broken));
    assert!(module.said.message.to_string_lossy().starts_with("a mistake of the library"));
    let mut optimizer = optimizer();
    assert_eq!(planish_optimize(Some(&mut optimizer), Some(&mut module)), Status::Broken);
}

#[test]
fn blocks_are_numbered_as_they_are_made() {
    let mut module = module();
    let name = c"f".as_ptr();
    let made =
        given(|out| planish_function_new(Some(&mut module), name, null(), 0, null(), 0, null_mut(), out));
    assert_eq!(made, Ok(0));
    for number in 1..4 {
        let block = given(|out| planish_block_new(Some(&mut module), null(), null(), 0, null_mut(), out));
        assert_eq!(block, Ok(number));
    }
    let (begun, _) = module.building().ok().expect("it is at hand");
    let numbers: Vec<usize> = begun.builder.function().blocks().iter().map(|block| block.index()).collect();
    assert_eq!(numbers, [0, 1, 2, 3]);
}

//! S3.10: copies of recursive methods for constant arguments, and copies of these, reach their end, wherever the method
//! stands and however many there are beside it.

use crate::small::listing::listing;
use crate::small::{Pool, call, class, optimized, read_in};
use planish_classfile::builder::CodeBuilder;
use planish_classfile::{Flags, Opcode};
use planish_driver::{Precision, Settings};
use planish_jar::inputs::Classpath;
use planish_jar::programs::around::Surroundings;
use planish_jar::programs::outcome::ShrinkOutcome;
use planish_jar::programs::roots::Roots;
use planish_jar::rounds::optimize_program;

const STATIC: Flags = Flags(Flags::PUBLIC.0 | Flags::STATIC.0);
const PRIVATE: Flags = Flags(Flags::PRIVATE.0 | Flags::STATIC.0);

/// How many methods of each kind there are.
const MANY: usize = 4;

/// `e == 0 ? salt : b * power(b, e - 1)`
fn power(name: &'static str, salt: i32) -> impl Fn(&mut CodeBuilder, &mut Pool) {
    move |code, pool| {
        let more = code.label();
        code.local(Opcode::Iload, 1).jump(Opcode::Ifne, more);
        code.int(salt, pool).unwrap().op(Opcode::Ireturn);
        code.bind(more).frame(planish_classfile::frame::Form::Same);
        code.local(Opcode::Iload, 0).local(Opcode::Iload, 0).local(Opcode::Iload, 1);
        code.op(Opcode::Iconst1).op(Opcode::Isub);
        call(code, pool, Opcode::Invokestatic, "T", name, "(II)I");
        code.op(Opcode::Imul).op(Opcode::Ireturn);
    }
}

/// The paths in a grid: `m == 0 || n <= 0 ? salt : paths(m - 1, n) + paths(m, n - 1)`
fn paths(name: &str, salt: i32) -> impl Fn(&mut CodeBuilder, &mut Pool) {
    paths_in("T", name, salt)
}

/// The same in a class.
fn paths_in(class: &str, name: &str, salt: i32) -> impl Fn(&mut CodeBuilder, &mut Pool) {
    move |code, pool| {
        let (one, more) = (code.label(), code.label());
        code.local(Opcode::Iload, 0).jump(Opcode::Ifeq, one);
        code.local(Opcode::Iload, 1).jump(Opcode::Ifgt, more);
        code.bind(one).frame(planish_classfile::frame::Form::Same);
        code.int(salt, pool).unwrap().op(Opcode::Ireturn);
        code.bind(more).frame(planish_classfile::frame::Form::Same);
        for (m, n) in [(1, 0), (0, 1)] {
            for (slot, less) in [(0, m), (1, n)] {
                code.local(Opcode::Iload, slot).int(less, pool).unwrap().op(Opcode::Isub);
            }
            call(code, pool, Opcode::Invokestatic, class, name, "(II)I");
        }
        code.op(Opcode::Iadd).op(Opcode::Ireturn);
    }
}

const POWERS: [&str; MANY] = ["power0", "power1", "power2", "power3"];
const PATHS: [&str; MANY] = ["paths0", "paths1", "paths2", "paths3"];

/// `main(x)` adds up `power(x, 3)` and `paths(2, x)` of every kind.
fn program() -> Vec<u8> {
    let main = |code: &mut CodeBuilder, pool: &mut Pool| {
        code.local(Opcode::Iload, 0);
        for name in POWERS {
            code.local(Opcode::Iload, 0).op(Opcode::Iconst3);
            call(code, pool, Opcode::Invokestatic, "T", name, "(II)I");
            code.op(Opcode::Iadd);
        }
        for name in PATHS {
            code.op(Opcode::Iconst2).local(Opcode::Iload, 0);
            call(code, pool, Opcode::Invokestatic, "T", name, "(II)I");
            code.op(Opcode::Iadd);
        }
        code.op(Opcode::Ireturn);
    };
    let salts = [3, 5, 7, 11];
    let powers: Vec<_> =
        POWERS.into_iter().zip(salts).map(|(name, salt)| (name, power(name, salt))).collect();
    let grids: Vec<_> = PATHS.into_iter().zip(salts).map(|(name, salt)| (name, paths(name, salt))).collect();
    let mut methods: Vec<(Flags, &str, &str, crate::small::Build<'_>)> =
        vec![(STATIC, "main", "(I)I", &main)];
    methods.extend(
        powers.iter().map(|(name, build)| (PRIVATE, *name, "(II)I", build as crate::small::Build<'_>)),
    );
    methods.extend(
        grids.iter().map(|(name, build)| (PRIVATE, *name, "(II)I", build as crate::small::Build<'_>)),
    );
    class("T", &[], &methods)
}

#[test]
fn every_copy_reaches_the_end() {
    let archive = optimized(&[("T", program())], "main", false);
    let main = listing(&archive, "T", "main");
    assert!(!main.contains("power"), "{main}");
    for name in PATHS {
        let copy = listing(&archive, "T", &format!("{name}__2_k"));
        assert!(!copy.contains("(II)I"), "{name}:\n{copy}");
    }
}

/// What the summary says of a run at a level of precision, and how many instructions are left.
fn at_level(file: Vec<u8>, level: usize) -> ShrinkOutcome {
    run_at(&[("T", file)], level)
}

/// The same of several files.
fn run_at(files: &[(&str, Vec<u8>)], level: usize) -> ShrinkOutcome {
    let (mut archive, hierarchy) = read_in(files);
    let mut roots = Roots { rules_given: true, ..Roots::default() };
    let source =
        planish_base::SourceText::new("keep.pro".to_owned(), "-keep class T { *** main(...); }".to_owned());
    let mut diagnostics = planish_base::Diagnostics::new();
    planish_keep::read::read(&source, &mut roots.rules, &mut diagnostics);
    let classpath = Classpath::default();
    let around = Surroundings::quiet(&hierarchy, &classpath, &roots);
    let settings = Settings { precision: Precision::LEVELS[level], ..Settings::default() };
    optimize_program(&mut archive, around, &settings).unwrap().0
}

/// S3.23: precision is a setting. What a coarse run leaves out is counted.
#[test]
fn what_a_run_may_not_copy_is_counted() {
    let (coarse, usual) = (at_level(program(), 1), at_level(program(), 2));
    assert!(coarse.cut > 0 && coarse.details().contains("--precision"), "{}", coarse.details());
    assert!(usual.cut == 0 && !usual.details().contains("--precision"), "{}", usual.details());
    let none = at_level(program(), 0);
    assert!(none.members.methods.1 <= 1 + 2 * MANY as u64, "{}", none.summary());
}

/// How many copies of `paths` are left out for how many of them there are, and how many instructions are left.
fn many(count: usize, together: bool) -> (u64, u64) {
    let outcome = many_at(count, together, 2);
    (outcome.cut, outcome.instructions.1)
}

/// What becomes of some `paths` at a level. They stand in one class or in one each, and are called with `(2, x)` and `(x, 2)`.
fn many_at(count: usize, together: bool, level: usize) -> ShrinkOutcome {
    let names: Vec<(String, String)> = (0..count)
        .map(|number| {
            (if together { "T".to_owned() } else { format!("T{number}") }, format!("paths{number}"))
        })
        .collect();
    let main = |code: &mut CodeBuilder, pool: &mut Pool| {
        code.local(Opcode::Iload, 0);
        for (class, name) in &names {
            code.op(Opcode::Iconst2).local(Opcode::Iload, 0);
            call(code, pool, Opcode::Invokestatic, class, name, "(II)I");
            code.local(Opcode::Iload, 0).op(Opcode::Iconst2);
            call(code, pool, Opcode::Invokestatic, class, name, "(II)I");
            code.op(Opcode::Ixor).op(Opcode::Iadd);
        }
        code.op(Opcode::Ireturn);
    };
    let grids: Vec<_> = names.iter().map(|(class, name)| paths_in(class, name, 3)).collect();
    let method =
        |number: usize| (STATIC, &*names[number].1, "(II)I", &grids[number] as crate::small::Build<'_>);
    let mut methods: Vec<(Flags, &str, &str, crate::small::Build<'_>)> =
        vec![(STATIC, "main", "(I)I", &main)];
    let mut files: Vec<(&str, Vec<u8>)> = Vec::new();
    match together {
        true => methods.extend((0..count).map(method)),
        false => files.extend((0..count).map(|n| (&*names[n].0, class(&names[n].0, &[], &[method(n)])))),
    }
    files.push(("T", class("T", &[], &methods)));
    run_at(&files, level)
}

/// S3.23: the lowest level makes no copies, every other one does, and the last leaves nothing out.
#[test]
fn levels_go_from_no_copies_to_all() {
    let levels: Vec<ShrinkOutcome> =
        (0..Precision::LEVELS.len()).map(|level| many_at(3, true, level)).collect();
    let methods: Vec<u64> = levels.iter().map(|outcome| outcome.members.methods.1).collect();
    assert!(methods[1..].iter().all(|&count| count > methods[0]), "{methods:?}");
    assert_eq!(levels.last().map(|outcome| outcome.cut), Some(0));
}

/// A program of many has as much for each as a program of one: what a run may copy grows with what there is.
#[test]
fn many_beside_each_other_have_what_one_has() {
    for together in [true, false] {
        let [one, three, nine, many] = [1, 3, 9, 24].map(|count| many(count, together));
        assert_eq!(
            [one.0, three.0, nine.0, many.0],
            [0; 4],
            "copies that were too much, together: {together}"
        );
        let each = (nine.1 - three.1) / 6;
        assert_eq!((three.1 - one.1, many.1 - nine.1), (2 * each, 15 * each), "together: {together}");
    }
}

/// How a loop over `r = r * x + 3` is written, `n` times.
#[derive(Clone, Copy, Debug)]
enum Form {
    While,
    DoWhile,
    /// With a counter beside `n`.
    For,
    /// `n` is halved.
    Halving,
    /// What a round does depends on the counter.
    Switch,
    /// For each round, as many of another loop.
    Nested,
    /// It adds up the items of an array of constants.
    Array,
}

/// Such a method of `(x, n)`.
fn goes_round(form: Form) -> impl Fn(&mut CodeBuilder, &mut Pool) {
    use planish_classfile::frame::{Form as Frame, VerificationType::Integer};
    move |code, pool| {
        let step = |code: &mut CodeBuilder| {
            code.local(Opcode::Iload, 2).local(Opcode::Iload, 0).op(Opcode::Imul);
            code.op(Opcode::Iconst3).op(Opcode::Iadd).local(Opcode::Istore, 2);
        };
        let (top, end) = (code.label(), code.label());
        code.op(Opcode::Iconst1).local(Opcode::Istore, 2);
        match form {
            Form::While | Form::Halving => {
                code.bind(top).frame(Frame::Append(vec![Integer]));
                code.local(Opcode::Iload, 1).jump(Opcode::Ifle, end);
                step(code);
                match form {
                    Form::While => code.increment(1, -1),
                    _ => code
                        .local(Opcode::Iload, 1)
                        .op(Opcode::Iconst1)
                        .op(Opcode::Ishr)
                        .local(Opcode::Istore, 1),
                };
                code.jump(Opcode::Goto, top).bind(end).frame(Frame::Same);
            }
            Form::DoWhile => {
                code.bind(top).frame(Frame::Append(vec![Integer]));
                step(code);
                code.increment(1, -1).local(Opcode::Iload, 1).jump(Opcode::Ifgt, top);
            }
            Form::For | Form::Switch | Form::Nested | Form::Array => {
                let next = code.label();
                code.op(Opcode::Iconst0).local(Opcode::Istore, 3);
                code.bind(top).frame(Frame::Append(vec![Integer, Integer]));
                code.local(Opcode::Iload, 3).local(Opcode::Iload, 1).jump(Opcode::IfIcmpge, end);
                match form {
                    Form::Switch => {
                        let (first, other) = (code.label(), code.label());
                        code.local(Opcode::Iload, 3).switch(other, &[(0, first), (7, next)]);
                        code.bind(first).frame(Frame::Same);
                        step(code);
                        code.jump(Opcode::Goto, next).bind(other).frame(Frame::Same).increment(2, 5);
                    }
                    Form::Nested => {
                        let inner = code.label();
                        code.op(Opcode::Iconst0).local(Opcode::Istore, 4);
                        code.bind(inner).frame(Frame::Append(vec![Integer]));
                        code.local(Opcode::Iload, 4).local(Opcode::Iload, 3).jump(Opcode::IfIcmpge, next);
                        step(code);
                        code.increment(4, 1).jump(Opcode::Goto, inner);
                    }
                    Form::Array => {
                        code.op(Opcode::Iconst3).new_array(10);
                        for (place, number) in [4, 6, 9].into_iter().enumerate() {
                            code.op(Opcode::Dup).int(place as i32, pool).unwrap();
                            code.int(number, pool).unwrap().op(Opcode::Iastore);
                        }
                        code.local(Opcode::Iload, 3).op(Opcode::Iaload).local(Opcode::Iload, 2);
                        code.local(Opcode::Iload, 0)
                            .op(Opcode::Imul)
                            .op(Opcode::Iadd)
                            .local(Opcode::Istore, 2);
                    }
                    _ => step(code),
                }
                code.bind(next).frame(if matches!(form, Form::Nested) {
                    Frame::Chop(1)
                } else {
                    Frame::Same
                });
                code.increment(3, 1).jump(Opcode::Goto, top).bind(end).frame(Frame::Same);
            }
        }
        code.local(Opcode::Iload, 2).op(Opcode::Ireturn);
    }
}

/// S3.10: a loop that a constant argument lets go round a known number of times is a straight line.
/// The call beside it, of which nobody knows how often it goes round, stays.
#[test]
fn a_loop_of_known_rounds_is_a_straight_line() {
    let forms =
        [Form::While, Form::DoWhile, Form::For, Form::Halving, Form::Switch, Form::Nested, Form::Array];
    for form in forms {
        let main = |code: &mut CodeBuilder, pool: &mut Pool| {
            code.local(Opcode::Iload, 0).op(Opcode::Iconst2);
            call(code, pool, Opcode::Invokestatic, "T", "round", "(II)I");
            code.local(Opcode::Iload, 0).local(Opcode::Iload, 0);
            call(code, pool, Opcode::Invokestatic, "T", "round", "(II)I");
            code.op(Opcode::Iadd).op(Opcode::Ireturn);
        };
        let round = goes_round(form);
        let methods: [(Flags, &str, &str, crate::small::Build<'_>); 2] =
            [(STATIC, "main", "(I)I", &main), (PRIVATE, "round", "(II)I", &round)];
        let archive = optimized(&[("T", class("T", &[], &methods))], "main", false);
        let body = listing(&archive, "T", "main");
        assert!(!body.contains("iconst_2\ninvokestatic T.round\n"), "{form:?}:\n{body}");
        if body.contains("round__k_2") {
            let copy = listing(&archive, "T", "round__k_2");
            assert!(!copy.contains(" -> ") && copy.matches("imul").count() <= 2, "{form:?}:\n{copy}");
        }
    }
}

/// `main(x)` of calls of `round(x, n)`: each number is one, of `x`, and what they give is added up; a number that is not positive
/// calls with what was added up so far.
fn rounds_of(counts: &[i32]) -> Vec<u8> {
    let main = |code: &mut CodeBuilder, pool: &mut Pool| {
        code.local(Opcode::Iload, 0);
        for &count in counts {
            if count > 0 {
                code.local(Opcode::Iload, 0);
            } else {
                code.op(Opcode::Dup);
            }
            code.int(count.abs(), pool).unwrap();
            call(code, pool, Opcode::Invokestatic, "T", "round", "(II)I");
            code.op(Opcode::Iadd);
        }
        code.op(Opcode::Ireturn);
    };
    let round = goes_round(Form::While);
    class("T", &[], &[(STATIC, "main", "(I)I", &main), (PRIVATE, "round", "(II)I", &round)])
}

/// S3.10: copies that come to their end stand in the place of calls, however many there are in one expression, and of calls.
#[test]
fn copies_in_one_expression_all_come_to_their_end() {
    for counts in [&[2, 5][..], &[3, 4, 5], &[2, -3, 4, -5], &[6, 5, 4, 3, 2, 1]] {
        let archive = optimized(&[("T", rounds_of(counts))], "main", false);
        let body = listing(&archive, "T", "main");
        assert!(!body.contains("invokestatic"), "{counts:?}:\n{body}");
    }
}

/// A copy that is too long to stand in the place of several calls is called, and its calls are counted.
#[test]
fn calls_that_stay_for_the_size_of_a_copy_are_counted() {
    let (usual, precise) = (at_level(rounds_of(&[3, -3]), 2), at_level(rounds_of(&[3, -3]), 3));
    assert_eq!((usual.left, precise.left), (2, 0));
    assert!(usual.details().contains("for its size (--precision): 2"), "{}", usual.details());
    assert_eq!(at_level(rounds_of(&[4, 3]), 2).left, 0, "each is called once");
}

/// A recursion that is as deep as nobody knows: `m == 0 ? n + a : n == 0 ? twice(a, m - 1, a) : twice(a, m - 1, twice(a, m, n - 1))`.
/// What it hands on to itself is constant all the way down, so that `twice(1, 1, n)` is a sum, and `twice(x, 1, n)` a product.
#[test]
fn what_a_recursion_hands_on_is_constant_in_its_copies() {
    let twice = |code: &mut CodeBuilder, pool: &mut Pool| {
        use planish_classfile::frame::Form::Same;
        let (more, deep) = (code.label(), code.label());
        let again = |code: &mut CodeBuilder, pool: &mut Pool| {
            call(code, pool, Opcode::Invokestatic, "T", "twice", "(III)I");
        };
        code.local(Opcode::Iload, 1).jump(Opcode::Ifne, more);
        code.local(Opcode::Iload, 2).local(Opcode::Iload, 0).op(Opcode::Iadd).op(Opcode::Ireturn);
        code.bind(more).frame(Same).local(Opcode::Iload, 2).jump(Opcode::Ifne, deep);
        code.local(Opcode::Iload, 0).local(Opcode::Iload, 1).op(Opcode::Iconst1).op(Opcode::Isub);
        code.local(Opcode::Iload, 0);
        again(code, pool);
        code.op(Opcode::Ireturn).bind(deep).frame(Same);
        code.local(Opcode::Iload, 0).local(Opcode::Iload, 1).op(Opcode::Iconst1).op(Opcode::Isub);
        code.local(Opcode::Iload, 0).local(Opcode::Iload, 1).local(Opcode::Iload, 2);
        code.op(Opcode::Iconst1).op(Opcode::Isub);
        again(code, pool);
        again(code, pool);
        code.op(Opcode::Ireturn);
    };
    let main = |code: &mut CodeBuilder, pool: &mut Pool| {
        code.op(Opcode::Iconst1).op(Opcode::Iconst1).local(Opcode::Iload, 0);
        call(code, pool, Opcode::Invokestatic, "T", "twice", "(III)I");
        for _ in 0..3 {
            code.local(Opcode::Iload, 0);
        }
        call(code, pool, Opcode::Invokestatic, "T", "twice", "(III)I");
        code.op(Opcode::Ixor).op(Opcode::Ireturn);
    };
    let methods: [(Flags, &str, &str, crate::small::Build<'_>); 2] =
        [(STATIC, "main", "(I)I", &main), (PRIVATE, "twice", "(III)I", &twice)];
    let archive = optimized(&[("T", class("T", &[], &methods))], "main", false);
    let body = listing(&archive, "T", "main");
    assert_eq!(body.matches("invokestatic").count(), 1, "{body}");
}

/// The sum of the numbers to `n`: `n < 1 ? 0 : n + sum(n - 1)`
fn sum(code: &mut CodeBuilder, pool: &mut Pool) {
    let more = code.label();
    code.local(Opcode::Iload, 0).jump(Opcode::Ifgt, more).op(Opcode::Iconst0).op(Opcode::Ireturn);
    code.bind(more).frame(planish_classfile::frame::Form::Same).local(Opcode::Iload, 0);
    code.local(Opcode::Iload, 0).op(Opcode::Iconst1).op(Opcode::Isub);
    call(code, pool, Opcode::Invokestatic, "T", "sum", "(I)I");
    code.op(Opcode::Iadd).op(Opcode::Ireturn);
}

/// S3.10: what a call with constants gives stands there also where that saves one instruction, and beside a call with
/// others, whatever the method takes that makes it: here a class that nothing else of its own names.
#[test]
fn a_call_with_constants_goes_whatever_its_caller_takes() {
    let main = |code: &mut CodeBuilder, pool: &mut Pool| {
        code.int(9, pool).unwrap();
        call(code, pool, Opcode::Invokestatic, "T", "sum", "(I)I");
        code.op(Opcode::Ireturn);
    };
    let other = |code: &mut CodeBuilder, pool: &mut Pool| {
        code.local(Opcode::Iload, 1);
        call(code, pool, Opcode::Invokestatic, "T", "sum", "(I)I");
        code.op(Opcode::Ireturn);
    };
    let methods: [(Flags, &str, &str, crate::small::Build<'_>); 3] = [
        (STATIC, "main", "([[Ljava/lang/String;)I", &main),
        (STATIC, "mainOther", "([Ljava/lang/Number;I)I", &other),
        (PRIVATE, "sum", "(I)I", &sum),
    ];
    for keep in ["main", "main*"] {
        let archive = optimized(&[("T", class("T", &[], &methods))], keep, false);
        assert_eq!(listing(&archive, "T", "main"), "bipush 45\nireturn\n", "{keep}");
    }
}

/// S3.14: a copy that is hardly longer than its calls stands in the place of each.
#[test]
fn a_short_copy_stands_in_the_place_of_every_call() {
    let calls = |more: i32| {
        move |code: &mut CodeBuilder, pool: &mut Pool| {
            for add in [more, more + 1, more + 2] {
                code.local(Opcode::Iload, 0).int(add, pool).unwrap().op(Opcode::Iadd).op(Opcode::Iconst3);
                call(code, pool, Opcode::Invokestatic, "T", "power", "(II)I");
            }
            code.op(Opcode::Ixor).op(Opcode::Ixor).op(Opcode::Ireturn);
        }
    };
    let (first, second, power) = (calls(1), calls(7), power("power", 1));
    let methods: [(Flags, &str, &str, crate::small::Build<'_>); 3] = [
        (STATIC, "main", "(I)I", &first),
        (STATIC, "mainToo", "(I)I", &second),
        (PRIVATE, "power", "(II)I", &power),
    ];
    let archive = optimized(&[("T", class("T", &[], &methods))], "main*", false);
    for name in ["main", "mainToo"] {
        let body = listing(&archive, "T", name);
        assert!(!body.contains("invokestatic") && body.matches("imul").count() == 6, "{body}");
    }
}

/// A call with constants that is left to the program is counted, and one that is made ahead of time is not.
#[test]
fn what_is_not_made_ahead_of_time_is_counted() {
    let main = |to: i32| {
        let build = move |code: &mut CodeBuilder, pool: &mut Pool| {
            code.int(to, pool).unwrap();
            call(code, pool, Opcode::Invokestatic, "T", "sum", "(I)I");
            code.op(Opcode::Ireturn);
        };
        let methods: [(Flags, &str, &str, crate::small::Build<'_>); 2] =
            [(STATIC, "main", "()I", &build), (PRIVATE, "sum", "(I)I", &sum)];
        at_level(class("T", &[], &methods), 2).details().contains("ahead of time")
    };
    assert!(main(5_000), "calls would nest too deep");
    assert!(!main(50));
}

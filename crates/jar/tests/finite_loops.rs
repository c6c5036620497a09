//! Loops of class files that end, and do nothing that is seen: they go, and what may be seen of them stays.

use crate::small::listing::listing;
use crate::small::{Build, Pool, call, class, optimized, optimized_by, read_in};
use planish_classfile::builder::CodeBuilder;
use planish_classfile::frame::{Form, VerificationType};
use planish_classfile::{Constant, Flags, Opcode};
use planish_driver::Settings;
use planish_jar::inputs::Classpath;
use planish_jar::programs::around::Surroundings;
use planish_jar::programs::roots::Roots;
use planish_jar::rounds::optimize_each;

const STATIC: Flags = Flags(Flags::PUBLIC.0 | Flags::STATIC.0);

/// What is left of a method, where the whole program is known, and where its body alone is looked at.
fn left(descriptor: &str, build: Build<'_>) -> [String; 2] {
    let files = [("T", class("T", &[], &[(STATIC, "run", descriptor, build)]))];
    let (mut archive, hierarchy) = read_in(&files);
    let (classpath, roots) = (Classpath::default(), Roots::default());
    let around = Surroundings::quiet(&hierarchy, &classpath, &roots);
    optimize_each(&mut archive, around, &Settings::default()).unwrap();
    [listing(&optimized(&files, "run", false), "T", "run"), listing(&archive, "T", "run")]
}

/// Whether nothing is left of a loop in a method.
fn goes(descriptor: &str, build: Build<'_>) -> bool {
    let [whole, alone] = left(descriptor, build).map(|text| !text.contains(" -> "));
    assert_eq!(whole, alone);
    whole
}

/// `while (TEST) { BODY }`, which returns 1, over an `int` in a slot behind the parameters.
fn while_holds(
    first: impl Fn(&mut CodeBuilder, &mut Pool),
    locals: Vec<VerificationType>,
    test: impl Fn(&mut CodeBuilder, &mut Pool),
    leaves: Opcode,
    body: impl Fn(&mut CodeBuilder, &mut Pool),
) -> impl Fn(&mut CodeBuilder, &mut Pool) {
    move |code, pool| {
        let [top, behind] = [(); 2].map(|()| code.label());
        first(code, pool);
        code.bind(top).frame(if locals.is_empty() { Form::Same } else { Form::Append(locals.clone()) });
        test(code, pool);
        code.jump(leaves, behind);
        body(code, pool);
        code.jump(Opcode::Goto, top);
        code.bind(behind).frame(Form::Same).op(Opcode::Iconst1).op(Opcode::Ireturn);
    }
}

/// `while (n TEST 0) n = n OP by`
fn changes(op: Opcode, by: i32, leaves: Opcode) -> impl Fn(&mut CodeBuilder, &mut Pool) {
    while_holds(
        |_, _| {},
        Vec::new(),
        |code, _| {
            code.local(Opcode::Iload, 0);
        },
        leaves,
        move |code, pool| {
            code.local(Opcode::Iload, 0).int(by, pool).unwrap().op(op).local(Opcode::Istore, 0);
        },
    )
}

#[test]
fn what_is_shifted_or_divided_comes_to_zero() {
    assert!(goes("(I)I", &changes(Opcode::Iushr, 1, Opcode::Ifeq)));
    assert!(goes("(I)I", &changes(Opcode::Ishl, 3, Opcode::Ifeq)));
    assert!(goes("(I)I", &changes(Opcode::Idiv, 10, Opcode::Ifeq)));
    assert!(goes("(I)I", &changes(Opcode::Ishr, 1, Opcode::Ifle)));
    assert!(!goes("(I)I", &changes(Opcode::Ishr, 1, Opcode::Ifeq)), "-1 stays -1");
    assert!(!goes("(I)I", &changes(Opcode::Iushr, 32, Opcode::Ifeq)), "by nothing");
    assert!(!goes("(I)I", &changes(Opcode::Idiv, -1, Opcode::Ifeq)));
}

/// `double d = 0; while (d < BOUND) d += STEP`, compared by `dcmpg`; the bound is a parameter where there is none.
fn counts_by(step: f64, bound: Option<f64>) -> impl Fn(&mut CodeBuilder, &mut Pool) {
    let slot = if bound.is_some() { 1 } else { 3 };
    let number = |code: &mut CodeBuilder, pool: &mut Pool, value: f64| {
        code.load(Constant::Double(value.to_bits()), pool).unwrap();
    };
    let first = move |code: &mut CodeBuilder, _: &mut Pool| {
        code.op(Opcode::Dconst0).local(Opcode::Dstore, slot);
    };
    let test = move |code: &mut CodeBuilder, pool: &mut Pool| {
        code.local(Opcode::Dload, slot);
        match bound {
            Some(bound) => number(code, pool, bound),
            None => {
                code.local(Opcode::Dload, 1);
            }
        }
        code.op(Opcode::Dcmpg);
    };
    while_holds(first, vec![VerificationType::Double], test, Opcode::Ifge, move |code, pool| {
        code.local(Opcode::Dload, slot);
        number(code, pool, step);
        code.op(Opcode::Dadd).local(Opcode::Dstore, slot);
    })
}

#[test]
fn a_counter_that_is_a_float_comes_to_its_bound() {
    assert!(goes("(I)I", &counts_by(0.1, Some(1e6))));
    assert!(goes("(I)I", &counts_by(2.0, Some(10.0))));
    assert!(!goes("(I)I", &counts_by(1.0, Some(1e300))), "it stays 2^53");
    assert!(!goes("(I)I", &counts_by(0.0, Some(1.0))));
    assert!(!goes("(ID)I", &counts_by(1.0, None)), "the bound may be infinite");
}

/// `for (i = FROM; i < a.length; i++) a[i + FURTHER];`, with the length taken once, or in every round.
fn walks(from: i32, further: i32, once: bool) -> impl Fn(&mut CodeBuilder, &mut Pool) {
    let length = move |code: &mut CodeBuilder| {
        code.local(Opcode::Aload, 0).op(Opcode::Arraylength);
    };
    let first = move |code: &mut CodeBuilder, pool: &mut Pool| {
        code.int(from, pool).unwrap().local(Opcode::Istore, 1);
        match once {
            true => length(code),
            false => {
                code.op(Opcode::Iconst0);
            }
        }
        code.local(Opcode::Istore, 2);
    };
    let test = move |code: &mut CodeBuilder, _: &mut Pool| {
        code.local(Opcode::Iload, 1);
        match once {
            true => {
                code.local(Opcode::Iload, 2);
            }
            false => length(code),
        }
    };
    let locals = vec![VerificationType::Integer; 2];
    while_holds(first, locals, test, Opcode::IfIcmpge, move |code, pool| {
        code.local(Opcode::Aload, 0).local(Opcode::Iload, 1);
        code.int(further, pool).unwrap().op(Opcode::Iadd).op(Opcode::Iaload).op(Opcode::Pop);
        code.increment(1, 1);
    })
}

#[test]
fn a_walk_over_an_array_goes_and_its_null_check_stays() {
    for once in [true, false] {
        for text in left("([I)I", &walks(0, 0, once)) {
            assert!(!text.contains(" -> ") && !text.contains("iaload"), "{text}");
            assert!(text.contains("arraylength"), "an array that is null throws: {text}");
        }
        assert!(!goes("([I)I", &walks(-1, 0, once)), "the item in front throws");
        assert!(!goes("([I)I", &walks(0, 1, once)), "the item behind throws");
    }
}

/// `for (i = 0, j = n; i < j; i++, j -= STEP) {}`, or the same while it is left by another comparison.
fn meet(step: i16, leaves: Opcode) -> impl Fn(&mut CodeBuilder, &mut Pool) {
    let first = |code: &mut CodeBuilder, _: &mut Pool| {
        code.op(Opcode::Iconst0).local(Opcode::Istore, 1).local(Opcode::Iload, 0).local(Opcode::Istore, 2);
    };
    let test = |code: &mut CodeBuilder, _: &mut Pool| {
        code.local(Opcode::Iload, 1).local(Opcode::Iload, 2);
    };
    while_holds(first, vec![VerificationType::Integer; 2], test, leaves, move |code, _| {
        code.increment(1, 1).increment(2, -step);
    })
}

#[test]
fn two_counters_meet() {
    assert!(goes("(I)I", &meet(1, Opcode::IfIcmpge)));
    assert!(goes("(I)I", &meet(-1, Opcode::IfIcmpge)), "a window that moves on until it wraps");
    assert!(!goes("(I)I", &meet(-1, Opcode::IfIcmpgt)), "both may be the largest number");
    assert!(!goes("(I)I", &meet(2, Opcode::IfIcmpgt)), "2 less than the least is the greatest");
}

/// `for (i = 0; i < n; i++) { BODY }`, where `i` is in slot 1.
fn times(body: impl Fn(&mut CodeBuilder, &mut Pool)) -> impl Fn(&mut CodeBuilder, &mut Pool) {
    let first = |code: &mut CodeBuilder, _: &mut Pool| {
        code.op(Opcode::Iconst0).local(Opcode::Istore, 1);
    };
    let test = |code: &mut CodeBuilder, _: &mut Pool| {
        code.local(Opcode::Iload, 1).local(Opcode::Iload, 0);
    };
    while_holds(first, vec![VerificationType::Integer], test, Opcode::IfIcmpge, move |code, pool| {
        body(code, pool);
        code.increment(1, 1);
    })
}

/// `w = k; for (i = 0; i < 1000; i++) w = w * 31 ^ i; return n > 3 ? w : OTHER;` with `n` in slot 0 and `k` in slot 1.
fn hashes(other: u16) -> impl Fn(&mut CodeBuilder, &mut Pool) {
    move |code, pool| {
        let [top, behind, plain] = [(); 3].map(|()| code.label());
        code.local(Opcode::Iload, 1).local(Opcode::Istore, 2).op(Opcode::Iconst0).local(Opcode::Istore, 3);
        code.bind(top).frame(Form::Append(vec![VerificationType::Integer; 2]));
        code.local(Opcode::Iload, 3).int(1000, pool).unwrap().jump(Opcode::IfIcmpge, behind);
        code.local(Opcode::Iload, 2).int(31, pool).unwrap().op(Opcode::Imul);
        code.local(Opcode::Iload, 3).op(Opcode::Ixor).local(Opcode::Istore, 2);
        code.increment(3, 1).jump(Opcode::Goto, top);
        code.bind(behind).frame(Form::Same).local(Opcode::Iload, 0).op(Opcode::Iconst3);
        code.jump(Opcode::IfIcmple, plain).local(Opcode::Iload, 2).op(Opcode::Ireturn);
        code.bind(plain).frame(Form::Same).local(Opcode::Iload, other).op(Opcode::Ireturn);
    }
}

/// S3.11: a loop, be it that of a body in the place of a call, runs in the arm that uses what it makes.
#[test]
fn a_hash_is_computed_where_it_is_used() {
    for (other, moves) in [(1, true), (2, false)] {
        for text in left("(II)I", &hashes(other)) {
            let [asks, hashes] = ["iconst_3", "imul"].map(|what| text.find(what));
            let asked_first = asks.is_some() && asks < hashes;
            assert_eq!((asked_first, hashes.is_some()), (moves, true), "{text}");
        }
    }
}

/// `w = k; for (i = 0; i < 1000; i++) w = w * 31 ^ i; return w;` with `k` in slot 1.
fn hash_of(code: &mut CodeBuilder, pool: &mut Pool) {
    let [top, behind] = [(); 2].map(|()| code.label());
    code.local(Opcode::Iload, 1).local(Opcode::Istore, 2).op(Opcode::Iconst0).local(Opcode::Istore, 3);
    code.bind(top).frame(Form::Append(vec![VerificationType::Integer; 2]));
    code.local(Opcode::Iload, 3).int(1000, pool).unwrap().jump(Opcode::IfIcmpge, behind);
    code.local(Opcode::Iload, 2).int(31, pool).unwrap().op(Opcode::Imul);
    code.local(Opcode::Iload, 3).op(Opcode::Ixor).local(Opcode::Istore, 2);
    code.increment(3, 1).jump(Opcode::Goto, top);
    code.bind(behind).frame(Form::Same).local(Opcode::Iload, 2).op(Opcode::Ireturn);
}

/// `if (ASKS && o == null) return k; w = o.hash(k); return n > 3 ? w : k;` with the three in slots 0 to 2.
fn hashes_by(asks: bool) -> impl Fn(&mut CodeBuilder, &mut Pool) {
    move |code, pool| {
        let [there, plain] = [(); 2].map(|()| code.label());
        if asks {
            code.local(Opcode::Aload, 0).jump(Opcode::Ifnonnull, there);
            code.local(Opcode::Iload, 2).op(Opcode::Ireturn).bind(there).frame(Form::Same);
        }
        code.local(Opcode::Aload, 0).local(Opcode::Iload, 2);
        call(code, pool, Opcode::Invokevirtual, "T", "hash", "(I)I");
        code.local(Opcode::Istore, 3).local(Opcode::Iload, 1).op(Opcode::Iconst3);
        code.jump(Opcode::IfIcmple, plain).local(Opcode::Iload, 3).op(Opcode::Ireturn);
        code.bind(plain).frame(Form::Same).local(Opcode::Iload, 2).op(Opcode::Ireturn);
    }
}

/// S3.11: a call of a final method that only computes is made in the arm that uses it, on an object that is there.
#[test]
fn a_final_method_is_called_where_its_result_is_used() {
    let asked_first = |run: Flags, descriptor: &str, build: Build<'_>, hash: Flags| {
        let methods: &[(Flags, &str, &str, Build<'_>)] =
            &[(run, "run", descriptor, build), (hash, "hash", "(I)I", &hash_of)];
        let files = [("T", class("T", &[], methods))];
        let kept = optimized_by(&files, "-keep class T { *** run(...); *** hash(...); }", false);
        let text = listing(&kept, "T", "run");
        let [asks, calls] = ["iconst_3", "hash"].map(|what| text.find(what));
        assert!(asks.is_some() && calls.is_some(), "{text}");
        asks < calls
    };
    let fixed = Flags(Flags::PUBLIC.0 | Flags::FINAL.0);
    let of_object = "(LT;II)I";
    assert!(asked_first(Flags::PUBLIC, "(II)I", &hashes_by(false), fixed), "`this` is there");
    assert!(asked_first(STATIC, of_object, &hashes_by(true), fixed), "that was asked");
    assert!(!asked_first(STATIC, of_object, &hashes_by(false), fixed), "null throws first");
    assert!(
        !asked_first(Flags::PUBLIC, "(II)I", &hashes_by(false), Flags::PUBLIC),
        "another one may take its place"
    );
}

/// `w = k; for (i = 0; i TEST BOUND; i += STEP) w = w * 31 ^ i; return n > 3 ? w : k;` with `n` in slot 0 and `k` in slot 1.
fn hashes_up_to(
    bound: impl Fn(&mut CodeBuilder, &mut Pool),
    leaves: Opcode,
    step: i16,
) -> impl Fn(&mut CodeBuilder, &mut Pool) {
    move |code, pool| {
        let [top, behind, plain] = [(); 3].map(|()| code.label());
        code.local(Opcode::Iload, 1).local(Opcode::Istore, 2).op(Opcode::Iconst0).local(Opcode::Istore, 3);
        code.bind(top).frame(Form::Append(vec![VerificationType::Integer; 2]));
        code.local(Opcode::Iload, 3);
        bound(code, pool);
        code.jump(leaves, behind).local(Opcode::Iload, 2).int(31, pool).unwrap().op(Opcode::Imul);
        code.local(Opcode::Iload, 3).op(Opcode::Ixor).local(Opcode::Istore, 2);
        code.increment(3, step).jump(Opcode::Goto, top);
        code.bind(behind).frame(Form::Same).local(Opcode::Iload, 0).op(Opcode::Iconst3);
        code.jump(Opcode::IfIcmple, plain).local(Opcode::Iload, 2).op(Opcode::Ireturn);
        code.bind(plain).frame(Form::Same).local(Opcode::Iload, 1).op(Opcode::Ireturn);
    }
}

/// S3.11: that a loop ends is seen by all that its bound may be.
#[test]
fn a_hash_of_so_many_rounds_as_there_may_be_is_computed_where_it_is_used() {
    let moves = |bound: Build<'_>, leaves: Opcode, step: i16| {
        let [whole, alone] = left("(II)I", &hashes_up_to(bound, leaves, step))
            .map(|text| ["iconst_3", "imul"].map(|what| text.find(what).expect("both are there")));
        assert_eq!(whole[0] < whole[1], alone[0] < alone[1]);
        whole[0] < whole[1]
    };
    let masked = |mask: i32| {
        move |code: &mut CodeBuilder, pool: &mut Pool| {
            code.local(Opcode::Iload, 1).int(mask, pool).unwrap().op(Opcode::Iand);
        }
    };
    let cut = |code: &mut CodeBuilder, _: &mut Pool| {
        code.local(Opcode::Iload, 1).op(Opcode::I2b);
    };
    let least = |code: &mut CodeBuilder, pool: &mut Pool| {
        code.local(Opcode::Iload, 1).int(50, pool).unwrap();
        call(code, pool, Opcode::Invokestatic, "java/lang/Math", "min", "(II)I");
    };
    let whole = |code: &mut CodeBuilder, _: &mut Pool| {
        code.local(Opcode::Iload, 1);
    };
    assert!(moves(&masked(31), Opcode::IfIcmpgt, 1));
    assert!(moves(&masked(255), Opcode::IfIcmpge, 3));
    assert!(moves(&cut, Opcode::IfIcmpgt, 1));
    assert!(moves(&least, Opcode::IfIcmpgt, 1));
    assert!(!moves(&whole, Opcode::IfIcmpgt, 1), "the bound may be the largest number");
    assert!(!moves(&masked(-2), Opcode::IfIcmpgt, 4), "it may step over that");
}

/// `new CLASS()`, which stays on the stack.
fn make(code: &mut CodeBuilder, pool: &mut Pool, class: &str) {
    code.class(Opcode::New, class.as_bytes(), pool).unwrap().op(Opcode::Dup);
    call(code, pool, Opcode::Invokespecial, class, "<init>", "()V");
}

#[test]
fn objects_that_nobody_has_are_not_made() {
    let makes = |class: &'static str| {
        goes(
            "(I)I",
            &times(move |code, pool| {
                make(code, pool, class);
                code.op(Opcode::Pop);
            }),
        )
    };
    assert!(makes("java/lang/Object"));
    assert!(makes("java/util/ArrayList"));
    assert!(!makes("java/lang/Thread"), "its constructor does more");
    assert!(!makes("Missing"));
    let boxes = |class: &'static str, descriptor: &'static str| {
        goes(
            "(I)I",
            &times(move |code, pool| {
                code.local(Opcode::Iload, 1);
                call(code, pool, Opcode::Invokestatic, class, "valueOf", descriptor);
                code.op(Opcode::Pop);
            }),
        )
    };
    assert!(boxes("java/lang/Integer", "(I)Ljava/lang/Integer;"));
    assert!(!boxes("Missing", "(I)LMissing;"));
}

/// A builder gets the counter in every round, and then `last` is done with it.
fn builds(last: impl Fn(&mut CodeBuilder, &mut Pool)) -> impl Fn(&mut CodeBuilder, &mut Pool) {
    times(move |code, pool| {
        make(code, pool, BUILDER);
        code.local(Opcode::Iload, 1);
        call(code, pool, Opcode::Invokevirtual, BUILDER, "append", "(I)Ljava/lang/StringBuilder;");
        last(code, pool);
    })
}

const BUILDER: &str = "java/lang/StringBuilder";

#[test]
fn texts_that_nobody_needs_are_not_built() {
    let asks = |name: &'static str, descriptor: &'static str| {
        let build = builds(move |code, pool| {
            call(code, pool, Opcode::Invokevirtual, BUILDER, name, descriptor);
            code.op(Opcode::Pop);
        });
        goes("(I)I", &build)
    };
    assert!(asks("toString", "()Ljava/lang/String;"));
    assert!(asks("length", "()I"));
    assert!(!asks("reverse", "()Ljava/lang/StringBuilder;"), "nothing is known of it");
    let into_another = builds(|code, pool| {
        call(code, pool, Opcode::Invokevirtual, BUILDER, "toString", "()Ljava/lang/String;");
        code.local(Opcode::Astore, 2);
        make(code, pool, BUILDER);
        code.local(Opcode::Aload, 2);
        let append = "(Ljava/lang/String;)Ljava/lang/StringBuilder;";
        call(code, pool, Opcode::Invokevirtual, BUILDER, "append", append);
        code.op(Opcode::Pop);
    });
    assert!(goes("(I)I", &into_another));
    let handed_on = builds(|code, pool| {
        call(code, pool, Opcode::Invokestatic, "Missing", "see", "(Ljava/lang/StringBuilder;)V");
    });
    assert!(!goes("(I)I", &handed_on));
    let appended = builds(|code, pool| {
        code.op(Opcode::AconstNull);
        let append = "(Ljava/lang/Object;)Ljava/lang/StringBuilder;";
        call(code, pool, Opcode::Invokevirtual, BUILDER, "append", append);
        code.op(Opcode::Pop);
    });
    assert!(!goes("(I)I", &appended), "the `toString` of an object runs");
}

/// `for (i = FROM; i < s.length(); i++) s.charAt(i + FURTHER);`, which is left by some comparison.
fn reads(from: i32, leaves: Opcode, further: i32) -> impl Fn(&mut CodeBuilder, &mut Pool) {
    let first = move |code: &mut CodeBuilder, pool: &mut Pool| {
        code.int(from, pool).unwrap().local(Opcode::Istore, 1);
    };
    let test = |code: &mut CodeBuilder, pool: &mut Pool| {
        code.local(Opcode::Iload, 1).local(Opcode::Aload, 0);
        call(code, pool, Opcode::Invokevirtual, "java/lang/String", "length", "()I");
    };
    while_holds(first, vec![VerificationType::Integer], test, leaves, move |code, pool| {
        code.local(Opcode::Aload, 0).local(Opcode::Iload, 1).int(further, pool).unwrap().op(Opcode::Iadd);
        call(code, pool, Opcode::Invokevirtual, "java/lang/String", "charAt", "(I)C");
        code.op(Opcode::Pop).increment(1, 1);
    })
}

const READS_TEXT: &str = "(Ljava/lang/String;)I";

#[test]
fn a_walk_over_a_text_goes_and_its_null_check_stays() {
    for from in [0, 4] {
        for text in left(READS_TEXT, &reads(from, Opcode::IfIcmpge, 0)) {
            assert!(!text.contains(" -> ") && !text.contains("charAt"), "{text}");
            assert!(text.contains("String.length"), "a text that is null throws: {text}");
        }
    }
    assert!(!goes(READS_TEXT, &reads(-1, Opcode::IfIcmpge, 0)), "the character in front throws");
    assert!(!goes(READS_TEXT, &reads(0, Opcode::IfIcmpge, 1)), "the character behind throws");
    assert!(!goes(READS_TEXT, &reads(0, Opcode::IfIcmpgt, 0)), "so it does there");
}

/// `for (i = s.length() - LESS; i >= 0; i--) s.charAt(i);`
fn reads_down(less: i32) -> impl Fn(&mut CodeBuilder, &mut Pool) {
    let first = move |code: &mut CodeBuilder, pool: &mut Pool| {
        code.local(Opcode::Aload, 0);
        call(code, pool, Opcode::Invokevirtual, "java/lang/String", "length", "()I");
        code.int(less, pool).unwrap().op(Opcode::Isub).local(Opcode::Istore, 1);
    };
    let test = |code: &mut CodeBuilder, _: &mut Pool| {
        code.local(Opcode::Iload, 1);
    };
    while_holds(first, vec![VerificationType::Integer], test, Opcode::Iflt, move |code, pool| {
        code.local(Opcode::Aload, 0).local(Opcode::Iload, 1);
        call(code, pool, Opcode::Invokevirtual, "java/lang/String", "charAt", "(I)C");
        code.op(Opcode::Pop).increment(1, -1);
    })
}

#[test]
fn a_walk_from_the_end_of_a_text_goes() {
    assert!(goes(READS_TEXT, &reads_down(1)) && goes(READS_TEXT, &reads_down(3)));
    assert!(!goes(READS_TEXT, &reads_down(0)), "the character behind throws");
    assert!(!goes(READS_TEXT, &reads_down(-1)), "so does the one behind that");
}

#[test]
fn a_finite_loop_that_calls_stays() {
    let load = |code: &mut CodeBuilder, _: &mut Pool| {
        code.local(Opcode::Iload, 0);
    };
    let body = |code: &mut CodeBuilder, pool: &mut Pool| {
        call(code, pool, Opcode::Invokestatic, "Missing", "seen", "()V");
        code.local(Opcode::Iload, 0).op(Opcode::Iconst2).op(Opcode::Iushr).local(Opcode::Istore, 0);
    };
    assert!(!goes("(I)I", &while_holds(|_, _| {}, Vec::new(), load, Opcode::Ifeq, body)));
}

/// `T c = (T) FROM; while (c TEST BOUND) c = (T) (c + step)`: the cast is `cut`; a start or bound that is not given is the
/// parameter, cut in the same way, or as it is.
#[derive(Clone, Copy, Debug)]
struct Narrow {
    cut: Opcode,
    from: Option<i32>,
    test: Opcode,
    step: i32,
    bound: Bound,
}

#[derive(Clone, Copy, Debug)]
enum Bound {
    Number(i32),
    Cut,
    Whole,
}

impl Narrow {
    fn write(self, code: &mut CodeBuilder, pool: &mut Pool) {
        let first = |code: &mut CodeBuilder, pool: &mut Pool| {
            match self.from {
                Some(from) => code.int(from, pool).unwrap(),
                None => code.local(Opcode::Iload, 0).op(self.cut),
            };
            code.local(Opcode::Istore, 2);
            code.local(Opcode::Iload, 1);
            if matches!(self.bound, Bound::Cut) {
                code.op(self.cut);
            }
            code.local(Opcode::Istore, 3);
        };
        let test = |code: &mut CodeBuilder, pool: &mut Pool| {
            code.local(Opcode::Iload, 2);
            match self.bound {
                Bound::Number(bound) => code.int(bound, pool).unwrap(),
                _ => code.local(Opcode::Iload, 3),
            };
        };
        let locals = vec![VerificationType::Integer; 2];
        while_holds(first, locals, test, self.test, |code, pool| {
            code.local(Opcode::Iload, 2).int(self.step, pool).unwrap().op(Opcode::Iadd).op(self.cut);
            code.local(Opcode::Istore, 2);
        })(code, pool);
    }

    fn cut(self, value: i32) -> i32 {
        match self.cut {
            Opcode::I2b => value as i8 as i32,
            Opcode::I2s => value as i16 as i32,
            _ => value as u16 as i32,
        }
    }

    /// Whether it ends from every start, for every bound, of some that are at the ends.
    fn ends(self) -> bool {
        let some = [
            0, 1, 2, 7, 126, 127, 128, 255, -1, -2, -127, -128, 32_766, 32_767, 32_768, 65_534, 65_535,
            -32_768,
        ];
        let from: Vec<i32> =
            self.from.map_or_else(|| some.iter().map(|&from| self.cut(from)).collect(), |from| vec![from]);
        let bounds: Vec<i32> = match self.bound {
            Bound::Number(bound) => vec![bound],
            Bound::Cut => some.iter().map(|&bound| self.cut(bound)).collect(),
            Bound::Whole => some.iter().copied().chain([100_000, -100_000, i32::MAX, i32::MIN]).collect(),
        };
        let leaves = |c: i32, bound: i32| match self.test {
            Opcode::IfIcmpeq => c == bound,
            Opcode::IfIcmpne => c != bound,
            Opcode::IfIcmplt => c < bound,
            Opcode::IfIcmple => c <= bound,
            Opcode::IfIcmpgt => c > bound,
            _ => c >= bound,
        };
        from.iter().all(|&from| {
            bounds.iter().all(|&bound| {
                let mut c = from;
                (0..70_000).any(|_| {
                    let tested = c;
                    c = self.cut(c + self.step);
                    leaves(tested, bound)
                })
            })
        })
    }
}

/// Every loop over a narrow local that ends goes, and none that does not, up to the end of its type, past it, and the wrong
/// way.
#[test]
fn a_narrow_local_comes_round() {
    let tests = [
        Opcode::IfIcmpeq,
        Opcode::IfIcmpne,
        Opcode::IfIcmplt,
        Opcode::IfIcmple,
        Opcode::IfIcmpgt,
        Opcode::IfIcmpge,
    ];
    let mut gone = 0;
    for cut in [Opcode::I2b, Opcode::I2s, Opcode::I2c] {
        for test in tests {
            for step in [1, -1, 3, -2] {
                for from in [Some(5), None] {
                    for bound in [Bound::Number(0), Bound::Number(100), Bound::Cut, Bound::Whole] {
                        let narrow = Narrow { cut, from, test, step, bound };
                        let goes = goes("(II)I", &|code, pool| narrow.write(code, pool));
                        assert_eq!(goes, narrow.ends(), "{narrow:?}");
                        gone += u32::from(goes);
                    }
                }
            }
        }
    }
    assert!(gone > 250, "{gone}");
}

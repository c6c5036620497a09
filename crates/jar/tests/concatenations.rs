//! Call sites that concatenate get the constants among their arguments, and what is only part of another concatenation
//! becomes part of it. What is concatenated stays a fresh text.

use std::cell::RefCell;

use crate::small::listing::{listing, read};
use crate::small::{Build, Pool, call, class, optimized};
use planish_classfile::attribute::BootstrapMethod;
use planish_classfile::builder::CodeBuilder;
use planish_classfile::class::Attribute;
use planish_classfile::pool::MemberKind;
use planish_classfile::{Body, ClassFile, Code, Constant, Flags, Kind, MemberRef, Opcode, Operand};

const STATIC: Flags = Flags::STATIC;

/// The rows of the table of bootstrap methods, while bodies are written.
#[derive(Default)]
struct Rows(RefCell<Vec<BootstrapMethod>>);

impl Rows {
    /// Concatenates by a recipe, with constants beside it.
    fn concat(&self, code: &mut CodeBuilder, pool: &mut Pool, recipe: &str, beside: &[&str], types: &str) {
        let name = &b"makeConcatWithConstants"[..];
        let maker = MemberRef {
            kind: MemberKind::Method,
            class: b"java/lang/invoke/StringConcatFactory",
            name,
            descriptor:
                b"(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/invoke/MethodType;\
                Ljava/lang/String;[Ljava/lang/Object;)Ljava/lang/invoke/CallSite;",
        };
        let maker = pool.add_member(maker).unwrap();
        let handle = pool.add(Constant::MethodHandle(6, maker)).unwrap();
        let texts = std::iter::once(&recipe).chain(beside);
        let arguments = texts.map(|text| pool.add_string(text.as_bytes()).unwrap()).collect();
        let mut rows = self.0.borrow_mut();
        rows.push(BootstrapMethod { handle, arguments });
        let descriptor = format!("({types})Ljava/lang/String;");
        code.dynamic(rows.len() as u16 - 1, name, descriptor.as_bytes(), pool).unwrap();
    }
}

/// What is left of a program of class `T` with these methods.
fn program(rows: &Rows, methods: &[(Flags, &str, &str, Build<'_>)]) -> planish_jar::classes::Archive {
    let bytes = class("T", &[], methods);
    let mut file = ClassFile::read(&bytes).unwrap();
    let table = Body::BootstrapMethods(rows.0.take());
    let table = Attribute::new(&mut file.pool, &table).unwrap();
    file.attributes.push(table);
    file.major = 55;
    optimized(&[("T", file.to_bytes().unwrap())], "main", false)
}

/// The call sites of a method: the recipe with marks as digits, constants beside it in brackets, and the types.
fn sites(archive: &planish_jar::classes::Archive, method: &str) -> Vec<String> {
    let bytes = read(archive, "T");
    let file = ClassFile::read(&bytes).unwrap();
    let pool = &file.pool;
    let Ok(Some(Body::BootstrapMethods(rows))) = file.attribute(Kind::BootstrapMethods).unwrap().decode(pool)
    else {
        panic!("there is a table")
    };
    let found = file.methods.iter().find(|m| pool.utf8(m.name) == Ok(method.as_bytes())).unwrap();
    let attribute = found.attribute(pool, Kind::Code).unwrap();
    let Ok(Some(Body::Code(bytes))) = attribute.decode(pool) else { panic!("there is a body") };
    let code = Code::read(&bytes, pool).unwrap();
    let text = |index: &u16| {
        let text = String::from_utf8_lossy(pool.string(*index).unwrap()).into_owned();
        text.replace('\u{1}', "^1").replace('\u{2}', "^2")
    };
    let dynamic = code.instructions.iter().filter(|insn| insn.op == Opcode::Invokedynamic);
    let shown = dynamic.map(|insn| {
        let Operand::Constant(index) = insn.operand else { panic!("it names a constant") };
        let (row, _, descriptor) = pool.dynamic(index).unwrap();
        let texts: Vec<String> = rows[usize::from(row)].arguments.iter().map(text).collect();
        let types = String::from_utf8_lossy(descriptor).replace("Ljava/lang/String;", "S");
        [texts.join("|"), types.trim_end_matches('S').to_owned()].join(" ")
    });
    shown.collect()
}

/// The call sites that are left of a method that only pushes arguments and concatenates them.
fn left(
    recipe: &str,
    beside: &[&str],
    [parameters, types]: [&str; 2],
    push: impl Fn(&mut CodeBuilder, &mut Pool),
) -> Vec<String> {
    let rows = Rows::default();
    let main = |code: &mut CodeBuilder, pool: &mut Pool| {
        push(code, pool);
        rows.concat(code, pool, recipe, beside, types);
        code.op(Opcode::Areturn);
    };
    let descriptor = format!("({parameters})Ljava/lang/String;");
    sites(&program(&rows, &[(STATIC, "main", &descriptor, &main)]), "main")
}

const TEXT: &str = "Ljava/lang/String;";

fn text(code: &mut CodeBuilder, pool: &mut Pool, text: &str) {
    let index = pool.add_utf8(text.as_bytes()).unwrap();
    code.load(Constant::String(index), pool).unwrap();
}

#[test]
fn constants_become_part_of_the_recipe() {
    let types = format!("{TEXT}IIZCJ{TEXT}BD");
    let found =
        left("<\u{1}\u{1}\u{1}\u{1}\u{1}\u{1}\u{1}, \u{1}\u{1}>", &[], ["I", &types], |code, pool| {
            text(code, pool, "key");
            code.local(Opcode::Iload, 0);
            code.int(-7, pool).unwrap().op(Opcode::Iconst1).int(99, pool).unwrap();
            code.long(5_000_000_000, pool).unwrap().op(Opcode::AconstNull).int(-128, pool).unwrap();
            code.load(Constant::Double(3f64.to_bits()), pool).unwrap();
        });
    assert_eq!(found, ["<key^1-7truec5000000000null, -1283.0> (I)"]);
}

#[test]
fn what_looks_like_a_mark_stands_beside_the_recipe() {
    let types = format!("{TEXT}I{TEXT}");
    let found = left("\u{1}\u{1}\u{2}\u{1}", &["old"], ["I", &types], |code, pool| {
        text(code, pool, "a\u{1}b\u{2}c");
        code.local(Opcode::Iload, 0);
        text(code, pool, "end");
    });
    assert_eq!(found, ["^2^1^2end|a^1b^2c|old (I)"]);
}

#[test]
fn what_is_no_certain_text_stays_an_argument() {
    // Versions of Java write other digits of some numbers; 300 is no byte, 2 no boolean.
    let found = left("\u{1},\u{1},\u{1},\u{1}", &[], ["", "DFBZ"], |code, pool| {
        code.load(Constant::Double(2e-3f64.to_bits()), pool).unwrap();
        code.load(Constant::Float(1e10f32.to_bits()), pool).unwrap();
        code.int(300, pool).unwrap().int(2, pool).unwrap();
    });
    assert_eq!(found, ["^1,^1,^1,^1 (DFBZ)"]);
}

#[test]
fn of_constants_alone_one_stays() {
    let types = format!("{TEXT}I{TEXT}");
    let found = left("\u{1}\u{1}\u{1}!", &[], ["", &types], |code, pool| {
        text(code, pool, "x");
        code.int(4, pool).unwrap();
        text(code, pool, "y");
    });
    assert_eq!(found, ["x4^1! (S)"], "a site without arguments gives the same text each time");
    // Early versions give back the text itself if nothing else is there.
    let types = [TEXT, TEXT].concat();
    let found = left("\u{1}\u{1}", &[], [TEXT, &types], |code, pool| {
        text(code, pool, "");
        code.local(Opcode::Aload, 0);
    });
    assert_eq!(found, ["^1^1 (SS)"]);
}

#[test]
fn what_is_no_fresh_text_does_not_stand_alone() {
    // `String.valueOf` gives the same text for each truth, and for each number that is none.
    for (ty, opcode, fresh) in [
        ("Z", Opcode::Iload, false),
        ("F", Opcode::Fload, false),
        ("D", Opcode::Dload, false),
        ("C", Opcode::Iload, true),
        ("I", Opcode::Iload, true),
        ("J", Opcode::Lload, true),
    ] {
        let found = left("\u{1}\u{1}", &[], [ty, &format!("{TEXT}{ty}")], |code, pool| {
            text(code, pool, "");
            code.local(opcode, 0);
        });
        let expected = if fresh { format!("^1 ({ty})") } else { format!("^1^1 (S{ty})") };
        assert_eq!(found, [expected]);
        let found = left("\u{1}", &[], [ty, TEXT], |code, pool| {
            code.local(opcode, 0);
            let descriptor = format!("({ty}){TEXT}");
            call(code, pool, Opcode::Invokestatic, "java/lang/String", "valueOf", &descriptor);
        });
        assert_eq!(found, [if fresh { format!("^1 ({ty})") } else { "^1 (S)".to_owned() }]);
    }
}

/// Concatenates `x`, a parameter and `y`, and that with a `z`; `between` stands between both.
fn nested(ty: &str, between: impl Fn(&mut CodeBuilder, &mut Pool)) -> Vec<String> {
    let rows = Rows::default();
    let main = |code: &mut CodeBuilder, pool: &mut Pool| {
        code.local(if ty == "I" { Opcode::Iload } else { Opcode::Aload }, 0);
        rows.concat(code, pool, "x\u{1}y", &[], ty);
        between(code, pool);
        rows.concat(code, pool, "\u{1}z", &[], TEXT);
        code.op(Opcode::Areturn);
    };
    let descriptor = format!("({ty}){TEXT}");
    sites(&program(&rows, &[(STATIC, "main", &descriptor, &main)]), "main")
}

#[test]
fn a_part_of_another_concatenation_is_part_of_it() {
    assert_eq!(nested("I", |_, _| {}), ["x^1yz (I)"]);
    assert_eq!(nested(TEXT, |_, _| {}), ["x^1yz (S)"]);
    // What `toString` of an object does, it does when it did.
    let object = "Ljava/lang/Object;";
    assert_eq!(nested(object, |_, _| {}), ["x^1y (Ljava/lang/Object;)", "^1z (S)"]);
    // What is used twice is made once.
    let twice = nested("I", |code, pool| {
        code.op(Opcode::Dup);
        call(code, pool, Opcode::Invokestatic, "other/Library", "see", &format!("({TEXT})V"));
    });
    assert_eq!(twice, ["x^1y (I)", "^1z (S)"]);
}

#[test]
fn no_call_site_gets_more_arguments_than_may_be() {
    let rows = Rows::default();
    let main = |code: &mut CodeBuilder, pool: &mut Pool| {
        for _ in 0..150 {
            code.local(Opcode::Iload, 0);
        }
        rows.concat(code, pool, &"\u{1}".repeat(150), &[], &"I".repeat(150));
        for _ in 0..51 {
            code.local(Opcode::Iload, 0);
        }
        text(code, pool, "end");
        rows.concat(code, pool, &"\u{1}".repeat(53), &[], &format!("{TEXT}{}{TEXT}", "I".repeat(51)));
        code.op(Opcode::Areturn);
    };
    let found = sites(&program(&rows, &[(STATIC, "main", &format!("(I){TEXT}"), &main)]), "main");
    let expected = format!("{}end (S{})", "^1".repeat(52), "I".repeat(51));
    assert_eq!(found[1..], [expected], "201 are too many, but the constant goes");
}

#[test]
fn numbers_are_passed_as_they_are() {
    let found = left("<\u{1}\u{1}>", &[], ["I", &[TEXT, TEXT].concat()], |code, pool| {
        code.local(Opcode::Iload, 0);
        call(code, pool, Opcode::Invokestatic, "java/lang/Integer", "toString", &format!("(I){TEXT}"));
        code.int(65, pool).unwrap();
        call(code, pool, Opcode::Invokestatic, "java/lang/String", "valueOf", &format!("(C){TEXT}"));
    });
    assert_eq!(found, ["<^1A> (I)"]);
}

/// What is left of a method that calls `substring` of a constant, and asks what that gives for its length.
fn length_of_part(from: i32, to: i32) -> String {
    let rows = Rows::default();
    let main = |code: &mut CodeBuilder, pool: &mut Pool| {
        text(code, pool, "hello");
        code.int(from, pool).unwrap().int(to, pool).unwrap();
        call(code, pool, Opcode::Invokevirtual, "java/lang/String", "substring", &format!("(II){TEXT}"));
        call(code, pool, Opcode::Invokevirtual, "java/lang/String", "length", "()I");
        code.op(Opcode::Ireturn);
    };
    listing(&program(&rows, &[(STATIC, "main", "()I", &main)]), "T", "main")
}

#[test]
fn texts_that_are_only_read_are_not_made() {
    assert_eq!(length_of_part(1, 3), "iconst_2\nireturn\n");
    assert!(length_of_part(3, 9).contains("substring"), "it throws");
    assert!(length_of_part(3, 1).contains("substring"), "it throws");
}

/// What concatenates for nobody: `recipe` of a parameter of a type; then `main` returns.
fn for_nobody(ty: &str, load: Opcode) -> String {
    let rows = Rows::default();
    let main = |code: &mut CodeBuilder, pool: &mut Pool| {
        code.local(load, 0);
        rows.concat(code, pool, "a\u{1}b", &[], ty);
        code.op(Opcode::Pop).op(Opcode::Return);
    };
    listing(&program(&rows, &[(STATIC, "main", &format!("({ty})V"), &main)]), "T", "main")
}

#[test]
fn what_nobody_needs_is_not_concatenated() {
    assert_eq!(for_nobody("I", Opcode::Iload), "return\n");
    assert_eq!(for_nobody(TEXT, Opcode::Aload), "return\n", "of null a text is made, too");
    assert!(for_nobody("Ljava/lang/Object;", Opcode::Aload).contains("invokedynamic"), "its `toString` runs");
}

#[test]
fn equal_call_sites_share_a_row() {
    let rows = Rows::default();
    let body = |constant: &'static str, recipe: &'static str| {
        let rows = &rows;
        move |code: &mut CodeBuilder, pool: &mut Pool| {
            text(code, pool, constant);
            code.local(Opcode::Iload, 0);
            rows.concat(code, pool, recipe, &[], &format!("{TEXT}I"));
            code.op(Opcode::Areturn);
        }
    };
    let (first, second) = (body("x", "\u{1}y\u{1}"), body("xy", "\u{1}\u{1}"));
    let descriptor = format!("(I){TEXT}");
    let archive = program(
        &rows,
        &[(STATIC, "main", &descriptor, &first), (STATIC, "main", &format!("(II){TEXT}"), &second)],
    );
    let bytes = read(&archive, "T");
    let file = ClassFile::read(&bytes).unwrap();
    let table = file.attribute(Kind::BootstrapMethods).unwrap().decode(&file.pool);
    let Ok(Some(Body::BootstrapMethods(rows))) = table else { panic!("there is a table") };
    assert_eq!(rows.len(), 1);
    assert_eq!(sites(&archive, "main"), ["xy^1 (I)"]);
}

/// `main` makes two texts by methods that only it calls. What nobody calls goes meanwhile, and with it the first rows of the table
/// and its constants: the call sites that are left still say what they said.
#[test]
fn a_call_site_says_the_same_where_others_went() {
    let rows = Rows::default();
    let site = |recipe: &'static str| {
        let rows = &rows;
        move |code: &mut CodeBuilder, pool: &mut Pool| {
            code.local(Opcode::Iload, 0);
            rows.concat(code, pool, recipe, &[], "I");
            code.op(Opcode::Areturn);
        }
    };
    let [gone, also_gone, one, two] = ["a\u{1}", "b\u{1}", "c\u{1}", "d\u{1}"].map(site);
    let main = |code: &mut CodeBuilder, pool: &mut Pool| {
        for name in ["one", "two"] {
            code.local(Opcode::Iload, 0);
            call(code, pool, Opcode::Invokestatic, "T", name, "(I)Ljava/lang/String;");
            call(code, pool, Opcode::Invokevirtual, "java/lang/String", "intern", "()Ljava/lang/String;");
            code.op(Opcode::Pop);
        }
        code.op(Opcode::Return);
    };
    let archive = program(
        &rows,
        &[
            (STATIC, "gone", "(I)Ljava/lang/String;", &gone),
            (STATIC, "one", "(I)Ljava/lang/String;", &one),
            (STATIC, "alsoGone", "(I)Ljava/lang/String;", &also_gone),
            (STATIC, "two", "(I)Ljava/lang/String;", &two),
            (STATIC, "main", "(I)V", &main),
        ],
    );
    let bytes = read(&archive, "T");
    let file = ClassFile::read(&bytes).unwrap();
    let name = |index| String::from_utf8_lossy(file.pool.utf8(index).unwrap()).into_owned();
    let left = file.methods.iter().map(|method| name(method.name));
    let found: Vec<String> = left.flat_map(|method| sites(&archive, &method)).collect();
    assert_eq!(found, ["c^1 (I)", "d^1 (I)"]);
}

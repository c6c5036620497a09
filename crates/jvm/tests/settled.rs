//! A body that did not get better is tried again when something changed on which that depends, and else not.

use planish_classfile::builder::CodeBuilder;
use planish_classfile::{ClassFile, Constant, Flags, Insn, Opcode};
use planish_ir::Function;
use planish_jvm::bodies::known::Known;
use planish_jvm::bodies::{Plain, Report, rewrite_class};
use planish_jvm_analysis::precise::PreciseCall;
use planish_jvm_model::hierarchy::{Hierarchy, Origin};
use planish_ops::world::World;

const OBJECT: &[u8] = b"java/lang/Object";
const BUILDER: &[u8] = b"java/lang/StringBuilder";

/// A class with two methods that are as short as they can be: one keeps a number, which may be another one, in a static
/// field, one gives a text, which stands behind so many other constants and is loaded by the longer instruction.
fn class(number: i32, constants_before: i32) -> Vec<u8> {
    let mut class = ClassFile::new(52, Flags::PUBLIC | Flags::SUPER, b"Test", Some(OBJECT)).unwrap();
    class.add_field(Flags::PRIVATE | Flags::STATIC, b"kept", b"I").unwrap();
    let mut code = CodeBuilder::new();
    code.int(number, &mut class.pool).unwrap();
    code.field(Opcode::Putstatic, [b"Test", b"kept", b"I"], &mut class.pool).unwrap().op(Opcode::Return);
    let code = code.finish(0, &mut class.pool).unwrap();
    class.add_method(Flags::STATIC, b"keep", b"()V", Some(&code)).unwrap();

    for number in 0..constants_before {
        class.pool.add(Constant::Integer(1_000_000 + number)).unwrap();
    }
    let text = class.pool.add_string(b"text").unwrap();
    let mut code = CodeBuilder::new();
    let Ok(Constant::String(content)) = class.pool.get(text) else { panic!("a text") };
    code.load(Constant::String(content), &mut class.pool).unwrap().op(Opcode::Areturn);
    let mut code = code.finish(0, &mut class.pool).unwrap();
    code.instructions[0].op = Opcode::LdcW;
    class.add_method(Flags::STATIC, b"give", b"()Ljava/lang/String;", Some(&code)).unwrap();
    class.to_bytes().unwrap()
}

/// Rewrites a class. How many bodies were tried, and what became of all.
fn rewrite(file: &[u8], known: &Known) -> (u32, Report) {
    let mut hierarchy = Hierarchy::new();
    let classes: [(&[u8], _); 3] =
        [(OBJECT, None), (b"java/lang/String", Some(OBJECT)), (BUILDER, Some(OBJECT))];
    for (name, extends) in classes {
        let file = ClassFile::new(52, Flags::PUBLIC, name, extends).unwrap().to_bytes().unwrap();
        hierarchy.add(&file, Origin::Platform).unwrap();
    }
    let mut tried = 0;
    let mut report = Report::default();
    let mut count = |_: &mut Function, _: &dyn World| tried += 1;
    rewrite_class(file, &hierarchy, known, &mut Plain::new(&mut count), &mut report).unwrap();
    (tried, report)
}

/// What is known when a class was rewritten, and nothing got better.
fn after(file: &[u8]) -> Known {
    let (tried, report) = rewrite(file, &Known::default());
    assert_eq!((tried, report.kept, report.improved), (2, 2, 0));
    let mut known = Known::default();
    known.settled.extend(report.settled);
    assert_eq!(known.settled.len(), 2);
    known
}

#[test]
fn bodies_of_a_class_that_did_not_change_are_not_tried_again_and_count_as_before() {
    let file = class(7, 300);
    let known = after(&file);
    let (tried, report) = rewrite(&file, &known);
    assert_eq!((tried, report.methods, report.kept), (0, 2, 2));
    let (_, first) = rewrite(&file, &Known::default());
    assert_eq!((first.methods, first.kept), (2, 2), "each counts once");
    assert_eq!((report.instructions, report.bytes), (first.instructions, first.bytes));
}

#[test]
fn another_body_of_the_same_method_is_tried() {
    let known = after(&class(7, 300));
    let (tried, report) = rewrite(&class(8, 300), &known);
    assert_eq!((tried, report.kept), (1, 2));
}

#[test]
fn a_body_is_tried_again_when_more_is_known_of_what_it_names() {
    let file = class(7, 300);
    let mut known = after(&file);
    known.facts.unread.insert(Box::from(&b"Test.kept:I"[..]));
    let (tried, report) = rewrite(&file, &known);
    assert_eq!((tried, report.improved), (1, 1), "nothing reads the field, so the store goes");
}

#[test]
fn a_body_is_tried_again_when_its_constant_got_a_number_for_which_a_shorter_instruction_is_enough() {
    let known = after(&class(7, 300));
    let (tried, report) = rewrite(&class(7, 0), &known);
    assert_eq!((tried, report.improved), (1, 1));
}

/// A class with a method that stores 7 in a field of this class, which stands behind so many other constants.
fn storing(class_of_field: &[u8], constants_before: i32) -> Vec<u8> {
    let mut class = ClassFile::new(52, Flags::PUBLIC | Flags::SUPER, b"Test", Some(OBJECT)).unwrap();
    for number in 0..constants_before {
        class.pool.add(Constant::Integer(1_000_000 + number)).unwrap();
    }
    let mut code = CodeBuilder::new();
    code.int(7, &mut class.pool).unwrap();
    code.field(Opcode::Putstatic, [class_of_field, b"kept", b"I"], &mut class.pool)
        .unwrap()
        .op(Opcode::Return);
    let code = code.finish(0, &mut class.pool).unwrap();
    class.add_method(Flags::STATIC, b"keep", b"()V", Some(&code)).unwrap();
    class.to_bytes().unwrap()
}

/// What is known when the only body of a class did not get better.
fn after_one(file: &[u8]) -> Known {
    let (tried, report) = rewrite(file, &Known::default());
    assert_eq!((tried, report.kept, report.improved), (1, 1, 0));
    let mut known = Known::default();
    known.settled.extend(report.settled);
    known
}

#[test]
fn the_number_of_a_constant_that_no_shorter_instruction_names_does_not_matter() {
    let known = after_one(&storing(b"Other", 300));
    assert_eq!(rewrite(&storing(b"Other", 0), &known).0, 0);
}

#[test]
fn whether_texts_are_joined_matters_to_bodies_that_name_builders() {
    for (class, wanted) in [(&b"Other"[..], 0), (BUILDER, 1)] {
        let file = storing(class, 0);
        // A field of a builder is none of its methods, and stands for nothing.
        let mut known = after_one(&file);
        known.joins_texts = true;
        assert_eq!(rewrite(&file, &known).0, 0);
        let file = calling(class);
        let mut known = after_one(&file);
        known.joins_texts = true;
        assert_eq!(rewrite(&file, &known).0, wanted);
    }
}

/// A class with a method that calls a static one of this class.
fn calling(called: &[u8]) -> Vec<u8> {
    let mut class = ClassFile::new(52, Flags::PUBLIC | Flags::SUPER, b"Test", Some(OBJECT)).unwrap();
    let mut code = CodeBuilder::new();
    code.call(Opcode::Invokestatic, [called, b"run", b"()V"], &mut class.pool).unwrap().op(Opcode::Return);
    let code = code.finish(0, &mut class.pool).unwrap();
    class.add_method(Flags::STATIC, b"keep", b"()V", Some(&code)).unwrap();
    class.to_bytes().unwrap()
}

#[test]
fn a_body_alone_is_not_tried_again_when_only_something_for_its_calls_is_new() {
    let file = storing(b"Other", 0);
    let mut known = after_one(&file);
    let [class, name, descriptor] = [&b"Third"[..], b"run", b"()V"].map(Box::from);
    // There is no call at that place, so nothing but the body alone could be tried.
    let precise = vec![(0, PreciseCall { class, name, descriptor })];
    known.facts.precise.add(Box::from(&b"Test.keep()V"[..]), precise);
    let (tried, report) = rewrite(&file, &known);
    assert_eq!((tried, report.kept), (0, 1));
    assert_eq!(rewrite(&storing(b"Third", 0), &known).0, 1, "another body is tried");
}

/// A damaged class may have a constant that is the class of itself.
#[test]
fn a_constant_that_says_itself_is_looked_at_no_deeper_than_others() {
    let mut class = ClassFile::new(52, Flags::PUBLIC | Flags::SUPER, b"Test", Some(OBJECT)).unwrap();
    let mut code = CodeBuilder::new();
    code.local(Opcode::Aload, 0)
        .class(Opcode::Checkcast, OBJECT, &mut class.pool)
        .unwrap()
        .op(Opcode::Areturn);
    let mut code = code.finish(1, &mut class.pool).unwrap();
    let next = class.pool.len() as u16;
    let itself = class.pool.add(Constant::Class(next)).unwrap();
    assert_eq!(itself, next);
    code.instructions[1] = Insn::constant(Opcode::Checkcast, itself);
    class.add_method(Flags::STATIC, b"m", b"(Ljava/lang/Object;)Ljava/lang/Object;", Some(&code)).unwrap();
    let (_, report) = rewrite(&class.to_bytes().unwrap(), &Known::default());
    assert_eq!(report.improved, 0);
}

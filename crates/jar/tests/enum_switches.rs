//! Switches over enums, with and without the tables that compilers make for them, and constants that nobody asks for.

use crate::small::listing::{listing, read};
use crate::small::{Build, Pool, call, class, class_below, optimized, optimized_by};
use planish_classfile::builder::CodeBuilder;
use planish_classfile::frame::Form;
use planish_classfile::{ClassFile, Flags, Opcode};
use planish_jar::classes::Archive;

const STATIC: Flags = Flags(Flags::PUBLIC.0 | Flags::STATIC.0);
const HIDDEN: Flags = Flags(Flags::STATIC.0 | Flags::FINAL.0 | Flags::SYNTHETIC.0);
const NUMBERS: [&[u8]; 3] = [b"T$1", b"$SwitchMap$E", b"[I"];

/// The constructor of the enum: with a body, it hands on what it gets, calls `T.seen` if that is wanted.
fn construct(calls: bool) -> impl Fn(&mut CodeBuilder, &mut Pool) {
    move |code, pool| {
        code.local(Opcode::Aload, 0).local(Opcode::Aload, 1).local(Opcode::Iload, 2);
        call(code, pool, Opcode::Invokespecial, "java/lang/Enum", "<init>", "(Ljava/lang/String;I)V");
        if calls {
            code.local(Opcode::Aload, 0);
            call(code, pool, Opcode::Invokestatic, "T", "mainSwitch", "(LE;)I");
            code.op(Opcode::Pop);
        }
        code.op(Opcode::Return);
    }
}

/// An enum of constants in this order, with a method of its own.
fn enumeration(constants: &[&'static str], calls: bool) -> Vec<u8> {
    let values: Build<'_> = &|code, pool| {
        code.field(Opcode::Getstatic, [b"E", b"$VALUES", b"[LE;"], pool).unwrap();
        call(code, pool, Opcode::Invokevirtual, "[LE;", "clone", "()Ljava/lang/Object;");
        code.class(Opcode::Checkcast, b"[LE;", pool).unwrap().op(Opcode::Areturn);
    };
    let initialize: Build<'_> = &|code, pool| {
        for (ordinal, name) in constants.iter().enumerate() {
            code.class(Opcode::New, b"E", pool).unwrap().op(Opcode::Dup);
            let text = pool.add_string(name.as_bytes()).unwrap();
            code.load(pool.get(text).unwrap(), &mut pool.clone()).unwrap();
            code.int(ordinal as i32, pool).unwrap();
            call(code, pool, Opcode::Invokespecial, "E", "<init>", "(Ljava/lang/String;I)V");
            code.field(Opcode::Putstatic, [b"E", name.as_bytes(), b"LE;"], pool).unwrap();
        }
        code.int(constants.len() as i32, pool).unwrap().class(Opcode::Anewarray, b"E", pool).unwrap();
        for (place, name) in constants.iter().enumerate() {
            code.op(Opcode::Dup).int(place as i32, pool).unwrap();
            code.field(Opcode::Getstatic, [b"E", name.as_bytes(), b"LE;"], pool).unwrap().op(Opcode::Aastore);
        }
        code.field(Opcode::Putstatic, [b"E", b"$VALUES", b"[LE;"], pool).unwrap().op(Opcode::Return);
    };
    let construct = construct(calls);
    let half: Build<'_> = &|code, _| {
        code.local(Opcode::Iload, 0).local(Opcode::Iload, 0).op(Opcode::Idiv).op(Opcode::Ireturn);
    };
    let methods = [
        (STATIC, "half", "(I)I", half),
        (Flags::PRIVATE, "<init>", "(Ljava/lang/String;I)V", &construct as Build<'_>),
        (STATIC, "values", "()[LE;", values),
        (Flags::STATIC, "<clinit>", "()V", initialize),
    ];
    let bytes = class_below(b"java/lang/Enum", "E", &[], &methods);
    let mut file = ClassFile::read(&bytes).unwrap();
    file.flags = file.flags.with(Flags::ENUM | Flags::FINAL);
    for name in constants {
        file.add_field(STATIC.with(Flags::FINAL | Flags::ENUM), name.as_bytes(), b"LE;").unwrap();
    }
    file.add_field(HIDDEN.with(Flags::PRIVATE), b"$VALUES", b"[LE;").unwrap();
    file.to_bytes().unwrap()
}

/// The table for another enum that the same class has.
const OTHER: [&[u8]; 3] = [b"T$1", b"$SwitchMap$G", b"[I"];

/// Another enum, whose initializer may be seen.
fn other_enumeration() -> Vec<u8> {
    let values: Build<'_> = &|code, pool| {
        code.int(0, pool).unwrap().class(Opcode::Anewarray, b"G", pool).unwrap().op(Opcode::Areturn);
    };
    let initialize: Build<'_> = &|code, pool| {
        call(code, pool, Opcode::Invokestatic, "java/lang/Thread", "yield", "()V");
        code.op(Opcode::Return);
    };
    let methods = [(STATIC, "values", "()[LG;", values), (Flags::STATIC, "<clinit>", "()V", initialize)];
    let bytes = class_below(b"java/lang/Enum", "G", &[], &methods);
    let mut file = ClassFile::read(&bytes).unwrap();
    file.flags = file.flags.with(Flags::ENUM | Flags::FINAL);
    file.to_bytes().unwrap()
}

/// The class with the table, in which these constants are 1, 2, ..., and perhaps one for the other enum.
fn table(constants: &[&'static str], of_other: bool) -> Vec<u8> {
    let fill: Build<'_> = &|code, pool| {
        if of_other {
            call(code, pool, Opcode::Invokestatic, "G", "values", "()[LG;");
            code.op(Opcode::Arraylength).new_array(10);
            code.field(Opcode::Putstatic, OTHER, pool).unwrap();
        }
        call(code, pool, Opcode::Invokestatic, "E", "values", "()[LE;");
        code.op(Opcode::Arraylength).new_array(10);
        code.field(Opcode::Putstatic, NUMBERS, pool).unwrap();
        for (name, number) in constants.iter().zip(1..) {
            code.field(Opcode::Getstatic, NUMBERS, pool).unwrap();
            code.field(Opcode::Getstatic, [b"E", name.as_bytes(), b"LE;"], pool).unwrap();
            call(code, pool, Opcode::Invokevirtual, "E", "ordinal", "()I");
            code.int(number, pool).unwrap().op(Opcode::Iastore);
        }
        code.op(Opcode::Return);
    };
    let bytes = class("T$1", &[], &[(Flags::STATIC, "<clinit>", "()V", fill)]);
    let mut file = ClassFile::read(&bytes).unwrap();
    file.flags = file.flags.with(Flags::SYNTHETIC);
    file.add_field(HIDDEN, NUMBERS[1], NUMBERS[2]).unwrap();
    if of_other {
        file.add_field(HIDDEN, OTHER[1], OTHER[2]).unwrap();
    }
    file.to_bytes().unwrap()
}

/// `T.mainSwitch(e)`: 10 for the first constant of the table, 20 for the second, else 30.
fn program(constants: &[&'static str], in_table: &[&'static str], calls: bool) -> Archive {
    program_beside(constants, in_table, calls, false)
}

/// The same, perhaps with a table for the other enum beside that one.
fn program_beside(
    constants: &[&'static str],
    in_table: &[&'static str],
    calls: bool,
    of_other: bool,
) -> Archive {
    let switch: Build<'_> = &|code, pool| {
        let [one, two, other] = [code.label(), code.label(), code.label()];
        code.field(Opcode::Getstatic, NUMBERS, pool).unwrap().local(Opcode::Aload, 0);
        call(code, pool, Opcode::Invokevirtual, "E", "ordinal", "()I");
        code.op(Opcode::Iaload).switch(other, &[(1, one), (2, two)]);
        for (label, number) in [(one, 10), (two, 20), (other, 30)] {
            code.bind(label).frame(Form::Same).int(number, pool).unwrap().op(Opcode::Ireturn);
        }
    };
    let get: Build<'_> = &|code, pool| {
        code.field(Opcode::Getstatic, [b"E", b"A", b"LE;"], pool).unwrap().op(Opcode::Areturn);
    };
    let t = [(STATIC, "mainSwitch", "(LE;)I", switch), (STATIC, "mainGet", "()LE;", get)];
    let files = [
        ("T", class("T", &[], &t)),
        ("T$1", table(in_table, of_other)),
        ("E", enumeration(constants, calls)),
        ("G", other_enumeration()),
    ];
    optimized(&files, "main*", false)
}

/// The cases of the switch in `T.mainSwitch`, and what each gives.
fn cases(archive: &Archive) -> Vec<(i32, String)> {
    use planish_classfile::{Body, Code, Kind, Operand};
    let bytes = read(archive, "T");
    let file = ClassFile::read(&bytes).unwrap();
    let method = file.method(b"mainSwitch", b"(LE;)I").unwrap();
    let attribute = method.attribute(&file.pool, Kind::Code).unwrap();
    let Ok(Some(Body::Code(bytes))) = attribute.decode(&file.pool) else { panic!("there is a body") };
    let code = Code::read(&bytes, &file.pool).unwrap();
    let text = listing(archive, "T", "mainSwitch");
    let lines: Vec<&str> = text.lines().collect();
    let switch = code.instructions.iter().find_map(|insn| match &insn.operand {
        Operand::Switch(switch) => Some(switch),
        _ => None,
    });
    let default = switch.unwrap().default;
    let mut cases: Vec<(i32, String)> = (switch.unwrap().cases.iter())
        .filter(|(_, target)| *target != default)
        .map(|(key, target)| (*key, lines[*target as usize].to_owned()))
        .collect();
    cases.sort_unstable();
    cases
}

#[test]
fn a_switch_is_on_the_ordinal_and_the_table_goes() {
    let archive = program(&["A", "B", "C", "D"], &["D", "B"], false);
    assert!(!listing(&archive, "T", "mainSwitch").contains("iaload"));
    assert!(archive.find(b"T$1.class").is_none());
    assert_eq!(cases(&archive), [(1, "bipush 20".to_owned()), (3, "bipush 10".to_owned())]);
}

/// The table is made when the first constant is, and there are no constants to make it of.
#[test]
fn a_switch_that_may_run_while_the_constants_are_made_keeps_its_table() {
    let archive = program(&["A", "B"], &["A", "B"], true);
    assert!(listing(&archive, "T", "mainSwitch").contains("iaload"));
}

/// Whoever makes the table for the one initializes the other.
#[test]
fn a_table_beside_one_whose_enum_does_more_stays() {
    let archive = program_beside(&["A", "B"], &["A", "B"], false, true);
    assert!(listing(&archive, "T", "mainSwitch").contains("iaload"));
}

/// Whoever compiled the switch knew another enum.
#[test]
fn a_table_with_a_constant_that_is_not_there_stays() {
    let archive = program(&["A", "B"], &["A", "Gone"], false);
    assert!(listing(&archive, "T", "mainSwitch").contains("iaload"));
}

/// How many fields and methods are left of an enum of these constants, of which a program calls a method, and which does this.
fn left_with(constants: &[&'static str], rules: &str, (ty, run): (&str, Build<'_>)) -> (usize, usize) {
    let call_half: Build<'_> = &|code, pool| {
        code.local(Opcode::Iload, 0);
        call(code, pool, Opcode::Invokestatic, "E", "half", "(I)I");
        code.op(Opcode::Ireturn);
    };
    let t = [(STATIC, "mainCall", "(I)I", call_half), (STATIC, "mainRun", ty, run)];
    let files = [("T", class("T", &[], &t)), ("E", enumeration(constants, false))];
    let keep = "-keep class T { *** main*(...); }\n-optimizations !method/inlining/*,!class/unboxing/enum\n";
    let result = optimized_by(&files, &format!("{keep}{rules}"), false);
    let bytes = read(&result, "E");
    let file = ClassFile::read(&bytes).unwrap();
    (file.fields.len(), file.methods.len())
}

/// The same, of a method that gets a constant.
fn left(constants: &[&'static str], rules: &str, run: Build<'_>) -> (usize, usize) {
    left_with(constants, rules, ("(LE;)V", run))
}

/// What loads a value and calls a static method with it.
fn calls(
    push: impl Fn(&mut CodeBuilder, &mut Pool),
    [class, name, descriptor]: [&'static str; 3],
) -> impl Fn(&mut CodeBuilder, &mut Pool) {
    move |code, pool| {
        push(code, pool);
        call(code, pool, Opcode::Invokestatic, class, name, descriptor);
        code.op(Opcode::Return);
    }
}

/// The method, and nothing else.
const NOTHING: (usize, usize) = (0, 1);

fn object(code: &mut CodeBuilder, _: &mut Pool) {
    code.local(Opcode::Aload, 0);
}

fn class_of_parameter(code: &mut CodeBuilder, _: &mut Pool) {
    code.local(Opcode::Aload, 0);
}

fn class_constant(name: &'static str) -> impl Fn(&mut CodeBuilder, &mut Pool) {
    move |code, pool| {
        let class = pool.add_class(name.as_bytes()).unwrap();
        code.load(pool.get(class).unwrap(), &mut pool.clone()).unwrap();
    }
}

const NONE_OF: [&str; 3] = ["java/util/EnumSet", "noneOf", "(Ljava/lang/Class;)Ljava/util/EnumSet;"];

#[test]
fn constants_that_nobody_asks_for_are_not_made() {
    let returns: Build<'_> = &|code, _| {
        code.op(Opcode::Return);
    };
    assert_eq!(left(&[], "", returns), NOTHING, "an enum without constants");
    assert_eq!(left(&["A", "B"], "", returns), NOTHING);
    let of_another = calls(class_constant("java/lang/Thread$State"), NONE_OF);
    assert_eq!(left(&["A", "B"], "", &of_another), NOTHING);
    let checks = calls(object, ["java/util/Objects", "hashCode", "(Ljava/lang/Object;)I"]);
    assert_eq!(left(&["A", "B"], "", &checks), NOTHING);
}

#[test]
fn constants_that_somebody_may_ask_for_are_made() {
    let all = (3, 4);
    let rules = ["-keep class E", "-keepclassmembers enum * { *** values(); }"];
    let returns: Build<'_> = &|code, _| {
        code.op(Opcode::Return);
    };
    rules.iter().for_each(|rule| assert_eq!(left(&["A", "B"], rule, returns), all, "{rule}"));
    let asks = |does: Build<'_>| assert_eq!(left(&["A", "B"], "", does), all);
    asks(&calls(class_constant("E"), NONE_OF));
    let of_parameter = calls(class_of_parameter, NONE_OF);
    let of_parameter = ("(Ljava/lang/Class;)V", &of_parameter as Build<'_>);
    assert_eq!(left_with(&["A", "B"], "", of_parameter), all);
    asks(&calls(object, ["java/util/EnumSet", "of", "(Ljava/lang/Enum;)Ljava/util/EnumSet;"]));
    asks(&calls(object, ["Elsewhere", "takes", "(Ljava/lang/Object;)V"]));
    asks(&calls(object, ["java/beans/Beans", "setDesignTime", "(Ljava/lang/Object;)V"]));
    assert_eq!(left_with(&[], "", of_parameter), (1, 3), "one without constants");
}

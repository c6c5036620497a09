//! Bodies with call sites of `invokedynamic` in the place of calls: the sites say the same where they stand then, in the same
//! class and in others, and stay where they would not.

use std::cell::RefCell;

use crate::small::listing::{listing, read};
use crate::small::{Build, Pool, call, class, optimized, optimized_by};
use planish_classfile::attribute::BootstrapMethod;
use planish_classfile::builder::CodeBuilder;
use planish_classfile::class::Attribute;
use planish_classfile::pool::MemberKind;
use planish_classfile::{Body, ClassFile, Code, Constant, Flags, Kind, MemberRef, Opcode, Operand};
use planish_jar::classes::Archive;

const STATIC: Flags = Flags(Flags::PUBLIC.0 | Flags::STATIC.0);
const PRIVATE: Flags = Flags(Flags::PRIVATE.0 | Flags::STATIC.0);

const METAFACTORY: &[u8] =
    b"(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/invoke/MethodType;\
    Ljava/lang/invoke/MethodType;Ljava/lang/invoke/MethodHandle;Ljava/lang/invoke/MethodType;)\
    Ljava/lang/invoke/CallSite;";
const CONCAT: &[u8] =
    b"(Ljava/lang/invoke/MethodHandles$Lookup;Ljava/lang/String;Ljava/lang/invoke/MethodType;\
    Ljava/lang/String;[Ljava/lang/Object;)Ljava/lang/invoke/CallSite;";

/// The rows of the table of bootstrap methods of a class, while its bodies are written.
#[derive(Default)]
struct Rows(RefCell<Vec<BootstrapMethod>>);

impl Rows {
    fn add(&self, pool: &mut Pool, maker: [&[u8]; 3], arguments: Vec<u16>) -> u16 {
        let [class, name, descriptor] = maker;
        let maker = MemberRef { kind: MemberKind::Method, class, name, descriptor };
        let maker = pool.add_member(maker).unwrap();
        let handle = pool.add(Constant::MethodHandle(6, maker)).unwrap();
        let mut rows = self.0.borrow_mut();
        rows.push(BootstrapMethod { handle, arguments });
        rows.len() as u16 - 1
    }

    /// Makes a text of an `int`.
    fn concat(&self, code: &mut CodeBuilder, pool: &mut Pool, recipe: &str) {
        let arguments = vec![pool.add_string(recipe.as_bytes()).unwrap()];
        let name = &b"makeConcatWithConstants"[..];
        let row = self.add(pool, [b"java/lang/invoke/StringConcatFactory", name, CONCAT], arguments);
        code.dynamic(row, name, b"(I)Ljava/lang/String;", pool).unwrap();
    }

    /// Makes an `F` that calls a method of objects or a static one, by `maker`.
    fn lambda(&self, code: &mut CodeBuilder, pool: &mut Pool, lambda: Lambda<'_>) {
        let Lambda { maker, captures, kind, class, name, descriptor, actual } = lambda;
        let member = MemberRef {
            kind: MemberKind::Method,
            class: class.as_bytes(),
            name: name.as_bytes(),
            descriptor: descriptor.as_bytes(),
        };
        let member = pool.add_member(member).unwrap();
        let member = pool.add(Constant::MethodHandle(kind, member)).unwrap();
        let mut method_type = |text: &str| {
            let text = pool.add_utf8(text.as_bytes()).unwrap();
            pool.add(Constant::MethodType(text)).unwrap()
        };
        let erased = method_type("(Ljava/lang/Object;)V");
        let arguments = vec![erased, member, method_type(actual)];
        let row =
            self.add(pool, [b"java/lang/invoke/LambdaMetafactory", maker.as_bytes(), METAFACTORY], arguments);
        code.dynamic(row, b"take", format!("({captures})LF;").as_bytes(), pool).unwrap();
    }

    /// A class with these methods and the table.
    fn class(&self, name: &str, major: u16, methods: &[(Flags, &str, &str, Build<'_>)]) -> Vec<u8> {
        let bytes = class(name, &[], methods);
        let mut file = ClassFile::read(&bytes).unwrap();
        file.major = major;
        let rows = self.0.take();
        if !rows.is_empty() {
            let table = Attribute::new(&mut file.pool, &Body::BootstrapMethods(rows)).unwrap();
            file.attributes.push(table);
        }
        file.to_bytes().unwrap()
    }
}

/// Does nothing, often. That goes, so the constants that a site takes along pay.
fn pay(code: &mut CodeBuilder) {
    for _ in 0..150 {
        code.op(Opcode::Nop);
    }
}

/// What a site that makes an `F` says.
#[derive(Clone, Copy)]
struct Lambda<'l> {
    maker: &'l str,
    captures: &'l str,
    kind: u8,
    class: &'l str,
    name: &'l str,
    descriptor: &'l str,
    actual: &'l str,
}

/// One that calls a private static method of `A`.
const OF_A: Lambda<'_> = Lambda {
    maker: "metafactory",
    captures: "",
    kind: 6,
    class: "A",
    name: "lambda$make$0",
    descriptor: "(Ljava/lang/Object;)V",
    actual: "(Ljava/lang/Object;)V",
};

/// The interface of all lambdas here.
fn interface() -> Vec<u8> {
    let flags = Flags::PUBLIC | Flags::INTERFACE | Flags::ABSTRACT;
    let mut file = ClassFile::new(52, flags, b"F", Some(b"java/lang/Object")).unwrap();
    let descriptor = b"(Ljava/lang/Object;)V";
    file.add_method(Flags::PUBLIC | Flags::ABSTRACT, b"take", descriptor, None).unwrap();
    file.to_bytes().unwrap()
}

/// `main` hands what `A.make` gives to somebody else, so often; `A` is of this version and `T` of that one.
fn lambda_of(lambda: Lambda<'_>, calls: usize, [of_a, of_t]: [u16; 2]) -> Archive {
    let descriptor = format!("({})LF;", lambda.captures);
    let rows = Rows::default();
    let make = |code: &mut CodeBuilder, pool: &mut Pool| {
        if !lambda.captures.is_empty() {
            code.local(Opcode::Aload, 0);
        }
        rows.lambda(code, pool, lambda);
        code.op(Opcode::Areturn);
    };
    let nothing = |code: &mut CodeBuilder, _: &mut Pool| {
        code.op(Opcode::Return);
    };
    let more = if lambda.captures.is_empty() { "" } else { lambda.captures };
    let taken = format!("({more}Ljava/lang/Object;)V");
    let (hidden, is_object) = (if lambda.kind == 7 { Flags::PRIVATE } else { PRIVATE }, lambda.kind == 7);
    let of_lambda = if is_object { "(Ljava/lang/Object;)V" } else { &taken };
    let a = rows.class(
        "A",
        of_a,
        &[(STATIC, "make", &descriptor, &make), (hidden, "lambda$make$0", of_lambda, &nothing)],
    );
    let main = |code: &mut CodeBuilder, pool: &mut Pool| {
        pay(code);
        for _ in 0..calls {
            if !lambda.captures.is_empty() {
                code.op(Opcode::AconstNull);
            }
            call(code, pool, Opcode::Invokestatic, "A", "make", &descriptor);
            call(code, pool, Opcode::Invokestatic, "java/lang/String", "valueOf", "(Ljava/lang/Object;)V");
        }
        code.op(Opcode::Return);
    };
    let t = Rows::default().class("T", of_t, &[(STATIC, "main", "()V", &main)]);
    optimized(&[("T", t), ("A", a), ("F", interface())], "main", false)
}

/// How many call sites a method has.
fn sites(archive: &Archive, class: &str, method: &str) -> usize {
    listing(archive, class, method).matches("invokedynamic").count()
}

/// What the rows of a class say: the methods that their handles name, and texts.
fn rows(archive: &Archive, class: &str) -> Vec<String> {
    let bytes = read(archive, class);
    let file = ClassFile::read(&bytes).unwrap();
    let pool = &file.pool;
    let Some(table) = file.attribute(Kind::BootstrapMethods) else { return Vec::new() };
    let Ok(Some(Body::BootstrapMethods(rows))) = table.decode(pool) else { panic!("there is a table") };
    let text = |index: &u16| match pool.get(*index).unwrap() {
        Constant::MethodHandle(kind, member) => {
            let member = pool.member(member).unwrap();
            format!(
                "{kind} {}.{}",
                String::from_utf8_lossy(member.class),
                String::from_utf8_lossy(member.name)
            )
        }
        Constant::MethodType(text) | Constant::String(text) => {
            String::from_utf8_lossy(pool.utf8(text).unwrap()).replace('\u{1}', "^1")
        }
        other => format!("{other:?}"),
    };
    rows.iter().map(|row| row.arguments.iter().map(text).collect::<Vec<_>>().join(", ")).collect()
}

/// The flags of a method.
fn flags(archive: &Archive, class: &str, method: &str) -> Flags {
    let bytes = read(archive, class);
    let file = ClassFile::read(&bytes).unwrap();
    let found = file.methods.iter().find(|m| file.pool.utf8(m.name) == Ok(method.as_bytes()));
    found.unwrap().flags
}

#[test]
fn a_class_without_call_sites_gets_them() {
    let table = Rows::default();
    let concat = |recipe: &'static str| {
        let table = &table;
        move |code: &mut CodeBuilder, pool: &mut Pool| {
            code.local(Opcode::Iload, 0);
            table.concat(code, pool, recipe);
            code.op(Opcode::Areturn);
        }
    };
    let [gone, one, two] = ["a\u{1}", "b\u{1}", "c\u{1}"].map(concat);
    let descriptor = "(I)Ljava/lang/String;";
    let a = table.class(
        "A",
        55,
        &[
            (STATIC, "gone", descriptor, &gone),
            (STATIC, "one", descriptor, &one),
            (STATIC, "two", descriptor, &two),
        ],
    );
    let main = |code: &mut CodeBuilder, pool: &mut Pool| {
        pay(code);
        for name in ["two", "one", "two"] {
            code.local(Opcode::Iload, 0);
            call(code, pool, Opcode::Invokestatic, "A", name, descriptor);
            call(code, pool, Opcode::Invokevirtual, "java/lang/String", "intern", "()Ljava/lang/String;");
            code.op(Opcode::Pop);
        }
        code.op(Opcode::Return);
    };
    let t = Rows::default().class("T", 55, &[(STATIC, "main", "(I)V", &main)]);
    let archive = optimized(&[("T", t), ("A", a)], "main", false);
    assert!(archive.find(b"A.class").is_none());
    assert_eq!(rows(&archive, "T"), ["c^1", "b^1"], "equal rows are one");
    assert_eq!(sites(&archive, "T", "main"), 3);
}

#[test]
fn a_lambda_moves_and_what_it_calls_becomes_visible() {
    let archive = lambda_of(OF_A, 1, [52, 52]);
    assert_eq!(rows(&archive, "T"), ["(Ljava/lang/Object;)V, 6 A.lambda$make$0, (Ljava/lang/Object;)V"]);
    assert_eq!(sites(&archive, "T", "main"), 1);
    assert!(!flags(&archive, "A", "lambda$make$0").has(Flags::PRIVATE));
    assert_eq!(rows(&archive, "A"), [""; 0]);
}

/// A JVM makes one object for each site that captures nothing, and one for each time that another one is reached.
#[test]
fn only_lambdas_that_are_new_each_time_are_made_in_several_places() {
    let archive = lambda_of(OF_A, 2, [52, 52]);
    assert_eq!((sites(&archive, "T", "main"), sites(&archive, "A", "make")), (0, 1));
    let taken = "(Ljava/lang/Object;Ljava/lang/Object;)V";
    let captures = Lambda { captures: "Ljava/lang/Object;", descriptor: taken, ..OF_A };
    let archive = lambda_of(captures, 2, [52, 52]);
    assert_eq!(sites(&archive, "T", "main"), 2);
    assert_eq!(rows(&archive, "T").len(), 1);
}

#[test]
fn a_lambda_stays_where_other_classes_may_not_make_it() {
    let stays = |lambda: Lambda<'_>, majors: [u16; 2]| {
        let archive = lambda_of(lambda, 1, majors);
        (rows(&archive, "T").len(), rows(&archive, "A").len()) == (0, 1)
    };
    assert!(!stays(OF_A, [52, 52]));
    assert!(stays(OF_A, [52, 51]), "an older class");
    assert!(stays(Lambda { maker: "altMetafactory", ..OF_A }, [52, 52]), "it may be written");
    let hidden = Lambda { actual: "(Ljava/lang/Hidden;)V", ..OF_A };
    assert!(stays(hidden, [52, 52]), "a type that nobody knows");
    let for_itself = Lambda { captures: "LA;", kind: 7, ..OF_A };
    assert!(stays(for_itself, [52, 52]), "a method that objects have for themselves");
}

/// A site whose row was made by somebody whom nobody knows stays one.
#[test]
fn a_site_of_which_nothing_is_known_moves_in_its_class_only() {
    let left = |elsewhere: bool, calls: usize| {
        let table = Rows::default();
        let make = |code: &mut CodeBuilder, pool: &mut Pool| {
            let own = table.add(pool, [b"java/lang/String", b"link", CONCAT], Vec::new());
            code.dynamic(own, b"it", b"()Ljava/lang/Object;", pool).unwrap();
            code.op(Opcode::Areturn);
        };
        let owner = if elsewhere { "A" } else { "T" };
        let main = |code: &mut CodeBuilder, pool: &mut Pool| {
            pay(code);
            for _ in 0..calls {
                call(code, pool, Opcode::Invokestatic, owner, "make", "()Ljava/lang/Object;");
                call(
                    code,
                    pool,
                    Opcode::Invokestatic,
                    "java/lang/String",
                    "valueOf",
                    "(Ljava/lang/Object;)V",
                );
            }
            code.op(Opcode::Return);
        };
        let make = (STATIC, "make", "()Ljava/lang/Object;", &make as Build<'_>);
        let main = (STATIC, "main", "()V", &main as Build<'_>);
        let files = match elsewhere {
            true => vec![("A", table.class("A", 52, &[make])), ("T", table.class("T", 52, &[main]))],
            false => vec![("T", table.class("T", 52, &[make, main]))],
        };
        sites(&optimized(&files, "main", false), "T", "main")
    };
    assert_eq!([left(false, 1), left(false, 2), left(true, 1)], [1, 0, 0]);
}

/// The codes of methods have what they had: a row is found by what it says, not by its number.
#[test]
fn the_operand_of_a_moved_site_names_a_call_site() {
    let archive = lambda_of(OF_A, 1, [52, 52]);
    let bytes = read(&archive, "T");
    let file = ClassFile::read(&bytes).unwrap();
    file.check().unwrap();
    let found = file.methods.iter().find(|m| file.pool.utf8(m.name) == Ok(b"main")).unwrap();
    let attribute = found.attribute(&file.pool, Kind::Code).unwrap();
    let Ok(Some(Body::Code(bytes))) = attribute.decode(&file.pool) else { panic!("there is a body") };
    let code = Code::read(&bytes, &file.pool).unwrap();
    let site = code.instructions.iter().find(|insn| insn.op == Opcode::Invokedynamic).unwrap();
    let Operand::Constant(index) = site.operand else { panic!("it names a constant") };
    assert_eq!(file.pool.dynamic(index), Ok((0, &b"take"[..], &b"()LF;"[..])));
}

/// A rule that keeps the interface says that something outside may implement it by what is kept of it, which is nothing.
/// The lambda implements it all the same, and needs what it gets.
#[test]
fn a_lambda_of_an_interface_that_a_rule_keeps_needs_its_arguments() {
    let rows = Rows::default();
    let make = |code: &mut CodeBuilder, pool: &mut Pool| {
        rows.lambda(code, pool, OF_A);
        code.op(Opcode::Areturn);
    };
    let uses = |code: &mut CodeBuilder, pool: &mut Pool| {
        code.local(Opcode::Aload, 0);
        call(code, pool, Opcode::Invokestatic, "java/lang/String", "valueOf", "(Ljava/lang/Object;)V");
        code.op(Opcode::Return);
    };
    let effect = |code: &mut CodeBuilder, pool: &mut Pool| {
        call(code, pool, Opcode::Invokestatic, "java/lang/System", "gc", "()V");
        code.op(Opcode::Return);
    };
    let a = rows.class(
        "A",
        52,
        &[
            (STATIC, "<clinit>", "()V", &effect),
            (STATIC, "make", "()LF;", &make),
            (PRIVATE, "lambda$make$0", "(Ljava/lang/Object;)V", &uses),
        ],
    );
    let main = |code: &mut CodeBuilder, pool: &mut Pool| {
        for text in ["one", "two"] {
            call(code, pool, Opcode::Invokestatic, "A", "make", "()LF;");
            let text = pool.add_utf8(text.as_bytes()).unwrap();
            code.load(Constant::String(text), pool).unwrap();
            call(code, pool, Opcode::Invokestatic, "T", "hand", "(LF;Ljava/lang/Object;)V");
        }
        code.op(Opcode::Return);
    };
    let hand = |code: &mut CodeBuilder, pool: &mut Pool| {
        for _ in 0..30 {
            call(code, pool, Opcode::Invokestatic, "java/lang/System", "gc", "()V");
        }
        code.local(Opcode::Aload, 0);
        code.local(Opcode::Aload, 1);
        call(code, pool, Opcode::Invokeinterface, "F", "take", "(Ljava/lang/Object;)V");
        code.op(Opcode::Return);
    };
    let t = class(
        "T",
        &[],
        &[(STATIC, "main", "()V", &main), (STATIC, "hand", "(LF;Ljava/lang/Object;)V", &hand)],
    );
    let rules = "-keep class T { *** main(...); } -keep interface F";
    let archive = optimized_by(&[("T", t), ("A", a), ("F", interface())], rules, false);
    let main = listing(&archive, "T", "main");
    assert!(main.lines().any(|line| line == "invokestatic T.hand"), "{main}");
}

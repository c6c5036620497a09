//! A class that has one of everything, assembled in memory.

use planish_classfile::annotation::{Annotation, ElementValue, LocalRange, Target, TypeAnnotation};
use planish_classfile::attribute::{BootstrapMethod, InnerClass, MethodParameter, RecordComponent};
use planish_classfile::builder::CodeBuilder;
use planish_classfile::code::{CodeAttribute, CodeBody};
use planish_classfile::debug::{LineNumber, LocalVariable};
use planish_classfile::frame::{Form, Frame, VerificationType};
use planish_classfile::module::Module;
use planish_classfile::opcode::Format;
use planish_classfile::{
    Attribute, Body, ClassFile, Code, Constant, ConstantPool, Flags, Insn, Kind, MemberKind, MemberRef,
    Opcode, Operand, Switch,
};

/// One instruction for each opcode but `wide`, and one for each that takes `wide`.
pub fn every_instruction() -> Vec<Insn> {
    let mut all = Vec::new();
    for &op in Opcode::ALL {
        let operand = match op.format() {
            Format::Plain => Operand::None,
            Format::Wide => continue,
            Format::Byte => Operand::Immediate(10),
            Format::Short => Operand::Immediate(-1000),
            Format::Constant1 => Operand::Constant(1),
            Format::Constant2 | Format::Dynamic => Operand::Constant(1),
            Format::Local => {
                all.push(Insn { op, operand: Operand::Local { slot: 7, wide: true } });
                Operand::Local { slot: 8, wide: false }
            }
            Format::Increment => {
                all.push(Insn { op, operand: Operand::Increment { slot: 7, by: -300, wide: true } });
                Operand::Increment { slot: 8, by: -3, wide: false }
            }
            Format::Branch2 | Format::Branch4 => Operand::Target(3),
            Format::TableSwitch => {
                Operand::Switch(Box::new(Switch { default: 0, cases: vec![(-1, 1), (0, 2), (1, 0)] }))
            }
            Format::LookupSwitch => {
                Operand::Switch(Box::new(Switch { default: 0, cases: vec![(-100, 1), (i32::MAX, 2)] }))
            }
            Format::Interface => Operand::Interface { method: 1, slots: 2 },
            Format::Dimensions => Operand::Dimensions { class: 1, count: 2 },
        };
        all.push(Insn { op, operand });
    }
    all
}

/// A body with one of every instruction and every attribute. No verifier would accept it.
pub fn every_code_attribute(class: &mut ClassFile<'_>) -> Code {
    let mut code = Code {
        max_stack: 3,
        max_locals: 9,
        instructions: every_instruction(),
        handlers: vec![planish_classfile::Handler { start: 0, end: 5, target: 7, class: 0 }],
        attributes: Vec::new(),
    };
    let end = code.instructions.len() as u32;
    let annotation = Annotation { descriptor: 1, elements: vec![] };
    let local = LocalVariable { start: 1, end, name: 1, descriptor: 1, slot: 3 };
    let types = vec![VerificationType::Uninitialized(4), VerificationType::Integer];
    for (kind, body) in [
        (Kind::LineNumberTable, CodeBody::Lines(vec![LineNumber { start: 2, line: 77 }])),
        (Kind::LocalVariableTable, CodeBody::Locals(vec![local], false)),
        (Kind::LocalVariableTypeTable, CodeBody::Locals(vec![local], true)),
        (
            Kind::StackMapTable,
            CodeBody::Frames(vec![
                Frame { at: 0, form: Form::Same },
                Frame { at: 1, form: Form::Append(vec![VerificationType::Long]) },
                Frame { at: 2, form: Form::Chop(1) },
                Frame { at: 90, form: Form::Stack1(VerificationType::Object(2)) },
                Frame { at: 91, form: Form::Full { locals: types.clone(), stack: types } },
            ]),
        ),
        (
            Kind::RuntimeVisibleTypeAnnotations,
            CodeBody::TypeAnnotations(
                vec![TypeAnnotation {
                    target_type: 0x40,
                    target: Target::Local(vec![LocalRange { start: 1, end, slot: 3 }]),
                    path: vec![(0, 0)],
                    annotation: annotation.clone(),
                }],
                true,
            ),
        ),
        (
            Kind::RuntimeInvisibleTypeAnnotations,
            CodeBody::TypeAnnotations(
                vec![TypeAnnotation {
                    target_type: 0x44,
                    target: Target::Instruction(9),
                    path: vec![],
                    annotation,
                }],
                false,
            ),
        ),
    ] {
        let name = class.pool.add_utf8(kind.name()).unwrap();
        code.attributes.push(CodeAttribute { name, body });
    }
    let name = class.pool.add_utf8(b"Unheard").unwrap();
    code.attributes.push(CodeAttribute { name, body: CodeBody::Unknown(0, vec![1, 2, 3]) });
    code
}

/// A class with every kind of constant and every attribute.
pub fn every_attribute() -> Vec<u8> {
    let mut class =
        ClassFile::new(69, Flags::PUBLIC | Flags::SUPER, b"a/All", Some(b"java/lang/Record")).unwrap();
    let text = class.pool.add_utf8("\u{1f600} Text".as_bytes().split_at(4).1).unwrap();
    let interface = class.pool.add_class(b"a/I").unwrap();
    class.interfaces.push(interface);
    let handle = every_constant(&mut class.pool, text);

    class.add_field(Flags::PRIVATE, b"f", b"I").unwrap();
    let code = every_code_attribute(&mut class);
    class.add_method(Flags::STATIC, b"m", b"()V", Some(&code)).unwrap();
    class.add_method(Flags::ABSTRACT, b"n", b"(I)V", None).unwrap();

    let signature = Attribute::new(&mut class.pool, &Body::Signature(text)).unwrap();
    let module = Module {
        name: text,
        flags: Flags::OPEN,
        version: 0,
        requires: vec![],
        exports: vec![],
        opens: vec![],
        uses: vec![interface],
        provides: vec![(interface, vec![interface])],
    };
    let annotation = annotation(text);
    let type_annotation = TypeAnnotation {
        target_type: 0x13,
        target: Target::Whole,
        path: vec![(3, 0)],
        annotation: annotation.clone(),
    };
    for body in [
        Body::Signature(text),
        Body::Exceptions(vec![interface]),
        Body::ConstantValue(text),
        Body::InnerClasses(vec![InnerClass { class: interface, outer: 0, name: 0, flags: Flags(0x8000) }]),
        Body::EnclosingMethod { class: interface, method: 0 },
        Body::Synthetic,
        Body::Deprecated,
        Body::SourceFile(text),
        Body::SourceDebugExtension(b"SMAP"),
        Body::RuntimeVisibleAnnotations(vec![annotation.clone()]),
        Body::RuntimeInvisibleAnnotations(vec![annotation.clone()]),
        Body::RuntimeVisibleParameterAnnotations(vec![vec![annotation.clone()], vec![]]),
        Body::RuntimeInvisibleParameterAnnotations(vec![vec![], vec![annotation.clone()]]),
        Body::RuntimeVisibleTypeAnnotations(vec![type_annotation.clone()]),
        Body::RuntimeInvisibleTypeAnnotations(vec![type_annotation]),
        Body::AnnotationDefault(ElementValue::Annotation(Box::new(annotation))),
        Body::BootstrapMethods(vec![BootstrapMethod { handle, arguments: vec![interface] }]),
        Body::MethodParameters(vec![MethodParameter { name: text, flags: Flags::FINAL }]),
        Body::Module(module),
        Body::ModulePackages(vec![text]),
        Body::ModuleMainClass(interface),
        Body::NestHost(interface),
        Body::NestMembers(vec![interface]),
        Body::Record(vec![RecordComponent { name: text, descriptor: text, attributes: vec![signature] }]),
        Body::PermittedSubclasses(vec![interface]),
    ] {
        let attribute = Attribute::new(&mut class.pool, &body).unwrap();
        class.attributes.push(attribute);
    }
    class.to_bytes().unwrap()
}

/// Adds constants of all kinds; `text` is one of text. Returns the last handle of a method.
fn every_constant(pool: &mut ConstantPool<'_>, text: u16) -> u16 {
    for constant in [
        Constant::Integer(70000),
        Constant::Float(1.5f32.to_bits()),
        Constant::Long(i64::MIN),
        Constant::Double(2.5f64.to_bits()),
        Constant::String(text),
        Constant::MethodType(text),
        Constant::Module(text),
        Constant::Package(text),
    ] {
        pool.add(constant).unwrap();
    }
    let mut handle = 0;
    for kind in [MemberKind::Field, MemberKind::Method, MemberKind::InterfaceMethod] {
        let descriptor: &[u8] = if kind == MemberKind::Field { b"I" } else { b"()V" };
        let member = MemberRef { kind, class: b"a/All", name: b"x", descriptor };
        let index = pool.add_member(member).unwrap();
        handle = pool.add(Constant::MethodHandle(6, index)).unwrap();
    }
    let member = pool.add_name_and_type(b"x", b"()V").unwrap();
    pool.add(Constant::Dynamic(0, member)).unwrap();
    pool.add(Constant::InvokeDynamic(0, member)).unwrap();
    handle
}

/// An annotation with values of all kinds.
fn annotation(text: u16) -> Annotation {
    Annotation {
        descriptor: text,
        elements: vec![(
            text,
            ElementValue::Array(vec![
                ElementValue::Constant { tag: b's', value: text },
                ElementValue::Enum { descriptor: text, name: text },
                ElementValue::Class(text),
                ElementValue::Annotation(Box::new(Annotation { descriptor: text, elements: vec![] })),
            ]),
        )],
    }
}

/// A class with bodies that a JVM would run: loops, a switch, a handler, calls, numbers.
pub fn ordinary() -> Vec<u8> {
    let object: &[u8] = b"java/lang/Object";
    let mut class = ClassFile::new(61, Flags::PUBLIC | Flags::SUPER, b"a/Ordinary", Some(object)).unwrap();
    let pool = &mut class.pool;

    let mut code = CodeBuilder::new();
    code.line(3).local(Opcode::Aload, 0);
    code.call(Opcode::Invokespecial, [object, b"<init>", b"()V"], pool).unwrap();
    code.op(Opcode::Return);
    let init = code.finish(1, pool).unwrap();

    // A loop whose first instruction is the target of its jump.
    let mut code = CodeBuilder::new();
    let top = code.here();
    code.frame(Form::Same).increment(0, -1);
    code.local(Opcode::Iload, 0).jump(Opcode::Ifgt, top);
    code.frame(Form::Same).local(Opcode::Iload, 0).op(Opcode::Ireturn);
    let down = code.finish(1, pool).unwrap();

    let mut code = CodeBuilder::new();
    let [start, end, catch, one, other] = [(); 5].map(|()| code.label());
    code.bind(start).local(Opcode::Iload, 0).switch(other, &[(1, one), (1000, other)]);
    code.bind(one).frame(Form::Same).long(1 << 40, pool).unwrap();
    code.op(Opcode::L2d).op(Opcode::Dreturn);
    code.bind(other).frame(Form::Same).load(Constant::Double(2.5f64.to_bits()), pool).unwrap();
    code.op(Opcode::Dreturn).bind(end);
    let thrown = pool.add_class(b"java/lang/Throwable").unwrap();
    code.bind(catch).frame(Form::Stack1(VerificationType::Object(thrown))).op(Opcode::Athrow);
    code.handler(start, end, catch, 0);
    let choose = code.finish(1, pool).unwrap();

    class.add_field(Flags::PRIVATE | Flags::FINAL, b"size", b"J").unwrap();
    class.add_method(Flags::PUBLIC, b"<init>", b"()V", Some(&init)).unwrap();
    class.add_method(Flags::PUBLIC | Flags::STATIC, b"down", b"(I)I", Some(&down)).unwrap();
    class.add_method(Flags::PUBLIC | Flags::STATIC, b"choose", b"(I)D", Some(&choose)).unwrap();
    class.to_bytes().unwrap()
}

//! What is read and not changed is written with the same bytes.

mod common;

use planish_classfile::strip::strip_debug;
use planish_classfile::{
    Attribute, Body, ClassFile, Code, CodeBytes, ConstantPool, Insn, Kind, Opcode, Operand,
};

fn read_code<'a>(class: &'a ClassFile<'_>, name: &[u8]) -> (&'a Attribute<'a>, Code) {
    let method = class.methods.iter().find(|m| class.pool.utf8(m.name) == Ok(name)).unwrap();
    let attribute = method.attribute(&class.pool, Kind::Code).unwrap();
    let Ok(Some(Body::Code(bytes))) = attribute.decode(&class.pool) else { panic!("{name:?} has a body") };
    (attribute, Code::read(&bytes, &class.pool).unwrap())
}

fn recode(attributes: &[Attribute<'_>], pool: &ConstantPool<'_>, kinds: &mut Vec<Kind>) {
    for attribute in attributes {
        let Some(body) = attribute.decode(pool).unwrap() else { continue };
        kinds.push(body.kind());
        let mut out = Vec::new();
        body.write(&mut out).unwrap();
        assert_eq!(out, *attribute.content, "{:?}", body.kind());
        match &body {
            Body::Code(code) => recode(&code.attributes, pool, kinds),
            Body::Record(components) => {
                components.iter().for_each(|component| recode(&component.attributes, pool, kinds));
            }
            _ => {}
        }
    }
}

#[test]
fn a_class_with_everything_survives() {
    let bytes = common::every_attribute();
    let class = ClassFile::read(&bytes).unwrap();
    assert_eq!(class.to_bytes().unwrap(), bytes);
    let mut kinds = Vec::new();
    class.fields.iter().chain(&class.methods).for_each(|m| recode(&m.attributes, &class.pool, &mut kinds));
    recode(&class.attributes, &class.pool, &mut kinds);
    kinds.sort_unstable();
    kinds.dedup();
    assert_eq!(kinds, Kind::ALL, "the class has every attribute");
}

#[test]
fn an_ordinary_class_is_well_formed() {
    let bytes = common::ordinary();
    let census = ClassFile::read(&bytes).unwrap().check().unwrap();
    assert_eq!((census.methods, census.bodies, census.unknown), (3, 3, 0));
}

#[test]
fn a_body_with_every_instruction_survives() {
    let bytes = common::every_attribute();
    let class = ClassFile::read(&bytes).unwrap();
    let (attribute, code) = read_code(&class, b"m");
    assert_eq!(code.instructions, common::every_instruction());
    let mut out = Vec::new();
    code.write(&mut out).unwrap();
    assert_eq!(out, *attribute.content);
}

#[test]
fn changing_one_body_leaves_every_other_byte() {
    let bytes = common::ordinary();
    let mut class = ClassFile::read(&bytes).unwrap();
    let (attribute, mut code) = read_code(&class, b"down");
    let (start, old_len) = (attribute.offset as usize, attribute.content.len());
    code.instructions[0] = Insn::increment(0, -2);
    let mut content = Vec::new();
    code.write(&mut content).unwrap();
    class.methods[1].attributes[0].content = content.clone().into();
    let changed = class.to_bytes().unwrap();
    assert_eq!(changed[..start], bytes[..start]);
    assert_eq!(changed[start..start + old_len], content);
    assert_eq!(changed[start + old_len..], bytes[start + old_len..]);
    assert_ne!(changed, bytes);
}

#[test]
fn a_constant_is_appended_and_nothing_else_moves() {
    let bytes = common::ordinary();
    let mut class = ClassFile::read(&bytes).unwrap();
    let before = class.pool.byte_len();
    class.pool.add_utf8(b"a new text").unwrap();
    let changed = class.to_bytes().unwrap();
    assert_eq!(changed[10..8 + before], bytes[10..8 + before]);
    assert_eq!(changed[8 + before + 3 + 10..], bytes[8 + before..]);
}

#[test]
fn jumps_grow_where_the_distance_asks_for_it() {
    let bytes = common::ordinary();
    let class = ClassFile::read(&bytes).unwrap();
    let far = |op: Opcode, fill: usize| {
        let mut instructions = vec![Insn::jump(op, fill as u32 + 1)];
        instructions.resize(fill + 1, Insn::plain(Opcode::Nop));
        instructions.push(Insn::plain(Opcode::Return));
        Code { instructions, ..Code::default() }
    };
    // 32767 is the longest short distance; the jump itself takes three bytes.
    for (fill, first, len) in [(32764, Opcode::Goto, 3 + 32764 + 1), (32765, Opcode::GotoW, 5 + 32765 + 1)] {
        let code = far(Opcode::Goto, fill);
        assert_eq!(code.byte_len(), len);
        let mut out = Vec::new();
        code.write(&mut out).unwrap();
        assert_eq!(out[8], first as u8);
    }
    let mut code = far(Opcode::Ifnull, 32765);
    assert!(code.write(&mut Vec::new()).is_err());
    code.lengthen_branches().unwrap();
    let [test, jump] = &code.instructions[..2] else { panic!() };
    assert_eq!((test.op, &test.operand), (Opcode::Ifnonnull, &Operand::Target(2)));
    assert_eq!((jump.op, &jump.operand), (Opcode::GotoW, &Operand::Target(32767)));
    code.write(&mut Vec::new()).unwrap();
    assert!(far(Opcode::Goto, 65535).write(&mut Vec::new()).is_err(), "a body has at most 65535 bytes");
    drop(class);
}

#[test]
fn limits_are_those_that_the_instructions_need() {
    let bytes = common::ordinary();
    let class = ClassFile::read(&bytes).unwrap();
    for (name, stack, locals) in [(&b"<init>"[..], 1, 1), (b"down", 1, 1), (b"choose", 2, 1)] {
        let (_, code) = read_code(&class, name);
        assert_eq!((code.max_stack, code.max_locals), (stack, locals), "{name:?}");
    }
    let mut code = Code {
        instructions: vec![
            Insn::plain(Opcode::Dload2),
            Insn::plain(Opcode::Pop2),
            Insn::plain(Opcode::Return),
        ],
        ..Code::default()
    };
    code.compute_limits(1, &class.pool).unwrap();
    assert_eq!((code.max_stack, code.max_locals), (2, 4));
    code.instructions[1] = Insn::plain(Opcode::Dup2X2);
    assert!(code.compute_limits(1, &class.pool).unwrap_err().expected().starts_with("4 slots on the stack"));
    code.instructions.truncate(1);
    assert!(code.compute_limits(1, &class.pool).is_err(), "the end of the code is reached");
}

#[test]
fn debug_information_goes_with_its_constants() {
    let file = common::every_attribute();
    let stripped = strip_debug(&file).unwrap().unwrap();
    let class = ClassFile::read(&stripped).unwrap();
    assert_eq!(class.attribute(Kind::SourceFile).map(|_| ()), None);
    let mut kinds = Vec::new();
    for method in &class.methods {
        if let Some(code) = method.attribute(&class.pool, Kind::Code) {
            let code = CodeBytes::read(&mut code.cursor()).unwrap();
            kinds.extend(code.attributes.iter().filter_map(|attribute| attribute.kind(&class.pool).unwrap()));
        }
    }
    assert!(kinds.contains(&Kind::StackMapTable), "{kinds:?}");
    let debug = [Kind::LineNumberTable, Kind::LocalVariableTable, Kind::LocalVariableTypeTable];
    assert!(!kinds.iter().any(|kind| debug.contains(kind)), "{kinds:?}");
    assert_eq!(strip_debug(&stripped), Ok(None));
}

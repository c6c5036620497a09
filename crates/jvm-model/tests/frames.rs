//! Frames that are found are those that the verifier accepts, and it accepts no others.

use planish_classfile::builder::CodeBuilder;
use planish_classfile::frame::{Form, Frame, VerificationType};
use planish_classfile::{ClassFile, Code, ConstantPool, Flags, Insn, Opcode};
use planish_jvm_model::hierarchy::{Hierarchy, Origin};
use planish_jvm_model::state::VerifyError;
use planish_jvm_model::transfer::MethodInfo;
use planish_jvm_model::vtype::TypeContext;
use planish_jvm_model::{frames, verify};

const OBJECT: &[u8] = b"java/lang/Object";

fn hierarchy() -> Hierarchy {
    let mut hierarchy = Hierarchy::new();
    for (name, extends) in [
        (OBJECT, None),
        (b"java/lang/Throwable", Some(OBJECT)),
        (b"java/lang/Number", Some(OBJECT)),
        (b"java/lang/Integer", Some(b"java/lang/Number")),
        (b"java/lang/Long", Some(b"java/lang/Number")),
        (b"Test", Some(OBJECT)),
    ] {
        let file = ClassFile::new(52, Flags::PUBLIC, name, extends).unwrap().to_bytes().unwrap();
        hierarchy.add(&file, Origin::Program).unwrap();
    }
    hierarchy
}

struct Sample {
    name: &'static [u8],
    descriptor: &'static [u8],
    is_static: bool,
    pool: ConstantPool<'static>,
    code: Code,
}

impl Sample {
    fn new(
        name: &'static str,
        descriptor: &'static str,
        is_static: bool,
        build: impl FnOnce(&mut CodeBuilder, &mut ConstantPool<'static>),
    ) -> Self {
        let mut pool = ConstantPool::new();
        let mut builder = CodeBuilder::new();
        build(&mut builder, &mut pool);
        let parameters = planish_classfile::descriptor::MethodType::parse(descriptor.as_bytes()).unwrap();
        let slots = parameters.parameter_slots() + u16::from(!is_static);
        let code = builder.finish(slots, &mut pool).unwrap();
        Sample { name: name.as_bytes(), descriptor: descriptor.as_bytes(), is_static, pool, code }
    }

    fn info(&self) -> MethodInfo<'_> {
        MethodInfo {
            class: b"Test",
            super_class: Some(OBJECT),
            name: self.name,
            descriptor: self.descriptor,
            is_static: self.is_static,
            pool: &self.pool,
        }
    }

    fn verify(&self) -> Result<(), VerifyError> {
        verify::verify(&self.code, &self.info(), &mut TypeContext::new(&hierarchy()))
    }

    /// The frames that are found, which must verify; without them the method must not.
    fn find(&mut self) -> Vec<Frame> {
        let hierarchy = hierarchy();
        let mut context = TypeContext::new(&hierarchy);
        let found = frames::infer(&self.code, &self.info(), &mut context).unwrap();
        let frames = found.frames(&context, &mut self.pool).unwrap();
        assert!(frames.is_empty() || self.verify().is_err(), "a target without frame is refused");
        self.code.set_frames(frames.clone(), &mut self.pool).unwrap();
        self.verify().unwrap();
        frames
    }

    fn error(&self) -> String {
        let hierarchy = hierarchy();
        let mut context = TypeContext::new(&hierarchy);
        frames::infer(&self.code, &self.info(), &mut context).err().expect("the method is wrong").to_string()
    }
}

#[test]
fn a_loop_at_the_first_instruction_has_a_frame_there() {
    let mut sample = Sample::new("f", "(IJ)V", true, |code, _| {
        let top = code.here();
        code.increment(0, -1).local(Opcode::Iload, 0).jump(Opcode::Ifgt, top);
        code.op(Opcode::Return);
    });
    assert_eq!(sample.find(), [Frame { at: 0, form: Form::Same }]);
}

#[test]
fn classes_merge_to_their_common_ancestor() {
    let mut sample = Sample::new("f", "(I)Ljava/lang/Number;", true, |code, pool| {
        let [other, end] = [(); 2].map(|()| code.label());
        code.local(Opcode::Iload, 0).jump(Opcode::Ifeq, other);
        code.op(Opcode::AconstNull).class(Opcode::Checkcast, b"java/lang/Integer", pool).unwrap();
        code.jump(Opcode::Goto, end);
        code.bind(other).op(Opcode::AconstNull).class(Opcode::Checkcast, b"java/lang/Long", pool).unwrap();
        code.bind(end).op(Opcode::Areturn);
    });
    let frames = sample.find();
    let Form::Stack1(VerificationType::Object(class)) = frames[1].form else { panic!("{frames:?}") };
    assert_eq!(sample.pool.class(class), Ok(&b"java/lang/Number"[..]));
}

#[test]
fn a_handler_sees_what_every_guarded_instruction_leaves() {
    let mut sample = Sample::new("f", "()I", true, |code, _| {
        let [start, end, handler] = [(); 3].map(|()| code.label());
        code.op(Opcode::Iconst0).local(Opcode::Istore, 0);
        code.op(Opcode::Lconst0).local(Opcode::Lstore, 1);
        code.bind(start).local(Opcode::Iload, 0).local(Opcode::Iload, 0).op(Opcode::Idiv);
        // From here on slot 1 holds half of nothing and slot 2 an int.
        code.local(Opcode::Istore, 2).op(Opcode::Nop).bind(end);
        code.local(Opcode::Iload, 2).op(Opcode::Ireturn);
        code.bind(handler).op(Opcode::Pop).local(Opcode::Iload, 0).op(Opcode::Ireturn);
        code.handler(start, end, handler, 0);
    });
    let frames = sample.find();
    let Form::Full { locals, stack } = &frames[0].form else { panic!("{frames:?}") };
    assert_eq!(locals, &[VerificationType::Integer]);
    assert_eq!(stack.len(), 1);
}

#[test]
fn a_constructor_is_followed_through_its_branches() {
    let construct = |call_both: bool| {
        Sample::new("<init>", "(I)V", false, |code, pool| {
            let [other, end] = [(); 2].map(|()| code.label());
            code.local(Opcode::Aload, 0).local(Opcode::Iload, 1).jump(Opcode::Ifeq, other);
            code.op(Opcode::Nop).bind(other);
            if call_both {
                code.call(Opcode::Invokespecial, [OBJECT, b"<init>", b"()V"], pool).unwrap();
            } else {
                code.op(Opcode::Pop);
            }
            code.bind(end).op(Opcode::Return);
        })
    };
    let frames = construct(true).find();
    let this = VerificationType::UninitializedThis;
    // The difference to the entry is the stack alone.
    assert_eq!(frames[0].form, Form::Stack1(this));
    assert!(construct(false).error().contains("before it called another one"));
}

#[test]
fn an_object_is_known_by_its_new_until_it_is_constructed() {
    let mut sample = Sample::new("f", "(I)Ljava/lang/Object;", true, |code, pool| {
        let one = code.label();
        code.class(Opcode::New, OBJECT, pool).unwrap().op(Opcode::Dup);
        code.local(Opcode::Iload, 0).jump(Opcode::Ifeq, one).op(Opcode::Nop).bind(one);
        code.call(Opcode::Invokespecial, [OBJECT, b"<init>", b"()V"], pool).unwrap();
        code.op(Opcode::Areturn);
    });
    let frames = sample.find();
    let fresh = VerificationType::Uninitialized(0);
    assert_eq!(frames[0].form, Form::Full { locals: vec![VerificationType::Integer], stack: vec![fresh; 2] });
}

type Build = fn(&mut CodeBuilder, &mut ConstantPool<'static>);

#[test]
fn wrong_code_is_refused_with_its_instruction() {
    let cases: [(&str, &str, Build); 7] = [
        ("(F)I", "0: local 0 is float instead of int", |code, _| {
            code.local(Opcode::Iload, 0).op(Opcode::Ireturn);
        }),
        ("(J)I", "1: long is cut in half", |code, _| {
            code.local(Opcode::Lload, 0)
                .op(Opcode::Pop)
                .op(Opcode::Pop)
                .op(Opcode::Iconst0)
                .op(Opcode::Ireturn);
        }),
        ("(I)V", "1: nothing leads here", |code, _| {
            code.op(Opcode::Return);
            let end = code.label();
            code.bind(end).op(Opcode::Nop).op(Opcode::Return);
        }),
        ("()V", "1: the return does not fit", |code, _| {
            code.op(Opcode::Iconst0).op(Opcode::Ireturn);
        }),
        (
            "(Ljava/lang/Object;)I",
            "1: java/lang/Object on the stack instead of java/lang/Number",
            |code, pool| {
                code.local(Opcode::Aload, 0);
                let call: [&[u8]; 3] = [b"java/lang/Number", b"intValue", b"()I"];
                code.call(Opcode::Invokevirtual, call, pool).unwrap().op(Opcode::Ireturn);
            },
        ),
        ("()V", "1: uninitialized (instruction 0) on the stack instead of a reference", |code, pool| {
            code.class(Opcode::New, OBJECT, pool).unwrap().op(Opcode::Monitorenter).op(Opcode::Return);
        }),
        ("([J)I", "2: [J is not an array of that kind", |code, _| {
            code.local(Opcode::Aload, 0).op(Opcode::Iconst0).op(Opcode::Iaload).op(Opcode::Ireturn);
        }),
    ];
    for (descriptor, wanted, build) in cases {
        let sample = Sample::new("f", descriptor, true, build);
        let error = sample.error();
        assert!(error.starts_with(&format!("instruction {wanted}")), "{error}");
    }
}

#[test]
fn stated_frames_are_checked_and_not_believed() {
    let mut sample = Sample::new("f", "(I)V", true, |code, _| {
        let top = code.here();
        code.local(Opcode::Iload, 0).jump(Opcode::Ifgt, top);
        code.op(Opcode::Return);
    });
    sample.find();
    for form in [
        Form::Append(vec![VerificationType::Float]),
        Form::Chop(1),
        Form::Chop(3),
        Form::Stack1(VerificationType::Integer),
        Form::Full { locals: vec![VerificationType::Float], stack: vec![] },
        Form::Full { locals: vec![VerificationType::Uninitialized(1)], stack: vec![] },
    ] {
        sample.code.set_frames(vec![Frame { at: 0, form: form.clone() }], &mut sample.pool).unwrap();
        assert!(sample.verify().is_err(), "{form:?}");
    }
    sample.code.set_frames(vec![Frame { at: 0, form: Form::Same }], &mut sample.pool).unwrap();
    sample.verify().unwrap();
    sample.code.max_stack = 0;
    assert!(sample.verify().unwrap_err().message.contains("1 deep"));
    sample.code.max_stack = 1;
    *sample.code.instructions.last_mut().unwrap() = Insn::plain(Opcode::Nop);
    assert!(sample.verify().unwrap_err().message.contains("runs off the end"));
}

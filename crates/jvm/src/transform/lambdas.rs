//! Devirtualization of lambdas: a call of a lambda in the body that makes it calls what the lambda calls.
//!
//! A call site of `LambdaMetafactory` gives an object whose one method calls another with what was captured and what
//! it gets itself. Where the object is called in the same body, that other method can be called at once; it may be
//! inlined then, and an object that nobody uses any more is not made. Bodies in the place of calls bring both together:
//! `map(xs, x -> x + 1)` passes a lambda to a method that calls it.
//!
//! What the object would do in between is done here: arguments whose types are erased are cast to the types that the
//! lambda has, numbers are put into boxes and taken out of them, and a constructor gets an object to fill in. Where a number
//! would become one of another type, the call stays. A cast of a lambda to the interface that it has does nothing.

use planish_base::SideTable;
use planish_classfile::descriptor::{MethodType, Type as JavaType};
use planish_classfile::{Constant, ConstantPool, Insn, Opcode, Operand};
use planish_ir::liveness::for_each_use;
use planish_ir::{Function, Inst, Stands, Value};
use planish_jvm_analysis::boxes::Boxed;
use planish_jvm_ir::naming::{Names, ir_type};
use planish_jvm_model::bootstraps::Bootstraps;
use planish_jvm_model::hierarchy::Hierarchy;
use planish_ops::{Op, Type};
use planish_pass::{Became, Leave};

use crate::transform::marked::Marked;

/// The method that makes most lambdas.
const METAFACTORY: (&[u8], &[u8]) = (b"java/lang/invoke/LambdaMetafactory", b"metafactory");

/// Calls what lambdas call, and removes lambdas that nobody uses. Gives the number of calls. O(size of the body).
pub fn call_through(
    f: &mut Function,
    bootstraps: &Bootstraps,
    names: &mut Names,
    pool: &mut ConstantPool<'_>,
    hierarchy: &Hierarchy,
    leave: &mut Leave<'_>,
) -> u64 {
    let lambdas = Lambdas::of(f, bootstraps, names, pool);
    if lambdas.made.is_empty() {
        return 0;
    }
    remove_casts(f, &lambdas, names, pool, hierarchy, leave);
    let mut stands = Stands::default();
    let mut count = 0;
    for block in f.blocks().to_vec() {
        let old = f.block_insts(block).to_vec();
        let mut kept = Vec::with_capacity(old.len());
        let before = count;
        for inst in old {
            let direct = direct_call(f, inst, &lambdas, names, pool, hierarchy);
            let direct = direct.filter(|_| leave.rewrite(f, inst, Became::Op(Op::Call)));
            match direct.and_then(|direct| direct.build(f, inst, names, pool, &mut kept)) {
                Some(result) => {
                    if let (Some(old), Some(result)) = (f.results(inst).next(), result) {
                        stands.put(result, old);
                    }
                    count += 1;
                }
                None => kept.push(inst),
            }
        }
        if count > before {
            f.replace_insts(block, kept);
        }
    }
    stands.write(f);
    remove_unused(f, &lambdas, leave);
    count
}

/// Removes lambdas that nobody uses. Gives their number. O(size of the body).
pub fn forget_lambdas(
    f: &mut Function,
    bootstraps: &Bootstraps,
    names: &Names,
    pool: &ConstantPool<'_>,
    leave: &mut Leave<'_>,
) -> u64 {
    let lambdas = Lambdas::of(f, bootstraps, names, pool);
    if lambdas.made.is_empty() { 0 } else { remove_unused(f, &lambdas, leave) }
}

/// The lambdas that a body makes.
struct Lambdas {
    made: Vec<Inst>,
    /// By the object: what makes it.
    of: SideTable<Value, Option<Lambda>>,
}

/// What a call site says.
#[derive(Clone, Copy)]
struct Lambda {
    /// The instruction that makes the object.
    made: Inst,
    /// The constant of the call site.
    site: u16,
    /// Constants of method types: of the method of the interface, and what its types are for this object.
    erased: u16,
    actual: u16,
    /// How the other method is called, and its constant.
    kind: u8,
    method: u16,
}

impl Lambdas {
    fn of(f: &Function, bootstraps: &Bootstraps, names: &Names, pool: &ConstantPool<'_>) -> Lambdas {
        let mut lambdas = Lambdas { made: Vec::new(), of: SideTable::new() };
        for (_, inst) in f.live_insts() {
            if let Some(lambda) = lambda(f, inst, bootstraps, names, pool) {
                lambdas.made.push(inst);
                lambdas.of[f.result(inst)] = Some(lambda);
            }
        }
        lambdas
    }
}

/// What an instruction says if it makes a lambda.
fn lambda(
    f: &Function,
    inst: Inst,
    bootstraps: &Bootstraps,
    names: &Names,
    pool: &ConstantPool<'_>,
) -> Option<Lambda> {
    let made = names.instruction_of(f, inst)?;
    let (Opcode::Invokedynamic, &Operand::Constant(site)) = (made.op, &made.operand) else { return None };
    let (number, ..) = pool.dynamic(site).ok()?;
    let bootstrap = bootstraps.get(number)?;
    let Constant::MethodHandle(6, maker) = pool.get(bootstrap.handle).ok()? else { return None };
    let maker = pool.member(maker).ok()?;
    let &[erased, method, actual] = &bootstrap.arguments[..] else { return None };
    let Constant::MethodHandle(kind, method) = pool.get(method).ok()? else { return None };
    ((maker.class, maker.name) == METAFACTORY).then_some(())?;
    Some(Lambda { made: inst, site, erased, actual, kind, method })
}

/// What is done to a value on its way.
enum Step {
    /// It is cast to a class.
    Cast(Box<[u8]>),
    /// A box is made of it.
    Box(&'static Boxed),
    /// It is taken out of its box.
    Unbox(&'static Boxed),
}

/// A call in the place of another.
struct Direct {
    op: Opcode,
    method: u16,
    args: Vec<Value>,
    /// What is done to arguments first, in order.
    steps: Vec<(usize, Step)>,
    /// The type of what the method gives.
    result: Option<Type>,
    /// What is done to that.
    after: Option<Step>,
}

/// Whether an object of a lambda is of the class or interface that an instruction names.
fn is_of(lambda: &Lambda, named: &[u8], pool: &ConstantPool<'_>, hierarchy: &Hierarchy) -> Option<bool> {
    let interface = MethodType::parse(pool.dynamic(lambda.site).ok()?.2)?.result()?.class_name()?;
    let is_below = || hierarchy.is_subtype(hierarchy.lookup(interface)?, hierarchy.lookup(named)?);
    Some(interface == named || is_below() == Some(true))
}

/// The call of the other method that stands for the call of an object, if that is one.
fn direct_call(
    f: &Function,
    inst: Inst,
    lambdas: &Lambdas,
    names: &Names,
    pool: &ConstantPool<'_>,
    hierarchy: &Hierarchy,
) -> Option<Direct> {
    let (&object, given) = f.args(inst).split_first()?;
    let lambda = lambdas.of[object]?;
    let call = names.instruction_of(f, inst)?;
    let (Opcode::Invokeinterface, &Operand::Interface { method: called, .. }) = (call.op, &call.operand)
    else {
        return None;
    };
    let called = pool.member(called).ok()?;
    let (_, name, made) = pool.dynamic(lambda.site).ok()?;
    let made = MethodType::parse(made)?;
    let erased_text = pool.method_type(lambda.erased).ok()?;
    let is_its_own = called.name == name && called.descriptor == erased_text;
    (is_its_own && is_of(&lambda, called.class, pool, hierarchy)?).then_some(())?;
    let (erased, actual) =
        (MethodType::parse(erased_text)?, MethodType::parse(pool.method_type(lambda.actual).ok()?)?);
    let target = pool.member(lambda.method).ok()?;
    let target_type = MethodType::parse(target.descriptor)?;
    let op = match lambda.kind {
        5 => Opcode::Invokevirtual,
        6 => Opcode::Invokestatic,
        7 if target.class == names.class_name() => Opcode::Invokespecial,
        8 => Opcode::New,
        9 => Opcode::Invokeinterface,
        _ => return None,
    };
    let receiver = match op {
        Opcode::Invokestatic | Opcode::New => None,
        _ => Some(JavaType::of_class(target.class)?),
    };
    let mut wanted = receiver.into_iter().chain(target_type.parameters());
    for captured in made.parameters() {
        fits(captured, wanted.next()?).then_some(())?;
    }
    let captured = f.args(lambda.made).to_vec();
    let mut steps = Vec::new();
    for ((erased, actual), place) in erased.parameters().zip(actual.parameters()).zip(captured.len()..) {
        fits(erased, actual).then_some(())?;
        if erased != actual {
            steps.push((place, Step::Cast(class_of(actual)?)));
        }
        steps.extend(converts(actual, wanted.next()?)?.map(|step| (place, step)));
    }
    let result = match op {
        Opcode::New => Some(JavaType::of_class(target.class)?),
        _ => target_type.result(),
    };
    let after = match (erased.result(), result) {
        (None, _) => None,
        (Some(erased), Some(result)) => {
            let actual = actual.result()?;
            fits(actual, erased).then_some(())?;
            match converts(result, actual)? {
                None if !is_surely(result, erased, hierarchy) => Some(Step::Cast(class_of(erased)?)),
                step => step,
            }
        }
        (Some(_), None) => return None,
    };
    wanted.next().is_none().then_some(())?;
    let args = captured.into_iter().chain(given.iter().copied()).collect();
    Some(Direct { op, method: lambda.method, args, steps, result: result.map(ir_type), after })
}

/// Whether a value of one type may be passed as one of the other without becoming another value.
fn fits(of: JavaType<'_>, to: JavaType<'_>) -> bool {
    of.is_reference() && to.is_reference() || of == to
}

/// What makes a value of one type one of the other, if anything has to; nothing at all if a number would change.
fn converts(of: JavaType<'_>, to: JavaType<'_>) -> Option<Option<Step>> {
    if fits(of, to) {
        return Some(None);
    }
    let boxes = |boxed: JavaType<'_>, number: JavaType<'_>| {
        let mut descriptor = Vec::new();
        number.write(&mut descriptor);
        Boxed::of(boxed.class_name()?, &descriptor)
    };
    Some(Some(match of.is_reference() {
        true => Step::Unbox(boxes(of, to)?),
        false => Step::Box(boxes(to, of)?),
    }))
}

/// Whether a verifier takes a value of one type for one of the other.
fn is_surely(of: JavaType<'_>, to: JavaType<'_>, hierarchy: &Hierarchy) -> bool {
    if of == to || to.class_name() == Some(b"java/lang/Object") {
        return true;
    }
    let class = |ty: JavaType<'_>| hierarchy.lookup(ty.class_name()?);
    class(of).zip(class(to)).is_some_and(|(of, to)| hierarchy.is_subtype(of, to) == Some(true))
}

/// The class or array that a cast names.
fn class_of(ty: JavaType<'_>) -> Option<Box<[u8]>> {
    match ty {
        JavaType::Object(name) => Some(name.into()),
        JavaType::Array(_) => {
            let mut text = Vec::new();
            ty.write(&mut text);
            Some(text.into())
        }
        _ => None,
    }
}

impl Step {
    /// The instruction that does it, and the type of what that gives.
    fn instruction(&self, pool: &mut ConstantPool<'_>) -> Option<(Insn, Type)> {
        match self {
            Step::Cast(class) => {
                Some((Insn::constant(Opcode::Checkcast, pool.add_class(class).ok()?), Type::Ref))
            }
            Step::Box(boxed) => Some((boxed.boxing(pool).ok()?, Type::Ref)),
            Step::Unbox(boxed) => {
                Some((boxed.unboxing(pool).ok()?, ir_type(JavaType::parse(boxed.descriptor)?)))
            }
        }
    }
}

impl Direct {
    /// Makes the call behind `kept`; its result if somebody may use one. Nothing if the class has no more constants.
    fn build(
        mut self,
        f: &mut Function,
        call: Inst,
        names: &mut Names,
        pool: &mut ConstantPool<'_>,
        kept: &mut Vec<Inst>,
    ) -> Option<Option<Value>> {
        let data = *f.inst(call);
        let mut insts = Vec::with_capacity(self.steps.len() + 2);
        let mut add = |insn: &Insn, args: &[Value], results: &[Type], pool: &ConstantPool<'_>| {
            let descr = names.instruction(insn, pool);
            let inst = f.make_inst(Op::Call, args, results, Some(descr), data.exit, data.location);
            insts.push(inst);
            f.results(inst).next()
        };
        // An object is there, and its class initialized, before an argument may turn out to be none that fits.
        let object = match self.op {
            Opcode::New => {
                let class = pool.member(self.method).ok()?.class.to_vec();
                let class = pool.add_class(&class).ok()?;
                Some(add(&Insn::constant(Opcode::New, class), &[], &[Type::Ref], pool)?)
            }
            _ => None,
        };
        for (place, step) in &self.steps {
            let (insn, ty) = step.instruction(pool)?;
            self.args[*place] = add(&insn, &[self.args[*place]], &[ty], pool)?;
        }
        let mut result = if let Some(object) = object {
            self.args.insert(0, object);
            add(&Insn::constant(Opcode::Invokespecial, self.method), &self.args, &[], pool);
            Some(object)
        } else {
            let insn = match self.op {
                Opcode::Invokeinterface => {
                    let ty = MethodType::parse(pool.member(self.method).ok()?.descriptor)?;
                    let slots = u8::try_from(ty.parameter_slots() + 1).ok()?;
                    Insn { op: self.op, operand: Operand::Interface { method: self.method, slots } }
                }
                op => Insn::constant(op, self.method),
            };
            let types: Vec<Type> = self.result.into_iter().collect();
            add(&insn, &self.args, &types, pool)
        };
        if let (Some(step), Some(value)) = (&self.after, result) {
            let (insn, ty) = step.instruction(pool)?;
            result = add(&insn, &[value], &[ty], pool);
        }
        kept.append(&mut insts);
        Some(result)
    }
}

/// Removes casts of lambdas to what they are.
fn remove_casts(
    f: &mut Function,
    lambdas: &Lambdas,
    names: &Names,
    pool: &ConstantPool<'_>,
    hierarchy: &Hierarchy,
    leave: &mut Leave<'_>,
) {
    let mut stands = Stands::default();
    let mut removed = Marked::new(f);
    for (_, inst) in f.live_insts() {
        let cast = names.instruction_of(f, inst).filter(|insn| insn.op == Opcode::Checkcast);
        let Some(&Operand::Constant(class)) = cast.map(|insn| &insn.operand) else { continue };
        let object = stands.of(f.args(inst)[0]);
        let is_one = |lambda: Lambda| is_of(&lambda, pool.class(class).ok()?, pool, hierarchy);
        if lambdas.of[object].and_then(is_one) == Some(true) && leave.rewrite(f, inst, Became::Nothing) {
            stands.put(object, f.result(inst));
            removed.add(inst);
        }
    }
    if removed.remove(f) > 0 {
        stands.write(f);
    }
}

/// Removes lambdas that nobody uses, and checks that they are not null. Gives the number of lambdas.
fn remove_unused(f: &mut Function, lambdas: &Lambdas, leave: &mut Leave<'_>) -> u64 {
    let mut removed = Marked::new(f);
    for (_, inst) in f.live_insts() {
        if f.inst(inst).op == Op::NullCheck
            && lambdas.of[f.args(inst)[0]].is_some()
            && leave.rewrite(f, inst, Became::Nothing)
        {
            removed.add(inst);
        }
    }
    removed.remove(f);
    let mut used: SideTable<Value, bool> = SideTable::new();
    for &block in f.blocks() {
        for_each_use(f, block, |_, value| used[value] = true);
    }
    let mut removed = Marked::new(f);
    for &inst in &lambdas.made {
        if !used[f.result(inst)] && leave.rewrite(f, inst, Became::Nothing) {
            removed.add(inst);
        }
    }
    removed.remove(f)
}

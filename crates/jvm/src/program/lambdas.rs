//! Calls of lambdas in the body that makes them.
//!
//! A call site of `LambdaMetafactory` gives an object whose one method calls another with what was captured and what
//! it gets itself. Where the object is called in the same body, that other method can be called at once; it may be
//! inlined then, and an object that nobody uses any more is not made. Bodies in the place of calls bring both together:
//! `map(xs, x -> x + 1)` passes a lambda to a method that calls it.
//!
//! What the object would do in between is done here: arguments whose types are erased are cast to the types that the
//! lambda has. Where it would box or unbox, and for constructors, the call stays.

use planish_base::SideTable;
use planish_classfile::descriptor::{MethodType, Type as JavaType};
use planish_classfile::{Constant, ConstantPool, Insn, Opcode, Operand};
use planish_ir::liveness::for_each_use;
use planish_ir::{Function, Inst, Value};
use planish_ops::{Op, Type};

use crate::bootstraps::Bootstraps;
use crate::hierarchy::Hierarchy;
use crate::naming::{Names, ir_type};
use crate::program::needless::Marked;
use planish_ir::Stands;

/// The method that makes most lambdas.
const METAFACTORY: (&[u8], &[u8]) = (b"java/lang/invoke/LambdaMetafactory", b"metafactory");

/// Calls what lambdas call, and removes lambdas that nobody uses. Gives the number of calls. O(size of the body).
pub fn call_through(
    f: &mut Function,
    bootstraps: &Bootstraps,
    names: &mut Names,
    pool: &mut ConstantPool<'_>,
    hierarchy: &Hierarchy,
) -> u64 {
    let lambdas = Lambdas::of(f, bootstraps, names, pool);
    if lambdas.made.is_empty() {
        return 0;
    }
    let mut stands = Stands::default();
    let mut count = 0;
    for block in f.blocks().to_vec() {
        let old = f.block_insts(block).to_vec();
        let mut kept = Vec::with_capacity(old.len());
        let before = count;
        for inst in old {
            let direct = direct_call(f, inst, &lambdas, names, pool, hierarchy);
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
    remove_unused(f, &lambdas);
    count
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

/// A call in the place of another.
struct Direct {
    op: Opcode,
    method: u16,
    args: Vec<Value>,
    /// The classes to which arguments are cast first.
    casts: Vec<(usize, Box<[u8]>)>,
    result: Option<Type>,
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
    let interface = made.result()?.class_name()?;
    let is_of_it = interface == called.class
        || hierarchy.is_subtype(hierarchy.lookup(interface)?, hierarchy.lookup(called.class)?) == Some(true);
    let erased_text = pool.method_type(lambda.erased).ok()?;
    (is_of_it && called.name == name && called.descriptor == erased_text).then_some(())?;
    let (erased, actual) =
        (MethodType::parse(erased_text)?, MethodType::parse(pool.method_type(lambda.actual).ok()?)?);
    let target = pool.member(lambda.method).ok()?;
    let target_type = MethodType::parse(target.descriptor)?;
    let op = match lambda.kind {
        5 => Opcode::Invokevirtual,
        6 => Opcode::Invokestatic,
        7 if target.class == names.class_name() => Opcode::Invokespecial,
        9 => Opcode::Invokeinterface,
        _ => return None,
    };
    let receiver = match op {
        Opcode::Invokestatic => None,
        _ => Some(JavaType::of_class(target.class)?),
    };
    let mut wanted = receiver.into_iter().chain(target_type.parameters());
    for captured in made.parameters() {
        fits(captured, wanted.next()?).then_some(())?;
    }
    let captured = f.args(lambda.made).to_vec();
    let mut casts = Vec::new();
    for ((erased, actual), place) in erased.parameters().zip(actual.parameters()).zip(captured.len()..) {
        fits(actual, wanted.next()?).then_some(())?;
        fits(erased, actual).then_some(())?;
        if erased != actual {
            casts.push((place, class_of(actual)?));
        }
    }
    let result = target_type.result();
    match (erased.result(), result) {
        (None, _) => {}
        (Some(erased), Some(result)) => fits(result, erased).then_some(())?,
        (Some(_), None) => return None,
    }
    wanted.next().is_none().then_some(())?;
    let args = captured.into_iter().chain(given.iter().copied()).collect();
    Some(Direct { op, method: lambda.method, args, casts, result: result.map(ir_type) })
}

/// Whether a value of one type may be passed as one of the other without becoming another value.
fn fits(of: JavaType<'_>, to: JavaType<'_>) -> bool {
    of.is_reference() && to.is_reference() || of == to
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
        let mut insts = Vec::with_capacity(self.casts.len() + 1);
        for (place, class) in &self.casts {
            let index = pool.add_class(class).ok()?;
            let descr = names.instruction(&Insn::constant(Opcode::Checkcast, index), pool);
            let args = [self.args[*place]];
            let cast = f.make_inst(Op::Call, &args, &[Type::Ref], Some(descr), data.exit, data.location);
            self.args[*place] = f.result(cast);
            insts.push(cast);
        }
        let insn = match self.op {
            Opcode::Invokeinterface => {
                let ty = MethodType::parse(pool.member(self.method).ok()?.descriptor)?;
                let slots = u8::try_from(ty.parameter_slots() + 1).ok()?;
                Insn { op: self.op, operand: Operand::Interface { method: self.method, slots } }
            }
            op => Insn::constant(op, self.method),
        };
        let descr = names.instruction(&insn, pool);
        let types: Vec<Type> = self.result.into_iter().collect();
        let direct = f.make_inst(Op::Call, &self.args, &types, Some(descr), data.exit, data.location);
        insts.push(direct);
        kept.append(&mut insts);
        Some(f.results(direct).next())
    }
}

/// Removes lambdas that nobody uses, and checks that they are not null.
fn remove_unused(f: &mut Function, lambdas: &Lambdas) {
    let mut removed = Marked::new(f);
    for (_, inst) in f.live_insts() {
        if f.inst(inst).op == Op::NullCheck && lambdas.of[f.args(inst)[0]].is_some() {
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
        if !used[f.result(inst)] {
            removed.add(inst);
        }
    }
    removed.remove(f);
}

//! The back edge of an unrolled trace: virtual states are matched and the short preamble is computed again (PyPy's
//! `jump_to_existing_trace`), which shows that the body may begin again.

use planish_base::Id;
use planish_ir::{ExitTarget, Inst, Terminator, Value};
use planish_ops::world::{Descr, TypeGuard};
use planish_ops::{Effect, Int, Op, Type};
use planish_pass::record::{Became, Kind};

use super::export::copy;
use super::peeling::Peeling;
use super::short::Short;
use super::state::{Leaf, Shape, share_bits};
use super::target::{Meets, Target};
use crate::engine::Cx;
use crate::engine::stage::Outcome;
use crate::memory::state::Memory;

/// An assumption about the next iteration does not hold.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Mismatch {
    /// A value has another shape than is assumed.
    Shape,
    /// Doing something again contradicts what is known, or there is no place to leave from.
    Holds,
}

impl Memory {
    /// A place at which added guards may leave.
    pub(crate) fn future_condition(&mut self, cx: &mut Cx<'_>, inst: Inst) -> Outcome {
        self.future = cx.f.inst(inst).exit;
        match cx.rewrite(Kind::Holds, inst, Became::Nothing) {
            true => Outcome::Gone,
            false => Outcome::Keep,
        }
    }

    /// Ends the body: with a jump to its own beginning where it may begin again, else to the start.
    pub(crate) fn close(&mut self, cx: &mut Cx<'_>) {
        let Some(mut peeling) = self.peeling.take() else { return };
        let body = peeling.peeled.body;
        let Terminator::Branch { other, .. } = cx.f.take_terminator(body) else { return };
        if cx.fails.is_some() {
            // Nothing comes around, so nothing is computed for it.
            let kept = used_imports(cx, &peeling, &[]);
            return self.keep_imports(cx, &peeling, &kept);
        }
        let args: Vec<Value> = cx.f.list(other.args).to_vec();
        let args: Vec<Value> = args.into_iter().map(|arg| cx.resolve(arg)).collect();
        self.force_strings(cx, &args);
        let args: Vec<Value> = args.into_iter().map(|arg| cx.resolve(arg)).collect();
        let next = match self.next_iteration(cx, &mut peeling, &args, false) {
            Ok(next) => Some(next),
            Err(_) => self.next_iteration(cx, &mut peeling, &args, true).ok(),
        };
        let enters = next.is_some();
        let kept = match next {
            Some(leaves) => {
                let kept = used_imports(cx, &peeling, &leaves);
                let mut values = leaves;
                for &id in &kept {
                    let param = cx.engine.imports.all[id].param;
                    let value = peeling.next[param].expect("what is used was computed again");
                    values.push(cx.resolve(value));
                }
                let call = cx.f.make_call(body, &values);
                cx.f.set_terminator(body, Terminator::Jump(call));
                kept
            }
            None => {
                for &arg in &args {
                    self.force(cx, arg);
                }
                self.flush_at_end(cx);
                let args: Vec<Value> = args.iter().map(|&arg| cx.resolve(arg)).collect();
                let kept = used_imports(cx, &peeling, &args);
                let call = cx.f.make_call(peeling.peeled.start, &args);
                cx.f.set_terminator(body, Terminator::Jump(call));
                kept
            }
        };
        peeling.shares_bits = enters && !cx.features.plain && share_bits_around(cx, &peeling, &kept);
        if cx.features.plain && enters {
            self.short = Short::of(cx, &peeling, &kept);
        }
        if self.meets == Meets::Followers {
            self.targets.extend(Target::of(cx, &peeling, &kept));
        }
        self.keep_imports(cx, &peeling, &kept);
        self.peeling = Some(peeling);
    }

    /// The values of the leaves for the next iteration, when every assumption of the body holds for it.
    pub(super) fn next_iteration(
        &mut self,
        cx: &mut Cx<'_>,
        peeling: &mut Peeling,
        args: &[Value],
        forcing: bool,
    ) -> Result<Vec<Value>, Mismatch> {
        peeling.next.clear();
        let mut values: Vec<Option<Value>> = vec![None; peeling.state.nodes.len()];
        let mut guards = Vec::new();
        for (position, (&root, &arg)) in peeling.state.roots.clone().iter().zip(args).enumerate() {
            let runtime = self.runtime.get(position).copied().flatten();
            self.same_shape(cx, peeling, root, arg, runtime, forcing, &mut values, &mut guards)?;
        }
        for (op, guarded) in guards {
            self.require(cx, op, &guarded)?;
        }
        let leaves: Vec<Value> =
            peeling.state.leaves.iter().map(|&leaf| values[leaf].expect("every leaf was compared")).collect();
        if forcing {
            leaves.iter().for_each(|&leaf| self.force(cx, leaf));
        }
        for (&leaf, &value) in peeling.state.leaves.iter().zip(&leaves) {
            let param = peeling.inside[leaf].expect("every node has a value");
            peeling.next[param] = Some(value);
        }
        // Computing one again may use another, and so may making what a store at the end refers to.
        let mut done = 0;
        loop {
            while done < cx.engine.imports.used.len() {
                let id = cx.engine.imports.used[done];
                done += 1;
                self.compute_again(cx, peeling, id)?;
            }
            for index in 0..cx.engine.imports.used.len() {
                let param = cx.engine.imports.all[cx.engine.imports.used[index]].param;
                if let Some(value) = peeling.next[param] {
                    self.force(cx, value);
                }
            }
            self.flush_at_end(cx);
            if done == cx.engine.imports.used.len() {
                break;
            }
        }
        Ok(leaves.into_iter().map(|leaf| cx.resolve(leaf)).collect())
    }

    /// Where PyPy is followed, the body carries a value from before it also where the operation that uses it turns out
    /// not to be needed.
    pub(crate) fn reached(&mut self, cx: &Cx<'_>, value: Value) {
        if let Some(peeling) = &mut self.peeling
            && cx.engine.imports.get(value).is_some()
        {
            peeling.reached.push((cx.emitted().len(), value));
        }
    }

    /// Compares a value of the next iteration with the shape that the body assumes.
    #[expect(clippy::too_many_arguments, reason = "the state of one recursive comparison")]
    fn same_shape(
        &mut self,
        cx: &mut Cx<'_>,
        peeling: &Peeling,
        node: usize,
        value: Value,
        runtime: Option<Value>,
        forcing: bool,
        values: &mut Vec<Option<Value>>,
        guards: &mut Vec<(Op, Vec<Value>)>,
    ) -> Result<(), Mismatch> {
        let value = cx.resolve(value);
        if let Some(before) = values[node] {
            return if before == value { Ok(()) } else { Err(Mismatch::Shape) };
        }
        values[node] = Some(value);
        let wanted = &peeling.state.nodes[node];
        match &wanted.shape {
            Shape::Constant if value == wanted.value => Ok(()),
            Shape::Constant if self.virtuals.is(value) || cx.f.constant(value).is_some() => {
                Err(Mismatch::Shape)
            }
            Shape::Constant if runtime == Some(wanted.value) => {
                guards.push((Op::GuardValue, vec![value, wanted.value]));
                Ok(())
            }
            Shape::Constant => Err(Mismatch::Shape),
            Shape::Leaf(leaf) if self.virtuals.is(value) => {
                match forcing && self.fits_made(cx, leaf, value) {
                    true => Ok(()),
                    false => Err(Mismatch::Shape),
                }
            }
            Shape::Leaf(leaf) if leaf.shortest > self.least_length(cx, value) => Err(Mismatch::Shape),
            Shape::Leaf(leaf) => fits(cx, leaf, value, runtime, guards),
            Shape::Object(fields) => {
                let (world, f) = (cx.world, &*cx.f);
                let inside = peeling.inside[node].expect("every node has a value");
                if !self.virtuals.alike(f, inside, value) {
                    return Err(Mismatch::Shape);
                }
                let here = self.virtuals.fields(world, value).ok_or(Mismatch::Shape)?;
                if here.len() != fields.len() {
                    return Err(Mismatch::Shape);
                }
                for (&(field, child), here) in fields.iter().zip(here) {
                    if field.cell != here.cell {
                        return Err(Mismatch::Shape);
                    }
                    self.same_shape(cx, peeling, child, here.value, None, forcing, values, guards)?;
                }
                Ok(())
            }
        }
    }

    /// Whether an object that would have to be made fits what is assumed of a leaf.
    fn fits_made(&self, cx: &mut Cx<'_>, leaf: &Leaf, value: Value) -> bool {
        let Some(class) = leaf.known.class else { return true };
        self.class_of_unmade(cx, value) == Some(class)
    }

    /// Does an operation from before the loop again, with what the next iteration has.
    fn compute_again(&mut self, cx: &mut Cx<'_>, peeling: &mut Peeling, id: usize) -> Result<(), Mismatch> {
        let import = &cx.engine.imports.all[id];
        let (inst, param, known, fact, constant) =
            (import.inst, import.param, import.known, import.fact, import.constant);
        let (shortest, unsure) = (import.shortest, import.unsure);
        let args: Vec<Value> = cx.f.args(inst).iter().map(|&arg| peeling.next[arg].unwrap_or(arg)).collect();
        let args: Vec<Value> = args.into_iter().map(|arg| cx.resolve(arg)).collect();
        if cx.features.plain {
            self.is_of_type(cx, inst, &args)?;
        }
        if cx.features.plain && matches!(cx.f.inst(inst).op, Op::GetItem | Op::StrGet) {
            self.is_long_enough(cx, inst, &args)?;
        }
        let again = copy(cx, inst, &args);
        cx.engine.dead.note_safe(again);
        if !self.may_be_done_again(cx, again) {
            return Err(Mismatch::Holds);
        }
        if unsure && let Some(value) = self.watched_before(cx, again) {
            // The next iteration asks, too, whether it changed, before it relies on it.
            let made = cx.f.result(again);
            cx.replace(made, value);
        } else if !self.send(cx, again) {
            return Err(Mismatch::Holds);
        }
        let made = cx.f.result(again);
        let value = cx.resolve(made);
        peeling.next[param] = Some(value);
        if cx.f.inst(again).op == Op::Call && value == made && self.may_raise(cx, again) {
            self.require(cx, Op::GuardNoException, &[])?;
        }
        if let Some(bit) = cx.f.results(again).nth(1) {
            let bit = cx.resolve(bit);
            self.require(cx, Op::GuardFalse, &[bit])?;
        }
        if shortest > self.least_length(cx, value) {
            return Err(Mismatch::Holds);
        }
        if let Some(constant) = constant {
            return self.require(cx, Op::GuardValue, &[value, constant]);
        }
        match known {
            crate::engine::refs::Known { class: Some(class), .. } => {
                self.require(cx, Op::GuardNonnullClass, &[value, class])?;
            }
            crate::engine::refs::Known { nonnull: true, .. } => {
                self.require(cx, Op::GuardNonnull, &[value])?;
            }
            _ => {}
        }
        if let Some(fact) = fact
            && !cx.fact(value).implies(fact)
        {
            let (width, location) = (cx.fact(value).width(), cx.f.inst(inst).location);
            let ty = cx.f.ty(value);
            for (op, bound) in [(Op::Ge, fact.lo()), (Op::Le, fact.hi())] {
                let bound = cx.f.make_constant(Int::new(width, bound as u64));
                let holds = cx.build(op, &[value, bound], &[ty], location);
                if cx.int(holds).is_none_or(|holds| !holds.is_true()) {
                    self.require(cx, Op::GuardTrue, &[holds])?;
                }
            }
        }
        Ok(())
    }

    /// Sees to it that an object has the place that is loaded again, by its type.
    fn is_of_type(&mut self, cx: &mut Cx<'_>, load: Inst, args: &[Value]) -> Result<(), Mismatch> {
        let (data, world) = (*cx.f.inst(load), cx.world);
        let (Op::GetField | Op::GetItem, Some(descr), Some(&base)) = (data.op, data.descr, args.first())
        else {
            return Ok(());
        };
        if cx.f.constant(base).is_some() || self.virtuals.is(base) {
            return Ok(());
        }
        if data.op == Op::GetItem && self.has_class(cx, base) {
            return Err(Mismatch::Holds);
        }
        let number = |cx: &mut Cx<'_>, symbol: u32| {
            cx.f.make_constant(planish_ir::Const::Symbol(Id::from_index(symbol as usize), Type::I64))
        };
        self.require_of(cx, Op::GuardNonnull, None, &[base])?;
        let layout = match world.owner(descr) {
            Some(class) => {
                let class = number(cx, class);
                if let Some(asks) = world.type_guard_of(TypeGuard::Object) {
                    self.require_of(cx, Op::GuardOther, Some(asks), &[base])?;
                }
                world.type_guard_of(TypeGuard::Derives).map(|asks| (asks, class))
            }
            None => world.layout_of(descr).and_then(|layout| {
                world.type_guard_of(TypeGuard::Layout).map(|asks| (asks, number(cx, layout)))
            }),
        };
        match layout {
            Some((asks, layout)) => self.require_of(cx, Op::GuardOther, Some(asks), &[base, layout]),
            None => Ok(()),
        }
    }

    /// Sees to it that an array or a string has an item that is loaded again. PyPy asks for the length of each.
    fn is_long_enough(&mut self, cx: &mut Cx<'_>, load: Inst, args: &[Value]) -> Result<(), Mismatch> {
        let data = *cx.f.inst(load);
        let (array, Some(index)) = (args[0], cx.int(args[1])) else { return Ok(()) };
        if cx.f.constant(array).is_some() {
            return Ok(());
        }
        let asks = if data.op == Op::StrGet { Op::StrLen } else { Op::ArrayLen };
        let length = cx.f.make_inst(asks, &[array], &[Type::I64], data.descr, None, data.location);
        if !self.send(cx, length) {
            return Err(Mismatch::Holds);
        }
        let length = cx.f.result(length);
        let length = cx.resolve(length);
        let least = cx.f.make_int(Type::I64, index.signed().saturating_add(1));
        let holds = cx.build(Op::Ge, &[length, least], &[Type::I64], data.location);
        match cx.int(holds) {
            Some(holds) if holds.is_true() => Ok(()),
            _ => self.require(cx, Op::GuardTrue, &[holds]),
        }
    }

    /// Sees to it that a guard holds from here on: it does, or is added.
    fn require(&mut self, cx: &mut Cx<'_>, op: Op, args: &[Value]) -> Result<(), Mismatch> {
        self.require_of(cx, op, None, args)
    }

    fn require_of(
        &mut self,
        cx: &mut Cx<'_>,
        op: Op,
        descr: Option<Descr>,
        args: &[Value],
    ) -> Result<(), Mismatch> {
        let location = planish_ir::Location::default();
        let inst = cx.f.make_inst(op, args, &[], descr, self.future, location);
        let mut outcome = cx.guard(inst);
        if outcome == Outcome::Keep {
            outcome = self.look_at(cx, inst);
        }
        match outcome {
            Outcome::Gone | Outcome::Value(_) => Ok(()),
            Outcome::Last => Err(Mismatch::Holds),
            Outcome::Keep if self.future.is_none() => Err(Mismatch::Holds),
            Outcome::Keep => {
                self.before_emitting(cx, inst);
                cx.emit(inst);
                cx.taught_by_guard(inst).map_err(|_| Mismatch::Holds)
            }
        }
    }

    /// Takes an operation through everything, as if it stood at the end of the body. Whether control
    /// comes past it.
    pub(crate) fn send(&mut self, cx: &mut Cx<'_>, inst: Inst) -> bool {
        cx.resolve_args(inst);
        match self.look_at(cx, inst) {
            Outcome::Gone => true,
            Outcome::Value(value) => {
                let result = cx.f.result(inst);
                cx.replace(result, value);
                true
            }
            Outcome::Last => false,
            Outcome::Keep => {
                self.before_emitting(cx, inst);
                match cx.f.row(inst).effect {
                    Effect::Pure => cx.visit(inst),
                    _ => {
                        cx.emit(inst);
                        true
                    }
                }
            }
        }
    }

    /// The body keeps parameters for its leaves and for those imports that are left in it.
    fn keep_imports(&mut self, cx: &mut Cx<'_>, peeling: &Peeling, kept: &[usize]) {
        let (start, body) = (peeling.peeled.start, peeling.peeled.body);
        let mut params: Vec<Value> =
            peeling.state.leaves.iter().filter_map(|&leaf| peeling.inside[leaf]).collect();
        let &Terminator::Jump(call) = cx.f.terminator(start) else { return };
        let mut outside = cx.f.list(call.args)[..params.len()].to_vec();
        for &id in kept {
            let import = &cx.engine.imports.all[id];
            params.push(import.param);
            // The list has the value as it was at the end of the first iteration.
            outside.push(cx.f.list(call.args)[peeling.state.leaves.len() + id]);
        }
        cx.f.set_params(body, &params);
        let first = cx.f.make_call(body, &outside);
        cx.f.set_terminator(start, Terminator::Jump(first));
    }
}

/// Whether a value is what the body assumes of a leaf, or may be made so by a guard.
fn fits(
    cx: &mut Cx<'_>,
    leaf: &Leaf,
    value: Value,
    runtime: Option<Value>,
    guards: &mut Vec<(Op, Vec<Value>)>,
) -> Result<(), Mismatch> {
    if let Some(fact) = leaf.fact
        && !cx.fact(value).implies(fact)
    {
        return Err(Mismatch::Shape);
    }
    let known = cx.engine.refs.get(cx.f, value);
    let null = cx.engine.refs.null(cx.f, value) == Some(true);
    match leaf.known.class {
        Some(class) => {
            let own = known.class.or_else(|| cx.class_of(value));
            if own == Some(class) {
                return Ok(());
            }
            if null || own.is_some() || runtime.is_none_or(|runtime| cx.class_of(runtime) != Some(class)) {
                return Err(Mismatch::Shape);
            }
            let op = if known.nonnull { Op::GuardClass } else { Op::GuardNonnullClass };
            guards.push((op, vec![value, class]));
            Ok(())
        }
        None if !leaf.known.nonnull || known.nonnull => Ok(()),
        None if null || runtime.is_none() => Err(Mismatch::Shape),
        None => {
            guards.push((Op::GuardNonnull, vec![value]));
            Ok(())
        }
    }
}

/// Whether bits are known of a parameter of the body whichever way one comes to it, which the body was walked without: its assumptions
/// are ranges (see [`general_fact`](super::state::general_fact)).
fn share_bits_around(cx: &mut Cx<'_>, peeling: &Peeling, kept: &[usize]) -> bool {
    let leaves =
        peeling.state.leaves.iter().map(|&leaf| (peeling.state.nodes[leaf].value, peeling.inside[leaf]));
    let imports = kept.iter().map(|&id| &cx.engine.imports.all[id]);
    let imports = imports.map(|import| (import.outside, Some(import.param)));
    let pairs = leaves.chain(imports).filter_map(|(first, param)| Some((first, peeling.next[param?]?)));
    let pairs: Vec<(Value, Value)> = pairs.collect();
    pairs.into_iter().any(|(first, next)| share_bits(cx, first, next))
}

/// The imports whose parameters the body still has a use for, in the order of the first.
fn used_imports(cx: &Cx<'_>, peeling: &Peeling, leaves: &[Value]) -> Vec<usize> {
    let imports = &cx.engine.imports;
    let mut kept = Vec::new();
    let mut seen = vec![false; imports.all.len()];
    let mut note = |value: Value, kept: &mut Vec<usize>| {
        if let Some(id) = imports.get(value)
            && !std::mem::replace(&mut seen[id], true)
        {
            kept.push(id);
        }
    };
    let mut reached = peeling.reached.iter().peekable();
    for (position, &inst) in cx.emitted().iter().enumerate() {
        while let Some((_, value)) = reached.next_if(|&&(before, _)| before <= position) {
            note(*value, &mut kept);
        }
        cx.f.args(inst).iter().for_each(|&arg| note(arg, &mut kept));
        if let Some(exit) = cx.f.inst(inst).exit {
            cx.f.exit_args(exit).iter().for_each(|&arg| note(arg, &mut kept));
        }
    }
    reached.for_each(|&(_, value)| note(value, &mut kept));
    leaves.iter().for_each(|&leaf| note(leaf, &mut kept));
    // What comes around for one may be another.
    let mut done = 0;
    while done < kept.len() {
        let param = imports.all[kept[done]].param;
        done += 1;
        if let Some(value) = peeling.next[param] {
            note(cx.peek(value), &mut kept);
        }
    }
    kept
}

/// Whether an operation marks where guards leave that are added. It never fails itself.
pub(crate) fn is_future(cx: &Cx<'_>, inst: Inst) -> bool {
    let data = cx.f.inst(inst);
    data.op == Op::GuardOther
        && data.descr.is_some_and(|descr| cx.world.only_marks(descr))
        && data.exit.is_some_and(|exit| matches!(cx.f.exit(exit).target, ExitTarget::Leave(_)))
}

impl Cx<'_> {
    /// The address of the class of a constant object, where it is known.
    pub(crate) fn class_of(&mut self, value: Value) -> Option<Value> {
        let planish_ir::Const::Symbol(symbol, Type::Ref) = self.f.constant(value)? else { return None };
        let class = self.world.class_of(symbol.index() as u32)?;
        let class = <planish_ir::Symbol as Id>::from_index(class as usize);
        Some(self.f.make_constant(planish_ir::Const::Symbol(class, Type::I64)))
    }
}

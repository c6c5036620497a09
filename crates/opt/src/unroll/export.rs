//! Exported state of a trace loop (PyPy's `ExportedState`): parameters, virtual objects and reusable results that go
//! from the end of the first iteration into the body.

use hashbrown::HashMap;
use planish_ir::{Block, Inst, Location, Terminator, Value};
use planish_ops::world::{Descr, Mutability};
use planish_ops::{Effect, Op, Type};
use rustc_hash::FxBuildHasher;

use super::peeling::Peeling;
use super::state::{Shape, State, general_fact};
use crate::engine::Cx;
use crate::engine::numbering::{Key, Known};
use crate::memory::heap::Held;
use crate::memory::place::Key as Place;
use crate::memory::state::Memory;
use crate::memory::virtuals::Field;

/// An operation of the first iteration that the loop may do again.
struct Candidate {
    op: Op,
    args: Vec<Value>,
    descr: Option<Descr>,
    location: Location,
    /// Its result before the loop.
    outside: Value,
    /// The object whose place holds the result, if it is a load.
    place: Option<(Place, Held)>,
    /// Whether it is known not to overflow.
    checked: bool,
    call: bool,
}

impl Candidate {
    /// An operation that stands nowhere in the source.
    fn of(op: Op, args: Vec<Value>, descr: Descr, outside: Value) -> Candidate {
        let (location, descr) = (Location::default(), Some(descr));
        Candidate { op, args, descr, location, outside, place: None, checked: false, call: false }
    }
}

/// How the loop gets at a value from before.
#[derive(Clone, Copy)]
enum Source {
    /// It is the value of a node of the state.
    Node(usize),
    /// Some candidate makes it.
    Candidate(usize),
}

impl Memory {
    /// The end of the first iteration: the body gets its parameters.
    pub(crate) fn export(&mut self, cx: &mut Cx<'_>) {
        let Some(peeling) = &mut self.peeling else { return };
        let (start, body) = (peeling.peeled.start, peeling.peeled.body);
        let &Terminator::Jump(call) = cx.f.terminator(start) else { return };
        let args: Vec<Value> = cx.f.list(call.args).to_vec();
        let args: Vec<Value> = args.into_iter().map(|arg| cx.resolve(arg)).collect();
        peeling.old_params = cx.f.block_params(body).to_vec();
        self.force_strings(cx, &args);
        self.flush_at_end(cx);
        let state = State::of(cx, &self.virtuals, &self.shortest, &args);
        cx.f.retain_params(body, |_| false);
        let mut outside = state.leaf_values();
        let mut inside: Vec<Option<Value>> = vec![None; state.nodes.len()];
        for &leaf in &state.leaves {
            let ty = cx.f.ty(state.nodes[leaf].value);
            inside[leaf] = Some(cx.f.add_param(body, ty));
        }
        let Some(peeling) = &mut self.peeling else { return };
        (peeling.state, peeling.inside) = (state, inside);
        self.import(cx, body);
        let imports = &cx.engine.imports;
        outside.extend(imports.all.iter().map(|import| import.outside));
        if cx.features.plain
            && let Some(peeling) = &mut self.peeling
        {
            peeling.accessed = std::mem::take(&mut self.accessed);
        }
        let first = cx.f.make_call(body, &outside);
        cx.f.set_terminator(start, Terminator::Jump(first));
        if let Terminator::Branch { condition, other, .. } = *cx.f.terminator(body) {
            let open = vec![condition; outside.len()];
            let then = cx.f.make_call(body, &open);
            cx.f.set_terminator(body, Terminator::Branch { condition, then, other });
        }
    }

    /// Makes the values of the body: objects that are not made, and results to use again.
    fn import(&mut self, cx: &mut Cx<'_>, body: Block) {
        let Some(mut peeling) = self.peeling.take() else { return };
        // Objects first: fields may lead in circles.
        for (id, node) in peeling.state.nodes.iter().enumerate() {
            match node.shape {
                Shape::Constant => peeling.inside[id] = Some(node.value),
                Shape::Leaf(_) => {}
                Shape::Object(_) => {
                    let inst = cx.f.def_inst(node.value).expect("an object is an allocation's result");
                    let args = cx.f.args(inst).to_vec();
                    let again = copy(cx, inst, &args);
                    peeling.inside[id] = Some(cx.f.result(again));
                }
            }
        }
        let candidates = self.candidates(cx, &peeling);
        let mut sources: HashMap<Value, Source, FxBuildHasher> = HashMap::default();
        for (id, candidate) in candidates.iter().enumerate() {
            // A computation is a better source than memory.
            let source = sources.entry(candidate.outside).or_insert(Source::Candidate(id));
            if let Source::Candidate(other) = *source
                && candidates[other].place.is_some()
                && candidate.place.is_none()
            {
                *source = Source::Candidate(id);
            }
        }
        for (id, node) in peeling.state.nodes.iter().enumerate() {
            sources.insert(node.value, Source::Node(id));
        }
        let mut work = Producing { candidates: &candidates, sources, made: Vec::new(), body };
        work.made.resize(candidates.len(), Made::Not);
        for id in 0..candidates.len() {
            work.produce(cx, &peeling.inside, id);
        }
        if cx.features.plain {
            for import in &mut cx.engine.imports.all {
                import.shortest = self.shortest[import.outside];
            }
        }
        peeling.next.clear();
        self.imported_places = (candidates.iter().zip(&work.made))
            .filter_map(|(candidate, made)| match (*made, candidate.place) {
                (Made::Import(id), Some((place, held))) => Some((id, place, held)),
                _ => None,
            })
            .collect();
        self.imported_calls = (candidates.iter().zip(&work.made))
            .filter_map(|(candidate, made)| match *made {
                Made::Import(id) if candidate.call => Some(id),
                _ => None,
            })
            .collect();
        self.peeling = Some(peeling);
    }

    /// Everything at the end of the first iteration that gives a value and could be done again.
    fn candidates(&mut self, cx: &mut Cx<'_>, peeling: &Peeling) -> Vec<Candidate> {
        let mut found = Vec::new();
        let emitted = cx.emitted().to_vec();
        for (index, &inst) in emitted.iter().enumerate() {
            let data = *cx.f.inst(inst);
            let call = data.op == Op::Call
                && (self.may_be_moved(cx, inst)
                    || gives_the_same(cx, peeling, inst, emitted.get(index + 1).copied()));
            // Strings do not change once they are seen.
            let character = data.op == Op::StrGet && self.strings.is_read(cx.f.args(inst));
            if cx.f.row(inst).effect != Effect::Pure && !call && !character {
                continue;
            }
            let checked = match cx.f.results(inst).len() {
                1 => false,
                2 if guards_no_overflow(cx, emitted.get(index + 1).copied(), inst) => true,
                _ => continue,
            };
            found.push(Candidate {
                op: data.op,
                args: cx.f.args(inst).to_vec(),
                descr: data.descr,
                location: data.location,
                outside: cx.f.result(inst),
                place: None,
                checked,
                call,
            });
        }
        for (callee, args, outside) in self.lasting_look_ups(cx) {
            if (0..args.len()).all(|at| comes_around(cx, peeling, args[at])) {
                found.push(Candidate { call: true, ..Candidate::of(Op::Call, args, callee, outside) });
            }
        }
        for (way, base, index, value) in self.heap.constant_items() {
            let [base, index, value] = [base, index, value].map(|value| cx.resolve(value));
            if !self.virtuals.is(base) && !self.virtuals.is(value) {
                found.push(Candidate::of(way.load, vec![base, index], way.descr, value));
            }
        }
        for (place, mut held, base, value) in self.heap.contents() {
            let Some(way) = self.heap.way(place.class) else { continue };
            let (op, descr) = (way.load, way.descr);
            let (base, value) = (cx.resolve(base), cx.resolve(value));
            if self.virtuals.is(base) || self.virtuals.is(value) {
                continue;
            }
            if cx.features.plain && matches!(held, Held::Watched | Held::WatchedBefore) {
                // PyPy's watched places are marked operation by operation.
                let cell = self.heap.cell(place);
                if self.heap.in_memory(cell, base).is_none() {
                    continue;
                }
                held = Held::Now;
            }
            let mut args = vec![base];
            if op != Op::GetField {
                args.push(cx.f.make_int(Type::I64, place.index));
            }
            let place = Some((place, held));
            found.push(Candidate { place, ..Candidate::of(op, args, descr, value) });
        }
        found
    }

    /// The body begins: what was exported holds.
    pub(crate) fn enter_body(&mut self, cx: &mut Cx<'_>) {
        let Some(peeling) = self.peeling.take() else { return };
        for (&param, &root) in peeling.old_params.iter().zip(&peeling.state.roots) {
            cx.replace(param, peeling.inside[root].expect("every node has a value"));
        }
        for (id, node) in peeling.state.nodes.iter().enumerate() {
            let value = peeling.inside[id].expect("every node has a value");
            match &node.shape {
                Shape::Constant => {}
                Shape::Leaf(leaf) => {
                    cx.engine.refs.learn(cx.f, value, leaf.known);
                    self.shortest[value] = leaf.shortest;
                    self.accessed.is_as(value, &peeling.accessed, node.value);
                    if let Some(fact) = leaf.fact {
                        cx.engine.facts.define(value, fact);
                    }
                }
                Shape::Object(fields) => {
                    let inst = cx.f.def_inst(value).expect("an object is an allocation's result");
                    self.keep_back(cx, inst);
                    let Some(object) = self.virtuals.object(value) else { continue };
                    for (field, child) in fields {
                        let child = peeling.inside[*child].expect("every node has a value");
                        self.virtuals.set(object, Field { value: child, ..*field });
                    }
                }
            }
        }
        for id in 0..cx.engine.imports.all.len() {
            let import = &cx.engine.imports.all[id];
            let (inst, param, known, fact) = (import.inst, import.param, import.known, import.fact);
            let (shortest, outside) = (import.shortest, import.outside);
            self.accessed.is_as(param, &peeling.accessed, outside);
            cx.engine.refs.learn(cx.f, param, known);
            if let Some(fact) = fact {
                cx.engine.facts.define(param, fact);
            }
            self.shortest[param] = shortest;
            if cx.f.inst(inst).op == Op::StrGet {
                let [string, index] = [0, 1].map(|at| cx.f.args(inst)[at]);
                self.strings.remember(string, index, param);
            } else if cx.f.inst(inst).op == Op::GetItem && cx.int(cx.f.args(inst)[1]).is_none() {
                let [array, index] = [0, 1].map(|at| cx.f.args(inst)[at]);
                let location = cx.f.inst(inst).descr.and_then(|descr| cx.world.location(descr));
                if let Some(location) = location {
                    self.heap.learn_constant_item(location.alias_class, array, index, param);
                }
            } else if cx.f.row(inst).effect == Effect::Pure {
                let key = cx.key(inst);
                let pair = cx.f.results(inst).len() == 2;
                let found = if pair { Known::Checked(param) } else { Known::Value(param) };
                cx.engine.numbering.insert(cx.f, key, found);
                if pair && let Some(plain) = crate::engine::pure::without_overflow_bit(cx.f.inst(inst).op) {
                    let key = Key::short(plain, cx.f.args(inst), Some(cx.f.ty(param)));
                    cx.engine.numbering.insert(cx.f, key, Known::Value(param));
                }
            }
        }
        for (id, place, held) in std::mem::take(&mut self.imported_places) {
            let import = &cx.engine.imports.all[id];
            let (base, value) = (cx.f.args(import.inst)[0], import.param);
            let cell = self.heap.cell(place);
            let mutability = match held {
                Held::Now => Mutability::Mutable,
                Held::Watched | Held::WatchedBefore => Mutability::QuasiImmutable,
                Held::Always => Mutability::Immutable,
            };
            match held {
                Held::WatchedBefore => self.heap.learn_unsure(cell, base, value),
                _ => self.heap.learn(cell, base, value, mutability),
            }
            cx.engine.refs.is_there(cx.f, base);
        }
        for id in std::mem::take(&mut self.imported_calls) {
            let import = &cx.engine.imports.all[id];
            self.remember_call(cx, import.inst, import.param);
        }
        self.peeling = Some(peeling);
    }
}

/// Whether a call that only computes has operands that come around as they are, and a guard behind it says that it
/// did not raise: then it gives the same in every iteration, and does not raise there either.
fn gives_the_same(cx: &mut Cx<'_>, peeling: &Peeling, call: Inst, next: Option<Inst>) -> bool {
    let guarded = next.is_some_and(|next| cx.f.inst(next).op == Op::GuardNoException);
    let effect = cx.f.inst(call).descr.map(|descr| cx.world.call_effect(descr));
    // PyPy takes no such call along that may raise.
    if cx.features.plain
        || !guarded
        || cx.f.results(call).len() != 1
        || !effect.is_some_and(|effect| effect.elidable)
    {
        return false;
    }
    (0..cx.f.args(call).len()).all(|index| comes_around(cx, peeling, cx.f.args(call)[index]))
}

/// Whether a value of the first iteration is the same in every other: it is a constant, or a parameter that is handed over as it
/// is.
fn comes_around(cx: &mut Cx<'_>, peeling: &Peeling, value: Value) -> bool {
    let value = cx.resolve(value);
    if cx.f.constant(value).is_some() {
        return true;
    }
    let Terminator::Branch { other, .. } = *cx.f.terminator(peeling.peeled.body) else { return false };
    let around = cx.f.list(other.args).iter().zip(&peeling.old_params).zip(&peeling.state.roots);
    around.into_iter().any(|((next, now), &root)| next == now && peeling.state.nodes[root].value == value)
}

/// Whether a guard behind arithmetic says that it did not overflow.
fn guards_no_overflow(cx: &Cx<'_>, guard: Option<Inst>, arithmetic: Inst) -> bool {
    let bit = cx.f.results(arithmetic).nth(1);
    guard.is_some_and(|guard| cx.f.inst(guard).op == Op::GuardFalse && Some(cx.f.args(guard)[0]) == bit)
}

/// The same operation on other operands; it stands nowhere and has no exit.
pub(super) fn copy(cx: &mut Cx<'_>, inst: Inst, args: &[Value]) -> Inst {
    let data = *cx.f.inst(inst);
    let types: Vec<Type> = cx.f.results(inst).map(|result| cx.f.ty(result)).collect();
    cx.f.make_inst(data.op, args, &types, data.descr, None, data.location)
}

/// What became of a candidate.
#[derive(Clone, Copy)]
enum Made {
    Not,
    /// It is being made: its operands lead back to it.
    Begun,
    Never,
    Import(usize),
}

/// Making imports of candidates whose operands the loop has.
struct Producing<'a> {
    candidates: &'a [Candidate],
    sources: HashMap<Value, Source, FxBuildHasher>,
    made: Vec<Made>,
    body: Block,
}

impl Producing<'_> {
    fn produce(&mut self, cx: &mut Cx<'_>, inside: &[Option<Value>], id: usize) -> Option<usize> {
        match self.made[id] {
            Made::Import(import) => return Some(import),
            Made::Begun | Made::Never => return None,
            Made::Not => self.made[id] = Made::Begun,
        }
        self.made[id] = Made::Never;
        let candidate = &self.candidates[id];
        let mut operands = Vec::new();
        let mut args = Vec::new();
        self.made[id] = Made::Begun;
        for &arg in &candidate.args {
            if cx.f.constant(arg).is_some() {
                args.push(arg);
                continue;
            }
            let resolved = cx.resolve(arg);
            if resolved == candidate.outside {
                self.made[id] = Made::Never;
                return None;
            }
            // What a guard has made a constant is one in the loop only if it is computed again; to PyPy the operation
            // has what it had when it was made.
            let became_constant = cx.f.constant(resolved).is_some();
            let now = Some(&resolved).filter(|_| !(cx.features.plain && became_constant));
            let source = self.sources.get(&arg).or_else(|| self.sources.get(now?)).copied();
            let value = match source {
                Some(Source::Node(node)) => inside[node],
                Some(Source::Candidate(other)) if other != id => {
                    let import = self.produce(cx, inside, other);
                    import.map(|import| {
                        operands.push(import);
                        let param = cx.engine.imports.all[import].param;
                        cx.engine.imports.seen(param)
                    })
                }
                _ if now.is_some() && became_constant => Some(resolved),
                _ => None,
            };
            match value {
                Some(value) => args.push(value),
                None => {
                    self.made[id] = Made::Never;
                    return None;
                }
            }
        }
        let ty = cx.f.ty(candidate.outside);
        let types: &[Type] = if candidate.checked { &[ty, Type::I1] } else { &[ty] };
        let inst = cx.f.make_inst(candidate.op, &args, types, candidate.descr, None, candidate.location);
        let param = cx.f.add_param(self.body, ty);
        let resolved = cx.resolve(candidate.outside);
        let constant = cx.f.constant(resolved).map(|_| resolved);
        let import = cx.engine.imports.add(inst, candidate.outside, param, constant, operands);
        let (known, fact) = (cx.engine.refs.get(cx.f, resolved), general_fact(cx, resolved));
        let made = &mut cx.engine.imports.all[import];
        (made.known, made.fact) = (known, fact);
        made.unsure = matches!(candidate.place, Some((_, Held::WatchedBefore)));
        self.made[id] = Made::Import(import);
        Some(import)
    }
}

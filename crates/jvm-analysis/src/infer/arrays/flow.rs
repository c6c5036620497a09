//! Points-to constraints of bodies: which places may hold the same arrays.
//!
//! Each body is walked once. A value that may be an array gets a node, as do fields, parameters and results whose type
//! lets them hold one: an array, `Object`, or an interface, of which a verifier checks nothing. Where an array may pass
//! from one to another, both become one node, with what is known of them. An object of a class is no array, so it does
//! not connect what it goes through. Calls go to all methods to which they may lead on any receiver; those that may lead
//! to many connect these once. O(instructions), nearly.

use std::rc::Rc;

use hashbrown::HashMap;
use planish_base::Id;
use planish_classfile::descriptor::{MethodType, Type as JavaType};
use planish_classfile::{Flags, Opcode};
use planish_domain::{Class as Bound, RefFact};
use planish_ir::{Block, Def, Function, Inst, Terminator, Value};
use planish_jvm_model::hierarchy::{ClassId, Hierarchy};
use planish_jvm_model::program::{Field, Method, Program};
use planish_ops::{Op, Type};
use rustc_hash::FxBuildHasher;

use crate::dispatch::{SetId, Targets};
use crate::infer::arrays::filled::Filling;
use crate::infer::arrays::nodes::{Node, Nodes};
use crate::infer::fact::{Fact, class as class_of};
use crate::infer::state::array_use::ArrayUse;
use crate::infer::state::arrays::{ArrayClass, Arrays, Items};
use crate::infer::state::sets::FEW;
use crate::infer::state::sites::{Callee, Site};
use crate::infer::state::{Analysis, Body};
use crate::variant::{Part, Variant};

/// A method, as those that call it see it.
#[derive(Default)]
struct Ends {
    parameters: Vec<Option<Node>>,
    result: Option<Node>,
    /// Nobody knows what it does.
    is_dark: bool,
}

/// The walk.
struct Flow<'h> {
    hierarchy: &'h Hierarchy,
    nodes: Nodes,
    fields: Vec<Option<Node>>,
    methods: Vec<Ends>,
    /// Of the methods to which calls of a set lead one that stands for all.
    sets: HashMap<SetId, Method, FxBuildHasher>,
    /// By value of the body at hand.
    of: Vec<Option<Node>>,
    /// By value of the body at hand whether it was passed on as no array.
    is_asked: Vec<bool>,
    filling: Filling,
    /// By method the values through which it loads and stores.
    used: Vec<Vec<(Value, Node)>>,
}

impl Analysis<'_, '_, '_> {
    /// Finds the classes of arrays, once it is known which fields and methods are open. `settled` are final fields that
    /// nobody sees before constructors set them.
    pub(in crate::infer) fn find_arrays(&mut self, settled: &[Field]) -> Arrays {
        let bodies = std::mem::take(&mut self.bodies);
        let mut flow = Flow::new(self, &bodies, settled);
        for (method, body) in self.program.methods.ids().zip(&bodies) {
            if let Some(body) = body {
                let sites = Rc::clone(&self.sites[body.class.index()]);
                flow.body(self, (method, body), &sites);
            }
        }
        for method in self.program.methods.ids() {
            flow.unify_variants(self, method);
        }
        self.bodies = bodies;
        flow.classes()
    }
}

impl<'h> Flow<'h> {
    fn new(analysis: &Analysis<'_, 'h, '_>, bodies: &[Option<Body>], settled: &[Field]) -> Self {
        let program = analysis.program;
        let mut flow = Flow {
            hierarchy: program.hierarchy,
            nodes: Nodes::default(),
            fields: Vec::with_capacity(program.counts()[2]),
            methods: Vec::with_capacity(bodies.len()),
            sets: HashMap::default(),
            of: Vec::new(),
            is_asked: Vec::new(),
            filling: Filling::default(),
            used: vec![Vec::new(); bodies.len()],
        };
        for (field, info) in program.fields.iter() {
            let ty = JavaType::parse(program.descriptor(info.selector));
            let node = flow.place(ty);
            if let Some(node) = node {
                let traits = flow.nodes.of(node);
                traits.is_open = analysis.fields[field.index()].is_open;
                traits.is_racy = !info.flags.has(Flags::STATIC);
            }
            flow.fields.push(node);
        }
        for field in settled {
            if let Some(node) = flow.fields[field.index()] {
                flow.nodes.of(node).is_racy = false;
            }
        }
        for (method, body) in program.methods.ids().zip(bodies) {
            let ends = match body {
                Some(_) => flow.ends(analysis, method),
                None => Ends { is_dark: true, ..Ends::default() },
            };
            flow.methods.push(ends);
        }
        flow
    }

    /// A node for a place of a declared type.
    fn place(&mut self, ty: Option<JavaType<'_>>) -> Option<Node> {
        let may_hold = match ty {
            None | Some(JavaType::Array(_)) => true,
            Some(JavaType::Object(name)) => {
                self.hierarchy.lookup(name).is_none_or(|class| self.may_be_array(class))
            }
            Some(_) => false,
        };
        may_hold.then(|| self.nodes.new_node())
    }

    /// Whether a place whose type is a class may hold an array.
    fn may_be_array(&self, class: ClassId) -> bool {
        class == self.hierarchy.object() || self.hierarchy.is_interface(class) != Some(false)
    }

    fn ends(&mut self, analysis: &Analysis<'_, '_, '_>, method: Method) -> Ends {
        let program = analysis.program;
        let info = &program.methods[method];
        let mut ends = Ends::default();
        let Some(ty) = MethodType::parse(program.descriptor(info.selector)) else {
            return Ends { is_dark: true, ..ends };
        };
        if !info.flags.has(Flags::STATIC) {
            ends.parameters.push(None);
        }
        ends.parameters.extend(ty.parameters().map(|ty| self.place(Some(ty))));
        ends.result = ty.result().and_then(|ty| self.place(Some(ty)));
        if analysis.methods[method.index()].is_open || analysis.reach.is_open(method) {
            for &node in ends.parameters.iter().chain([&ends.result]).flatten() {
                self.nodes.open(node);
            }
        }
        ends
    }

    /// Whether a value of which this is known may be an array.
    fn may_hold(&self, fact: Fact) -> bool {
        match fact {
            Fact::Ref(known) => match known.object() {
                Some(Bound::AtMost(class) | Bound::Exactly(class)) => self.may_be_array(class_of(class)),
                Some(Bound::Any) => true,
                None => false,
            },
            _ => true,
        }
    }

    fn body(&mut self, analysis: &mut Analysis<'_, '_, '_>, (method, body): (Method, &Body), sites: &[Site]) {
        let f = &body.function;
        self.of.clear();
        self.of.resize(f.value_count(), None);
        let mut any = false;
        for (&param, &node) in f.params().iter().zip(&self.methods[method.index()].parameters) {
            self.of[param.index()] = node;
            any |= node.is_some();
        }
        for (_, inst) in f.live_insts() {
            if let Some(value) = f.first_result(inst).filter(|&value| f.ty(value) == Type::Ref) {
                let node = self.made(f, inst, sites);
                self.of[value.index()] = node;
                any |= node.is_some();
            }
        }
        if !any {
            return;
        }
        self.is_asked.clear();
        self.is_asked.resize(f.value_count(), false);
        self.pass_on(f);
        for &block in f.blocks() {
            let mut makes = false;
            for &inst in f.block_insts(block) {
                makes |= f.inst(inst).op == Op::NewArray;
                self.inst(analysis, (method, f), inst, sites);
            }
            if makes {
                self.made_in(f, block, sites);
            }
            if let Terminator::Return(results) = f.terminator(block)
                && let Some(&result) = f.list(*results).first()
            {
                self.connect(self.of[result.index()], self.methods[method.index()].result);
            }
        }
        let used = &mut self.used[method.index()];
        used.sort_unstable();
        used.dedup();
    }

    /// A node for what an instruction gives, if that may be an array.
    fn made(&mut self, f: &Function, inst: Inst, sites: &[Site]) -> Option<Node> {
        let data = f.inst(inst);
        let may_hold = match (data.op, data.descr.map(|descr| &sites[descr.index()])) {
            (_, Some(Site::Field(field))) => return self.fields[field.index()],
            (Op::Call, Some(Site::OtherField { fact, .. } | Site::Gives(fact))) => self.may_hold(*fact),
            (Op::Call, Some(Site::Call(callee))) => self.may_hold(callee.result),
            // Else it throws: no array is of a class, or of an interface but those of all arrays.
            (Op::Call, Some(Site::Cast(class))) => {
                let name = self.hierarchy.name(*class);
                matches!(name, b"java/lang/Object" | b"java/lang/Cloneable" | b"java/io/Serializable")
            }
            (Op::Call, Some(Site::New(_) | Site::Test(_) | Site::TestForArray)) => false,
            _ => true,
        };
        may_hold.then(|| self.nodes.new_node())
    }

    /// What is passed to blocks and handlers is there, too. Once more as long as something that was passed on before turns
    /// out to be an array.
    fn pass_on(&mut self, f: &Function) {
        let mut changed = true;
        while std::mem::replace(&mut changed, false) {
            for &block in f.blocks() {
                for call in f.block_calls(block) {
                    changed |= self.pass(f.block_params(call.block), f.list(call.args));
                }
                for (exit, handler) in f.handlers(block) {
                    let params = f.block_params(handler.block);
                    changed |= self.pass(params.get(1..).unwrap_or_default(), f.exit_args(exit));
                }
            }
        }
    }

    /// Whether something that was passed on before is an array.
    fn pass(&mut self, params: &[Value], args: &[Value]) -> bool {
        let mut is_late = false;
        for (param, arg) in params.iter().zip(args) {
            match (self.of[param.index()], self.of[arg.index()]) {
                (_, None) => self.is_asked[arg.index()] = true,
                (None, Some(node)) => {
                    self.of[param.index()] = Some(node);
                    is_late |= self.is_asked[param.index()];
                }
                (known, passed) => self.connect(known, passed),
            }
        }
        is_late
    }

    fn parameter(&self, method: Method, place: usize) -> Option<Node> {
        self.methods[method.index()].parameters.get(place).copied().flatten()
    }

    fn connect(&mut self, one: Option<Node>, other: Option<Node>) {
        if let (Some(one), Some(other)) = (one, other)
            && one != other
        {
            self.nodes.unify(one, other);
        }
    }

    fn open(&mut self, node: Option<Node>) {
        node.into_iter().for_each(|node| self.nodes.open(node));
    }

    /// Where arrays get by an instruction.
    fn inst(
        &mut self,
        analysis: &mut Analysis<'_, '_, '_>,
        (method, f): (Method, &Function),
        inst: Inst,
        sites: &[Site],
    ) {
        let data = f.inst(inst);
        let site = data.descr.map(|descr| &sites[descr.index()]);
        let args = f.args(inst);
        let arg = |flow: &Self, place: usize| args.get(place).and_then(|arg: &Value| flow.of[arg.index()]);
        let result = f.first_result(inst).and_then(|value| self.of[value.index()]);
        match (data.op, site) {
            (Op::GetItem | Op::SetItem, Some(Site::Items(items))) => {
                let item = if data.op == Op::GetItem { result } else { arg(self, 2) };
                let Some(array) = arg(self, 0) else { return self.open(item) };
                self.used[method.index()].push((args[0], array));
                if *items == Items::Reference && item.is_some() {
                    let of_array = self.nodes.items(array);
                    self.connect(Some(of_array), item);
                }
            }
            (Op::SetField | Op::SetStatic | Op::Call, Some(Site::Field(field)))
                if f.first_result(inst).is_none() =>
            {
                let Some(node) = self.fields[field.index()] else { return };
                let stored = args.last().and_then(|stored| self.of[stored.index()]);
                self.connect(Some(node), stored);
                if !sets_for_all(analysis.program, (method, f), *field, args) {
                    self.nodes.of(node).is_racy = true;
                }
            }
            (Op::GetField | Op::GetStatic | Op::Call, Some(Site::Field(_))) => {}
            (Op::Call, Some(Site::Call(callee))) => {
                if callee.array_use != ArrayUse::Unknown {
                    return self.call_of_library(callee, (method, f), inst);
                }
                // An array has the methods of `Object`, which do nothing to it.
                let first = usize::from(!matches!(callee.op, Opcode::Invokestatic | Opcode::Invokedynamic));
                if result.is_some() || args.iter().skip(first).any(|arg| self.of[arg.index()].is_some()) {
                    let targets = analysis.leads(callee, RefFact::TOP);
                    self.call(&targets, (first, args), result);
                }
            }
            (Op::Call, Some(Site::Nested(depth))) => {
                let Some(mut array) = result else { return };
                for _ in 1..*depth {
                    self.nodes.of(array).holds_made = true;
                    array = self.nodes.items(array);
                }
                Items::ALL.into_iter().for_each(|items| self.nodes.leave_unset(array, items));
            }
            (Op::Call, Some(Site::Cast(_) | Site::CastToArray | Site::CastToMissing(_))) => {
                self.connect(arg(self, 0), result)
            }
            (Op::NullCheck, _) => self.connect(arg(self, 0), result),
            (Op::NewArray | Op::ArrayLen | Op::IsNull | Op::IsNonnull | Op::RefEq | Op::RefNe, _) => {}
            (Op::Call, Some(Site::New(_) | Site::Test(_) | Site::TestForArray)) => {}
            _ => {
                (0..args.len()).for_each(|place| self.open(arg(self, place)));
                self.open(result);
            }
        }
    }

    /// The arrays that a block makes.
    fn made_in(&mut self, f: &Function, block: Block, sites: &[Site]) {
        let (of, nodes) = (&self.of, &mut self.nodes);
        self.filling.block(f, block, |array, is_filled| {
            let Some(node) = of[array.index()].filter(|_| !is_filled) else { return };
            let site =
                f.def_inst(array).and_then(|made| f.inst(made).descr).map(|descr| &sites[descr.index()]);
            match site {
                Some(Site::Items(items)) => nodes.leave_unset(node, *items),
                _ => nodes.open(node),
            }
        });
    }

    /// A call that may lead to these methods. Its arguments begin at the `first`.
    fn call(&mut self, targets: &Targets, (first, args): (usize, &[Value]), result: Option<Node>) {
        let mut is_known = !targets.outside;
        let together = targets.set.filter(|_| targets.methods.len() > FEW);
        let some = match together {
            Some(set) => {
                let one = targets.methods[0];
                if self.sets.insert(set, one).is_none() {
                    targets.methods[1..].iter().for_each(|&method| self.unify_methods(one, method));
                }
                &targets.methods[..1]
            }
            None => &targets.methods[..],
        };
        for &method in some {
            is_known &= !self.methods[method.index()].is_dark;
            for (place, arg) in args.iter().enumerate().skip(first) {
                self.connect(self.parameter(method, place), self.of[arg.index()]);
            }
            self.connect(self.methods[method.index()].result, result);
        }
        if !is_known {
            args.iter().skip(first).for_each(|arg| self.open(self.of[arg.index()]));
            self.open(result);
        }
    }

    /// Calls of one lead to the other as well.
    fn unify_methods(&mut self, one: Method, other: Method) {
        let places = self.methods[one.index()].parameters.len();
        for place in 0..places.max(self.methods[other.index()].parameters.len()) {
            self.connect(self.parameter(one, place), self.parameter(other, place));
        }
        self.connect(self.methods[one.index()].result, self.methods[other.index()].result);
        // Who calls both shows what it passes to the one that nobody knows.
        if self.methods[one.index()].is_dark || self.methods[other.index()].is_dark {
            for method in [one, other] {
                let Ends { parameters, result, .. } = &self.methods[method.index()];
                parameters.iter().chain([result]).flatten().for_each(|&node| self.nodes.open(node));
            }
            self.methods[one.index()].is_dark = true;
        }
    }

    /// A call of a method of the JDK of which it is known what it does with arrays.
    fn call_of_library(&mut self, callee: &Callee, (method, f): (Method, &Function), inst: Inst) {
        let args = f.args(inst);
        let result = f.first_result(inst).and_then(|value| self.of[value.index()]);
        let arg = |flow: &Self, place: usize| args.get(place).and_then(|arg: &Value| flow.of[arg.index()]);
        match callee.array_use {
            ArrayUse::Unknown | ArrayUse::Reads => self.open(result),
            ArrayUse::ShowsItems => {
                for place in 0..args.len() {
                    if let Some(array) = arg(self, place) {
                        let items = self.nodes.items(array);
                        self.nodes.open(items);
                    }
                }
                self.open(result);
            }
            ArrayUse::Fills(items) => {
                let stored = args.last().and_then(|stored| self.of[stored.index()]);
                let Some(array) = arg(self, 0) else { return self.open(stored) };
                self.used[method.index()].push((args[0], array));
                if items == Items::Reference && stored.is_some() {
                    let of_array = self.nodes.items(array);
                    self.connect(Some(of_array), stored);
                }
            }
            ArrayUse::Copies => self.connect(arg(self, 0), arg(self, 2)),
            ArrayUse::Gives => self.connect(arg(self, 0), result),
            ArrayUse::Pads(items) => {
                self.connect(arg(self, 0), result);
                result.into_iter().for_each(|array| self.nodes.leave_unset(array, items));
            }
        }
    }

    /// Calls of a method may lead to its variants some day.
    fn unify_variants(&mut self, analysis: &Analysis<'_, '_, '_>, method: Method) {
        let Some(copied) = analysis.copies.of_method(method) else { return };
        let is_static = analysis.program.methods[method].flags.has(Flags::STATIC);
        for (copy, variant) in copied.iter() {
            let Variant { parts, drops_receiver, .. } = variant;
            let mut place = usize::from(!is_static && !drops_receiver);
            for (of, part) in (usize::from(!is_static)..).zip(parts) {
                if let Part::Keep | Part::Of(_) = part {
                    self.connect(self.parameter(method, of), self.parameter(*copy, place));
                    place += 1;
                }
            }
            self.connect(self.methods[method.index()].result, self.methods[copy.index()].result);
        }
    }

    /// What came of it: closed classes, with what their arrays hold at first.
    fn classes(mut self) -> Arrays {
        self.nodes.open_items();
        let mut numbers: Vec<Option<ArrayClass>> = vec![None; self.nodes.count()];
        let mut arrays = Arrays::default();
        for used in &self.used {
            arrays.first.push(arrays.values.len() as u32);
            for &(value, node) in used {
                let node = self.nodes.find(node);
                let traits = *self.nodes.of(node);
                if traits.is_open {
                    continue;
                }
                let number = *numbers[node.index()].get_or_insert_with(|| {
                    let first = arrays.cells.len();
                    arrays.cells.extend(Items::ALL.map(|items| traits.at_first(items)));
                    ArrayClass::from_index(first / Items::ALL.len())
                });
                arrays.values.push((value, number));
            }
        }
        arrays.first.push(arrays.values.len() as u32);
        arrays
    }
}

/// Whether a store to a field happens before any other thread can read it.
fn sets_for_all(
    program: &Program<'_>,
    (method, f): (Method, &Function),
    field: Field,
    args: &[Value],
) -> bool {
    let (info, setter) = (&program.fields[field], &program.methods[method]);
    let name = program.member_name(setter.selector);
    let is_own = setter.class == info.class;
    match info.flags.has(Flags::STATIC) {
        true => is_own && name == b"<clinit>",
        false => {
            let object = args.first().map(|&object| f.def(object));
            let is_this = matches!(object, Some(Def::Param(block, 0)) if block == f.entry());
            is_own && is_this && name == b"<init>"
        }
    }
}

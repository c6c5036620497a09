//! Blocks, operations and terminators of a random function.

use arbitrary::{Result, Unstructured};
use planish_base::SideTable;
use planish_ir::{
    Block, BlockCall, Builder, Const, Def, Exit, ExitTarget, Handler, Module, Terminator, Value,
};
use planish_ops::table::ALL;
use planish_ops::world::Descr;
use planish_ops::{Effect, Exits, FloatFormat, Int, Lane, Op, Shape, Type};

use super::options::Options;
use super::world::World;
use super::{constant, functions};

pub(super) fn generate(u: &mut Unstructured<'_>, options: Options, world: World) -> Result<Module> {
    let types = types(u, options)?;
    // Objects that are given back are known outside.
    let boxes = options.objects && options.nested;
    // Vectors come from nowhere and go nowhere but here: machine code passes none.
    let outside: Vec<Type> = types.iter().copied().filter(|ty| ty.lane().is_none()).collect();
    let given: Vec<Type> = outside.iter().copied().filter(|&ty| !(boxes && ty == Type::Ref)).collect();
    let results: Vec<Type> = some(u, 2, 5, |u| u.choose(&given).copied())?;
    let mut b = Builder::new("random", &results);
    let operations = match options.swarm && !options.objects {
        true => some(u, 2, 9, |u| draw(u, options))?,
        false => Vec::new(),
    };
    // A nest makes its blocks as it goes.
    let count = if options.nested { 1 } else { u.int_in_range(1..=options.blocks)? };
    let mut parents = vec![0];
    let mut blocks = Vec::with_capacity(count);
    for i in 0..count {
        let block = b.block(&format!("b{i}"));
        blocks.push(block);
        if i > 0 {
            parents.push(u.int_in_range(0..=i - 1)?);
        }
        // Some blocks can take an exception.
        if i > 0 && options.exits && u.ratio(1, 4)? {
            b.param(block, Type::Ref);
        }
        // The entry has a value of each type.
        let params = if i == 0 { outside.clone() } else { some(u, 0, 3, |u| u.choose(&types).copied())? };
        for ty in params {
            b.param(block, ty);
        }
    }
    let mut generator = Generator {
        u,
        options,
        world,
        types,
        results,
        b,
        blocks,
        parents,
        made: Vec::new(),
        seen: Vec::new(),
        used: SideTable::new(),
        operations,
        constants: Vec::new(),
        exits: 0,
    };
    if options.nested {
        generator.nest(generator.blocks[0])?;
    } else {
        for i in 0..count {
            generator.block(i)?;
        }
    }
    let Generator { u, b, mut world, types, .. } = generator;
    world.module.functions.push(b.finish());
    if options.functions {
        functions::add(u, &mut world.module, types[0])?;
    }
    Ok(world.module)
}

/// The types that a function is about: few, so that its values meet. The first is the usual one.
fn types(u: &mut Unstructured<'_>, options: Options) -> Result<Vec<Type>> {
    let width = |u: &mut Unstructured<'_>| {
        let odd = options.swarm && u.ratio(1, 2)?;
        Ok(Type::Int(if odd { u.int_in_range(3..=64)? } else { *u.choose(options.widths)? }))
    };
    let (main, other) = (width(u)?, width(u)?);
    let mut types = vec![main, main, other, Type::I1];
    if options.vectors {
        let lanes = [main, other, *u.choose(&[Type::F64, Type::F32])?];
        types.extend(lanes.into_iter().filter_map(Lane::of).map(Type::Vector));
    }
    if options.floats {
        types.push(*u.choose(&[Type::F64, Type::F32])?);
    }
    if options.memory {
        types.extend([Type::Ref, Type::Ref, Type::I64]);
    }
    if options.objects && options.nested {
        types.extend([Type::Ref; 4]);
    }
    if options.functions {
        types.extend([Type::Ref, Type::Ref]);
    }
    Ok(types)
}

/// From `min` to `max` items.
fn some<'d, T>(
    u: &mut Unstructured<'d>,
    min: usize,
    max: usize,
    mut item: impl FnMut(&mut Unstructured<'d>) -> Result<T>,
) -> Result<Vec<T>> {
    let count = u.int_in_range(min..=max)?;
    (0..count).map(|_| item(u)).collect()
}

/// What makes a swarm one about memory.
const MEMORY: [Op; 18] = [
    Op::New,
    Op::New,
    Op::NewArray,
    Op::GetField,
    Op::GetField,
    Op::GetField,
    Op::SetField,
    Op::SetField,
    Op::SetField,
    Op::GetItem,
    Op::SetItem,
    Op::ArrayLen,
    Op::Call,
    Op::Call,
    Op::GuardNonnull,
    Op::GuardClass,
    Op::RefEq,
    Op::GuardTrue,
];

/// What makes a trace one about objects that exits look at: how often each of them is, of 32.
const OBJECTS: [(Op, usize); 13] = [
    (Op::New, 5),
    (Op::NewArray, 1),
    (Op::SetField, 7),
    (Op::GetField, 4),
    (Op::SetItem, 2),
    (Op::GetItem, 1),
    (Op::GuardTrue, 5),
    (Op::GuardNonnull, 1),
    (Op::GuardClass, 1),
    (Op::RefEq, 1),
    (Op::Add, 2),
    (Op::Lt, 1),
    (Op::Call, 1),
];

/// What makes a nest one about objects that go round its loops: how often each of them is, of 32.
const BOXES: [(Op, usize); 11] = [
    (Op::New, 6),
    (Op::SetField, 8),
    (Op::GetField, 7),
    (Op::RefEq, 1),
    (Op::IsNonnull, 1),
    (Op::NullCheck, 1),
    (Op::Add, 3),
    (Op::Xor, 1),
    (Op::Lt, 2),
    (Op::GetStatic, 1),
    (Op::Call, 1),
];

/// What makes a swarm one about conditions: they teach something where control has come past them.
const LOGIC: [Op; 12] = [
    Op::And,
    Op::Or,
    Op::Or,
    Op::Xor,
    Op::Not,
    Op::IsTrue,
    Op::IsZero,
    Op::Eq,
    Op::Ne,
    Op::Lt,
    Op::Ule,
    Op::Select,
];

/// An operation that may stand in a function.
fn draw(u: &mut Unstructured<'_>, options: Options) -> Result<Op> {
    if options.objects {
        let weights = if options.nested { &BOXES[..] } else { &OBJECTS[..] };
        let all = weights.iter().flat_map(|&(op, often)| std::iter::repeat_n(op, often));
        let at = u.choose_index(weights.iter().map(|(_, often)| often).sum())?;
        return Ok(all.into_iter().nth(at).expect("the position of an operation"));
    }
    if options.memory && options.swarm && u.ratio(1, 2)? {
        return u.choose(&MEMORY).copied();
    }
    if options.swarm && u.ratio(1, 4)? {
        return u.choose(&LOGIC).copied();
    }
    if options.functions && u.ratio(1, 3)? {
        return u.choose(&[Op::CallRef, Op::CallRef, Op::Select]).copied();
    }
    // The rows of vectors are the last ones.
    let (scalars, vectors) = ALL.split_at(Op::Splat as usize);
    let rows = if options.vectors && u.ratio(2, 3)? { vectors } else { scalars };
    let op = *u.choose(rows)?;
    if suits(op, options) {
        return Ok(op);
    }
    // Arithmetic instead: every choice makes an operation.
    u.choose(&[Op::Add, Op::Sub, Op::And, Op::Mul, Op::Lt, Op::Eq, Op::Xor]).copied()
}

fn suits(op: Op, options: Options) -> bool {
    let row = op.row();
    let floats = |shape: &Shape| matches!(shape, Shape::Float(_));
    let refs = |shape: &Shape| *shape == Shape::Ref;
    let shapes = || row.operands.iter().chain(row.results);
    (options.floats || !shapes().any(floats))
        && (options.memory || !shapes().any(refs))
        && match row.effect {
            Effect::Pure if op == Op::Lookup => !options.may_be_a_trace(),
            Effect::Pure => row.descriptor.is_none() || options.memory,
            Effect::Guard => options.exits,
            Effect::Allocate | Effect::Load | Effect::Store | Effect::Call => options.memory,
            Effect::Marker => true,
        }
        && !unsupported(op)
}

pub(super) struct Generator<'u, 'd> {
    pub(super) u: &'u mut Unstructured<'d>,
    pub(super) options: Options,
    world: World,
    pub(super) types: Vec<Type>,
    pub(super) results: Vec<Type>,
    pub(super) b: Builder,
    blocks: Vec<Block>,
    parents: Vec<usize>,
    /// What each finished block made, parameters included.
    made: Vec<Vec<Value>>,
    /// What may be used at the place that is being written.
    pub(super) seen: Vec<Value>,
    /// What is used somewhere.
    used: SideTable<Value, bool>,
    /// The operations of a swarm; any where there are none.
    operations: Vec<Op>,
    /// The constants of a swarm that were used.
    constants: Vec<Value>,
    exits: u32,
}

impl Generator<'_, '_> {
    /// A block and all its ancestors, from itself to the entry.
    fn ancestors(&self, block: usize) -> Vec<usize> {
        let mut list = vec![block];
        while list[list.len() - 1] > 0 {
            list.push(self.parents[list[list.len() - 1]]);
        }
        list
    }

    fn block(&mut self, i: usize) -> Result<()> {
        self.b.at(self.blocks[i]);
        let ancestors = self.ancestors(i);
        self.seen = ancestors[1..].iter().flat_map(|&above| self.made[above].iter().copied()).collect();
        let inherited = self.seen.len();
        self.seen.extend(self.b.function().block_params(self.blocks[i]));
        for _ in 0..self.u.int_in_range(0..=self.options.operations)? {
            self.operation(&ancestors)?;
        }
        self.terminator(i, &ancestors)?;
        self.made.push(self.seen.split_off(inherited));
        Ok(())
    }

    /// A value of a type: one that is known, or a constant.
    pub(super) fn value(&mut self, ty: Type) -> Result<Value> {
        if self.options.objects
            && ty == Type::Ref
            && !self.u.ratio(1, if self.options.nested { 20 } else { 6 })?
        {
            // An object that was made here, a young one rather than an old one.
            let f = self.b.function();
            let made = |&value: &Value| match f.def(value) {
                Def::Result(inst, _) => f.inst(inst).op == Op::New,
                // In a nest one that comes from elsewhere in it.
                Def::Param(block, _) => self.options.nested && block != f.entry() && f.ty(value) == Type::Ref,
                _ => false,
            };
            let objects: Vec<Value> = self.seen.iter().copied().filter(made).collect();
            if !objects.is_empty() {
                let near = objects.len().saturating_sub(4);
                let from = if self.u.ratio(2, 3)? { &objects[near..] } else { &objects[..] };
                let value = *self.u.choose(from)?;
                self.used[value] = true;
                return Ok(value);
            }
        }
        let f = self.b.function();
        let known: Vec<Value> = self.seen.iter().copied().filter(|&value| f.ty(value) == ty).collect();
        if !known.is_empty() && !self.u.ratio(1, 5)? {
            // What nothing uses yet comes first, or most of a function would be dead.
            let fresh: Vec<Value> = known.iter().copied().filter(|&value| !self.used[value]).collect();
            let from = if fresh.is_empty() || self.u.ratio(1, 4)? { &known } else { &fresh };
            let value = *self.u.choose(from)?;
            self.used[value] = true;
            return Ok(value);
        }
        self.constant(ty)
    }

    fn constant(&mut self, ty: Type) -> Result<Value> {
        if let Type::Vector(lane) = ty {
            let one = self.value(lane.ty())?;
            let inst = self.b.inst(Op::Splat, &[one], &[], None, None);
            return Ok(self.b.function().result(inst));
        }
        if self.options.swarm && self.u.ratio(2, 3)? {
            let f = self.b.function();
            let same: Vec<Value> = self.constants.iter().copied().filter(|&c| f.ty(c) == ty).collect();
            if !same.is_empty() {
                return self.u.choose(&same).copied();
            }
        }
        let constant: Const = match ty {
            Type::Ref if self.options.functions && !self.u.ratio(1, 8)? => {
                let name = *self.u.choose(&functions::NAMES)?;
                Const::Symbol(self.world.module.symbol(name), Type::Ref)
            }
            Type::Ref if self.u.ratio(2, 3)? => {
                let name = *self.u.choose(&["left", "right"])?;
                Const::Symbol(self.world.module.symbol(name), Type::Ref)
            }
            _ => constant::of(self.u, ty)?,
        };
        let value = self.b.constant(constant);
        self.constants.push(value);
        Ok(value)
    }

    fn ty(&mut self) -> Result<Type> {
        self.u.choose(&self.types).copied()
    }

    fn int_type(&mut self) -> Result<Type> {
        // The first four are integers.
        self.u.choose(&self.types[..4]).copied()
    }

    /// A type of vectors of a shape, or that of their lanes.
    fn vector(&mut self, shape: Shape) -> Result<Type> {
        let types = self.types.iter().filter(|ty| ty.lane().is_some()).map(|&ty| shape.bound(ty));
        let fitting: Vec<Type> = types.filter(|&ty| shape.admits(ty)).collect();
        self.u.choose(&fitting).copied()
    }

    pub(super) fn operation(&mut self, ancestors: &[usize]) -> Result<()> {
        let op = match self.operations.is_empty() {
            true => draw(self.u, self.options)?,
            false => *self.u.choose(&self.operations)?,
        };
        if op == Op::CallRef {
            return self.call_reference();
        }
        if op == Op::Lookup {
            return self.look_up();
        }
        let (descr, ty) = self.descriptor(op)?;
        self.make(op, descr, ty, ancestors)
    }

    /// A look-up in a table: one that is there, or a new one, whose items may lie on a line.
    fn look_up(&mut self) -> Result<()> {
        let index = self.int_type()?;
        let index = self.value(index)?;
        let known = !self.world.tables.is_empty() && self.u.ratio(1, 3)?;
        let (descr, ty) = match known {
            true => *self.u.choose(&self.world.tables)?,
            false => {
                let ty = self.int_type()?;
                self.world.table(self.u, ty)?
            }
        };
        let inst = self.b.inst(Op::Lookup, &[index], &[ty], Some(descr), None);
        self.seen.extend(self.b.function().results(inst));
        Ok(())
    }

    /// A call through a reference.
    fn call_reference(&mut self) -> Result<()> {
        let operands = functions::operands(self.u, &self.types)?;
        let results = some(self.u, 0, 1, |_| Ok(self.types[0]))?;
        let descr = functions::descriptor(&mut self.world.module, &operands, &results);
        let mut args = vec![self.value(Type::Ref)?];
        for ty in operands {
            args.push(self.value(ty)?);
        }
        let inst = self.b.inst(Op::CallRef, &args, &results, Some(descr), None);
        self.seen.extend(self.b.function().results(inst));
        Ok(())
    }

    /// The descriptor that an operation names, and the type of the memory that it stands for.
    fn descriptor(&mut self, op: Op) -> Result<(Option<Descr>, Option<Type>)> {
        let (u, world) = (&mut *self.u, &self.world);
        let located = |u: &mut Unstructured<'_>, list: &[(Descr, Type)]| -> Result<_> {
            let &(descr, ty) = u.choose(list)?;
            Ok((Some(descr), Some(ty)))
        };
        match op {
            Op::GetField => located(u, &world.fields),
            // What is immutable is never stored into once somebody may have read it.
            // An object that is stored into another one is known to that one.
            Op::SetField if self.options.objects && self.options.nested && u.ratio(9, 10)? => {
                located(u, &world.mutable_fields()[..2])
            }
            Op::SetField => located(u, world.mutable_fields()),
            Op::GetStatic | Op::SetStatic => located(u, &world.statics),
            Op::NewArray | Op::ArrayLen | Op::GetItem | Op::SetItem => located(u, &world.arrays),
            Op::Call => Ok((Some(*u.choose(&world.callees)?), None)),
            _ if op.row().descriptor.is_some() && matches!(op, Op::GuardOther | Op::Marker) => {
                Ok((Some(world.others[0]), None))
            }
            _ if op.row().descriptor.is_some() => Ok((Some(*u.choose(&world.classes)?), None)),
            _ => Ok((None, None)),
        }
    }

    /// An operation with operands that fit, and an exit if it may have one.
    fn make(
        &mut self,
        op: Op,
        descr: Option<Descr>,
        memory: Option<Type>,
        ancestors: &[usize],
    ) -> Result<()> {
        let row = op.row();
        let mut known: Vec<(u8, Type)> = Vec::new();
        let mut args = Vec::with_capacity(row.operands.len());
        for &shape in row.operands {
            let bound = shape.variable().and_then(|v| known.iter().find(|(k, _)| *k == v));
            let bound = bound.map(|(_, ty)| shape.bound(*ty));
            let ty = match (bound, shape) {
                (Some(ty), _) => ty,
                (None, Shape::Int(_)) if op == Op::BitsToFloat => *self.u.choose(&[Type::I32, Type::I64])?,
                (None, Shape::Int(_)) => match (op, self.int_type()?) {
                    (Op::Sext | Op::Zext, Type::I64) => Type::I1,
                    (Op::Trunc, Type::I1) => self.types[0],
                    (_, ty) => ty,
                },
                (None, Shape::Bit) => Type::I1,
                (None, Shape::Float(_)) => *self.u.choose(&[Type::F64, Type::F32])?,
                (None, Shape::Ref) => Type::Ref,
                (None, Shape::Vector(_) | Shape::Lane) => self.vector(shape)?,
                // A value that is stored.
                (None, Shape::Any(_) | Shape::Free) => match memory {
                    Some(ty) => ty,
                    None => self.ty()?,
                },
            };
            if let Some(variable) = shape.variable().filter(|_| bound.is_none()) {
                known.push((variable, shape.binds(ty)));
            }
            args.push(self.value(ty)?);
        }
        if row.variadic {
            for _ in 0..self.u.int_in_range(0..=2)? {
                let ty = self.ty()?;
                args.push(self.value(ty)?);
            }
        }
        let named = self.result_types(op, &args, memory)?;
        let exit = match row.exits {
            // In a trace nothing unwinds: a call that may raise is answered for.
            Exits::After if self.options.is_trace() => Some(self.exit(ancestors)?),
            Exits::Before | Exits::After if self.options.exits && self.u.ratio(2, 3)? => {
                Some(self.exit(ancestors)?)
            }
            _ => None,
        };
        let inst = self.b.inst(op, &args, &named, descr, exit);
        self.seen.extend(self.b.function().results(inst));
        Ok(())
    }

    /// The types of results that operands do not determine, in widths that the operation can go to.
    fn result_types(&mut self, op: Op, args: &[Value], memory: Option<Type>) -> Result<Vec<Type>> {
        let from = args.first().map(|&arg| self.b.function().ty(arg));
        let width = from.and_then(Type::int_width);
        let row = op.row();
        Ok(match (op, width) {
            (Op::Call, _) => some(self.u, 0, 1, |u| u.choose(&self.types).copied())?,
            (Op::Sext | Op::Zext, Some(width)) => {
                let wider = self.types[0].int_width().filter(|&main| main > width).unwrap_or(64) as u8;
                vec![*self.u.choose(&[Type::Int(wider), Type::I64, Type::Int((width as u8 + 65) / 2)])?]
            }
            (Op::Trunc, Some(width)) => vec![Type::Int(self.u.int_in_range(1..=width as u8 - 1)?)],
            (Op::FloatConvert, _) => vec![if from == Some(Type::F32) { Type::F64 } else { Type::F32 }],
            (Op::BitsToFloat, Some(32)) => vec![Type::F32],
            (Op::BitsToFloat, _) => vec![Type::F64],
            (Op::FloatToBits | Op::FloatToRawBits, _) => {
                let bits = from.and_then(Type::float_format).map_or(64, FloatFormat::bits);
                vec![Type::Int(bits as u8)]
            }
            _ => match row.results.first() {
                Some(Shape::Int(_)) => vec![self.int_type()?],
                Some(Shape::Float(_)) => vec![*self.u.choose(&[Type::F64, Type::F32])?],
                Some(Shape::Any(_)) => vec![match memory {
                    Some(ty) => ty,
                    None => self.ty()?,
                }],
                _ => Vec::new(),
            },
        })
    }

    fn exit(&mut self, ancestors: &[usize]) -> Result<Exit> {
        let handlers: Vec<usize> = (1..self.blocks.len())
            .filter(|&to| ancestors[1..].contains(&self.parents[to]) && self.may_go(ancestors[0], to))
            .filter(|&to| {
                let f = self.b.function();
                f.block_params(self.blocks[to]).first().is_some_and(|&param| f.ty(param) == Type::Ref)
            })
            .collect();
        if !handlers.is_empty() && self.u.ratio(1, 2)? {
            let to = *self.u.choose(&handlers)?;
            let args = self.arguments(self.blocks[to], 1)?;
            let class = if self.u.ratio(1, 3)? { Some(*self.u.choose(&self.world.classes)?) } else { None };
            let handler = Handler { class, block: self.blocks[to] };
            return Ok(self.b.exit(ExitTarget::To(Box::new([handler])), &args));
        }
        let mut args = Vec::new();
        for _ in 0..self.u.int_in_range(0..=5)? {
            let ty = match self.options.objects && self.u.ratio(1, 2)? {
                true => Type::Ref,
                false if self.u.ratio(1, 8)? => Type::State,
                false => self.ty()?,
            };
            args.push(self.value(ty)?);
        }
        self.exits += 1;
        let unwinds = self.u.ratio(1, if self.options.objects { 16 } else { 5 })?;
        let target = if unwinds { ExitTarget::Unwind } else { ExitTarget::Leave(self.exits) };
        Ok(self.b.exit(target, &args))
    }

    /// Whether control may go from one block to another as far as loops are concerned.
    fn may_go(&self, from: usize, to: usize) -> bool {
        self.options.loops || to > from
    }

    fn arguments(&mut self, block: Block, skip: usize) -> Result<Vec<Value>> {
        let f = self.b.function();
        let types: Vec<Type> = f.block_params(block).iter().skip(skip).map(|&param| f.ty(param)).collect();
        types.into_iter().map(|ty| self.value(ty)).collect()
    }

    fn call(&mut self, targets: &[usize]) -> Result<BlockCall> {
        let block = self.blocks[*self.u.choose(targets)?];
        let args = self.arguments(block, 0)?;
        Ok(self.b.call(block, &args))
    }

    fn terminator(&mut self, i: usize, ancestors: &[usize]) -> Result<()> {
        let targets: Vec<usize> = (1..self.blocks.len())
            .filter(|&to| ancestors.contains(&self.parents[to]) && self.may_go(i, to))
            .collect();
        let choice = if targets.is_empty() { 0 } else { self.u.int_in_range(0..=11)? };
        match choice {
            0 => {
                if self.blocks.len() == 1 {
                    // A straight line yields all that nothing else uses.
                    let unused: Vec<Value> =
                        self.seen.iter().copied().filter(|&value| !self.used[value]).collect();
                    let types: Vec<Type> = unused.iter().map(|&v| self.b.function().ty(v)).collect();
                    self.b.set_result_types(&types);
                    self.b.ret(&unused);
                    return Ok(());
                }
                let types = self.results.clone();
                let results: Vec<Value> =
                    types.into_iter().map(|ty| self.value(ty)).collect::<Result<_>>()?;
                self.b.ret(&results);
            }
            1..=3 => {
                let call = self.call(&targets)?;
                self.b.terminate(Terminator::Jump(call));
            }
            4..=8 => {
                let ty = if self.u.ratio(2, 3)? { Type::I1 } else { self.int_type()? };
                let condition = self.value(ty)?;
                let (then, other) = (self.call(&targets)?, self.call(&targets)?);
                self.b.terminate(Terminator::Branch { condition, then, other });
            }
            9 | 10 => {
                let ty = self.int_type()?;
                let on = self.value(ty)?;
                let width = ty.int_width().expect("an integer type");
                let mut keys = some(self.u, 0, 4, |u| Ok(Int::new(width, u.int_in_range(0..=6u64)?)))?;
                keys.sort_by_key(|key| key.unsigned());
                keys.dedup();
                let mut cases = Vec::new();
                for key in keys {
                    cases.push((key, self.call(&targets)?));
                }
                let default = self.call(&targets)?;
                self.b.terminate(Terminator::Switch { on, cases: cases.into(), default });
            }
            _ if self.options.memory && self.options.exits && self.u.ratio(3, 4)? => {
                let thrown = self.value(Type::Ref)?;
                let exit = if self.u.ratio(1, 2)? { Some(self.exit(ancestors)?) } else { None };
                // What leaves through a numbered exit is no exception.
                let leaves =
                    exit.filter(|&exit| matches!(self.b.function().exit(exit).target, ExitTarget::Leave(_)));
                self.b.terminate(Terminator::Throw(thrown, exit.filter(|_| leaves.is_none())));
            }
            _ => self.b.terminate(Terminator::Unreachable),
        }
        Ok(())
    }
}

/// Rows whose operands random values hardly ever suit: raw addresses, strings just made, structures in
/// arrays, the state of a trace between a call and its guards. And the addresses of objects, which depend
/// on how many were made before.
fn unsupported(op: Op) -> bool {
    matches!(
        op,
        Op::CallRef
            | Op::RawLoad
            | Op::RawStore
            | Op::RawFill
            | Op::RawCopy
            | Op::NewStr
            | Op::StrLen
            | Op::StrGet
            | Op::StrSet
            | Op::StrCopy
            | Op::Vload
            | Op::Vstore
            | Op::GetInterior
            | Op::SetInterior
            | Op::GuardNoException
            | Op::GuardException
            | Op::IntToRef
            | Op::RefToInt
    )
}

//! Scalar replacement after escape analysis (Choi and others, OOPSLA 1999): objects that do not escape are their
//! fields.
//!
//! A fresh object that goes nowhere, made by a constructor of which it is known what it stores, is never made: each
//! field is a variable, stores define it, loads use it. Nobody else has the object, so it is not null, no other object
//! is the same, and entering its monitor and leaving it (`monitors`) does nothing. Boxes of numbers are such objects, too, and so are short arrays
//! whose length and indices are constants: each element is a variable. An index outside of an array, and an element of
//! which it is not sure that the array takes it, keep the array, for they throw.
//!
//! A verifier wants the constructor called before anything else is done with the object, so all of this happens behind
//! the call of one constructor. Objects go from the outside in: what was stored in a field of one that went may go
//! itself. Fields that change where exceptions are caught are looked at in `handled`.
//!
//! Objects that go to a join of ways, and no further, are in `joins`. Partial escape is not looked at: an object that
//! goes somewhere on one way is made on all.

pub(crate) mod deeds;
mod handled;
mod joins;
mod monitors;

use std::sync::Arc;

use hashbrown::{HashMap, HashSet};
use planish_base::SideTable;
use planish_classfile::ConstantPool;
use planish_ir::liveness::for_each_use;
use planish_ir::{Const, Exit, Function, Inst, Location, Stands, Value, repair};
use planish_jvm_analysis::constructors::{Constructors, Fields, Source};
use planish_jvm_analysis::literal::Literal;
use planish_jvm_ir::naming::Names;
use planish_jvm_ir::narrow::Narrow;
use planish_jvm_model::hierarchy::Hierarchy;
use planish_ops::{Op, Real, Type};
use planish_pass::{Became, Leave};
use rustc_hash::FxBuildHasher;

use crate::transform::objects::deeds::{Deed, HELD, Kind, Surroundings, converted, element};

/// Makes objects of a method of `class` their fields. Gives their number. O(size of the body) for each level of
/// objects in objects.
pub fn replace_objects(
    f: &mut Function,
    constructors: &Constructors,
    names: &mut Names,
    pool: &mut ConstantPool<'_>,
    (class, hierarchy): (&[u8], &Hierarchy),
    leave: &mut Leave<'_>,
) -> u64 {
    let mut count = 0;
    loop {
        let around = Surroundings { constructors, names, pool, class, hierarchy };
        joins::separate(f, &around, leave);
        let mut found = Objects::find(f, &around);
        found.check_contents(f, pool);
        let going = found.going();
        if !leave.rewrite_together(going as usize, Became::Nothing) {
            return count;
        }
        found.replace(f, names, pool);
        count += going;
    }
}

/// A fresh object.
struct Fresh {
    /// What it is.
    kind: Kind,
    /// The call of its constructor.
    constructed: Option<Inst>,
    /// What its fields hold after that.
    fields: Arc<Fields>,
    /// Whether fields change later.
    changes: bool,
    /// Whether it goes somewhere, or is not understood.
    escapes: bool,
}

/// The fresh objects of a body.
struct Objects {
    list: Vec<Fresh>,
    /// The number of an object in the list, from 1.
    of: SideTable<Value, u32>,
    /// What is done to objects that do not escape.
    deeds: SideTable<Inst, Option<Deed>>,
}

impl Objects {
    /// Finds fresh objects and where they go.
    fn find(f: &Function, around: &Surroundings<'_, '_>) -> Objects {
        let mut objects = Objects { list: Vec::new(), of: SideTable::new(), deeds: SideTable::new() };
        for (_, inst) in f.live_insts() {
            if let Some(kind) = around.made(f, inst) {
                let fields = match kind {
                    Kind::Object => Fields::new(),
                    Kind::Box(_) => vec![(HELD.into(), Source::Argument(0))],
                    Kind::Array(length, letter) => {
                        (0..length).map(|index| (element(index, letter), Source::Nothing)).collect()
                    }
                };
                let constructed = (!matches!(kind, Kind::Object)).then_some(inst);
                let fields = fields.into();
                objects.list.push(Fresh { kind, constructed, fields, changes: false, escapes: false });
                objects.of[f.result(inst)] = objects.list.len() as u32;
            }
        }
        if objects.list.is_empty() {
            return objects;
        }
        for (_, inst) in f.live_insts() {
            let followed = objects.follow(f, inst, around);
            f.args(inst)[followed..].iter().for_each(|&arg| objects.escape(arg));
        }
        objects.escape_at_ends(f);
        for object in &mut objects.list {
            // A field that is not known to be one of the object was loaded or stored where it escaped.
            object.escapes |= object.constructed.is_none();
        }
        objects.escape_unbalanced(f);
        objects.escape_to_handlers(f);
        objects.escape_through_exits(f);
        objects
    }

    fn number(&self, value: Value) -> Option<usize> {
        (self.of[value] as usize).checked_sub(1)
    }

    fn escape(&mut self, value: Value) {
        if let Some(number) = self.number(value) {
            self.list[number].escapes = true;
        }
    }

    /// Whether a value is an object that is never made.
    fn goes(&self, value: Value) -> bool {
        self.number(value).is_some_and(|number| !self.list[number].escapes)
    }

    fn going(&self) -> u64 {
        self.list.iter().filter(|object| !object.escapes).count() as u64
    }

    /// Notes what an instruction does with a fresh object. The number of operands that do not go further.
    fn follow(&mut self, f: &Function, inst: Inst, around: &Surroundings<'_, '_>) -> usize {
        let args = f.args(inst);
        if let (Op::RefEq | Op::RefNe, &[a, b]) = (f.inst(inst).op, args) {
            // Either side may be the object.
            let of_objects =
                |value| self.number(value).is_none_or(|n| !matches!(self.list[n].kind, Kind::Box(_)));
            if self.of[a] + self.of[b] == 0 || !of_objects(a) || !of_objects(b) {
                return 0;
            }
            self.deeds[inst] = Some(Deed::AskSame(f.inst(inst).op == Op::RefEq));
            return 2;
        }
        let Some(number) = args.first().and_then(|&first| self.number(first)) else { return 0 };
        let object = &mut self.list[number];
        let Some(deed) = around.deed(f, inst, object.kind) else { return 0 };
        match &deed {
            Deed::Construct(fields) => {
                object.escapes |= object.constructed.replace(inst).is_some();
                object.fields = fields.clone();
            }
            Deed::Store(_) => object.changes = true,
            _ => {}
        }
        self.deeds[inst] = Some(deed);
        1
    }

    /// What leaves a block at its end goes somewhere.
    fn escape_at_ends(&mut self, f: &Function) {
        for &block in f.blocks() {
            let last = f.block_insts(block).len() as u32 + 1;
            for_each_use(f, block, |position, value| {
                if position == last {
                    self.escape(value);
                }
            });
        }
    }

    /// What a handler gets goes somewhere, unless the instruction itself goes.
    fn escape_through_exits(&mut self, f: &Function) {
        let exits: Vec<(Inst, Exit)> =
            f.live_insts().filter_map(|(_, inst)| Some((inst, f.inst(inst).exit?))).collect();
        loop {
            let before = self.going();
            for &(inst, exit) in &exits {
                if !self.takes_away(f, inst) {
                    f.exit_args(exit).iter().for_each(|&arg| self.escape(arg));
                }
            }
            self.check_fields(f);
            if self.going() == before {
                return;
            }
        }
    }

    /// A field that an object does not have, as far as that is known, is not understood.
    fn check_fields(&mut self, f: &Function) {
        for (_, inst) in f.live_insts() {
            if let Some(Deed::Load(field) | Deed::Store(field)) = &self.deeds[inst]
                && let Some(number) = self.number(f.args(inst)[0])
            {
                let is_known = self.list[number].fields.iter().any(|(known, _)| known == field);
                self.list[number].escapes |= !is_known;
            }
        }
    }

    /// An object stays whose fields hold what cannot be named: the class has no more constants.
    fn check_contents(&mut self, f: &Function, pool: &mut ConstantPool<'_>) {
        for object in self.list.iter_mut().filter(|object| !object.escapes) {
            let count = object.constructed.map_or(0, |inst| f.args(inst).len());
            object.escapes |= !object.fields.iter().all(|(_, source)| can_be_made(source, count, pool));
        }
        self.escape_through_exits(f);
    }

    /// Whether an instruction goes, since it only is about objects that go.
    fn takes_away(&self, f: &Function, inst: Inst) -> bool {
        let makes = |value| self.goes(value) && f.def_inst(value) == Some(inst);
        let about = |value: &Value| self.goes(*value);
        match &self.deeds[inst] {
            Some(Deed::AskSame(_)) => f.args(inst).iter().any(about),
            Some(_) => f.args(inst).first().is_some_and(about),
            None => f.results(inst).any(makes),
        }
    }

    /// Puts fields in the place of objects.
    fn replace(&self, f: &mut Function, names: &mut Names, pool: &mut ConstantPool<'_>) {
        let mut stands = Stands::default();
        // What a field holds: one value, or the definitions of a variable, the first at the constructor.
        let mut single: HashMap<(u32, &[u8]), Value, FxBuildHasher> = HashMap::default();
        let mut variables: HashMap<(u32, &[u8]), usize, FxBuildHasher> = HashMap::default();
        let mut groups: Vec<Vec<Value>> = Vec::new();
        // Definitions first: a load may come before them in the layout.
        let mut placed: SideTable<Inst, Vec<Inst>> = SideTable::new();
        let mut stored: HashSet<(u32, &[u8]), FxBuildHasher> = HashSet::default();
        for (_, inst) in f.live_insts() {
            if let Some(Deed::Store(field)) = &self.deeds[inst] {
                stored.insert((self.of[f.args(inst)[0]], field));
            }
        }
        for object in self.list.iter().filter(|object| !object.escapes) {
            let Some(inst) = object.constructed else { continue };
            let (number, arguments) = match object.kind {
                Kind::Object => (self.of[f.args(inst)[0]], f.args(inst)[1..].to_vec()),
                Kind::Box(_) => (self.of[f.result(inst)], f.args(inst).to_vec()),
                Kind::Array(..) => (self.of[f.result(inst)], Vec::new()),
            };
            for (field, source) in object.fields.iter() {
                let mut made = std::mem::take(&mut placed[inst]);
                let content =
                    content(f, inst, (object.kind, field, source), &arguments, (names, pool), &mut made);
                match content {
                    Some(value) if stored.contains(&(number, &**field)) => {
                        variables.insert((number, field), groups.len());
                        groups.push(vec![renamed(f, value, &mut made)]);
                    }
                    Some(value) => {
                        single.insert((number, field), value);
                    }
                    None => {}
                }
                placed[inst] = made;
            }
        }
        for block in f.blocks().to_vec() {
            let old = f.replace_insts(block, Vec::new());
            let mut kept = Vec::with_capacity(old.len());
            for inst in old {
                kept.append(&mut placed[inst]);
                if !self.takes_away(f, inst) {
                    kept.push(inst);
                    continue;
                }
                let Some(deed) = &self.deeds[inst] else { continue };
                let number = self.of[f.args(inst)[0]];
                let result = f.results(inst).next();
                let is = match deed {
                    Deed::Construct(_) | Deed::Nothing | Deed::Enter | Deed::Leave => None,
                    Deed::Load(field) => Some(match variables.get(&(number, &**field)) {
                        Some(&group) => {
                            let first = groups[group][0];
                            renamed(f, first, &mut kept)
                        }
                        None => single[&(number, &**field)],
                    }),
                    Deed::Store(field) => {
                        if let Some(&group) = variables.get(&(number, &**field)) {
                            let place = f.inst(inst).location;
                            let value = *f.args(inst).last().expect("a store has a value");
                            let value = narrow(field).value(f, value, place, &mut kept);
                            let definition = renamed(f, value, &mut kept);
                            groups[group].push(definition);
                        }
                        None
                    }
                    Deed::Unbox(conversion) => {
                        let held = single[&(number, HELD)];
                        Some(converted(f, held, *conversion, inst, &mut kept))
                    }
                    Deed::AskLength(length) => Some(f.make_int(Type::I32, *length)),
                    Deed::AskNull(null) => result.map(|result| f.make_int(f.ty(result), i64::from(!null))),
                    Deed::AskSame(same) => {
                        let are_same = f.args(inst)[0] == f.args(inst)[1];
                        result.map(|result| f.make_int(f.ty(result), i64::from(are_same == *same)))
                    }
                };
                if let (Some(result), Some(is)) = (result, is) {
                    stands.put(is, result);
                }
            }
            f.replace_insts(block, kept);
        }
        stands.write(f);
        if !groups.is_empty() {
            repair(f, &groups);
        }
    }
}

/// The descriptor in the name of a field.
fn narrow(field: &[u8]) -> Narrow {
    let colon = field.iter().position(|byte| *byte == b':');
    Narrow::of(colon.map_or(&[][..], |colon| &field[colon + 1..]))
}

/// Whether a source can be made of so many arguments; texts are added to the constants.
fn can_be_made(source: &Source, arguments: usize, pool: &mut ConstantPool<'_>) -> bool {
    match source {
        Source::Argument(number) => usize::from(*number) < arguments,
        Source::Literal(Literal::Text(text)) => pool.add_string(text).is_ok(),
        Source::Literal(_) | Source::Nothing => true,
        Source::Computed(_, _, parts) => parts.iter().all(|part| can_be_made(part, arguments, pool)),
        Source::Narrowed(_, part) => can_be_made(part, arguments, pool),
    }
}

/// What a field holds once its object is made; [`can_be_made`] was asked.
fn content(
    f: &mut Function,
    inst: Inst,
    (kind, field, source): (Kind, &[u8], &Source),
    arguments: &[Value],
    tables: (&mut Names, &mut ConstantPool<'_>),
    made: &mut Vec<Inst>,
) -> Option<Value> {
    let place = f.inst(inst).location;
    if *source == Source::Nothing {
        return Some(match field.iter().position(|byte| *byte == b':').map(|at| field[at + 1]) {
            Some(b'J') => f.make_int(Type::I64, 0),
            Some(b'F') => f.make_constant(Real::F32(0.0)),
            Some(b'D') => f.make_constant(Real::F64(0.0)),
            Some(b'L' | b'[') => f.make_constant(Const::Null),
            _ => f.make_int(Type::I32, 0),
        });
    }
    let value = value_of(f, source, arguments, place, tables, made)?;
    Some(match kind {
        Kind::Object | Kind::Array(..) => narrow(field).value(f, value, place, made),
        // Any number but 0 is `true`.
        Kind::Box(boxed) if boxed.descriptor == b"Z" => {
            let zero = f.make_int(Type::I32, 0);
            let inst = f.make_inst(Op::Ne, &[value, zero], &[Type::I32], None, None, place);
            made.push(inst);
            f.result(inst)
        }
        Kind::Box(boxed) => Narrow::of(boxed.descriptor).value(f, value, place, made),
    })
}

/// The value of a source, computed by operations that are added to `made`.
fn value_of(
    f: &mut Function,
    source: &Source,
    arguments: &[Value],
    place: Location,
    (names, pool): (&mut Names, &mut ConstantPool<'_>),
    made: &mut Vec<Inst>,
) -> Option<Value> {
    Some(match source {
        Source::Argument(number) => *arguments.get(usize::from(*number))?,
        Source::Nothing => return None,
        Source::Literal(literal) => match literal {
            Literal::Null => f.make_constant(Const::Null),
            Literal::Int(value) => f.make_int(Type::I32, (*value).into()),
            Literal::Long(value) => f.make_int(Type::I64, *value),
            Literal::Float(bits) => f.make_constant(Real::F32(f32::from_bits(*bits))),
            Literal::Double(bits) => f.make_constant(Real::F64(f64::from_bits(*bits))),
            Literal::Text(text) => {
                let index = pool.add_string(text).ok()?;
                let symbol = names.string(index, pool);
                f.make_constant(Const::Symbol(symbol, Type::Ref))
            }
        },
        Source::Computed(op, ty, parts) => {
            let mut args = Vec::with_capacity(parts.len());
            for part in parts {
                args.push(value_of(f, part, arguments, place, (names, pool), made)?);
            }
            let inst = f.make_inst(*op, &args, &[*ty], None, None, place);
            made.push(inst);
            f.result(inst)
        }
        Source::Narrowed(narrow, part) => {
            let value = value_of(f, part, arguments, place, (names, pool), made)?;
            narrow.value(f, value, place, made)
        }
    })
}

/// A new name for a value, which the pipeline behind makes that value again.
fn renamed(f: &mut Function, value: Value, insts: &mut Vec<Inst>) -> Value {
    let (ty, yes) = (f.ty(value), f.make_int(Type::I1, 1));
    let inst = f.make_inst(Op::Select, &[yes, value, value], &[ty], None, None, Location::default());
    insts.push(inst);
    f.result(inst)
}

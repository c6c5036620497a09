//! What guards on types ask: whether a reference is an object, derives from a class, has a layout.
//!
//! A function that asks has objects with types: each object from outside is of one class, or an array of one kind,
//! as the [`Scenario`](crate::Scenario) says. An access to a field of another class, or to an item of another kind,
//! means nothing then. In a function that never asks nobody can tell, and any object has any place.

use planish_base::Id;
use planish_ir::{Const, Function, Inst, Symbol};
use planish_ops::Op;
use planish_ops::world::{Descr, Layout, TypeGuard};

use crate::behaviour::End;
use crate::machine::{Program, Runner, Step};
use crate::scenario::name_key;
use crate::value::{Reference, Val};

/// What an object is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    /// An object of the class at an address.
    Object(u64),
    /// An array of the items that have a key.
    Array(u64),
}

impl Program<'_> {
    /// Whether a function asks for types.
    pub(crate) fn asks_for_types(&self, f: &Function) -> bool {
        f.live_insts().any(|(_, inst)| self.type_guard(f, inst).is_some())
    }

    fn type_guard(&self, f: &Function, inst: Inst) -> Option<TypeGuard> {
        let data = f.inst(inst);
        data.descr.filter(|_| data.op == Op::GuardOther).and_then(|descr| self.world.type_guard(descr))
    }

    /// Symbols that are classes with which a function that asks for types has to do.
    pub(crate) fn classes_asked_for(&self, f: &Function) -> Vec<Symbol> {
        let mut found = Vec::new();
        if !self.asks_for_types(f) {
            return found;
        }
        for (_, inst) in f.live_insts() {
            let asked = match self.type_guard(f, inst) {
                Some(TypeGuard::Derives) => asked(f, inst),
                Some(TypeGuard::Layout) => match asked(f, inst).and_then(|symbol| self.layout(symbol)) {
                    Some(Layout::Object(class)) => Some(Symbol::from_index(class as usize)),
                    _ => None,
                },
                _ => f.inst(inst).descr.and_then(|descr| self.owner(f.inst(inst).op, descr)),
            };
            found.extend(asked);
        }
        found
    }

    /// The keys of the items of arrays of which a function asks whether an object is one.
    pub fn layouts(&self, f: &Function) -> Vec<u64> {
        let items = |inst| match (self.type_guard(f, inst), asked(f, inst)) {
            (Some(TypeGuard::Layout), Some(symbol)) => match self.layout(symbol)? {
                Layout::Array(items) => Some(name_key(self.world.name(items)).max(1)),
                Layout::Object(_) => None,
            },
            _ => None,
        };
        let mut found: Vec<u64> = f.live_insts().filter_map(|(_, inst)| items(inst)).collect();
        found.sort_unstable();
        found.dedup();
        found
    }

    fn layout(&self, symbol: Symbol) -> Option<Layout> {
        self.world.layout(symbol.index() as u32)
    }

    /// The class from which every object derives that has the field of an access.
    fn owner(&self, op: Op, descr: Descr) -> Option<Symbol> {
        let owner = self.world.owner(descr).filter(|_| matches!(op, Op::GetField | Op::SetField))?;
        Some(Symbol::from_index(owner as usize))
    }
}

/// The symbol that a guard on a type names.
fn asked(f: &Function, inst: Inst) -> Option<Symbol> {
    match f.constant(*f.args(inst).get(1)?)? {
        Const::Symbol(symbol, _) => Some(symbol),
        _ => None,
    }
}

impl Runner<'_, '_> {
    /// What an object is; nothing for one that is no object.
    fn kind(&self, object: Reference) -> Option<Kind> {
        let class = || Kind::Object(self.heap.class(self.scenario, object));
        match object {
            Reference::Null => None,
            Reference::Thrown(_) => Some(class()),
            Reference::Fresh(n) => {
                let made = &self.heap.fresh[n as usize];
                Some(if made.length.is_some() { Kind::Array(made.class) } else { class() })
            }
            Reference::Outside(n) if self.heap.classes_of.contains_key(&n) => Some(class()),
            Reference::Outside(n) => Some(match self.scenario.array(n) {
                Some(items) => Kind::Array(items),
                None => class(),
            }),
        }
    }

    /// Whether a class, by its address, is another or derives from it. One of which nothing is known derives from
    /// itself alone.
    fn class_derives(&mut self, class: u64, from: Symbol) -> bool {
        let (object, _) = self.program.symbol(from);
        let address = self.heap.address(Reference::Outside(object));
        let known = self.addresses.get(&class).map(|symbol| symbol.index() as u32);
        let derives = known.and_then(|class| self.program.world.derives(class, from.index() as u32));
        derives.unwrap_or(class == address)
    }

    /// Whether a guard on a type holds; nothing if the world does not say what it asks.
    pub(crate) fn type_holds(&mut self, f: &Function, inst: Inst) -> Step<Option<bool>> {
        let Some(asks) = self.program.type_guard(f, inst) else { return Ok(None) };
        let object = match self.get(f.args(inst)[0]) {
            Val::Ref(object) => object,
            _ => return Err(End::undefined("the type of what means nothing is asked for")),
        };
        let Some(kind) = self.kind(object) else {
            return Err(End::undefined("the type of null is asked for"));
        };
        let symbol = asked(f, inst);
        Ok(match (asks, symbol) {
            (TypeGuard::Object, _) => Some(matches!(kind, Kind::Object(_))),
            (TypeGuard::Derives, Some(from)) => Some(match kind {
                Kind::Object(class) => self.class_derives(class, from),
                Kind::Array(_) => false,
            }),
            (TypeGuard::Layout, Some(symbol)) => self.program.layout(symbol).map(|layout| match layout {
                Layout::Array(items) => kind == Kind::Array(self.heap.key(self.program.world, Some(items))),
                Layout::Object(class) => {
                    let (object, _) = self.program.symbol(Symbol::from_index(class as usize));
                    kind == Kind::Object(self.heap.address(Reference::Outside(object)))
                }
            }),
            (_, None) => None,
        })
    }

    /// Whether an object surely has no class, so that to ask for it means nothing.
    pub(crate) fn has_no_class(&self, object: Reference) -> bool {
        self.frame().typed && matches!(self.kind(object), Some(Kind::Array(_)))
    }

    /// Whether an object has the place of an access, as far as types say.
    pub(crate) fn has_place(&mut self, f: &Function, inst: Inst, object: Reference) -> bool {
        let (op, descr) = (f.inst(inst).op, f.inst(inst).descr);
        let Some(descr) = descr.filter(|_| self.frame().typed) else { return true };
        let Some(kind) = self.kind(object) else { return false };
        match op {
            Op::GetField | Op::SetField => match self.program.owner(op, descr) {
                Some(owner) => matches!(kind, Kind::Object(class) if self.class_derives(class, owner)),
                None => true,
            },
            Op::GetItem | Op::SetItem => kind == Kind::Array(self.heap.key(self.program.world, Some(descr))),
            _ => true,
        }
    }
}

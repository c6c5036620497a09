//! Type guards (PyPy's `GUARD_IS_OBJECT`, `GUARD_SUBCLASS`, `GUARD_GC_TYPE`): whether a reference is an object, derives
//! from a class, has a layout.
//!
//! A field that was read or set tells from which class its object derives; an item, of which array it is: where
//! somebody asks for types, an access to an object of another type means nothing.

use planish_base::Id;
use planish_ir::{Const, Inst, Symbol, Value};
use planish_ops::world::{Layout, TypeGuard};
use planish_pass::record::{Became, Kind};

use super::state::Memory;
use crate::engine::Cx;
use crate::engine::stage::Outcome;

impl Memory {
    /// A guard on the type of a reference.
    #[inline(never)]
    pub(super) fn type_guard(&mut self, cx: &mut Cx<'_>, inst: Inst) -> Outcome {
        let asks = cx.f.inst(inst).descr.and_then(|descr| cx.world.type_guard(descr));
        let args = cx.f.args(inst);
        let (Some(asks), Some(&x), y) = (asks, args.first(), args.get(1).copied()) else {
            return Outcome::Keep;
        };
        match self.type_fits(cx, asks, x, y.unwrap_or(x)) {
            Some(true) if cx.rewrite(Kind::Holds, inst, Became::Nothing) => Outcome::Gone,
            Some(false) if cx.rewrite(Kind::Fails, inst, Became::Changed) => Outcome::Last,
            _ => {
                let asked = y.and_then(|y| symbol(cx, y)).map(|symbol| symbol.index() as u32);
                match (asks, asked) {
                    // PyPy learns nothing from it.
                    (TypeGuard::Derives | TypeGuard::Layout, Some(_)) if cx.features.plain => {}
                    (TypeGuard::Derives, Some(class)) => self.accessed.owners[x] = Some(class),
                    (TypeGuard::Layout, Some(number)) => {
                        if let Some(Layout::Array(items)) = cx.world.layout(number) {
                            self.accessed.layouts[x] = Some(items);
                        }
                    }
                    _ => {}
                }
                Outcome::Keep
            }
        }
    }

    /// The exact class of an object, where it is known.
    fn exact_class(&self, cx: &mut Cx<'_>, x: Value) -> Option<Symbol> {
        let class = match self.class_of_unmade(cx, x) {
            Some(class) => class,
            None => cx.engine.refs.get(cx.f, x).class.or_else(|| cx.class_of(x))?,
        };
        symbol(cx, class)
    }

    /// Whether a reference is known to be to an object with a class, and so to no array.
    pub(crate) fn has_class(&self, cx: &mut Cx<'_>, x: Value) -> bool {
        self.accessed.owners[x].is_some() || self.exact_class(cx, x).is_some()
    }

    fn type_fits(&self, cx: &mut Cx<'_>, asks: TypeGuard, x: Value, y: Value) -> Option<bool> {
        if let Some(Const::Null) = cx.f.constant(x) {
            return Some(false);
        }
        let exact = self.exact_class(cx, x).map(|class| class.index() as u32);
        // To PyPy what is allocated without a class is no object; the interpreter does not know what it is.
        let bare = if cx.features.plain { self.virtuals.is(x) } else { self.virtuals.length(x).is_some() };
        let classless = bare || self.accessed.layouts[x].is_some();
        match asks {
            TypeGuard::Object | TypeGuard::Derives if classless && exact.is_none() => Some(false),
            TypeGuard::Object => (exact.is_some() || self.accessed.owners[x].is_some()).then_some(true),
            TypeGuard::Derives => {
                let from = symbol(cx, y)?.index() as u32;
                match exact {
                    Some(class) => cx.world.derives(class, from),
                    // An object may be of a class further down.
                    None => cx.world.derives(self.accessed.owners[x]?, from).filter(|&derives| derives),
                }
            }
            TypeGuard::Layout => match cx.world.layout(symbol(cx, y)?.index() as u32)? {
                Layout::Array(_) if self.has_class(cx, x) => Some(false),
                // To PyPy another item is one of another array.
                Layout::Array(items) => match self.accessed.layouts[x]? == items {
                    fits if fits || cx.features.plain => Some(fits),
                    _ => None,
                },
                Layout::Object(_) if cx.features.plain && self.accessed.layouts[x].is_some() => Some(false),
                // To PyPy an object has the layout of its field and no larger one; of a class it asks what it is not.
                Layout::Object(class) if cx.features.plain && !self.virtuals.is(x) => {
                    match self.accessed.owners[x] {
                        Some(owner) => Some(owner == class),
                        None if cx.f.constant(x).is_some() => Some(exact? == class),
                        None => (exact? != class).then_some(false),
                    }
                }
                Layout::Object(class) => Some(exact? == class),
            },
        }
    }
}

fn symbol(cx: &Cx<'_>, value: Value) -> Option<Symbol> {
    match cx.f.constant(value)? {
        Const::Symbol(symbol, _) => Some(symbol),
        _ => None,
    }
}

//! Initialization analysis of static fields (JVMS 5.5): static fields that are set before anybody can read them.
//!
//! A class is initialized by the first thread that uses it; all others wait. So before the initializer is done, only what
//! it runs itself can read a static field of the class: its own instructions, methods that it calls, and initializers
//! that one of them begins, which may go in circles: `A` makes a `B`, whose initializer reads a field of `A` that is null
//! so far. The initializers of the classes above come first, and may read fields of the class as well. Of a field that is
//! set on all ways to the end of the initializer, and that nothing of all this reads before, only what is stored can be
//! read. If the initializer throws, nobody reads the class at all (The Java Virtual Machine Specification, 5.5).

use std::collections::BTreeMap;

use planish_base::{Id, Worklist};
use planish_ir::{Block, ExitTarget, Function, Inst, Terminator};
use planish_jvm_model::program::{Class, Field, Method};
use planish_ops::Op;

use crate::infer::state::{Analysis, Body};
use crate::infer::within::Within;

/// How many times fields and blocks there are in an initializer that is looked at.
const MOST_STATES: usize = 1 << 18;

/// The fields that are set for sure, by their place among those that are asked about.
type State = Vec<bool>;

impl Analysis<'_, '_, '_> {
    /// The fields that nobody reads before they are set. O(initializers), and what a bounded number of methods does for
    /// each call in one of them.
    pub(super) fn set_by_initializers(&mut self) -> Vec<Field> {
        let program = self.program;
        let bodies = std::mem::take(&mut self.bodies);
        let mut within = Within::new(self, &bodies);
        let clinit = program.selector(b"<clinit>()V");
        let mut found = Vec::new();
        for class in program.classes.ids() {
            let method = clinit.and_then(|clinit| program.declared_method(class, clinit));
            if let Some(method) = method
                && let Some(body) = &bodies[method.index()]
                && let Some(mut initializer) = Initializer::of(&within, class, method, body)
            {
                initializer.run(&mut within);
                let fields = initializer.fields.iter().zip(&initializer.is_read_early);
                found.extend(fields.filter(|(_, is_early)| !**is_early).map(|(field, _)| *field));
            }
        }
        self.bodies = bodies;
        found
    }
}

/// The initializer of a class.
struct Initializer<'b> {
    class: Class,
    method: Method,
    body: &'b Body,
    /// The fields that it sets.
    fields: Vec<Field>,
    place: BTreeMap<Field, usize>,
    /// Of which of them another value may be read.
    is_read_early: Vec<bool>,
}

impl<'b> Initializer<'b> {
    /// Nothing if it sets no field of which something may be known.
    fn of(within: &Within<'_, '_, '_, '_>, class: Class, method: Method, body: &'b Body) -> Option<Self> {
        let mut fields: Vec<Field> = Vec::new();
        for (_, inst) in body.function.live_insts() {
            let Op::SetStatic = body.function.inst(inst).op else { continue };
            let field = within.field(body, inst);
            fields
                .extend(field.filter(|&field| {
                    within.program().fields[field].class == class && !within.is_open(field)
                }));
        }
        fields.sort_unstable();
        fields.dedup();
        let place = fields.iter().enumerate().map(|(place, &field)| (field, place)).collect();
        let is_small = fields.len() * body.function.block_count() <= MOST_STATES;
        let is_read_early = vec![false; fields.len()];
        let initializer = Initializer { class, method, body, fields, place, is_read_early };
        (is_small && !initializer.fields.is_empty()).then_some(initializer)
    }

    /// The place of the field that an instruction sets.
    fn sets(&self, within: &Within<'_, '_, '_, '_>, inst: Inst) -> Option<usize> {
        let is_store = self.body.function.inst(inst).op == Op::SetStatic;
        let field = within.field(self.body, inst).filter(|_| is_store)?;
        self.place.get(&field).copied()
    }

    /// Finds out which fields may be read early.
    fn run(&mut self, within: &mut Within<'_, '_, '_, '_>) {
        within.begin_class();
        let program = within.program();
        let nothing = vec![false; self.fields.len()];
        let above = within.initializers(program.classes[self.class].id);
        match above {
            Some(above) => {
                let initializer = self.method;
                for method in above.into_iter().filter(|&method| method != initializer) {
                    self.runs(within, method, &nothing);
                }
            }
            None => return self.is_read_early.fill(true),
        }
        let f = &self.body.function;
        let states = self.states(within);
        for &block in f.blocks() {
            let Some(mut state) = states[block.index()].clone() else { continue };
            for &inst in f.block_insts(block) {
                self.step(within, inst, &state);
                if let Some(place) = self.sets(within, inst) {
                    state[place] = true;
                }
            }
            if let Terminator::Return(_) = f.terminator(block) {
                self.expose(&state, |_| true);
            }
        }
    }

    /// By block what is set for sure where it begins; nothing for those where control does not get.
    fn states(&self, within: &Within<'_, '_, '_, '_>) -> Vec<Option<State>> {
        let f = &self.body.function;
        let mut states: Vec<Option<State>> = vec![None; f.block_count()];
        states[f.entry().index()] = Some(vec![false; self.fields.len()]);
        let mut work = Worklist::from(vec![f.entry()]);
        while let Some(block) = work.pop() {
            let Some(mut state) = states[block.index()].clone() else { continue };
            let mut reach = |target: Block, state: &State| {
                let is_new = match &mut states[target.index()] {
                    Some(known) => meet(known, state),
                    unknown => {
                        *unknown = Some(state.clone());
                        true
                    }
                };
                if is_new {
                    work.push(target);
                }
            };
            for &inst in f.block_insts(block) {
                handlers(f, f.inst(inst).exit).for_each(|handler| reach(handler, &state));
                if let Some(place) = self.sets(within, inst) {
                    state[place] = true;
                }
            }
            if let Terminator::Throw(_, exit) = f.terminator(block) {
                handlers(f, *exit).for_each(|handler| reach(handler, &state));
            }
            f.block_calls(block).for_each(|call| reach(call.block, &state));
        }
        states
    }

    /// What an instruction reads where these fields are set.
    fn step(&mut self, within: &mut Within<'_, '_, '_, '_>, inst: Inst, state: &State) {
        if state.iter().all(|is_set| *is_set) {
            return;
        }
        match within.effect(self.body, inst) {
            Some(effect) => {
                self.expose(state, |field| effect.read == Some(field));
                for method in effect.runs {
                    // While a class is being initialized, its initializer does not begin again.
                    if method != self.method {
                        self.runs(within, method, state);
                    }
                }
            }
            None => self.expose(state, |_| true),
        }
    }

    /// A method runs where these fields are set.
    fn runs(&mut self, within: &mut Within<'_, '_, '_, '_>, method: Method, state: &State) {
        match within.read_by(method, self.class) {
            Some(read) => self.expose(state, |field| read.binary_search(&field).is_ok()),
            None => self.expose(state, |_| true),
        }
    }

    /// Fields of these may be read; those that are not set are read early.
    fn expose(&mut self, state: &State, reads: impl Fn(Field) -> bool) {
        for (place, is_early) in self.is_read_early.iter_mut().enumerate() {
            *is_early |= !state[place] && reads(self.fields[place]);
        }
    }
}

/// The handlers to which an exit leads.
fn handlers(f: &Function, exit: Option<planish_ir::Exit>) -> impl Iterator<Item = Block> + '_ {
    let handlers = exit.and_then(|exit| match &f.exit(exit).target {
        ExitTarget::To(handlers) => Some(handlers),
        _ => None,
    });
    handlers.into_iter().flatten().map(|handler| handler.block)
}

/// Keeps what is set in both. `true` if something went.
fn meet(known: &mut State, other: &State) -> bool {
    let mut changed = false;
    for (known, other) in known.iter_mut().zip(other) {
        changed |= *known && !other;
        *known &= other;
    }
    changed
}

//! Bridges out of guards of other traces: which guard a section says that it goes on from, and what its parent tells it.
//!
//! A line `#! out of GUARD` in a section names a guard by its descriptor. The trace of the section is a bridge: it begins with what
//! that guard hands over, and nowhere else. So it is optimized behind its parents, with what holds at the guard in what became of
//! them ([`planish_opt::bridge`]).

use std::collections::BTreeSet;

use planish_base::List;
use planish_base::diag::{Diagnostic, Diagnostics, SourceText, Span};
use planish_base::spelling::closest;
use planish_ir::bridge::{FactCounts, FactKinds};
use planish_ir::module::Descriptors;
use planish_ir::{FuncId, Function, Location, Module, Terminator};
use planish_ops::Type;
use planish_opt::Engine;
use planish_opt::bridge::{Parent, Promises, Taken, handed_over, is_left, tell};
use planish_trace_dialect::text::Text;

use super::TraceSession;
use super::leaving::Leaving;

/// How many guards are named where one is not found.
const MOST_NAMED: usize = 4;

/// The guard that a line names which says `out of GUARD`, and where.
fn guard_named(source: &SourceText, directive: Span) -> Option<Result<(&str, Span), ()>> {
    let line = source.slice(directive);
    let rest = line.trim_start_matches("#!").trim_start().strip_prefix("out")?;
    if !rest.is_empty() && !rest.starts_with(char::is_whitespace) {
        return None;
    }
    let guard = rest.trim_start().strip_prefix("of").filter(|rest| rest.starts_with(char::is_whitespace));
    let Some(guard) = guard.map(str::trim).filter(|guard| !guard.is_empty()) else { return Some(Err(())) };
    let start = guard.as_ptr() as usize - source.text().as_ptr() as usize;
    Some(Ok((guard, Span::new(start..start + guard.len()))))
}

impl TraceSession {
    /// Reads which sections are bridges out of guards of others.
    pub(super) fn read_leavings(&mut self, found: &mut [Diagnostics]) {
        let mut missing = Vec::new();
        for (part, diagnostics) in found.iter_mut().enumerate() {
            let sections = self.parts[part].sections.clone();
            for number in sections.clone() {
                // What stands above the first trace of a file is about that.
                let above = self.parts[part].directives.iter().filter(|_| number == sections.start);
                let lines: Vec<Span> = above.chain(&self.sections[number].directives).copied().collect();
                for line in lines {
                    let source = self.parts[part].source.clone();
                    match guard_named(&source, line) {
                        None => {}
                        Some(Err(())) => {
                            let error = Diagnostic::error(line, "this line names no guard");
                            diagnostics.push(error.note("it is written `#! out of GUARD`"));
                        }
                        Some(Ok((guard, place))) => match self.leaves(number, guard, place) {
                            Ok(true) => {}
                            Ok(false) => missing.push((part, number, guard.to_owned(), place)),
                            Err(error) => diagnostics.push(error),
                        },
                    }
                }
            }
            if let Some(number) = self.in_circles(sections) {
                let place = self.sections[number].trace.begins;
                let message = "this bridge goes on from a guard that only bridges of its own reach";
                diagnostics.push(Diagnostic::error(place, message));
            }
        }
        for (part, number, guard, place) in missing {
            found[part].push(self.no_guard(number, &guard, place));
        }
    }

    /// A section is a bridge out of the guards of a descriptor. `false`: there are none.
    fn leaves(&mut self, bridge: usize, guard: &str, place: Span) -> Result<bool, Diagnostic> {
        let name = self.texts.lookup_str(guard);
        let guards = name.map_or(Vec::new(), |name| self.guards_called(name));
        let Some(name) = name.filter(|_| !guards.is_empty()) else { return Ok(false) };
        let takes = types(self.function_of(bridge));
        for (parent, exit) in guards {
            let leaving = Parent { function: self.function_of(parent), exit };
            let hands = handed_over(leaving, Taken::State).unwrap_or_default();
            if hands != takes {
                let message = format!(
                    "`{guard}` hands over {}, and this trace takes {}",
                    listed(&hands),
                    listed(&takes)
                );
                return Err(Diagnostic::error(place, message));
            }
            if self.module.bridges.iter().any(|&(taken, _)| taken == exit) {
                return Err(Diagnostic::error(place, format!("a bridge goes on from `{guard}` already")));
            }
            self.module.bridges.push((exit, self.lifted[bridge].0));
            self.leavings.push(Leaving { bridge, guard: name, parent, exit });
        }
        Ok(true)
    }

    /// The guards that have a descriptor, by section and the number of their exit.
    fn guards_called(&self, name: Text) -> Vec<(usize, u32)> {
        let of = |(section, (_, origin)): (usize, &(FuncId, _))| {
            let origin: &planish_trace_dialect::lift::Origin = origin;
            let first = origin.first_exit;
            let exits = (first..).zip(&origin.exits);
            let named =
                exits.filter(|(_, exit)| exit.descr == Some(name)).map(|(number, _)| (section, number));
            named.collect::<Vec<_>>()
        };
        self.lifted.iter().enumerate().flat_map(of).collect()
    }

    /// That no guard is called so. What the bridge itself and those that it leads to have is none that it could go on from.
    fn no_guard(&self, bridge: usize, guard: &str, place: Span) -> Diagnostic {
        let error = Diagnostic::error(place, format!("no guard has the descriptor `{guard}`"));
        let mut behind = BTreeSet::from([bridge]);
        while let Some(next) = (self.leavings.iter())
            .find(|leaving| behind.contains(&leaving.parent) && !behind.contains(&leaving.bridge))
        {
            behind.insert(next.bridge);
        }
        let others = self.lifted.iter().enumerate().filter(|(section, _)| !behind.contains(section));
        let exits = others.flat_map(|(_, (_, origin))| &origin.exits);
        let known: BTreeSet<&str> =
            exits.filter_map(|exit| exit.descr).map(|descr| self.texts.get(descr).as_str()).collect();
        if known.is_empty() {
            return error.note(
                "no guard has a name yet; one has where it is written `guard_true(i0, descr=<Guard1>) [i0]`",
            );
        }
        match closest(guard, known.iter().copied()) {
            Some(near) => error.note(format!("did you mean `{near}`?")),
            None => {
                let some: Vec<String> =
                    known.iter().take(MOST_NAMED).map(|name| format!("`{name}`")).collect();
                let more = known.len().saturating_sub(MOST_NAMED);
                let more = if more > 0 { format!(" and {more} more") } else { String::new() };
                error.note(format!("guards are called {}{more}", some.join(", ")))
            }
        }
    }

    /// A section among some that comes before itself.
    fn in_circles(&self, mut sections: std::ops::Range<usize>) -> Option<usize> {
        let order: BTreeSet<usize> = self.parents_first().into_iter().collect();
        sections.find(|number| !order.contains(number))
    }

    /// The numbers of the exits, in order, from which sections go on.
    pub(super) fn left_for_bridges(&self) -> Vec<u32> {
        let mut exits: Vec<u32> = self.leavings.iter().map(|leaving| leaving.exit).collect();
        exits.sort_unstable();
        exits
    }

    /// The sections in an order in which bridges stand behind their parents, and else as they were. Those are left out whose
    /// parents are their own bridges. O(n log n).
    pub(super) fn parents_first(&self) -> Vec<usize> {
        let mut waits = vec![0_usize; self.sections.len()];
        let mut bridges = vec![Vec::new(); self.sections.len()];
        for leaving in &self.leavings {
            waits[leaving.bridge] += 1;
            bridges[leaving.parent].push(leaving.bridge);
        }
        let mut ready: BTreeSet<usize> = (0..waits.len()).filter(|&number| waits[number] == 0).collect();
        let mut order = Vec::with_capacity(waits.len());
        while let Some(number) = ready.pop_first() {
            order.push(number);
            for &bridge in &bridges[number] {
                waits[bridge] -= 1;
                if waits[bridge] == 0 {
                    ready.insert(bridge);
                }
            }
        }
        order
    }

    /// Whether a line says which guard a section goes on from, and no trace has that guard any more: it never fails.
    pub(super) fn is_out_of_nothing(&self, source: &SourceText, directive: Span) -> bool {
        let Some(Ok((guard, _))) = guard_named(source, directive) else { return false };
        let Some(name) = self.texts.lookup_str(guard) else { return false };
        let mut leavings = self.leavings.iter().filter(|leaving| leaving.guard == name);
        !leavings.any(|&Leaving { parent, exit, .. }| {
            self.given_up[parent] || is_left(Parent { function: self.function_of(parent), exit })
        })
    }
}

impl TraceSession {
    /// The module with what became of the traces, in which bridges out of guards of traces that are none do nothing but what they
    /// are told: operations on their inputs, and remarks about those. `before` is the module that was read.
    pub fn told(&self, before: &Module) -> Module {
        let mut told = self.module.clone();
        let mut teller = Teller::new(&mut told.descriptors, FactKinds::default());
        told.bridges.clear();
        for number in 0..self.sections.len() {
            let id = self.lifted[number].0;
            let leavings: Vec<&Leaving> = self.leavings.iter().filter(|l| l.bridge == number).collect();
            let of_bridge = |leaving: &&Leaving| self.module.is_bridge(self.lifted[leaving.parent].0);
            if leavings.is_empty() || leavings.iter().any(of_bridge) {
                continue;
            }
            let mut bridge = before.functions[id].clone();
            if teller.tell(self, number, &mut bridge).is_some() {
                let entry = bridge.entry();
                let ahead = bridge.block_insts(entry).iter().copied();
                let ahead = ahead.filter(|&inst| bridge.inst(inst).location == Location::default()).collect();
                bridge.replace_insts(entry, ahead);
                bridge.set_terminator(entry, Terminator::Return(List::EMPTY));
                bridge.set_result_types(&[]);
                bridge.retain_blocks(|block| block == entry);
                told.bridges.extend(leavings.iter().map(|leaving| (leaving.exit, id)));
                told.functions[id] = bridge;
            }
        }
        told
    }
}

/// What tells bridges of their parents.
pub(super) struct Teller {
    engine: Engine,
    promises: Promises,
    kinds: FactKinds,
}

impl Teller {
    pub fn new(descriptors: &mut Descriptors, kinds: FactKinds) -> Teller {
        Teller { engine: Engine::default(), promises: Promises::declare(descriptors), kinds }
    }

    /// Puts in front of the function of a section what it is told, if it is a bridge and some parent still has the guard.
    pub fn tell(
        &mut self,
        session: &TraceSession,
        number: usize,
        function: &mut Function,
    ) -> Option<FactCounts> {
        let leavings = session.leavings.iter().filter(|leaving| leaving.bridge == number);
        let parents: Vec<Parent<'_>> = leavings
            .map(|&Leaving { parent, exit, .. }| Parent { function: session.function_of(parent), exit })
            .collect();
        if parents.is_empty() {
            return None;
        }
        let world = &session.module.descriptors;
        tell(&mut self.engine, (&parents, Taken::State), function, world, (self.promises, self.kinds))
    }
}

fn types(function: &Function) -> Vec<Type> {
    function.params().iter().map(|&param| function.ty(param)).collect()
}

/// Types as a line of inputs names values of them.
fn listed(types: &[Type]) -> String {
    let letters = types.iter().map(|ty| match ty {
        Type::Ref => "p",
        Type::Float(_) => "f",
        Type::Int(_) | Type::State | Type::Vector(_) => "i",
    });
    format!("[{}]", letters.collect::<Vec<_>>().join(", "))
}

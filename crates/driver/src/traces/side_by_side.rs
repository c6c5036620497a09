//! Two programs of traces beside each other: which exits are the same one, and which traces.
//!
//! An optimizer leaves guards out, repeats and moves others, so where an exit stands among all says nothing of which one it is. A
//! guard has a name, its descriptor, by which a JIT knows where to go on, and keeps it whatever becomes of its trace; so exits are the
//! same where their guards have one name, over all sections and files. Nothing tells those apart that have none. What was just
//! written says more: its guards come one by one from the exits of the functions that were written, which have the numbers of
//! the source.

use std::collections::BTreeMap;

use planish_base::Id;
use planish_ir::{ExitTarget, FuncId, Function};
use planish_trace_dialect::text::Texts;

use planish_trace_dialect::read::Section;

use super::{BODY, PREAMBLE, TraceSession};

impl TraceSession {
    /// Lets two programs of which nothing else is known be held against each other: exits are numbered by the names of their
    /// guards, with one number for all that have none. Neither program is written afterwards.
    pub fn set_side_by_side(both: [&mut TraceSession; 2]) {
        let mut names = Texts::default();
        let mut number = |name: &str| names.intern_str(name).index() as u32;
        let unnamed = number("");
        let [first, second] = both;
        for session in [&mut *first, &mut *second] {
            // Exits are numbered through all files, in order.
            let exits = session.lifted.iter().flat_map(|(_, origin)| &origin.exits);
            let names = exits.map(|exit| exit.descr.map_or("", |descr| session.texts.get(descr).as_str()));
            let numbers: Vec<u32> = names.map(&mut number).collect();
            session.renumber_exits(|exit| numbers.get(exit as usize).copied().unwrap_or(unnamed));
        }
        name_alike([first, second]);
    }

    /// Lets a program be held against its source that was read again from what another session wrote, which has the exits of the
    /// source. `false`, and nothing is done, where the guards that were read are not one by one those that were written.
    pub fn set_behind(&mut self, source: &mut TraceSession, written: &TraceSession) -> bool {
        let exits = |session: &TraceSession| -> Vec<u32> {
            session.lifted.iter().flat_map(|(id, _)| left(&session.module.functions[*id])).collect()
        };
        let (read, meant) = (exits(self), exits(written));
        if read.len() != meant.len() {
            return false;
        }
        let numbers: BTreeMap<u32, u32> = read.into_iter().zip(meant).collect();
        self.renumber_exits(|exit| numbers.get(&exit).copied().unwrap_or(u32::MAX));
        name_alike([source, self]);
        true
    }

    /// Whether a file has a loop in two sections that do not say where they go on, as PyPy's tests have them: the first goes to no label
    /// of a name, and where the second goes nothing tells.
    pub fn is_divided_without_labels(&self) -> bool {
        self.parts.iter().any(|part| {
            let sections = &self.sections[part.sections.clone()];
            let goes = |section: &Section| {
                let last = section.trace.ops.last();
                last.is_some_and(|op| {
                    op.descr.is_none() && op.opcode.is_some_and(|opcode| opcode.name() == "jump")
                })
            };
            let has = |name| sections.iter().any(|section| self.is_named(section, name) && goes(section));
            has(PREAMBLE) && has(BODY)
        })
    }

    /// Gives exits other numbers, and the bridges that go on from them.
    fn renumber_exits(&mut self, number: impl Fn(u32) -> u32) {
        for (id, _) in &self.lifted {
            self.module.functions[*id].renumber_exits(&number);
        }
        for leaving in &mut self.leavings {
            leaving.exit = number(leaving.exit);
        }
        let bridges = self.leavings.iter().map(|leaving| (leaving.exit, self.lifted[leaving.bridge].0));
        let mut bridges: Vec<(u32, FuncId)> = bridges.collect();
        bridges.sort_unstable();
        bridges.dedup();
        self.module.bridges = bridges;
    }

    /// The function of the first trace of a file, if that has no name, or else if it is the first iteration of a loop.
    fn first_of(&self, part: usize) -> (Option<FuncId>, Option<FuncId>) {
        let part = &self.parts[part];
        let Some(section) = self.sections.get(part.sections.start) else { return (None, None) };
        let id = self.lifted[part.sections.start].0;
        let divided = part.unroll && self.is_named(section, PREAMBLE);
        (section.name.is_none().then_some(id), divided.then_some(id))
    }
}

/// Calls a trace that has no name in one program what it is called in the other where that has its loop apart.
fn name_alike([first, second]: [&mut TraceSession; 2]) {
    for part in 0..first.parts.len().min(second.parts.len()) {
        let ((whole, divided), (other_whole, other_divided)) = (first.first_of(part), second.first_of(part));
        if let (Some(whole), Some(divided)) = (whole, other_divided) {
            second.module.functions[divided].name.clone_from(&first.module.functions[whole].name);
        }
        if let (Some(divided), Some(whole)) = (divided, other_whole) {
            first.module.functions[divided].name.clone_from(&second.module.functions[whole].name);
        }
    }
}

/// The exits through which the operations of a function leave, in order.
fn left(function: &Function) -> impl Iterator<Item = u32> {
    function.live_insts().filter_map(|(_, inst)| match function.exit(function.inst(inst).exit?).target {
        ExitTarget::Leave(number) => Some(number),
        _ => None,
    })
}

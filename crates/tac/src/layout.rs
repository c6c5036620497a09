//! Labels and fall-through: the last step of writing a function.
//!
//! The lowering emits a label before every block and a jump after it. Here a jump to what follows goes,
//! a label that nothing names goes, statements that nothing gets to go, and the others get names: their own where it is free, else `L0`,
//! `L1` and so on in the order of the text.

use hashbrown::HashSet;
use planish_base::Span;
use rustc_hash::FxBuildHasher;

use crate::ast::{Action, Name, Operand, Program, Statement};

/// Something that can be gone to.
pub(crate) type Place = u32;

/// A statement before labels have names.
pub(crate) enum Line {
    /// A place.
    Label(Place),
    /// Goes to a place.
    Goto(Place),
    /// Goes to the place that a value counts.
    Switch(Operand, Vec<Place>),
    /// A statement that names no place.
    Action(Action),
}

/// The statements of a function. `preferred` is the name that a place had, or nothing.
pub(crate) fn arrange<'a>(
    lines: Vec<Line>,
    program: &mut Program,
    preferred: impl Fn(Place) -> &'a str,
) -> Vec<Statement> {
    let jumps = needed_jumps(&lines);
    let count = lines.iter().map(|line| if let Line::Label(place) = line { *place + 1 } else { 0 }).max();
    let mut named = vec![false; count.unwrap_or(0) as usize];
    for (line, &jump) in lines.iter().zip(&jumps) {
        match line {
            Line::Goto(place) if jump => named[*place as usize] = true,
            Line::Switch(_, places) => places.iter().for_each(|&place| named[place as usize] = true),
            _ => {}
        }
    }
    let mut names: Vec<Option<Name>> = vec![None; named.len()];
    let mut taken = HashSet::<Name, FxBuildHasher>::default();
    for pass in [true, false] {
        let mut next = 0;
        for line in &lines {
            let Line::Label(place) = line else { continue };
            if !named[*place as usize] || names[*place as usize].is_some() {
                continue;
            }
            let own = preferred(*place);
            if pass {
                // A name that the language can write, and that no earlier block has.
                let fits =
                    !own.is_empty() && !own.contains(|c: char| c.is_whitespace() || matches!(c, '#' | ';'));
                if fits && own != "->" {
                    let name = program.names.intern(own.to_owned());
                    names[*place as usize] = taken.insert(name).then_some(name);
                }
                continue;
            }
            names[*place as usize] = Some(loop {
                let name = program.names.intern(format!("L{next}"));
                next += 1;
                if taken.insert(name) {
                    break name;
                }
            });
        }
    }
    let name = |place: Place| names[place as usize].expect("a place that is named has a name");
    let mut statements = Vec::with_capacity(lines.len());
    // Whether control can get to the line: what follows an end without a label is dead.
    let mut open = true;
    for (line, jump) in lines.into_iter().zip(jumps) {
        match &line {
            Line::Label(place) => open |= named[*place as usize],
            _ if !open => continue,
            _ => {}
        }
        let action = match line {
            Line::Label(place) if named[place as usize] => Action::Label(name(place)),
            Line::Goto(place) if jump => Action::Goto(name(place)),
            Line::Label(_) | Line::Goto(_) => continue,
            Line::Switch(on, places) => {
                Action::Switch { on, targets: places.into_iter().map(name).collect() }
            }
            Line::Action(action) => action,
        };
        open = !action.ends_block();
        statements.push(Statement { action, span: Span::default() });
    }
    statements
}

/// Which lines are jumps to something else than what follows them.
fn needed_jumps(lines: &[Line]) -> Vec<bool> {
    let jump = |(i, line): (usize, &Line)| {
        let Line::Goto(place) = line else { return false };
        let mut follow = lines[i + 1..].iter();
        !follow
            .by_ref()
            .map_while(|line| if let Line::Label(label) = line { Some(label) } else { None })
            .any(|label| label == place)
    };
    lines.iter().enumerate().map(jump).collect()
}

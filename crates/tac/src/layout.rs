//! Labels and fall-through: the last step of writing a function.
//!
//! The lowering emits a label before every block and a jump after it. Here what goes to a jump goes where
//! that leads, a jump to what follows goes,
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
    mut lines: Vec<Line>,
    program: &mut Program,
    preferred: impl Fn(Place) -> &'a str,
) -> Vec<Statement> {
    let count = lines.iter().map(|line| if let Line::Label(place) = line { *place + 1 } else { 0 }).max();
    skip_jumps(&mut lines, count.unwrap_or(0) as usize);
    drop_dead(&mut lines, count.unwrap_or(0) as usize);
    let jumps = needed_jumps(&lines);
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
    for (line, jump) in lines.into_iter().zip(jumps) {
        let action = match line {
            Line::Label(place) if named[place as usize] => Action::Label(name(place)),
            Line::Goto(place) if jump => Action::Goto(name(place)),
            Line::Label(_) | Line::Goto(_) => continue,
            Line::Switch(on, places) => {
                Action::Switch { on, targets: places.into_iter().map(name).collect() }
            }
            Line::Action(action) => action,
        };
        statements.push(Statement { action, span: Span::default() });
    }
    statements
}

/// Lets whatever goes to a jump go where that leads.
fn skip_jumps(lines: &mut [Line], places: usize) {
    let mut leads: Vec<Option<Place>> = vec![None; places];
    let mut after = None;
    for line in lines.iter().rev() {
        match line {
            Line::Label(place) => leads[*place as usize] = after,
            Line::Goto(place) => after = Some(*place),
            Line::Switch(..) | Line::Action(_) => after = None,
        }
    }
    let end = |mut place: Place| {
        // A loop of jumps leads nowhere: any place in it will do.
        for _ in 0..places {
            match leads[place as usize] {
                Some(next) if next != place => place = next,
                _ => break,
            }
        }
        place
    };
    let mut known: Vec<Option<Place>> = vec![None; places];
    let mut resolve = |place: &mut Place| *place = *known[*place as usize].get_or_insert_with(|| end(*place));
    for line in lines {
        match line {
            Line::Goto(place) => resolve(place),
            Line::Switch(_, places) => places.iter_mut().for_each(&mut resolve),
            Line::Label(_) | Line::Action(_) => {}
        }
    }
}

/// Drops what nothing gets to: it would stand between a jump and the label to which that goes.
fn drop_dead(lines: &mut Vec<Line>, places: usize) {
    let mut labels = vec![0; places];
    for (at, line) in lines.iter().enumerate() {
        if let Line::Label(place) = line {
            labels[*place as usize] = at;
        }
    }
    let (mut reached, mut work) = (vec![false; lines.len()], vec![0]);
    while let Some(mut at) = work.pop() {
        while at < lines.len() && !std::mem::replace(&mut reached[at], true) {
            let goes_on = match &lines[at] {
                Line::Goto(place) => {
                    work.push(labels[*place as usize]);
                    false
                }
                Line::Switch(_, places) => {
                    work.extend(places.iter().map(|&place| labels[place as usize]));
                    false
                }
                Line::Action(action) => !action.ends_block(),
                Line::Label(_) => true,
            };
            if !goes_on {
                break;
            }
            at += 1;
        }
    }
    let mut reached = reached.into_iter();
    lines.retain(|_| reached.next().unwrap_or(true));
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

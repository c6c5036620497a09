//! Traces whose guards are left for bridges: a line or a loop, bridges out of some of its guards, and perhaps one out of a guard of
//! such a bridge.

use arbitrary::{Result, Unstructured};

use super::draft::{Draft, Kind};
use super::entered::{CLOSED, UNROLL};
use super::steps::{inputs, some_steps};

/// At most so many steps in a parent, and in a bridge.
const STEPS: u32 = 16;

/// A trace, and what the guards hand over that bridges leave from.
struct Parent {
    text: String,
    guards: Vec<Guard>,
}

/// A guard that has a name.
struct Guard {
    number: u32,
    handed: Vec<Kind>,
}

/// A parent and bridges out of its guards.
pub(super) fn traces(u: &mut Unstructured<'_>) -> Result<String> {
    let mut text = String::new();
    let loops = u.ratio(1, 2)?;
    if loops && u.ratio(1, 2)? {
        text.push_str(UNROLL);
    }
    if u.ratio(1, 2)? {
        text.push_str(CLOSED);
    }
    let mut named = 0;
    let inputs = inputs(u)?;
    let parent = trace(u, &inputs, loops, &mut named)?;
    text.push_str(&format!("#! section parent\n{}", parent.text));
    let mut left = parent.guards;
    let mut number = 0;
    while let Some(guard) = left.pop() {
        // The inputs of a bridge are what its guard hands over.
        let bridge = trace(u, &guard.handed, false, &mut named)?;
        text.push_str(&format!(
            "#! section bridge {number}\n#! out of <Guard{}>\n{}",
            guard.number, bridge.text
        ));
        if number < 2 {
            left.extend(bridge.guards.into_iter().next());
        }
        number += 1;
    }
    Ok(text)
}

/// A trace that ends or goes around; some of its guards get names.
fn trace(u: &mut Unstructured<'_>, inputs: &[Kind], loops: bool, named: &mut u32) -> Result<Parent> {
    let mut draft = Draft::new(u, inputs);
    some_steps(&mut draft, STEPS)?;
    if loops {
        let mut args = Vec::with_capacity(inputs.len());
        for (position, &kind) in inputs.iter().enumerate() {
            args.push(match draft.once_in(2)? {
                true => draft.names[position].name.clone(),
                false => draft.operand(kind)?,
            });
        }
        draft.line(format!("jump({})", args.join(", ")));
    } else {
        let result = draft.operand(Kind::Int)?;
        draft.line(format!("finish({result})"));
    }
    let mut guards = Vec::new();
    let kinds = std::mem::take(&mut draft.given);
    for line in &mut draft.lines {
        if guards.len() == 2 || !draft.u.ratio(1, 2)? {
            continue;
        }
        let Some((guard, handed)) = left(line, &kinds, *named) else { continue };
        *line = guard;
        guards.push(Guard { number: *named, handed });
        *named += 1;
    }
    Ok(Parent { text: draft.lines.join("\n") + "\n", guards })
}

/// A guard that lists what it keeps, with a name, and the kinds of what it hands over.
fn left(line: &str, kinds: &[(String, Kind)], number: u32) -> Option<(String, Vec<Kind>)> {
    let (operation, list) = line.strip_suffix(']')?.rsplit_once(") [")?;
    if !operation.starts_with("guard_") || operation.contains("descr=") {
        return None;
    }
    let kind = |name: &str| kinds.iter().find(|(known, _)| known == name).map(|(_, kind)| *kind);
    let handed = list.split(", ").filter_map(kind).collect();
    let comma = if operation.ends_with('(') { "" } else { ", " };
    Some((format!("{operation}{comma}descr=<Guard{number}>) [{list}]"), handed))
}

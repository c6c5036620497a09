//! Traces that go on in each other: loops with labels that others jump to, and bridges.
//!
//! Every trace may jump to every label, its own included. What it hands over is permuted, given twice and constant as it
//! comes; some guards list nothing at all.

use arbitrary::{Result, Unstructured};

use super::draft::{Draft, Kind};
use super::steps::{inputs, some_steps};

/// At most so many steps on each side of a label: several traces run one after the other.
const STEPS: u32 = 8;

/// What lets loops have a first iteration of their own.
pub(super) const UNROLL: &str = "#! opts intbounds:rewrite:virtualize:string:pure:earlyforce:heap:unroll\n";

/// What lets labels change to which no other trace jumps.
pub(super) const CLOSED: &str = "#! closed\n";

/// A label and the kinds that it takes.
struct Label {
    token: u32,
    kinds: Vec<Kind>,
}

/// One or two loops, and up to two bridges.
pub(super) fn traces(u: &mut Unstructured<'_>) -> Result<String> {
    let mut labels = Vec::new();
    for number in 0..u.int_in_range(1..=2u32)? {
        let mut kinds = inputs(u)?;
        kinds.rotate_left(usize::from(u.int_in_range(0..=2u8)?));
        labels.push(Label { token: 7 + 70 * number, kinds });
    }
    let unrolls = u.ratio(1, 2)?;
    let mut text = String::from(if unrolls { UNROLL } else { "" });
    if labels.len() == 2 {
        text.push_str(CLOSED);
    }
    for number in 0..labels.len() {
        text.push_str(&format!("#! section loop {number}\n{}", trace(u, &labels, Some(number))?));
    }
    for number in 0..u.int_in_range(0..=2)? {
        text.push_str(&format!("#! section side {number}\n{}", trace(u, &labels, None)?));
    }
    Ok(text)
}

/// A trace with a label of its own, or without one.
fn trace(u: &mut Unstructured<'_>, labels: &[Label], own: Option<usize>) -> Result<String> {
    let inputs = match own {
        Some(own) if u.ratio(1, 2)? => labels[own].kinds.clone(),
        _ => inputs(u)?,
    };
    let mut draft = Draft::new(u, &inputs);
    draft.lists_all = !draft.once_in(3)?;
    if own.is_none() || draft.once_in(2)? {
        some_steps(&mut draft, STEPS)?;
    }
    if let Some(own) = own {
        let Label { token, kinds } = &labels[own];
        let mut args = Vec::with_capacity(kinds.len());
        for &kind in kinds {
            let name = listed(&mut draft, kind, &args)?;
            args.push(name);
        }
        draft.line(format!("label({}, descr=TargetToken({token}))", args.join(", ")));
        draft.keep_only(&args);
        some_steps(&mut draft, STEPS)?;
    }
    if draft.once_in(6)? {
        let result = draft.operand(Kind::Int)?;
        draft.line(format!("finish({result})"));
        return Ok(draft.lines.join("\n") + "\n");
    }
    let to = match own {
        Some(own) if !draft.once_in(3)? => own,
        _ => draft.below(labels.len() as u32)? as usize,
    };
    let Label { token, kinds } = &labels[to];
    let mut args = Vec::with_capacity(kinds.len());
    for (position, &kind) in kinds.iter().enumerate() {
        // Much of a loop does not change.
        let same = draft.names.get(position).filter(|named| own == Some(to) && named.kind == kind);
        let same = same.map(|named| named.name.clone());
        args.push(match same {
            Some(name) if draft.once_in(2)? => name,
            _ => draft.operand(kind)?,
        });
    }
    draft.line(format!("jump({}, descr=TargetToken({token}))", args.join(", ")));
    Ok(draft.lines.join("\n") + "\n")
}

/// A name of a kind for a label, which lists each name once.
fn listed(draft: &mut Draft<'_, '_>, kind: Kind, taken: &[String]) -> Result<String> {
    if let Some(named) = draft.some(kind, |named| !taken.contains(&named.name))? {
        return Ok(named.name);
    }
    let constant = draft.constant(kind)?;
    let operation = match kind.letter() {
        'i' => "same_as_i",
        'f' => "same_as_f",
        _ => "same_as_r",
    };
    Ok(draft.result(kind, &format!("{operation}({constant})")))
}

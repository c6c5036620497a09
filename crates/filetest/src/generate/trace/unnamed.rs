//! Traces with jumps that name no label: back to the beginning, or to one of several labels without a token, of which the
//! last that fits is meant.
//!
//! Labels list some of what there is in any order, constants too. Many guards list nothing.

use arbitrary::{Result, Unstructured};

use super::draft::{Draft, Kind};
use super::entered::{CLOSED, UNROLL};
use super::steps::{inputs, some_steps};

/// At most so many steps between two labels.
const STEPS: u32 = 8;

/// What says that loops are peeled, and that labels without a token are nothing that a jump goes to.
const MODE: &str = "#! mode unroll\n";

/// One trace without a name, or two sections.
pub(super) fn traces(u: &mut Unstructured<'_>) -> Result<String> {
    let header = *u.choose(&["", "", UNROLL, MODE, CLOSED])?;
    let mut text = String::from(header);
    let sections = u.int_in_range(0..=2)?;
    for number in 0..sections {
        text.push_str(&format!("#! section part {number}\n{}", trace(u, number, header == MODE)?));
    }
    if sections == 0 {
        text.push_str(&trace(u, 0, header == MODE)?);
    }
    Ok(text)
}

/// One trace. With `to_beginning` no label without a token is a target.
fn trace(u: &mut Unstructured<'_>, number: u32, to_beginning: bool) -> Result<String> {
    let inputs = inputs(u)?;
    let mut draft = Draft::new(u, &inputs);
    draft.lists_all = draft.once_in(3)?;
    // Where the jump may go: a token, or none.
    let mut targets: Vec<(Option<u32>, Vec<Kind>)> = Vec::new();
    for label in 0..draft.below(3)? {
        if draft.once_in(2)? {
            some_steps(&mut draft, STEPS)?;
        }
        let token = if draft.once_in(3)? { Some(700 + 10 * number + label) } else { None };
        let kinds = self::label(&mut draft, token)?;
        targets.push((token, kinds));
    }
    some_steps(&mut draft, STEPS)?;
    if draft.once_in(8)? {
        let result = draft.operand(Kind::Int)?;
        draft.line(format!("finish({result})"));
        return Ok(draft.lines.join("\n") + "\n");
    }
    if to_beginning || targets.iter().all(|(token, _)| token.is_some()) {
        targets.retain(|(token, _)| token.is_some());
        targets.push((None, inputs.clone()));
    }
    let (token, kinds) = draft.u.choose(&targets)?.clone();
    let mut args = Vec::with_capacity(kinds.len() + 1);
    for kind in kinds {
        args.push(draft.operand(kind)?);
    }
    args.extend(token.map(|token| format!("descr=TargetToken({token})")));
    draft.line(format!("jump({})", args.join(", ")));
    Ok(draft.lines.join("\n") + "\n")
}

/// A label; the kinds of what it lists.
pub(super) fn label(draft: &mut Draft<'_, '_>, token: Option<u32>) -> Result<Vec<Kind>> {
    let constant = draft.number()?;
    let mut args = vec![draft.result(Kind::Int, &format!("same_as_i({constant})"))];
    let mut kinds = vec![Kind::Int];
    for _ in 0..draft.below(5)? {
        if draft.once_in(4)? {
            let constant = draft.number()?;
            args.push(draft.result(Kind::Int, &format!("same_as_i({constant})")));
            kinds.push(Kind::Int);
            continue;
        }
        let named = draft.u.choose(&draft.names)?.clone();
        if named.kind != Kind::Memory && !args.contains(&named.name) {
            args.push(named.name);
            kinds.push(named.kind);
        }
    }
    let mut listed = args.clone();
    listed.extend(token.map(|token| format!("descr=TargetToken({token})")));
    draft.line(format!("label({})", listed.join(", ")));
    draft.keep_only(&args);
    Ok(kinds)
}

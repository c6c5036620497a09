//! Parsing of `(i)i effect=can_raise reads=a,b writes=* oopspec=O invalidates`: what is declared of a callee.
//!
//! What is said and could not count is an error: the optimizer would go by something else than the line has.

use hashbrown::HashSet;
use planish_base::spelling::closest;
use planish_ops::world::CallEffect;
use rustc_hash::FxBuildHasher;

use super::words::{Options, Parsed, Wrong, first, lacks, misspelt, wrong};
use super::{Callee, Signature};
use crate::declare;
use crate::opcode::Kind;

/// What a callee may do, in PyPy's order.
const EFFECTS: [&str; 8] = [
    "elidable_cannot_raise",
    "loopinvariant",
    "cannot_raise",
    "elidable_or_memoryerror",
    "elidable_can_raise",
    "can_raise",
    "forces_virtual_or_virtualizable",
    "random_effects",
];

/// What may be said of a callee.
pub(super) fn callee(text: &str) -> Parsed<'_, Callee> {
    let (signature, words) = first(text);
    let signature = self::signature(signature)?;
    let keys = ["effect", "reads", "writes", "oopspec"];
    let options = Options::read("a callee", words, &keys, &["invalidates"])?;
    let word = options.wanted("call", "effect")?;
    let effect = effect(word)?;
    let random = word == "random_effects";
    let keeps_memory = effect.elidable || effect.loop_invariant;
    for (key, ignored) in [("reads", random), ("writes", random || keeps_memory)] {
        if let Some(list) = options.get(key).filter(|list| list.is_empty()) {
            let message = format!("nothing stands behind `{key}=`; without it, a callee {key} nothing");
            return wrong(list, message);
        }
        if let Some(list) = options.get(key).filter(|list| ignored && !(random && *list == "*")) {
            let whole = options.word(key).unwrap_or(list);
            let touches = if random { "anything" } else { "nothing" };
            return wrong(whole, format!("a callee of effect `{word}` {key} {touches}, whatever is said"));
        }
    }
    let set = |key: &str| match options.get(key) {
        _ if random => Ok(None),
        Some("*") => Ok(None),
        list => memory(list.unwrap_or_default()).map(Some),
    };
    let (reads, writes) = (set("reads")?, set("writes")?);
    let oopspec = options.get("oopspec");
    if let Some(oopspec) =
        oopspec.filter(|&oopspec| !declare::oopspecs().iter().any(|known| known == oopspec))
    {
        return misspelt(
            oopspec,
            format!("there is no oopspec `{oopspec}`"),
            declare::oopspecs().iter().map(String::as_str),
        );
    }
    if keeps_memory && let Some(mark) = options.mark("invalidates") {
        let message = format!("a callee of effect `{word}` writes nothing, so it invalidates nothing");
        return wrong(mark, message);
    }
    let effect = CallEffect { invalidates: random || options.has("invalidates"), ..effect };
    Ok(Callee { signature, effect, reads, writes, oopspec: oopspec.map(str::to_owned) })
}

/// The names of a list, in which nothing may be listed.
fn memory(list: &str) -> Parsed<'_, Vec<String>> {
    let mut names: Vec<&str> = Vec::new();
    let mut listed: HashSet<&str, FxBuildHasher> = HashSet::default();
    for name in list.split(',').filter(|_| !list.is_empty()) {
        if name.is_empty() {
            return wrong(list, format!("a name is missing in `{list}`"));
        }
        if name == "*" {
            return wrong(list, "`*` is any memory, and nothing is said besides".to_owned());
        }
        if !listed.insert(name) {
            return wrong(name, format!("`{name}` is listed twice"));
        }
        names.push(name);
    }
    Ok(names.into_iter().map(str::to_owned).collect())
}

/// The effect that a word of PyPy's says.
fn effect(word: &str) -> Parsed<'_, CallEffect> {
    let (elidable, loop_invariant, raises, forces) = match word {
        "elidable_cannot_raise" => (true, false, false, false),
        "loopinvariant" => (false, true, false, false),
        "cannot_raise" => (false, false, false, false),
        "elidable_or_memoryerror" | "elidable_can_raise" => (true, false, true, false),
        "can_raise" => (false, false, true, false),
        "forces_virtual_or_virtualizable" | "random_effects" => (false, false, true, true),
        _ => {
            let note = match closest(word, EFFECTS) {
                Some(near) => format!("did you mean `{near}`?"),
                None => format!("effects are `{}`", EFFECTS.join("`, `")),
            };
            let message = format!("there is no effect `{word}`");
            return Err(Wrong { at: Some(word), message, note: Some(note) });
        }
    };
    Ok(CallEffect {
        elidable,
        loop_invariant,
        raises,
        raises_lack_of_memory: word == "elidable_or_memoryerror",
        forces_virtuals: forces,
        ..CallEffect::pure()
    })
}

/// `(ri)i`: the kinds of the arguments, and of the result; nothing, `v` or `n` for none.
fn signature(text: &str) -> Parsed<'_, Signature> {
    let parts = text.strip_prefix('(').and_then(|text| text.split_once(')'));
    let Some((args, result)) = parts else {
        return match text {
            "" => Err(lacks("call", "signature")),
            _ => wrong(text, format!("`{text}` is no signature")),
        };
    };
    let kind = |letter: char| match letter {
        'i' => Some(Kind::Int),
        'r' => Some(Kind::Ref),
        'f' => Some(Kind::Float),
        _ => None,
    };
    let args: Option<Vec<Kind>> = args.chars().map(kind).collect();
    let mut letters = result.chars();
    let result = match (letters.next(), letters.next()) {
        (None | Some('v' | 'n'), None) => Some(None),
        (Some(letter), None) => kind(letter).map(Some),
        _ => None,
    };
    match (args, result) {
        (Some(args), Some(result)) => Ok(Signature { args, result }),
        _ => wrong(text, format!("`{text}` is no signature: kinds are `i`, `r` and `f`")),
    }
}

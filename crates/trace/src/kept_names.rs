//! Names for what an optimizer makes as it was.
//!
//! An object that is made late, a string of which every character was known, a rotation that is two shifts and an `or`: such
//! things are taken apart and put together anew, so their values have no names. Where an operation of the source does the same
//! to the same operands, and nothing in the result is called as its value was, that is the name. So a second run over a result
//! gives the same text, and whoever looks at both sees what stayed. O(length).

use std::collections::VecDeque;

use hashbrown::{HashMap, HashSet};
use planish_base::List;
use rustc_hash::FxBuildHasher;

use crate::opcode::Opcode;
use crate::text::{Arg, Name, OpData, Text, Trace};

/// An operand, by what it is called.
#[derive(PartialEq, Eq, Hash)]
enum Operand {
    Named(Name),
    Other(Arg),
}

/// What an operation does, and whether it does so where a guard fails.
#[derive(PartialEq, Eq, Hash)]
struct Deed {
    opcode: Option<Opcode>,
    name: Option<Text>,
    operands: Vec<Operand>,
    descr: Option<Text>,
    at_exit: bool,
}

impl Deed {
    fn of(op: &OpData, at_exit: bool, trace: &Trace) -> Deed {
        let operand = |arg: &Arg| match *arg {
            Arg::Var(var) => Operand::Named(trace.vars[var].name),
            other => Operand::Other(other),
        };
        let operands = trace.args(op).iter().map(operand).collect();
        Deed { opcode: op.opcode, name: op.name, operands, descr: op.descr, at_exit }
    }
}

/// The operations that have results, in order, those of exits with their guards.
fn making(trace: &Trace) -> impl Iterator<Item = (OpData, bool)> + '_ {
    let steps = |op: &OpData| op.resume.map_or(&[][..], |resume| &trace.resumes[resume].steps);
    let all = trace.ops.iter().flat_map(move |op| {
        let at_exit = steps(op).iter().map(|&step| (step, true));
        std::iter::once((*op, false)).chain(at_exit)
    });
    all.filter(|(op, _)| op.result.is_some())
}

/// The names of what is given and made in a trace.
fn names(trace: &Trace) -> HashSet<Name, FxBuildHasher> {
    let listed = |list: List<Arg>| trace.lists.get(list).iter();
    let inputs = listed(trace.inputs).filter_map(|arg| match *arg {
        Arg::Var(var) => Some(var),
        _ => None,
    });
    let results = making(trace).filter_map(|(op, _)| op.result);
    inputs.chain(results).map(|var| trace.vars[var].name).collect()
}

/// The names of what a trace makes, by what makes it.
#[derive(Default)]
struct Known {
    numbers: HashMap<Deed, usize, FxBuildHasher>,
    /// By deed the names, in order.
    named: Vec<VecDeque<Name>>,
    /// What makes the value of a name.
    deed_of: HashMap<Name, usize, FxBuildHasher>,
}

impl Known {
    fn of(trace: &Trace) -> Known {
        let mut known = Known::default();
        for (op, at_exit) in making(trace) {
            let Some(result) = op.result else { continue };
            let number = *known.numbers.entry(Deed::of(&op, at_exit, trace)).or_insert(known.named.len());
            if number == known.named.len() {
                known.named.push(VecDeque::new());
            }
            let name = trace.vars[result].name;
            known.named[number].push_back(name);
            known.deed_of.insert(name, number);
        }
        known
    }
}

/// Calls what was made of a trace as the trace does, where it is the same.
pub fn keep_names(source: &Trace, made: &mut Trace) {
    let mut taken = names(made);
    let mut known = Known::of(source);
    let all: Vec<(OpData, bool)> = making(made).collect();
    for (op, at_exit) in all {
        let (Some(result), Some(&deed)) = (op.result, known.numbers.get(&Deed::of(&op, at_exit, made)))
        else {
            continue;
        };
        let called = made.vars[result].name;
        if known.deed_of.get(&called) == Some(&deed) {
            continue;
        }
        let names = &mut known.named[deed];
        if let Some(name) = std::iter::from_fn(|| names.pop_front()).find(|name| !taken.contains(name)) {
            taken.remove(&called);
            taken.insert(name);
            made.vars[result].name = name;
        }
    }
}

#[cfg(test)]
mod tests {
    use planish_base::SourceText;

    use super::*;
    use crate::read;
    use crate::text::Texts;
    use crate::write;

    /// Two traces of one text, the second called as the first.
    fn kept(text: &str) -> String {
        let (file, found) = read::read_beside(&SourceText::new("two", text), Texts::default());
        assert!(!found.has_errors(), "{found:?}");
        let [source, made] = &file.sections[..] else { panic!("two sections") };
        let mut made = made.trace.clone();
        keep_names(&source.trace, &mut made);
        let mut out = String::new();
        write::body(&made, &file.texts, &mut out);
        out
    }

    #[test]
    fn what_is_made_as_it_was_is_called_as_it_was() {
        let source = "#! section a\n[i0]\np1 = newstr(1)\nstrsetitem(p1, 0, i0)\np2 = newstr(1)\ni3 = strlen(p2)\n\
                      i4 = int_lshift(i0, 3)\ni5 = int_or(i4, i0)\nfinish(p1, p2, i5)\n";
        let made = "#! section b\n[i0]\ni9 = int_lshift(i0, 3)\np6 = newstr(1)\np7 = newstr(1)\np8 = newstr(1)\n\
                    i10 = int_or(i9, i0)\ni11 = int_or(i0, i9)\nfinish(p6, p7, p8, i10, i11)\n";
        let called = "[i0]\ni4 = int_lshift(i0, 3)\np1 = newstr(1)\np2 = newstr(1)\np8 = newstr(1)\n\
                      i5 = int_or(i4, i0)\ni11 = int_or(i0, i4)\nfinish(p1, p2, p8, i5, i11)\n";
        assert_eq!(kept(&[source, made].concat()), called);
    }

    #[test]
    fn a_name_that_is_in_use_is_no_name_for_another() {
        let source = "#! section a\n[i0, i1]\ni2 = int_neg(i0)\nfinish(i2)\n";
        let made = "#! section b\n[i0, i1]\ni2 = int_neg(i1)\ni4 = int_neg(i0)\nfinish(i4, i2)\n";
        assert_eq!(kept(&[source, made].concat()), made.trim_start_matches("#! section b\n"));
    }

    #[test]
    fn a_name_is_free_once_what_had_it_is_called_otherwise() {
        let source = "#! section a\n[i0, i1]\ni2 = int_neg(i0)\ni3 = int_neg(i1)\nfinish(i2, i3)\n";
        let made = "#! section b\n[i0, i1]\ni2 = int_neg(i1)\ni4 = int_neg(i0)\nfinish(i4, i2)\n";
        let called = "[i0, i1]\ni3 = int_neg(i1)\ni2 = int_neg(i0)\nfinish(i2, i3)\n";
        assert_eq!(kept(&[source, made].concat()), called);
    }

    #[test]
    fn what_is_made_at_exits_is_called_as_it_was_there() {
        let source = "#! section a\n[i0, p3]\nguard_true(i0) [i0]  #! resume p5 = new(descr=d); setfield_gc(p5, i0, descr=f); [p5]\n\
                      p4 = new(descr=e)\nfinish(p4)\n";
        let made = "#! section b\n[i0, p3]\nguard_true(i0) [i0]  #! resume p7 = new(descr=e); p8 = new(descr=d); \
                    setfield_gc(p8, i0, descr=f); [p8]\nfinish(p3)\n";
        let called = made.replace("p8", "p5");
        assert_eq!(kept(&[source, made].concat()), called.trim_start_matches("#! section b\n"));
    }
}

//! Redundant phi elimination in the body of an unrolled trace: parameters that are always equal become one.
//!
//! Results of the first iteration that a guard showed to be equal come to the body as one value, but for each of them the
//! body has a parameter: they need not be equal in the next iteration. Where the body hands both on as they are, they are.
//! All parameters that begin equal are taken to stay so until the end of the body tells them apart. PyPy leaves them as they
//! are, and makes copies where one value comes to two of them.

use planish_base::SideTable;
use planish_ir::{Function, Terminator, Value};
use planish_pass::record::{Became, Kind, Record, Site};

use super::first::Peeled;

/// The name that reports have for it.
const NAME: &str = "peel";

/// Lets one parameter stand for all that equal it. Whether there is such. O(parameters) for each that is told apart, and O(size) in all.
pub(crate) fn merge(f: &mut Function, Peeled { start, body }: Peeled, record: &mut Record) -> bool {
    let (&Terminator::Jump(first), &Terminator::Jump(back)) = (f.terminator(start), f.terminator(body))
    else {
        return false;
    };
    if first.block != body || back.block != body {
        return false;
    }
    let params = f.block_params(body).to_vec();
    let (begin, next) = (f.list(first.args).to_vec(), f.list(back.args).to_vec());
    // For each parameter the first that begins with the same value.
    let mut first_with: SideTable<Value, Option<usize>> = SideTable::new();
    let mut leaders: Vec<usize> =
        begin.iter().enumerate().map(|(at, &value)| *first_with[value].get_or_insert(at)).collect();
    if leaders.iter().enumerate().all(|(at, &leader)| at == leader) {
        return false;
    }
    let mut places: SideTable<Value, Option<usize>> = SideTable::new();
    params.iter().enumerate().for_each(|(at, &param)| places[param] = Some(at));
    loop {
        let came = |at: usize| places[next[at]].map_or(next[at], |place| params[leaders[place]]);
        let told_apart = (0..params.len()).find(|&at| came(at) != came(leaders[at]));
        let Some(at) = told_apart else { break };
        let (leader, value) = (leaders[at], came(at));
        let group: Vec<usize> =
            (at..params.len()).filter(|&other| leaders[other] == leader && came(other) == value).collect();
        group.into_iter().for_each(|other| leaders[other] = at);
    }
    let kept: Vec<usize> = (0..params.len()).filter(|&at| leaders[at] == at).collect();
    if kept.len() == params.len()
        || !record.rewrite(Kind::Pass(NAME), Site::of_block(f, body), Became::Changed)
    {
        return false;
    }
    f.map_uses(|value| places[value].map_or(value, |place| params[leaders[place]]));
    let pick = |all: &[Value]| kept.iter().map(|&at| all[at]).collect::<Vec<Value>>();
    let next = f.list(back.args).to_vec();
    f.set_params(body, &pick(&params));
    let (first, back) = (f.make_call(body, &pick(&begin)), f.make_call(body, &pick(&next)));
    f.set_terminator(start, Terminator::Jump(first));
    f.set_terminator(body, Terminator::Jump(back));
    true
}

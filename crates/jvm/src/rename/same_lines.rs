//! Methods of one class that stand on the same lines of its source: a stack trace tells them apart by their names alone.

use hashbrown::HashMap;
use planish_base::Id;
use planish_jvm_ir::code::body;
use planish_jvm_ir::lower::lines;
use planish_jvm_model::program::{Class, Method, Program};
use rustc_hash::FxBuildHasher;

/// Methods that share lines with others of their class, by the number of their group. O(instructions).
pub fn same_lines(program: &Program<'_>, classes: &[Class]) -> HashMap<Method, u32, FxBuildHasher> {
    let mut groups = HashMap::default();
    let mut next = 0;
    for &class in classes {
        let mut ranges: Vec<(u16, u16, Method)> =
            program.classes[class].methods.iter().filter_map(|&method| range(program, method)).collect();
        ranges.sort_unstable_by_key(|&(first, last, method)| (first, last, method.index()));
        let mut rest = &ranges[..];
        while let Some(&(_, mut end, _)) = rest.first() {
            let count = rest.iter().take_while(|&&(first, last, _)| {
                let meets = first <= end;
                end = if meets { end.max(last) } else { end };
                meets
            });
            let (together, others) = rest.split_at(count.count());
            if together.len() > 1 {
                groups.extend(together.iter().map(|&(.., method)| (method, next)));
                next += 1;
            }
            rest = others;
        }
    }
    groups
}

/// The first and the last line of a method.
fn range(program: &Program<'_>, method: Method) -> Option<(u16, u16, Method)> {
    let lines = lines(&body(program, method)?);
    let lines = || lines.iter().flatten().copied();
    Some((lines().min()?, lines().max()?, method))
}

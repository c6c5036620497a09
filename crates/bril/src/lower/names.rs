//! Names by order of appearance: constants `c0`, `c1`, ..., variables `v0`, `v1`, ..., labels `b0`, `b1`, ...
//!
//! What was a value or a block, and what was made for want of an operation, is called alike; so a program that is read back
//! and written has the same names. O(size of the function).

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use crate::ast::{Function, Instruction, Item};

/// Names of one kind in the order in which they are met.
struct Names {
    letter: char,
    numbers: HashMap<String, usize, FxBuildHasher>,
}

impl Names {
    fn new(letter: char) -> Self {
        Names { letter, numbers: HashMap::default() }
    }

    fn rename(&mut self, name: &mut String) {
        let next = self.numbers.len();
        let number = *self.numbers.entry(std::mem::take(name)).or_insert(next);
        *name = format!("{}{number}", self.letter);
    }
}

/// Gives the parameters, variables and labels of a function new names, and puts its constants, with which it begins, in the
/// order of their first uses.
pub(super) fn number(function: &mut Function, mut constants: Vec<Instruction>) {
    let (mut kept, mut variables, mut labels) = (Names::new('c'), Names::new('v'), Names::new('b'));
    let made: HashMap<String, usize, FxBuildHasher> = (constants.iter().zip(0..))
        .filter_map(|(constant, number)| Some((constant.dest.as_ref()?.0.clone(), number)))
        .collect();
    let mut positions = vec![usize::MAX; constants.len()];
    function.params.iter_mut().for_each(|(name, _)| variables.rename(name));
    for item in &mut function.body {
        match item {
            Item::Label(label, _) => labels.rename(label),
            Item::Instruction(Instruction { dest, args, labels: targets, .. }) => {
                for arg in args {
                    if let Some(&constant) = made.get(arg) {
                        kept.rename(arg);
                        positions[constant] = positions[constant].min(kept.numbers.len());
                    } else {
                        variables.rename(arg);
                    }
                }
                if let Some((name, _)) = dest {
                    variables.rename(name);
                }
                targets.iter_mut().for_each(|label| labels.rename(label));
            }
        }
    }
    for (constant, position) in constants.iter_mut().zip(&positions) {
        if let Some((name, _)) = constant.dest.as_mut().filter(|_| *position != usize::MAX) {
            kept.rename(name);
        }
    }
    let mut constants: Vec<(usize, Instruction)> = positions.into_iter().zip(constants).collect();
    constants.retain(|(position, _)| *position != usize::MAX);
    constants.sort_by_key(|(position, _)| *position);
    let constants = constants.into_iter().map(|(_, constant)| Item::Instruction(constant));
    function.body.splice(0..0, constants);
}

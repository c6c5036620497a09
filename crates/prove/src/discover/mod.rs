//! What a rule could say: the constants that its target leaves open, the condition under which it holds, how general it is.
//!
//! - [`draft`]: a rule as text, with lines put in and names changed. [`examples`]: inputs, and whether the claim holds for each.
//! - [`expressions`]: what can be computed from constants. [`complete`](mod@complete): targets with `?` for constants.
//! - [`vocabulary`]: what can be checked. [`condition`](mod@condition): the weakest condition under which a wrong rule holds.
//! - [`widths`]: the widths for which a wrong rule holds.
//! - [`generalize`](mod@generalize): a rule that holds, for more constants, widths and operations, with weaker checks.
//!
//! The way is the same everywhere: candidates are sifted by examples, in the order of what they would be worth, and what is left
//! is proved at all widths. Nothing is said of a candidate that is not proved. Anchors are Alive-Infer (Menendez and Nagarakatte,
//! PLDI 2017) for conditions and Hydra (Mukherjee and Regehr, OOPSLA 2024) for generalization.

pub mod complete;
pub mod condition;
pub mod draft;
pub mod examples;
pub mod expressions;
pub mod generalize;
pub mod vocabulary;
pub mod widths;

use planish_rules::Rule;
use planish_rules::exhaust::exhaust;

pub use complete::{Completed, complete};
pub use condition::{Conditioned, condition};
pub use draft::Draft;
pub use generalize::{Better, generalize};
pub use widths::at_widths;

use crate::prover::prove_one;
use crate::question::Options;
use crate::rule::Verdict;

/// The widths and the number of inputs with which a candidate is tried before it is proved.
const TRIAL_WIDTHS: [u32; 4] = [1, 2, 3, 4];
const TRIAL_INPUTS: u64 = 1500;

/// The rule of a draft, if it is proved. One that is wrong costs no more than a trial: nobody is told a counterexample.
pub(crate) fn proved(draft: &Draft, options: &Options) -> Option<Rule> {
    let rule = draft.read().ok()?;
    let is_wrong = exhaust(&rule, &TRIAL_WIDTHS, TRIAL_INPUTS).wrong.is_some()
        || examples::examples(&rule).iter().any(|example| example.holds == Some(false));
    (!is_wrong && prove_one(&rule, options).verdict == Verdict::Proved).then_some(rule)
}

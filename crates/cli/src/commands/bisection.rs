//! Bisection over rewrites (LLVM's `-opt-bisect-limit`, searched by itself).
//!
//! Fuel limits the number of rewrites, and a run with fuel N does exactly the first N of any longer run,
//! so bisection over N finds the one. The check must hold without any rewrite and fail with all of them.

use crate::failure::Failure;

/// What is asked of one run.
#[derive(Clone, Copy)]
pub enum Ask {
    /// How many rewrites it makes.
    Count,
    /// Whether the check holds.
    Check,
    /// What the last rewrite was.
    Last,
}

/// What one run answers.
#[derive(Default)]
pub struct Answer {
    /// The number of rewrites.
    pub rewrites: u64,
    /// Whether the check holds; `true` if nobody asked.
    pub holds: bool,
    /// What the last rewrite was, and the pass that made it; empty if nobody asked.
    pub last: String,
}

/// Says which rewrite is the first after which a check fails. `attempt` makes a run with so much fuel and answers what it
/// is asked. O(log rewrites) runs.
pub fn first_bad(
    mut attempt: impl FnMut(Option<u64>, Ask) -> Result<Answer, Failure>,
) -> Result<String, Failure> {
    let total = attempt(None, Ask::Count)?.rewrites;
    if !attempt(Some(0), Ask::Check)?.holds {
        return Err(Failure::Rejected("the check fails without any rewrite".to_owned()));
    }
    if attempt(None, Ask::Check)?.holds {
        return Err(Failure::Rejected(format!("the check holds after all {total} rewrites")));
    }
    // The check holds after `good` rewrites and fails after `bad`.
    let (mut good, mut bad) = (0, total);
    while bad - good > 1 {
        let middle = good + (bad - good) / 2;
        match attempt(Some(middle), Ask::Check)?.holds {
            true => good = middle,
            false => bad = middle,
        }
    }
    let last = attempt(Some(bad), Ask::Last)?.last;
    Ok(format!("rewrite {bad} of {total} {last}\n"))
}

//! What an answer may cost: work, and the clock as a last resort.
//!
//! A limit in seconds of the clock makes a proof depend on what else the machine does. So limits are
//! *work*: what a solver counts while it searches (visits of clauses, z3's resource units), said as the time
//! that it takes on a usual machine. A question that was answered once within a budget is answered within
//! it again, on a busy machine too, only later. The clock ends what does not count, and what hangs, after
//! many times as long. Whoever no longer wants the answer ends it by a [`Cancel`].

use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::{Duration, Instant};

/// How much longer than its work says an answer may take by the clock.
const PATIENCE: u32 = 8;

/// What it takes to start, by the clock.
const START: Duration = Duration::from_secs(2);

/// By which another thread ends what is asked: nothing is left of a budget that listens to it.
#[derive(Clone, Debug, Default)]
pub struct Cancel(Arc<AtomicBool>);

impl Cancel {
    /// Nobody wants the answer any more.
    pub fn cancel(&self) {
        self.0.store(true, Ordering::Relaxed);
    }

    /// Whether nobody wants the answer any more.
    pub fn is_cancelled(&self) -> bool {
        self.0.load(Ordering::Relaxed)
    }
}

/// What is left of an allowance of work.
#[derive(Clone, Debug)]
pub struct Budget {
    left: Duration,
    used: Duration,
    deadline: Instant,
    cancel: Cancel,
}

impl Budget {
    /// Work that takes this long on a usual machine.
    pub fn new(work: Duration) -> Budget {
        let clock = work.saturating_mul(PATIENCE) + START;
        Budget {
            left: work,
            used: Duration::ZERO,
            deadline: Instant::now() + clock,
            cancel: Cancel::default(),
        }
    }

    /// The same, ended by `cancel` too.
    pub fn until(self, cancel: Cancel) -> Budget {
        Budget { cancel, ..self }
    }

    /// Work that is not charged to this budget, and ends with it.
    pub fn aside(&self, work: Duration) -> Budget {
        let aside = Budget::new(work);
        Budget { deadline: aside.deadline.min(self.deadline), cancel: self.cancel.clone(), ..aside }
    }

    /// The same work, ended by the clock after `clock` if that is sooner.
    pub fn within(self, clock: Option<Duration>) -> Budget {
        let deadline = clock.map_or(self.deadline, |clock| self.deadline.min(Instant::now() + clock));
        Budget { deadline, ..self }
    }

    /// The work that is left; none after the last resort.
    pub fn left(&self) -> Duration {
        if self.clock().is_zero() { Duration::ZERO } else { self.left }
    }

    /// Whether nothing is left.
    pub fn is_spent(&self) -> bool {
        self.left().is_zero()
    }

    /// The work that was done.
    pub fn used(&self) -> Duration {
        self.used
    }

    /// The time left by the clock; none once it is cancelled.
    pub fn clock(&self) -> Duration {
        if self.cancel.is_cancelled() {
            return Duration::ZERO;
        }
        self.deadline.saturating_duration_since(Instant::now())
    }

    /// Work was done.
    pub fn charge(&mut self, work: Duration) {
        self.left = self.left.saturating_sub(work);
        self.used += work;
    }

    /// Lets something be done for at most `work` of what is left.
    pub fn share<R>(&mut self, work: Duration, run: impl FnOnce(&mut Budget) -> R) -> R {
        let mut part = self.aside(work.min(self.left()));
        let result = run(&mut part);
        self.charge(part.used);
        result
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_clock_ends_what_counts_no_work() {
        let budget = Budget::new(Duration::from_secs(1000)).within(Some(Duration::ZERO));
        assert!(budget.is_spent() && budget.clock().is_zero());
        assert!(!Budget::new(Duration::from_secs(1000)).within(None).is_spent());
    }

    #[test]
    fn whoever_does_not_want_the_answer_ends_shares_and_what_is_done_aside() {
        let cancel = Cancel::default();
        let second = Duration::from_secs(1);
        let mut budget = Budget::new(3 * second).until(cancel.clone());
        let aside = budget.aside(second);
        let before = budget.share(second, |part| {
            let before = part.left();
            cancel.cancel();
            assert!(part.is_spent());
            before
        });
        assert_eq!(before, second);
        assert!(budget.is_spent() && aside.is_spent() && budget.clock().is_zero());
    }

    #[test]
    fn shares_are_charged_and_never_exceed_what_is_left() {
        let second = Duration::from_secs(1);
        let mut budget = Budget::new(3 * second);
        let within = budget.share(second, |part| {
            part.charge(second / 2);
            part.left()
        });
        assert_eq!(within, second / 2);
        assert_eq!(budget.used(), second / 2);
        assert_eq!(budget.share(10 * second, |part| part.left()), 5 * second / 2);
        budget.charge(9 * second);
        assert!(budget.is_spent());
    }
}

//! What is being proved at this moment, for whoever waits and wants to know.

use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{Duration, Instant};

/// What has begun and not ended, in the order in which it began. Copies tell the same.
#[derive(Clone, Default, Debug)]
pub struct UnderWay(Arc<Mutex<Vec<Work>>>);

#[derive(Debug)]
struct Work {
    name: String,
    began: Instant,
}

/// As long as this lives, something is under way.
pub struct Begun<'a> {
    of: &'a UnderWay,
    began: Instant,
    name: String,
}

impl UnderWay {
    /// Something begins.
    pub fn begin(&self, name: String) -> Begun<'_> {
        let began = Instant::now();
        self.works().push(Work { name: name.clone(), began });
        Begun { of: self, began, name }
    }

    /// What is under way, each with the time since it began, the oldest first.
    pub fn now(&self) -> Vec<(String, Duration)> {
        self.works().iter().map(|work| (work.name.clone(), work.began.elapsed())).collect()
    }

    /// A list of names is right whatever became of the thread that held it.
    fn works(&self) -> MutexGuard<'_, Vec<Work>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Begun<'_> {
    fn drop(&mut self) {
        let mut works = self.of.works();
        if let Some(at) = works.iter().position(|work| work.began == self.began && work.name == self.name) {
            works.remove(at);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_has_ended_is_no_longer_under_way() {
        let all = UnderWay::default();
        let names = || all.now().into_iter().map(|(name, _)| name).collect::<Vec<_>>();
        let first = all.begin("first".to_owned());
        let second = all.clone();
        let second = second.begin("second".to_owned());
        assert_eq!(names(), ["first", "second"]);
        drop(first);
        assert_eq!(names(), ["second"]);
        drop(second);
        assert!(names().is_empty());
    }
}

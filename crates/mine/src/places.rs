//! Counts of places: at how many something stands, how often these are executed, and what it is there.

use std::collections::BTreeMap;

/// How many places are named, and of how many choices it is counted how often they occur.
const NAMED: usize = 3;
const CHOICES: usize = 64;

/// Where something stands.
#[derive(Clone, Default, Debug)]
pub struct Places {
    /// At how many places.
    pub count: u64,
    /// At how many of them nothing else uses what is in it.
    pub alone: u64,
    /// How often all of them are executed, as it was counted or as loops tell.
    pub weight: u64,
    /// Some of them by name.
    pub examples: Vec<String>,
}

impl Places {
    /// One place.
    pub fn one(is_alone: bool, weight: u64, example: String) -> Places {
        Places { count: 1, alone: u64::from(is_alone), weight, examples: vec![example] }
    }

    /// Adds others.
    pub fn add(&mut self, other: &Places) {
        self.count += other.count;
        self.alone += other.alone;
        self.weight += other.weight;
        for example in &other.examples {
            if self.examples.len() < NAMED && !self.examples.contains(example) {
                self.examples.push(example.clone());
            }
        }
    }
}

/// Adds how often choices occur; of those beyond a number, new ones are forgotten.
pub fn add_choices<T: Ord + Clone>(own: &mut BTreeMap<T, u64>, others: &BTreeMap<T, u64>) {
    for (choice, count) in others {
        if own.len() < CHOICES || own.contains_key(choice) {
            *own.entry(choice.clone()).or_default() += count;
        }
    }
}

//! The order in which the SAT solver decides variables: those that took part in recent conflicts first.
//!
//! Activities in a binary heap with positions, as in MiniSat (Eén and Sörensson, SAT 2003): a variable's
//! activity grows when a conflict involves it, and the increment grows geometrically, which makes older
//! conflicts count less.

/// A heap of variables by activity.
#[derive(Debug)]
pub(crate) struct Order {
    activity: Vec<f64>,
    increment: f64,
    heap: Vec<u32>,
    /// The place of a variable in the heap.
    place: Vec<u32>,
}

const ABSENT: u32 = u32::MAX;

impl Order {
    /// All variables, none of them active.
    pub fn new(variables: usize) -> Self {
        Order {
            activity: vec![0.0; variables],
            increment: 1.0,
            heap: (0..variables as u32).collect(),
            place: (0..variables as u32).collect(),
        }
    }

    /// A conflict involved this variable.
    pub fn bump(&mut self, variable: u32) {
        let activity = &mut self.activity[variable as usize];
        *activity += self.increment;
        if *activity > 1e100 {
            for activity in &mut self.activity {
                *activity *= 1e-100;
            }
            self.increment *= 1e-100;
        }
        if self.place[variable as usize] != ABSENT {
            self.up(self.place[variable as usize] as usize);
        }
    }

    /// A conflict is over: earlier ones count less, by this factor.
    pub fn decay(&mut self, factor: f64) {
        self.increment /= factor;
    }

    /// Takes the most active variable out.
    pub fn pop(&mut self) -> Option<u32> {
        let last = self.heap.pop()?;
        let Some(&first) = self.heap.first() else {
            self.place[last as usize] = ABSENT;
            return Some(last);
        };
        self.place[first as usize] = ABSENT;
        self.put(0, last);
        self.down(0);
        Some(first)
    }

    /// Puts a variable back, if it is out.
    pub fn insert(&mut self, variable: u32) {
        if self.place[variable as usize] == ABSENT {
            self.heap.push(variable);
            let at = self.heap.len() - 1;
            self.put(at, variable);
            self.up(at);
        }
    }

    fn put(&mut self, at: usize, variable: u32) {
        self.heap[at] = variable;
        self.place[variable as usize] = at as u32;
    }

    fn better(&self, a: u32, b: u32) -> bool {
        self.activity[a as usize] > self.activity[b as usize]
    }

    fn up(&mut self, mut at: usize) {
        let variable = self.heap[at];
        while at > 0 {
            let parent = (at - 1) / 2;
            if !self.better(variable, self.heap[parent]) {
                break;
            }
            self.put(at, self.heap[parent]);
            at = parent;
        }
        self.put(at, variable);
    }

    fn down(&mut self, mut at: usize) {
        let variable = self.heap[at];
        loop {
            let left = 2 * at + 1;
            if left >= self.heap.len() {
                break;
            }
            let right = left + 1;
            let child = if right < self.heap.len() && self.better(self.heap[right], self.heap[left]) {
                right
            } else {
                left
            };
            if !self.better(self.heap[child], variable) {
                break;
            }
            self.put(at, self.heap[child]);
            at = child;
        }
        self.put(at, variable);
    }
}

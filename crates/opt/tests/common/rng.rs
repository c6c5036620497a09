//! Numbers that look random and depend on a seed alone.

/// A sequence of numbers (xorshift) that depends on its seed alone.
pub struct Random(u64);

impl Random {
    pub fn new(seed: u64) -> Self {
        let mut r = Random(seed.wrapping_mul(0x9e37_79b9_7f4a_7c15) | 1);
        for _ in 0..4 {
            r.next();
        }
        r
    }
    pub fn next(&mut self) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0
    }
    pub fn below(&mut self, n: usize) -> usize {
        (self.next() >> 20) as usize % n
    }
}

//! The memory that code reads and writes by address.
//!
//! One row of bytes. Its first part is memory that was there before the run, whose content is that of the interpreter's
//! world; what follows is allocated in pieces, whose sizes are powers of two, and holds zeros when it is. An
//! access behind the end is none, so no program can touch what is not its own.

use hashbrown::HashMap;
use planish_interp::Scenario;
use rustc_hash::FxBuildHasher;

/// How many bytes there are before the run: at the addresses from 0 on.
pub const OUTSIDE: u64 = 1 << 20;
/// How many bytes there are in all.
const SIZE: u64 = 256 << 20;
/// The smallest piece.
const LEAST: u64 = 16;

/// Which memory a program accesses.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub(crate) enum Touched {
    /// None.
    #[default]
    Nothing,
    /// What it allocates.
    Allocated,
    /// Any address.
    Outside,
}

/// Memory by address.
pub(crate) struct Memory {
    bytes: Vec<u8>,
    /// Where the next piece begins that is none yet.
    next: u64,
    /// The size of each piece that is allocated, by address; asked, never iterated.
    sizes: HashMap<u64, u64, FxBuildHasher>,
    /// The pieces that were freed, by the logarithm of their size.
    freed: [Vec<u64>; 64],
}

impl Memory {
    /// The memory of a world, as far as it is accessed.
    pub fn new(touched: Touched, world: &Scenario) -> Memory {
        // Zeros that nobody touches take no room.
        let size = if touched == Touched::Nothing { 0 } else { SIZE };
        let mut bytes = vec![0; size as usize];
        if touched == Touched::Outside {
            for (byte, address) in bytes.iter_mut().zip(0..OUTSIDE) {
                *byte = world.memory(address);
            }
        }
        let freed = std::array::from_fn(|_| Vec::new());
        Memory { bytes, next: OUTSIDE, sizes: HashMap::default(), freed }
    }

    /// Where the bytes are, and how many.
    pub fn bytes(&mut self) -> (*mut u8, u64) {
        (self.bytes.as_mut_ptr(), self.bytes.len() as u64)
    }

    /// The address of so many zeros, if there is room.
    pub fn allocate(&mut self, size: u64) -> Option<u64> {
        let size = size.max(LEAST).checked_next_power_of_two()?;
        let address = match self.freed[size.trailing_zeros() as usize].pop() {
            Some(address) => {
                self.bytes[address as usize..][..size as usize].fill(0);
                address
            }
            None => {
                let end = self.next.checked_add(size).filter(|&end| end <= self.bytes.len() as u64)?;
                std::mem::replace(&mut self.next, end)
            }
        };
        self.sizes.insert(address, size);
        Some(address)
    }

    /// How many pieces were not freed.
    pub fn open(&self) -> usize {
        self.sizes.len()
    }

    /// Frees a piece, if there is one at the address.
    pub fn free(&mut self, address: u64) -> bool {
        let size = self.sizes.remove(&address);
        if let Some(size) = size {
            self.freed[size.trailing_zeros() as usize].push(address);
        }
        size.is_some()
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_freed_is_given_out_again_as_zeros() {
        let mut memory = Memory::new(Touched::Outside, &Scenario::new(0));
        let (a, b) = (memory.allocate(20).unwrap(), memory.allocate(32).unwrap());
        assert_eq!((a, b), (OUTSIDE, OUTSIDE + 32));
        memory.bytes[a as usize + 3] = 7;
        assert!(memory.free(a) && !memory.free(a) && !memory.free(a + 1));
        assert_eq!(memory.allocate(17), Some(a));
        assert_eq!(memory.bytes[a as usize + 3], 0);
        assert_eq!(memory.allocate(SIZE), None);
        assert_eq!(memory.allocate(u64::MAX), None);
    }
}

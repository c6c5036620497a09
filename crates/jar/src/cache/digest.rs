//! Digests by which what was kept is found again: of all that it depends on.

use std::hash::Hasher;

use sha2::{Digest as _, Sha256};

/// What stands for something that was hashed. Two digests that are equal are of the same.
pub type Digest = [u8; 32];

/// A hasher without collisions: SHA-256.
#[derive(Clone, Default)]
pub struct Digester(Sha256);

impl Digester {
    /// The digest of what was hashed.
    pub fn digest(self) -> Digest {
        self.0.finalize().into()
    }
}

impl Hasher for Digester {
    fn write(&mut self, bytes: &[u8]) {
        self.0.update(bytes);
    }

    /// The first bytes of the digest.
    fn finish(&self) -> u64 {
        let digest = self.clone().digest();
        digest[..8].iter().fold(0, |number, &byte| number << 8 | u64::from(byte))
    }
}

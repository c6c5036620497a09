//! Type-based aliasing of raw memory, checked while a program runs: bytes that it stores to through one alias class and
//! accesses through another are apart for whoever optimizes it, and so such a run means nothing.
//!
//! This is the effective type of C (C17, 6.5), kept for each byte as LLVM's TypeSanitizer keeps it, but in both directions: where
//! C lets a store give memory another type, an oracle that answers by class alone lets that store go in front of an earlier
//! load. A call that may write anything comes between accesses, whoever optimizes, so behind it memory is of no class again;
//! and so it is behind a store that names no location, or one that changes behind our back.

use hashbrown::HashMap;
use planish_ops::world::{Descr, World};
use rustc_hash::FxBuildHasher;

use crate::behaviour::End;

/// Which bytes were accessed through which classes.
#[derive(Default)]
pub(crate) struct Accesses {
    bytes: HashMap<u64, Accessed, FxBuildHasher>,
}

/// How a byte was accessed since the last call that may have written anything.
#[derive(Clone, Copy, Default)]
struct Accessed {
    /// The number of that call.
    since: u64,
    /// The last store.
    stored: Option<ByClass>,
    /// Loads since then, of two classes if there are so many: a store is at odds with one of them, whatever its class.
    loaded: [Option<ByClass>; 2],
}

/// An access through a class.
#[derive(Clone, Copy)]
pub(crate) struct ByClass {
    class: u32,
    descr: Descr,
}

impl ByClass {
    /// An access that names a descriptor; nothing if it may be of any class.
    pub fn of(world: &dyn World, descr: Option<Descr>) -> Option<ByClass> {
        let descr = descr?;
        let location = world.location(descr).filter(|location| !location.raw)?;
        Some(ByClass { class: location.alias_class, descr })
    }

    /// Refuses an access beside one of another class.
    fn agrees(
        self,
        stores: bool,
        earlier: Option<ByClass>,
        stored: bool,
        world: &dyn World,
    ) -> Result<(), End> {
        let Some(earlier) = earlier.filter(|earlier| earlier.class != self.class) else { return Ok(()) };
        let what = |stores: bool| if stores { "stored through" } else { "loaded through" };
        let is = |access: ByClass| format!("`{}` of class {}", world.name(access.descr), access.class);
        let (first, then) = (is(earlier), is(self));
        Err(End::Undefined(
            format!(
                "one byte of raw memory is {} {first} and {} {then}, which are different memory",
                what(stored),
                what(stores)
            )
            .into(),
        ))
    }
}

impl Accesses {
    /// The byte at an address is loaded; `since` is the number of the last call that may have written anything.
    pub fn load(
        &mut self,
        address: u64,
        by: Option<ByClass>,
        since: u64,
        world: &dyn World,
    ) -> Result<(), End> {
        let Some(by) = by else { return Ok(()) };
        let accessed = self.at(address, since);
        by.agrees(false, accessed.stored, true, world)?;
        let is_new = |other: &Option<ByClass>| other.is_none_or(|other| other.class != by.class);
        if accessed.loaded.iter().all(is_new) {
            accessed.loaded = [Some(by), accessed.loaded[0]];
        }
        Ok(())
    }

    /// The byte at an address is stored to.
    pub fn store(
        &mut self,
        address: u64,
        by: Option<ByClass>,
        since: u64,
        world: &dyn World,
    ) -> Result<(), End> {
        let accessed = self.at(address, since);
        if let Some(by) = by {
            by.agrees(true, accessed.stored, true, world)?;
            for loaded in accessed.loaded {
                by.agrees(true, loaded, false, world)?;
            }
        }
        *accessed = Accessed { since, stored: by, loaded: [None; 2] };
        Ok(())
    }

    fn at(&mut self, address: u64, since: u64) -> &mut Accessed {
        let accessed = self.bytes.entry(address).or_default();
        if accessed.since != since {
            *accessed = Accessed { since, ..Accessed::default() };
        }
        accessed
    }
}

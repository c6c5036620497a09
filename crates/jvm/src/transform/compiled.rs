//! Methods too long to be compiled: HotSpot's `HugeMethodLimit`.

/// The most bytes of code of a method that JVMs compile: HotSpot's `HugeMethodLimit`.
const COMPILED: usize = 8_000;

/// Whether JVMs compile a method with a body of so many bytes of code, or did not with the old one either: an instruction
/// less is not worth interpreting all of them.
pub(crate) fn stays_compiled(old: usize, new: usize) -> bool {
    new <= COMPILED || old > COMPILED
}

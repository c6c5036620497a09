//! Full loop unrolling of bodies, tried where it pays: short loops are written out.
//!
//! A loop that runs four times is mostly shorter than its body four times, so most loops stay loops in bytecode. It is worth
//! while where the counter was all that there was to do, as in a copy of a power for the exponent 2:
//!
//! ```java
//! int r = 1;
//! for (int n = 2; n > 0; n--) r *= k;
//! ```
//!
//! and where an array goes by that:
//!
//! ```java
//! int[] a = new int[4];
//! for (int i = 0; i < 4; i++) a[i] = x * i;
//! ```
//!
//! An array becomes its elements ([`transform::objects`](crate::transform::objects)) if all indices are
//! constants, and those of a loop are when each round stands for itself. Whether that was better is seen in the end only: so
//! such a body is tried both ways, first with its loops written out, if there are loops of a known number of rounds.

use planish_classfile::Code;

use super::worth::has_loops;

/// Whether loops are written out, in the attempts at a body.
pub(super) fn ways(code: &Code) -> &'static [bool] {
    if has_loops(code) { &[true, false] } else { &[false] }
}

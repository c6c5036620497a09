//! The remarks with which a bridge begins.

use planish_ir::module::{Descriptor, Descriptors};
use planish_ops::world::{Descr, Remark};

/// The descriptors of remarks that promise something.
#[derive(Clone, Copy, Debug)]
pub struct Promises {
    pub(super) nonnull: Descr,
    pub(super) class: Descr,
    pub(super) value: Descr,
    pub(super) result: Descr,
}

impl Promises {
    /// Declares the remarks. Their names are none that a dialect gives.
    pub fn declare(descriptors: &mut Descriptors) -> Promises {
        let mut remark = |name: &str, remark: Remark| {
            let descr = descriptors.intern(name, || Descriptor::Other);
            descriptors.set_remark(descr, remark);
            descr
        };
        Promises {
            nonnull: remark("told: not null", Remark::Nonnull),
            class: remark("told: class", Remark::ExactClass),
            value: remark("told: value", Remark::ExactValue),
            result: remark("told: result", Remark::KnownResult),
        }
    }
}

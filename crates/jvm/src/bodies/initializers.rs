//! Class initializers that do nothing.
//!
//! A JVM runs the initializer of a class if there is one, and nothing else is done differently where there is none: reflection
//! does not show it, and the class above is initialized either way. But what is computed of a class that can be serialized
//! and states no version depends on whether it has one (*Java Object Serialization Specification*, 4.6).

use planish_classfile::{Body, Kind, Opcode, Result};
use planish_jvm_model::names::show;
use planish_pass::{Became, Leave};

use super::passes::EMPTY_INITIALIZERS;
use super::rewriter::Rewriter;
use crate::shrink::serial_version::computed_version;
use crate::transform::first_stores::INITIALIZER;

impl Rewriter<'_, '_> {
    /// Removes the initializer of the class if it only returns and nobody can tell. Whether it went.
    pub(super) fn drop_initializer(&mut self, class: &[u8]) -> Result<bool> {
        let pool = &self.class.pool;
        let is_initializer = |name| pool.utf8(name).is_ok_and(|name| name == INITIALIZER);
        let place = self.class.methods.iter().position(|method| is_initializer(method.name));
        let Some(place) = place else { return Ok(false) };
        let full_name = [class, b".", INITIALIZER, b"()V"].concat();
        if !self.only_returns(place)? || self.known.pinned.contains(&full_name[..]) || self.may_tell(class)? {
            return Ok(false);
        }
        self.optimizer.begin(&show(&full_name), &[]);
        let mut leave = Leave::new(self.optimizer.record(), &EMPTY_INITIALIZERS);
        if !leave.rewrite_together(1, Became::Nothing) {
            return Ok(false);
        }
        self.class.methods.remove(place);
        Ok(true)
    }

    /// Whether a method has a body that only returns.
    fn only_returns(&self, place: usize) -> Result<bool> {
        let pool = &self.class.pool;
        let Some(code) = self.class.methods[place].attribute(pool, Kind::Code) else { return Ok(false) };
        let Some(Body::Code(bytes)) = code.decode(pool)? else { return Ok(false) };
        Ok(bytes.code == [Opcode::Return as u8])
    }

    /// Whether the class has a version that is computed, and that somebody may compare.
    fn may_tell(&self, class: &[u8]) -> Result<bool> {
        let serializable = self.hierarchy.lookup(b"java/io/Serializable");
        let is_written = || match (self.hierarchy.lookup(class), serializable) {
            (Some(class), Some(serializable)) => {
                self.hierarchy.is_subtype(class, serializable) != Some(false)
            }
            _ => true,
        };
        Ok(is_written() && computed_version(&self.class)?.is_some())
    }
}

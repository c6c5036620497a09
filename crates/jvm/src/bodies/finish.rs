//! Cross jumping as the last step of a body ([`tails`](planish_jvm_ir::tails)), when nobody looks at values any more.

use planish_classfile::code::CodeBody;
use planish_classfile::{Body, Code, Flags, Kind, Result};
use planish_jvm_ir::lift::lift;
use planish_jvm_ir::lower::{Target, Unwritten, complete};
use planish_jvm_ir::tails::share_tails;
use planish_jvm_model::names::show;
use planish_pass::{Became, Leave};

use super::passes::CROSS_JUMPING;
use super::rewriter::Rewriter;
use super::steps::TAILS;
use super::worth::variables_size;
use crate::bodies::record::{Broken, Did, Story};
use crate::transform::compiled::stays_compiled;

/// How many bytes of tables an instruction less may cost.
const BYTES_PER_INSTRUCTION: u64 = 1;

impl Rewriter<'_, '_> {
    /// Gives a method its last form if it has a body. Whether that changed.
    pub(super) fn finish(&mut self, index: usize, class: &[u8], super_class: Option<&[u8]>) -> Result<bool> {
        let pool = &self.class.pool;
        let method = &self.class.methods[index];
        let is_code = |kind: Option<Kind>| kind == Some(Kind::Code);
        let place = method.attributes.iter().position(|a| a.kind(pool).is_ok_and(is_code));
        let Some(place) = place else { return Ok(false) };
        let (name, descriptor) = (pool.utf8(method.name)?.to_vec(), pool.utf8(method.descriptor)?.to_vec());
        let full_name = [class, b".", &name, &descriptor].concat();
        let Some(Body::Code(bytes)) = method.attributes[place].decode(pool)? else { return Ok(false) };
        let before = Code::read(&bytes, pool)?;
        let moves =
            |body: &CodeBody| matches!(body, CodeBody::Lines(_) | CodeBody::Locals(..) | CodeBody::Frames(_));
        if self.known.pinned.contains(&full_name[..])
            || !before.attributes.iter().all(|attribute| moves(&attribute.body))
        {
            return Ok(false);
        }
        let is_static = method.flags.has(Flags::STATIC);
        let target = Target { class, super_class, name: &name, descriptor: &descriptor, is_static };
        if self.known.keeps_messages && self.may_speak_of_null(&before, &target) {
            return Ok(false);
        }
        let mark = self.class.pool.mark();
        let made = match self.with_shared_tails(&before, &target) {
            Ok(Some(made)) => made,
            Ok(None) | Err(Unwritten::Cannot(_)) => {
                self.class.pool.undo_to(mark);
                return Ok(false);
            }
            Err(Unwritten::Wrong(why)) => {
                self.class.pool.undo_to(mark);
                self.report.broken.push(Broken::new(&full_name, TAILS, why));
                return Ok(false);
            }
        };
        let mut content = Vec::new();
        made.write(&mut content)?;
        let counts = [&before, &made].map(|code| code.instructions.len() as u64);
        let shared = counts[0].saturating_sub(counts[1]);
        let old = method_size(self.class.methods[index].attributes[place].content.len(), &before);
        let new = method_size(content.len(), &made) + self.class.pool.added_since(mark);
        let pays = shared > 0 && new <= old + shared * BYTES_PER_INSTRUCTION;
        if !(pays && stays_compiled(before.byte_len(), made.byte_len())) {
            self.class.pool.undo_to(mark);
            return Ok(false);
        }
        self.class.methods[index].attributes[place].content = content.into();
        let did = Did { shared, ..Did::default() };
        self.report.did.add(did);
        self.report.improved += 1;
        self.report.instructions.0 += counts[0];
        self.report.instructions.1 += counts[1];
        self.report.bytes.0 += before.byte_len() as u64;
        self.report.bytes.1 += made.byte_len() as u64;
        let story =
            || Story { method: show(&full_name), instructions: counts.into(), did, ..Story::default() };
        self.report.stories.iter_mut().for_each(|stories| stories.push(story()));
        Ok(true)
    }

    /// A body in which equal ends are one, verified; nothing if there are none.
    fn with_shared_tails(
        &mut self,
        before: &Code,
        target: &Target<'_>,
    ) -> std::result::Result<Option<Code>, Unwritten> {
        let mut made = before.clone();
        if self.known.drops_variables {
            made.attributes.retain(|attribute| !matches!(attribute.body, CodeBody::Locals(..)));
        }
        let info = target.info(&self.class.pool);
        if !share_tails(&mut made, &info, &mut self.context, !self.known.drops_lines)? {
            return Ok(None);
        }
        if !Leave::new(self.optimizer.record(), &CROSS_JUMPING).rewrite_together(1, Became::Changed) {
            return Ok(None);
        }
        self.context.take_loaded();
        complete(&mut made, target, &mut self.class.pool, &mut self.context)?;
        self.forget_found_types();
        let wrong = |error: planish_jvm_model::state::VerifyError| Unwritten::Wrong(error.to_string());
        let info = target.info(&self.class.pool);
        planish_jvm_model::verify::verify(&made, &info, &mut self.context).map_err(wrong)?;
        if let Some(why) = self.loads_more() {
            return Err(Unwritten::Cannot(why));
        }
        if self.optimizer.set_comparing(true) {
            let info = target.info(&self.class.pool);
            // What cannot be read into SSA form can only be verified.
            if let Ok(first) = lift(before, &info, &mut self.names, &mut self.context) {
                let second = lift(&made, &info, &mut self.names, &mut self.context).map_err(wrong)?;
                let same = self.optimizer.compare(&first, &second, &self.names, !target.is_static);
                same.map_err(Unwritten::Wrong)?;
            }
            self.optimizer.set_comparing(false);
        }
        self.without_old_frames(&mut made).map_err(|error| Unwritten::Cannot(error.to_string()))?;
        Ok(Some(made))
    }
}

/// The bytes of a body without its tables of variables.
fn method_size(content: usize, code: &Code) -> u64 {
    content as u64 - variables_size(code)
}

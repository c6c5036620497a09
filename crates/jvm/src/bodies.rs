//! The body optimizer: the method bodies of a class are rewritten, each for itself.
//!
//! Each body is lifted, given to an optimizer, lowered and verified. It replaces the old one only if it
//! is better: fewer instructions that cost few bytes of tables, or as many in fewer bytes, or as many of which fewer
//! are executed. Every other body keeps its bytes, and so
//! does everything else in the class; constants that a rejected body added are taken back. So nothing
//! that can go wrong with one method touches another, and no input makes this fail as a whole unless the
//! class file itself is malformed.
//!
//! A new body that does not verify, or of which the optimizer says that it does something else, is a mistake of
//! ours. The step that made it is found by leaving out the last ones, one after the other, and is reported; the
//! method keeps its bytes. Whoever optimizes the program pins it ([`Known::pinned`]) and begins anew.

pub mod asked;
mod attempts;
pub mod fingerprint;
mod finish;
mod hoisted;
mod imprint;
mod initializers;
pub mod known;
mod loaded;
mod messages;
mod mistakes;
mod optimizer;
pub mod passes;
pub mod record;
mod rewriter;
pub mod settled;
mod steps;
mod worth;
mod written_out;

use std::sync::Arc;

use planish_classfile::class::NEWEST;
use planish_classfile::code::CodeBody;
use planish_classfile::{Body, ClassFile, Code, Flags, Kind, Result};
use planish_ir::Function;
use planish_ir::redundant_phis::remove_redundant_phis;
use planish_ir::text::{Options, write_function};
use planish_jvm_ir::lift::lift_named;
use planish_jvm_ir::lower::tighten::remove_unreachable;
use planish_jvm_ir::lower::{Target, assemble, complete, lines};
use planish_jvm_ir::naming::Names;
use planish_jvm_ir::surroundings::Surroundings;
use planish_jvm_model::bootstraps::Bootstraps;
use planish_jvm_model::hierarchy::Hierarchy;
use planish_jvm_model::names::show;
use planish_jvm_model::verify::verify;
use planish_jvm_model::vtype::TypeContext;
use planish_pass::Leave;

use crate::bodies::imprint::Imprints;
use crate::bodies::known::Known;
use crate::bodies::rewriter::{Before, Failure, Fate, Mark, Rewriter};
use crate::transform::inline::access::Visible;
use crate::transform::inline::origins::ClassOrigins;
use crate::transform::needless::check_instead_of_asking;
use passes::NULL_CHECKS;
use steps::{PIPELINE, STEPS};
use worth::{for_loops, is_as_before, variables_size};

pub use crate::bodies::record::{Broken, Did, Report, Story};
pub use optimizer::{Optimizer, Plain};

/// The first class-file version whose methods need frames for sure.
const FRAMES_SINCE: u16 = 50;

/// Rewrites the bodies of the class in `file`. `None` if none got better. `known` is what is known of the
/// program that has the class.
pub fn rewrite_class(
    file: &[u8],
    hierarchy: &Hierarchy,
    known: &Known,
    optimizer: &mut dyn Optimizer,
    report: &mut Report,
) -> Result<Option<Vec<u8>>> {
    rewrite_class_amid(file, hierarchy, (known, Arc::new(known.members())), optimizer, report)
}

/// The same with somebody who answers what the names of the class ask of the program around it, as `known` would.
pub fn rewrite_class_amid(
    file: &[u8],
    hierarchy: &Hierarchy,
    (known, around): (&Known, Arc<dyn Surroundings>),
    optimizer: &mut dyn Optimizer,
    report: &mut Report,
) -> Result<Option<Vec<u8>>> {
    let class = ClassFile::read(file)?;
    if class.flags.has(Flags::MODULE) || class.major > NEWEST {
        return Ok(None);
    }
    class.check_indices()?;
    let names = Names::new(&class).amid(around);
    let name = class.name()?.to_vec();
    let super_name = class.super_name()?.map(<[u8]>::to_vec);
    let mut context = TypeContext::new(hierarchy);
    context.begin_class(&class.pool);
    let imprints = Imprints::new(&class.pool);
    let bootstraps = Bootstraps::of(&class)?;
    let origins = match &known.origins {
        Some(origins) => Some(match origins.of(&name) {
            Some(own) => own.clone(),
            None => ClassOrigins::behind(last_line(&class)?),
        }),
        None => None,
    };
    let mut rewriter = Rewriter {
        class,
        names,
        context,
        imprints,
        bootstraps,
        hierarchy,
        origins,
        known,
        optimizer,
        report,
        writes_out: false,
        loaded: None,
    };
    // What is made visible is so for bodies that will use it.
    let mut changed = rewriter.optimizer.record().has_fuel() && rewriter.widen_members(&name)?;
    for index in 0..rewriter.class.methods.len() {
        // Reading and writing a body may change it as well, so without fuel it is not touched.
        if !rewriter.optimizer.record().has_fuel() {
            rewriter.report.leave(&rewriter.class.methods[index], &rewriter.class.pool)?;
            continue;
        }
        changed |= match known.last {
            true => rewriter.finish(index, &name, super_name.as_deref())?,
            false => rewriter.method(index, &name, super_name.as_deref())?,
        };
    }
    if known.drops_initializers && rewriter.optimizer.record().has_fuel() {
        changed |= rewriter.drop_initializer(&name)?;
    }
    if let Some(origins) = rewriter.origins.take() {
        rewriter.report.origins.push((name.into(), origins));
    }
    if !changed {
        return Ok(None);
    }
    rewriter.bootstraps.write(&mut rewriter.class)?;
    rewriter.class.to_bytes().map(Some)
}

/// The last line of the source that a class has.
pub(crate) fn last_line(class: &ClassFile<'_>) -> Result<u16> {
    let mut last = 0;
    for method in &class.methods {
        let Some(attribute) = method.attribute(&class.pool, Kind::Code) else { continue };
        let Some(Body::Code(bytes)) = attribute.decode(&class.pool)? else { continue };
        let code = Code::read(&bytes, &class.pool)?;
        last = lines(&code).into_iter().flatten().fold(last, u16::max);
    }
    Ok(last)
}

impl Rewriter<'_, '_> {
    /// Makes visible what the plan uses elsewhere: members, and the class itself.
    fn widen_members(&mut self, name: &[u8]) -> Result<bool> {
        let (pool, plan) = (&self.class.pool, &self.known.plan);
        let mut changed = false;
        let mut widen = |flags: &mut Flags, from: Option<Visible>| {
            let new = from.map_or(*flags, |from| from.flags(*flags));
            changed |= new != *flags;
            *flags = new;
        };
        widen(&mut self.class.flags, plan.widens_class(name));
        for member in self.class.fields.iter_mut().chain(&mut self.class.methods) {
            let (member_name, ty) = (pool.utf8(member.name)?, pool.utf8(member.descriptor)?);
            widen(&mut member.flags, plan.widens(name, member_name, ty));
        }
        Ok(changed)
    }

    /// Rewrites one method if it has a body. Whether it got a better one.
    fn method(&mut self, index: usize, class: &[u8], super_class: Option<&[u8]>) -> Result<bool> {
        let method = &self.class.methods[index];
        let is_code = |kind: Option<Kind>| kind == Some(Kind::Code);
        let pool = &self.class.pool;
        let place = method.attributes.iter().position(|a| a.kind(pool).is_ok_and(is_code));
        let Some(place) = place else { return Ok(false) };
        let name = pool.utf8(method.name)?.to_vec();
        let descriptor = pool.utf8(method.descriptor)?.to_vec();
        let is_static = method.flags.has(Flags::STATIC);
        let Some(Body::Code(bytes)) = method.attributes[place].decode(pool)? else { return Ok(false) };
        let full_name = [class, b".", &name, &descriptor].concat();
        let facts = self.known.facts.of(class, &name, &descriptor);
        let around = (&self.names, self.known, &self.class.pool);
        let imprint = self.imprints.of(&method.attributes[place], &full_name, facts, around);
        self.report.recursive += u64::from(imprint.is_some_and(|imprint| imprint.is_recursive));
        let settled = imprint.and_then(|imprint| imprint.found(&self.known.settled, &full_name));
        if let Some(body) = settled {
            self.report.keep((body.instructions, body.bytes));
            return Ok(false);
        }
        let shown = show(&full_name);
        let (old_len, code) = (bytes.code.len() as u64, Code::read(&bytes, pool)?);
        let mut before = Before {
            target: Target { class, super_class, name: &name, descriptor: &descriptor, is_static },
            full_name: &full_name,
            shown: &shown,
            instructions: code.instructions.len() as u64,
            bytes: old_len,
            content: method.attributes[place].content.len() as u64 - variables_size(&code),
            place,
            attribute: method.attributes[place].name,
            alone: imprint.and_then(|imprint| imprint.found_alone(&self.known.settled, &full_name)),
            code,
        };
        let mut story =
            Story { method: String::from_utf8_lossy(&full_name).into_owned(), ..Story::default() };
        let mut after = (before.instructions, before.bytes);
        let fate = if self.known.pinned.contains(&full_name[..]) {
            Fate::Copied(
                "an instruction of it cannot be linked, or a change of it was wrong before".to_owned(),
            )
        } else if self.known.keeps_messages && self.may_speak_of_null(&before.code, &before.target) {
            Fate::Copied("what the JVM says of null there would change (--assume messages)".to_owned())
        } else {
            match unknown_attribute(&before.code).and_then(|()| remove_unreachable(&mut before.code)) {
                Ok(()) => self.better(index, &before, &mut story, &mut after),
                Err(why) => Fate::Copied(why),
            }
        };
        let is_better = matches!(fate, Fate::Improved);
        match fate {
            Fate::Improved => {
                self.report.improved += 1;
                self.report.did.add(story.did);
                self.report.speaking += u64::from(self.spoke_of_null(&before.code));
                story.instructions = (before.instructions, after.0);
                self.report.stories.iter_mut().for_each(|stories| stories.push(story.clone()));
            }
            Fate::AsGood(whole, alone) => {
                let settled = imprint.and_then(|imprint| imprint.settle((whole, alone), after));
                self.report.settled.extend(settled.map(|settled| (full_name.into(), settled)));
                self.report.keep(after);
                return Ok(false);
            }
            Fate::Copied(why) => self.report.refuse(why, &full_name),
            Fate::Pinned => self.report.refuse("a change of it was wrong".to_owned(), &full_name),
        }
        self.report.methods += 1;
        self.report.instructions.0 += before.instructions;
        self.report.instructions.1 += after.0;
        self.report.bytes.0 += before.bytes;
        self.report.bytes.1 += after.1;
        Ok(is_better)
    }

    /// What the class has besides bodies, to which [`Rewriter::undo_to`] goes back.
    fn mark(&self) -> Mark {
        Mark { pool: self.class.pool.mark(), bootstraps: self.bootstraps.mark() }
    }

    /// Takes away what a body added to its class since `mark`.
    fn undo_to(&mut self, mark: Mark) {
        self.class.pool.undo_to(mark.pool);
        self.bootstraps.undo_to(mark.bootstraps);
    }

    /// A new body, verified, after the first `count` of the steps. If it can only be of use with at most so many `more`
    /// instructions than the one before, it is completed and verified only then.
    fn rewrite(
        &mut self,
        code: &Code,
        before: &Before<'_>,
        (is_plain, count): (bool, usize),
        more: Option<u64>,
    ) -> std::result::Result<(Code, Did), Failure> {
        let target = &before.target;
        let mut code = code.clone();
        remove_unreachable(&mut code).map_err(Failure::Cannot)?;
        let info = target.info(&self.class.pool);
        let (mut function, variables) = lift_named(&code, &info, &mut self.names, &mut self.context)
            .map_err(|error| Failure::Cannot(error.message))?;
        let sees = self.optimizer.begin(before.shown, &lines(&code));
        if sees {
            let text = self.text(&function);
            self.optimizer.see("as it was", text);
        }
        let leave = &mut Leave::new(self.optimizer.record(), &NULL_CHECKS);
        check_instead_of_asking(&mut function, &self.names, &self.class.pool, leave);
        let did = self.improve(&mut function, before, is_plain, count);
        let did = did.map_err(|why| Failure::Wrong(Some(PIPELINE), why))?;
        remove_redundant_phis(&mut function);
        let leave = &mut Leave::new(self.optimizer.record(), &NULL_CHECKS);
        check_instead_of_asking(&mut function, &self.names, &self.class.pool, leave);
        if sees {
            let text = self.text(&function);
            self.optimizer.see("optimized", text);
        }
        let original = (&code, &variables);
        let (names, pool) = (&self.names, &mut self.class.pool);
        let mut made = assemble(&function, names, original, target, pool)?;
        let hoisted = if count == STEPS { self.with_loads_in_front(&function, target, &made) } else { None };
        if let Some(more) = more.filter(|_| hoisted.is_none()) {
            let most = before.instructions + more + for_loops(did);
            if made.instructions.len() as u64 > most {
                return Err(Failure::Longer);
            }
            if is_plain && is_as_before(&made, before, did) {
                return Err(Failure::Same);
            }
        }
        self.context.take_loaded();
        complete(&mut made, target, &mut self.class.pool, &mut self.context)?;
        if let Some(hoisted) = hoisted
            && let Some(quicker) = self.quicker((&function, &hoisted), original, target, &made)?
        {
            (function, made) = (hoisted, quicker);
        }
        self.forget_found_types();
        let info = target.info(&self.class.pool);
        verify(&made, &info, &mut self.context).map_err(|error| Failure::Wrong(None, error.message))?;
        if let Some(why) = self.loads_more() {
            return Err(Failure::Cannot(why));
        }
        if self.optimizer.compares() {
            self.reads_the_same(&function, &made, target)?;
        }
        self.without_old_frames(&mut made).map_err(|error| Failure::Cannot(error.to_string()))?;
        Ok((made, did))
    }

    /// Removes the frames of a body if its class is older than they are.
    fn without_old_frames(&mut self, made: &mut Code) -> Result<()> {
        match self.has_frames() {
            true => Ok(()),
            false => made.set_frames(Vec::new(), &mut self.class.pool),
        }
    }

    /// Whether the class tells a verifier the types at branch targets. Else it finds them.
    fn has_frames(&self) -> bool {
        self.class.major >= FRAMES_SINCE
    }

    fn text(&self, f: &Function) -> String {
        write_function(&self.names.module, f, Options::default())
    }
}

/// Refuses a body with an attribute that nobody knows: it may mention positions, so it stays with the body as it is.
fn unknown_attribute(code: &Code) -> std::result::Result<(), String> {
    let is_unknown = |body: &CodeBody| matches!(body, CodeBody::Unknown(..));
    match code.attributes.iter().any(|attribute| is_unknown(&attribute.body)) {
        true => Err("its code has an attribute that is not known".to_owned()),
        false => Ok(()),
    }
}

//! Rewriting the method bodies of a class, each for itself.
//!
//! Each body is lifted, given to an optimizer, lowered and verified. It replaces the old one only if it
//! is better: fewer instructions that cost few bytes of tables, or as many in fewer bytes. Every other body keeps its bytes, and so
//! does everything else in the class; constants that a rejected body added are taken back. So nothing
//! that can go wrong with one method touches another, and no input makes this fail as a whole unless the
//! class file itself is malformed.

use std::collections::BTreeMap;
use std::ops::Range;
use std::sync::Arc;

use planish_classfile::{Body, ClassFile, Code, ConstantPool, Flags, Kind, Result};
use planish_ir::Function;
use planish_ops::world::World;

use crate::hierarchy::Hierarchy;
use crate::lift::lift;
use crate::lower::tighten::remove_unreachable;
use crate::lower::{Target, lower};
use crate::naming::Names;
use crate::params::settle;
use crate::program::infer::Facts;
use crate::program::inline::{Expanded, MOST_BYTES, Plan, Replaced};
use crate::program::late::sink;
use crate::program::needless::remove_checks;
use crate::program::pure::PureMethods;
use crate::program::specialize::Variants;
use crate::program::unused::{PlainConstructors, remove_objects, remove_stores};
use crate::verify::verify;
use crate::vtype::TypeContext;

/// The first class-file version whose methods need frames for sure.
const FRAMES_SINCE: u16 = 50;

/// How many bytes of exception table, frames and constants an instruction less may cost.
const BYTES_PER_INSTRUCTION: u64 = 2;

/// How many bytes a call of a variant is worth: the names that are new go elsewhere, mostly.
const BYTES_PER_VARIANT: u64 = 40;

/// What is known of the program around a class.
#[derive(Default)]
pub struct Known {
    /// Static methods that only compute.
    pub pure: Arc<PureMethods>,
    /// What values are.
    pub facts: Facts,
    /// The calls that bodies are to replace.
    pub plan: Plan,
    /// The calls that lead to variants of what they call.
    pub variants: Variants,
    /// Constructors that only fill in their object.
    pub plain: PlainConstructors,
}

/// How many bytes an instruction that goes elsewhere is worth.
const BYTES_PER_GONE: u64 = 6;

/// What became of the methods of a program.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Methods with a body.
    pub methods: u64,
    /// Methods that got a better body.
    pub improved: u64,
    /// Methods whose new body was not better.
    pub kept: u64,
    /// Instructions of all methods before and after.
    pub instructions: (u64, u64),
    /// Bytes of code of all methods before and after.
    pub bytes: (u64, u64),
    /// Calls in whose place bodies were put.
    pub inlined: u64,
    /// Calls that lead to variants now.
    pub redirected: u64,
    /// Stores that nobody reads, objects that nobody uses.
    pub unused: u64,
    /// Calls that moved to where their result is used.
    pub moved: u64,
    /// Values of which the whole program says that they are constants.
    pub constants: u64,
    /// Why other methods kept their bodies, how often, and the first such method.
    pub refused: BTreeMap<String, (u64, String)>,
    /// How often the optimizer was called.
    pub optimized: u32,
    /// What became of each body, if that is wanted.
    pub stories: Option<Vec<Story>>,
}

/// What became of one body: how it got better, or why it was refused.
#[derive(Clone, Debug, Default)]
pub struct Story {
    /// The method: class, name and descriptor, as in `a/B.run()V`.
    pub method: String,
    /// Why it keeps its body; nothing if it got a better one.
    pub refused: Option<String>,
    /// Calls in whose place bodies or calls of variants are.
    pub replaced: Vec<Replaced>,
    /// Values of which the whole program says that they are constants.
    pub constants: u64,
    /// Stores that nobody reads, objects that nobody uses.
    pub unused: u64,
    /// Calls that moved to where their result is used.
    pub moved: u64,
    /// Which calls of the optimizer made the body, counted from 0 over all bodies of the report.
    pub optimized: Range<u32>,
}

/// Optimizes one function.
pub type Optimize<'o> = dyn FnMut(&mut Function, &dyn World) + 'o;

/// Rewrites the bodies of the class in `file`. `None` if none got better. `known` is what is known of the
/// program that has the class.
pub fn rewrite_class(
    file: &[u8],
    hierarchy: &Hierarchy,
    known: &Known,
    optimize: &mut Optimize<'_>,
    report: &mut Report,
) -> Result<Option<Vec<u8>>> {
    let mut class = ClassFile::read(file)?;
    if class.flags.has(Flags::MODULE) {
        return Ok(None);
    }
    let mut names = Names::new(&class).with_pure(Arc::clone(&known.pure));
    let mut context = TypeContext::new(hierarchy);
    let name = class.name()?.to_vec();
    let super_name = class.super_name()?.map(<[u8]>::to_vec);
    let calls_only = Plan::default();
    let mut changed = false;
    for index in 0..class.fields.len() {
        let field = &class.fields[index];
        let (field_name, ty) = (class.pool.utf8(field.name)?, class.pool.utf8(field.descriptor)?);
        if field.flags.has(Flags::PRIVATE) && known.plan.widens(&name, field_name, ty) {
            class.fields[index].flags = field.flags.without(Flags::PRIVATE);
            changed = true;
        }
    }
    for index in 0..class.methods.len() {
        let method = &class.methods[index];
        let is_code = |kind: Option<Kind>| kind == Some(Kind::Code);
        let Some(place) = method.attributes.iter().position(|a| a.kind(&class.pool).is_ok_and(is_code))
        else {
            continue;
        };
        let method_name = class.pool.utf8(method.name)?.to_vec();
        let descriptor = class.pool.utf8(method.descriptor)?.to_vec();
        let target = Target {
            class: &name,
            super_class: super_name.as_deref(),
            name: &method_name,
            descriptor: &descriptor,
            is_static: method.flags.has(Flags::STATIC),
        };
        let Some(Body::Code(bytes)) = method.attributes[place].decode(&class.pool)? else { continue };
        let (old_len, mut code) = (bytes.code.len(), Code::read(&bytes, &class.pool)?);
        let old_count = code.instructions.len() as u64;
        let old_content = method.attributes[place].content.len() as u64;
        report.methods += 1;
        let mark = class.pool.mark();
        let before = (old_count, old_len as u64);
        let mut after = before;
        let receiver = hierarchy.lookup(&name).filter(|_| !target.is_static && method_name != b"<init>");
        let full_name = [&name[..], b".", &method_name, &descriptor].concat();
        if let Err(reason) = remove_unreachable(&mut code) {
            report.refuse(reason, &full_name);
            continue;
        }
        // Bodies and variants, variants alone, neither.
        let mut tried = None;
        for plan in [Some(&known.plan), Some(&calls_only), None] {
            let expanded = plan.map(|plan| {
                plan.expand(&name, &full_name, class.major, &code, &known.variants, &mut class.pool)
            });
            let attempt = match expanded {
                None => Expanded::plain(std::mem::take(&mut code)),
                Some(Some(Ok(expanded))) if tried != Some(0) => expanded,
                Some(_) => {
                    class.pool.undo_to(mark);
                    continue;
                }
            };
            tried = Some(attempt.bodies);
            let is_plain = attempt.bodies + attempt.redirected == 0;
            let facts = known.facts.of(&name, &method_name, &descriptor).filter(|_| is_plain);
            let mut did = Did::default();
            let mut optimized = report.optimized..report.optimized;
            let mut improve = |f: &mut Function, names: &Names, pool: &ConstantPool<'_>| {
                did.constants = facts.map_or(0, |facts| facts.apply(f).0);
                let unread = &known.facts.unread;
                did.unused = remove_stores(f, unread, names, pool, &name, target.is_static);
                optimize(f, names.world());
                optimized.end += 1;
                let checks = remove_checks(f, names, pool, hierarchy, receiver);
                let objects = remove_objects(f, &known.plain, names, pool);
                if checks + objects > 0 {
                    did.unused += objects;
                    optimize(f, names.world());
                    optimized.end += 1;
                }
                did.moved = sink(f, names.world());
            };
            let made = rewrite(&attempt.code, &target, &mut class, &mut names, &mut context, &mut improve);
            report.optimized = optimized.end;
            match made {
                Ok(made) => {
                    let new = (made.instructions.len() as u64, made.byte_len() as u64);
                    let mut content = Vec::new();
                    let written = made.write(&mut content).is_ok();
                    let size = content.len() as u64 + class.pool.added_since(mark);
                    let goes = attempt.goes;
                    let saved = (before.0 + goes).saturating_sub(new.0);
                    // What is computed on fewer paths, or goes elsewhere, may take as many instructions.
                    let as_good = goes > 0 || did.moved > 0;
                    let is_better = if as_good { new.0 <= before.0 + goes } else { new < before };
                    let fits = is_plain || new.1 <= before.1.max(MOST_BYTES as u64);
                    let worth = saved * BYTES_PER_INSTRUCTION
                        + goes * BYTES_PER_GONE
                        + attempt.redirected * BYTES_PER_VARIANT;
                    let pays = size <= old_content + worth || did.moved > 0;
                    if written && is_better && fits && pays {
                        report.improved += 1;
                        report.constants += did.constants;
                        report.unused += did.unused;
                        report.moved += did.moved;
                        report.inlined += attempt.bodies;
                        report.redirected += attempt.redirected;
                        if let Some(stories) = &mut report.stories {
                            stories.push(Story {
                                method: String::from_utf8_lossy(&full_name).into_owned(),
                                refused: None,
                                replaced: attempt.replaced,
                                constants: did.constants,
                                unused: did.unused,
                                moved: did.moved,
                                optimized,
                            });
                        }
                        after = new;
                        changed = true;
                        class.methods[index].attributes[place].content = content.into();
                        break;
                    }
                    class.pool.undo_to(mark);
                    report.kept += u64::from(is_plain);
                }
                Err(reason) => {
                    class.pool.undo_to(mark);
                    if is_plain {
                        report.refuse(reason, &full_name);
                    }
                }
            }
        }
        report.instructions.0 += before.0;
        report.instructions.1 += after.0;
        report.bytes.0 += before.1;
        report.bytes.1 += after.1;
    }
    if changed { class.to_bytes().map(Some) } else { Ok(None) }
}

/// What was done to one body.
#[derive(Clone, Copy, Default)]
struct Did {
    constants: u64,
    unused: u64,
    moved: u64,
}

impl Report {
    /// A method keeps its body for a reason.
    fn refuse(&mut self, reason: String, method: &[u8]) {
        if let Some(stories) = &mut self.stories {
            let method = String::from_utf8_lossy(method).into_owned();
            stories.push(Story { method, refused: Some(reason.clone()), ..Story::default() });
        }
        let example = || (0, String::from_utf8_lossy(method).into_owned());
        self.refused.entry(reason).or_insert_with(example).0 += 1;
    }
}

/// Changes a lifted body.
type Improve<'i> = dyn FnMut(&mut Function, &Names, &ConstantPool<'_>) + 'i;

/// The new body of a method, verified.
fn rewrite(
    code: &Code,
    target: &Target<'_>,
    class: &mut ClassFile<'_>,
    names: &mut Names,
    context: &mut TypeContext<'_>,
    improve: &mut Improve<'_>,
) -> std::result::Result<Code, String> {
    let mut code = code.clone();
    remove_unreachable(&mut code)?;
    let mut function =
        lift(&code, &target.info(&class.pool), names, context).map_err(|error| error.message)?;
    improve(&mut function, names, &class.pool);
    settle(&mut function);
    let mut made = lower(&function, names, &code, target, &mut class.pool, context)?;
    verify(&made, &target.info(&class.pool), context).map_err(|error| error.message)?;
    if class.major < FRAMES_SINCE {
        made.set_frames(Vec::new(), &mut class.pool).map_err(|error| error.to_string())?;
    }
    Ok(made)
}

//! What became of the methods of a program: sums for a summary, and a story of each method for whoever
//! asks about it.

use std::collections::BTreeMap;
use std::ops::Range;

use planish_classfile::{Body, Code, ConstantPool, Kind, Member, Result};
use planish_jvm_model::names::show;

use crate::bodies::settled::SettledBody;
use crate::transform::inline::Replaced;
use crate::transform::inline::origins::ClassOrigins;

/// What became of the methods of a program.
#[derive(Clone, Debug, Default)]
pub struct Report {
    /// Methods with a body.
    pub methods: u64,
    /// Methods that got a better body.
    pub improved: u64,
    /// Methods whose new body was not better.
    pub kept: u64,
    /// Methods that got a better body and had instructions that throw where an object is null.
    pub speaking: u64,
    /// Instructions of all methods before and after.
    pub instructions: (u64, u64),
    /// Bytes of code of all methods before and after.
    pub bytes: (u64, u64),
    /// What was done to methods that got a better body.
    pub did: Did,
    /// Calls in whose place bodies were put.
    pub inlined: u64,
    /// Calls that lead to variants now.
    pub redirected: u64,
    /// Calls that name a more precise class now.
    pub precise: u64,
    /// Why other methods kept their bodies, how often, and the first such method by name.
    pub refused: BTreeMap<String, (u64, String)>,
    /// Methods of which a new body was wrong.
    pub broken: Vec<Broken>,
    /// Methods that call themselves.
    pub recursive: u64,
    /// How often the optimizer was called.
    pub optimized: u32,
    /// Bodies that did not get better and need not be tried again, by class, name and descriptor.
    pub settled: Vec<(Box<[u8]>, SettledBody)>,
    /// Where lines of inlined code are from, by class, if that is wanted.
    pub origins: Vec<(Box<[u8]>, ClassOrigins)>,
    /// What became of each body, if that is wanted.
    pub stories: Option<Vec<Story>>,
}

/// What was done to bodies, in numbers.
#[derive(Clone, Copy, PartialEq, Eq, Default, Debug)]
pub struct Did {
    /// Values of which the whole program says that they are constants.
    pub constants: u64,
    /// Stores that nobody reads, objects that nobody uses.
    pub unused: u64,
    /// Calls of lambdas that call what the lambda calls.
    pub direct: u64,
    /// Methods that called themselves in the end and are loops now.
    pub loops: u64,
    /// Switches over enums that are on the ordinal now.
    pub ordinals: u64,
    /// Call sites of string concatenation that have constants in their recipes now.
    pub concatenated: u64,
    /// The bytes that their classes had for them before.
    pub recipes: u64,
    /// Objects that became their fields.
    pub replaced: u64,
    /// Calls and regions that moved to where their result is used.
    pub moved: u64,
    /// The regions among them.
    pub regions: u64,
    /// Instructions that went since what they do is done elsewhere in the body, as equal ends.
    pub shared: u64,
}

/// A method whose new body was wrong: it did not verify, or did something else than the old one.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Broken {
    /// The class, name and descriptor: `a/B.run()V`.
    pub method: Box<[u8]>,
    /// The step that broke it.
    pub step: &'static str,
    /// What is wrong.
    pub why: String,
    /// What is kept since the method keeps its bytes, and they name it: classes and members, as people write them.
    pub holds: Vec<String>,
}

impl Broken {
    /// A method that a step broke.
    pub fn new(method: &[u8], step: &'static str, why: String) -> Self {
        Broken { method: method.into(), step, why, holds: Vec::new() }
    }
}

/// What became of one body: how it got better, or why it was refused.
#[derive(Clone, Debug, Default)]
pub struct Story {
    /// The method: class, name and descriptor, as in `a/B.run()V`.
    pub method: String,
    /// Why it keeps its body; nothing if it got a better one.
    pub refused: Option<String>,
    /// Instructions before and after.
    pub instructions: (u64, u64),
    /// Calls in whose place bodies or calls of variants are.
    pub replaced: Vec<Replaced>,
    /// What was done to it.
    pub did: Did,
    /// Which calls of the optimizer made the body, counted from 0 over all bodies of the report.
    pub optimized: Range<u32>,
}

impl Report {
    /// A method keeps its body, which has so many instructions and bytes of code: a new one was not better.
    pub(crate) fn keep(&mut self, (instructions, bytes): (u64, u64)) {
        self.methods += 1;
        self.kept += 1;
        self.instructions.0 += instructions;
        self.instructions.1 += instructions;
        self.bytes.0 += bytes;
        self.bytes.1 += bytes;
    }

    /// A method is not looked at.
    pub(crate) fn leave(&mut self, method: &Member<'_>, pool: &ConstantPool<'_>) -> Result<()> {
        let Some(attribute) = method.attribute(pool, Kind::Code) else { return Ok(()) };
        let Some(Body::Code(bytes)) = attribute.decode(pool)? else { return Ok(()) };
        let instructions = Code::read(&bytes, pool)?.instructions.len() as u64;
        self.keep((instructions, bytes.code.len() as u64));
        Ok(())
    }

    /// A method keeps its body for a reason.
    pub(crate) fn refuse(&mut self, reason: String, method: &[u8]) {
        if let Some(stories) = &mut self.stories {
            let method = String::from_utf8_lossy(method).into_owned();
            stories.push(Story { method, refused: Some(reason.clone()), ..Story::default() });
        }
        self.count_refused(reason, 1, show(method));
    }

    /// Methods keep their bodies for a reason. The example is the first by name, whichever thread was first.
    fn count_refused(&mut self, reason: String, count: u64, example: String) {
        let known = self.refused.entry(reason).or_insert_with(|| (0, example.clone()));
        known.0 += count;
        if example < known.1 {
            known.1 = example;
        }
    }

    /// Adds what became of other methods.
    pub fn add(&mut self, other: Report) {
        self.methods += other.methods;
        self.improved += other.improved;
        self.kept += other.kept;
        self.speaking += other.speaking;
        self.did.add(other.did);
        self.recursive += other.recursive;
        self.inlined += other.inlined;
        self.redirected += other.redirected;
        self.precise += other.precise;
        self.instructions.0 += other.instructions.0;
        self.instructions.1 += other.instructions.1;
        self.bytes.0 += other.bytes.0;
        self.bytes.1 += other.bytes.1;
        for (reason, (count, example)) in other.refused {
            self.count_refused(reason, count, example);
        }
        self.settled.extend(other.settled);
        self.origins.extend(other.origins);
        self.broken.extend(other.broken);
        self.broken.sort_by(|a, b| a.method.cmp(&b.method));
    }

    /// What this and giving bodies their last form did to the same program.
    pub fn finished(self, last: Report) -> Report {
        let mut did = self.did;
        did.add(last.did);
        let mut broken = self.broken;
        broken.extend(last.broken);
        // Of a class that is broken, one of the two may have come to more methods than the other.
        let less = |sum: (u64, u64), change: (u64, u64)| {
            (sum.0, sum.1.saturating_sub(change.0.saturating_sub(change.1)))
        };
        Report {
            did,
            broken,
            instructions: less(self.instructions, last.instructions),
            bytes: less(self.bytes, last.bytes),
            ..self
        }
    }

    /// What this and a later round did to the same program.
    pub fn then(self, later: Report) -> Report {
        let mut did = self.did;
        did.add(later.did);
        let mut broken = self.broken;
        broken.extend(later.broken);
        Report {
            broken,
            improved: self.improved + later.improved,
            speaking: self.speaking + later.speaking,
            did,
            inlined: self.inlined + later.inlined,
            redirected: self.redirected + later.redirected,
            precise: self.precise + later.precise,
            instructions: (self.instructions.0, later.instructions.1),
            bytes: (self.bytes.0, later.bytes.1),
            ..later
        }
    }
}

impl Did {
    /// Adds what else was done.
    pub fn add(&mut self, other: Did) {
        self.constants += other.constants;
        self.unused += other.unused;
        self.direct += other.direct;
        self.loops += other.loops;
        self.ordinals += other.ordinals;
        self.concatenated += other.concatenated;
        self.recipes += other.recipes;
        self.replaced += other.replaced;
        self.moved += other.moved;
        self.regions += other.regions;
        self.shared += other.shared;
    }
}

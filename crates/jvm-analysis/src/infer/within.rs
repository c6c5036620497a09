//! Mod/ref summaries of static fields: which of them may be read while something runs.
//!
//! Of what an instruction runs all is followed: methods that it calls, initializers of classes that it begins to use, and
//! what those run. Code outside of the program may call anything that is open, so what calls it may read anything, but for
//! methods of the JDK that are known to call nobody. Where much has to be followed, anything may be read, too.

use hashbrown::{HashMap, HashSet};
use planish_base::{Id, Worklist};
use planish_classfile::{Flags, Opcode};
use planish_domain::RefFact;
use planish_ir::Inst;
use planish_jvm_model::hierarchy::{ClassId, Origin};
use planish_jvm_model::program::{Class, Field, Found, Method, Program};
use planish_ops::Op;
use rustc_hash::FxBuildHasher;

use crate::infer::fact::{Fact, class as class_of};
use crate::infer::state::sites::Site;
use crate::infer::state::{Analysis, Body};

/// How many methods are followed from one.
const MOST_METHODS: usize = 100;

/// What an instruction does besides what it says.
#[derive(Default)]
pub(super) struct Effect {
    /// The static field that it reads.
    pub read: Option<Field>,
    /// The methods that it may run first.
    pub runs: Vec<Method>,
}

/// A search through what methods run, as long as nothing is known of values.
pub(super) struct Within<'s, 'r, 'p, 'a> {
    analysis: &'s mut Analysis<'r, 'p, 'a>,
    /// The bodies of all methods.
    pub bodies: &'s [Option<Body>],
    /// By method whether it is known to run what nobody knows.
    runs_anything: Vec<bool>,
    /// By method which fields of the class at hand may be read while it runs; nothing if any may.
    known: HashMap<Method, Option<Vec<Field>>, FxBuildHasher>,
}

impl<'s, 'r, 'p, 'a> Within<'s, 'r, 'p, 'a> {
    pub fn new(analysis: &'s mut Analysis<'r, 'p, 'a>, bodies: &'s [Option<Body>]) -> Self {
        Within { analysis, bodies, runs_anything: vec![false; bodies.len()], known: HashMap::default() }
    }

    /// The program.
    pub fn program(&self) -> &'p Program<'a> {
        self.analysis.program
    }

    /// Whether something that is not analysed may write a field.
    pub fn is_open(&self, field: Field) -> bool {
        self.analysis.fields[field.index()].is_open
    }

    /// Another class is looked at.
    pub fn begin_class(&mut self) {
        self.known.clear();
    }

    /// What a field is that an instruction reads or writes.
    pub fn field(&self, body: &Body, inst: Inst) -> Option<Field> {
        let site = body
            .function
            .inst(inst)
            .descr
            .map(|descr| &self.analysis.sites[body.class.index()][descr.index()]);
        match site {
            Some(Site::Field(field)) => Some(*field),
            _ => None,
        }
    }

    /// The initializers that run when a class is used first; nothing if anybody may know what.
    pub fn initializers(&self, class: ClassId) -> Option<Vec<Method>> {
        let program = self.program();
        let clinit = program.selector(b"<clinit>()V");
        let Some(own) = program.class(class) else {
            return (program.hierarchy.get(class)?.origin == Origin::Platform).then(Vec::new);
        };
        let mut found = Vec::new();
        for &above in &program.classes[own].supertypes {
            match program.class(above) {
                Some(above) => {
                    found.extend(clinit.and_then(|clinit| program.declared_method(above, clinit)));
                }
                None if program.hierarchy.get(above)?.origin == Origin::Platform => {}
                None => return None,
            }
        }
        Some(found)
    }

    /// What an instruction of a body does; nothing if that may be anything.
    pub fn effect(&mut self, body: &Body, inst: Inst) -> Option<Effect> {
        let f = &body.function;
        let data = f.inst(inst);
        let sites = self.analysis.sites[body.class.index()].clone();
        let site = data.descr.map(|descr| &sites[descr.index()]);
        let program = self.program();
        let mut effect = Effect::default();
        match (data.op, site) {
            (Op::GetStatic, Some(Site::Field(field))) => effect.read = Some(*field),
            (Op::Call, Some(Site::Field(field))) if program.fields[*field].flags.has(Flags::STATIC) => {
                let class = program.fields[*field].class;
                effect.read = (f.results(inst).len() > 0).then_some(*field);
                effect.runs = self.initializers(program.classes[class].id)?;
            }
            (Op::Call, Some(Site::OtherField { is_quiet, .. })) => is_quiet.then_some(())?,
            (Op::Call, Some(Site::New(Fact::Ref(made)))) => {
                effect.runs = self.initializers(class_of(made.exact_class()?))?;
            }
            (Op::Call, Some(Site::Call(callee))) => {
                let targets = self.analysis.leads(callee, RefFact::TOP);
                if targets.outside && !callee.is_closed {
                    return None;
                }
                effect.runs.clone_from(&targets.methods);
                if let (Opcode::Invokestatic, Some(Found::Program(method))) = (callee.op, callee.found) {
                    let class = program.methods[method].class;
                    effect.runs.extend(self.initializers(program.classes[class].id)?);
                }
            }
            (Op::Call, None | Some(Site::New(_) | Site::Gives(Fact::Any))) => return None,
            _ => {}
        }
        Some(effect)
    }

    /// The static fields of a class that may be read while a method runs; nothing if any may.
    pub fn read_by(&mut self, method: Method, of: Class) -> Option<&[Field]> {
        if !self.known.contains_key(&method) {
            let read = self.search(method, of);
            self.runs_anything[method.index()] |= read.is_none();
            self.known.insert(method, read);
        }
        self.known[&method].as_deref()
    }

    fn search(&mut self, method: Method, of: Class) -> Option<Vec<Field>> {
        let mut seen: HashSet<Method, FxBuildHasher> = HashSet::default();
        let (mut work, mut read) = (Worklist::from(vec![method]), Vec::new());
        let bodies = self.bodies;
        // While a class is being initialized, its initializer does not begin again.
        let clinit = self.program().selector(b"<clinit>()V");
        seen.extend(clinit.and_then(|clinit| self.program().declared_method(of, clinit)));
        while let Some(method) = work.pop() {
            if !seen.insert(method) {
                continue;
            }
            if self.runs_anything[method.index()] || seen.len() > MOST_METHODS {
                return None;
            }
            // What was not lifted may do anything.
            let body = bodies[method.index()].as_ref()?;
            for (_, inst) in body.function.live_insts() {
                let Some(effect) = self.effect(body, inst) else {
                    self.runs_anything[method.index()] = true;
                    return None;
                };
                read.extend(effect.read.filter(|&field| self.program().fields[field].class == of));
                work.extend(effect.runs);
            }
        }
        read.sort_unstable();
        read.dedup();
        Some(read)
    }
}

//! Optimizers: passes, rules of one's own, and what the last run did.

use std::ffi::{CString, c_char};
use std::ptr::null;

use planish::ir::Form;
use planish::opt::manager::registry;
use planish::opt::remarks::rule_info;
use planish::opt::{Kind, Part};
use planish::{Optimized, Pipeline, Planish, Record, RuleSet};

use crate::border::{
    Failed, Handle, Out, Said, Status, alone, error, for_c, free, place, refused, text, with,
};
use crate::module::handle::{Note, PlanishModule};
use crate::module::run::failed;
use crate::module::whole::source;
use crate::names::NONE;

/// An optimizer, and what its last run did.
pub struct PlanishOptimizer {
    said: Said,
    pipeline: Pipeline,
    rules: Option<RuleSet>,
    fuel: Option<u64>,
    keeps_remarks: bool,
    record: Record,
    remarks: Vec<Remark>,
}

/// A rewrite, as C reads it.
struct Remark {
    function: CString,
    line: u32,
    op: u32,
    pass: CString,
    rule: Option<CString>,
    what: CString,
}

/// One rewrite.
#[repr(C)]
pub struct PlanishRemark {
    function: *const c_char,
    line: u32,
    op: u32,
    pass: *const c_char,
    rule: *const c_char,
    what: *const c_char,
}

impl Handle for PlanishOptimizer {
    fn said(&mut self) -> &mut Said {
        &mut self.said
    }
}

/// The passes of a text.
fn parse(passes: &str) -> Result<Pipeline, Failed> {
    Pipeline::parse(passes, Form::Cfg).map_err(|error| failed(error.into()))
}

/// Makes an optimizer with the default passes.
#[unsafe(no_mangle)]
pub extern "C" fn planish_optimizer_new(optimizer: Out<'_, Option<Box<PlanishOptimizer>>>) -> Status {
    alone(|| {
        let optimizer = place(optimizer, "optimizer")?;
        let made = PlanishOptimizer {
            said: Said::default(),
            pipeline: parse(Pipeline::PROGRAM)?,
            rules: None,
            fuel: None,
            keeps_remarks: false,
            record: Record::new(),
            remarks: Vec::new(),
        };
        optimizer.write(Some(Box::new(made)));
        Ok(())
    })
}

/// Gives an optimizer back.
#[unsafe(no_mangle)]
pub extern "C" fn planish_optimizer_free(optimizer: Option<Box<PlanishOptimizer>>) {
    free(optimizer);
}

/// Why a function that was given the optimizer did not do what it was asked for, the last time.
#[unsafe(no_mangle)]
pub extern "C" fn planish_optimizer_error(optimizer: Option<&PlanishOptimizer>) -> *const c_char {
    error(optimizer.map(|optimizer| &optimizer.said))
}

/// Lets an optimizer run these passes; null stands for the default ones.
#[unsafe(no_mangle)]
pub extern "C" fn planish_optimizer_passes(
    optimizer: Option<&mut PlanishOptimizer>,
    passes: *const c_char,
) -> Status {
    with(optimizer, |o| {
        o.pipeline = parse(if passes.is_null() { Pipeline::PROGRAM } else { text(passes, "passes")? })?;
        Ok(())
    })
}

/// Lets an optimizer use rules of the caller's besides the book.
#[unsafe(no_mangle)]
pub extern "C" fn planish_optimizer_rules(
    optimizer: Option<&mut PlanishOptimizer>,
    name: *const c_char,
    text: *const c_char,
    length: usize,
    trusted: bool,
) -> Status {
    with(optimizer, |o| {
        let (name, bytes) = (crate::border::text(name, "name")?, source(text, length)?);
        let rules = std::str::from_utf8(bytes).map_err(|_| Failed::Text("text"))?;
        let set = planish::read_rules(name, rules).map_err(failed)?;
        if !trusted {
            planish::prove_rules(&set).map_err(failed)?;
        }
        o.rules = (set.rules.values().next().is_some()).then_some(set);
        // What was counted belongs to the rules before.
        (o.record, o.remarks) = (Record::new(), Vec::new());
        Ok(())
    })
}

/// Lets an optimizer make so many rewrites in a run.
#[unsafe(no_mangle)]
pub extern "C" fn planish_optimizer_fuel(optimizer: Option<&mut PlanishOptimizer>, rewrites: u64) -> Status {
    with(optimizer, |o| {
        o.fuel = (rewrites != u64::MAX).then_some(rewrites);
        Ok(())
    })
}

/// Says whether an optimizer keeps a remark about each rewrite.
#[unsafe(no_mangle)]
pub extern "C" fn planish_optimizer_keep_remarks(
    optimizer: Option<&mut PlanishOptimizer>,
    keep: bool,
) -> Status {
    with(optimizer, |o| {
        o.keeps_remarks = keep;
        Ok(())
    })
}

impl PlanishOptimizer {
    /// Optimizes a module that is whole.
    fn run(&mut self, module: &mut PlanishModule) -> Result<(), Failed> {
        let mut record = Record::new();
        if self.keeps_remarks {
            record = record.logging();
        }
        if let Some(fuel) = self.fuel {
            record = record.with_fuel(fuel);
        }
        let mut planish = Planish::with_pipeline(self.pipeline.clone());
        if let Some(rules) = &self.rules {
            planish = planish.with_rules(rules);
        }
        let done = match planish.optimize_with(&mut module.module, record) {
            Ok(done) => done,
            Err(planish::Error::Invalid(found)) => {
                let errors = found.iter().map(|found| Note::new(found)).collect();
                return Err(module.fail(Status::Invalid, errors));
            }
            Err(error) => return Err(failed(error)),
        };
        self.remarks = self.remarks_of(&done);
        self.record = done.record;
        Ok(())
    }

    fn remarks_of(&self, done: &Optimized) -> Vec<Remark> {
        let of_c = |remark: planish::opt::remarks::Remark| Remark {
            line: remark.line,
            op: remark.operation.map_or(NONE, |op| op as u32),
            pass: for_c(remark.kind.pass()),
            rule: remark.rule().map(|number| for_c(&rule_info(self.rules.as_ref(), number).0)),
            what: for_c(&remark.what()),
            function: for_c(&remark.function),
        };
        done.remarks().map(of_c).collect()
    }
}

/// Optimizes a module.
#[unsafe(no_mangle)]
pub extern "C" fn planish_optimize(
    optimizer: Option<&mut PlanishOptimizer>,
    module: Option<&mut PlanishModule>,
) -> Status {
    with(optimizer, |o| {
        let module = module.ok_or(Failed::Null("module"))?;
        if module.said.broken {
            return Err(Failed::Said(Status::Broken, "the module is broken".to_owned()));
        }
        module.is_whole()?;
        module.errors.clear();
        // What a panic leaves behind is no module.
        module.said.broken = true;
        let done = o.run(module);
        module.said.broken = false;
        done
    })
}

/// How many rewrites the last run made.
#[unsafe(no_mangle)]
pub extern "C" fn planish_optimizer_rewrites(
    optimizer: Option<&mut PlanishOptimizer>,
    rewrites: Out<'_, u64>,
) -> Status {
    with(optimizer, |o| {
        place(rewrites, "rewrites")?.write(o.record.changes());
        Ok(())
    })
}

/// How many rewrites of the last run a pass made.
#[unsafe(no_mangle)]
pub extern "C" fn planish_optimizer_pass_count(
    optimizer: Option<&mut PlanishOptimizer>,
    pass: *const c_char,
    rewrites: Out<'_, u64>,
) -> Status {
    with(optimizer, |o| {
        let (pass, rewrites) = (text(pass, "pass")?, place(rewrites, "rewrites")?);
        let name = registry::find(pass).ok_or_else(|| Failed::Name(pass.to_owned()))?.name;
        let record = &o.record;
        let plain = Kind::PLAIN.into_iter().chain(Part::ALL.map(Kind::Part));
        let plain: u64 = plain.filter(|kind| kind.pass() == name).map(|kind| record.count(kind)).sum();
        // Parts are among the stages of a record, too.
        let own = record.count(Kind::Pass(name));
        let rules = if name == Kind::Rule(0).pass() { record.rules().iter().sum() } else { 0 };
        rewrites.write(plain + own + rules);
        Ok(())
    })
}

/// How often a rule fired in the last run.
#[unsafe(no_mangle)]
pub extern "C" fn planish_optimizer_rule_count(
    optimizer: Option<&mut PlanishOptimizer>,
    rule: *const c_char,
    fired: Out<'_, u64>,
) -> Status {
    with(optimizer, |o| {
        let (rule, fired) = (text(rule, "rule")?, place(fired, "fired")?);
        let own = o.rules.as_ref().and_then(|rules| planish::fired(&o.record, rules, rule));
        let of_the_book = |number: u32| {
            let (name, _) = rule_info(None, number);
            (!name.is_empty()).then_some(name)
        };
        let book = (0..).map_while(of_the_book).position(|name| name == rule);
        let book = book.map(|number| o.record.rules().get(number).copied().unwrap_or(0));
        fired.write(own.or(book).ok_or_else(|| Failed::Name(rule.to_owned()))?);
        Ok(())
    })
}

/// A remark about a rewrite of the last run.
#[unsafe(no_mangle)]
pub extern "C" fn planish_optimizer_remark(
    optimizer: Option<&mut PlanishOptimizer>,
    index: usize,
    remark: Out<'_, PlanishRemark>,
) -> Status {
    with(optimizer, |o| {
        let place = place(remark, "remark")?;
        if !o.keeps_remarks && o.remarks.is_empty() {
            return refused("no remarks are kept");
        }
        let remark = o.remarks.get(index).ok_or(Failed::End)?;
        place.write(PlanishRemark {
            function: remark.function.as_ptr(),
            line: remark.line,
            op: remark.op,
            pass: remark.pass.as_ptr(),
            rule: remark.rule.as_ref().map_or(null(), |rule| rule.as_ptr()),
            what: remark.what.as_ptr(),
        });
        Ok(())
    })
}

//! Results of the interprocedural analysis, by name, since they outlive the program.

use hashbrown::HashSet;
use planish_base::Id;
use planish_classfile::Flags;
use planish_domain::Class as Bound;
use planish_ir::{Def, Inst, Value};
use planish_jvm_model::program::{Class, Found, Method};
use planish_ops::Op;
use rustc_hash::FxBuildHasher;

use crate::constructors::Constructors;
use crate::fields::PlainFields;
use crate::infer::evaluate::numbers;
use crate::infer::fact::{Fact, class as class_of};
use crate::infer::live::LiveParts;
use crate::infer::results::needless_results;
use crate::infer::state::sites::{Callee, Site};
use crate::infer::state::{Analysis, Body};
use crate::infer::survey::{CallAt, Survey};
use crate::infer::{Facts, MethodFacts};

impl Analysis<'_, '_, '_> {
    /// The fields that nothing reads, or nothing but what is stored there again, as class files name them.
    pub(super) fn unread(&self, live: &LiveParts) -> HashSet<Box<[u8]>, FxBuildHasher> {
        let mut unread = HashSet::default();
        for class in self.program.classes.ids() {
            let pool = &self.program.classes[class].file.pool;
            for index in pool.indices().filter(|&index| pool.is_field(index)) {
                let Ok(member) = pool.member(index) else { continue };
                let Some(id) = self.program.hierarchy.lookup(member.class) else { continue };
                let text = [member.name, b":", member.descriptor].concat();
                let Some(selector) = self.program.selector(&text) else { continue };
                if let Found::Program(field) = self.program.resolve_field(id, selector)
                    && !self.program.fields[field].flags.has(Flags::VOLATILE)
                    && !self.fields[field.index()].is_open
                    && (!live.is_field_live(field) || self.readers.of(field).is_empty())
                {
                    unread.insert([member.class, b".", &text].concat().into());
                }
            }
        }
        unread
    }

    /// The plain fields, once it is known which are open.
    pub(super) fn plain_fields(&self, constructors: &Constructors) -> PlainFields {
        let program = self.program;
        let mut settles: Vec<bool> = self.fields.iter().map(|field| !field.is_open).collect();
        for (method, body) in program.methods.ids().zip(&self.bodies) {
            let Some(Body { function: f, class, .. }) = body else { continue };
            let selector = program.methods[method].selector;
            let is_constructor = program.member_name(selector) == b"<init>";
            // One that does something else may show its object to another thread before it stores.
            let hides_object =
                is_constructor && constructors.has(program.name(*class), program.text(selector));
            let sites = &self.sites[class.index()];
            for (_, inst) in f.live_insts() {
                let data = f.inst(inst);
                if let Op::SetField | Op::Call = data.op
                    && let Some(Site::Field(field)) = data.descr.map(|descr| &sites[descr.index()])
                    && f.results(inst).next().is_none()
                {
                    let object = f.args(inst).first().map(|&object| f.def(object));
                    let is_receiver = matches!(object, Some(Def::Param(block, 0)) if block == f.entry());
                    let info = &program.fields[*field];
                    let is_sure = hides_object || is_constructor && info.flags.has(Flags::FINAL);
                    settles[field.index()] &= is_receiver && is_sure && info.class == *class;
                }
            }
        }
        PlainFields::of(program, |field| settles[field.index()])
    }

    /// Whether one of these parameters is always an object of a class.
    fn gets_instance(&self, class: Class, parameters: &[Fact]) -> bool {
        let id = self.program.classes[class].id;
        parameters.iter().any(|fact| {
            let Fact::Ref(known) = fact else { return false };
            let most = match known.object() {
                Some(Bound::Exactly(most) | Bound::AtMost(most)) => class_of(most),
                _ => return false,
            };
            !known.may_be_null() && self.program.hierarchy.is_subtype(most, id) == Some(true)
        })
    }

    /// Whether a call of a pure method was made ahead of time, so that it is known to return.
    fn was_made_ahead(&self, caller: Method, body: &Body, inst: Inst) -> bool {
        let site = body.function.inst(inst).descr.map(|descr| &self.sites[body.class.index()][descr.index()]);
        let values = &self.progress[caller.index()].values;
        // The name or number of a constant of an enum is known, and asking does nothing else.
        if let (Some(Site::Call(Callee { part: Some(_), .. })), Some(&receiver), Some(asked)) =
            (site, body.function.args(inst).first(), body.function.first_result(inst))
        {
            let is_there = matches!(values[receiver.index()], Fact::Ref(known) if !known.may_be_null());
            let is_known = match values[asked.index()] {
                Fact::Ref(known) => self.ones.text_of(known).is_some(),
                known => known.constant().is_some(),
            };
            return is_there && is_known;
        }
        let Some(Site::Call(Callee { pure: Some(pure), .. })) = site else { return false };
        let args = numbers(body.function.args(inst).iter().map(|arg| values[arg.index()]));
        let result = args.and_then(|args| self.results.get(&(*pure, args)));
        // The value that is written in is what the analysis says of it.
        result.is_some_and(Option::is_some)
            && body
                .function
                .first_result(inst)
                .is_some_and(|value| values[value.index()].constant().is_some())
    }

    /// How many calls of methods that only compute are made with constants and could not be made ahead of time.
    pub(super) fn unmade(&self, survey: &Survey) -> u64 {
        let is_unmade = |caller: Method, call: &CallAt| {
            let (progress, body) = (&self.progress[caller.index()], self.bodies[caller.index()].as_ref()?);
            let descr = body.function.inst(call.inst).descr?;
            let Site::Call(Callee { pure: Some(pure), .. }) = self.sites[body.class.index()][descr.index()]
            else {
                return None;
            };
            let args = body.function.args(call.inst).iter().map(|arg| progress.values[arg.index()]);
            let known =
                progress.runs[call.block.index()].then(|| self.results.get(&(pure, numbers(args)?)))??;
            Some(known.is_none())
        };
        let of = |caller| survey.of(caller).iter().filter(move |call| is_unmade(caller, call) == Some(true));
        self.program.methods.ids().map(|caller| of(caller).count() as u64).sum()
    }

    /// What was found out, once nothing grows any more.
    pub(super) fn facts(&self, live: &LiveParts) -> Facts {
        let mut facts = Facts::default();
        for method in self.program.methods.ids() {
            let (summary, info) = (&self.methods[method.index()], &self.program.methods[method]);
            let Some(body) = &self.bodies[method.index()] else { continue };
            if !summary.reached {
                facts.counts.unreached += 1;
                continue;
            }
            let is_constant = |fact: &&Fact| fact.constant().is_some();
            facts.counts.constant_parameters += summary.parameters.iter().filter(is_constant).count() as u64;
            facts.counts.constant_results += u64::from(summary.result.constant().is_some());
            let class = self.program.name(info.class);
            let key = [class, b".", self.program.text(info.selector)].concat();
            if info.flags.has(Flags::STATIC) && self.gets_instance(info.class, &summary.parameters) {
                facts.on_instances.insert(key.clone().into());
            }
            let f = &body.function;
            let mut found = MethodFacts { values: f.value_count(), ..MethodFacts::default() };
            for (index, fact) in self.progress[method.index()].values.iter().enumerate() {
                let value = Value::from_index(index);
                if f.constant(value).is_some() {
                    continue;
                }
                if let Some(constant) = fact.constant()
                    && constant.ty() == f.ty(value)
                {
                    found.constants.push((value, constant));
                } else if let Fact::Ref(known) = fact
                    && let Some(text) = self.ones.text_of(*known)
                {
                    found.texts.push((value, text.into()));
                    found.nonnull.push(value);
                } else if matches!(fact, Fact::Ref(known) if !known.may_be_null() && !known.is_bottom()) {
                    found.nonnull.push(value);
                }
            }
            if !live.is_result_live(method) {
                found.returned = needless_results(f, &self.sites[body.class.index()]);
            }
            found.idle = self.idle_handlers(method, f);
            let is_dull = found.constants.is_empty() && found.nonnull.is_empty();
            if is_dull && found.returned.is_empty() && found.idle.is_empty() {
                continue;
            }
            let calls = f.live_insts().filter(|&(_, inst)| f.inst(inst).op == Op::Call);
            let calls = calls.filter(|&(_, inst)| self.was_made_ahead(method, body, inst));
            found.ahead = calls.map(|(_, inst)| f.result(inst)).collect();
            found.ahead.sort_unstable();
            facts.methods.insert(key.into(), found);
        }
        for (field, summary) in self.program.fields.ids().zip(&self.fields) {
            let is_used = self.reach.is_field_needed(field) && !summary.is_open;
            facts.counts.constant_fields += u64::from(is_used && summary.fact.constant().is_some());
        }
        facts
    }
}

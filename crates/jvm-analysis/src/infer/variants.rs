//! Profitability of procedure cloning: which calls pay with fewer arguments, once nothing grows.

use std::rc::Rc;
use std::sync::Arc;

use hashbrown::HashMap;
use planish_base::Id;
use planish_classfile::Flags;
use planish_classfile::pool::MemberKind;
use planish_domain::{Class as Bound, RefFact};
use planish_ir::{Const, Function, Value};
use planish_jvm_model::hierarchy::ClassId;
use planish_jvm_model::program::{Class, Found, Method, Program};
use planish_ops::Int;
use rustc_hash::FxBuildHasher;

use crate::copied::{Copied, CopyOf, CopySize, Purpose};
use crate::infer::fact::{Fact, class as class_of, descr};
use crate::infer::families::Change;
use crate::infer::live::LiveParts;
use crate::infer::new_names::NewNames;
use crate::infer::results::{Operands, ResultPart};
use crate::infer::state::families::{Families, Family};
use crate::infer::state::sites::Site;
use crate::infer::state::{Analysis, Body};
use crate::infer::straight::{Bent, Straight};
use crate::infer::survey::{Ask, CallAt, Survey};
use crate::precision::Precision;
use crate::variant::{Part, ReceiverLoss, Variant, VariantCall};
use crate::wanted::{Made, Wanted};

impl Analysis<'_, '_, '_> {
    /// The calls that pay with fewer arguments, or without the result.
    pub(super) fn variants(
        &mut self,
        survey: &Survey,
        (live, families): (&LiveParts, &Families),
        made: &Made,
    ) -> Wanted {
        let mut wanted = Wanted::default();
        let program = self.program;
        wanted.instructions = self.bodies.iter().flatten().map(|body| body.size).sum();
        let mut copies = Copies { paid: &made.copied, known: HashMap::default(), wanted: Vec::new() };
        let mut names = NewNames::new(program, made);
        let operands = self.operands(survey);
        let changes = self.changes(families, (live, &operands), &mut names, &mut wanted);
        let mut calls: Vec<(Method, &CallAt, Option<Alone>)> = Vec::new();
        for caller in program.methods.ids() {
            if survey.of(caller).is_empty() {
                continue;
            }
            let Some(body) = self.bodies[caller.index()].take() else { continue };
            for call in survey.of(caller) {
                let alone = self.alone((&body, caller, call), (live, survey), &operands, &mut copies);
                calls.push((caller, call, alone));
            }
            self.bodies[caller.index()] = Some(body);
        }
        // Which copies there are to be is said when it is known which are wanted.
        let granted = made.copied.grant(&copies.wanted, wanted.instructions, &self.precision);
        for (caller, call, alone) in calls {
            let loses_receiver = alone.as_ref().is_some_and(|alone| alone.drops_receiver);
            let loss = if loses_receiver { self.loss(call) } else { ReceiverLoss::default() };
            let alone = alone.and_then(|alone| self.granted(alone, &granted));
            let alone = alone.filter(|(variant, _)| names.admit(std::slice::from_ref(variant)));
            if loses_receiver && alone.is_none() {
                wanted.keep_receiver(self.full_name(caller));
            }
            // All calls of a family change, whether they seem to run or not.
            let of_family = || {
                let family = families.of_method(call.named?)?;
                let (number, change) = changes[family.index()].as_ref()?;
                Some((self.variant_of(call.named?, change.clone()), Some(*number)))
            };
            if let Some((variant, gives)) = alone {
                let call_of = VariantCall { variant: Arc::new(variant), gives, loss };
                wanted.add(self.full_name(caller), call.at, call_of, None);
            } else if let Some(((variant, gives), family)) = of_family() {
                let loss = ReceiverLoss::default();
                let call_of = VariantCall { variant: Arc::new(variant), gives, loss };
                wanted.add(self.full_name(caller), call.at, call_of, family);
            }
        }
        wanted.copies = copies.wanted.into_iter().zip(granted).collect();
        wanted
    }

    /// What a call does if it loses its receiver.
    fn loss(&self, call: &CallAt) -> ReceiverLoss {
        let kind = |method: Method| {
            let home = self.program.methods[method].class;
            match self.program.classes[home].file.flags.has(Flags::INTERFACE) {
                true => MemberKind::InterfaceMethod,
                false => MemberKind::Method,
            }
        };
        ReceiverLoss { checks: call.on_null, home: call.elsewhere.map(kind) }
    }

    /// The variant that a call leads to, now that it is known which copies there are.
    fn granted(&self, alone: Alone, granted: &[bool]) -> Option<(Variant, Option<Const>)> {
        let Alone { callee, drops_receiver, result, all, always, copy } = alone;
        let parts = match copy {
            Some((number, parts)) if granted[number] => Some(parts),
            _ => always.filter(|always| always.iter().any(|part| *part != Part::Keep)),
        };
        let changes = drops_receiver || result != ResultPart::Keep;
        let parts = parts.or_else(|| changes.then(|| vec![Part::Keep; all]))?;
        let (variant, gives) = self.variant_of(callee, Change { parts, result });
        let variant = Variant { drops_receiver, ..variant };
        (!self.is_constructor(callee) || self.may_be_constructor(&variant)).then_some((variant, gives))
    }

    /// What becomes of each family, if it changes, with the number of the variants that are wanted for that.
    fn changes(
        &self,
        families: &Families,
        (live, operands): (&LiveParts, &Operands),
        names: &mut NewNames<'_, '_, '_>,
        wanted: &mut Wanted,
    ) -> Vec<Option<(usize, Change)>> {
        let change = |family: Family| {
            let change = self.change((families, family), live, operands)?;
            let members = families.members(family).iter();
            let variants: Vec<Variant> =
                members.map(|&method| self.variant_of(method, change.clone()).0).collect();
            names.admit(&variants).then(|| (wanted.add_family(variants), change))
        };
        (0..families.len()).map(Family::from_index).map(change).collect()
    }

    /// A variant of a method for all calls, and what these get.
    fn variant_of(&self, method: Method, Change { parts, result }: Change) -> (Variant, Option<Const>) {
        let (program, info) = (self.program, &self.program.methods[method]);
        let variant = Variant {
            class: program.name(info.class).into(),
            of: program.member_name(info.selector).into(),
            of_descriptor: program.descriptor(info.selector).into(),
            drops_receiver: false,
            parts,
            drops_result: result != ResultPart::Keep,
        };
        (variant, result.constant())
    }

    /// What a call of one method pays with.
    fn alone(
        &mut self,
        (body, caller, call): (&Body, Method, &CallAt),
        (live, survey): (&LiveParts, &Survey),
        operands: &Operands,
        copies: &mut Copies<'_>,
    ) -> Option<Alone> {
        let callee = self.varied((body, caller, call), survey)?;
        let called = &self.program.methods[callee];
        let result = body.function.first_result(call.inst);
        let known = result.and_then(|value| self.progress[caller.index()].values[value.index()].constant());
        let may_vary = self.may_be_varied(caller, callee);
        let drops_receiver =
            self.may_lose_receiver((body, caller, call), survey).is_some() && !live.is_live(callee, 0);
        // Who calls it through a class or interface above finds no variant there that needs a receiver.
        if survey.named_elsewhere[callee.index()] && !drops_receiver {
            return None;
        }
        let result = match may_vary && !self.methods[callee.index()].is_open {
            true => self.result_part(&[callee], live, operands),
            false => ResultPart::Keep,
        };
        // A copy for what a call gives would say what it returns, which is known.
        let classes = match known {
            None => self.classes(body, caller, (call, callee), survey),
            Some(_) => Vec::new(),
        };
        let all = body.function.args(call.inst).len() - receiver(called.flags);
        let parts = self.parts(body, caller, (call, callee), (live, &classes, survey));
        let (always, copy) = parts.map_or((None, None), |parts| {
            let is_for_class = parts.here.iter().any(|part| matches!(part, Part::Of(_)));
            let purpose = match (is_for_class, call.is_pure) {
                (true, _) => Purpose::Classes,
                (_, true) => Purpose::Computing,
                _ => Purpose::Constants,
            };
            let Parts { always, here, known, size } = parts;
            let mut numbered = |here| copies.numbered(self.program, callee, (here, &known), (size, purpose));
            let copy = if here == always { None } else { Some(numbered(here)) };
            (Some(always), copy)
        });
        Some(Alone { callee, drops_receiver, result, all, always, copy })
    }

    /// Whether a class may have a variant of a constructor. Reflection and serialization look for one without parameters.
    fn may_be_constructor(&self, variant: &Variant) -> bool {
        !variant.descriptor().starts_with(b"()") || !self.reach.may_look_for_constructors()
    }

    /// What a call makes of the parameters of a method; nothing if there may be no variant of it.
    fn parts(
        &self,
        body: &Body,
        caller: Method,
        (call, callee): (&CallAt, Method),
        (live, classes, survey): (&LiveParts, &[Option<Class>], &Survey),
    ) -> Option<Parts> {
        let info = &self.program.methods[callee];
        let (summary, values) = (&self.methods[callee.index()], &self.progress[caller.index()].values);
        if info.flags.any(Flags::SYNCHRONIZED | Flags::NATIVE | Flags::ABSTRACT) {
            return None;
        }
        let receiver = usize::from(!info.flags.has(Flags::STATIC));
        // The callee's body is at hand, unless it is the caller.
        let own = if caller == callee { body } else { self.bodies[callee.index()].as_ref()? };
        // What only computes may be computed ahead of time.
        let Precision { largest_copy, largest_copy_with_effects, .. } = self.precision;
        let most = if call.is_pure { largest_copy } else { largest_copy_with_effects };
        let count = own.size;
        // Constants of methods with receivers are seldom the point of them.
        let result = body.function.first_result(call.inst).map(|result| values[result.index()]);
        let is_known = result.is_some_and(|result| result.constant().is_some());
        let small = count <= most && receiver == 0 && !is_known;
        let known = |&arg: &Value| {
            let constant = body.function.constant(arg).or_else(|| values[arg.index()].constant());
            constant.filter(|constant| !matches!(constant, Const::Symbol(..) | Const::Hole))
        };
        let known: Vec<Option<Const>> = body.function.args(call.inst).iter().map(known).collect();
        let (decide, size) = match small {
            true => self.deciding(callee, (own, call), &known, survey),
            false => (Vec::new(), CopySize { method: count, copy: Some(count) }),
        };
        let (mut always, mut here) = (Vec::new(), Vec::new());
        for (place, &known) in known.iter().enumerate().skip(receiver) {
            let is_closed = !self.reach.is_open(callee);
            let part = match (live.is_live(callee, place), known) {
                // One that others may call stays, so that a variant would be a copy.
                (false, _) if is_closed => Part::Drop,
                (true, Some(constant)) if is_closed && summary.parameters[place].constant().is_some() => {
                    Part::Is(constant)
                }
                _ => Part::Keep,
            };
            here.push(match (&part, known, classes.get(place).copied().flatten()) {
                (Part::Keep, Some(constant), _) if decide.get(place) == Some(&true) => Part::Is(constant),
                (Part::Keep, None, Some(class)) => Part::Of(self.program.name(class).into()),
                _ => part.clone(),
            });
            always.push(part);
        }
        Some(Parts { always, here, known: known[receiver..].to_vec(), size })
    }

    /// For each place, whether a copy for the constant that a call has there would do less: the method compares it; or it is a
    /// straight line for the constants, and none without this one; or, beside one of these, it hands the constant on to
    /// itself, so that it stays one all the way down. Also says how many instructions the copy has.
    fn deciding(
        &self,
        callee: Method,
        (own, call): (&Body, &CallAt),
        known: &[Option<Const>],
        survey: &Survey,
    ) -> (Vec<bool>, CopySize) {
        let f = &own.function;
        let mut size = CopySize { method: own.size, copy: Some(own.size) };
        let mut decide: Vec<bool> =
            (0..known.len()).map(|place| known[place].is_some() && decides(f, place)).collect();
        let number = |constant: &Option<Const>| match constant {
            Some(Const::Int(number)) => Some(*number),
            _ => None,
        };
        let mut numbers: Vec<Option<Int>> = known.iter().map(number).collect();
        let may_decide = f.blocks().len() > 1 && numbers.iter().any(Option::is_some);
        let line = if may_decide { Straight::of(f, &numbers) } else { Err(Bent::Undecided) };
        match &line {
            Ok(line) => size.copy = Some(own.size.max(line.left)),
            Err(Bent::TooLong) if call.is_pure && !decide.contains(&true) => size.copy = None,
            Err(_) => {}
        }
        if line.is_ok() || size.copy.is_none() {
            for place in 0..numbers.len() {
                let Some(number) = numbers[place].take() else { continue };
                decide[place] |= match Straight::of(f, &numbers) {
                    Ok(_) => false,
                    Err(Bent::Undecided) => true,
                    Err(Bent::TooLong) => line.is_ok(),
                };
                numbers[place] = Some(number);
            }
        }
        if call.is_pure && decide.contains(&true) {
            let own_calls = || survey.of(callee).iter().filter(|inner| inner.only == Some(callee));
            let hands_on = |place: usize| {
                let mut stays = own_calls().map(|inner| f.args(inner.inst)[place] == f.params()[place]);
                own_calls().next().is_some() && stays.all(|stays| stays)
            };
            for place in 0..known.len() {
                decide[place] |= known[place].is_some() && hands_on(place);
            }
        }
        (decide, size)
    }
}

/// What a call makes of the parameters of a method.
struct Parts {
    /// In the variant for all calls.
    always: Vec<Part>,
    /// In one for this call.
    here: Vec<Part>,
    /// The arguments that are constants.
    known: Vec<Option<Const>>,
    /// How many instructions a copy has.
    size: CopySize,
}

/// What a call of one method pays with.
struct Alone {
    callee: Method,
    drops_receiver: bool,
    result: ResultPart,
    /// How many parameters the method has.
    all: usize,
    /// What becomes of the parameters in the variant for all calls, if there may be one.
    always: Option<Vec<Part>>,
    /// What does in one for this call, if that is another, and its number among the wanted copies.
    copy: Option<(usize, Vec<Part>)>,
}

/// The copies that calls want.
struct Copies<'c> {
    paid: &'c Copied,
    known: HashMap<Method, Vec<usize>, FxBuildHasher>,
    wanted: Vec<CopyOf>,
}

impl Copies<'_> {
    /// The number of a copy of a method, and what becomes of its parameters.
    ///
    /// A parameter that does not matter may be a constant in a copy that is there: a call that has the same one needs no other.
    fn numbered(
        &mut self,
        program: &Program<'_>,
        of: Method,
        (parts, arguments): (Vec<Part>, &[Option<Const>]),
        (size, purpose): (CopySize, Purpose),
    ) -> (usize, Vec<Part>) {
        let info = &program.methods[of];
        let name = [program.name(info.class), b".", program.text(info.selector)].concat();
        let fits = |paid: &&Vec<Part>| {
            let mut places = paid.iter().zip(&parts).zip(arguments);
            places.all(|((paid, part), argument)| match (part, paid, argument) {
                (Part::Drop, Part::Is(constant), Some(argument)) => constant == argument,
                _ => part == paid,
            })
        };
        let parts = self.paid.of(&name).iter().find(fits).cloned().unwrap_or(parts);
        let known = self.known.entry(of).or_default();
        if let Some(&number) = known.iter().find(|&&number| self.wanted[number].parts == parts) {
            return (number, parts);
        }
        known.push(self.wanted.len());
        self.wanted.push(CopyOf { of: name.into(), parts: parts.clone(), size, purpose });
        (self.wanted.len() - 1, parts)
    }
}

/// How many calls a parameter may be handed through before it is asked something.
const DEEPEST: u32 = 4;

impl Analysis<'_, '_, '_> {
    /// The classes of the arguments of a call for which the method does less, place by place.
    fn classes(
        &mut self,
        body: &Body,
        caller: Method,
        (call, callee): (&CallAt, Method),
        survey: &Survey,
    ) -> Vec<Option<Class>> {
        let program = self.program;
        let f = &body.function;
        let callee_body = if caller == callee { Some(body) } else { self.bodies[callee.index()].as_ref() };
        let is_small = callee_body.is_some_and(|body| body.size <= self.precision.largest_copy_for_a_class);
        if !is_small || program.methods[callee].flags.has(Flags::SYNCHRONIZED) {
            return Vec::new();
        }
        let args = f.args(call.inst).to_vec();
        let mut classes = vec![None; args.len()];
        for (place, &arg) in args.iter().enumerate() {
            if survey.asks(callee, place).is_empty() {
                continue;
            }
            let Fact::Ref(known) = self.progress[caller.index()].values[arg.index()] else { continue };
            let Some(Bound::Exactly(class) | Bound::AtMost(class)) = known.object() else { continue };
            let Some(class) = program.class(class_of(class)) else { continue };
            let id = program.classes[class].id;
            // The call casts what a verifier does not see to be of the class.
            let is_visible = self.may_name(body.class, class) || self.sees(caller, body, arg, id);
            let is_more = self.parameter(callee, place) != Some(id)
                && program.hierarchy.is_interface(id) == Some(false);
            if is_more && is_visible && self.gains(survey, (callee, place), (known, id), DEEPEST) {
                classes[place] = Some(class);
            }
        }
        classes
    }

    /// Whether a method does less if of a parameter is known what a call knows of it, and its declared class is this one.
    fn gains(
        &mut self,
        survey: &Survey,
        (method, place): (Method, usize),
        (known, declared): (RefFact, ClassId),
        deepest: u32,
    ) -> bool {
        let before = match self.methods[method.index()].parameters.get(place) {
            Some(Fact::Ref(before)) => *before,
            _ => RefFact::TOP,
        };
        survey.asks(method, place).iter().any(|ask| match *ask {
            Ask::Call(class, descr) => {
                let sites = Rc::clone(&self.sites[class.index()]);
                let Site::Call(callee) = &sites[descr.index()] else { return false };
                // A copy for each class that implements an interface of the library is more than it saves.
                if !matches!(callee.found, Some(Found::Program(_))) {
                    return false;
                }
                let sees = |analysis: &Self, class| {
                    analysis.program.hierarchy.extends(declared, class) == Some(true)
                };
                let target = self.target_on_object(class, callee, known);
                let target = target.and_then(|target| self.single_target(callee, known, target));
                let target = target.zip(callee.selector);
                target.is_some_and(|(target, selector)| {
                    self.precise_class(class, selector, target, sees).is_some()
                })
            }
            Ask::Test(class) => {
                let is_decided = |known: RefFact| {
                    let truth = known.is_instance(descr(class), &self.classes);
                    truth.always || truth.never
                };
                is_decided(known) && !is_decided(before)
            }
            Ask::Pass(method, place) => {
                let place = place as usize;
                let body = self.bodies[method.index()].as_ref();
                deepest > 0
                    && body.is_some_and(|body| body.size <= self.precision.largest_copy_for_a_class)
                    && !survey.lead_elsewhere[method.index()]
                    && self.gains(survey, (method, place), (known, declared), deepest - 1)
            }
        })
    }
}

/// How many receivers a method of these flags has.
fn receiver(flags: Flags) -> usize {
    usize::from(!flags.has(Flags::STATIC))
}

/// Whether a method branches on a parameter: compares it, or looks at it itself.
fn decides(f: &Function, place: usize) -> bool {
    let Some(&param) = f.params().get(place) else { return false };
    f.blocks().iter().any(|&block| {
        f.terminator(block).condition().is_some_and(|on| {
            let compares = |inst| f.args(inst).contains(&param) && f.ty(on) == planish_ops::Type::I1;
            on == param || f.def_inst(on).is_some_and(compares)
        })
    })
}

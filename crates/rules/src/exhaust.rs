//! Trying a rule on inputs: on all of small widths, on some of wide ones.
//!
//! For each type assignment of small widths that the rule admits, every value of every variable is
//! tried, with samples of the facts that hold of it, under every reading of shifts and division; where the
//! pattern has a choice, each variable is tried undefined, too. Where
//! the cases exceed a limit, as many are sampled, evenly. What is counted is reported, so that nobody
//! takes a sample for a proof.
//!
//! At widths of programs inputs are [sampled](crate::sample): a rule that is wrong at one of many fails here, whatever
//! a solver says of it.

use planish_base::Id;
use planish_domain::{FactOf, IntFact};
use planish_ops::{Datum, FloatFormat, Int, Machine, Real, Type};

use crate::apply::{asked, datum_constant, guess, unpack};
use crate::eval::{Val, concrete};
use crate::matching::Const;
use crate::named;
use crate::rule::{Rule, Step, Ty, VarId, VarKind};
use crate::semantics::{Inputs, Reading, Side};
use crate::speaks::choices;

/// What trying a rule gave.
#[derive(Clone, Debug, Default)]
pub struct Tally {
    /// Cases tried.
    pub cases: u64,
    /// Cases in which the rule applied and its pattern was defined.
    pub applied: u64,
    /// Whether some assignment had more cases than the limit, so that they were sampled.
    pub sampled: bool,
    /// Whether it was ended before all cases were tried.
    pub is_cut_short: bool,
    /// How many type assignments were tried.
    pub assignments: u64,
    /// The first case in which the claim of the rule is wrong.
    pub wrong: Option<Wrong>,
}

/// A case in which a rule is wrong.
#[derive(Clone, Debug)]
pub struct Wrong {
    /// The reading of shifts and division.
    pub reading: Reading,
    /// The type of each type variable.
    pub types: Vec<Type>,
    /// The inputs: values, facts and whether they are defined, by variable.
    pub case: Case,
    /// The inputs by name; nothing for one that is undefined.
    pub inputs: Vec<(String, Option<Const>)>,
    /// What the pattern gives, if that is a defined value.
    pub source: Option<Const>,
    /// What the target gives, if that is a defined value.
    pub target: Option<Const>,
}

/// The widths at which every input is tried, all mixtures of them included: those of law 9 for authors.
pub const SMALL_WIDTHS: [u32; 5] = [1, 2, 3, 4, 5];

/// Tries a rule at integer widths, with at most `limit` cases for each type assignment and reading. Types for which
/// its target is ill-typed are left out: it is not applied there.
pub fn exhaust(rule: &Rule, widths: &[u32], limit: u64) -> Tally {
    exhaust_while(rule, widths, limit, &|| true)
}

/// The same as [`exhaust`], as long as `goes_on` says so.
pub fn exhaust_while(rule: &Rule, widths: &[u32], limit: u64, goes_on: &dyn Fn() -> bool) -> Tally {
    let mut tally = Tally::default();
    for types in choices(&rule.kinds(), widths) {
        if !rule.admits(&types) || !rule.target_is_legal(&types) {
            continue;
        }
        tally.assignments += 1;
        for reading in Reading::ALL {
            try_assignment(rule, reading, &types, limit, goes_on, &mut tally);
            if tally.wrong.is_some() || tally.is_cut_short {
                return tally;
            }
        }
    }
    tally
}

/// The values tried of a type.
pub(crate) fn values(ty: Type) -> Vec<Datum<Machine>> {
    match ty {
        // Words of encodings and the like are too wide to be tried all: edges and a few others.
        Type::Int(width @ 0..=8) => {
            (0..1u64 << width).map(|v| Datum::Word(Int::new(u32::from(width), v))).collect()
        }
        Type::Int(width) => {
            let width = u32::from(width);
            let top = 1u64 << (width - 1);
            [
                0,
                1,
                2,
                3,
                7,
                u64::MAX,
                u64::MAX - 1,
                top,
                top - 1,
                top + 1,
                0x5555_5555_5555_5555,
                0x3f80_0000,
                0x7fc0_0001,
            ]
            .map(|v| Datum::Word(Int::new(width, v)))
            .to_vec()
        }
        Type::Float(format) => {
            let edges = [
                0.0,
                -0.0,
                1.0,
                -1.0,
                2.0,
                -2.0,
                0.5,
                0.1,
                3.0,
                -7.25,
                1e-310,
                -1e-40,
                1e30,
                1e300,
                65536.0,
                2147483648.0,
                -2147483649.0,
                9.3e18,
                f64::MAX,
                f64::MIN_POSITIVE,
                f64::INFINITY,
                f64::NEG_INFINITY,
                f64::NAN,
            ];
            edges
                .iter()
                .map(|&e| {
                    Datum::Float(match format {
                        FloatFormat::F32 => Real::F32(e as f32),
                        FloatFormat::F64 => Real::F64(e),
                    })
                })
                .collect()
        }
        Type::Ref | Type::State | Type::Vector(_) => Vec::new(),
    }
}

/// The values tried of a variable: of floats those that the rule names, too.
fn tried(rule: &Rule, types: &[Type], ty: Ty) -> Vec<Datum<Machine>> {
    let ty = concrete(ty, types);
    let mut all = values(ty);
    if let Type::Float(format) = ty {
        all.extend(named::floats(rule, types, format).into_iter().map(Datum::Float));
    }
    all
}

/// Facts that hold of a word: nothing, all, intervals to both sides, and some bits.
pub(crate) fn facts_of(word: Int) -> Vec<IntFact> {
    let width = word.width();
    let (value, bits) = (word.signed(), word.unsigned());
    let known = |mask: u64| IntFact::bits(width, bits & mask, !bits & mask);
    let mut facts = vec![
        IntFact::top(width),
        IntFact::constant(word),
        IntFact::interval(width, value, i64::MAX),
        IntFact::interval(width, i64::MIN, value),
        IntFact::interval(width, value.saturating_sub(1), value.saturating_add(1)),
        known(1),
        known(u64::MAX << (width / 2)),
        known(!(1 << (width / 2))),
    ];
    if value >= 0 {
        facts.push(IntFact::interval(width, 0, i64::MAX));
    } else {
        facts.push(IntFact::interval(width, i64::MIN, -1));
    }
    if (0..=1).contains(&value) {
        facts.push(IntFact::boolean(width));
    }
    facts
}

/// One input of a case: a value, perhaps a fact, and whether it is defined.
pub(crate) type Choice = (Datum<Machine>, Option<FactOf<Machine>>, bool);

/// What is tried of an undefined input, whose value nobody may look at: `like` is one of its type. Its fact may be any.
pub(crate) fn undefined(like: Datum<Machine>, with_facts: bool) -> Vec<Choice> {
    match like {
        Datum::Word(word) if with_facts => {
            let zero = Int::new(word.width(), 0);
            let known = [0, 1, u64::MAX].map(|bits| facts_of(Int::new(word.width(), bits)));
            known.into_iter().flatten().map(|fact| (Datum::Word(zero), Some(unpack(fact)), false)).collect()
        }
        _ => vec![(like, None, false)],
    }
}

/// The variables that are inputs.
pub(crate) fn inputs(rule: &Rule) -> Vec<VarId> {
    let is_input = |kind: VarKind| matches!(kind, VarKind::Value | VarKind::Constant);
    rule.vars.iter().filter(|(_, v)| is_input(v.kind)).map(|(id, _)| id).collect()
}

/// After how many cases it is asked whether to go on.
pub(crate) const GLANCE: u64 = 16;

fn try_assignment(
    rule: &Rule,
    reading: Reading,
    types: &[Type],
    limit: u64,
    goes_on: &dyn Fn() -> bool,
    tally: &mut Tally,
) {
    let asked = asked(rule);
    let inputs = inputs(rule);
    let choices: Vec<Vec<Choice>> = inputs
        .iter()
        .map(|&var| {
            let variable = &rule.vars[var];
            let with_facts = variable.kind == VarKind::Value && asked[var.index()];
            let values = tried(rule, types, variable.ty);
            let mut choices: Vec<Choice> = (values.iter())
                .flat_map(|&datum| match datum {
                    Datum::Word(word) if with_facts => {
                        facts_of(word).into_iter().map(|fact| (datum, Some(unpack(fact)), true)).collect()
                    }
                    _ => vec![(datum, None, true)],
                })
                .collect();
            if variable.kind == VarKind::Value && rule.chooses() {
                choices.extend(values.first().into_iter().flat_map(|&like| undefined(like, with_facts)));
            }
            choices
        })
        .collect();
    let total = choices.iter().map(|c| c.len() as u64).fold(1, u64::saturating_mul);
    // A stride that is odd and not small visits cases that differ in every variable.
    let (count, stride) = if total > limit { (limit, (total / limit) | 1) } else { (total, 1) };
    tally.sampled |= total > limit;
    for case in 0..count {
        if case.is_multiple_of(GLANCE) && !goes_on() {
            tally.is_cut_short = true;
            return;
        }
        let mut number = case.wrapping_mul(stride) % total;
        let mut tried = Case::new(rule);
        for (&var, choices) in inputs.iter().zip(&choices) {
            tried.set(var, choices[(number % choices.len() as u64) as usize]);
            number /= choices.len() as u64;
        }
        tried.judge(rule, reading, types, tally);
        if tally.wrong.is_some() {
            return;
        }
    }
}

/// The inputs of a rule in one case, by variable.
#[derive(Clone, Debug)]
pub struct Case {
    /// Their values.
    pub data: Vec<Option<Datum<Machine>>>,
    /// What is known of them.
    pub known: Vec<Option<FactOf<Machine>>>,
    /// Whether they are defined.
    pub defined: Vec<Option<bool>>,
}

impl Case {
    pub(crate) fn new(rule: &Rule) -> Case {
        let count = rule.vars.len();
        Case { data: vec![None; count], known: vec![None; count], defined: vec![None; count] }
    }

    /// Gives a variable a value.
    pub(crate) fn set(&mut self, var: VarId, (datum, fact, is_defined): Choice) {
        self.data[var.index()] = Some(datum);
        self.known[var.index()] = fact;
        self.defined[var.index()] = Some(is_defined);
    }

    /// Counts the case, and notes it if the claim of the rule is wrong in it.
    pub(crate) fn judge(mut self, rule: &Rule, reading: Reading, types: &[Type], tally: &mut Tally) {
        if !guesses(rule, &mut self.data) {
            return;
        }
        tally.cases += 1;
        let inputs = Inputs { values: &self.data, facts: &self.known, defined: &self.defined };
        let semantics = rule.semantics(&mut Machine, reading, types, inputs);
        if semantics.applies && semantics.source.is_defined() {
            tally.applied += 1;
        }
        if !semantics.claim(&mut Machine, reading) {
            let named = |(id, v): (VarId, &crate::rule::Variable)| {
                let is_defined = self.defined[id.index()].unwrap_or(true);
                self.data[id.index()].map(|datum| (v.name.clone(), is_defined.then(|| datum_constant(datum))))
            };
            let gives = |side: &Side<Machine>| {
                let value = side.value.filter(|_| side.is_defined());
                value.map(datum_constant)
            };
            let inputs = rule.vars.iter().filter_map(named).collect();
            let (source, target) = (gives(&semantics.source), gives(&semantics.target));
            tally.wrong = Some(Wrong { reading, types: types.to_vec(), inputs, source, target, case: self });
        }
    }
}

impl Case {
    /// Whether the claim of the rule holds in the case; nothing where the rule does not apply or has no claim. Constants that the
    /// rule computes may be given among the inputs.
    pub fn outcome(&self, rule: &Rule, reading: Reading, types: &[Type]) -> Option<bool> {
        let mut data = self.data.clone();
        if !guesses(rule, &mut data) {
            return None;
        }
        let inputs = Inputs { values: &data, facts: &self.known, defined: &self.defined };
        let semantics = rule.semantics(&mut Machine, reading, types, inputs);
        let holds = semantics.claim(&mut Machine, reading);
        (!holds || (semantics.applies && semantics.source.is_defined())).then_some(holds)
    }

    /// The values of the variables as expressions see them: of values what is known, of constants themselves, and what the rule
    /// computes from these.
    pub fn known(&self, rule: &Rule, reading: Reading, types: &[Type]) -> Vec<Option<Val<Machine>>> {
        let mut known: Vec<Option<Val<Machine>>> = self.data.iter().map(|d| d.map(Val::Datum)).collect();
        for (value, fact) in known.iter_mut().zip(&self.known) {
            *value = fact.map(Val::Fact).or(*value);
        }
        let inputs = Inputs { values: &self.data, facts: &self.known, defined: &self.defined };
        let semantics = rule.semantics(&mut Machine, reading, types, inputs);
        for (var, datum) in semantics.computed {
            known[var.index()] = Some(Val::Datum(datum));
        }
        for (var, fact) in semantics.computed_facts {
            known[var.index()] = Some(Val::Fact(fact));
        }
        known
    }
}

/// Cases of these types with every value of small words, and all that is known of them; evenly some where there are more than
/// `limit`.
pub fn every_case(rule: &Rule, types: &[Type], limit: usize) -> Vec<Case> {
    let inputs = inputs(rule);
    let of: Vec<Vec<Datum<Machine>>> =
        inputs.iter().map(|&var| values(concrete(rule.vars[var].ty, types))).collect();
    let total = of.iter().map(Vec::len).fold(1usize, usize::saturating_mul);
    let (count, stride) = if total > limit { (limit, (total / limit) | 1) } else { (total, 1) };
    let case = |number: usize| {
        let mut number = number.wrapping_mul(stride) % total;
        let mut case = Case::new(rule);
        for (&var, values) in inputs.iter().zip(&of) {
            case.set(var, exact(rule, var, values[number % values.len()]));
            number /= values.len();
        }
        case
    };
    (0..count).map(case).collect()
}

/// A value of which all is known.
pub(crate) fn exact(rule: &Rule, var: VarId, datum: Datum<Machine>) -> Choice {
    let fact = match datum {
        Datum::Word(word) if rule.vars[var].kind == VarKind::Value => Some(unpack(IntFact::constant(word))),
        _ => None,
    };
    (datum, fact, true)
}

/// Guesses what the rule guesses; `false` where a guess finds nothing and the rule does not apply.
fn guesses(rule: &Rule, data: &mut [Option<Datum<Machine>>]) -> bool {
    for step in &rule.steps {
        let Step::Compute(var, expr) = step else { continue };
        if rule.vars[*var].kind != VarKind::Guessed {
            continue;
        }
        let values: Vec<_> = data.iter().map(|d| d.map(Val::Datum)).collect();
        match guess(expr, &values) {
            Some(Some(guessed)) => data[var.index()] = Some(Datum::Word(guessed)),
            _ => return false,
        }
    }
    true
}

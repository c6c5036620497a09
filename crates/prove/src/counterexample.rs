//! Counterexamples as text: what the inputs are, what the source gives, BUT what the target gives.
//!
//! The values are computed again by the machine's instance of the rule's semantics, not taken from the
//! solver: a counterexample that is told has been checked by running it.

use std::fmt;

use planish_base::Id;
use planish_domain::{Fact, FactOf};
use planish_ops::{Datum, Exits, Machine, Op, Type};
use planish_rules::eval::concrete;
use planish_rules::exhaust::Wrong;
use planish_rules::rule::{NodeKind, Rule, Target, TermId, Ty, VarId};
use planish_rules::semantics::{Inputs, Reading, Semantics, Side};
use planish_smt::{Model, Value};

use crate::claim::{Case, Claim};
use crate::show;

/// A counterexample to a rule.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Counterexample {
    /// The rule.
    pub rule: String,
    /// File and line of the rule.
    pub place: String,
    /// Types and reading.
    pub case: String,
    /// The inputs: name and value.
    pub inputs: Vec<(String, String)>,
    /// What is known of inputs of which a check asks, as conditions.
    pub known: Vec<String>,
    /// Constants and facts that the rule computes.
    pub computed: Vec<(String, String)>,
    /// The source and what it gives.
    pub source: (String, String),
    /// The target and what it gives.
    pub target: (String, String),
}

impl Counterexample {
    /// The counterexample of a model of the claim's question; `None` when running it shows no contradiction.
    pub fn of(rule: &Rule, claim: &Claim, model: &Model) -> Option<Counterexample> {
        let pool = &claim.question.pool;
        let value = |term| model.evaluate(pool, &[term])[0];
        let word = |term| value(term).int();
        let mut data: Vec<Option<Datum<Machine>>> = Vec::new();
        let mut facts: Vec<Option<FactOf<Machine>>> = Vec::new();
        let mut defined: Vec<Option<bool>> = Vec::new();
        for input in &claim.inputs {
            defined.push(input.and_then(|input| input.defined).map(|term| value(term).truth()));
            data.push(input.map(|input| match input.value {
                Datum::Word(term) => Datum::Word(word(term)),
                Datum::Float(term) => Datum::Float(value(term).real()),
            }));
            facts.push(input.and_then(|input| input.fact).map(|fact| Fact {
                lo: word(fact.lo),
                hi: word(fact.hi),
                ones: word(fact.ones),
                zeros: word(fact.zeros),
            }));
        }
        Self::tell(rule, &claim.case, &data, &facts, &defined)
    }

    /// The counterexample of a case that trying inputs found; `None` when running it again shows no contradiction.
    pub fn of_trial(rule: &Rule, wrong: &Wrong) -> Option<Counterexample> {
        let case = Case { types: wrong.types.clone(), reading: wrong.reading };
        Self::tell(rule, &case, &wrong.case.data, &wrong.case.known, &wrong.case.defined)
    }

    fn tell(
        rule: &Rule,
        case: &Case,
        data: &[Option<Datum<Machine>>],
        facts: &[Option<FactOf<Machine>>],
        defined: &[Option<bool>],
    ) -> Option<Counterexample> {
        let Case { types, reading } = case;
        let inputs = Inputs { values: data, facts, defined };
        let semantics = rule.semantics(&mut Machine, *reading, types, inputs);
        if semantics.claim(&mut Machine, *reading) {
            return None;
        }
        let name = |var: VarId| rule.vars[var].name.clone();
        let lacks = |var: VarId| defined[var.index()] == Some(false);
        let show = |var: VarId| {
            let shown = show_datum(data[var.index()]?);
            Some((name(var), if lacks(var) { "undefined".to_owned() } else { shown }))
        };
        let known =
            (rule.vars.ids()).filter_map(|var| Some(show_fact(&name(var), facts[var.index()]?))).collect();
        let constants = semantics.computed.iter().map(|&(var, datum)| (name(var), show_datum(datum)));
        let bounds =
            semantics.computed_facts.iter().map(|&(var, fact)| (name(var), show_fact(&name(var), fact)));
        let computed = constants.chain(bounds).collect();
        let (source, mut target) = sides(rule, &semantics, *reading);
        // With all operands defined, what does the target lack?
        let whole = rule.semantics(&mut Machine, *reading, types, Inputs { defined: &[], ..inputs });
        if !semantics.target.is_defined() && whole.target.is_defined() {
            let needed: Vec<String> =
                rule.vars.ids().filter(|&var| lacks(var) && in_target(rule, var)).map(name).collect();
            target.1 = format!("needs {}, which is undefined", needed.join(", "));
        }
        Some(Counterexample {
            rule: rule.name.clone(),
            place: format!("{}:{}", rule.file, rule.line),
            case: show_case(rule, case),
            inputs: rule.vars.ids().filter_map(show).collect(),
            known,
            computed,
            source,
            target,
        })
    }
}

/// Source and target with what they give.
fn sides(
    rule: &Rule,
    semantics: &Semantics<Machine>,
    reading: Reading,
) -> ((String, String), (String, String)) {
    let targets = match rule.target {
        Target::Value(term) => vec![term],
        Target::Pair(value, flag) => vec![value, flag],
        Target::Pass | Target::Fail => Vec::new(),
    };
    let show = |side: &Side<Machine>, roots: &[TermId]| match why_undefined(rule, side, roots, reading) {
        Some(why) => why,
        None => show_side(side),
    };
    let source = (show::term(rule, rule.pattern), show(&semantics.source, &[rule.pattern]));
    (source, (target_text(rule), show(&semantics.target, &targets)))
}

/// Whether the target speaks of a variable.
fn in_target(rule: &Rule, var: VarId) -> bool {
    let mut open = rule.target_terms();
    while let Some(term) = open.pop() {
        match rule.terms[term].kind {
            NodeKind::Var(found) if found == var => return true,
            NodeKind::Reuse(term) => open.extend(rule.preorder(term)),
            _ => {}
        }
    }
    false
}

/// What an operation does that has no value.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Lack {
    /// It divides by zero.
    Divides,
    /// It shifts by the width or more.
    Shifts,
    /// It converts a number that does not fit.
    Converts,
}

impl Lack {
    /// What an operation lacks if it lacks anything: only divisions leave, only shifts have amounts.
    fn of(op: Op) -> Lack {
        if op.row().exits != Exits::Never {
            Lack::Divides
        } else if op.row().amount.is_some() {
            Lack::Shifts
        } else {
            Lack::Converts
        }
    }
}

/// Why a side has no value, if it has none. No division of the table overflows: the least number divided by
/// -1 is itself.
fn why_undefined(rule: &Rule, side: &Side<Machine>, roots: &[TermId], reading: Reading) -> Option<String> {
    let op_of = |term: TermId| match &rule.terms[term].kind {
        NodeKind::Op(op, _) => Some(*op),
        _ => None,
    };
    if side.is_defined() {
        return None;
    }
    let mut lacks: Vec<Lack> = Vec::new();
    if side.inner_defined {
        lacks.extend(roots.iter().filter_map(|&root| op_of(root)).map(Lack::of));
    } else {
        let mut open: Vec<TermId> = roots.to_vec();
        while let Some(term) = open.pop() {
            match &rule.terms[term].kind {
                NodeKind::Op(op, args) => {
                    // An operation that always has a value lacks nothing, nor does the root here.
                    let partial = op.row().exits != Exits::Never || op.row().amount.is_some();
                    if partial && (!roots.contains(&term) || roots.len() > 1) {
                        lacks.push(Lack::of(*op));
                    }
                    open.extend(args);
                }
                NodeKind::Reuse(term) => open.push(*term),
                _ => {}
            }
        }
        if lacks.is_empty() {
            lacks.push(Lack::Converts);
        }
    }
    // A shift is defined where amounts are taken modulo the width.
    if reading == Reading::Masked {
        lacks.retain(|&lack| lack != Lack::Shifts);
    }
    let first = lacks.first().copied().filter(|first| lacks.iter().all(|lack| lack == first));
    Some(
        match (first, reading) {
            (Some(Lack::Divides), Reading::Masked) => "divides by zero and leaves",
            (Some(Lack::Divides), Reading::Undefined) => "divides by zero, which is undefined",
            (Some(Lack::Shifts), _) => "shifts by the width or more, which is undefined",
            (Some(Lack::Converts), _) => "converts a number that does not fit, which is undefined",
            (None, _) => "is undefined",
        }
        .to_owned(),
    )
}

fn target_text(rule: &Rule) -> String {
    match rule.target {
        Target::Value(term) => show::term(rule, term),
        Target::Pair(value, flag) => format!("{}, {}", show::term(rule, value), show::term(rule, flag)),
        Target::Pass => "pass".to_owned(),
        Target::Fail => "fail".to_owned(),
    }
}

fn show_side(side: &Side<Machine>) -> String {
    match (side.passes, side.value, side.flag) {
        (Some(true), ..) => "passes".to_owned(),
        (Some(false), ..) => "fails".to_owned(),
        (None, Some(value), Some(flag)) => {
            let overflow = if flag.is_true() { "and overflows" } else { "without overflow" };
            format!("gives {} {overflow}", show_datum(value))
        }
        (None, Some(value), None) => format!("gives {}", show_datum(value)),
        (None, None, _) => "gives nothing".to_owned(),
    }
}

fn show_datum(datum: Datum<Machine>) -> String {
    match datum {
        Datum::Word(int) => Value::from(int).to_string(),
        Datum::Float(real) => Value::from(real).to_string(),
    }
}

/// What a fact says beyond nothing.
fn show_fact(name: &str, fact: FactOf<Machine>) -> String {
    let width = fact.lo.width();
    let (least, greatest) = (i64::MIN >> (64 - width), i64::MAX >> (64 - width));
    let mut parts = Vec::new();
    match (fact.lo.signed() > least, fact.hi.signed() < greatest) {
        (true, true) if fact.lo == fact.hi => parts.push(format!("{name} = {}", fact.lo)),
        (true, true) => parts.push(format!("{} <= {name} <= {}", fact.lo, fact.hi)),
        (true, false) => parts.push(format!("{} <= {name}", fact.lo)),
        (false, true) => parts.push(format!("{name} <= {}", fact.hi)),
        (false, false) => {}
    }
    if fact.ones.is_true() {
        parts.push(format!("{name} has the bits {:#x}", fact.ones.unsigned()));
    }
    if fact.zeros.is_true() {
        parts.push(format!("{name} lacks the bits {:#x}", fact.zeros.unsigned()));
    }
    if parts.is_empty() { format!("nothing of {name}") } else { parts.join(" and ") }
}

fn reading_text(reading: Reading) -> &'static str {
    match reading {
        Reading::Masked => "shift amounts taken modulo the width, division by zero leaving",
        Reading::Undefined => "shifts by the width or more and division by zero undefined",
    }
}

/// The types of variables, and of operations that have a type which no variable has; how operations are read, if that matters.
fn show_case(rule: &Rule, case: &Case) -> String {
    let mut types: Vec<(Type, Vec<&str>)> = Vec::new();
    for variable in rule.vars.values() {
        let ty = concrete(variable.ty, &case.types);
        match types.iter_mut().find(|(known, _)| *known == ty) {
            Some((_, names)) => names.push(&variable.name),
            None => types.push((ty, vec![&variable.name])),
        }
    }
    let mut types: Vec<String> =
        types.iter().map(|(ty, names)| format!("{}: {ty}", names.join(", "))).collect();
    for (id, var) in rule.types.iter().filter(|(id, _)| rule.vars.values().all(|v| v.ty != Ty::Var(*id))) {
        // What a comparison yields is 0 or 1 in every type.
        let is_truth = |op: Op| op.row().truth && var.witness == rule.pattern;
        if !matches!(rule.terms[var.witness].kind, NodeKind::Op(op, _) if is_truth(op)) {
            types.push(format!("{}: {}", show::term(rule, var.witness), case.types[id.index()]));
        }
    }
    // Most rules have no operation that dialects read differently.
    let differs = rule.terms.values().any(|node| match &node.kind {
        NodeKind::Op(op, _) => op.row().amount.is_some() || op.row().exits != Exits::Never,
        _ => false,
    });
    if differs { format!("{}; {}", types.join("; "), reading_text(case.reading)) } else { types.join("; ") }
}

impl fmt::Display for Counterexample {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        writeln!(f, "counterexample to {}", self.rule)?;
        writeln!(f, "  {} ({})", self.place, self.case)?;
        let width = self.inputs.iter().chain(&self.computed).map(|(name, _)| name.len()).max().unwrap_or(0);
        for (index, (name, value)) in self.inputs.iter().enumerate() {
            let label = if index == 0 { "given" } else { "" };
            writeln!(f, "  {label:8} {name:width$} = {value}")?;
        }
        for (index, condition) in self.known.iter().enumerate() {
            writeln!(f, "  {:8} {condition}", if index == 0 { "known" } else { "" })?;
        }
        for (index, (name, value)) in self.computed.iter().enumerate() {
            let label = if index == 0 { "computed" } else { "" };
            writeln!(f, "  {label:8} {name:width$} = {value}")?;
        }
        let (source, target) = (&self.source, &self.target);
        writeln!(f, "  the source {} {}", source.0, source.1)?;
        writeln!(f, "BUT")?;
        write!(f, "  the target {} {}", target.0, target.1)
    }
}

//! A rule as a function: tests, checks, computed values, then the rewrite. Rows of one rule differ in
//! what they hand to it.

use std::fmt::Write;

use planish_base::{Arena, Id};

use super::expr::{Scope, min_widths};
use super::names::{constant_name, type_text, variant};
use crate::apply::asked;
use crate::cost::{self, dying};
use crate::rows::{Matrix, OccId, RowId};
use crate::rule::{
    Literal, NodeKind, Rule, RuleId, Step, Target, TermId, Ty, TyKind, TyVar, TypeTest, VarId, VarKind,
};

/// A parameter of a rule's function: a term of the pattern and its name inside.
type Param = (TermId, String);

/// The terms of the pattern that a rule's function takes, each with a name.
fn params(rule: &Rule) -> Vec<Param> {
    let mut needed: Vec<TermId> = Vec::new();
    let asked = asked(rule);
    let built: Vec<VarId> = rule
        .target_terms()
        .iter()
        .filter_map(|&t| match rule.terms[t].kind {
            NodeKind::Var(var) => Some(var),
            _ => None,
        })
        .collect();
    let pattern = rule.preorder(rule.pattern);
    for (var, variable) in rule.vars.iter() {
        let terms = pattern.iter().filter(|&&t| rule.terms[t].kind == NodeKind::Var(var));
        let repeated = terms.clone().count() > 1;
        let read = asked[var.index()] && matches!(variable.kind, VarKind::Value | VarKind::Constant);
        if repeated {
            needed.extend(terms);
        } else if built.contains(&var) || read {
            needed.extend(rule.var_term(var));
        }
    }
    needed.extend(pattern.iter().filter(|&&t| is_tested_literal(rule, t)));
    for test in &rule.type_tests {
        match *test {
            TypeTest::Same(a, b) => needed.extend([a, b]),
            TypeTest::Is(a, _) | TypeTest::Kind(a, _) => needed.push(a),
        }
    }
    needed.extend(rule.types.iter().filter(|(id, _)| uses_type(rule, *id)).map(|(_, var)| var.witness));
    needed.extend(rule.bounded_types().map(|var| rule.types[var].witness));
    needed.extend(reused(rule));
    if rule.marks.pays {
        needed.extend(
            dying(rule).into_iter().map(|d| d.0).filter(|&t| matches!(rule.terms[t].kind, NodeKind::Op(..))),
        );
    }
    needed.retain(|&term| term != rule.pattern);
    needed.sort();
    needed.dedup();
    needed.into_iter().map(|term| (term, param_name(rule, term))).collect()
}

fn param_name(rule: &Rule, term: TermId) -> String {
    let NodeKind::Var(var) = rule.terms[term].kind else { return format!("inner{}", term.index()) };
    let lower = rule.vars[var].name.to_ascii_lowercase();
    let name = if rule.vars[var].kind == VarKind::Constant { format!("at_{lower}") } else { lower };
    // A variable that stands in several places is read at the first.
    let before = rule.terms.iter().filter(|(id, node)| *id < term && node.kind == NodeKind::Var(var)).count();
    if before == 0 { name } else { format!("{name}_{}", before + 1) }
}

/// Literals that the tree does not test: it knows integers.
fn is_tested_literal(rule: &Rule, term: TermId) -> bool {
    matches!(
        rule.terms[term].kind,
        NodeKind::Literal(Literal::Float(_) | Literal::LongBit | Literal::MaxInt | Literal::MinInt)
    )
}

fn reused(rule: &Rule) -> Vec<TermId> {
    rule.target_terms()
        .into_iter()
        .filter_map(|t| match rule.terms[t].kind {
            NodeKind::Reuse(term) => Some(term),
            _ => None,
        })
        .collect()
}

/// Whether a row's function speaks of a type variable: literals, widths and new operations do.
fn uses_type(rule: &Rule, var: TyVar) -> bool {
    let is = |ty: Ty| ty == Ty::Var(var);
    let built = rule.target_terms().into_iter().any(|t| {
        let node = &rule.terms[t];
        is(node.ty) && matches!(node.kind, NodeKind::Op(..) | NodeKind::Literal(_))
    });
    let tested =
        rule.preorder(rule.pattern).into_iter().any(|t| is(rule.terms[t].ty) && is_tested_literal(rule, t));
    let asked = rule.steps.iter().any(|step| super::expr::mentions(step.expr(), var));
    built || tested || asked || min_widths(rule).iter().any(|m| m.0 == var)
}

/// The places that a row hands to the function of its rule, in order.
pub fn places(rules: &Arena<RuleId, Rule>, matrix: &Matrix, row: RowId) -> Vec<OccId> {
    let row = &matrix.rows[row];
    params(&rules[row.rule])
        .into_iter()
        .map(|(term, _)| row.place(term).expect("terms of the pattern have places"))
        .collect()
}

/// The name of a rule's function.
fn function_name(rule: &Rule) -> String {
    match rule.name.as_str() {
        "root" | "rule" => format!("{}_", rule.name),
        name => name.to_string(),
    }
}

/// A call of the function of a row's rule.
pub fn call(
    rules: &Arena<RuleId, Rule>,
    matrix: &Matrix,
    row: RowId,
    name: &dyn Fn(OccId) -> String,
) -> String {
    let mut args = vec!["s".to_string(), "root".to_string()];
    args.extend(places(rules, matrix, row).into_iter().map(name));
    format!("{}({})", function_name(&rules[matrix.rows[row].rule]), args.join(", "))
}

/// A rule's function.
pub fn function(rule: &Rule) -> String {
    let params = params(rule);
    let mut text = String::new();
    for line in rule.text.lines() {
        let _ = writeln!(text, "// {}", line.trim_end());
    }
    let list: String = params.iter().map(|(_, name)| format!("    {name}: S::Value,\n")).collect();
    let mut writer = RowWriter { rule, params: &params, lines: Vec::new(), scope: Scope::new(rule) };
    writer.tests();
    writer.steps();
    writer.bounds();
    writer.result();
    let body = writer.lines.join("\n    ");
    let s = if mentions(&body, "s") { "s" } else { "_s" };
    let root = if mentions(&body, "root") { "root" } else { "_root" };
    let name = function_name(rule);
    let _ = writeln!(
        text,
        "fn {name}<S: Subject>(\n    {s}: &S,\n    {root}: &Root<'_, S::Value>,\n{list}) -> Option<Rewrite<S::Value>> {{\n    {body}\n}}\n"
    );
    text
}

/// Whether a text has a name as a word.
fn mentions(text: &str, name: &str) -> bool {
    text.match_indices(name).any(|(at, _)| {
        let part = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
        !part(text[..at].chars().next_back()) && !part(text[at + name.len()..].chars().next())
    })
}

struct RowWriter<'a> {
    rule: &'a Rule,
    params: &'a [Param],
    lines: Vec<String>,
    scope: Scope<'a>,
}

impl RowWriter<'_> {
    fn line(&mut self, line: impl Into<String>) {
        self.lines.push(line.into());
    }

    fn refuse(&mut self, condition: &str) {
        self.line(format!("if {condition} {{\n        return None;\n    }}"));
    }

    fn param(&self, term: TermId) -> &str {
        &self.params.iter().find(|p| p.0 == term).expect("needed terms are parameters").1
    }

    /// The type of a term as an expression.
    fn ty_of(&self, term: TermId) -> String {
        if term == self.rule.pattern { "root.ty".to_string() } else { format!("s.ty({})", self.param(term)) }
    }

    fn tests(&mut self) {
        for &(term, ref name) in self.params {
            let NodeKind::Var(var) = self.rule.terms[term].kind else { continue };
            let first = self.rule.var_term(var).expect("it stands in the pattern");
            if first != term {
                self.refuse(&format!("!same(s, {}, {name})", self.param(first)));
            }
        }
        for test in self.rule.type_tests.clone() {
            let condition = match test {
                TypeTest::Same(a, b) => format!("{} != {}", self.ty_of(a), self.ty_of(b)),
                TypeTest::Is(a, ty) => format!("{} != {}", self.ty_of(a), type_text(ty)),
                TypeTest::Kind(a, TyKind::Int) => format!("!matches!({}, Type::Int(_))", self.ty_of(a)),
                TypeTest::Kind(a, TyKind::Float) => format!("!matches!({}, Type::Float(_))", self.ty_of(a)),
                TypeTest::Kind(_, TyKind::Any) => continue,
            };
            self.refuse(&condition);
        }
        if self.rule.marks.pays {
            self.pays();
        }
        for (id, var) in self.rule.types.iter() {
            if !uses_type(self.rule, id) {
                continue;
            }
            let ty = self.ty_of(var.witness);
            let name = self.scope.type_name(id);
            self.line(format!("let {name} = {ty};"));
            let widths = min_widths(self.rule);
            let min = widths.iter().find(|m| m.0 == id).map(|m| m.1);
            if var.kind == TyKind::Int && (min.is_some() || self.scope.needs_width(id)) {
                let width = self.scope.width_name(id);
                self.line(format!("let {width} = {name}.int_width()?;"));
                if let Some(min) = min {
                    self.refuse(&format!("{width} < {min}"));
                }
            }
        }
        for term in self.rule.preorder(self.rule.pattern) {
            if !is_tested_literal(self.rule, term) {
                continue;
            }
            let NodeKind::Literal(literal) = self.rule.terms[term].kind else { continue };
            let (wanted, read) = match literal {
                Literal::Float(value) => (self.scope.float(value, self.rule.terms[term].ty), "real"),
                literal => (self.scope.integer(literal, self.rule.terms[term].ty), "int"),
            };
            self.refuse(&format!("{read}(s, {})? != {wanted}", self.param(term)));
        }
    }

    /// Adds up what dies, operations before those below them.
    fn pays(&mut self) {
        let mut gain: Vec<String> = match cost::root_gain(self.rule) {
            0 => Vec::new(),
            root => vec![root.to_string()],
        };
        for (term, parent) in dying(self.rule) {
            let NodeKind::Op(op, _) = self.rule.terms[term].kind else { continue };
            let own = format!("s.used_once({})", self.param(term));
            let dies = match parent {
                Some(parent) => format!("dies{} && {own}", parent.index()),
                None => own,
            };
            self.line(format!("let dies{} = {dies};", term.index()));
            let cost = op.row().cost;
            gain.push(format!("if dies{} {{ {cost} }} else {{ 0 }}", term.index()));
        }
        let gain = if gain.is_empty() { "0".to_owned() } else { gain.join(" + ") };
        let cost = cost::target_cost(self.rule);
        let operator = if cost::decreases(self.rule) { "<" } else { "<=" };
        self.refuse(&format!("{gain} {operator} {cost}"));
    }

    fn steps(&mut self) {
        let asked = asked(self.rule);
        let mut read = Vec::new();
        for (var, variable) in self.rule.vars.iter() {
            if !asked[var.index()] {
                continue;
            }
            let Some(term) = self.rule.var_term(var) else { continue };
            let param = self.param(term);
            match variable.kind {
                VarKind::Constant => {
                    let name = self.scope.var_name(var);
                    let reader = if self.scope.is_float(variable.ty) { "real" } else { "int" };
                    read.push(format!("let {name} = {reader}(s, {param})?;"));
                }
                VarKind::Value => {
                    let name = self.scope.var_name(var);
                    read.push(format!("let {name} = s.fact({param});"));
                }
                _ => {}
            }
        }
        self.lines.extend(read);
        for step in &self.rule.steps {
            match step {
                Step::Check(expr) => {
                    for part in expr.conjuncts() {
                        let mut condition = self.scope.negated(part);
                        if let Some(term) = part.nonzero().and_then(|var| self.rule.var_term(var)) {
                            condition += &format!(" && !s.is_told_nonzero({})", self.param(term));
                        }
                        self.refuse(&condition);
                    }
                }
                Step::Compute(var, expr) => {
                    let value = self.scope.expr(expr);
                    let name = self.scope.var_name(*var);
                    self.line(format!("let {name} = {value};"));
                }
            }
        }
    }

    /// Asks whether the rule speaks of the types at hand; last, since nearly all programs have no others.
    fn bounds(&mut self) {
        for var in self.rule.bounded_types() {
            let ty = match uses_type(self.rule, var) {
                true => self.scope.type_name(var),
                false => self.ty_of(self.rule.types[var].witness),
            };
            self.refuse(&format!("!is_spoken_of({ty})"));
        }
    }

    fn result(&mut self) {
        let rule = constant_name(&self.rule.name);
        let builds =
            self.rule.target_terms().iter().any(|&t| matches!(self.rule.terms[t].kind, NodeKind::Op(..)));
        let plan = if builds {
            self.line("let mut plan = Plan::new();");
            "plan"
        } else {
            "plan: Plan::new()"
        };
        let mut built = Vec::new();
        let outcome = match self.rule.target {
            Target::Pass => "Outcome::Pass".to_string(),
            Target::Fail => "Outcome::Fail".to_string(),
            Target::Value(term) => {
                let value = self.operand(term, &mut built);
                if self.rule.is_guard() {
                    // The operation is the last of the plan; its place is not used.
                    "Outcome::Guard".to_string()
                } else {
                    format!("Outcome::Value({value})")
                }
            }
            Target::Pair(first, second) => {
                let (first, second) = (self.operand(first, &mut built), self.operand(second, &mut built));
                format!("Outcome::Pair({first}, {second})")
            }
        };
        self.line(format!("Some(Rewrite {{ rule: rule(names::{rule}), {plan}, outcome: {outcome} }})"));
    }

    fn operand(&mut self, term: TermId, built: &mut Vec<(TermId, String)>) -> String {
        let node = &self.rule.terms[term];
        match &node.kind {
            NodeKind::Var(var) => match self.rule.var_term(*var) {
                Some(term) => format!("Operand::Value({})", self.param(term)),
                None => {
                    let kind = if self.scope.is_float(node.ty) { "Real" } else { "Int" };
                    format!("Operand::Const(Const::{kind}({}))", self.scope.var_name(*var))
                }
            },
            NodeKind::Literal(Literal::Float(value)) => {
                format!("Operand::Const(Const::Real({}))", self.scope.float(*value, node.ty))
            }
            NodeKind::Literal(literal) => {
                format!("Operand::Const(Const::Int({}))", self.scope.integer(*literal, node.ty))
            }
            NodeKind::Reuse(term) => {
                format!("Operand::Value({})", self.param(*term))
            }
            NodeKind::Op(op, args) => {
                if let Some((_, name)) =
                    built.iter().find(|(other, _)| cost::same_built(self.rule, *other, term))
                {
                    return name.clone();
                }
                let args: Vec<String> = args.clone().iter().map(|&arg| self.operand(arg, built)).collect();
                let ty = match node.ty {
                    Ty::Known(ty) => type_text(ty),
                    Ty::Var(var) => self.scope.type_name(var),
                };
                let is_root_guard = self.rule.is_guard();
                let push = format!("plan.push(Op::{}, {ty}, &[{}]);", variant(*op), args.join(", "));
                let name = format!("new{}", built.len() + 1);
                if is_root_guard && matches!(self.rule.target, Target::Value(root) if root == term) {
                    self.line(push);
                } else {
                    self.line(format!("let {name} = {push}"));
                }
                built.push((term, name.clone()));
                name
            }
        }
    }
}

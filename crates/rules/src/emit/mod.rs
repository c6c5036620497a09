//! Rules as readable Rust: decision trees as nested matches, rules as functions.
//!
//! One file for each root. A file has one function for the root, functions for the parts of its tree
//! that several branches share, and one function for each rule, which returns a rewrite or `None`. The
//! text is the same for the same rules, so a test can say whether the committed files are fresh; it is
//! laid out as `rustfmt` does it by running `rustfmt` over it where it is written.

mod expr;
mod names;
mod row;

use std::fmt::Write;

use planish_base::{Arena, Id};
use planish_ops::Op;

use self::names::{constant_name, module_name, variant};
use crate::interpret::path_name;
use crate::order::Priority;
use crate::rows::{OccId, Place};
use crate::rule::{Rule, RuleId};
use crate::set::RuleSet;
use crate::tree::{Decision, Tree, TreeId};

/// A generated file.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct GeneratedFile {
    /// Its name, as in `add.rs`.
    pub name: String,
    /// Its text.
    pub text: String,
}

/// Every generated file of a set: one for each root, the list of rules, and the module that holds them.
///
/// Panics if a tree is kept as factors, which is an error where a book is judged.
pub fn files(set: &RuleSet) -> Vec<GeneratedFile> {
    let mut files = Vec::new();
    let mut modules = String::new();
    for (suffix, explore) in [("", false), ("_explore", true)] {
        let mut arms = String::new();
        for decision in set.all_decisions(explore) {
            let name = format!("{}{suffix}", decision.matrix.op);
            let module = module_name(&name);
            let _ = writeln!(modules, "mod {module};");
            let _ = writeln!(
                arms,
                "        Op::{} => {module}::root(s, root, found),",
                variant(decision.matrix.op)
            );
            files.push(GeneratedFile {
                name: format!("{module}.rs"),
                text: root_file(set, decision, explore),
            });
        }
        let what = if explore { "marked `explore`" } else { "of the book" };
        let function = if explore { "explore" } else { "search" };
        if arms.is_empty() {
            continue;
        }
        let _ = writeln!(
            modules,
            "\n/// Hands every rewrite of `root` by the rules {what} to `found`, until it says stop.\n\
             pub fn {function}<S: Subject>(\n    s: &S,\n    root: &Root<'_, S::Value>,\n    \
             found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,\n) -> Flow {{\n    match root.op {{\n{arms}        \
             _ => Flow::Continue(()),\n    }}\n}}"
        );
    }
    let header = "//! The book as Rust. Generated from `rules/*.rules`; a test says when it is stale and how to\n\
                  //! renew it.\n\nuse planish_ops::Op;\n\
                  use planish_rules::matching::{Flow, Rewrite, Root, Subject};\n\n";
    // Modules first, then the functions.
    let (mods, rest): (Vec<&str>, Vec<&str>) = modules.lines().partition(|line| line.starts_with("mod "));
    let mut mods = mods;
    mods.push("pub mod names;");
    mods.push("pub mod text;");
    mods.sort_by_key(|line| line.trim_start_matches("pub ").to_string());
    let text = format!("{header}{}\n{}\n", mods.join("\n"), rest.join("\n"));
    files.push(GeneratedFile { name: "mod.rs".to_string(), text });
    files.push(GeneratedFile { name: "names.rs".to_string(), text: names_file(set) });
    files.push(GeneratedFile { name: "text.rs".to_string(), text: text_file(set) });
    files
}

/// The text of the book, as part of the program.
fn text_file(set: &RuleSet) -> String {
    let mut text = String::from(
        "//! The text of the book, in the order in which its rules are numbered.\n\n\
         /// The files of `rules/`, each with its name and its text.\npub static FILES: &[(&str, &str)] = &[\n",
    );
    for file in &set.files {
        let name = file.name();
        let _ = writeln!(text, "    ({name:?}, include_str!(\"../../../../{name}\")),");
    }
    text.push_str("];\n");
    text
}

fn names_file(set: &RuleSet) -> String {
    let mut text = String::from(
        "//! The number of each rule, and what a reader wants to know of it.\n\n\
         use planish_base::Id;\nuse planish_rules::RuleId;\nuse planish_rules::info::RuleInfo;\n\n",
    );
    let _ = writeln!(
        text,
        "/// A rule by its position in [`RULES`].\npub(super) fn rule(index: usize) -> RuleId {{\n    RuleId::from_index(index)\n}}\n"
    );
    for (id, rule) in set.rules.iter() {
        let _ = writeln!(text, "pub(super) const {}: usize = {};", constant_name(&rule.name), id.index());
    }
    let _ = writeln!(
        text,
        "\n/// Every rule, by its number.\npub static RULES: [RuleInfo; {}] = [",
        set.rules.len()
    );
    for rule in set.rules.values() {
        let _ = writeln!(
            text,
            "    RuleInfo {{ name: {:?}, file: {:?}, line: {}, root: planish_ops::Op::{}, explore: {}, pays: {}, tags: &{:?} }},",
            rule.name,
            rule.file,
            rule.line,
            variant(rule.root()),
            rule.marks.explore,
            rule.marks.pays,
            rule.marks.tags
        );
    }
    text.push_str("];\n");
    text
}

fn root_file(set: &RuleSet, decision: &Decision, explore: bool) -> String {
    let op = decision.matrix.op;
    let mut out = Emitter {
        rules: &set.rules,
        decision,
        text: String::new(),
        functions: vec![None; decision.trees.len()],
        depth: 1,
    };
    out.number_functions();
    let what = if explore { "Rules marked `explore`" } else { "Rules" };
    let mut file =
        format!("//! {what} whose pattern begins with `{op}`, in the order in which they are tried:\n//!\n");
    let mut seen: Vec<RuleId> = Vec::new();
    for row in decision.matrix.rows.values() {
        if !seen.contains(&row.rule) {
            seen.push(row.rule);
            let _ = writeln!(file, "//! - {}", set.rules[row.rule].name);
        }
    }
    file.push_str("//!\n//! Generated from `rules/*.rules`.\n\n");
    // The imports are those that the body uses.
    let mut body = out.root();
    let needed: Vec<TreeId> = decision.trees.ids().filter(|t| out.functions[t.index()].is_some()).collect();
    for tree in needed {
        body.push_str(&out.shared(tree));
    }
    let reachable = decision.reachable();
    for rule in seen {
        if reachable.contains(&rule) {
            body.push_str(&row::function(&set.rules[rule]));
        }
    }
    file.push_str(&imports(&body));
    file.push_str(&body);
    file
}

/// The imports of the names that a text uses.
fn imports(body: &str) -> String {
    let code: Vec<&str> = body.lines().filter(|line| !line.trim_start().starts_with("//")).collect();
    let body = code.join("\n");
    let uses = |name: &str| {
        body.match_indices(name).any(|(at, _)| {
            let before = body[..at].chars().next_back();
            let after = body[at + name.len()..].chars().next();
            let part = |c: Option<char>| c.is_some_and(|c| c.is_alphanumeric() || c == '_');
            !part(before) && !part(after)
        })
    };
    // Methods of traits are used without naming the trait.
    let float_methods = body.contains("Machine.f_");
    let bit_methods = body.replace("Machine.f_", "").contains("Machine.");
    let uses = |name: &str| match name {
        "Bits" => bit_methods,
        "Floats" => float_methods,
        "Int" => body.contains("Int::new"),
        _ => uses(name),
    };
    let mut text = String::new();
    let group = |path: &str, names: &[&str]| {
        let used: Vec<&str> = names.iter().copied().filter(|name| uses(name)).collect();
        match used.as_slice() {
            [] => String::new(),
            [one] => format!("use {path}::{one};\n"),
            many => format!("use {path}::{{{}}};\n", many.join(", ")),
        }
    };
    text.push_str(&group("planish_domain", &["IntFact"]));
    text.push_str(&group("planish_ops", &["Bits", "Floats", "Int", "Machine", "Op", "Type"]));
    text.push_str(&group(
        "planish_rules::functions",
        &["FloatFunction", "FloatTest", "Resize", "WordFunction", "WordTest"],
    ));
    text.push_str(&group("planish_rules", &["guess"]));
    text.push_str(&group("planish_rules::speaks", &["is_spoken_of"]));
    text.push_str(&group(
        "planish_rules::matching",
        &[
            "Const",
            "Flow",
            "Operand",
            "Outcome",
            "Plan",
            "Rewrite",
            "Root",
            "Subject",
            "constant_last",
            "float",
            "floor_div",
            "floor_mod",
            "int",
            "integer",
            "nodes",
            "offer",
            "operands2",
            "real",
            "same",
            "shl",
            "shr",
            "size_word",
            "unsigned_div",
            "unsigned_mod",
            "ushr",
        ],
    ));
    text.push_str("\nuse super::names::{self, rule};\n\n");
    text
}

struct Emitter<'a> {
    rules: &'a Arena<RuleId, Rule>,
    decision: &'a Decision,
    text: String,
    /// The number of the function of each tree that has one of its own.
    functions: Vec<Option<usize>>,
    depth: usize,
}

impl Emitter<'_> {
    /// Trees that several branches share, and that are more than one call, become functions.
    fn number_functions(&mut self) {
        let mut parents = vec![0usize; self.decision.trees.len()];
        for tree in self.decision.trees.values() {
            for child in tree.children() {
                parents[child.index()] += 1;
            }
        }
        let mut next = 1;
        for (id, tree) in self.decision.trees.iter() {
            let large = match tree {
                Tree::Leaf(rows) => rows.len() > 2,
                Tree::Switch { .. } | Tree::Then(..) | Tree::Both(..) => true,
            };
            if large && parents[id.index()] > 1 && id != self.decision.start {
                self.functions[id.index()] = Some(next);
                next += 1;
            }
        }
    }

    fn line(&mut self, text: &str) {
        for _ in 0..self.depth {
            self.text.push_str("    ");
        }
        self.text.push_str(text);
        self.text.push('\n');
    }

    fn root(&mut self) -> String {
        let op = self.decision.matrix.op;
        self.text = format!(
            "/// Hands every rewrite of a `{op}` to `found`, until it says stop.\n\
             pub fn root<S: Subject>(\n    s: &S,\n    root: &Root<'_, S::Value>,\n    \
             found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,\n) -> Flow {{\n"
        );
        let used = self.free(self.decision.start);
        let count = op.row().operands.len();
        let names: Vec<String> = (0..count)
            .map(|i| {
                let at = self
                    .decision
                    .matrix
                    .places
                    .iter()
                    .find(|(_, p)| **p == Place::Root(i as u8))
                    .map(|p| p.0);
                match at {
                    Some(at) if used.contains(&at) => self.name(at),
                    _ => "_".to_string(),
                }
            })
            .collect();
        if count == 2 && op.row().algebra.commutative {
            self.line(&format!(
                "let [{}] = constant_last(s, [root.args[0], root.args[1]]);",
                names.join(", ")
            ));
        } else {
            for (i, name) in names.iter().enumerate().filter(|(_, name)| *name != "_") {
                self.line(&format!("let {name} = root.args[{i}];"));
            }
        }
        self.tree(self.decision.start);
        self.line("Flow::Continue(())");
        self.text.push_str("}\n\n");
        std::mem::take(&mut self.text)
    }

    /// A part of the tree as a function of the values that it looks at.
    fn shared(&mut self, tree: TreeId) -> String {
        let number = self.functions[tree.index()].expect("only shared trees are asked for");
        let params: Vec<String> =
            self.free(tree).iter().map(|&at| format!("{}: S::Value", self.name(at))).collect();
        self.text = format!(
            "fn part{number}<S: Subject>(\n    s: &S,\n    root: &Root<'_, S::Value>,\n    \
             found: &mut impl FnMut(Rewrite<S::Value>) -> Flow,\n    {},\n) -> Flow {{\n",
            params.join(",\n    ")
        );
        self.node(tree);
        self.line("Flow::Continue(())");
        self.text.push_str("}\n\n");
        std::mem::take(&mut self.text)
    }

    fn tree(&mut self, tree: TreeId) {
        match self.functions[tree.index()] {
            Some(number) => {
                let args: Vec<String> = self.free(tree).iter().map(|&at| self.name(at)).collect();
                self.line(&format!("part{number}(s, root, found, {})?;", args.join(", ")));
            }
            None => self.node(tree),
        }
    }

    fn is_empty(&self, tree: TreeId) -> bool {
        matches!(&self.decision.trees[tree], Tree::Leaf(rows) if rows.is_empty())
    }

    fn node(&mut self, tree: TreeId) {
        match self.decision.trees[tree].clone() {
            Tree::Leaf(rows) => {
                for row in rows {
                    let call = row::call(self.rules, &self.decision.matrix, row, &|at| self.name(at));
                    self.line(&format!("offer(found, {call})?;"));
                }
            }
            Tree::Switch { at, integers, constant, ops, other } => {
                self.switch(at, &integers, constant, &ops, other);
            }
            Tree::Then(first, second) => {
                self.tree(first);
                self.tree(second);
            }
            Tree::Both(..) => unreachable!("a book whose trees are kept as factors has errors"),
        }
    }

    fn switch(
        &mut self,
        at: OccId,
        integers: &[(i128, TreeId)],
        constant: TreeId,
        ops: &[(Op, TreeId)],
        other: TreeId,
    ) {
        let name = self.name(at);
        if ops.is_empty() && self.is_empty(constant) && self.is_empty(other) {
            return self.integers(&name, integers);
        }
        // Constants that are treated like everything else need no test of their own.
        let plain = integers.is_empty() && constant == other;
        if !plain {
            if integers.is_empty() {
                self.line(&format!("if s.constant({name}).is_some() {{"));
                self.indented(|this| this.tree(constant));
            } else {
                self.line(&format!("if let Some(constant) = s.constant({name}) {{"));
                self.indented(|this| {
                    this.line("match constant {");
                    this.indented(|this| {
                        for &(value, below) in integers {
                            this.line(&format!("Const::Int(i) if i.signed() == {value} => {{"));
                            this.indented(|this| this.tree(below));
                            this.line("}");
                        }
                        this.line("_ => {");
                        this.indented(|this| this.tree(constant));
                        this.line("}");
                    });
                    this.line("}");
                });
            }
            if ops.is_empty() && self.is_empty(other) {
                self.line("}");
                return;
            }
            self.line("} else {");
            self.depth += 1;
        }
        if ops.is_empty() {
            self.tree(other);
        } else {
            self.nodes(at, &name, ops, other);
        }
        if !plain {
            self.depth -= 1;
            self.line("}");
        }
    }

    /// Nothing but certain integers is asked for.
    fn integers(&mut self, name: &str, integers: &[(i128, TreeId)]) {
        if let &[(value, below)] = integers {
            self.line(&format!("if integer(s, {name}) == Some({value}) {{"));
            self.indented(|this| this.tree(below));
        } else {
            self.line(&format!("match integer(s, {name}) {{"));
            self.indented(|this| {
                for &(value, below) in integers {
                    this.line(&format!("Some({value}) => {{"));
                    this.indented(|this| this.tree(below));
                    this.line("}");
                }
                this.line("_ => {}");
            });
        }
        self.line("}");
    }

    fn nodes(&mut self, at: OccId, name: &str, ops: &[(Op, TreeId)], other: TreeId) {
        self.line(&format!("for node in nodes(s, {name}) {{"));
        self.indented(|this| {
            if let ([(op, below)], true) = (ops, this.is_empty(other)) {
                let names = this.operands(at, *op, *below);
                let bound = if names.iter().any(|n| n != "_") { "n" } else { "_" };
                this.line(&format!("if let Some((Op::{}, {bound})) = node {{", variant(*op)));
                this.indented(|this| this.below(*op, *below, &names));
                this.line("}");
                return;
            }
            this.line("match node {");
            this.indented(|this| {
                for &(op, below) in ops {
                    let names = this.operands(at, op, below);
                    let bound = if names.iter().any(|n| n != "_") { "n" } else { "_" };
                    this.line(&format!("Some((Op::{}, {bound})) => {{", variant(op)));
                    this.indented(|this| this.below(op, below, &names));
                    this.line("}");
                }
                if this.is_empty(other) {
                    this.line("_ => {}");
                } else {
                    this.line("_ => {");
                    this.indented(|this| this.tree(other));
                    this.line("}");
                }
            });
            this.line("}");
        });
        self.line("}");
    }

    /// The names of the operands of an operation at an occurrence, `_` for those that nothing asks for.
    fn operands(&self, at: OccId, op: Op, below: TreeId) -> Vec<String> {
        let used = self.free(below);
        (0..op.row().operands.len())
            .map(|i| {
                let place = Place::Below(at, op, i as u8);
                let occ = self.decision.matrix.places.iter().find(|(_, p)| **p == place).map(|p| p.0);
                match occ {
                    Some(occ) if used.contains(&occ) => self.name(occ),
                    _ => "_".to_string(),
                }
            })
            .collect()
    }

    /// What follows once an operation is found.
    fn below(&mut self, op: Op, below: TreeId, names: &[String]) {
        let any = names.iter().any(|n| n != "_");
        if any && op.row().operands.len() == 2 {
            self.line(&format!("let [{}] = operands2(s, n);", names.join(", ")));
        } else if any {
            for (i, operand) in names.iter().enumerate().filter(|(_, n)| *n != "_") {
                self.line(&format!("let {operand} = s.operand(n, {i});"));
            }
        }
        self.tree(below);
    }

    fn indented(&mut self, body: impl FnOnce(&mut Self)) {
        self.depth += 1;
        body(self);
        self.depth -= 1;
    }

    fn name(&self, at: OccId) -> String {
        path_name(&self.decision.matrix, at)
    }

    /// The occurrences that a tree looks at and does not bind itself, in order.
    fn free(&self, tree: TreeId) -> Vec<OccId> {
        let mut found = Vec::new();
        self.collect(tree, &mut found);
        found.sort();
        found.dedup();
        found
    }

    fn collect(&self, tree: TreeId, found: &mut Vec<OccId>) {
        match &self.decision.trees[tree] {
            Tree::Leaf(rows) => {
                for &row in rows {
                    found.extend(row::places(self.rules, &self.decision.matrix, row));
                }
            }
            Tree::Then(first, second) | Tree::Both(first, second) => {
                self.collect(*first, found);
                self.collect(*second, found);
            }
            Tree::Switch { at, integers, constant, ops, other } => {
                found.push(*at);
                for below in integers.iter().map(|i| i.1).chain([*constant, *other]) {
                    self.collect(below, found);
                }
                for &(op, below) in ops {
                    let mut inner = Vec::new();
                    self.collect(below, &mut inner);
                    inner.retain(|&occ| {
                        !matches!(self.decision.matrix.places[occ],
                        Place::Below(above, of, _) if above == *at && of == op)
                    });
                    found.extend(inner);
                }
            }
        }
    }
}

/// The order in which the rules of one root are tried, for people.
pub fn tried_order(set: &RuleSet, op: Op) -> Vec<RuleId> {
    let mut ids: Vec<(Priority, RuleId)> = set
        .rules
        .iter()
        .filter(|(_, rule)| rule.root() == op && !rule.marks.explore)
        .map(|(id, rule)| (Priority::of(rule), id))
        .collect();
    ids.sort();
    ids.into_iter().map(|pair| pair.1).collect()
}

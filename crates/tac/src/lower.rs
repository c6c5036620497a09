//! From SSA to the three-address language.
//!
//! Each function becomes a draft (values share variables, block parameters are assigned on edges), and
//! each step of it a statement. Operations that the published language lacks are expanded
//! ([`expand`](mod@planish_ir::expand)) unless the extension is allowed; a branch on what is not known to
//! be 0 or 1 compares first; a switch whose keys are not 0, 1, 2 ... is a search by comparisons with
//! tables at its leaves.
//!
//! A block that falls through needs no `goto`, and one that nothing goes to needs no label:
//! the last step, in `layout`.

use planish_base::{Id, SideTable};
use planish_ir::destruct::{NoDraft, destruct};
use planish_ir::draft::{self, Draft, End, Node, Step, Variable};
use planish_ir::expand::{Expander, expand};
use planish_ir::operators::is_word_operation;
use planish_ir::truth::is_truth;
use planish_ir::{Const, Function as SsaFunction, Module, References, Symbol, Terminator};
use planish_ops::world::World;
use planish_ops::{Op, Type};

use crate::ast::{Action, Function, Name, Operand, Program};
use crate::layout::{Line, Place, arrange};
use crate::legal;
use crate::lift::MAIN;

/// How to lower.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Options {
    /// The width of a word in bits.
    pub width: u8,
    /// Whether operations outside of the published language may be written.
    pub extended: bool,
    /// Whether the only function of a program has its name written, where nothing calls it.
    pub named: bool,
}

impl Default for Options {
    fn default() -> Self {
        Options { width: 64, extended: false, named: false }
    }
}

/// Lowers a module. The errors say what has no form in the language, one for each function.
pub fn lower(module: &Module, options: Options) -> Result<Program, Vec<String>> {
    let mut program = Program::default();
    let mut named = SideTable::new();
    let mut errors = Vec::new();
    for function in module.functions.values() {
        if std::mem::replace(&mut named[program.names.intern(word(&function.name))], true) {
            errors.push(format!("function {}: another one has this name as a word", function.name));
        }
    }
    for function in module.functions.values() {
        match lower_function(module, function, options, &named, &mut program) {
            Ok(function) => program.functions.push(function),
            Err(error) => errors.push(format!("function {}: {error}", function.name)),
        }
    }
    if errors.is_empty() { Ok(program) } else { Err(errors) }
}

fn lower_function(
    module: &Module,
    function: &SsaFunction,
    options: Options,
    named: &SideTable<Name, bool>,
    program: &mut Program,
) -> Result<Function, String> {
    let destructed = destruct(function).map_err(|error| match error {
        NoDraft::Exit(inst) => format!("`{}` leaves through a side exit", function.inst(inst).op),
        NoDraft::Throw(_) => "a block throws an exception".to_owned(),
    })?;
    let draft = destructed.draft;
    for variable in draft.variables.values() {
        if ![Type::Int(options.width), Type::I1, Type::State, Type::Ref].contains(&variable.ty) {
            return Err(format!(
                "a value of the type {} is not a word of {} bits",
                variable.ty, options.width
            ));
        }
    }
    let mut truths = vec![false; draft.nodes.len()];
    for &block in function.blocks() {
        if let Some(node) = destructed.nodes[block.index()]
            && let Terminator::Branch { condition, .. } = function.terminator(block)
        {
            truths[node.index()] = is_truth(function, *condition);
        }
    }
    let mut lowerer = Lowerer {
        module,
        draft: &draft,
        options,
        functions: named,
        program,
        lines: Vec::new(),
        variables: vec![None; draft.variables.len()],
        named: 0,
        temporaries: SideTable::new(),
        truths: SideTable::new(),
        places: draft.nodes.len() as u32,
    };
    let params: Vec<Name> = draft.params.iter().map(|&param| lowerer.variable(param)).collect();
    for node in order(&draft, destructed.nodes.iter().flatten().count()) {
        lowerer.node(node, truths[node.index()])?;
    }
    let lines = lowerer.lines;
    let statements = arrange(lines, program, |place| {
        draft.nodes.get(Node::from_index(place as usize)).map_or("", |node| node.name.as_str())
    });
    // A function that nothing calls needs no name when it is alone.
    let is_alone = module.functions.len() == 1
        && !function.live_insts().any(|(_, inst)| function.inst(inst).op == Op::Call)
        && References::new(module).within(function).is_empty();
    let has_name = !is_alone || (options.named || options.extended) && function.name != MAIN;
    let name = has_name.then(|| program.names.intern(word(&function.name)));
    Ok(Function { name, params, statements, span: Default::default() })
}

/// The name of a function. One with blanks in it would be several tokens.
fn word(name: &str) -> String {
    name.split_whitespace().collect::<Vec<_>>().join("_")
}

/// The nodes of blocks in order, each followed by the nodes of edges that leave it.
fn order(draft: &Draft, blocks: usize) -> Vec<Node> {
    let mut order = Vec::with_capacity(draft.nodes.len());
    for node in draft.nodes.ids().take(blocks) {
        order.push(node);
        order.extend(draft.nodes[node].end.targets().filter(|target| target.index() >= blocks));
    }
    order
}

struct Lowerer<'a> {
    module: &'a Module,
    draft: &'a Draft,
    options: Options,
    program: &'a mut Program,
    lines: Vec<Line>,
    variables: Vec<Option<Name>>,
    /// The names of functions.
    functions: &'a SideTable<Name, bool>,
    /// How many variables have names.
    named: usize,
    /// Names that stand for the value of one statement and no variable.
    temporaries: SideTable<Name, bool>,
    /// Temporaries that hold 0 or 1.
    truths: SideTable<Name, bool>,
    /// The number of places that have been handed out; the first are the nodes.
    places: Place,
}

impl Lowerer<'_> {
    fn fresh(&mut self) -> Name {
        // What is called like a function would be one.
        let name = loop {
            let name = self.program.names.intern(format!("v{}", self.named));
            self.named += 1;
            if !self.functions[name] {
                break name;
            }
        };
        // Another function may have used the name.
        (self.temporaries[name], self.truths[name]) = (false, false);
        name
    }

    fn variable(&mut self, variable: Variable) -> Name {
        if let Some(name) = self.variables[variable.index()] {
            return name;
        }
        let name = self.fresh();
        *self.variables[variable.index()].insert(name)
    }

    fn operand(&mut self, operand: draft::Operand) -> Result<Operand, String> {
        Ok(match operand {
            draft::Operand::Var(variable) => Operand::Variable(self.variable(variable)),
            draft::Operand::Const(Const::Int(int)) if int.ty() == Type::I1 => {
                Operand::Number(int.unsigned() as i64)
            }
            draft::Operand::Const(Const::Int(int)) => Operand::Number(int.signed()),
            draft::Operand::Const(Const::Hole | Const::Null) => Operand::Number(0),
            draft::Operand::Const(Const::Symbol(symbol, Type::Ref))
                if let Some(name) = self.function(symbol) =>
            {
                Operand::Variable(name)
            }
            draft::Operand::Const(other) => {
                return Err(format!("a constant of the type {} is not a word", other.ty()));
            }
        })
    }

    /// The name of the function of the module to which a symbol refers.
    fn function(&mut self, symbol: Symbol) -> Option<Name> {
        let name = self.module.symbols.get(symbol);
        self.module.find(name)?;
        Some(self.program.names.intern(word(name)))
    }

    /// A variable with a value. One with the reference to a function is not the function: a call of that has all of its
    /// results.
    fn held(&mut self, value: Operand) -> Name {
        match value {
            Operand::Variable(name) if !self.functions[name] => name,
            value => {
                let to = self.fresh();
                self.push(Action::Move { from: value, to });
                to
            }
        }
    }

    fn operands(&mut self, operands: &[draft::Operand]) -> Result<Vec<Operand>, String> {
        operands.iter().map(|&operand| self.operand(operand)).collect()
    }

    fn ty(&self, operand: draft::Operand) -> Type {
        match operand {
            draft::Operand::Var(variable) => self.draft.variables[variable].ty,
            draft::Operand::Const(constant) => constant.ty(),
        }
    }

    fn push(&mut self, action: Action) {
        self.lines.push(Line::Action(action));
    }

    fn node(&mut self, node: Node, truth: bool) -> Result<(), String> {
        let draft = self.draft;
        self.lines.push(Line::Label(node.index() as Place));
        for step in &draft.nodes[node].steps {
            match step {
                Step::Move { to, from } => {
                    let (from, to) = (self.operand(*from)?, self.variable(*to));
                    self.push(Action::Move { from, to });
                }
                Step::Op { op: op @ (Op::Call | Op::CallRef), args, results, descr } => {
                    let mut args = self.operands(draft.args(*args))?;
                    let callee = match op {
                        Op::CallRef => self.held(args.remove(0)),
                        _ => {
                            let callee =
                                self.module.descriptors.name(descr.ok_or("a call names no function")?);
                            if self.module.find(callee).is_none() {
                                return Err(format!(
                                    "`{callee}` is called, which is no function of the program"
                                ));
                            }
                            self.program.names.intern(word(callee))
                        }
                    };
                    let results =
                        draft.results(*results).iter().map(|&result| self.variable(result)).collect();
                    self.push(Action::Call { callee, args, results });
                }
                Step::Op { op, args, results, .. } => {
                    self.step(*op, draft.args(*args), draft.results(*results))?
                }
            }
        }
        match &draft.nodes[node].end {
            End::Goto(target) => self.lines.push(Line::Goto(target.index() as Place)),
            End::Return(results) => {
                let results = self.operands(results)?;
                self.push(Action::Return(results));
            }
            End::Unreachable => {
                let results = vec![Operand::Number(0); draft.result_types.len()];
                self.push(Action::Return(results));
            }
            End::Branch { condition, then, other } => {
                let condition = self.operand(*condition)?;
                let (then, other) = (then.index() as Place, other.index() as Place);
                match condition {
                    Operand::Number(number) => {
                        self.two_way(Operand::Number(i64::from(number != 0)), other, then)
                    }
                    _ if truth => self.two_way(condition, other, then),
                    _ => {
                        let zero = self.write(Op::IsZero, &[condition]);
                        self.two_way(zero, then, other);
                    }
                }
            }
            End::Switch { on, cases, default } => {
                let on = self.operand(*on)?;
                let mut keyed: Vec<(i64, Place)> =
                    cases.iter().map(|(key, node)| (key.signed(), node.index() as Place)).collect();
                keyed.sort_unstable();
                let nowhere = &draft.nodes[*default];
                let reached = nowhere.end != End::Unreachable || !nowhere.steps.is_empty();
                self.search(on, &keyed, reached.then_some(default.index() as Place));
            }
        }
        Ok(())
    }

    /// Goes to the second place where a value, which is 0 or 1, is 1.
    fn two_way(&mut self, on: Operand, zero: Place, one: Place) {
        self.lines.push(Line::Switch(on, vec![zero, one]));
    }

    fn step(&mut self, op: Op, args: &[draft::Operand], results: &[Variable]) -> Result<(), String> {
        let &[result] = results else {
            return Err(format!("`{op}` has {} results, which a statement has not", results.len()));
        };
        let types: Vec<Type> = args.iter().map(|&arg| self.ty(arg)).collect();
        let args = self.operands(args)?;
        let ty = self.draft.variables[result].ty;
        let Some(value) = expand(self, op, &args, &types, ty) else {
            return Err(no_form(op));
        };
        // The last statement of an expansion writes its value: let it write the variable.
        if let Some(Line::Action(Action::Op { result: Some(last), .. })) = self.lines.last_mut()
            && Operand::Variable(*last) == value
            && self.temporaries[*last]
        {
            match self.variables[result.index()] {
                Some(name) => {
                    // The temporary was the last name made: the next one takes it.
                    *last = name;
                    self.named -= 1;
                }
                None => {
                    self.temporaries[*last] = false;
                    self.variables[result.index()] = Some(*last);
                }
            }
        } else {
            let to = self.variable(result);
            self.push(Action::Move { from: value, to });
        }
        Ok(())
    }

    /// Goes to the place whose key a value equals. Keys are in order; without a default, one is equal.
    fn search(&mut self, on: Operand, cases: &[(i64, Place)], default: Option<Place>) {
        let count = cases.len() as i64;
        let (first, last) = match cases {
            [] => {
                // Not even one key: nothing reaches this, or everything goes to the default.
                let results = vec![Operand::Number(0); self.draft.result_types.len()];
                return match default {
                    Some(default) => self.lines.push(Line::Goto(default)),
                    None => self.push(Action::Return(results)),
                };
            }
            [(_, only)] if default.is_none() => return self.lines.push(Line::Goto(*only)),
            [first, ..] => (first.0, cases[cases.len() - 1].0),
        };
        let dense = last.checked_sub(first) == Some(count - 1);
        let places = || cases.iter().map(|(_, place)| *place).collect();
        if dense && (default.is_none() || count > 3) {
            let index = if first == 0 {
                on
            } else {
                self.write_op(Op::Add, &[on, Operand::Number(first.wrapping_neg())])
            };
            if let Some(default) = default {
                let below = self.write_op(Op::Ult, &[index, Operand::Number(count)]);
                let table = self.place();
                self.two_way(below, default, table);
                self.lines.push(Line::Label(table));
            }
            self.lines.push(Line::Switch(index, places()));
        } else if count <= 3 {
            let (key, place) = cases[0];
            let equal = match key {
                0 => self.write_op(Op::IsZero, &[on]),
                _ => self.write_op(Op::Eq, &[on, Operand::Number(key)]),
            };
            let rest = self.place();
            self.two_way(equal, rest, place);
            self.lines.push(Line::Label(rest));
            self.search(on, &cases[1..], default);
        } else {
            let (left, right) = cases.split_at(cases.len() / 2);
            let below = self.write_op(Op::Gt, &[Operand::Number(right[0].0), on]);
            let (low, high) = (self.place(), self.place());
            self.two_way(below, high, low);
            self.lines.push(Line::Label(low));
            self.search(on, left, default);
            self.lines.push(Line::Label(high));
            self.search(on, right, default);
        }
    }

    fn place(&mut self) -> Place {
        self.places += 1;
        self.places - 1
    }

    /// An operation on words that the language has, or that can be expanded.
    fn write_op(&mut self, op: Op, args: &[Operand]) -> Operand {
        let word = Type::Int(self.options.width);
        let value = expand(self, op, args, &vec![word; args.len()], word);
        value.expect("sums and comparisons can be written")
    }
}

impl Expander for Lowerer<'_> {
    type Value = Operand;

    fn width(&self) -> u32 {
        self.options.width.into()
    }

    fn legal(&self, op: Op) -> bool {
        legal::OPERATORS.may_write(op, self.options.extended)
    }

    fn constant(&mut self, value: i64) -> Operand {
        Operand::Number(value)
    }

    fn as_constant(&self, value: Operand) -> Option<i64> {
        match value {
            Operand::Number(number) => Some(number),
            Operand::Variable(_) => None,
        }
    }

    fn write(&mut self, op: Op, args: &[Operand]) -> Operand {
        let result = self.fresh();
        (self.temporaries[result], self.truths[result]) = (true, op.row().truth);
        self.push(Action::Op { op, args: args.to_vec(), result: Some(result) });
        Operand::Variable(result)
    }

    fn is_truth(&self, value: Operand) -> bool {
        match value {
            Operand::Number(number) => matches!(number, 0 | 1),
            Operand::Variable(name) => self.truths[name],
        }
    }
}

/// Says that an operation cannot be written: with the extension either, where it is none of words.
fn no_form(op: Op) -> String {
    match is_word_operation(op) {
        true => format!("`{op}` has no form in the published language; `--extended` writes it as it is"),
        false => format!("`{op}` has no form in the three-address language"),
    }
}

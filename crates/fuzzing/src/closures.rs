//! Random programs of regions whose values are functions: given, returned, chosen, carried around loops, made with values that
//! are known only at run time, with functions among those, and calling themselves.
//!
//! Everything has a type, a word or a function of words and functions, so that most programs mean something. With bodies for all calls
//! nothing of this is left, which is what every other form is held against: with calls and closures carried along, optimized by
//! both engines, as statements and as SSA.

use arbitrary::{Result, Unstructured};
use planish_base::{Diagnostics, SourceText};
use planish_driver::validate::{Checked, functions};
use planish_driver::{Dialect, EngineChoice, Reading, Session, Settings, Writing};
use planish_interp::Program;
use planish_ir::{Form, Module};
use planish_rvsdg::lift::{self, lift};

/// How many inputs each program is tried on.
const INPUTS: u64 = 12;

/// The type of a term: a word, or a function of inputs of some types. Each function has one output of the type inside.
#[derive(Clone, PartialEq, Debug)]
enum Type {
    Word,
    Function(Vec<Type>, Box<Type>),
}

impl Type {
    /// A function of words.
    fn of_words(inputs: u32) -> Type {
        Type::Function(vec![Type::Word; inputs as usize], Box::new(Type::Word))
    }
}

struct Maker<'a, 'd> {
    u: &'a mut Unstructured<'d>,
    /// How many terms may still be made that are no leaves.
    left: u32,
}

impl Maker<'_, '_> {
    fn ty(&mut self) -> Result<Type> {
        let inputs = self.inputs_of_a_function()?;
        let inner = if self.u.ratio(1, 6)? { Type::of_words(1) } else { Type::Word };
        Ok(Type::Function(inputs, Box::new(inner)))
    }

    fn inputs_of_a_function(&mut self) -> Result<Vec<Type>> {
        let mut inputs = Vec::new();
        for _ in 0..self.u.int_in_range(1..=2)? {
            inputs.push(if self.u.ratio(1, 5)? { Type::of_words(1) } else { Type::Word });
        }
        Ok(inputs)
    }

    /// An argument of a type, if there is one.
    fn argument(&mut self, scope: &[Type], ty: &Type) -> Result<Option<String>> {
        let fit: Vec<usize> = (0..scope.len()).filter(|&index| scope[index] == *ty).collect();
        if fit.is_empty() {
            return Ok(None);
        }
        Ok(Some(format!("get-{}", self.u.choose(&fit)?)))
    }

    fn term(&mut self, scope: &[Type], ty: &Type) -> Result<String> {
        if (self.left == 0 || self.u.ratio(1, 5)?)
            && let Some(argument) = self.argument(scope, ty)?
        {
            return Ok(argument);
        }
        if self.left == 0 {
            return Ok(match ty {
                Type::Word => self.u.int_in_range(-3..=9)?.to_string(),
                Type::Function(inputs, result) => {
                    // What it has of the type of its result, so that one text may be functions of several types.
                    let given = inputs.iter().position(|input| input == &**result);
                    let given = given.map(|index| format!("get-{index}"));
                    let body = given.unwrap_or_else(|| match &**result {
                        Type::Word => "5".into(),
                        Type::Function(..) => "(func-1-inputs-1-outputs (* get-0 get-0))".into(),
                    });
                    format!("(func-{}-inputs-1-outputs {body})", inputs.len())
                }
            });
        }
        self.left -= 1;
        match (self.u.int_in_range(0..=9)?, ty) {
            (0, _) => self.choice(scope, ty),
            (1, _) => self.cycle(scope, ty),
            (2..=4, _) => self.call(scope, ty),
            (5, Type::Function(inputs, _)) if *ty == Type::of_words(inputs.len() as u32) => {
                self.recursion(scope, inputs.len() as u32)
            }
            (_, Type::Function(inputs, result)) => self.function(scope, inputs, result),
            (op, Type::Word) => {
                let (x, y) = (self.term(scope, ty)?, self.term(scope, ty)?);
                Ok(match op {
                    5 => format!("(/ {x} (+ (& {y} 3) {}))", self.u.int_in_range(0..=1)?),
                    _ => format!("({} {x} {y})", self.u.choose(&["+", "*", "&", "=", ">", ">>"])?),
                })
            }
        }
    }

    fn choice(&mut self, scope: &[Type], ty: &Type) -> Result<String> {
        let predicate = self.term(scope, &Type::Word)?;
        let (inputs, inside) = self.inputs(scope)?;
        let (one, other) = (self.term(&inside, ty)?, self.term(&inside, ty)?);
        Ok(format!("(get-0 (switch-2-cases-1-outputs (& {predicate} 1) {inputs} {one} {other}))"))
    }

    /// Some arguments of a region, and their types.
    fn inputs(&mut self, scope: &[Type]) -> Result<(String, Vec<Type>)> {
        let (mut inputs, mut types) = (String::new(), Vec::new());
        for _ in 0..self.u.int_in_range(0..=2)? {
            let index = self.u.choose_index(scope.len())?;
            inputs += &format!(" get-{index}");
            types.push(scope[index].clone());
        }
        Ok((inputs, types))
    }

    /// A few rounds of a loop around which a value of the type goes, with another one.
    fn cycle(&mut self, scope: &[Type], ty: &Type) -> Result<String> {
        let rounds = self.term(scope, &Type::Word)?;
        let with = self.u.choose(scope)?.clone();
        let inside = [Type::Word, ty.clone(), with.clone()];
        let (value, other) = (self.term(scope, ty)?, self.term(scope, &with)?);
        let (next, after) = (self.term(&inside, ty)?, self.term(&inside, &with)?);
        Ok(format!("(get-1 (loop (& {rounds} 3) {value} {other} (+ get-0 -1) {next} {after} (> get-0 0)))"))
    }

    fn call(&mut self, scope: &[Type], ty: &Type) -> Result<String> {
        let inputs = self.inputs_of_a_function()?;
        let callee = self.term(scope, &Type::Function(inputs.clone(), Box::new(ty.clone())))?;
        let mut call = format!("(get-0 (call {callee}");
        for input in &inputs {
            call += &format!(" {}", self.term(scope, input)?);
        }
        Ok(call + "))")
    }

    fn function(&mut self, scope: &[Type], inputs: &[Type], result: &Type) -> Result<String> {
        let (constants, types) = self.inputs(scope)?;
        let inside = [inputs.to_vec(), types].concat();
        let body = self.term(&inside, result)?;
        Ok(format!("(func-{}-inputs-1-outputs{constants} {body})", inputs.len()))
    }

    /// A function that calls itself up to five times, with constants of its own.
    fn recursion(&mut self, scope: &[Type], inputs: u32) -> Result<String> {
        let (constants, types) = self.inputs(scope)?;
        let (words, own) = (inputs as usize, types.len());
        // In the region of the `phi`: itself, then its constants. In the function: the inputs, itself, the constants.
        let passed: Vec<String> = (0..=own).map(|index| format!("get-{index}")).collect();
        let inside = [vec![Type::Word; words], vec![Type::of_words(inputs)], types].concat();
        let mut known = inside.clone();
        known[words] = Type::of_words(0);
        let (last, step) = (self.term(&known, &Type::Word)?, self.term(&known, &Type::Word)?);
        let given: Vec<String> = (0..words)
            .map(|index| if index == 0 { "(+ get-0 -1)".into() } else { format!("get-{index}") })
            .collect();
        let all: Vec<String> = (0..inside.len()).map(|index| format!("get-{index}")).collect();
        Ok(format!(
            "(get-0 (phi-1-functions {constants} (func-{inputs}-inputs-1-outputs {} (get-0 (switch-2-cases-1-outputs \
             (& (> get-0 0) (> 6 get-0)) {} {last} (+ {step} (get-0 (call get-{words} {}))))))))",
            passed.join(" "),
            all.join(" "),
            given.join(" "),
        ))
    }
}

/// A random program.
pub(crate) fn program(u: &mut Unstructured<'_>) -> Result<String> {
    let left = u.int_in_range(10..=60)?;
    let mut maker = Maker { u, left };
    let scope = [Type::Word, Type::Word, maker.ty()?];
    let given = maker.term(&scope[..2], &scope[2])?;
    let result = maker.term(&scope, &Type::Word)?;
    // A region that has a function for an argument.
    Ok(format!(
        "(func-2-inputs-1-outputs (get-0 (switch-1-cases-1-outputs 0 get-0 get-1 {given} {result})))\n"
    ))
}

fn opened(text: &str, dialect: Dialect) -> std::result::Result<Session, String> {
    Session::open("p", text.into(), dialect, Reading::default())
}

/// With bodies for all calls, or with calls.
fn lifted(text: &str, functions: bool) -> Option<Module> {
    let source = SourceText::new("p.rvsdg", text);
    let mut diagnostics = Diagnostics::new();
    let program = planish_rvsdg::read(&source, &mut diagnostics);
    let program = program.unwrap_or_else(|| panic!("{}\n{text}", diagnostics.render(&source)));
    lift(&program, lift::Options { functions, ..lift::Options::default() }).ok()
}

fn held(before: &Module, after: &Module, text: &str, what: &str) {
    let [main, other] =
        [before, after].map(|module| &module.functions[module.find("main").expect("it stays")]);
    let (old, new) = (Program::of(before), Program::of(after));
    if let Checked::Different(why) = functions((&old, main), (&new, other), INPUTS, Form::Cfg) {
        // Of several traps in a region it is not said which is first: a division by zero, or a call of what does not fit.
        let are_traps = why.contains("it ends with `trap: ") && why.contains("instead of `trap: ");
        assert!(are_traps, "{why}\n{text}\nbecame\n{what}");
    }
}

/// Makes a program from the data and holds its forms against each other.
pub fn are_carried(u: &mut Unstructured<'_>) -> Result<()> {
    let text = program(u)?;
    let extended = u.ratio(1, 2)?;
    // What has no types is refused.
    let Ok(session) = opened(&text, Dialect::Rvsdg) else { return Ok(()) };
    let source = session.module().expect("regions are a module").clone();
    for functions in [false, true] {
        if let Some(module) = lifted(&text, functions) {
            held(&source, &module, &text, "(other calls)");
        }
    }
    for engine in [EngineChoice::Linear, EngineChoice::Egraph] {
        for dialect in [Dialect::Rvsdg, Dialect::Tac, Dialect::Ssa] {
            let written = |session: &Session, to| {
                let writing = Writing { extended, ..Writing::default() };
                let bytes = session.write(to, writing).unwrap_or_else(|why| panic!("{why}\n{text}"));
                String::from_utf8(bytes).expect("text is UTF-8")
            };
            let there = written(&session, dialect);
            let mut other = opened(&there, dialect).unwrap_or_else(|why| panic!("{why}\n{text}"));
            held(&source, other.module().expect("a module"), &text, &there);
            let settings = Settings { engine, extended, ..Settings::default() };
            other.optimize(&settings).unwrap_or_else(|why| panic!("{why}\n{text}"));
            held(&source, other.module().expect("a module"), &text, &written(&other, Dialect::Ssa));
        }
    }
    Ok(())
}

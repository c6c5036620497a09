//! Writing the three-address language.
//!
//! Labels and headers stand at the margin, everything else is indented. Reading what is written gives
//! the same program.

use std::fmt::Write as _;

use crate::ast::{Action, Name, Operand, Program};
use crate::legal;

/// The text of a program.
pub fn write(program: &Program) -> String {
    let mut out = String::new();
    for (i, function) in program.functions.iter().enumerate() {
        if i > 0 {
            out.push('\n');
        }
        out.push_str("function");
        if let Some(name) = function.name {
            out.push(' ');
            out.push_str(program.name(name));
        }
        if !function.params.is_empty() {
            out.push_str(" ->");
            names(program, &function.params, &mut out);
        }
        out.push('\n');
        for statement in &function.statements {
            action(program, &statement.action, &mut out);
            out.push('\n');
        }
    }
    out
}

fn action(program: &Program, action: &Action, out: &mut String) {
    match action {
        Action::Label(label) => {
            out.push_str("label ");
            out.push_str(program.name(*label));
        }
        Action::Goto(label) => {
            out.push_str("  goto ");
            out.push_str(program.name(*label));
        }
        Action::Switch { on, targets } => {
            out.push_str("  switch");
            operands(program, std::slice::from_ref(on), out);
            names(program, targets, out);
        }
        Action::Return(results) => {
            out.push_str("  return");
            operands(program, results, out);
        }
        Action::Move { from, to } => {
            out.push_str("  mov");
            operands(program, std::slice::from_ref(from), out);
            outputs(program, std::slice::from_ref(to), out);
        }
        Action::Op { op, args, result } => {
            out.push_str("  ");
            out.push_str(legal::OPERATORS.spelling(*op));
            operands(program, args, out);
            outputs(program, result.as_slice(), out);
        }
        Action::Use { args, results } => {
            out.push_str("  use");
            operands(program, args, out);
            outputs(program, results, out);
        }
        Action::Call { callee, args, results } => {
            out.push_str("  call ");
            out.push_str(program.name(*callee));
            operands(program, args, out);
            outputs(program, results, out);
        }
    }
}

fn operands(program: &Program, operands: &[Operand], out: &mut String) {
    for operand in operands {
        // Writing to a string does not fail.
        let _ = match operand {
            Operand::Variable(name) => write!(out, " {}", program.name(*name)),
            Operand::Number(number) => write!(out, " {number}"),
        };
    }
}

fn outputs(program: &Program, results: &[Name], out: &mut String) {
    if !results.is_empty() {
        out.push_str(" ->");
        names(program, results, out);
    }
}

fn names(program: &Program, list: &[Name], out: &mut String) {
    for &name in list {
        out.push(' ');
        out.push_str(program.name(name));
    }
}

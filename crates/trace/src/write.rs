//! Writing a trace in the layout of PyPy's logs, which its own parser reads.
//!
//! Read and written back, a log's trace is the same bytes: a test holds it over whole logs. The layout
//! of a hand-written file (comments, alignment) belongs to the source and is copied from there.

use crate::text::{Arg, Name, OpData, Texts, Trace, Var};

/// Appends a trace: comments, inputs, operations, closing lines.
pub fn trace(trace: &Trace, texts: &Texts, out: &mut String) {
    for &comment in &trace.comments {
        out.push_str(texts.get(comment));
        out.push('\n');
    }
    body(trace, texts, out);
    for &line in &trace.closing {
        out.push_str(texts.get(line));
        out.push('\n');
    }
}

/// Appends the inputs and the operations of a trace.
pub fn body(trace: &Trace, texts: &Texts, out: &mut String) {
    list(trace.lists.get(trace.inputs), trace, texts, out);
    out.push('\n');
    for op in &trace.ops {
        operation(op, trace, texts, out);
        out.push('\n');
    }
}

/// Appends one operation, without the end of the line.
pub fn operation(op: &OpData, trace: &Trace, texts: &Texts, out: &mut String) {
    if let Some(offset) = op.offset {
        out.push('+');
        number(u64::from(offset), out);
        out.push_str(": ");
    }
    if let Some(result) = op.result {
        var(result, trace, texts, out);
        out.push_str(" = ");
    }
    out.push_str(trace.op_name(op, texts));
    out.push('(');
    let mut first = true;
    for arg in trace.args(op) {
        separate(&mut first, out);
        argument(arg, trace, texts, out);
    }
    if let Some(descr) = op.descr {
        separate(&mut first, out);
        out.push_str("descr=");
        out.push_str(texts.get(descr));
    }
    out.push(')');
    if let Some(fail) = op.fail {
        out.push(' ');
        list(trace.lists.get(fail), trace, texts, out);
    }
    if let Some(resume) = op.resume {
        let resume = &trace.resumes[resume];
        out.push_str("  #! resume ");
        for step in &resume.steps {
            operation(step, trace, texts, out);
            out.push_str("; ");
        }
        list(trace.lists.get(resume.state), trace, texts, out);
    }
}

fn list(args: &[Arg], trace: &Trace, texts: &Texts, out: &mut String) {
    out.push('[');
    let mut first = true;
    for arg in args {
        separate(&mut first, out);
        argument(arg, trace, texts, out);
    }
    out.push(']');
}

fn separate(first: &mut bool, out: &mut String) {
    if !std::mem::replace(first, false) {
        out.push_str(", ");
    }
}

fn argument(arg: &Arg, trace: &Trace, texts: &Texts, out: &mut String) {
    let wrapped = |word: &str, name, out: &mut String| {
        out.push_str(word);
        out.push_str(texts.get(name));
        out.push(')');
    };
    match *arg {
        Arg::Var(value) => var(value, trace, texts, out),
        Arg::Int(int) => {
            if int < 0 {
                out.push('-');
            }
            number(int.unsigned_abs(), out);
        }
        Arg::Float(text) | Arg::Str(text) | Arg::Raw(text) => out.push_str(texts.get(text)),
        Arg::Class(name) => wrapped("ConstClass(", name, out),
        Arg::Ptr(name) => wrapped("ConstPtr(", name, out),
        Arg::Named(name) => wrapped("ConstInt(", name, out),
        Arg::Null { short: false } => out.push_str("ConstPtr(null)"),
        Arg::Null { short: true } => out.push_str("NULL"),
        Arg::Hole => out.push_str("None"),
    }
}

fn var(value: Var, trace: &Trace, texts: &Texts, out: &mut String) {
    match trace.vars[value].name {
        Name::Numbered(letter, n) => {
            out.push(char::from(letter));
            number(u64::from(n), out);
        }
        Name::Other(name) => out.push_str(texts.get(name)),
    }
}

/// Appends a decimal number. The formatting machinery of the library takes a third of the whole
/// writing time.
fn number(mut value: u64, out: &mut String) {
    let mut digits = [0u8; 20];
    let mut at = digits.len();
    loop {
        at -= 1;
        digits[at] = b'0' + (value % 10) as u8;
        value /= 10;
        if value == 0 {
            break;
        }
    }
    out.extend(digits[at..].iter().map(|&digit| char::from(digit)));
}

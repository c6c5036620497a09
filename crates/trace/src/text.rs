//! A trace as its text says it: operations in an arena, names and descriptors interned.
//!
//! This is what the reader makes and the writer prints. It keeps every word of the text that means
//! something: names of values, spelled descriptors, offsets of machine code, fail arguments. Comments
//! and layout are kept by whoever owns the source (see [`TraceFile`](crate::read::TraceFile) and
//! [`Log`](crate::pypylog::Log)), which copies what did not change.
//!
//! All strings of a file live in one [`Texts`]; a [`Trace`] holds ids.

use planish_base::diag::Span;
use planish_base::{Arena, Interner, List, ListPool};

use crate::opcode::{Kind, Lift, Opcode};

planish_base::define_id!(
    /// A string of a file.
    Text, "text"
);
planish_base::define_id!(
    /// A named value of a trace.
    Var, "var"
);

planish_base::define_id!(
    /// How what is resumed behind a guard is made.
    ResumeId, "resume"
);

/// The strings of a file, each once.
pub type Texts = Interner<Text, String>;

/// The name of a value.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Name {
    /// A letter and a number without leading zeros, as PyPy writes them: `p12`.
    Numbered(u8, u32),
    /// Anything else.
    Other(Text),
}

/// A named value.
#[derive(Clone, Copy, Debug)]
pub struct VarData {
    /// What it is called.
    pub name: Name,
    /// What it holds.
    pub kind: Kind,
}

/// An argument.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum Arg {
    /// A value.
    Var(Var),
    /// A decimal integer.
    Int(i64),
    /// A float, as it is spelled. In a log it has lost digits.
    Float(Text),
    /// `ConstClass(name)`: the address of a class or function.
    Class(Text),
    /// `ConstPtr(name)`: an object that is known by a name only.
    Ptr(Text),
    /// `ConstInt(name)`: an integer that is known by a name only.
    Named(Text),
    /// The null reference: `ConstPtr(null)`, or `NULL` where `short`.
    Null {
        /// Whether it is spelled `NULL`.
        short: bool,
    },
    /// `None`: nothing, in fail arguments.
    Hole,
    /// A string constant with its quotes and prefix.
    Str(Text),
    /// Text that is kept as it is: the arguments of a merge point.
    Raw(Text),
}

/// An operation.
#[derive(Clone, Copy, Debug)]
pub struct OpData {
    /// What it does; `None` for an operation without a row, whose name is `name`.
    pub opcode: Option<Opcode>,
    /// The name of an operation without a row.
    pub name: Option<Text>,
    /// The value that it defines.
    pub result: Option<Var>,
    /// Its arguments.
    pub args: List<Arg>,
    /// What stands behind `descr=`.
    pub descr: Option<Text>,
    /// The fail arguments, if it has a list of them.
    pub fail: Option<List<Arg>>,
    /// How what is resumed behind a guard is made of its fail arguments.
    pub resume: Option<ResumeId>,
    /// The position of its machine code: `+123: `.
    pub offset: Option<u32>,
    /// Where it stands in the source.
    pub span: Span,
}

/// What is made where a guard fails, and what is resumed with: `#! resume OPERATION; ... [STATE]` behind it.
#[derive(Clone, Debug)]
pub struct Resume {
    /// The operations, whose results only the resume knows.
    pub steps: Vec<OpData>,
    /// The values that the other side gets.
    pub state: List<Arg>,
}

/// One trace.
#[derive(Clone, Default)]
pub struct Trace {
    /// The comment lines above the inputs, without the end of line.
    pub comments: Vec<Text>,
    /// The inputs.
    pub inputs: List<Arg>,
    /// Where they stand in the source.
    pub begins: Span,
    /// The operations in order.
    pub ops: Vec<OpData>,
    /// All lists of arguments.
    pub lists: ListPool<Arg>,
    /// All values.
    pub vars: Arena<Var, VarData>,
    /// What is resumed behind guards, where that is not just their fail arguments.
    pub resumes: Arena<ResumeId, Resume>,
    /// Where the last label stands that a jump goes to, if some labels are nothing that one does.
    pub loop_label: Option<usize>,
    /// `--end of the loop--` and the like, in full, after the last operation.
    pub closing: Vec<Text>,
}

impl Trace {
    /// A trace with a peeled loop as two: what comes before its last label, which ends in a jump to it,
    /// and what stands behind, whose inputs are the label's arguments; nothing where these cannot be inputs. O(length).
    pub fn peeled(&self) -> Option<(Trace, Trace)> {
        let is_label = |op: &OpData| op.opcode.is_some_and(|opcode| opcode.name() == "label");
        let label = self.loop_label.or_else(|| self.ops.iter().rposition(is_label))?;
        // A label to which nothing jumps may list a constant, or a value twice: no inputs can be that.
        let args = self.args(&self.ops[label]);
        let is_input = |(at, arg): (usize, &Arg)| matches!(arg, Arg::Var(_)) && !args[..at].contains(arg);
        if label + 1 == self.ops.len() || !args.iter().enumerate().all(is_input) {
            return None;
        }
        let (mut preamble, mut body) = (self.clone(), self.clone());
        preamble.ops.truncate(label + 1);
        preamble.ops[label].opcode = Opcode::from_name("jump");
        body.comments.clear();
        body.inputs = self.ops[label].args;
        // A token has to stand where others find it.
        let named = body.ops[label].descr.is_some();
        body.ops.drain(..label + usize::from(!named));
        Some((preamble, body))
    }

    /// Hands over by the jump at the end what copies right in front of it are made of: a label wants names, a jump does not.
    pub fn hand_over(&mut self) {
        let Some(jump) = self.ops.pop() else { return };
        let mut args = self.args(&jump).to_vec();
        while let Some((&copy, result)) = self.ops.last().and_then(|op| Some((op, op.result?)))
            && copy.opcode.is_some_and(|opcode| opcode.row().lift == Lift::Copy)
            && let Some(place) = args.iter().position(|&arg| arg == Arg::Var(result))
        {
            args[place] = self.args(&copy)[0];
            self.ops.pop();
        }
        let args = self.lists.push(&args);
        self.ops.push(OpData { args, ..jump });
    }

    /// The arguments of an operation.
    #[inline]
    pub fn args(&self, op: &OpData) -> &[Arg] {
        self.lists.get(op.args)
    }

    /// The fail arguments of an operation.
    pub fn fail(&self, op: &OpData) -> &[Arg] {
        op.fail.map_or(&[], |list| self.lists.get(list))
    }

    /// The name of an operation.
    pub fn op_name<'a>(&self, op: &OpData, texts: &'a Texts) -> &'a str {
        match (op.opcode, op.name) {
            (Some(opcode), _) => opcode.name(),
            (None, Some(name)) => texts.get(name),
            (None, None) => "",
        }
    }
}

/// The number of a name `x12`, when it is spelled as PyPy spells it.
#[inline]
pub(crate) fn numbered(name: &[u8]) -> Option<(u8, u32)> {
    let (&letter, digits) = name.split_first()?;
    if !matches!(letter, b'i' | b'p' | b'f' | b'v') || digits.is_empty() || digits.len() > 7 {
        return None;
    }
    if digits[0] == b'0' && digits.len() > 1 {
        return None;
    }
    let mut number = 0;
    for &digit in digits {
        let digit = digit.wrapping_sub(b'0');
        if digit > 9 {
            return None;
        }
        number = number * 10 + u32::from(digit);
    }
    Some((letter, number))
}

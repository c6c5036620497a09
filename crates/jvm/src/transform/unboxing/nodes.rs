//! Values of enums in a body: constants by their types, nulls and joins of values as nodes.

use planish_base::Id;
use planish_jvm_model::program::Class;
use planish_jvm_model::state::State;
use planish_jvm_model::vtype::{TypeContext, VType};

use super::candidates::Candidates;
use super::reason::Reason;

/// A null, or a join of values.
pub(super) type Node = u32;

/// What a type says of enums that become numbers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Boxed {
    /// A constant, or null.
    Constant(Class),
    /// An array of some dimensions.
    Array(Class),
}

impl Boxed {
    pub fn class(self) -> Class {
        match self {
            Boxed::Constant(class) | Boxed::Array(class) => class,
        }
    }
}

/// What types of a context say of enums that become numbers.
#[derive(Default)]
pub(super) struct Types {
    known: Vec<Option<Option<Boxed>>>,
}

impl Types {
    pub fn of(&mut self, ty: VType, context: &TypeContext<'_>, enums: &Candidates<'_, '_>) -> Option<Boxed> {
        let VType::Object(name) = ty else { return None };
        if self.known.len() <= name.index() {
            self.known.resize(name.index() + 1, None);
        }
        *self.known[name.index()].get_or_insert_with(|| boxed(context.text(name), enums))
    }
}

/// What the name of a class or array says.
pub(super) fn boxed(name: &[u8], enums: &Candidates<'_, '_>) -> Option<Boxed> {
    match name.strip_prefix(b"[") {
        None => enums.named(name).map(Boxed::Constant),
        Some(element) => {
            let dimensions = element.iter().take_while(|byte| **byte == b'[').count();
            let class = element[dimensions..].strip_prefix(b"L")?.strip_suffix(b";")?;
            enums.named(class).map(Boxed::Array)
        }
    }
}

/// A value: its type, and its node if it is a null or comes from a join.
pub(super) type Cell = (VType, Option<Node>);

/// What is known of a node.
#[derive(Default)]
struct Info {
    inputs: Vec<Node>,
    /// Enums of which a constant joins something else here.
    lost: Vec<Class>,
    is_object: bool,
    /// The enum of which it is a constant.
    number: Option<Class>,
}

/// The nodes of a body.
#[derive(Default)]
pub(super) struct Nodes {
    infos: Vec<Info>,
    work: Vec<(Node, Option<Class>, u32)>,
    /// The instruction that is looked at.
    pub at: u32,
    /// Enums that stay what they are, and the instructions for which they do.
    pub refused: Vec<(Class, Reason, u32)>,
}

impl Nodes {
    pub fn make(&mut self) -> Node {
        self.infos.push(Info::default());
        self.infos.len() as Node - 1
    }

    /// A use needs a node to be a constant of an enum, or some object.
    pub fn need(&mut self, node: Option<Node>, number: Option<Class>) {
        self.work.extend(node.map(|node| (node, number, self.at)));
    }

    /// A value comes to where it joins others: a node, or a constant of an enum that is something else from there on.
    pub fn joins(&mut self, to: Node, from: Option<Node>, lost: Option<Class>) {
        let info = &mut self.infos[to as usize];
        info.inputs.extend(from);
        info.lost.extend(lost);
    }

    pub fn refuse(&mut self, class: Class, reason: Reason) {
        self.refused.push((class, reason, self.at));
    }

    /// Spreads what uses need to all that joins.
    pub fn solve(&mut self) {
        while let Some((node, number, at)) = self.work.pop() {
            let info = &mut self.infos[node as usize];
            let is_new = match number {
                Some(class) => info.number.replace(class).is_none(),
                None => !std::mem::replace(&mut info.is_object, true),
            };
            if !is_new {
                continue;
            }
            if let (true, Some(class)) = (info.is_object, info.number) {
                self.refused.push((class, Reason::Null, at));
            }
            // What joins as another one than it was is none of what is needed.
            self.refused.extend(info.lost.iter().map(|&class| (class, Reason::Object, at)));
            self.work.extend(info.inputs.iter().map(|&input| (input, number, at)));
        }
    }

    /// Whether a node is a number from now on.
    pub fn is_number(&self, node: Node) -> bool {
        self.infos[node as usize].number.is_some()
    }
}

/// Where a body is: types and nodes.
#[derive(Clone)]
pub(super) struct Here {
    pub state: State,
    pub locals: Vec<Option<Node>>,
    pub stack: Vec<Option<Node>>,
}

impl Here {
    /// The value that is so many below the top of the stack.
    pub fn top(&self, depth: usize) -> Cell {
        let at = self.state.stack.len().checked_sub(depth + 1);
        at.map_or((VType::Top, None), |at| (self.state.stack[at], self.stack.get(at).copied().flatten()))
    }

    /// The value in a local variable.
    pub fn local(&self, slot: u16) -> Cell {
        (self.state.local(slot), self.locals.get(usize::from(slot)).copied().flatten())
    }
}

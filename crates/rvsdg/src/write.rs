//! Writing the region language.
//!
//! Whatever is used more than once, in whatever regions, is bound to a name at the top, `?0`, `?1` and so
//! on in the order in which they need each other. Lines are kept to `WIDTH` characters where the
//! nesting allows it; what is nested deeper than `DEEPEST` fills them, so that the text is not mostly blanks. Equal
//! programs give equal texts.

use planish_base::Id;

use crate::legal;
use crate::terms::{Kind, Program, Term, Terms};

/// Where lines break.
const WIDTH: usize = 80;

/// Deeper nesting is not indented further and does not begin lines, so that the text stays linear in the program.
const DEEPEST: usize = 20;

/// The text of a program.
pub fn write(program: &Program) -> String {
    let roots: Vec<Term> = program.roots.iter().map(|root| root.term).collect();
    let mut writer = Writer::new(&program.terms, &roots);
    let mut bindings = 0;
    for index in 0..writer.shared.len() {
        if writer.shared[index].is_some() {
            let term = Term::from_index(index);
            writer.out.push('(');
            writer.name(term);
            if writer.column() + 1 + writer.width[index] <= WIDTH {
                writer.out.push(' ');
                writer.flat_operator(term);
            } else {
                writer.line(1);
                writer.tree(term, 1);
            }
            writer.out.push('\n');
            writer.begin = writer.out.len();
            bindings += 1;
        }
    }
    match program.roots.as_slice() {
        [root] if root.name.is_none() => writer.reference(root.term, 0),
        roots => {
            writer.out.push_str("(module");
            for root in roots {
                writer.line(1);
                writer.out.push('(');
                writer.out.push_str(root.name.as_deref().unwrap_or("main"));
                writer.line(2);
                writer.reference(root.term, 2);
                writer.out.push(')');
            }
            writer.out.push(')');
        }
    }
    writer.out.extend(std::iter::repeat_n(')', bindings));
    writer.out.push('\n');
    writer.out
}

struct Writer<'a> {
    terms: &'a Terms,
    /// The number of the name of a term that is used more than once.
    shared: Vec<Option<u32>>,
    /// The length of a term in one line, as its operator and operands, names being used inside of it.
    width: Vec<usize>,
    out: String,
    /// Where the last line begins.
    begin: usize,
}

/// What is still to be written.
enum Task {
    /// A term where it is used.
    Use(Term, usize),
    /// A line break before something, or a blank where it is nested deeply and the line has room.
    Line(usize),
    /// The end of a list.
    Close,
}

impl<'a> Writer<'a> {
    fn new(terms: &'a Terms, roots: &[Term]) -> Self {
        let count = roots.iter().map(|root| root.index() + 1).max().unwrap_or(0);
        let mut uses = vec![0u32; count];
        for root in roots {
            uses[root.index()] += 1;
        }
        for index in (0..count).rev() {
            if uses[index] > 0 {
                for operand in terms.operands(Term::from_index(index)) {
                    uses[operand.index()] += 1;
                }
            }
        }
        let mut next = 0;
        let mut shared = vec![None; count];
        let mut width = vec![0; count];
        for index in 0..count {
            let operands = terms.operands(Term::from_index(index));
            if uses[index] == 0 {
                continue;
            }
            if uses[index] > 1 && !operands.is_empty() {
                shared[index] = Some(next);
                next += 1;
            }
            let inner = operands.iter().map(|operand| 1 + used_width(&shared, &width, *operand));
            let own = operator(terms, Term::from_index(index)).len();
            width[index] = own + if operands.is_empty() { 0 } else { 2 } + inner.sum::<usize>();
            // A length beyond any line is as good as any other.
            width[index] = width[index].min(1 << 20);
        }
        Writer { terms, shared, width, out: String::new(), begin: 0 }
    }

    /// How long the last line is.
    fn column(&self) -> usize {
        self.out.len() - self.begin
    }

    fn line(&mut self, depth: usize) {
        self.out.push('\n');
        self.begin = self.out.len();
        self.out.extend(std::iter::repeat_n("  ", depth.min(DEEPEST)));
    }

    fn name(&mut self, term: Term) {
        if let Some(number) = self.shared[term.index()] {
            self.out.push('?');
            self.out.push_str(&number.to_string());
        }
    }

    /// A term where it is used: its name if it has one.
    fn reference(&mut self, term: Term, depth: usize) {
        if self.shared[term.index()].is_some() { self.name(term) } else { self.tree(term, depth) }
    }

    /// An operator with its operands, over several lines if need be.
    fn tree(&mut self, term: Term, depth: usize) {
        let mut tasks = Vec::new();
        self.open(term, depth, &mut tasks);
        while let Some(task) = tasks.pop() {
            match task {
                Task::Line(depth) if depth > DEEPEST && self.column() < WIDTH => self.out.push(' '),
                Task::Line(depth) => self.line(depth),
                Task::Close => self.out.push(')'),
                Task::Use(term, _) if self.shared[term.index()].is_some() => self.name(term),
                Task::Use(term, depth) => self.open(term, depth, &mut tasks),
            }
        }
    }

    fn open(&mut self, term: Term, depth: usize, tasks: &mut Vec<Task>) {
        let operands = self.terms.operands(term);
        if operands.is_empty() || 2 * depth.min(DEEPEST) + self.width[term.index()] <= WIDTH {
            return self.flat_operator(term);
        }
        self.out.push('(');
        self.out.push_str(&operator(self.terms, term));
        tasks.push(Task::Close);
        for &operand in operands.iter().rev() {
            tasks.push(Task::Use(operand, depth + 1));
            tasks.push(Task::Line(depth + 1));
        }
    }

    /// An operator with its operands in one line. It is short, and so is its nesting.
    fn flat_operator(&mut self, term: Term) {
        let operands = self.terms.operands(term);
        if operands.is_empty() {
            return self.out.push_str(&operator(self.terms, term));
        }
        self.out.push('(');
        self.out.push_str(&operator(self.terms, term));
        for &operand in operands {
            self.out.push(' ');
            if self.shared[operand.index()].is_some() {
                self.name(operand)
            } else {
                self.flat_operator(operand)
            }
        }
        self.out.push(')');
    }
}

fn used_width(shared: &[Option<u32>], width: &[usize], term: Term) -> usize {
    match shared[term.index()] {
        Some(number) => 1 + number.to_string().len(),
        None => width[term.index()],
    }
}

/// The text of a term's operator.
fn operator(terms: &Terms, term: Term) -> String {
    match terms.kind(term) {
        Kind::Number(number) => number.to_string(),
        Kind::Argument(index) | Kind::Get(index) => format!("get-{index}"),
        Kind::Op(op) => legal::OPERATORS.spelling(op).to_owned(),
        Kind::Loop => "loop".to_owned(),
        Kind::Switch { cases, outputs } => format!("switch-{cases}-cases-{outputs}-outputs"),
        Kind::Function { inputs, outputs } => format!("func-{inputs}-inputs-{outputs}-outputs"),
        Kind::Call => "call".to_owned(),
        Kind::Phi { functions } => format!("phi-{functions}-functions"),
    }
}

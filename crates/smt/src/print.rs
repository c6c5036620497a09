//! SMT-LIB 2 text of a query.
//!
//! Terms that are used more than once become `define-fun`s without parameters, so the text is linear
//! in the number of nodes; the rest is nested up to a depth that people can still read. The numbering
//! is by place in the query, not by id in the pool: the text depends on the terms and the order of
//! their ids alone. The ledger of proofs hashes this text.
//!
//! Where the table's meaning is not a function of the standard, the text defines one:
//!
//! - the remainder of floats (C's `fmod`) from `fp.rem`, whose quotient is rounded to nearest;
//! - the clamping conversions of floats to integers from `fp.to_sbv` and `fp.to_ubv`, which are
//!   unspecified out of range;
//! - the number of one bits as a sum of all bits;
//! - the encoding of a float as a fresh word whose float it is. Every float but NaN has exactly one
//!   encoding, and that of NaN is stated, so such a word exists and is unique.

use std::fmt::Write;

use planish_base::Id;
use planish_ops::FloatFormat;

use crate::query::Query;
use crate::signature::{Binary, Sort, Unary};
use crate::term::{Node, Pool, Term};

/// How deep terms nest before they are named.
const DEPTH: u32 = 6;

/// The text of `query` up to and with `(check-sat)`: what solvers are asked and what ledgers hash.
pub fn question(pool: &Pool, query: &Query) -> String {
    Printer::new(pool, &query.assertions).print(&query.assertions)
}

/// The text that asks for the values of the variables of `query` after an answer `sat`.
///
/// Empty when it has no variables.
pub fn request_values(pool: &Pool, query: &Query) -> String {
    let reached = pool.reachable(&query.assertions);
    let mut names = String::new();
    for (index, _) in reached.iter().enumerate().filter(|&(_, &r)| r) {
        if let Node::Variable(variable) = pool.node(Term::from_index(index)) {
            let _ = write!(names, "{} ", symbol(&pool.declaration(variable).name));
        }
    }
    if names.is_empty() { names } else { format!("(get-value ({}))\n", names.trim_end()) }
}

/// The text of one term, nested without names; for messages, and exponential where terms are shared.
pub fn term(pool: &Pool, term: Term) -> String {
    let mut uses = vec![0; term.index() + 1];
    uses[term.index()] = 1;
    let mut printer = Printer {
        pool,
        uses,
        texts: vec![None; term.index() + 1],
        depth: u32::MAX,
        out: String::new(),
        named: 0,
    };
    let reached = pool.reachable(&[term]);
    for (index, _) in reached.iter().enumerate().filter(|&(_, &r)| r) {
        let id = Term::from_index(index);
        let text = printer.expression(pool.node(id));
        printer.texts[index] = Some((text, 0));
    }
    printer.operand(term)
}

/// Words that mean something in SMT-LIB, or in a theory that questions are about, and look like names.
const RESERVED: [&str; 33] = [
    "BINARY",
    "DECIMAL",
    "HEXADECIMAL",
    "NUMERAL",
    "STRING",
    "as",
    "let",
    "exists",
    "forall",
    "match",
    "par",
    "true",
    "false",
    "not",
    "and",
    "or",
    "xor",
    "distinct",
    "ite",
    "concat",
    "extract",
    "repeat",
    "assert",
    "echo",
    "exit",
    "pop",
    "push",
    "reset",
    "Bool",
    "Int",
    "NaN",
    "roundingMode",
    "_",
];

/// How the names of functions of the theories of words and floats begin.
const FUNCTIONS: [&str; 6] = ["bv", "fp", "to_", "RN", "RT", "zero_"];

/// The symbol of a variable, without bars: its name, unless that means something else, is not a symbol of every
/// solver, or could be that of a definition, which has the form `t!1`.
pub(crate) fn symbol_name(name: &str) -> String {
    let plain = |c: char| c.is_ascii_alphanumeric() || "_.$%&*+-/<=>?^~".contains(c);
    let begins = name.starts_with(|c: char| c.is_ascii_alphabetic() || c == '_');
    let taken = RESERVED.contains(&name) || FUNCTIONS.iter().any(|f| name.starts_with(f));
    if begins && name.chars().all(plain) && !taken {
        name.to_owned()
    } else {
        format!("v!{}", name.replace(['|', '\\'], "_"))
    }
}

/// A name as a symbol of SMT-LIB.
fn symbol(name: &str) -> String {
    let text = symbol_name(name);
    if text.starts_with("v!") { format!("|{text}|") } else { text }
}

/// A sort as SMT-LIB writes it.
fn sort_text(sort: Sort) -> String {
    match sort {
        Sort::Bool => "Bool".to_owned(),
        Sort::Bits(width) => format!("(_ BitVec {width})"),
        Sort::Float(format) => float_sort(format),
    }
}

fn float_sort(format: FloatFormat) -> String {
    let (exponent, significand) = format.smt_sizes();
    format!("(_ FloatingPoint {exponent} {significand})")
}

/// A constant word.
fn word(width: u32, value: u128) -> String {
    if width.is_multiple_of(4) {
        format!("#x{value:0digits$x}", digits = (width / 4) as usize)
    } else {
        format!("#b{value:0digits$b}", digits = width as usize)
    }
}

/// A constant float, by its encoding.
fn float(format: FloatFormat, encoding: u64) -> String {
    let (exponent, significand) = format.smt_sizes();
    format!("((_ to_fp {exponent} {significand}) {})", word(format.bits(), u128::from(encoding)))
}

/// The encoding of 2^`exponent`, which must be a normal number, with a sign.
fn power_of_two(format: FloatFormat, exponent: u32, negative: bool) -> u64 {
    let value = 2f64.powi(exponent as i32) * if negative { -1.0 } else { 1.0 };
    match format {
        FloatFormat::F32 => u64::from((value as f32).to_bits()),
        FloatFormat::F64 => value.to_bits(),
    }
}

struct Printer<'a> {
    pool: &'a Pool,
    /// How many nodes or assertions use a term.
    uses: Vec<u32>,
    /// What stands for a term in its users, with its depth; taken by the only user.
    texts: Vec<Option<(String, u32)>>,
    depth: u32,
    out: String,
    named: usize,
}

impl<'a> Printer<'a> {
    fn new(pool: &'a Pool, roots: &[Term]) -> Self {
        let reached = pool.reachable(roots);
        let mut uses = vec![0; reached.len()];
        for root in roots {
            uses[root.index()] += 1;
        }
        for (index, _) in reached.iter().enumerate().filter(|&(_, &r)| r) {
            for operand in pool.node(Term::from_index(index)).operands() {
                uses[operand.index()] += 1;
            }
        }
        let texts = vec![None; uses.len()];
        Printer { pool, uses, texts, depth: DEPTH, out: String::new(), named: 0 }
    }

    fn print(mut self, roots: &[Term]) -> String {
        let live: Vec<Term> =
            (0..self.uses.len()).filter(|&i| self.uses[i] > 0).map(Term::from_index).collect();
        let floats = live.iter().any(|&t| matches!(self.pool.sort(t), Sort::Float(_)));
        let _ = writeln!(self.out, "(set-logic {})", if floats { "QF_BVFP" } else { "QF_BV" });
        self.prologue(&live);
        for &term in &live {
            self.define(term);
        }
        for &root in roots {
            let text = self.operand(root);
            let _ = writeln!(self.out, "(assert {text})");
        }
        self.out.push_str("(check-sat)\n");
        self.out
    }

    /// Functions that stand for nodes which the standard does not have.
    fn prologue(&mut self, live: &[Term]) {
        let mut lines: Vec<String> = Vec::new();
        for &term in live {
            let line = match self.pool.node(term) {
                Node::Binary(Binary::FRem, a, _) => {
                    let format = self.pool.sort(a).format();
                    let sort = float_sort(format);
                    let zero = float(format, 0);
                    format!(
                        "(define-fun {} ((x {sort}) (y {sort})) {sort} (let ((a (fp.abs x)) (b (fp.abs y))) \
                         (let ((r (fp.rem a b))) (let ((m (fp.abs (ite (fp.lt r {zero}) (fp.add RNE r b) r)))) \
                         (ite (fp.isNegative x) (fp.neg m) m)))))",
                        remainder_name(format)
                    )
                }
                Node::Unary(Unary::Popcount, a) => {
                    let width = self.pool.sort(a).width();
                    let bits: Vec<String> = (0..width)
                        .map(|i| match width {
                            1 => "x".to_owned(),
                            _ => format!("((_ zero_extend {}) ((_ extract {i} {i}) x))", width - 1),
                        })
                        .collect();
                    let name = popcount_name(width);
                    format!("(define-fun {name} ((x (_ BitVec {width}))) (_ BitVec {width}) {})", sum(&bits))
                }
                Node::Unary(Unary::FToSigned(width), a) => {
                    let format = self.pool.sort(a).format();
                    format!(
                        "(define-fun {} ((x {})) (_ BitVec {width}) (ite (fp.isNaN x) {} (ite (fp.lt x {}) {} \
                         (ite (fp.geq x {}) {} ((_ fp.to_sbv {width}) RTZ x)))))",
                        signed_name(format, width),
                        float_sort(format),
                        word(width, 0),
                        float(format, power_of_two(format, width - 1, true)),
                        word(width, 1 << (width - 1)),
                        float(format, power_of_two(format, width - 1, false)),
                        word(width, (1 << (width - 1)) - 1),
                    )
                }
                Node::Unary(Unary::FToUnsigned(width), a) => {
                    let format = self.pool.sort(a).format();
                    format!(
                        "(define-fun {} ((x {})) (_ BitVec {width}) (ite (or (fp.isNaN x) (fp.leq x {})) {} \
                         (ite (fp.geq x {}) {} ((_ fp.to_ubv {width}) RTZ x))))",
                        unsigned_name(format, width),
                        float_sort(format),
                        float(format, 0),
                        word(width, 0),
                        float(format, power_of_two(format, width, false)),
                        word(width, (1 << width) - 1),
                    )
                }
                _ => continue,
            };
            if !lines.contains(&line) {
                lines.push(line);
            }
        }
        for line in lines {
            self.out.push_str(&line);
            self.out.push('\n');
        }
    }

    /// Writes what a term needs before it can be used, and notes what stands for it.
    fn define(&mut self, term: Term) {
        let (node, sort) = (self.pool.node(term), self.pool.sort(term));
        let depth = 1 + node.operands().map(|t| self.depth_of(t)).max().unwrap_or(0);
        let entry = match node {
            Node::Variable(variable) => {
                let name = symbol(&self.pool.declaration(variable).name);
                let _ = writeln!(self.out, "(declare-const {name} {})", sort_text(sort));
                (name, 0)
            }
            Node::Truth(_) | Node::Bits { .. } | Node::Float { .. } => (self.expression(node), 0),
            Node::Unary(Unary::FToBits, a) => {
                let name = self.fresh_name();
                let format = self.pool.sort(a).format();
                let (exponent, significand) = format.smt_sizes();
                let nan = match format {
                    FloatFormat::F32 => 0x7fc0_0000,
                    FloatFormat::F64 => 0x7ff8_0000_0000_0000,
                };
                let a = self.operand(a);
                let _ = writeln!(
                    self.out,
                    "(declare-const {name} {})\n(assert (ite (fp.isNaN {a}) (= {name} {}) (= ((_ to_fp {exponent} \
                     {significand}) {name}) {a})))",
                    sort_text(sort),
                    word(format.bits(), nan),
                );
                (name, 0)
            }
            _ => {
                let text = self.expression(node);
                if self.uses[term.index()] > 1 || depth > self.depth {
                    let name = self.fresh_name();
                    let _ = writeln!(self.out, "(define-fun {name} () {} {text})", sort_text(sort));
                    (name, 0)
                } else {
                    (text, depth)
                }
            }
        };
        self.texts[term.index()] = Some(entry);
    }

    fn fresh_name(&mut self) -> String {
        self.named += 1;
        format!("t!{}", self.named)
    }

    fn depth_of(&self, term: Term) -> u32 {
        self.texts[term.index()].as_ref().map_or(0, |(_, depth)| *depth)
    }

    /// What stands for a term. Operands come before their users, so it is there.
    fn operand(&mut self, term: Term) -> String {
        let (text, _) = self.texts[term.index()].as_ref().expect("operands are printed before their users");
        text.clone()
    }

    fn expression(&mut self, node: Node) -> String {
        match node {
            Node::Truth(value) => value.to_string(),
            Node::Bits { width, value } => word(width, value),
            Node::Float { format, encoding } => float(format, encoding),
            Node::Variable(variable) => symbol(&self.pool.declaration(variable).name),
            Node::Unary(op, a) => {
                let head = self.unary_head(op, a);
                format!("({head} {})", self.operand(a))
            }
            Node::Binary(op, a, b) => {
                let head = binary_head(op, self.pool.sort(a));
                format!("({head} {} {})", self.operand(a), self.operand(b))
            }
            Node::Select(c, a, b) => {
                format!("(ite {} {} {})", self.operand(c), self.operand(a), self.operand(b))
            }
        }
    }

    fn unary_head(&self, op: Unary, a: Term) -> String {
        let sort = self.pool.sort(a);
        let to_fp = |format: FloatFormat, name: &str, rounding: &str| {
            let (exponent, significand) = format.smt_sizes();
            format!("(_ {name} {exponent} {significand}){rounding}")
        };
        match op {
            Unary::Negate => "not".to_owned(),
            Unary::Not => "bvnot".to_owned(),
            Unary::Popcount => popcount_name(sort.width()),
            Unary::Extract { low, width } => format!("(_ extract {} {low})", low + width - 1),
            Unary::ZeroExtend(width) => format!("(_ zero_extend {})", width - sort.width()),
            Unary::SignExtend(width) => format!("(_ sign_extend {})", width - sort.width()),
            Unary::FNeg => "fp.neg".to_owned(),
            Unary::FAbs => "fp.abs".to_owned(),
            Unary::FSqrt => "fp.sqrt RNE".to_owned(),
            Unary::FIsNan => "fp.isNaN".to_owned(),
            Unary::FConvert(format) | Unary::FFromSigned(format) => to_fp(format, "to_fp", " RNE"),
            Unary::FFromUnsigned(format) => to_fp(format, "to_fp_unsigned", " RNE"),
            Unary::FFromBits(format) => to_fp(format, "to_fp", ""),
            Unary::FToSigned(width) => signed_name(sort.format(), width),
            Unary::FToUnsigned(width) => unsigned_name(sort.format(), width),
            // Printed whole where it is defined; this is the form of messages.
            Unary::FToBits => "encoding".to_owned(),
        }
    }
}

fn popcount_name(width: u32) -> String {
    format!("popcount.{width}")
}

/// A balanced sum of words.
fn sum(words: &[String]) -> String {
    match words {
        [word] => word.clone(),
        _ => {
            let (left, right) = words.split_at(words.len() / 2);
            format!("(bvadd {} {})", sum(left), sum(right))
        }
    }
}

fn remainder_name(format: FloatFormat) -> String {
    format!("remainder.{}", format.bits())
}

fn signed_name(format: FloatFormat, width: u32) -> String {
    format!("to_signed.{}.{width}", format.bits())
}

fn unsigned_name(format: FloatFormat, width: u32) -> String {
    format!("to_unsigned.{}.{width}", format.bits())
}

fn binary_head(op: Binary, operands: Sort) -> String {
    let name = match op {
        Binary::Both => "and",
        Binary::Either => "or",
        Binary::Same => "=",
        Binary::Add => "bvadd",
        Binary::Sub => "bvsub",
        Binary::Mul => "bvmul",
        Binary::Udiv => "bvudiv",
        Binary::Urem => "bvurem",
        Binary::Sdiv => "bvsdiv",
        Binary::Srem => "bvsrem",
        Binary::And => "bvand",
        Binary::Or => "bvor",
        Binary::Xor => "bvxor",
        Binary::Shl => "bvshl",
        Binary::Lshr => "bvlshr",
        Binary::Ashr => "bvashr",
        Binary::Ult => "bvult",
        Binary::Slt => "bvslt",
        Binary::FAdd => "fp.add RNE",
        Binary::FSub => "fp.sub RNE",
        Binary::FMul => "fp.mul RNE",
        Binary::FDiv => "fp.div RNE",
        Binary::FRem => return remainder_name(operands.format()),
        Binary::FEq => "fp.eq",
        Binary::FLt => "fp.lt",
        Binary::FLe => "fp.leq",
    };
    name.to_owned()
}

#[cfg(test)]
mod tests {
    use planish_ops::{Bits, Floats};

    use super::*;

    #[test]
    fn shared_terms_are_named_once() {
        let mut pool = Pool::new();
        let x = pool.variable("x", Sort::Bits(8));
        let five = pool.word(8, 5);
        let sum = pool.add(x, five);
        let square = pool.mul(sum, sum);
        let claim = pool.eq(square, x);
        let text = question(&pool, &Query::new(vec![claim]));
        assert_eq!(
            text,
            "(set-logic QF_BV)\n(declare-const x (_ BitVec 8))\n(define-fun t!1 () (_ BitVec 8) (bvadd x #x05))\n\
             (assert (= x (bvmul t!1 t!1)))\n(check-sat)\n"
        );
        assert_eq!(request_values(&pool, &Query::new(vec![claim])), "(get-value (x))\n");
        assert_eq!(term(&pool, sum), "(bvadd x #x05)");
    }

    /// A symbol that begins with `.` or `@` belongs to solvers, and some refuse it; a quoted one is the same symbol.
    #[test]
    fn symbols_are_legal_for_every_solver_and_differ_from_each_other() {
        let mut pool = Pool::new();
        let names = ["x", "x.lo", ".1", "@x", "t!1", "let", "bvadd", "1x", "a b", "", "fp.add", "v!x"];
        let words: Vec<Term> = names.iter().map(|name| pool.variable(name, Sort::Bits(8))).collect();
        let zero = pool.zero(words[0]);
        let sum = words.iter().fold(zero, |sum, &word| pool.add(sum, word));
        let square = pool.mul(sum, sum);
        let claim = pool.eq(square, sum);
        let text = question(&pool, &Query::new(vec![claim]));
        let mut symbols: Vec<&str> = (text.lines())
            .filter_map(|line| {
                let rest =
                    line.strip_prefix("(declare-const ").or_else(|| line.strip_prefix("(define-fun "))?;
                rest.split(" (").next()
            })
            .map(|symbol| symbol.trim_matches('|'))
            .collect();
        let count = symbols.len();
        assert!(count > names.len(), "{text}");
        assert!(symbols.iter().all(|s| s.starts_with(|c: char| c.is_ascii_alphabetic())), "{symbols:?}");
        assert!(symbols.iter().all(|s| !RESERVED.contains(s) && *s != "bvadd"), "{symbols:?}");
        symbols.sort_unstable();
        symbols.dedup();
        assert_eq!(symbols.len(), count, "{text}");
    }

    #[test]
    fn text_does_not_depend_on_what_else_the_pool_holds() {
        let ask = |noise: bool| {
            let mut pool = Pool::new();
            let x = pool.variable("x", Sort::Bits(3));
            if noise {
                let y = pool.variable("y", Sort::Bits(3));
                pool.add(x, y);
            }
            let high = pool.umulh(x, x);
            let claim = pool.is_negative(high);
            question(&pool, &Query::new(vec![claim]))
        };
        assert_eq!(ask(false), ask(true));
        assert!(ask(false).contains("((_ extract 5 3) (bvmul"));
    }

    #[test]
    fn functions_outside_of_the_standard_are_defined_first() {
        let mut pool = Pool::new();
        let x = pool.variable("x", Sort::Float(FloatFormat::F64));
        let (signed, unsigned) = (pool.f_to_signed(x, 32), pool.f_to_unsigned(x, 32));
        let (bits, remainder) = (pool.f_to_bits(x), pool.f_rem(x, x));
        let same = pool.eq(signed, unsigned);
        let odd = pool.is_negative(bits);
        let nan = pool.f_is_nan(remainder);
        let text = question(&pool, &Query::new(vec![same, odd, nan]));
        for part in [
            "(set-logic QF_BVFP)",
            "(define-fun to_signed.64.32 ",
            "(define-fun remainder.64 ",
            "(declare-const t!1 ",
        ] {
            assert!(text.contains(part), "{part} in {text}");
        }
    }
}

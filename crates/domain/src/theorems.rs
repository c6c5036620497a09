//! What the domain promises, as statements about its own functions.
//!
//! A [`Theorem`] takes facts and words and yields a [`Claim`]: where `given` holds, `then` holds. It is
//! built by calling the very functions that ship, with whatever instance of
//! [`Bits`](planish_ops::Bits) the reader brings. With terms the claim is a formula whose negation a
//! solver refutes at 8, 32 and 64 bits; with machine words it is a test, and the tests of this crate
//! hold all theorems at every reduced fact of 1 to 4 bits.
//!
//! Soundness is stated as membership: if the operands are members of their facts, the result is one of
//! the fact that the transfer function yields. What an operation means is asked of the table. No
//! theorem assumes that facts are reduced or have members, so each holds of any four words.

mod law_claims;

use planish_ops::table::ALL;
use planish_ops::{Datum, Floats, Op, Type};

use crate::backward::{self};
use crate::calc::calc;
use crate::contracts::{Contract, Contracts, Fresh, Step};
use crate::fact::{FactOf, contains};
use crate::forward::{self, Shape};
use crate::lemmas::Guide;
use crate::memory::{LEMMAS, Lemma};
use crate::methods::{Kind, METHODS, Method, Value};
use crate::seen::{CASES, Seen};
use crate::truth::Truth;

pub use crate::laws::{LAWS, Law};
pub use law_claims::Claim;

/// A statement about the functions of the domain.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Theorem {
    /// A result is a member of the fact that forward transfer yields.
    Forward(Op),
    /// The result of an operation that does not overflow is a member of its exact fact.
    Exact(Op),
    /// What is known of an overflow agrees with the overflow bit.
    Overflow(Op),
    /// Operands whose result is a member of a fact are members of the facts that follow for them.
    Backward(Op),
    /// The same of an operation with an overflow bit that does not overflow.
    BackwardExact(Op),
    /// Operands of which a condition holds are members of the facts that follow for them.
    Assume(Op),
    /// The answer of a method promises what its row says.
    Method(&'static Method),
    /// A law of the lattice.
    Law(Law),
    /// Operands that agree in the demanded bits give results that agree in the wanted ones.
    Demanded(Seen),
    /// Memory is as passes over it assume.
    Memory(Lemma),
}

/// A free word of a theorem.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Free {
    /// Any word of these many bits.
    Any(u32),
    /// A member of the fact with this index: whoever enumerates need not try others, for then `given`
    /// does not hold.
    Member(usize),
}

/// What a theorem takes at some width.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Params {
    /// The widths of its facts.
    pub facts: Vec<u32>,
    /// Its words.
    pub words: Vec<Free>,
}

impl Params {
    /// Facts of one width with a member each.
    fn members(facts: usize, width: u32) -> Self {
        Params { facts: vec![width; facts], words: (0..facts).map(Free::Member).collect() }
    }

    /// The width of a free word.
    pub fn word_width(&self, word: Free) -> u32 {
        match word {
            Free::Any(width) => width,
            Free::Member(fact) => self.facts[fact],
        }
    }
}

/// Every theorem, in a fixed order.
pub fn all() -> Vec<Theorem> {
    let mut theorems: Vec<Theorem> = LAWS.iter().copied().map(Theorem::Law).collect();
    for &op in ALL {
        let Some(shape) = forward::shape(op) else { continue };
        theorems.push(Theorem::Forward(op));
        if shape == Shape::Checked {
            theorems.extend([Theorem::Exact(op), Theorem::Overflow(op), Theorem::BackwardExact(op)]);
        }
        let condition = matches!(shape, Shape::Test | Shape::Compare);
        theorems.push(if condition { Theorem::Assume(op) } else { Theorem::Backward(op) });
    }
    theorems.extend(METHODS.iter().map(Theorem::Method));
    theorems.extend(CASES.into_iter().map(Theorem::Demanded));
    theorems.extend(LEMMAS.into_iter().map(Theorem::Memory));
    theorems
}

impl Theorem {
    /// A name that no other theorem has: the key of its proof.
    pub fn name(self) -> String {
        match self {
            Theorem::Forward(op) => format!("forward {op}"),
            Theorem::Exact(op) => format!("exact {op}"),
            Theorem::Overflow(op) => format!("overflow {op}"),
            Theorem::Backward(op) => format!("backward {op}"),
            Theorem::BackwardExact(op) => format!("backward exact {op}"),
            Theorem::Assume(op) => format!("assume {op}"),
            Theorem::Method(method) => format!("method {}", method.name),
            Theorem::Law(law) => format!("law {law:?}"),
            Theorem::Demanded(seen) => seen.name(),
            Theorem::Memory(lemma) => format!("memory {}", lemma.name()),
        }
    }

    /// The operation whose operands and result it is about.
    pub fn op(self) -> Option<Op> {
        match self {
            Theorem::Forward(op) | Theorem::Exact(op) | Theorem::Overflow(op) => Some(op),
            Theorem::Backward(op) | Theorem::BackwardExact(op) | Theorem::Assume(op) => Some(op),
            Theorem::Method(method) => method.op(),
            Theorem::Law(_) | Theorem::Demanded(_) | Theorem::Memory(_) => None,
        }
    }

    /// What it takes at a width; `None` where it says nothing at that width. Conversions go between the
    /// width and half of it.
    pub fn params(self, width: u32) -> Option<Params> {
        Some(match self {
            Theorem::Backward(_) | Theorem::BackwardExact(_) => {
                // The fact about the result comes after those of the operands.
                let mut params = Theorem::Forward(self.op()?).params(width)?;
                let operand = params.facts[0];
                params.facts.push(if self.op()? == Op::Trunc { operand / 2 } else { width });
                params
            }
            Theorem::Forward(op) | Theorem::Assume(op) => match forward::shape(op)? {
                Shape::Unary | Shape::Test => Params::members(1, width),
                Shape::Convert => {
                    let half = (width > 1).then_some(width / 2)?;
                    Params::members(1, if op == Op::Trunc { width } else { half })
                }
                Shape::Binary | Shape::Compare | Shape::Checked => Params::members(2, width),
                Shape::Select => Params::members(3, width),
            },
            Theorem::Exact(_) | Theorem::Overflow(_) => Params::members(2, width),
            Theorem::Method(method) => {
                let mut params = Params::members(1, width);
                match method.args {
                    [] => {}
                    [Kind::Fact] => params = Params::members(2, width),
                    [_] => params.words.push(Free::Any(width)),
                    _ => unreachable!("methods take one argument at most"),
                }
                // The unknown bits are those in which two members differ.
                if method.name == "tmask" || method.name == "is_constant" {
                    params.words.push(Free::Member(0));
                }
                params
            }
            Theorem::Law(law) => {
                let facts = match law {
                    Law::Constant | Law::FromBits | Law::TruthFact => 0,
                    Law::Join | Law::Meet | Law::Implies | Law::Widen => 2,
                    Law::Reduce
                    | Law::Narrows
                    | Law::ReduceTwice
                    | Law::Clip
                    | Law::ClipNarrows
                    | Law::ClipInside
                    | Law::Within
                    | Law::Relax
                    | Law::TruthOfWord => 1,
                };
                let words = match law {
                    Law::Constant => vec![Free::Any(width); 2],
                    Law::FromBits | Law::Within => vec![Free::Any(width); 3],
                    Law::ReduceTwice | Law::Narrows => vec![],
                    Law::Clip => vec![Free::Any(1), Free::Any(width), Free::Any(width), Free::Member(0)],
                    Law::ClipNarrows | Law::ClipInside => {
                        vec![Free::Any(1), Free::Any(width), Free::Any(width)]
                    }
                    Law::Relax | Law::Implies | Law::TruthOfWord => vec![Free::Member(0)],
                    Law::TruthFact => vec![Free::Any(1); 3],
                    Law::Reduce | Law::Join | Law::Meet | Law::Widen => vec![Free::Any(width)],
                };
                Params { facts: vec![width; facts], words }
            }
            Theorem::Demanded(seen) => {
                let (of, to) = seen.widths(width)?;
                Params {
                    facts: vec![],
                    words: vec![Free::Any(of), Free::Any(of), Free::Any(of), Free::Any(to)],
                }
            }
            Theorem::Memory(lemma) => {
                let words = lemma.widths(width)?.into_iter().map(Free::Any).collect();
                Params { facts: vec![], words }
            }
        })
    }

    /// The claim, over facts and words as [`params`](Self::params) lists them for `width`.
    pub fn claim<B: Floats>(
        self,
        b: &mut B,
        width: u32,
        facts: &[FactOf<B>],
        words: &[B::Word],
    ) -> Claim<B::Bool> {
        match self {
            Theorem::Forward(op) => forward_claim(b, op, width, facts, words),
            Theorem::Exact(op) => {
                let members = operands_are_members(b, facts, words);
                let outcome = run(b, op, words, width);
                let overflow = outcome.overflow.expect("an operation with an overflow bit");
                let given = calc!(b; both(members, negate(overflow)));
                let exact = forward::checked(b, op, facts[0], facts[1]).exact;
                Claim { given, then: contains(b, exact, outcome.value) }
            }
            Theorem::Overflow(op) => {
                let given = operands_are_members(b, facts, words);
                let overflow = run(b, op, words, width).overflow.expect("an overflow bit");
                let known = forward::checked(b, op, facts[0], facts[1]).overflow;
                Claim { given, then: known.contains(b, overflow) }
            }
            Theorem::Backward(op) => backward_claim(b, op, width, facts, words),
            Theorem::BackwardExact(op) => {
                let outcome = run(b, op, words, width);
                let overflow = outcome.overflow.expect("an operation with an overflow bit");
                let members = operands_are_members(b, facts, words);
                let member = contains(b, facts[2], outcome.value);
                let given = calc!(b; both(members, both(member, negate(overflow))));
                let (x, y) = backward::exact(b, op, facts[2], facts[0], facts[1]);
                Claim { given, then: operands_are_members(b, &[x, y], words) }
            }
            Theorem::Assume(op) => {
                let holds = run(b, op, words, 1).value;
                let members = operands_are_members(b, facts, words);
                let given = calc!(b; both(members, is_nonzero(holds)));
                let then = match *facts {
                    [x] => {
                        let x = backward::test(b, op, x);
                        operands_are_members(b, &[x], words)
                    }
                    [x, y] => {
                        let (x, y) = backward::compare(b, op, x, y);
                        operands_are_members(b, &[x, y], words)
                    }
                    _ => panic!("{op} takes other operands"),
                };
                Claim { given, then }
            }
            Theorem::Method(method) => method_claim(b, method, facts, words),
            Theorem::Law(law) => law_claims::law_claim(b, law, facts, words),
            Theorem::Demanded(seen) => {
                let (given, then) = seen.claim(b, width, words);
                Claim { given, then }
            }
            Theorem::Memory(lemma) => {
                let (given, then) = lemma.claim(b, words);
                Claim { given, then }
            }
        }
    }
}

impl From<Contract> for Theorem {
    fn from(contract: Contract) -> Theorem {
        match contract {
            Contract::Law(law) => Theorem::Law(law),
            Contract::Forward(op) => Theorem::Forward(op),
        }
    }
}

/// A claim, and what is assumed of calls for it to follow.
#[derive(Clone, Debug)]
pub struct CutClaim<T> {
    /// The claim.
    pub claim: Claim<T>,
    /// What is assumed of calls, in their order, and the lemmas between.
    pub steps: Vec<Step<T>>,
    /// The conditions by which the proof is split.
    pub cases: Vec<T>,
    /// The theorems that say what is assumed, each at a width.
    pub premises: Vec<(Theorem, u32)>,
}

impl Theorem {
    /// The claim cut at the contracts of [`crate::contracts`], which are assumed call by call. `None` for the theorems
    /// that are about the contracts themselves or about bounds being the best, which do not follow from them.
    ///
    /// If `then` follows from what is given and assumed, the whole claim holds; the other way round need
    /// not be.
    pub fn cut<B: Floats>(
        self,
        b: &mut B,
        fresh: Fresh<'_, B>,
        width: u32,
        facts: &[FactOf<B>],
        words: &[B::Word],
    ) -> Option<CutClaim<B::Bool>> {
        if let Theorem::Law(law) = self
            && !matches!(law, Law::Meet | Law::Relax | Law::Widen | Law::Within)
        {
            return None;
        }
        if let Theorem::Memory(_) = self {
            return None;
        }
        if let Theorem::Demanded(seen) = self {
            let claim = self.claim(b, width, facts, words);
            let steps = seen.lemmas(b, width, words).into_iter().map(Step::Lemma).collect();
            return Some(CutClaim { claim, steps, cases: Vec::new(), premises: Vec::new() });
        }
        let value = self.op().map(|op| {
            let to = if op == Op::Trunc { width / 2 } else { width };
            (op, run(b, op, words, to).value)
        });
        let is_exact = matches!(self, Theorem::BackwardExact(_));
        let guide = Guide::new(b, value, facts, words, is_exact);
        let mut cut = Contracts::new(b, fresh, guide);
        let claim = self.claim(&mut cut, width, facts, words);
        let premises =
            cut.contracts().into_iter().map(|(contract, width)| (contract.into(), width)).collect();
        let (steps, cases) = cut.into_steps();
        Some(CutClaim { claim, steps, cases, premises })
    }
}

/// What an operation of the table yields on words.
struct Outcome<B: Floats> {
    value: B::Word,
    overflow: Option<B::Bool>,
    defined: B::Bool,
}

fn run<B: Floats>(b: &mut B, op: Op, words: &[B::Word], width: u32) -> Outcome<B> {
    let args: Vec<Datum<B>> = words.iter().map(|&w| Datum::Word(w)).collect();
    let meaning = op.meaning(b, &args, &[Type::Int(width as u8)]).expect("a meaning");
    let overflow = meaning.flag.map(|flag| b.is_nonzero(flag));
    let always = b.truth(true);
    Outcome { value: meaning.value.word(), overflow, defined: meaning.defined.unwrap_or(always) }
}

fn operands_are_members<B: Floats>(b: &mut B, facts: &[FactOf<B>], words: &[B::Word]) -> B::Bool {
    let mut given = b.truth(true);
    for (&f, &x) in facts.iter().zip(words) {
        let member = contains(b, f, x);
        given = b.both(given, member);
    }
    given
}

fn forward_claim<B: Floats>(
    b: &mut B,
    op: Op,
    width: u32,
    facts: &[FactOf<B>],
    words: &[B::Word],
) -> Claim<B::Bool> {
    let to = if op == Op::Trunc { width / 2 } else { width };
    let members = operands_are_members(b, facts, words);
    let outcome = run(b, op, words, to);
    let given = b.both(members, outcome.defined);
    let fact = match (forward::shape(op).expect("an operation with a transfer function"), facts) {
        (Shape::Unary, &[x]) => forward::unary(b, op, x),
        (Shape::Binary, &[x, y]) => forward::binary(b, op, x, y),
        (Shape::Convert, &[x]) => forward::convert(b, op, x, to),
        (Shape::Test, &[x]) => forward::test(b, op, x).fact(b, to),
        (Shape::Compare, &[x, y]) => forward::compare(b, op, x, y).fact(b, to),
        (Shape::Checked, &[x, y]) => forward::checked(b, op, x, y).value,
        (Shape::Select, &[c, x, y]) => {
            let truth = Truth::of_word(b, c);
            forward::compare::select(b, truth, x, y)
        }
        _ => panic!("{op} takes other operands"),
    };
    Claim { given, then: contains(b, fact, outcome.value) }
}

fn backward_claim<B: Floats>(
    b: &mut B,
    op: Op,
    width: u32,
    facts: &[FactOf<B>],
    words: &[B::Word],
) -> Claim<B::Bool> {
    let to = if op == Op::Trunc { width / 2 } else { width };
    let (&r, operands) = facts.split_last().expect("a fact about the result");
    let outcome = run(b, op, words, to);
    let members = operands_are_members(b, operands, words);
    let member = contains(b, r, outcome.value);
    let defined = outcome.defined;
    let given = calc!(b; both(members, both(member, defined)));
    let then = match (forward::shape(op).expect("an operation with a transfer function"), operands) {
        (Shape::Unary, &[x]) => {
            let x = backward::unary(b, op, r, x);
            operands_are_members(b, &[x], words)
        }
        (Shape::Convert, &[x]) => {
            let x = backward::convert(b, op, r, x);
            operands_are_members(b, &[x], words)
        }
        (Shape::Binary | Shape::Checked, &[x, y]) => {
            let (x, y) = backward::binary(b, op, r, x, y);
            operands_are_members(b, &[x, y], words)
        }
        (Shape::Select, &[c, x, y]) => {
            let known = Truth::of_word(b, c);
            let (known, x, y) = backward::compare::select(b, r, known, x, y);
            let holds = b.is_nonzero(words[0]);
            let agrees = known.contains(b, holds);
            // A side that is not taken says nothing of r, nor r of it.
            let (in_x, in_y) = (contains(b, x, words[1]), contains(b, y, words[2]));
            let taken = calc!(b; both(implies(holds, in_x), either(holds, in_y)));
            b.both(agrees, taken)
        }
        _ => panic!("{op} takes other operands"),
    };
    Claim { given, then }
}

fn method_claim<B: Floats>(
    b: &mut B,
    method: &Method,
    facts: &[FactOf<B>],
    words: &[B::Word],
) -> Claim<B::Bool> {
    let receiver = facts[0];
    let mut given = operands_are_members(b, facts, words);
    if let Some(defined) = method.defined(b, receiver) {
        given = b.both(given, defined);
    }
    let args: Vec<Value<B>> = method
        .args
        .iter()
        .map(|kind| match kind {
            Kind::Fact => Value::Fact(facts[1]),
            Kind::Word => Value::Word(words[1]),
            Kind::Bool => unreachable!("no method takes a truth value"),
        })
        .collect();
    // A second member of the receiver, where the promise is about two.
    if method.args.is_empty()
        && let Some(&second) = words.get(1)
    {
        let member = contains(b, receiver, second);
        given = b.both(given, member);
    }
    let answer = method.call(b, receiver, &args);
    Claim { given, then: method.promise(b, words[0], words.get(1).copied(), answer) }
}

//! The search for what computes the same for less: enumeration over the table of operations.
//!
//! The values of a term, its constants, what is computed from these, and the term's own inner operations cost nothing. From them
//! terms of one operation are made, then of two, and of three where the last can be undone. What gives another value on one of the
//! [inputs](super::inputs) is dropped at the first; of terms that give the same the first is kept. Souper (Sasnauskas et al. 2017)
//! and denali (Joshi, Nelson and Randall 2002) search so.

use hashbrown::HashMap;
use planish_base::Id;
use planish_ops::{Datum, Int, Op, Type, table};
use planish_prove::discover::Draft;
use planish_prove::discover::examples::Example;
use planish_prove::discover::expressions::expressions;
use planish_rules::exhaust::Case;
use planish_rules::rule::{Rule, Ty};
use rustc_hash::FxBuildHasher;

use crate::inputs::{Inputs, LANES};
use crate::pattern::{self, Types};
use crate::term::{Kind, Term, compute, divides, is_usual};

/// How many expressions over constants operands may be of one operation, and of two.
const EXPRESSIONS: usize = 90;
const FEW_EXPRESSIONS: usize = 24;

/// How many terms of one operation are kept.
const TERMS: usize = 6000;

/// What a term may cost at most that stands for one with a division: for its price nearly all others could be tried.
const DEAREST: u32 = 6;

/// How many equal terms are kept of each size.
const HITS: usize = 8;

/// A term that computes the same.
#[derive(Clone, Debug)]
pub struct Hit {
    /// As a target.
    pub target: String,
    /// The constants that it computes, each with an expression.
    pub steps: Vec<(String, String)>,
    /// What its new operations cost.
    pub cost: u32,
}

/// A term that was made.
struct Made {
    ty: Type,
    lanes: [u64; LANES],
    /// What its new operations cost.
    cost: u32,
    /// The operations of the given term that stay for it, a bit for each node.
    kept: u32,
    of: Of,
    form: Form,
}

/// What a term is made of.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Of {
    /// Values.
    Values,
    /// Constants alone.
    Constants,
    /// A number that is tried as an amount of shifts alone.
    Amount,
}

/// A constant that may stand in a target: its type, its values, its text, and the expression that computes it if it is no name.
type Constant = (Type, [u64; LANES], String, Option<String>);

/// What takes an operation on terms that were made: its type, its cost, and what stays for it.
type Takes<'a> = dyn FnMut(Op, &[usize], Type, [u32; 2]) + 'a;

/// The other operand, from what an operation gives and one operand.
type Undo = fn(u64, u64) -> u64;

/// Whether an operand may be one of an operation that gives this.
type Contains = fn(u64, u64) -> bool;

#[derive(Clone)]
enum Form {
    Leaf { text: String, expression: Option<String> },
    Op(Op, Vec<usize>),
}

/// Looks for terms that give what a term does and cost less.
pub fn cheaper(term: &Term, types: Types) -> Vec<Hit> {
    let Some(mut search) = Search::new(term, types) else { return Vec::new() };
    search.leaves();
    search.one_operation();
    search.two_operations();
    search.three_operations();
    search.constants_that_fit();
    search.hits
}

/// Expressions over the constants of a term, and their values where the constants are these.
pub fn over_constants(term: &Term, types: Types, numbers: &[Vec<Int>]) -> Vec<(String, Vec<u64>)> {
    let Some(mut search) = Search::new(term, types) else { return Vec::new() };
    for (of_lane, given) in search.inputs.constants.iter_mut().zip(numbers) {
        of_lane.clone_from(given);
    }
    let count = numbers.len().min(LANES);
    let all = search.expressions(usize::MAX).into_iter();
    all.map(|(_, lanes, text, _)| (text, lanes[..count].to_vec())).collect()
}

struct Search<'a> {
    term: &'a Term,
    types: Types,
    inputs: Inputs,
    /// What the term gives.
    wanted: [u64; LANES],
    root: Type,
    /// What an equal term may cost at most.
    most: u32,
    widths: Vec<Type>,
    ops: Vec<Op>,
    made: Vec<Made>,
    known: HashMap<(Type, [u64; LANES]), usize, FxBuildHasher>,
    /// How many of those that were made are values, inner operations and few constants; and those with all constants.
    few: usize,
    leaves: usize,
    hits: Vec<Hit>,
}

impl<'a> Search<'a> {
    fn new(term: &'a Term, types: Types) -> Option<Self> {
        let amounts = term.amounts();
        let is_amount = |number: usize| amounts.contains(&Kind::Constant(number as u8));
        let inputs = Some(Inputs::new(term, is_amount)).filter(|inputs| inputs.values.len() == LANES)?;
        let has_division = term.ops().any(divides);
        let most = term.cost().checked_sub(1)?.min(if has_division { DEAREST } else { u32::MAX });
        let widths = term.types();
        let is_tried = |op: &Op| {
            let row = op.row();
            is_usual(*op)
                && row.operands.len() <= 2
                && row.cost <= most
                && (row.conversion.is_none() || widths.len() > 1)
        };
        let unusual = [Op::Signext, Op::Popcount, Op::Clz, Op::Ctz, Op::Bswap, Op::Rotl, Op::Rotr, Op::Abs];
        let is_asked = |op: &Op| !unusual.contains(op) || term.ops().any(|other| other == *op);
        let ops = table::ALL.iter().copied().filter(|op| is_tried(op) && is_asked(op)).collect();
        let root = term.root().ty;
        let mut search = Search {
            term,
            types,
            inputs,
            wanted: [0; LANES],
            root,
            most,
            widths,
            ops,
            made: Vec::new(),
            known: HashMap::default(),
            few: 0,
            leaves: 0,
            hits: Vec::new(),
        };
        for lane in 0..LANES {
            search.wanted[lane] = search.nodes_at(lane)?.last()?.unsigned();
        }
        Some(search)
    }

    /// The value of each node of the term for one input.
    fn nodes_at(&self, lane: usize) -> Option<Vec<Int>> {
        self.term.evaluate(&self.inputs.values[lane], &self.inputs.constants[lane])
    }

    /// Everything that costs nothing.
    fn leaves(&mut self) {
        let texts = pattern::texts(self.term, self.types);
        let nodes: Option<Vec<Vec<Int>>> = (0..LANES).map(|lane| self.nodes_at(lane)).collect();
        let Some(nodes) = nodes else { return };
        let last = self.term.nodes.len() - 1;
        for (at, node) in self.term.nodes[..last].iter().enumerate() {
            if matches!(node.kind, Kind::Value(_) | Kind::Op(..)) {
                let lanes = std::array::from_fn(|lane| nodes[lane][at].unsigned());
                let (text, kept) = (texts[at].clone(), self.below(at));
                let form = Form::Leaf { text, expression: None };
                self.add(Made { ty: node.ty, lanes, cost: 0, kept, of: Of::Values, form });
            }
        }
        let has_numbers = self.term.constant_types().is_empty();
        let constants = if has_numbers { self.numbers() } else { self.expressions(EXPRESSIONS) };
        for (number, (ty, lanes, text, expression)) in constants.into_iter().enumerate() {
            if number == FEW_EXPRESSIONS {
                self.few = self.made.len();
            }
            self.leaf(ty, lanes, Of::Constants, text, expression);
        }
        if self.few == 0 {
            self.few = self.made.len();
        }
        for ty in
            if has_numbers && !self.term.amounts().is_empty() { self.widths.clone() } else { Vec::new() }
        {
            for amount in 1..u64::from(ty.int_width().unwrap_or(1)) {
                self.leaf(ty, [amount; LANES], Of::Amount, amount.to_string(), None);
            }
        }
        self.leaves = self.made.len();
    }

    fn leaf(&mut self, ty: Type, lanes: [u64; LANES], of: Of, text: String, expression: Option<String>) {
        self.add(Made { ty, lanes, cost: 0, kept: 0, of, form: Form::Leaf { text, expression } });
    }

    /// Numbers that have to do with those of the term, of each of its types.
    fn numbers(&self) -> Vec<Constant> {
        let mut own: Vec<i64> = (self.term.nodes.iter())
            .filter_map(|node| if let Kind::Literal(number) = node.kind { Some(number) } else { None })
            .collect();
        own.dedup();
        let mut all = vec![0, 1, -1];
        all.extend(own.iter().flat_map(|&n| [n, !n, n.wrapping_neg(), n.wrapping_add(1), n.wrapping_sub(1)]));
        for &a in &own {
            for &b in &own {
                all.extend([
                    a.wrapping_add(b),
                    a.wrapping_sub(b),
                    a & b,
                    a | b,
                    a ^ b,
                    a.wrapping_mul(b),
                    a & !b,
                ]);
                if let (Some(left), Some(right)) = (a.checked_shl(b as u32), a.checked_shr(b as u32)) {
                    all.extend([left, right]);
                }
            }
        }
        let of_type = |ty: Type| {
            all.clone().into_iter().filter_map(move |number| {
                let word = Int::new(ty.int_width()?, number as u64);
                (word.signed() == number).then(|| (ty, [word.unsigned(); LANES], number.to_string(), None))
            })
        };
        self.widths.iter().flat_map(|&ty| of_type(ty)).collect()
    }

    /// Expressions over the constants of the term.
    fn expressions(&self, most: usize) -> Vec<Constant> {
        let text = format!("mined: {} => 0", pattern::pattern(self.term, self.types));
        let Ok(rule) = Draft::new(&text).read() else { return Vec::new() };
        let examples = self.examples(&rule);
        let mut types: Vec<(Ty, Type)> = Vec::new();
        for (number, ty) in self.term.constant_types().into_iter().enumerate() {
            let name = pattern::constant(number);
            if let Some((_, var)) = rule.vars.iter().find(|(_, var)| var.name == name)
                && types.iter().all(|(_, known)| *known != ty)
            {
                types.push((var.ty, ty));
            }
        }
        let mut all = Vec::new();
        for (of, ty) in types {
            let total =
                expressions(&rule, of, &examples).into_iter().filter(|expression| expression.is_total);
            for expression in total.take(most) {
                let lanes =
                    std::array::from_fn(|lane| expression.values[lane].expect("it is total").unsigned());
                let computed = (!expression.is_atom).then(|| expression.text.clone());
                all.push((ty, lanes, expression.text, computed));
            }
        }
        all
    }

    /// The inputs as examples of a rule.
    fn examples(&self, rule: &Rule) -> Vec<Example> {
        let mut types = vec![self.root; rule.types.len()];
        let mut of_name: Vec<(String, Type)> = Vec::new();
        for node in &self.term.nodes {
            match node.kind {
                Kind::Value(number) => of_name.push((pattern::value(number).to_owned(), node.ty)),
                Kind::Constant(number) => of_name.push((pattern::constant(number as usize), node.ty)),
                _ => {}
            }
        }
        for (_, var) in rule.vars.iter() {
            if let (Ty::Var(ty), Some((_, known))) =
                (var.ty, of_name.iter().find(|(name, _)| *name == var.name))
            {
                types[ty.index()] = *known;
            }
        }
        let example = |lane: usize| {
            let data = rule.vars.values().map(|var| {
                let constant =
                    (0..self.inputs.constants[lane].len()).find(|&n| pattern::constant(n) == var.name);
                constant.map(|number| Datum::Word(self.inputs.constants[lane][number]))
            });
            let (data, count) = (data.collect(), rule.vars.len());
            let case = Case { data, known: vec![None; count], defined: vec![None; count] };
            Example { types: types.clone(), case, holds: None, is_usual: true }
        };
        (0..LANES).map(example).collect()
    }

    /// The operations at and below a node, a bit for each.
    fn below(&self, at: usize) -> u32 {
        match &self.term.nodes[at].kind {
            Kind::Op(_, args) => args.iter().fold(1 << at, |all, &arg| all | self.below(arg as usize)),
            _ => 0,
        }
    }

    /// What new operations cost with those that stay.
    fn price(&self, cost: u32, kept: u32) -> u32 {
        let mut sum = cost;
        let mut left = kept;
        while left != 0 {
            if let Kind::Op(op, _) = self.term.nodes[left.trailing_zeros() as usize].kind {
                sum += op.row().cost;
            }
            left &= left - 1;
        }
        sum
    }

    /// Keeps a term that gives what none before does; one that gives what is wanted is noted instead, since nothing is made of it.
    fn add(&mut self, made: Made) {
        if made.ty == self.root && made.lanes == self.wanted {
            self.hit(&made.form, made.cost);
            return;
        }
        let key = (made.ty, made.lanes);
        if !self.known.contains_key(&key) {
            self.known.insert(key, self.made.len());
            self.made.push(made);
        }
    }

    fn hit(&mut self, form: &Form, cost: u32) {
        if self.hits.iter().filter(|hit| hit.cost == cost).count() >= HITS {
            return;
        }
        let mut steps = Vec::new();
        let target = self.text(form, self.root, &mut steps);
        self.hits.push(Hit { target, steps, cost });
    }

    fn text(&self, form: &Form, ty: Type, steps: &mut Vec<(String, String)>) -> String {
        match form {
            Form::Leaf { text, expression: None } => text.clone(),
            Form::Leaf { expression: Some(expression), .. } => {
                if let Some((name, _)) = steps.iter().find(|(_, known)| known == expression) {
                    return name.clone();
                }
                let name = pattern::constant(self.term.constant_types().len() + steps.len());
                steps.push((name.clone(), expression.clone()));
                name
            }
            Form::Op(op, args) => {
                let args: Vec<String> = args
                    .iter()
                    .map(|&arg| self.text(&self.made[arg].form, self.made[arg].ty, steps))
                    .collect();
                pattern::operation(*op, ty, &args, self.types)
            }
        }
    }

    /// Whether a term may be the amount of a shift: one that is in range everywhere, or that is an amount already.
    fn is_amount(&self, made: &Made) -> bool {
        let width = u64::from(made.ty.int_width().unwrap_or(64));
        made.of != Of::Values && made.lanes.iter().all(|&lane| lane < width)
            || matches!(&made.form, Form::Leaf { text, .. } if self.term.amounts().iter().any(
                |kind| matches!(kind, Kind::Value(number) if pattern::value(*number) == text)))
    }

    /// The types that an operation may give on operands.
    fn results(&self, op: Op, operands: &[Type]) -> Vec<Type> {
        let row = op.row();
        let fits = operands.iter().zip(row.operands).all(|(ty, shape)| shape.admits(*ty))
            && operands.windows(2).all(|pair| pair[0] == pair[1]);
        if !fits || operands.len() != row.operands.len() {
            return Vec::new();
        }
        match row.determines(row.results[0]) {
            true => vec![operands[0]],
            false => {
                let admits =
                    |ty: &Type| row.conversion.is_none_or(|conversion| conversion.admits(operands[0], *ty));
                self.widths.iter().copied().filter(admits).collect()
            }
        }
    }

    /// Hands each operation on operands of two ranges of what was made to `found`, with its type, its cost and what stays for it, if
    /// that is cheap enough.
    fn each(&self, first: std::ops::Range<usize>, second: std::ops::Range<usize>, found: &mut Takes<'_>) {
        for &op in &self.ops {
            let own = op.row().cost;
            for a in first.clone() {
                let left = &self.made[a];
                if self.price(own + left.cost, left.kept) > self.most || left.of == Of::Amount {
                    continue;
                }
                if op.row().operands.len() == 1 {
                    if left.of == Of::Values {
                        self.results(op, &[left.ty])
                            .into_iter()
                            .for_each(|ty| found(op, &[a], ty, [own + left.cost, left.kept]));
                    }
                    continue;
                }
                for b in second.clone() {
                    let right = &self.made[b];
                    let (cost, kept) = (own + left.cost + right.cost, left.kept | right.kept);
                    if left.ty != right.ty
                        || self.price(cost, kept) > self.most
                        || left.of != Of::Values && right.of != Of::Values
                        || right.of == Of::Amount && op.row().amount.is_none()
                    {
                        continue;
                    }
                    let orders = [[a, b], [b, a]];
                    let is_one = op.row().algebra.commutative || a == b || right.of == Of::Amount;
                    let count = if is_one { 1 } else { 2 };
                    for order in &orders[..count] {
                        if op.row().amount.is_none() || self.is_amount(&self.made[order[1]]) {
                            self.results(op, &[left.ty, right.ty])
                                .into_iter()
                                .for_each(|ty| found(op, order, ty, [cost, kept]));
                        }
                    }
                }
            }
        }
    }

    fn lane(&self, op: Op, args: &[usize], ty: Type, lane: usize) -> Option<u64> {
        let mut words = [Int::new(1, 0); 2];
        for (word, &arg) in words.iter_mut().zip(args) {
            let made = &self.made[arg];
            *word = Int::new(made.ty.int_width()?, made.lanes[lane]);
        }
        Some(compute(op, &words[..args.len()], ty)?.unsigned())
    }

    fn one_operation(&mut self) {
        let mut new = Vec::new();
        self.each(0..self.leaves, 0..self.leaves, &mut |op, args, ty, [cost, kept]| {
            let mut lanes = [0; LANES];
            for (number, value) in lanes.iter_mut().enumerate() {
                match self.lane(op, args, ty, number) {
                    Some(word) => *value = word,
                    None => return,
                }
            }
            new.push(Made { ty, lanes, cost, kept, of: Of::Values, form: Form::Op(op, args.to_vec()) });
        });
        for made in new {
            if self.made.len() < TERMS {
                self.add(made);
            }
        }
    }

    /// Terms of two operations are compared and not kept.
    fn two_operations(&mut self) {
        let mut hits = Vec::new();
        self.each(self.leaves..self.made.len(), 0..self.few, &mut |op, args, ty, [cost, _]| {
            if ty == self.root && self.is_wanted(op, args, ty) && hits.len() < HITS {
                hits.push((Form::Op(op, args.to_vec()), cost));
            }
        });
        hits.iter().for_each(|(form, cost)| self.hit(form, *cost));
    }

    fn is_wanted(&self, op: Op, args: &[usize], ty: Type) -> bool {
        (0..LANES).all(|lane| self.lane(op, args, ty, lane) == Some(self.wanted[lane]))
    }

    /// Of three operations, the last of two terms of one: for a sum, a difference and a symmetric difference the other operand is
    /// computed and looked up, for conjunctions and disjunctions few operands come into question.
    fn three_operations(&mut self) {
        let mut hits: Vec<(Op, usize, usize)> = Vec::new();
        let width = self.root.int_width().unwrap_or(64);
        let mask = Int::new(width, u64::MAX).unsigned();
        let singles: Vec<usize> =
            (self.leaves..self.made.len()).filter(|&at| self.made[at].ty == self.root).collect();
        let undo: [(Op, Undo); 3] = [
            (Op::Add, |t, a| t.wrapping_sub(a)),
            (Op::Sub, |t, a| a.wrapping_sub(t)),
            (Op::Xor, |t, a| t ^ a),
        ];
        for (op, other) in undo {
            for &a in &singles {
                let lanes =
                    std::array::from_fn(|lane| other(self.wanted[lane], self.made[a].lanes[lane]) & mask);
                if let Some(&b) = self.known.get(&(self.root, lanes)) {
                    hits.push((op, a, b));
                }
            }
        }
        let parts: [(Op, Contains); 2] = [(Op::And, |a, t| a & t == t), (Op::Or, |a, t| a | t == t)];
        for (op, contains) in parts {
            let fitting =
                |&&a: &&usize| (0..LANES).all(|lane| contains(self.made[a].lanes[lane], self.wanted[lane]));
            let fitting: Vec<usize> = singles.iter().filter(fitting).copied().collect();
            for (index, &a) in fitting.iter().enumerate() {
                for &b in &fitting[index + 1..] {
                    if self.is_wanted(op, &[a, b], self.root) {
                        hits.push((op, a, b));
                    }
                }
            }
        }
        for (op, a, b) in hits {
            let (left, right) = (&self.made[a], &self.made[b]);
            let cost = op.row().cost + left.cost + right.cost;
            if self.price(cost, left.kept | right.kept) <= self.most {
                self.hit(&Form::Op(op, vec![a, b]), cost);
            }
        }
    }

    /// The last operation has a number that is computed from what it has to give: a mask, a summand, a factor.
    fn constants_that_fit(&mut self) {
        if !self.term.constant_types().is_empty() {
            return;
        }
        let width = self.root.int_width().unwrap_or(64);
        let fits = |number: u64| Int::new(width, number);
        let ways: [(Op, Fitting); 5] = [
            (Op::And, mask),
            (Op::Or, set_bits),
            (Op::Xor, difference),
            (Op::Add, summand),
            (Op::Mul, factor),
        ];
        let mut hits = Vec::new();
        for at in
            (0..self.made.len()).filter(|&at| self.made[at].ty == self.root && self.made[at].of == Of::Values)
        {
            for (op, way) in ways {
                let cost = op.row().cost + self.made[at].cost;
                if self.price(cost, self.made[at].kept) > self.most {
                    continue;
                }
                let Some(number) = way(&self.made[at].lanes, &self.wanted) else { continue };
                let word = fits(number);
                let is_right = (0..LANES).all(|lane| {
                    let left = fits(self.made[at].lanes[lane]);
                    compute(op, &[left, word], self.root)
                        .is_some_and(|given| given.unsigned() == self.wanted[lane])
                });
                if is_right {
                    hits.push((op, at, word, cost));
                }
            }
        }
        for (op, at, word, cost) in hits {
            let left = self.text(&self.made[at].form, self.root, &mut Vec::new());
            let target = pattern::operation(op, self.root, &[left, word.signed().to_string()], self.types);
            if self.hits.iter().filter(|hit| hit.cost == cost).count() < 2 * HITS {
                self.hits.push(Hit { target, steps: Vec::new(), cost });
            }
        }
    }
}

/// The number with which an operation on these gives those, if there is one.
type Fitting = fn(&[u64; LANES], &[u64; LANES]) -> Option<u64>;

fn mask(from: &[u64; LANES], to: &[u64; LANES]) -> Option<u64> {
    let (kept, cleared) =
        from.iter().zip(to).fold((0, 0), |(kept, cleared), (a, t)| (kept | t, cleared | a & !t));
    (kept & cleared == 0).then_some(kept)
}

fn set_bits(from: &[u64; LANES], to: &[u64; LANES]) -> Option<u64> {
    let (set, left) = from.iter().zip(to).fold((0, 0), |(set, left), (a, t)| (set | t & !a, left | a & !t));
    (left == 0).then_some(set)
}

fn difference(from: &[u64; LANES], to: &[u64; LANES]) -> Option<u64> {
    Some(from[0] ^ to[0])
}

fn summand(from: &[u64; LANES], to: &[u64; LANES]) -> Option<u64> {
    Some(to[0].wrapping_sub(from[0]))
}

fn factor(from: &[u64; LANES], to: &[u64; LANES]) -> Option<u64> {
    let lane = from.iter().position(|a| a & 1 == 1)?;
    // Newton's iteration for the inverse modulo a power of two: each step doubles the bits that are right.
    let inverse =
        (0..6).fold(from[lane], |x, _| x.wrapping_mul(2u64.wrapping_sub(from[lane].wrapping_mul(x))));
    Some(to[lane].wrapping_mul(inverse))
}

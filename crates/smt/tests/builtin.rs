//! The built-in solver: its circuits against the machine at every value of small widths, its search
//! against enumeration, and its checker against corrupted refutations.

use std::time::{Duration, Instant};

use planish_ops::{Bits, Datum, Fold, Int, Machine, Op, Type, fold};
use planish_smt::cnf::{Cnf, Lit};
use planish_smt::refutation::{self, Flaw};
use planish_smt::sat::{self, Outcome};
use planish_smt::{Budget, Builtin, Model, Pool, Query, Reason, Sort, Verdict, decide};

const LIMIT: Duration = Duration::from_secs(60);

fn soon() -> Budget {
    Budget::new(LIMIT)
}

fn check(cnf: &Cnf, log: &refutation::Refutation) -> Result<(), Flaw> {
    refutation::check(cnf, log, &soon())
}

fn words(width: u32) -> impl Iterator<Item = Int> + Clone {
    (0..1u64 << width).map(move |v| Int::new(width, v))
}

/// Asks whether, for inputs that equal a tuple, the circuit of `op` can give something else than the
/// machine, and whether it can give what the machine gives. Inputs stay variables in the circuit.
fn compare(op: Op, width: u32, to: Type) {
    let arity = op.row().operands.len();
    let tuples: Vec<Vec<Int>> = match arity {
        1 => words(width).map(|x| vec![x]).collect(),
        _ => words(width).flat_map(|x| words(width).map(move |y| vec![x, y])).collect(),
    };
    for tuple in tuples {
        let mut pool = Pool::new();
        let variables: Vec<_> =
            (0..arity).map(|i| pool.variable(&format!("x{i}"), Sort::Bits(width))).collect();
        let args: Vec<Datum<Pool>> = variables.iter().map(|&t| Datum::Word(t)).collect();
        let meaning = op.meaning(&mut pool, &args, &[to]).expect("a meaning");
        let mut given = Vec::new();
        for (&variable, &value) in variables.iter().zip(&tuple) {
            let constant = pool.constant(value.into());
            given.push(pool.eq(variable, constant));
        }
        let machine: Vec<Datum<Machine>> = tuple.iter().map(|&x| Datum::Word(x)).collect();
        let holds = match fold(op, &machine, &[to]).expect("a meaning") {
            Fold::Undefined => {
                let defined = meaning.defined.expect("partial");
                pool.negate(defined)
            }
            Fold::Int(value) => {
                let expected = pool.constant(value.into());
                pool.eq(meaning.value.word(), expected)
            }
            Fold::Pair(value, flag) => {
                let (expected, flag) = (pool.constant(value.into()), pool.constant(flag.into()));
                let value_right = pool.eq(meaning.value.word(), expected);
                let flag_right = pool.eq(meaning.flag.expect("two results"), flag);
                pool.both(value_right, flag_right)
            }
            Fold::Real(_) => unreachable!("only words are compared"),
        };
        let fails = pool.negate(holds);
        let ask = |pool: &Pool, last| {
            decide(
                &mut Builtin::default(),
                pool,
                &Query::new([given.as_slice(), &[last]].concat()),
                &mut soon(),
            )
        };
        assert_eq!(ask(&pool, fails), Verdict::Unsat, "{op}{tuple:?}");
        assert!(matches!(ask(&pool, holds), Verdict::Sat(_)), "{op}{tuple:?}");
    }
}

#[test]
fn circuits_agree_with_the_machine_at_every_value() {
    let binary = [
        Op::Add,
        Op::Sub,
        Op::Mul,
        Op::Umulh,
        Op::Smulh,
        Op::Udiv,
        Op::Urem,
        Op::Sdiv,
        Op::Srem,
        Op::FloorDiv,
        Op::FloorMod,
        Op::And,
        Op::Or,
        Op::Xor,
        Op::Lshift,
        Op::Rshift,
        Op::Urshift,
        Op::Rotl,
        Op::Signext,
        Op::Min,
        Op::Umax,
        Op::AddOvf,
        Op::MulOvf,
        Op::UmulOvf,
        Op::Ult,
        Op::Le,
    ];
    for op in binary {
        compare(op, 3, Type::Int(3));
    }
    // Widths around a power of two exercise the shifters' stages.
    for op in [Op::Lshift, Op::Rshift, Op::Urshift, Op::Sdiv] {
        compare(op, 1, Type::Int(1));
        compare(op, 2, Type::Int(2));
        compare(op, 4, Type::Int(4));
    }
    for op in [Op::Neg, Op::Not, Op::Abs, Op::Clz, Op::Ctz, Op::Popcount, Op::IsTrue, Op::ForceGeZero] {
        compare(op, 4, Type::Int(4));
    }
    compare(Op::Sext, 3, Type::Int(5));
    compare(Op::Zext, 3, Type::Int(5));
    compare(Op::Trunc, 4, Type::Int(2));
}

/// Shifts by an amount that is not masked: the primitives themselves.
#[test]
fn shift_circuits_agree_beyond_the_width() {
    type Shift = fn(&mut Pool, planish_smt::Term, planish_smt::Term) -> planish_smt::Term;
    type Expected = fn(&mut Machine, Int, Int) -> Int;
    let shifts: [(Shift, Expected); 3] = [
        (|p, a, b| p.shl(a, b), |m, a, b| m.shl(a, b)),
        (|p, a, b| p.lshr(a, b), |m, a, b| m.lshr(a, b)),
        (|p, a, b| p.ashr(a, b), |m, a, b| m.ashr(a, b)),
    ];
    for (shift, expected) in shifts {
        for (x, y) in words(3).flat_map(|x| words(3).map(move |y| (x, y))) {
            let mut pool = Pool::new();
            let (a, b) = (pool.variable("a", Sort::Bits(3)), pool.variable("b", Sort::Bits(3)));
            let (cx, cy) = (pool.constant(x.into()), pool.constant(y.into()));
            let (is_x, is_y) = (pool.eq(a, cx), pool.eq(b, cy));
            let shifted = shift(&mut pool, a, b);
            let right = pool.constant(expected(&mut Machine, x, y).into());
            let wrong = pool.ne(shifted, right);
            let query = Query::new(vec![is_x, is_y, wrong]);
            assert_eq!(
                decide(&mut Builtin::default(), &pool, &query, &mut soon()),
                Verdict::Unsat,
                "{x:?} {y:?}"
            );
        }
    }
}

#[test]
fn a_claim_about_words_of_64_bits_is_proved_and_a_wrong_one_refuted() {
    let mut pool = Pool::new();
    let (x, y) = (pool.variable("x", Sort::Bits(64)), pool.variable("y", Sort::Bits(64)));
    // x + y = (x ^ y) + 2 (x & y)
    let (sum, xor, and, one) = (pool.add(x, y), pool.xor(x, y), pool.and(x, y), pool.word(64, 1));
    let twice = pool.shl(and, one);
    let right = pool.add(xor, twice);
    let differ = pool.ne(sum, right);
    assert_eq!(
        decide(&mut Builtin::default(), &pool, &Query::new(vec![differ]), &mut soon()),
        Verdict::Unsat
    );
    let differ = pool.ne(sum, xor);
    let verdict = decide(&mut Builtin::default(), &pool, &Query::new(vec![differ]), &mut soon());
    assert!(matches!(verdict, Verdict::Sat(_)), "{verdict:?}");
}

#[test]
fn bits_of_floats_are_decided_and_their_rounding_is_not() {
    use planish_ops::{FloatFormat, Floats};
    let mut pool = Pool::new();
    let [x, y, z] = ["x", "y", "z"].map(|name| pool.variable(name, Sort::Float(FloatFormat::F64)));
    let ask =
        |pool: &Pool, claim| decide(&mut Builtin::default(), pool, &Query::new(vec![claim]), &mut soon());
    let is_nan = pool.f_is_nan(x);
    assert!(matches!(ask(&pool, is_nan), Verdict::Sat(_)));
    // Neither less, nor greater, nor equal, and no NaN.
    let (less, greater, equal) = (pool.f_lt(x, y), pool.f_lt(y, x), pool.f_eq(x, y));
    let other_is_nan = pool.f_is_nan(y);
    let some = [less, greater, equal, is_nan, other_is_nan];
    let always = some.into_iter().reduce(|all, one| pool.either(all, one)).expect("some");
    let never = pool.negate(always);
    assert_eq!(ask(&pool, never), Verdict::Unsat);
    let (sum, turned) = (pool.f_add(x, y), pool.f_add(y, x));
    let same = pool.f_same(sum, turned);
    let differs = pool.negate(same);
    assert_eq!(ask(&pool, differs), Verdict::Unsat);
    // Not associative, and no theorem says so.
    let (left, inner) = (pool.f_add(sum, z), pool.f_add(y, z));
    let right = pool.f_add(x, inner);
    let same = pool.f_same(left, right);
    let differs = pool.negate(same);
    let verdict = ask(&pool, differs);
    assert!(matches!(verdict, Verdict::Sat(_) | Verdict::Unknown(Reason::Unsupported(_))), "{verdict:?}");
}

#[test]
fn time_ends() {
    let mut pool = Pool::new();
    // A product of two unknowns that is a product of two large primes.
    let (a, b) = (pool.variable("a", Sort::Bits(64)), pool.variable("b", Sort::Bits(64)));
    let (half, product) = (pool.word(64, 1 << 32), pool.word(64, 4_294_967_291 * 4_294_967_279));
    let (multiplied, small, below) = (pool.mul(a, b), pool.ult(a, half), pool.ult(b, half));
    let (found, zero) = (pool.eq(multiplied, product), pool.word(64, 4_000_000_000));
    let (large, larger) = (pool.ult(zero, a), pool.ult(a, b));
    let query = Query::new(vec![small, below, found, large, larger]);
    let start = Instant::now();
    let verdict =
        decide(&mut Builtin::default(), &pool, &query, &mut Budget::new(Duration::from_millis(200)));
    assert!(!matches!(verdict, Verdict::Unsat), "{verdict:?}");
    assert!(start.elapsed() < Duration::from_secs(20));
}

/// A small generator of numbers, the same on every run (xorshift).
struct Numbers(u64);

impl Numbers {
    fn below(&mut self, bound: u64) -> u64 {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        self.0 % bound
    }
}

fn random_formula(numbers: &mut Numbers, variables: u64, clauses: u64) -> (Cnf, Vec<Vec<Lit>>) {
    let mut cnf = Cnf::new();
    let lits: Vec<Lit> = (0..variables).map(|_| cnf.variable()).collect();
    let mut list = Vec::new();
    for _ in 0..clauses {
        let clause: Vec<Lit> = (0..1 + numbers.below(3) + numbers.below(2))
            .map(|_| {
                let lit = lits[numbers.below(variables) as usize];
                if numbers.below(2) == 1 { !lit } else { lit }
            })
            .collect();
        cnf.add(&clause);
        list.push(clause);
    }
    (cnf, list)
}

fn holds(clauses: &[Vec<Lit>], assignment: impl Fn(u32) -> bool) -> bool {
    clauses.iter().all(|clause| clause.iter().any(|lit| assignment(lit.variable()) != lit.is_negated()))
}

#[test]
fn the_search_agrees_with_enumeration_on_random_formulas() {
    let mut numbers = Numbers(0x9e37_79b9_7f4a_7c15);
    let (mut yes, mut no) = (0, 0);
    for round in 0..3000 {
        let variables = 3 + numbers.below(8);
        let clauses = variables * 2 + numbers.below(variables * 3);
        let (cnf, list) = random_formula(&mut numbers, variables, clauses);
        let satisfiable = (0u32..1 << variables).any(|bits| holds(&list, |v| bits >> v & 1 == 1));
        match sat::solve(&cnf, &mut soon()) {
            Outcome::Satisfiable(assignment) => {
                assert!(satisfiable && holds(&list, |v| assignment[v as usize]), "round {round}");
                yes += 1;
            }
            Outcome::Refuted(log) => {
                assert!(!satisfiable, "round {round}");
                assert_eq!(check(&cnf, &log), Ok(()), "round {round}");
                no += 1;
            }
            other => panic!("{other:?}"),
        }
    }
    assert!(yes > 300 && no > 300, "{yes} {no}");
}

/// n + 1 pigeons in n holes: hard for resolution, so that clauses are forgotten and memory is compacted.
fn pigeons(holes: usize) -> Cnf {
    let mut cnf = Cnf::new();
    let sits: Vec<Vec<Lit>> = (0..=holes).map(|_| (0..holes).map(|_| cnf.variable()).collect()).collect();
    for pigeon in &sits {
        cnf.add(pigeon);
    }
    for (a, pigeon) in sits.iter().enumerate() {
        for other in &sits[..a] {
            for (&here, &there) in pigeon.iter().zip(other) {
                cnf.add(&[!here, !there]);
            }
        }
    }
    cnf
}

#[test]
fn a_long_refutation_is_accepted_with_clauses_forgotten_on_the_way() {
    let cnf = pigeons(8);
    let Outcome::Refuted(log) = sat::solve(&cnf, &mut soon()) else { panic!("pigeons do not fit") };
    assert!(log.len() > 2000, "only {} clauses were learned: nothing was forgotten", log.len());
    assert_eq!(check(&cnf, &log), Ok(()));
}

#[test]
fn corrupted_refutations_are_rejected() {
    let cnf = pigeons(4);
    let Outcome::Refuted(log) = sat::solve(&cnf, &mut soon()) else { panic!("pigeons do not fit") };
    assert_eq!(check(&cnf, &log), Ok(()));
    // Some changes leave a correct refutation: another hint may do as well, and a stronger clause may
    // follow too. Then what is accepted must be right, which the formula without a clause shows.
    let (mut rejected, mut accepted) = (0, 0);
    let mut copy = log.clone();
    for index in 0..copy.words_mut().len() {
        let word = copy.words_mut()[index];
        for wrong in [word ^ 1, word.wrapping_add(7), 0] {
            copy.words_mut()[index] = wrong;
            match check(&cnf, &copy) {
                Ok(()) => accepted += 1,
                Err(_) => rejected += 1,
            }
        }
        copy.words_mut()[index] = word;
    }
    assert!(rejected > 5 * accepted, "{rejected} rejected, {accepted} accepted");
    // A refutation of another formula is none of a satisfiable one.
    let mut weaker = Cnf::new();
    let lits: Vec<Lit> = (0..cnf.variable_count()).map(|_| weaker.variable()).collect();
    for clause in cnf.clauses().skip(1) {
        weaker.add(clause);
    }
    assert!(check(&weaker, &log).is_err());
    let assignment = match sat::solve(&weaker, &mut soon()) {
        Outcome::Satisfiable(assignment) => assignment,
        other => panic!("{other:?}"),
    };
    assert_eq!(assignment.len(), lits.len());
    // Nothing that is learned by a log with every word changed in turn refutes a satisfiable formula.
    for index in 0..copy.words_mut().len() {
        let word = copy.words_mut()[index];
        for wrong in [word ^ 1, word ^ 2, word.wrapping_add(1), 0] {
            copy.words_mut()[index] = wrong;
            assert!(check(&weaker, &copy).is_err(), "word {index} as {wrong}");
        }
        copy.words_mut()[index] = word;
    }
}

#[test]
fn a_log_without_the_empty_clause_proves_nothing() {
    let cnf = pigeons(2);
    assert_eq!(check(&cnf, &refutation::Refutation::new()), Err(Flaw::NoContradiction));
}

#[test]
fn models_name_every_variable_of_the_query() {
    let mut pool = Pool::new();
    let (x, p) = (pool.variable("x", Sort::Bits(8)), pool.variable("p", Sort::Bool));
    let (five, not_p) = (pool.word(8, 5), pool.negate(p));
    let is_five = pool.eq(x, five);
    let query = Query::new(vec![is_five, not_p]);
    let Verdict::Sat(model) = decide(&mut Builtin::default(), &pool, &query, &mut soon()) else { panic!() };
    assert_ne!(model, Model::new());
    assert_eq!(model.evaluate(&pool, &[x])[0].int(), Int::new(8, 5));
    assert!(!model.evaluate(&pool, &[p])[0].truth());
}

/// Questions that are split into cases when they take long.
#[test]
fn divisions_by_powers_of_two_and_shifts_beyond_the_width() {
    for width in [3, 8] {
        let mut pool = Pool::new();
        let [x, y, c] = ["x", "y", "c"].map(|name| pool.variable(name, Sort::Bits(width)));
        // x / c = x >> ctz(c) for a power of two c, and x * c = x << ctz(c).
        let (count, one) = (pool.popcount(c), pool.one(c));
        let power = pool.eq(count, one);
        let shift = pool.trailing_zeros(c);
        let (quotient, shifted) = (pool.udiv(x, c), pool.lshr(x, shift));
        let differ = pool.ne(quotient, shifted);
        let ask = |pool: &Pool, assertions: Vec<_>| {
            decide(&mut Builtin::default(), pool, &Query::new(assertions), &mut soon())
        };
        assert_eq!(ask(&pool, vec![power, differ]), Verdict::Unsat);
        // Without the premise it is wrong, which only the last case shows.
        assert!(matches!(ask(&pool, vec![differ]), Verdict::Sat(_)));
        // (x << y) >> y = x is wrong for shifts that lose bits, also for those by the width or more.
        let (up, bound) = (pool.shl(x, y), pool.word(width, u64::from(width)));
        let back = pool.lshr(up, y);
        let (lost, below) = (pool.ne(back, x), pool.ult(y, bound));
        let beyond = pool.negate(below);
        assert!(matches!(ask(&pool, vec![lost, beyond]), Verdict::Sat(_)));
        let nothing = pool.is_nonzero(up);
        assert_eq!(ask(&pool, vec![nothing, beyond]), Verdict::Unsat);
    }
}

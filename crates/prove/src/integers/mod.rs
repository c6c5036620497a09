//! What holds of numbers of any size, with certificates that a reader of polynomials checks.
//!
//! The built-in solver takes [theorems](planish_smt) about products and quotients to hold of words. Behind each stands a lemma
//! about integers, in which no width occurs. It is stated here as inequalities of polynomials, with a *certificate* in the sense of the
//! Positivstellensatz (Stengle, "A nullstellensatz and a positivstellensatz in semialgebraic geometry", Mathematische Annalen
//! 1974; as proofs of programs Harrison, "Verifying nonlinear real formulas via sums of squares", TPHOLs 2007): what is to be at least 0
//! is written as a sum of products of what is at least 0 by the premises, and of anything times what is 0 by them.
//! Whether both are one polynomial is a matter of expanding them. No solver is asked and no search is made.
//!
//! What remains to be said by people is how words are numbers: the argument of each lemma says it in a line, and the instances in words
//! are held at every value of small widths, and at random ones of 8 to 64 bits, by the tests of the solver.

mod lemmas;
pub mod polynomial;

use std::collections::BTreeSet;

use planish_smt::{Builtin, Solver, Theorem, Theorems};

use crate::ledger::{Entry, Expected, Fingerprint, Premise, Record, Standing, TimeClass};
pub use lemmas::LEMMAS;
use polynomial::{Names, Polynomial};

/// A lemma about integers.
pub struct Lemma {
    /// Its name.
    pub name: &'static str,
    /// What it says of words, and why that follows.
    pub says: &'static str,
    /// Names, each with the polynomial that it is.
    pub lets: &'static [(&'static str, &'static str)],
    /// What is at least 0, each with a name that certificates have for it.
    pub given: &'static [(&'static str, &'static str)],
    /// What is 0, each with such a name.
    pub zero: &'static [(&'static str, &'static str)],
    /// What follows, each with its certificate.
    pub then: &'static [Conclusion],
}

/// What follows from the premises of a lemma.
pub struct Conclusion {
    /// A polynomial that is at least 0; where nothing of `at_least` is said it is 0. `-1` says that the premises contradict
    /// each other.
    pub what: &'static str,
    /// A sum of products of what is given, which it is, up to multiples of what is 0.
    pub at_least: &'static str,
    /// A factor for each that is 0.
    pub multiples: &'static [(&'static str, &'static str)],
}

impl Lemma {
    /// Checks all certificates. An error names the one that is none.
    pub fn check(&self) -> Result<(), String> {
        let wrong = |what: &str, why: &str| format!("lemma {}: {what}: {why}", self.name);
        let mut names = Names::new();
        let lets = self.lets.iter();
        for &(name, text) in lets {
            let polynomial = Polynomial::read(text, &names).map_err(|why| wrong(name, &why))?;
            names.insert(name.to_owned(), polynomial);
        }
        let given: Vec<&str> = self.given.iter().map(|&(name, _)| name).collect();
        let mut premises = Names::new();
        for &(name, text) in self.given.iter().chain(self.zero) {
            let polynomial = Polynomial::read(text, &names).map_err(|why| wrong(name, &why))?;
            premises.insert(name.to_owned(), polynomial);
        }
        for Conclusion { what, at_least, multiples } in self.then {
            let read =
                |text: &str, names: &Names| Polynomial::read(text, names).map_err(|why| wrong(what, &why));
            if !read(at_least, &Names::new())?.is_positive_over(&given) {
                return Err(wrong(what, "its certificate is no sum of products of what is given"));
            }
            let mut sum = read(at_least, &premises)?;
            for (zero, factor) in *multiples {
                let of = premises.get(*zero).filter(|_| self.zero.iter().any(|(name, _)| name == zero));
                let of = of.ok_or_else(|| wrong(what, &format!("`{zero}` is not among what is 0")))?;
                sum = sum.plus(&of.times(&read(factor, &names)?), 1);
            }
            if sum != read(what, &names)? {
                return Err(wrong(what, "its certificate is another polynomial"));
            }
        }
        Ok(())
    }

    /// The name in the ledger.
    fn theorem(&self) -> String {
        format!("integers {}", self.name)
    }

    /// The lemma as what something rests on.
    pub fn premise(&self) -> Premise {
        Premise::new(self.theorem(), PART)
    }

    /// The hash of all that is stated, and of the certificates.
    pub fn hash(&self) -> Fingerprint {
        let pairs = [self.lets, self.given, self.zero].into_iter().flatten();
        let stated = pairs.flat_map(|&(name, text)| [name, text]);
        let concluded = self.then.iter().flat_map(|then| {
            let multiples = then.multiples.iter().flat_map(|&(name, factor)| [name, factor]);
            [then.what, then.at_least].into_iter().chain(multiples)
        });
        Fingerprint::of([self.says].into_iter().chain(stated).chain(concluded))
    }
}

/// The part of a lemma in the ledger: it is about all widths at once.
const PART: &str = "integers";

/// The lemma with a name. Panics where there is none.
pub fn named(name: &str) -> &'static Lemma {
    LEMMAS.iter().find(|lemma| lemma.name == name).unwrap_or_else(|| panic!("there is no lemma {name}"))
}

/// The lemmas behind a theorem of the built-in solver.
fn behind(theorem: Theorem) -> &'static [&'static str] {
    match theorem {
        Theorem::Nested => &["nested", "remainders", "quotient"],
        Theorem::Multiple => &["multiple", "part", "quotient"],
        Theorem::Sum => &["sum", "quotient"],
        Theorem::Exact => &["exact", "inverse", "quotient"],
        Theorem::Odd => &["odd multiples", "odd numbers have inverses"],
        Theorem::Divisible => &["divisible", "divisible and back", "odd numbers have inverses"],
        Theorem::Signs | Theorem::Division => &["quotient"],
        Theorem::Shifts => &["nested", "multiple", "part", "rotations", "compared"],
        Theorem::Zero => &["zero"],
        Theorem::Ordered => &["ordered"],
        Theorem::Between => &["between"],
        Theorem::Wide => &["zero"],
        Theorem::Monotone => &["monotone"],
        Theorem::OrderedQuotients => &["ordered quotients"],
        Theorem::Compared => &["compared", "quotient"],
        Theorem::Negated => &["negated", "quotient"],
        Theorem::Magic => &["magic from 0 on", "magic below 0", "quotient"],
        Theorem::LowBits => &["low bits"],
        Theorem::Steps => &["steps"],
        Theorem::Ranges => &["ranges"],
    }
}

/// What a refutation rests on that was given these theorems.
pub fn premises(theorems: Theorems) -> Vec<Premise> {
    let names: BTreeSet<&str> = theorems.iter().flat_map(behind).copied().collect();
    names.into_iter().map(|name| named(name).premise()).collect()
}

/// What the ledger must hold of the lemmas.
pub fn expected() -> Vec<Expected> {
    let one =
        |lemma: &Lemma| Expected { theorem: lemma.theorem(), parts: vec![(PART.to_owned(), lemma.hash())] };
    LEMMAS.iter().map(one).collect()
}

/// Checks the certificates of all lemmas. An error names one that is none, and shows a fault in this module.
pub fn prove() -> Result<Vec<Record>, String> {
    let one = |lemma: &Lemma| {
        lemma.check()?;
        let entry = Entry {
            part: PART.to_owned(),
            standing: Standing::Proved,
            hash: lemma.hash(),
            by: Builtin::default().name().to_owned(),
            time: TimeClass::Instant,
            premises: Vec::new(),
            note: "a certificate, expanded".to_owned(),
        };
        Ok(Record { theorem: lemma.theorem(), entries: vec![entry] })
    };
    LEMMAS.iter().map(one).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_certificate_is_one() {
        let records = prove().expect("every lemma has its certificate");
        assert_eq!(records.len(), expected().len());
    }

    /// Each lemma is there for a theorem, and no theorem is without one.
    #[test]
    fn theorems_rest_on_lemmas() {
        let all: Theorems = Theorem::ALL.into_iter().collect();
        assert!(Theorem::ALL.into_iter().all(|theorem| !behind(theorem).is_empty()));
        let mut names: Vec<&str> = LEMMAS.iter().map(|lemma| lemma.name).collect();
        names.sort_unstable();
        let premises: Vec<Premise> = names.iter().map(|name| named(name).premise()).collect();
        assert_eq!(super::premises(all), premises);
        assert_eq!(super::premises(Theorems::default()), []);
    }

    /// A lemma without one of its premises, or with a conclusion that says more, has no certificate.
    #[test]
    fn a_certificate_does_not_prove_more_than_it_says() {
        let lemma = |given: &'static [(&'static str, &'static str)], then: &'static [Conclusion]| Lemma {
            name: "test",
            says: "",
            lets: &[],
            given,
            zero: &[("E", "a - b")],
            then,
        };
        const GIVEN: &[(&str, &str)] = &[("A", "a"), ("B", "b - 1")];
        let then = &[Conclusion { what: "a*b", at_least: "A*(B + 1)", multiples: &[] }];
        assert!(lemma(GIVEN, then).check().is_ok());
        assert!(lemma(&[("A", "a")], then).check().is_err());
        for wrong in [
            &[Conclusion { what: "a*b - 1", at_least: "A*(B + 1)", multiples: &[] }],
            &[Conclusion { what: "a*b - 2*a", at_least: "A*(B + 1) - 2*A", multiples: &[] }],
            &[Conclusion { what: "0 - 1", at_least: "A*B", multiples: &[("E", "1")] }],
            &[Conclusion { what: "a", at_least: "B + 1", multiples: &[("A", "1")] }],
        ] {
            assert!(lemma(GIVEN, wrong).check().is_err(), "{}", wrong[0].what);
        }
        let equal = &[Conclusion { what: "a*a - b*b", at_least: "0", multiples: &[("E", "a + b")] }];
        assert!(lemma(GIVEN, equal).check().is_ok());
    }
}

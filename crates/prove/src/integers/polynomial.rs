//! Polynomials with whole coefficients, and how they are written: sums, differences and products of names and numbers.

use std::collections::BTreeMap;

/// A sum of monomials, each a sorted product of names, with coefficients other than 0.
#[derive(Clone, PartialEq, Eq, Default, Debug)]
pub struct Polynomial(BTreeMap<Vec<String>, i128>);

/// What names stand for.
pub type Names = BTreeMap<String, Polynomial>;

impl Polynomial {
    /// Reads one. A name that stands for nothing is an unknown. An error says what is not understood.
    pub fn read(text: &str, names: &Names) -> Result<Polynomial, String> {
        let mut reader = Reader { rest: text.trim_start(), names };
        let read = reader.sum()?;
        match reader.rest {
            "" => Ok(read),
            rest => Err(format!("`{rest}` is not understood in `{text}`")),
        }
    }

    fn constant(value: i128) -> Polynomial {
        let mut constant = Polynomial::default();
        constant.add(Vec::new(), value);
        constant
    }

    fn add(&mut self, monomial: Vec<String>, coefficient: i128) {
        let sum = self.0.entry(monomial).or_default();
        *sum += coefficient;
        self.0.retain(|_, coefficient| *coefficient != 0);
    }

    /// self + factor * other
    pub fn plus(&self, other: &Polynomial, factor: i128) -> Polynomial {
        let mut sum = self.clone();
        for (monomial, coefficient) in &other.0 {
            sum.add(monomial.clone(), coefficient * factor);
        }
        sum
    }

    /// self * other
    pub fn times(&self, other: &Polynomial) -> Polynomial {
        let mut product = Polynomial::default();
        for (left, a) in &self.0 {
            for (right, b) in &other.0 {
                let mut monomial: Vec<String> = left.iter().chain(right).cloned().collect();
                monomial.sort_unstable();
                product.add(monomial, a * b);
            }
        }
        product
    }

    /// Whether all coefficients are positive, and all names among these: then it is not negative where none of them is.
    pub fn is_positive_over(&self, names: &[&str]) -> bool {
        self.0.iter().all(|(monomial, &coefficient)| {
            coefficient > 0 && monomial.iter().all(|name| names.contains(&name.as_str()))
        })
    }
}

struct Reader<'a> {
    rest: &'a str,
    names: &'a Names,
}

impl Reader<'_> {
    fn takes(&mut self, symbol: char) -> bool {
        match self.rest.strip_prefix(symbol) {
            Some(rest) => {
                self.rest = rest.trim_start();
                true
            }
            None => false,
        }
    }

    fn sum(&mut self) -> Result<Polynomial, String> {
        let sign = if self.takes('-') { -1 } else { 1 };
        let mut sum = Polynomial::default().plus(&self.product()?, sign);
        loop {
            let sign = match (self.takes('+'), self.rest.starts_with('-')) {
                (true, _) => 1,
                (false, true) => {
                    self.takes('-');
                    -1
                }
                (false, false) => return Ok(sum),
            };
            sum = sum.plus(&self.product()?, sign);
        }
    }

    fn product(&mut self) -> Result<Polynomial, String> {
        let mut product = self.factor()?;
        while self.takes('*') {
            product = product.times(&self.factor()?);
        }
        Ok(product)
    }

    fn factor(&mut self) -> Result<Polynomial, String> {
        if self.takes('(') {
            let inner = self.sum()?;
            return if self.takes(')') {
                Ok(inner)
            } else {
                Err(format!("a `)` is missing before `{}`", self.rest))
            };
        }
        let end = self.rest.find(|c: char| !c.is_alphanumeric() && c != '\'').unwrap_or(self.rest.len());
        let (word, rest) = self.rest.split_at(end);
        self.rest = rest.trim_start();
        match word.parse() {
            _ if word.is_empty() => Err(format!("a name or number is missing before `{rest}`")),
            Ok(number) => Ok(Polynomial::constant(number)),
            Err(_) => Ok(self.names.get(word).cloned().unwrap_or_else(|| {
                let mut unknown = Polynomial::default();
                unknown.add(vec![word.to_owned()], 1);
                unknown
            })),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_written_in_two_ways_is_one_polynomial() {
        let read = |text: &str| Polynomial::read(text, &Names::new()).expect(text);
        assert_eq!(read("(a + b) * (a - b)"), read("a*a - b * b"));
        assert_eq!(read("-a + 2*a*1 - a"), read("0"));
        assert_ne!(read("a*b"), read("a'*b"));
        assert_eq!(read("x' * (y - 3)"), read("y*x' - 3*x'"));
    }

    #[test]
    fn names_stand_for_what_they_are_given() {
        let mut names = Names::new();
        names.insert("s".to_owned(), Polynomial::read("a + 1", &names).expect("it is one"));
        let square = Polynomial::read("s * s", &names).expect("it is one");
        assert_eq!(square, Polynomial::read("a*a + 2*a + 1", &Names::new()).expect("it is one"));
        assert!(square.is_positive_over(&["a"]) && !square.is_positive_over(&["b"]));
        assert!(!Polynomial::read("a - 1", &names).expect("it is one").is_positive_over(&["a"]));
    }

    #[test]
    fn what_is_no_polynomial_is_an_error_with_its_place() {
        for wrong in ["a +", "(a", "a / b", "", "a b", "a)"] {
            assert!(Polynomial::read(wrong, &Names::new()).is_err(), "{wrong}");
        }
    }
}

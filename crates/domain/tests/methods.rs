//! The methods that rules may call: their names, and the compact answers beside the generic ones.

use planish_domain::enumerate::{facts, words};
use planish_domain::methods::{Kind, METHODS, Method, Value};
use planish_domain::{Fact, IntFact};
use planish_ops::{Int, Machine};

/// S5.13: what PyPy's rules call and read.
#[test]
fn the_names_of_pypys_rules_are_there() {
    let methods = [
        ("known_eq_const", Some(Kind::Word), Kind::Bool),
        ("known_lt_const", Some(Kind::Word), Kind::Bool),
        ("known_le_const", Some(Kind::Word), Kind::Bool),
        ("known_gt_const", Some(Kind::Word), Kind::Bool),
        ("known_ge_const", Some(Kind::Word), Kind::Bool),
        ("known_lt", Some(Kind::Fact), Kind::Bool),
        ("known_le", Some(Kind::Fact), Kind::Bool),
        ("known_gt", Some(Kind::Fact), Kind::Bool),
        ("known_ge", Some(Kind::Fact), Kind::Bool),
        ("known_ne", Some(Kind::Fact), Kind::Bool),
        ("known_nonnegative", None, Kind::Bool),
        ("is_constant", None, Kind::Bool),
        ("is_bool", None, Kind::Bool),
        ("get_constant_int", None, Kind::Word),
        ("and_bound", Some(Kind::Fact), Kind::Fact),
        ("or_bound", Some(Kind::Fact), Kind::Fact),
        ("xor_bound", Some(Kind::Fact), Kind::Fact),
        ("add_bound", Some(Kind::Fact), Kind::Fact),
        ("sub_bound", Some(Kind::Fact), Kind::Fact),
        ("mul_bound", Some(Kind::Fact), Kind::Fact),
        ("lshift_bound", Some(Kind::Fact), Kind::Fact),
        ("rshift_bound", Some(Kind::Fact), Kind::Fact),
        ("urshift_bound", Some(Kind::Fact), Kind::Fact),
        ("add_bound_cannot_overflow", Some(Kind::Fact), Kind::Bool),
        ("sub_bound_cannot_overflow", Some(Kind::Fact), Kind::Bool),
        ("mul_bound_cannot_overflow", Some(Kind::Fact), Kind::Bool),
        ("lshift_bound_cannot_overflow", Some(Kind::Fact), Kind::Bool),
    ];
    for (name, argument, result) in methods {
        let method = Method::named(name).unwrap_or_else(|| panic!("{name} is missing"));
        assert_eq!((method.args, method.result), (argument.as_slice(), result), "{name}");
        assert!(!method.attribute, "{name}");
    }
    for name in ["lower", "upper", "tvalue", "tmask", "ones", "zeros"] {
        let method = Method::named(name).unwrap_or_else(|| panic!("{name} is missing"));
        assert!(method.attribute && method.result == Kind::Word && method.args.is_empty(), "{name}");
    }
    assert!(Method::named("known").is_none());
}

#[test]
fn names_are_unique_and_every_method_says_what_it_answers() {
    for (i, method) in METHODS.iter().enumerate() {
        assert!(METHODS[..i].iter().all(|other| other.name != method.name), "{}", method.name);
        assert!(!method.doc.trim().is_empty());
        assert!(method.args.len() <= 1);
    }
}

/// The answer of a method through the table.
fn call(name: &str, f: IntFact, argument: Option<Value<Machine>>) -> Value<Machine> {
    Method::named(name).expect("a method").call(&mut Machine, f.to_words(), argument.as_slice())
}

#[test]
fn methods_of_compact_facts_answer_as_the_table_does() {
    let all = facts(3);
    for &f in &all {
        assert_eq!(f.lower(), call("lower", f, None).word());
        assert_eq!(f.upper(), call("upper", f, None).word());
        assert_eq!(f.tmask(), call("tmask", f, None).word());
        assert_eq!(f.is_bool(), call("is_bool", f, None).bool());
        assert_eq!(f.neg_bound(), IntFact::from_words(call("neg_bound", f, None).fact()));
        for c in words(3) {
            let answer = |name| call(name, f, Some(Value::Word(c))).bool();
            assert_eq!(f.known_eq_const(c), answer("known_eq_const"));
            assert_eq!(f.known_ge_const(c), answer("known_ge_const"));
        }
        for &g in &all {
            let argument = || Some(Value::Fact(g.to_words()));
            let fact = |name| -> Fact<Int> { call(name, f, argument()).fact() };
            assert_eq!(f.and_bound(g), IntFact::from_words(fact("and_bound")));
            assert_eq!(f.lshift_bound(g), IntFact::from_words(fact("lshift_bound")));
            assert_eq!(f.known_ne(g), call("known_ne", f, argument()).bool());
        }
    }
}

/// A rule does not apply where a method has no answer.
#[test]
fn only_a_constant_has_a_constant() {
    let method = Method::named("get_constant_int").expect("a method");
    for f in facts(3) {
        let defined = method.defined(&mut Machine, f.to_words());
        assert_eq!(defined, Some(f.as_constant().is_some()));
        if let Some(constant) = f.as_constant() {
            assert_eq!(f.get_constant_int(), constant);
        }
    }
    assert_eq!(Method::named("lower").expect("a method").defined(&mut Machine, facts(1)[0].to_words()), None);
}

use planish_ops::Floats;

use super::*;

/// Floats of all kinds, and such as are near halves of the last digit.
fn numbers(format: FloatFormat) -> Vec<Value> {
    let edges: [f64; 14] =
        [0.0, 1.0, 3.0, 0.1, 1.5, 1e-45, 1e-40, 1.18e-38, 3.4e38, 16_777_217.0, 5e-324, 1e-310, 1.7e308, 2.0];
    let mut encodings: Vec<u64> = match format {
        FloatFormat::F32 => edges.iter().map(|&x| u64::from((x as f32).to_bits())).collect(),
        FloatFormat::F64 => edges.iter().map(|x| x.to_bits()).collect(),
    };
    let layout = Layout::of(format);
    encodings.extend([layout.exponent, layout.nan(), layout.exponent - 1, 1 << layout.digits, 1]);
    let mut state = 0x9e37_79b9_7f4a_7c15u64;
    for _ in 0..24 {
        state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        encodings.push(state >> (64 - layout.width));
    }
    let signs = encodings.iter().flat_map(|&e| [e, e ^ layout.sign]);
    signs.map(|e| Value::float(format, e)).collect()
}

/// The words that stand for a query and the facts about them, with every unknown word given its true value: all facts
/// hold, and an assertion holds in words where it does in floats.
fn holds_of(pool: &Pool, query: &Query, model: &Model) {
    let mut words = pool.clone();
    let narrow = &narrowed::narrowed(&mut words, query);
    let reached = words.reachable(&narrow.assertions);
    let mut encoder = Encoder {
        pool: &mut words,
        images: vec![None; reached.len()],
        facts: Vec::new(),
        unknown: Vec::new(),
        variables: Vec::new(),
        narrow: Vec::new(),
    };
    for index in (0..reached.len()).filter(|&index| reached[index]) {
        let image = encoder.image(Term::from_index(index));
        encoder.images[index] = Some(image);
    }
    let unknown = encoder.unknown.clone();
    encoder.relate();
    let Encoder { images, facts, variables, .. } = encoder;
    let mut known = model.clone();
    let encoding = |value: Value| match value {
        Value::Float(real) => {
            Value::bits(real.format().bits(), u128::from(Value::from(real).real().to_bits()))
        }
        other => other,
    };
    for (float, format, word) in variables {
        let value = model.get(float).unwrap_or_else(|| Value::zero(Sort::Float(format)));
        known.set(word, encoding(value));
    }
    for Unknown { term, word, .. } in unknown {
        let Node::Variable(word) = words.node(word) else { unreachable!("it is one") };
        known.set(word, encoding(model.evaluate(&words, &[term])[0]));
    }
    for (fact, holds) in facts.iter().zip(known.evaluate(&words, &facts)) {
        assert!(holds.truth(), "{}", crate::print::term(&words, *fact));
    }
    for (&assertion, &narrow) in query.assertions.iter().zip(&narrow.assertions) {
        let image = images[narrow.index()].expect("it is reached");
        let (before, after) = (model.evaluate(pool, &[assertion]), known.evaluate(&words, &[image]));
        assert_eq!(before, after, "{}", crate::print::term(pool, assertion));
    }
}

/// Every function of floats, in one format.
fn functions(pool: &mut Pool, x: Term, y: Term) -> Vec<Term> {
    let minus = pool.f_neg(y);
    let size = pool.f_abs(x);
    let (bits, one) = (pool.f_to_bits(x), pool.float(pool.format(x), 0));
    let back = pool.f_from_bits(bits);
    let mut results = vec![
        pool.f_sub(x, y),
        pool.f_add(x, minus),
        pool.f_add(y, x),
        pool.f_mul(size, y),
        pool.f_mul(x, minus),
        pool.f_div(size, y),
        pool.f_div(x, minus),
        pool.f_sqrt(x),
        pool.f_rem(x, y),
        pool.f_add(x, x),
    ];
    for power in [1, -1] {
        let format = pool.format(x);
        let power = pool.float(format, Layout::of(format).power(power));
        results.extend([pool.f_mul(x, power), pool.f_div(x, power)]);
    }
    results.extend([back, one, minus]);
    let mut asked: Vec<Term> = results.iter().map(|&result| pool.f_same(result, x)).collect();
    asked.extend([pool.f_eq(x, y), pool.f_lt(x, y), pool.f_le(x, y), pool.f_is_nan(x)]);
    asked
}

#[test]
fn words_say_what_floats_do_and_all_facts_hold() {
    for format in [FloatFormat::F32, FloatFormat::F64] {
        let numbers = numbers(format);
        for (&x, &y) in numbers.iter().flat_map(|x| numbers.iter().step_by(3).map(move |y| (x, y))) {
            let mut pool = Pool::new();
            let [a, b] = ["x", "y"].map(|name| pool.variable(name, Sort::Float(format)));
            let query = Query::new(functions(&mut pool, a, b));
            let mut model = Model::new();
            model.set(Variable::from_index(0), x);
            model.set(Variable::from_index(1), y);
            holds_of(&pool, &query, &model);
        }
    }
}

/// Reciprocals of powers of two, at every exponent and beside every kind of dividend.
#[test]
fn quotients_by_powers_of_two_are_products() {
    for format in [FloatFormat::F32, FloatFormat::F64] {
        let layout = Layout::of(format);
        for exponent in 0..=layout.exponent >> layout.digits {
            for dividend in numbers(format).into_iter().step_by(5) {
                let mut pool = Pool::new();
                let x = pool.variable("x", Sort::Float(format));
                let c = pool.variable("c", Sort::Float(format));
                let encoding = match format {
                    FloatFormat::F32 => u64::from(1f32.to_bits()),
                    FloatFormat::F64 => 1f64.to_bits(),
                };
                let one = pool.float(format, encoding);
                let inverse = pool.f_div(one, c);
                let (quotient, product) = (pool.f_div(x, c), pool.f_mul(x, inverse));
                let same = pool.f_same(quotient, product);
                let mut model = Model::new();
                model.set(Variable::from_index(0), dividend);
                model.set(Variable::from_index(1), Value::float(format, exponent << layout.digits));
                holds_of(&pool, &Query::new(vec![same]), &model);
            }
        }
    }
}

#[test]
fn rounding_twice_is_rounding_once() {
    let numbers = numbers(FloatFormat::F32);
    let narrow = FloatFormat::F32;
    for (&x, &y) in numbers.iter().flat_map(|x| numbers.iter().map(move |y| (x, y))) {
        let mut pool = Pool::new();
        let [a, b] = ["x", "y"].map(|name| pool.variable(name, Sort::Float(narrow)));
        let [c, d] = [a, b].map(|word| pool.f_convert(word, FloatFormat::F64));
        let mut asked = Vec::new();
        for op in [Binary::FAdd, Binary::FSub, Binary::FMul, Binary::FDiv] {
            let (wide, once) = (pool.binary(op, c, d), pool.binary(op, a, b));
            let twice = pool.f_convert(wide, narrow);
            asked.push(pool.f_same(once, twice));
        }
        let negated = pool.f_neg(c);
        let (wide, narrow_negated) = (pool.f_mul(negated, d), pool.f_neg(a));
        let (size, product) = (pool.f_abs(wide), pool.f_mul(narrow_negated, b));
        for (wide, once) in [(wide, product), (size, pool.f_abs(product))] {
            let twice = pool.f_convert(wide, narrow);
            asked.push(pool.f_same(once, twice));
        }
        let (wide, once) = (pool.f_sqrt(c), pool.f_sqrt(a));
        let twice = pool.f_convert(wide, narrow);
        asked.extend([pool.f_same(once, twice), pool.f_lt(c, d)]);
        let half = pool.float(FloatFormat::F64, 0.5f64.to_bits());
        asked.extend([pool.f_eq(c, half), pool.f_lt(half, d)]);
        let mut model = Model::new();
        model.set(Variable::from_index(0), x);
        model.set(Variable::from_index(1), y);
        holds_of(&pool, &Query::new(asked.clone()), &model);
        let equal = &model.evaluate(&pool, &asked)[..7];
        assert!(equal.iter().all(|holds| holds.truth()), "{x} {y}");
    }
}

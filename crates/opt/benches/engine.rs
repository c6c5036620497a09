//! What the engine costs: `cargo bench -p planish-opt`.
//!
//! Time by the number of operations in one block (near-linear), by the shape of the graph, and by the
//! number of rules: with the book, without it, and with the book read at run time beside it.

#[path = "../tests/common"]
mod common {
    pub mod rng;
    pub mod shapes;
}

use common::shapes;
use divan::counter::ItemsCount;
use divan::{Bencher, black_box};
use planish_ir::Function;
use planish_ir::module::Descriptors;
use planish_opt::{Config, Engine, Features, Record};

fn main() {
    divan::main();
}

fn bench(bencher: Bencher<'_, '_>, f: &Function, config: &Config<'_>) {
    let mut engine = Engine::new();
    bencher.counter(ItemsCount::new(f.live_insts().count())).with_inputs(|| f.clone()).bench_local_values(
        |mut f| {
            engine.run(&mut f, &Descriptors::default(), &mut Record::new(), config);
            black_box(f)
        },
    );
}

#[divan::bench(args = [1_000, 10_000, 100_000, 1_000_000], sample_count = 10)]
fn one_block(bencher: Bencher<'_, '_>, count: usize) {
    bench(bencher, &shapes::straight(count), &Config::FULL);
}

#[divan::bench(args = [1_000, 10_000, 100_000], sample_count = 10)]
fn diamonds(bencher: Bencher<'_, '_>, count: usize) {
    bench(bencher, &shapes::diamonds(count), &Config::FULL);
}

#[divan::bench(args = [1_000, 10_000, 100_000], sample_count = 10)]
fn nested(bencher: Bencher<'_, '_>, count: usize) {
    bench(bencher, &shapes::nested(count, true), &Config::FULL);
}

#[divan::bench(sample_count = 20)]
fn without_rules(bencher: Bencher<'_, '_>) {
    let features = Features { rules: false, ..Features::ALL };
    bench(bencher, &shapes::straight(10_000), &Config { features, ..Config::FULL });
}

#[divan::bench(sample_count = 20)]
fn with_the_book_twice(bencher: Bencher<'_, '_>) {
    let config = Config { extra: Some(planish_book::set()), ..Config::FULL };
    bench(bencher, &shapes::straight(10_000), &config);
}

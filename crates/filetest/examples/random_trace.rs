//! Prints the random trace of a seed: `cargo run -p planish-filetest --example random_trace -- loop 7`

use planish_filetest::generate::trace::{Shape, from_seed};

fn main() {
    let args: Vec<String> = std::env::args().skip(1).collect();
    let shape = Shape::ALL.iter().find(|(name, _)| args.first().is_some_and(|arg| arg == name));
    let seed = args.get(1).and_then(|seed| seed.parse().ok());
    match (shape, seed) {
        (Some((_, shape)), Some(seed)) => print!("{}", from_seed(seed, *shape)),
        _ => eprintln!("usage: random_trace line|loop|bridge|entered SEED"),
    }
}

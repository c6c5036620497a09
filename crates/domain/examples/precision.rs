//! Prints `docs/precision.md`: how precise the transfer functions are.

fn main() {
    print!("{}", planish_domain::precision::measure().page());
}

//! `planish library-rules`: the keep rules for well-known libraries that come along.

use planish_keep::libraries;

use crate::failure::Failure;
use crate::io;

/// Lists them, or prints those with these names as one configuration file.
pub fn run(names: &[String]) -> Result<(), Failure> {
    let texts = names.iter().filter_map(|name| libraries::named(name)).map(|rules| rules.text.to_owned());
    let text = match names.is_empty() {
        true => libraries::list(),
        false => texts.collect::<Vec<_>>().join("\n"),
    };
    io::write(None, text.as_bytes())
}

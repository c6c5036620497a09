//! `planish agent`: the tracing agent, which records what a program asks for by name while it runs.

use std::path::Path;

use planish_jar::agent::agent_jar;

use crate::failure::Failure;
use crate::io;

/// Writes the jar of the agent, and says how it is used.
pub fn run(output: &Path) -> Result<(), Failure> {
    let jar = agent_jar().map_err(|error| Failure::Rejected(error.to_string()))?;
    io::write(Some(output), &jar)?;
    if output != Path::new("-") {
        let name = io::display_name(output);
        io::say(format_args!(
            "next: java -javaagent:{name}=rules.pro -jar app.jar, then planish opt app.jar --keep rules.pro\n"
        ));
    }
    Ok(())
}

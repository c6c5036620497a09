//! The tracing agent: a jar that records, while the original program runs, what it asks for by name, and writes keep rules
//! (as GraalVM's native image agent does for its metadata).
//!
//! Its sources are in `agent/` beside `src/`; `scripts/agent` compiles them.

use planish_classfile::Result;
use planish_classfile::zip::{Archive, DosTime, Entry, Method};

/// What the JVM reads first.
const MANIFEST: &str = "Manifest-Version: 1.0\r\nPremain-Class: planish.agent.Agent\r\n\r\n";

macro_rules! classes {
    ($($name:literal),* $(,)?) => {
        /// The classes of the agent, as they are compiled.
        const CLASSES: &[(&str, &[u8])] = &[$((
            concat!("planish/agent/", $name, ".class"),
            include_bytes!(concat!("../agent/classes/planish/agent/", $name, ".class")),
        )),*];
    };
}

classes!(
    "Agent",
    "Callers",
    "Callers$Stack",
    "ClassRewriter",
    "Recorded",
    "Recorded$Method",
    "Recorder",
    "Redirects",
    "Rules",
);

/// The jar of the agent, always the same bytes. Fails where an archive cannot be written, which is never so for this one.
pub fn agent_jar() -> Result<Vec<u8>> {
    let manifest = ("META-INF/MANIFEST.MF", MANIFEST.as_bytes());
    let entries = std::iter::once(&manifest).chain(CLASSES);
    let entry = |&(name, content): &(&str, &[u8])| {
        Entry::new(name.as_bytes(), DosTime::EPOCH, content, Method::Deflated)
    };
    let archive = Archive { entries: entries.map(entry).collect(), ..Archive::default() };
    let mut jar = Vec::new();
    archive.write(&mut jar).map(|()| jar)
}

//! `planish rules lsp`: the language server for files of rules, over standard input and output.

use std::cell::OnceCell;
use std::fs::OpenOptions;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::rc::Rc;
use std::sync::Arc;
use std::time::Duration;

use planish_lsp::{Connection, Setup, Uri, serve};
use planish_prove::{Engine, Options};

use super::{ledgers, prove};
use crate::args::Solver;
use crate::failure::Failure;

/// How many seconds a rule is given where nothing is said: somebody waits.
const SECONDS: u64 = 5;

/// Serves one client.
pub fn run(solver: &Solver) -> Result<(), Failure> {
    let engine = Engine::choose(solver.solver.as_deref()).map_err(|e| Failure::Usage(e.to_string()))?;
    let limit = Duration::from_secs(solver.timeout.unwrap_or(SECONDS));
    let mut options = Options { limit, ..Options::new(engine) };
    options.lemmas = Arc::new(ledgers::shipped()?.fresh(&prove::theorems_expected(&options)));
    let page = Rc::new(OnceCell::<Option<Page>>::new());
    let asked = Rc::clone(&page);
    let address = move || asked.get_or_init(Page::new).as_ref().and_then(|page| address(&page.0));
    let (connection, threads) = Connection::stdio();
    let served = serve(connection, Setup { options, page: Box::new(address) });
    let ended = threads.join();
    match served {
        Ok(true) => ended.map_err(|error| Failure::Rejected(format!("the client has gone: {error}"))),
        Ok(false) => Err(Failure::Rejected("the client has gone without a word".to_owned())),
        Err(error) => Err(Failure::Rejected(format!("the client does not speak the protocol: {error}"))),
    }
}

/// The page about all operations as a temporary file, which is removed with the server.
struct Page(PathBuf);

impl Page {
    fn new() -> Option<Page> {
        let path = std::env::temp_dir().join(format!("planish-operations-{}.md", std::process::id()));
        // A file of this name that is there already is another's.
        let mut file = OpenOptions::new().write(true).create_new(true).open(&path).ok()?;
        file.write_all(planish_ops::catalogue::markdown().as_bytes()).ok()?;
        Some(Page(path))
    }
}

impl Drop for Page {
    fn drop(&mut self) {
        // Who removed it before has done the same.
        let _ = std::fs::remove_file(&self.0);
    }
}

/// The address of a file.
fn address(path: &Path) -> Option<Uri> {
    let mut text = "file://".to_owned();
    let path = path.to_str()?.replace(std::path::MAIN_SEPARATOR, "/");
    if !path.starts_with('/') {
        text.push('/');
    }
    for byte in path.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'/' | b'-' | b'.' | b'_' | b'~' => {
                text.push(byte.into())
            }
            _ => text.push_str(&format!("%{byte:02X}")),
        }
    }
    text.parse().ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn addresses_of_files_name_each_byte() {
        let address = address(Path::new("/tmp/a b/\u{e4}#1.md")).expect("an address");
        assert_eq!(address.as_str(), "file:///tmp/a%20b/%C3%A4%231.md");
    }
}

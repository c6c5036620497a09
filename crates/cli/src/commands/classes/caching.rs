//! `--cache`: runs that were made before are not made again, and of others only what changed.
//!
//! A run is kept under a digest of this executable, all options, configuration files as they were read, the bytes of inputs and
//! libraries, and the JDK: what it wrote and said is written and said once more. What became of classes in its rounds is
//! kept under a digest of the executable, what the optimizer was told, and where the inputs are; inside, each class is
//! kept [by what decides it](planish_jar::cache), so that is looked at by the next run over other bytes.

use std::fs::{self, File, Metadata};
use std::hash::{Hash, Hasher};
use std::io::{Read, Result};
use std::path::Path;
use std::sync::OnceLock;
use std::time::{Instant, SystemTime};

use planish_driver::Settings;
use planish_jar::cache::{ClassCache, Digest, Digester, Reader, Writer};
use planish_jar::classes::find_image;
use planish_jar::programs::roots::Roots;

use super::files::Files;
use crate::args::{Opt, Validation};
use crate::failure::Failure;
use crate::io::{self, Event};
use crate::kept::Store;

/// Directories are nested no deeper than this.
const DEEPEST: usize = 100;

/// How many bytes of a file are read at once.
const PIECE: usize = 1 << 20;

/// What class files begin with.
const CLASS: [u8; 4] = [0xca, 0xfe, 0xba, 0xbe];

/// What is kept of other runs, and is to be kept of this one.
pub struct Caching {
    store: Store,
    /// The digest of all but the content of files.
    asked: Digester,
    contents: Digest,
    /// The names of the files for the whole run, and for what became of classes.
    run: String,
    of_classes: String,
    /// The digest of the optimizer, and of what it is told.
    context: Digest,
}

impl Caching {
    /// What is kept of runs over these files, if anything is to be. Where that cannot be, a line says why.
    pub fn of(args: &Opt, settings: &Settings, roots: &Roots, files: &Files) -> Option<Caching> {
        let directory = args.caching.cache.as_deref()?;
        if let Some(option) = does_without(args, roots, files) {
            io::say(format_args!("note: nothing is taken from --cache, or kept, with {option}\n"));
            return None;
        }
        // What cannot be read the run itself reports.
        let contents = contents(files).ok()?;
        let opened = Caching::open(directory, (args, settings), roots, (files, contents));
        if let Err(error) = &opened {
            io::say(format_args!(
                "warning: --cache: {}: {error}; nothing is taken from it, or kept\n",
                directory.display()
            ));
        }
        opened.ok()
    }

    fn open(
        directory: &Path,
        (args, settings): (&Opt, &Settings),
        roots: &Roots,
        (files, contents): (&Files, Digest),
    ) -> Result<Caching> {
        let store = Store::open(directory, args.caching.cache_size.saturating_mul(1 << 20))?;
        let mut context = Digester::default();
        (executable()?, format!("{settings:?}")).hash(&mut context);
        let context = context.digest();
        let mut asked = Digester::default();
        context.hash(&mut asked);
        (&files.inputs, &files.libraries).hash(&mut asked);
        let of_classes = hexadecimal(asked.clone().digest()) + ".classes";
        format!("{:?}", (args, roots)).hash(&mut asked);
        files.targets.hash(&mut asked);
        // Nobody changes the image of a JDK while it is mapped.
        if let Some(image) = find_image() {
            add_file(&image, &mut asked)?;
        }
        let run = run_name(&asked, contents);
        Ok(Caching { store, asked, contents, run, of_classes, context })
    }

    /// What became of classes in an earlier run.
    pub fn classes(&self) -> ClassCache {
        let new = || ClassCache::new(self.context);
        let kept = self.store.read(&self.of_classes).and_then(|kept| new().with(kept));
        kept.unwrap_or_else(new)
    }

    /// Writes and says once more what a run did that was the same. Whether there was one.
    pub fn replay(&self, files: &Files) -> std::result::Result<bool, Failure> {
        let began = Instant::now();
        let Some(kept) = self.store.read(&self.run) else { return Ok(false) };
        let Some(events) = events(Reader(&kept)) else { return Ok(false) };
        files.make_directory()?;
        for event in events {
            match event {
                Event::Said(text) => io::say(format_args!("{text}")),
                Event::Took => io::say_time(began.elapsed()),
                Event::Wrote(path, bytes) => io::write(path.as_deref(), &bytes)?,
            }
        }
        io::say(format_args!("cache: all is as it was in an earlier run\n"));
        Ok(true)
    }

    /// Keeps what a run wrote and said, and what became of classes.
    pub fn keep(&self, events: &[Event], classes: &ClassCache, files: &Files) {
        let (taken, made) = classes.counts();
        if made > 0 {
            self.store.write(&self.of_classes, &classes.to_bytes());
        }
        // A file that changed meanwhile may have been read before or after that.
        if contents(files).is_ok_and(|contents| contents == self.contents)
            && let Some(bytes) = written(events)
        {
            self.store.write(&run_name(&self.asked, self.contents), &bytes);
        }
        io::say(format_args!(
            "cache: classes in all rounds: {taken} as in an earlier run, {made} rewritten\n"
        ));
    }
}

/// An option with which rewrites have to be made, or files are read that nobody knows, if there is one.
fn does_without(args: &Opt, roots: &Roots, files: &Files) -> Option<&'static str> {
    let between = &args.between;
    let shows = between.print_before.is_some() || between.print_after.is_some() || between.print_changed;
    let is_stream = |path: &Path| path == Path::new("-");
    let options = [
        (args.stats.is_some(), "--stats"),
        (args.explain.is_some(), "--explain"),
        (args.remarks.is_some(), "--remarks"),
        (args.report.is_some(), "--report"),
        (args.fuel.is_some(), "--fuel"),
        (args.chaos.is_some(), "--chaos"),
        (args.validate != Validation::Off, "--validate"),
        (args.check.check_run.is_some(), "--check-run"),
        (roots.rules.has("forceprocessing"), "-forceprocessing"),
        (shows || between.time_passes || between.verify_each, "options about what is between passes"),
        (files.inputs.iter().any(|(path, _)| is_stream(path)), "standard input"),
    ];
    options.into_iter().find_map(|(is_given, option)| is_given.then_some(option))
}

/// The digest of this executable, which is another one after each build.
fn executable() -> Result<Digest> {
    static DIGEST: OnceLock<Digest> = OnceLock::new();
    if let Some(digest) = DIGEST.get() {
        return Ok(*digest);
    }
    // The file that runs, also where another one has its name by now.
    let linked = Path::new("/proc/self/exe");
    let path = if linked.exists() { linked.to_owned() } else { std::env::current_exe()? };
    let mut digester = Digester::default();
    digester.write(&fs::read(path)?);
    Ok(*DIGEST.get_or_init(|| digester.digest()))
}

/// The digest of all files that are read: inputs and libraries.
fn contents(files: &Files) -> Result<Digest> {
    let mut digester = Digester::default();
    for path in files.inputs.iter().map(|(path, _)| path).chain(&files.libraries) {
        let metadata = fs::metadata(path)?;
        match metadata.is_dir() {
            true => add_directory(path, DEEPEST, &mut digester)?,
            false => {
                let is_class =
                    add_file(path, &mut digester)? || path.extension().is_some_and(|it| it == "class");
                is_class.then(|| seconds(&metadata)).transpose()?.hash(&mut digester);
            }
        }
    }
    Ok(digester.digest())
}

/// Adds the bytes of a file. Whether it is a class.
fn add_file(path: &Path, digester: &mut Digester) -> Result<bool> {
    let mut file = File::open(path)?;
    let (mut piece, mut length, mut is_class) = (vec![0; PIECE], 0, false);
    loop {
        let count = file.read(&mut piece)?;
        if count == 0 {
            break;
        }
        is_class |= length == 0 && piece.starts_with(&CLASS);
        length += count;
        digester.write(&piece[..count]);
    }
    length.hash(digester);
    Ok(is_class)
}

/// Adds what is read of a directory: names and bytes, and the times that entries have from files.
fn add_directory(path: &Path, depth: usize, digester: &mut Digester) -> Result<()> {
    let depth = depth.checked_sub(1).ok_or_else(|| std::io::Error::other("directories nested too deep"))?;
    let items: Result<Vec<_>> = fs::read_dir(path)?.map(|item| Ok(item?.file_name())).collect();
    let mut names = items?;
    names.sort_unstable();
    names.hash(digester);
    for name in names {
        let path = path.join(name);
        let metadata = fs::metadata(&path)?;
        metadata.is_dir().hash(digester);
        if metadata.is_dir() {
            add_directory(&path, depth, digester)?;
        } else {
            add_file(&path, digester)?;
            seconds(&metadata)?.hash(digester);
        }
    }
    Ok(())
}

/// When a file changed last, as entries of archives say it.
fn seconds(metadata: &Metadata) -> Result<u64> {
    Ok(metadata.modified()?.duration_since(SystemTime::UNIX_EPOCH).map_or(0, |time| time.as_secs()))
}

fn run_name(asked: &Digester, contents: Digest) -> String {
    let mut digester = asked.clone();
    contents.hash(&mut digester);
    hexadecimal(digester.digest()) + ".run"
}

fn hexadecimal(digest: Digest) -> String {
    digest.iter().map(|byte| format!("{byte:02x}")).collect()
}

/// What a run wrote and said, to be kept; nothing if a name of a file is no text.
fn written(events: &[Event]) -> Option<Vec<u8>> {
    let mut writer = Writer::default();
    for event in events {
        match event {
            Event::Took => writer.number(0),
            Event::Said(text) => {
                writer.number(1);
                writer.text(text.as_bytes());
            }
            Event::Wrote(path, bytes) => {
                writer.number(2);
                // An empty name is none: standard output.
                writer.text(path.as_deref().map_or(Some(""), Path::to_str)?.as_bytes());
                writer.text(bytes);
            }
        }
    }
    Some(writer.0)
}

/// What was written by [`written`].
fn events(mut rest: Reader<'_>) -> Option<Vec<Event>> {
    let mut events = Vec::new();
    while !rest.0.is_empty() {
        events.push(match rest.number()? {
            0 => Event::Took,
            1 => Event::Said(rest.string()?),
            2 => {
                let path = rest.string()?;
                let path = (!path.is_empty()).then(|| path.into());
                Event::Wrote(path, rest.text()?.to_vec())
            }
            _ => return None,
        });
    }
    Some(events)
}

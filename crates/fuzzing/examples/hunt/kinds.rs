//! What is tried, each under a name.

use std::path::Path;

use arbitrary::Unstructured;
use planish_base::caught::{Panicked, catch};
use planish_book as book;
use planish_driver::reduce::{Oracle, functions, lines};
use planish_driver::{Compat, EngineChoice, Settings};
use planish_filetest::generate::trace::{self, Shape};
use planish_filetest::generate::{Options, bytes, from_seed, pattern};
use planish_filetest::property::{
    Effort, How, Wrong, optimized_does_the_same, optimized_trace_does_the_same, trace_ways,
};
use planish_fuzzing::{binaries, cells, classes, compiler, mutate, regions};
use planish_ir::{Form, Module, text};

use crate::finding::{Found, TESTS, least_changed};
use crate::texts;

/// Worlds, and operations in each.
const EFFORT: Effort = Effort { tries: 6, fuel: 1500 };

/// What a run shows: how much it compared, or what is wrong.
type Showed = Result<u64, Found>;

/// Makes a module of a seed, if it can.
type Make = fn(u64) -> Option<Module>;

/// Something that is tried with seeds.
pub struct Kind {
    /// What it is called in tables.
    pub name: String,
    /// Tries the program of a seed.
    pub attempt: Box<dyn Fn(u64) -> Showed>,
}

impl Kind {
    /// A kind of a name.
    pub fn new(name: &str, attempt: impl Fn(u64) -> Showed + 'static) -> Kind {
        Kind { name: name.to_owned(), attempt: Box::new(attempt) }
    }

    /// What is said of a panic where the kind makes no file of it.
    pub fn panicked(&self, panicked: &Panicked, seed: u64) -> Found {
        let again = format!("hunt --only '{}' --seed {seed}\n{panicked}\n", self.name);
        Found { why: panicked.to_string(), file: again.into_bytes(), ending: "txt" }
    }
}

/// Every kind there is.
pub fn all() -> Vec<Kind> {
    let mut all = Vec::new();
    for (name, how) in [("linear", How::LINEAR), ("egraph", How::EGRAPH), ("chaos", How::CHAOS)] {
        for (kind, options) in Options::KINDS {
            let how = how.clone();
            all.push(Kind::new(&format!("functions, {kind}, {name}"), move |seed| {
                held(&from_seed(seed, options), &how, seed)
            }));
        }
        let of_data: [(&str, Make); 2] = [("rules", of_rule), ("cells", of_cells)];
        for (kind, make) in of_data {
            let how = how.clone();
            all.push(Kind::new(&format!("functions, {kind}, {name}"), move |seed| {
                make(seed).map_or(Ok(0), |module| held(&module, &how, seed))
            }));
        }
    }
    for (kind, options) in Options::TRACES {
        all.push(Kind::new(&format!("lines, {kind}"), move |seed| {
            held(&from_seed(seed, options), &How::TRACE, seed)
        }));
    }
    for (name, settings) in trace_ways() {
        for (kind, shape) in Shape::ALL {
            let settings = settings.clone();
            all.push(Kind::new(&format!("traces, {kind}, {name}"), move |seed| {
                held_trace(shape, &settings, seed)
            }));
        }
    }
    for (kind, shape) in Shape::ALL {
        all.push(Kind::new(&format!("traces, {kind}, chaos"), move |seed| {
            held_trace(shape, &Settings { chaos: Some(seed), ..Settings::default() }, seed)
        }));
    }
    all.push(Kind::new("statements to regions and back", |seed| {
        let _ = regions::there_and_back(&mut Unstructured::new(&bytes(seed, 400)));
        Ok(3)
    }));
    all.push(Kind::new("trees of rules", |seed| {
        Ok(compiler::trees_find_what_rows_find(&mut Unstructured::new(&bytes(seed, 4000))).unwrap_or(0))
    }));
    all.extend(texts::kinds());
    all.extend(of_classes());
    all
}

/// The pattern of one of the book's rules.
fn of_rule(seed: u64) -> Option<Module> {
    let rules = &book::set().rules;
    let rule = rules.values().nth(seed as usize % rules.len())?;
    pattern::module(&mut Unstructured::new(&bytes(seed, 400)), rule).ok()?
}

fn of_cells(seed: u64) -> Option<Module> {
    cells::module(&mut Unstructured::new(&bytes(seed, 400))).ok()
}

/// Holds a module against what becomes of it.
fn held(module: &Module, how: &How, seed: u64) -> Showed {
    let hold = |module: &Module| match catch(|| optimized_does_the_same(module, how, seed, EFFORT)) {
        Ok(held) => held,
        Err(panicked) => Err(Wrong::Broken(panicked.to_string())),
    };
    let wrong = match hold(module) {
        Ok(held) => return Ok(held.compared),
        Err(wrong) => wrong,
    };
    let mut fails = |module: &Module| hold(module).is_err();
    let small = functions::reduce(module, &mut Oracle::new(&mut fails, TESTS));
    let mut file = String::from("# test: opt\n");
    match how.engine {
        EngineChoice::Egraph => file += "# engine: egraph\n",
        EngineChoice::Linear => {}
    }
    if how.chaos {
        file += &format!("# chaos: {seed}\n");
    }
    if how.form == Form::Trace {
        file += "# form: trace\n";
    }
    file += &text::write(&small, text::Options::default());
    file += "# expected:\n";
    Err(Found { why: wrong.to_string(), file: file.into_bytes(), ending: "ssa" })
}

/// Holds a file of traces against what becomes of it.
fn held_trace(shape: Shape, settings: &Settings, seed: u64) -> Showed {
    let hold = |text: &str| match catch(|| optimized_trace_does_the_same(text, settings, seed, EFFORT)) {
        Ok(held) => held,
        Err(panicked) => Err(Wrong::Broken(panicked.to_string())),
    };
    let source = trace::from_seed(seed, shape);
    let wrong = match hold(&source) {
        Ok(held) => return Ok(held.compared),
        Err(wrong) => wrong,
    };
    let alike = |found: Result<_, Wrong>| match (&found, &wrong) {
        (Err(Wrong::Different(_)), Wrong::Different(_)) => true,
        (Err(Wrong::Broken(found)), Wrong::Broken(why)) => found.lines().next() == why.lines().next(),
        _ => false,
    };
    let mut fails = |text: &str| alike(hold(text));
    let small = lines::reduce(&source, &mut Oracle::new(&mut fails, TESTS));
    let mut file = String::from("# test: opt\n");
    if settings.engine == EngineChoice::Egraph {
        file += "# engine: egraph\n";
    }
    if settings.compat == Some(Compat::Pypy) {
        file += "# compat: pypy\n";
    }
    if let Some(seed) = settings.chaos {
        file += &format!("# chaos: {seed}\n");
    }
    Err(Found {
        why: wrong.to_string(),
        file: (file + &small + "# expected:\n").into_bytes(),
        ending: "trace",
    })
}

/// Random programs of classes, and classes of the examples with some bytes changed, in every mode.
fn of_classes() -> [Kind; 4] {
    let mut files = Vec::new();
    for folder in ["examples/patterns", "examples/strawman"] {
        let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(folder);
        let paths = std::fs::read_dir(folder).expect("the examples").flatten().map(|entry| entry.path());
        files.extend(paths.filter(|path| path.extension().is_some_and(|ending| ending == "class")));
    }
    files.sort();
    let of_examples: Vec<Vec<u8>> = files.iter().map(|path| std::fs::read(path).expect("a class")).collect();
    let random = |seed: u64| {
        classes::program(&mut Unstructured::new(&bytes(seed, 3000)), "p")
            .expect("data that runs out reads as zero")
    };
    let read = Kind::new("classes, random, read", move |seed| {
        let made = random(seed);
        made.iter().for_each(|(_, file)| binaries::class(file));
        Ok(0)
    });
    let optimized = Kind::new("classes, random, changed, every mode", move |seed| {
        let classes: Vec<Vec<u8>> = random(seed).into_iter().map(|(_, file)| file).collect();
        changed(seed, &classes)
    });
    let examples = Kind::new("classes, changed, every mode", move |seed| changed(seed, &of_examples));
    let side_by_side = Kind::new("classes, random, side by side", move |seed| {
        Ok(binaries::optimized_program(&random(seed), seed))
    });
    [read, optimized, examples, side_by_side]
}

/// Changes some bytes of classes and optimizes what comes out in every mode.
fn changed(seed: u64, classes: &[Vec<u8>]) -> Showed {
    let (input, is_jar) = mutate::mutated(seed, classes);
    let property = |bytes: &[u8]| {
        if is_jar { binaries::optimized_archive(bytes) } else { binaries::optimized_class(bytes) }
    };
    let Err(panicked) = catch(|| property(&input)) else { return Ok(0) };
    let nearest = classes
        .iter()
        .filter(|class| class.len() == input.len())
        .min_by_key(|class| class.iter().zip(&input).filter(|(old, new)| old != new).count());
    let file = nearest.map_or_else(|| input.clone(), |class| least_changed(class, &input, &property));
    Err(Found { why: panicked.to_string(), file, ending: if is_jar { "jar" } else { "class" } })
}

//! Classes at the command line: configurations, questions, several inputs, and what is refused.

mod common;

use std::path::Path;

use common::{Scratch, planish};

#[test]
fn a_program_of_which_nothing_is_kept_is_not_written() {
    let scratch = Scratch::new("nothing-kept", "");
    let strawman = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/strawman");
    let (rules, jar) = (scratch.path("app.pro"), scratch.path("out.jar"));
    for (text, message) in [
        ("-keeep class Strawman { *; }", "did you mean `-keep`?"),
        ("-keep class Strawwoman { *; }", "nothing of the program is kept"),
    ] {
        std::fs::write(&rules, text).expect("a file");
        let output = planish(&["opt", strawman, "-o", &jar, "--keep", &rules]);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.code() == Some(1) && said.contains(message), "{said}");
        assert!(!Path::new(&jar).exists());
    }
    // A file that is missing is missing where it is included.
    std::fs::write(&rules, "-dontwarn a.b\n-include more.pro\n").expect("a file");
    let output = planish(&["opt", strawman, "-o", &jar, "--keep", &rules]);
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.code() == Some(1) && said.contains("app.pro:2:"), "{said}");
    assert!(said.contains("there is no file") && said.contains("more.pro"), "{said}");
    // Rules that keep nothing are no roots: what is public is kept then.
    std::fs::write(&rules, "-dontwarn a.b").expect("a file");
    let output = planish(&["opt", strawman, "-o", &jar, "--keep", &rules]);
    assert_eq!(output.status.code(), Some(0));
    assert!(!String::from_utf8_lossy(&output.stderr).contains("classes: 4 before, 0 after"), "{output:?}");
}

#[test]
fn a_broken_class_file_is_refused() {
    let scratch = Scratch::new("class", "");
    let cut: &[u8] = &[0xca, 0xfe, 0xba, 0xbe, 0, 0];
    std::fs::write(scratch.path("Cut.class"), cut).expect("a file");
    std::fs::write(scratch.path("cut.jar"), b"PK\x03").expect("a file");
    std::fs::write(scratch.path("No.class"), "no class").expect("a file");
    let broken = [("Cut.class", "byte 6 (0x6)"), ("No.class", "byte 0 (0x0)"), ("cut.jar", "byte 3 (0x3)")];
    for (name, place) in broken {
        for args in [&["check"][..], &["opt", "-o", &scratch.path("out")]] {
            let output = planish(&[args, &[scratch.path(name).as_str()]].concat());
            let said = String::from_utf8_lossy(&output.stderr);
            assert_eq!(output.status.code(), Some(1), "{args:?}: {said}");
            assert!(said.contains(&format!("{name}: {place}")), "{args:?}: {said}");
        }
    }
    assert!(!Path::new(&scratch.path("out")).exists());
}

/// An entry whose bytes are damaged is found when it is needed, and named with its jar, one of the program or of a library.
#[test]
fn a_damaged_entry_is_named_with_its_jar() {
    let scratch = Scratch::new("damaged", "");
    let strawman = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/strawman");
    let (good, bad, out) = (scratch.path("good.jar"), scratch.path("bad.jar"), scratch.path("out.jar"));
    assert_eq!(planish(&["opt", strawman, "-o", &good, "--mode", "bodies"]).status.code(), Some(0));
    let mut bytes = std::fs::read(&good).expect("the jar");
    let name = b"Strawman.class";
    let at = bytes.windows(name.len()).position(|window| window == name).expect("the entry");
    bytes[at + name.len() + 200] ^= 0xff;
    std::fs::write(&bad, bytes).expect("a file");
    for args in [&[bad.as_str()][..], &[&good, "--library", &bad]] {
        let output = planish(&[&["opt", "-o", &out], args].concat());
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.code() == Some(1), "{args:?}: {said}");
        assert!(said.contains("bad.jar: ") && said.contains("Strawman.class"), "{args:?}: {said}");
        assert!(!Path::new(&out).exists());
    }
}

/// What is said about classes is answered, and an option that has no place there is refused.
#[test]
fn what_is_asked_about_methods_is_answered() {
    let scratch = Scratch::new("methods", "");
    let strawman = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/strawman");
    let jar = scratch.path("out.jar");
    let run = |more: &[&str]| {
        let output = planish(&[&["opt", strawman, "-o", &jar, "--main", "Strawman"], more].concat());
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let (code, said) = run(&["--explain=Strawman.ackermann"]);
    assert_eq!(code, Some(0), "{said}");
    assert!(said.contains("Strawman.ackermann(II)I: ") && said.contains("as it was:\nfunc "), "{said}");
    assert!(!said.contains("Strawman.main(["), "{said}");
    let (_, all) = run(&["--explain"]);
    assert!(
        all.contains("Strawman.main([Ljava/lang/String;)V: ") && all.contains("  [rewrite: rule "),
        "{all}"
    );
    let (_, none) = run(&["--explain=Strawman.nothing"]);
    assert!(none.contains("nothing was done to a method called Strawman.nothing"), "{none}");

    let remarks = scratch.path("remarks.jsonl");
    run(&["--remarks", &remarks]);
    let text = std::fs::read_to_string(&remarks).expect("the remarks");
    assert!(text.lines().count() > 5 && text.contains(r#""n":1,"#), "{text}");
    assert!(text.contains(r#""function":"Strawman.run(I)I""#), "{text}");
    let (_, counts) = run(&["--stats"]);
    assert!(counts.contains("  rewrites\n"), "{counts}");
    assert_eq!(run(&["--validate", "run"]).0, Some(0));

    for refused in [&["--to", "ssa"][..], &["--validate", "prove"], &["--compat", "pypy"]] {
        assert_eq!(run(refused).0, Some(2), "{refused:?}");
    }
}

/// Rules inside of a program keep what they name; which files are read and written is for whoever runs the command to say.
#[test]
fn rules_inside_of_a_program_name_no_files() {
    let scratch = Scratch::new("rules-inside", "");
    let rules = scratch.0.join("program/META-INF/proguard");
    std::fs::create_dir_all(&rules).expect("a directory");
    let class = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/strawman/Strawman.class");
    std::fs::copy(class, scratch.path("program/Strawman.class")).expect("a class");
    let names = ["seeds", "usage", "mapping"].map(|name| (name, scratch.path(&format!("{name}.txt"))));
    let text: String = names.iter().map(|(name, path)| format!("-print{name} {path}\n")).collect();
    let text = text + "-keep class Strawman { *; }\n-outjars stolen.jar\n-libraryjars missing.jar\n";
    std::fs::write(rules.join("evil.pro"), text).expect("a file");
    let output = planish(&["opt", &scratch.path("program"), "-o", &scratch.path("out.jar")]);
    assert_eq!(output.status.code(), Some(0), "{output:?}");
    for (_, path) in &names {
        assert!(!Path::new(path).exists(), "{path}");
    }
}

/// A configuration file says all of it: the program, where it goes, what is written besides. Its paths are beside it.
#[test]
fn a_configuration_file_is_a_command_line() {
    let scratch = Scratch::new("configuration", "");
    let strawman = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/strawman");
    let text = format!(
        "-injars {strawman}\n-outjars out.jar\n-keep class Strawman {{ public static void main(java.lang.String[]); }}\n\
         -printseeds seeds.txt\n-basedirectory below\n-printusage usage.txt\n-optimizationpasses 9\n-printmapping map.txt\n"
    );
    std::fs::create_dir_all(scratch.0.join("below")).expect("a directory");
    std::fs::write(scratch.path("app.pro"), text).expect("a file");
    let output = planish(&["opt", &format!("@{}", scratch.path("app.pro"))]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    assert!(std::fs::metadata(scratch.path("out.jar")).expect("the jar").len() > 300);
    let seeds = std::fs::read_to_string(scratch.path("seeds.txt")).expect("the seeds");
    assert_eq!(seeds, "Strawman\nStrawman: void main(java.lang.String[])\n");
    let usage = std::fs::read_to_string(scratch.path("below/usage.txt")).expect("what went");
    assert!(usage.contains("Strawman$ErrLogger"), "{usage}");
    // The list for `retrace`: `run` stands in `main`.
    let mapping = std::fs::read_to_string(scratch.path("below/map.txt")).expect("the names");
    let header = "# {\"id\":\"com.android.tools.r8.mapping\",\"version\":\"2.2\"}\n";
    assert!(mapping.starts_with(&format!("{header}Strawman -> Strawman:\n")), "{mapping}");
    let inlined =
        mapping.lines().filter(|line| line.contains(":int run(int):") && line.ends_with(" -> main"));
    assert!(inlined.count() > 0, "{mapping}");
    let inlined = mapping.lines().find(|line| line.contains(":int run(int):")).expect("a frame");
    let number = inlined.trim().split(':').next().expect("a number");
    std::fs::write(scratch.path("trace"), format!("\tat Strawman.main(Strawman.java:{number})\n"))
        .expect("a file");
    let output = planish(&["retrace", &scratch.path("below/map.txt"), &scratch.path("trace")]);
    let trace = String::from_utf8_lossy(&output.stdout).into_owned();
    assert!(trace.starts_with("\tat Strawman.run(Strawman.java:") && trace.lines().count() == 2, "{trace}");
    assert!(trace.ends_with(")\n") && trace.contains("\tat Strawman.main(Strawman.java:"), "{trace}");
    // What is no mapping, or twice the same stream, is refused.
    assert_eq!(
        planish(&["retrace", &scratch.path("seeds.txt"), &scratch.path("trace")]).status.code(),
        Some(1)
    );
    assert_eq!(planish(&["retrace", "-"]).status.code(), Some(2));
    // Of the program what its filter lets in.
    let text = format!(
        "-injars {strawman}(!**$*Logger.class,**.class)\n-outjars less.jar\n-ignorewarnings\n-dontoptimize\n-dontshrink\n"
    );
    std::fs::write(scratch.path("less.pro"), text).expect("a file");
    let output = planish(&["opt", &format!("@{}", scratch.path("less.pro"))]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let jar = std::fs::read(scratch.path("less.jar")).expect("the jar");
    let names = |part: &[u8]| jar.windows(part.len()).filter(|window| *window == part).count();
    assert_eq!((names(b"Strawman.class"), names(b"ErrLogger.class")), (2, 0));
    let text = "-injars in.jar(<a)\n-outjars less.jar\n".replace("in.jar", strawman);
    std::fs::write(scratch.path("less.pro"), text).expect("a file");
    let output = planish(&["opt", &format!("@{}", scratch.path("less.pro"))]);
    assert_eq!(output.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&output.stderr).contains("`(<a)` is no filter of entries"));
    // A configuration without a program is no command line.
    std::fs::write(scratch.path("app.pro"), "-keep class A\n").expect("a file");
    let output = planish(&["opt", "--keep", &scratch.path("app.pro"), "-o", &scratch.path("no.jar")]);
    assert_eq!(output.status.code(), Some(2));
}

#[test]
fn several_inputs_stay_apart_in_a_directory() {
    let scratch = Scratch::new("apart", "");
    let strawman = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../examples/strawman");
    let copied = |directory: &str, names: &[&str]| {
        let directory = scratch.0.join(directory);
        std::fs::create_dir_all(&directory).expect("a directory");
        for name in names {
            let file = format!("{name}.class");
            std::fs::copy(strawman.join(&file), directory.join(&file)).expect("the strawman");
        }
        directory.display().to_string()
    };
    let (program, library) = (
        copied("program", &["Strawman"]),
        copied("library", &["Strawman$Logger", "Strawman$PrintLogger", "Strawman$ErrLogger"]),
    );
    let out = scratch.path("out/");
    let output = planish(&["opt", &program, &library, "-o", &out, "--main", "Strawman", "--strip-debug"]);
    assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
    let size = |name: &str| std::fs::metadata(scratch.0.join("out").join(name)).expect("a jar").len();
    // Everything of the library went: an archive of nothing is left.
    assert!(size("program.jar") > 300 && size("library.jar") < 100);
    let twice = planish(&["opt", &program, &program, "-o", &out, "--main", "Strawman"]);
    assert_eq!(twice.status.code(), Some(2));
}

/// Resources are copied as they are, so what they inflate to harms whoever unpacks the result.
#[test]
fn a_bomb_of_resources_is_refused_unless_it_is_wanted() {
    use planish_jar::classes::{Entry, Method, Source};

    let scratch = Scratch::new("bomb", "");
    let (bomb, out) = (scratch.path("bomb.jar"), scratch.path("out.jar"));
    let strawman = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/strawman/Strawman.class");
    let mut archive = Source::read(Path::new(strawman)).expect("a class").archive;
    let zeros = Entry::new(b"0", archive.entries[0].modified, &vec![0; 10 << 20], Method::Deflated);
    for number in 0..30 {
        let mut entry = zeros.clone();
        entry.name = number.to_string().into_bytes();
        archive.entries.push(entry);
    }
    let mut bytes = Vec::new();
    archive.write(&mut bytes).expect("an archive");
    std::fs::write(&bomb, bytes).expect("a file");
    let refused = |args: &[&str]| {
        let output = planish(&[&["opt"], args, &["-o", &out]].concat());
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(said.contains("which is taken for a bomb"), output.status.code() == Some(1), "{said}");
        output.status.code() == Some(1)
    };
    assert!(refused(&[&bomb]));
    assert!(refused(&[strawman, "--library", &bomb]));
    assert!(refused(&[&bomb, "--inflated-limit", "1000000"]));
    assert!(!Path::new(&out).exists());
    assert!(!refused(&[&bomb, "--inflated-limit", "400000000"]));
}

/// Several stages come to a class that cannot be read, and one of them says so.
#[test]
fn a_broken_class_is_warned_of_once() {
    let scratch = Scratch::new("broken-once", "");
    let input = scratch.path("in");
    std::fs::create_dir(&input).expect("a directory");
    let strawman = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/strawman/Strawman.class");
    std::fs::copy(strawman, format!("{input}/Strawman.class")).expect("a class");
    std::fs::write(format!("{input}/Cut.class"), &std::fs::read(strawman).expect("a class")[..100])
        .expect("a file");
    for mode in [&["--main", "Strawman"][..], &["--mode", "library"], &["--mode", "bodies"]] {
        let output = planish(&[&["opt", &input, "-o", &scratch.path("out.jar")], mode].concat());
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(0), "{said}");
        assert_eq!(said.matches("Cut.class").count(), 1, "{mode:?}: {said}");
    }
}

/// A program of `Strawman`, with a manifest, a version of the class for Java 9, and other files.
fn with_versions(scratch: &Scratch, manifest: &str, files: &[(&str, &str)]) -> String {
    let program = scratch.0.join("program");
    let class = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/strawman/Strawman.class");
    let versions = program.join("META-INF/versions/9");
    std::fs::create_dir_all(&versions).expect("a directory");
    std::fs::copy(class, program.join("Strawman.class")).expect("a class");
    std::fs::copy(class, versions.join("Strawman.class")).expect("a class");
    std::fs::write(program.join("META-INF/MANIFEST.MF"), manifest).expect("a file");
    for (name, text) in files {
        let path = program.join(name);
        std::fs::create_dir_all(path.parent().expect("a directory")).expect("a directory");
        std::fs::write(path, text).expect("a file");
    }
    program.display().to_string()
}

/// Versions of classes are seen only where the manifest says that there are any; one release sees one of them.
#[test]
fn versions_that_no_jvm_takes_are_removed() {
    for (name, manifest, more, is_versioned, said_of_it) in [
        ("unseen", "Main-Class: Strawman\r\n", &[][..], false, "versions of classes that no JVM takes"),
        ("seen", "Main-Class: Strawman\r\nMulti-Release: true\r\n", &[], true, ""),
        (
            "one",
            "Main-Class: Strawman\r\nMulti-Release: true\r\n",
            &["--release", "11"],
            false,
            "other releases than Java 11",
        ),
        ("bodies", "Main-Class: Strawman\r\n", &["--mode", "bodies"], true, ""),
    ] {
        let scratch = Scratch::new(&format!("versions-{name}"), "");
        let manifest = format!("Manifest-Version: 1.0\r\n{manifest}\r\n");
        let (program, jar) = (with_versions(&scratch, &manifest, &[]), scratch.path("out.jar"));
        let output = planish(&[&["opt", &program, "-o", &jar, "--library", &program], more].concat());
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(0), "{said}");
        let bytes = std::fs::read(&jar).expect("the jar");
        let has = bytes.windows(27).any(|text| text == b"META-INF/versions/9/Strawma");
        assert_eq!(has, is_versioned, "{name}: {said}");
        assert!(said.contains(said_of_it), "{name}: {said}");
    }
}

/// An empty file of rules says as much as any other: what is not seen is not found. The manifest says where to begin, and
/// lists for native images what is found.
#[test]
fn an_empty_file_of_rules_switches_to_rules() {
    let manifest = "Manifest-Version: 1.0\r\nMain-Class: Strawman\r\n\r\n";
    let list = "META-INF/native-image/strawman/reflect-config.json";
    let text = r#"[{"name": "Strawman", "methods": [{"name": "ackermann"}]}]"#;
    for (name, files, method) in
        [("empty", vec![], false), ("list", vec![(list, text)], true), ("wrong", vec![(list, "[{")], false)]
    {
        let scratch = Scratch::new(&format!("empty-rules-{name}"), "");
        let (program, jar) = (with_versions(&scratch, manifest, &files), scratch.path("out.jar"));
        let (rules, seeds) = (scratch.path("empty.pro"), scratch.path("seeds.txt"));
        std::fs::write(&rules, format!("-printseeds {seeds}\n")).expect("a file");
        let output = planish(&["opt", &program, "-o", &jar, "--keep", &rules]);
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert_eq!(output.status.code(), Some(0), "{said}");
        let seeds = std::fs::read_to_string(&seeds).expect("the seeds");
        assert_eq!(seeds.contains("ackermann"), method, "{name}: {seeds}");
        assert_eq!(said.contains("what it keeps is not known"), name == "wrong", "{said}");
    }
}

/// What breaks a program of classes is named, whether it goes of the program or is done to a body.
#[test]
fn the_rewrite_that_breaks_a_program_of_classes_is_found() {
    let scratch = Scratch::new("bisect-classes", "");
    let harbour = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/harbour");
    let bisect = |args: &[&str]| {
        let output = planish(&[&["bisect"], args, &["--main", "Harbour", "--", harbour]].concat());
        let said = [output.stdout, output.stderr].concat();
        String::from_utf8_lossy(&said).into_owned()
    };
    // The names of entries stand in a jar as they are.
    let found = bisect(&["grep -q Harbour.Dry.class"]);
    assert!(found.ends_with("in pass tree-shaking: class Harbour$Dry goes\n"), "{found}");
    let rules = scratch.path("wrong.rules");
    std::fs::write(&rules, "wrong: mul(x, 3) => mul(x, 5)\n").expect("a file");
    let found = bisect(&["validate", "--rules", &rules, "--unproved"]);
    assert!(
        found.contains(" in pass rewrite: Harbour.depth(II)I:") && found.contains("rule wrong ("),
        "{found}"
    );
    let found = bisect(&["validate"]);
    assert!(found.contains("the check holds after all "), "{found}");
}

/// Without fuel nothing changes, not even the order of constants.
#[test]
fn classes_are_copied_without_fuel() {
    let scratch = Scratch::new("no-fuel", "");
    let out = scratch.path("out.class");
    for name in ["patterns/Patterns.class", "harbour/Harbour.class", "strawman/Strawman.class"] {
        let input = format!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/{}"), name);
        for mode in ["program", "library", "bodies"] {
            let main = name.rsplit(['/', '.']).nth(1).expect("a class");
            let output = planish(&["opt", "--fuel", "0", "--mode", mode, "--main", main, "-o", &out, &input]);
            assert_eq!(output.status.code(), Some(0), "{}", String::from_utf8_lossy(&output.stderr));
            let [before, after] = [&input, &out].map(|path| std::fs::read(path).expect("a class"));
            assert!(before == after, "{name} in mode {mode}");
        }
    }
}

/// What heuristics decide is another program, and for one seed the same one, by any number of threads.
#[test]
fn chaos_is_as_the_seed_says() {
    let scratch = Scratch::new("chaos", "");
    let strawman = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/strawman");
    let jar = scratch.path("out.jar");
    let made = |options: &[&str]| {
        let output = planish(&[&["opt", strawman, "-o", &jar, "--main", "Strawman"], options].concat());
        let said = String::from_utf8_lossy(&output.stderr).into_owned();
        assert!(output.status.success() && !said.contains("a mistake of planish"), "{said}");
        std::fs::read(&jar).expect("a jar")
    };
    let usual = made(&[]);
    let mut others = std::collections::BTreeSet::new();
    for seed in ["1", "2", "3", "4", "5", "6"] {
        let alone = made(&["--chaos", seed, "--threads", "1"]);
        assert!(alone == made(&["--chaos", seed, "--threads", "8"]), "seed {seed}");
        others.insert(alone);
    }
    assert!(others.len() > 2 && others.iter().any(|other| *other != usual), "{} results", others.len());
}

/// Optimizes the class files of a directory without looking for a JDK, into `out.jar` beside it. What is written and said.
fn optimized_harbour(scratch: &Scratch, options: &[&str]) -> ([Vec<u8>; 2], String) {
    let [program, out, removed] = ["program", "out.jar", "removed.txt"].map(|name| scratch.path(name));
    let _ = std::fs::remove_file(&out).and(std::fs::remove_file(&removed));
    let output = std::process::Command::new(env!("CARGO_BIN_EXE_planish"))
        .args(["opt", &program, "-o", &out, "--mode", "library", "--removed", &removed])
        .args(options)
        .env_remove("JAVA_HOME")
        .env("PATH", env!("CARGO_TARGET_TMPDIR"))
        .output()
        .expect("the command runs");
    let said = String::from_utf8_lossy(&output.stderr).into_owned();
    assert!(output.status.success(), "{said}");
    ([out, removed].map(|path| std::fs::read(path).expect("it was written")), said)
}

/// A directory with the class files of an example, which can be changed.
fn harbour(name: &str) -> Scratch {
    let scratch = Scratch::new(name, "");
    std::fs::create_dir_all(scratch.0.join("program")).expect("a directory");
    for class in ["Harbour", "Harbour$Dry", "Harbour$Gauge", "Harbour$Wet"] {
        let from = format!(concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/harbour/{}.class"), class);
        std::fs::copy(from, scratch.path(&format!("program/{class}.class"))).expect("a class");
    }
    scratch
}

/// What is said, without how long it took and what is said of the cache.
fn without_time(said: &str) -> String {
    let lines = said.lines().filter(|line| !line.starts_with("cache: "));
    lines.map(|line| line.split_once(" s; ").map_or(line, |(_, rest)| rest)).collect::<Vec<_>>().join("\n")
}

/// With a cache a run writes and says what it does without, whatever changed, and whatever became of the cache.
#[test]
fn a_cache_makes_no_difference() {
    let scratch = harbour("cached");
    let cache = scratch.path("cache");
    let cached = ["--cache", cache.as_str()];
    let (expected, said) = optimized_harbour(&scratch, &[]);
    for what in [": 0 as in an earlier run, ", "cache: all is as it was in an earlier run\n"] {
        let (found, told) = optimized_harbour(&scratch, &cached);
        assert!(found == expected && without_time(&told) == without_time(&said), "{said}{told}");
        assert!(told.contains(what), "{told}");
    }
    // What a recursion multiplies by three is multiplied by four.
    let class = scratch.path("program/Harbour.class");
    let mut bytes = std::fs::read(&class).expect("the class");
    let at = bytes.windows(3).position(|code| code == [0x06, 0x68, 0xac]).expect("`depth` ends so");
    bytes[at] = 0x07;
    std::fs::write(&class, bytes).expect("a class");
    let (changed, _) = optimized_harbour(&scratch, &[]);
    assert!(changed != expected);
    let (found, told) = optimized_harbour(&scratch, &cached);
    assert!(found == changed, "{told}");
    assert!(!told.contains(": 0 as in an earlier run") && told.contains(" as in an earlier run, "), "{told}");
    // Files that are damaged are passed over.
    for item in std::fs::read_dir(&cache).expect("the cache").flatten() {
        if item.file_name() != "CACHEDIR.TAG" {
            let mut bytes = std::fs::read(item.path()).expect("a file");
            let middle = bytes.len() / 2;
            bytes[middle] ^= 4;
            std::fs::write(item.path(), bytes).expect("a file");
        }
    }
    let (found, told) = optimized_harbour(&scratch, &cached);
    assert!(found == changed && told.contains(": it is damaged, and passed over\n"), "{told}");
    // What shows rewrites makes them.
    let (found, told) = optimized_harbour(&scratch, &["--stats", "--cache", &cache]);
    assert!(
        found == changed && told.contains("note: nothing is taken from --cache, or kept, with --stats\n")
    );
    let (_, told) = optimized_harbour(&scratch, &["--cache-size", "0", "--cache", &cache]);
    assert!(std::fs::read_dir(&cache).expect("the cache").count() == 1, "{told}");
}

/// Nothing is written to a directory of somebody else, or removed from it.
#[test]
fn a_directory_of_others_is_no_cache() {
    let scratch = harbour("no-cache");
    let others = scratch.0.join("others");
    std::fs::create_dir_all(&others).expect("a directory");
    std::fs::write(others.join("mine.txt"), "mine").expect("a file");
    let (expected, _) = optimized_harbour(&scratch, &[]);
    let (found, told) =
        optimized_harbour(&scratch, &["--cache", &scratch.path("others"), "--cache-size", "0"]);
    assert!(found == expected && told.contains("it holds other files"), "{told}");
    assert_eq!(std::fs::read_dir(&others).expect("the directory").count(), 1);
}

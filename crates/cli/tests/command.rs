//! The command as a person meets it: exit status, messages, files.

use std::path::{Path, PathBuf};
use std::process::{Command, Output};

fn planish(args: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_planish")).args(args).output().expect("the command runs")
}

/// A file of its own for a test, gone when the test is.
struct Scratch(PathBuf);

impl Scratch {
    fn new(name: &str, content: &str) -> Self {
        let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join(name);
        std::fs::create_dir_all(&directory).expect("a directory");
        let path = directory.join("input.ssa");
        std::fs::write(&path, content).expect("a file");
        Scratch(directory)
    }

    fn path(&self, name: &str) -> String {
        self.0.join(name).display().to_string()
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        // A directory that is left behind is no failure of a test.
        let _ = std::fs::remove_dir_all(&self.0);
    }
}

const GOOD: &str = "v0 = getarg(0)\nv1 = add(v0, 0)\nv2 = add(v1, v0)\n";

#[test]
fn optimizing_writes_the_result_to_standard_output() {
    let scratch = Scratch::new("stdout", GOOD);
    let output = planish(&["opt", &scratch.path("input.ssa")]);
    assert_eq!(output.status.code(), Some(0));
    let text = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(text.starts_with("v0 = getarg(0)\n") && text.lines().count() == 2, "{text}");
    assert!(output.stderr.is_empty());
}

#[test]
fn wrong_input_is_refused_with_a_place_and_nothing_is_written() {
    let scratch = Scratch::new("wrong", "v0 = getarg(0)\nv1 = ad(v0, 0)\n");
    let output = planish(&["opt", &scratch.path("input.ssa"), "-o", &scratch.path("out.ssa")]);
    assert_eq!(output.status.code(), Some(1));
    let message = String::from_utf8(output.stderr).expect("UTF-8");
    assert!(message.contains("unknown operation `ad`") && message.contains("input.ssa:2:6"), "{message}");
    let files: Vec<_> = std::fs::read_dir(&scratch.0).expect("the directory").collect();
    assert_eq!(files.len(), 1, "no output, no temporary file");
}

#[test]
fn wrong_usage_is_told_apart_from_wrong_input() {
    assert_eq!(planish(&["opt"]).status.code(), Some(2));
    assert_eq!(planish(&["opt", "a.unknown"]).status.code(), Some(2));
    assert_eq!(planish(&["opt", "there-is-no-such-file.ssa"]).status.code(), Some(1));
}

#[cfg(unix)]
#[test]
fn a_device_is_written_to_and_a_link_stays_a_link() {
    use std::os::unix::fs::FileTypeExt;
    let scratch = Scratch::new("device", GOOD);
    assert_eq!(planish(&["opt", &scratch.path("input.ssa"), "-o", "/dev/null"]).status.code(), Some(0));
    assert!(std::fs::metadata("/dev/null").expect("it is there").file_type().is_char_device());
    std::fs::write(scratch.path("target.ssa"), "old").expect("a file");
    std::os::unix::fs::symlink(scratch.path("target.ssa"), scratch.path("link.ssa")).expect("a link");
    assert_eq!(
        planish(&["opt", &scratch.path("input.ssa"), "-o", &scratch.path("link.ssa")]).status.code(),
        Some(0)
    );
    assert!(std::fs::symlink_metadata(scratch.path("link.ssa")).expect("it is there").is_symlink());
    assert!(
        std::fs::read_to_string(scratch.path("target.ssa"))
            .expect("it is there")
            .starts_with("v0 = getarg(0)")
    );
}

#[test]
fn every_command_has_help_with_examples() {
    let help = |words: &[&str]| {
        let output = planish(&[words, &["--help"]].concat());
        assert_eq!(output.status.code(), Some(0));
        let text = String::from_utf8(output.stdout).expect("UTF-8");
        assert!(text.contains("Usage: planish") && text.contains("\nExamples:\n"), "{words:?}: {text}");
        // The names in the list of sub-commands, if there is one.
        let list = text.split("\nCommands:\n").nth(1).unwrap_or_default();
        let names = list.lines().take_while(|line| !line.is_empty());
        let names = names.filter(|line| line.starts_with("  ") && !line.starts_with("   "));
        names.map(|line| line.split_whitespace().next().expect("a name").to_owned()).collect::<Vec<_>>()
    };
    let commands = help(&[]);
    assert!(commands.len() > 9, "{commands:?}");
    for command in commands.iter().filter(|name| *name != "help") {
        for below in help(&[command]).iter().filter(|name| *name != "help") {
            help(&[command, below]);
        }
    }
}

const EXTRA: &str = "wrong: add(x, y) => sub(x, y)\nnever: popcount(x) => x\n";

/// S5.22: every rule has a row, below its operation.
#[test]
fn statistics_count_every_rule_by_operation() {
    let scratch = Scratch::new("stats", "v0 = getarg(0)\nv1 = sub(v0, 7)\nv2 = mul(v1, 8)\n");
    std::fs::write(scratch.path("extra.rules"), EXTRA).expect("a file");
    let (input, rules) = (scratch.path("input.ssa"), scratch.path("extra.rules"));
    let text = planish(&["opt", "--stats", &input, "--fuel", "2"]).stderr;
    let text = String::from_utf8(text).expect("UTF-8");
    let rows: Vec<String> =
        text.lines().map(|line| line.split_whitespace().collect::<Vec<_>>().join(" ")).collect();
    let place =
        |row: &str| rows.iter().position(|r| r == row).unwrap_or_else(|| panic!("no `{row}` in {text}"));
    let (sub, fired, zero, mul) =
        (place("sub 1"), place("sub_const 1"), place("sub_zero_left 0"), place("mul 1"));
    assert!(sub < fired && fired < zero && zero < mul, "{text}");
    assert!(text.contains("operations     2 -> 2"), "{text}");
    let json = planish(&["opt", "--stats=json", "--rules", &rules, &input, "--fuel", "1"]).stderr;
    let json = String::from_utf8(json).expect("UTF-8");
    let json: serde_json::Value =
        serde_json::from_str(&json[json.find("\n{").expect("an object behind the warnings")..])
            .expect("JSON");
    assert_eq!(json["rules"]["sub"]["sub_const"], 1);
    assert_eq!(json["rules"]["sub"]["sub_zero_left"], 0);
    assert_eq!(json["rules"]["popcount"]["never"], 0);
    assert_eq!(json["total"]["before"]["operations"], 2);
}

#[test]
fn a_profile_leaves_out_rules_with_other_tags() {
    // `rotate` is a tag of the book; PyPy has no such rules.
    let scratch = Scratch::new(
        "profile",
        "v0 = getarg(0)\nv1 = lshift(v0, 8)\nv2 = urshift(v0, 56)\nv3 = or(v1, v2)\n",
    );
    let input = scratch.path("input.ssa");
    let result = |args: &[&str]| {
        let output = planish(&[&["opt", input.as_str()], args].concat());
        assert_eq!(output.status.code(), Some(0));
        String::from_utf8(output.stdout).expect("UTF-8")
    };
    assert!(result(&[]).contains("rotl"));
    assert!(result(&["--profile", "rotate"]).contains("rotl"));
    assert!(!result(&["--profile", "pypy"]).contains("rotl"));
    let unknown = planish(&["opt", &input, "--profile", "nobody"]);
    assert_eq!(unknown.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&unknown.stderr).contains("no rule of the book has the tag `nobody`"));
}

#[test]
fn fuel_stops_after_so_many_rewrites() {
    let scratch = Scratch::new("fuel", "v0 = getarg(0)\nv1 = add(v0, 0)\nv2 = sub(v1, 7)\nv3 = mul(v2, 8)\n");
    let input = scratch.path("input.ssa");
    let explained = |fuel: &str| {
        let output = planish(&["opt", "--explain", "--fuel", fuel, &input]);
        (String::from_utf8(output.stdout).expect("UTF-8"), String::from_utf8(output.stderr).expect("UTF-8"))
    };
    let (all, lines) = explained("1000000");
    assert!(lines.lines().count() >= 3, "{lines}");
    assert_eq!(explained("0").0, std::fs::read_to_string(&input).expect("the input"));
    for fuel in 1..lines.lines().count() {
        let (program, first) = explained(&fuel.to_string());
        assert!(lines.starts_with(&first) && first.lines().count() == fuel, "{first}");
        assert_ne!(program, all);
    }
}

/// For each operation that went the pass and the rule, and at the end what remains together.
#[test]
fn an_explanation_of_traces_names_passes_and_ends_with_what_remains_together() {
    let header = "#! struct BOX { value:i8s }\n#! size box BOX\n#! field value BOX.value\n";
    let trace = "[i0]\np1 = new(descr=box)\nsetfield_gc(p1, i0, descr=value)\n\
                 i2 = getfield_gc_i(p1, descr=value)\ni3 = int_mul(i2, 8)\ni4 = int_mul(i0, i0)\n\
                 i5 = int_and(i4, 6)\ni6 = int_mul(i0, i0)\nfinish(i3, i5, i6)\n";
    let scratch = Scratch::new("missed", &format!("{header}{trace}"));
    let explained = |explain: &str| {
        let output = planish(&["opt", explain, "--from", "trace", &scratch.path("input.ssa")]);
        assert_eq!(output.status.code(), Some(0));
        String::from_utf8(output.stderr).expect("UTF-8")
    };
    let all = explained("--explain");
    for line in [
        "trace0:1: new gone  [virtualize]",
        "trace0:3: get_field i2 = i0  [virtualize]",
        "trace0:7: mul i6 = i4  [pure: number]",
        "1 pairs of 1 kinds remain in 3 operations",
        "      1  and(mul(_, _), c)",
    ] {
        assert!(all.lines().any(|found| found == line), "{line}\n{all}");
    }
    let rule = all.lines().find(|line| line.starts_with("trace0:4: mul -> lshift  [rewrite: rule "));
    assert!(rule.is_some_and(|line| line.contains(".rules:")), "{all}");
    // Of one function, only what was done to it.
    assert!(!explained("--explain=trace0").contains("remain in"), "{all}");
    assert_eq!(explained("--explain=other"), "");
}

#[test]
fn rules_that_undo_the_book_end_at_a_budget_which_is_reported() {
    let scratch = Scratch::new("budget", "v0 = getarg(0)\nv1 = add(v0, 7)\n");
    std::fs::write(scratch.path("extra.rules"), EXTRA).expect("a file");
    let output = planish(&["opt", &scratch.path("input.ssa"), "--rules", &scratch.path("extra.rules")]);
    assert_eq!(output.status.code(), Some(0));
    let said = String::from_utf8(output.stderr).expect("UTF-8");
    assert!(said.contains("rule `wrong` does not simplify"), "{said}");
    assert!(said.contains("the budget `rewrites of one operation` was hit"), "{said}");
}

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
    // Rules that keep nothing are no roots: what is public is kept then.
    std::fs::write(&rules, "-dontwarn a.b").expect("a file");
    let output = planish(&["opt", strawman, "-o", &jar, "--keep", &rules]);
    assert_eq!(output.status.code(), Some(0));
    assert!(!String::from_utf8_lossy(&output.stderr).contains("classes: 4 before, 0 after"), "{output:?}");
}

#[test]
fn rules_are_looked_into_by_name() {
    let scratch = Scratch::new("why", "v0 = getarg(0)\nv1 = floordiv(v0, 7)\n");
    let input = scratch.path("input.ssa");
    let why = |name: &str| planish(&["rules", "why", name, &input]);
    let missed = String::from_utf8(why("floordiv_nonnegative").stdout).expect("UTF-8");
    assert!(missed.contains("does not hold\n    x = v0: any\n    y = 7\n"), "{missed}");
    let nowhere = String::from_utf8(why("mul_neg_neg").stdout).expect("UTF-8");
    assert!(nowhere.starts_with("the pattern stands nowhere: mul_neg_neg"), "{nowhere}");
    let misspelt = why("mul_neg_nex");
    assert_eq!(misspelt.status.code(), Some(2));
    assert!(String::from_utf8_lossy(&misspelt.stderr).contains("did you mean `mul_neg_neg`?"));
    let list = planish(&["rules", "list", "--format", "json"]).stdout;
    let list: serde_json::Value = serde_json::from_slice(&list).expect("JSON");
    assert!(list.as_array().is_some_and(|rules| rules.iter().any(|rule| rule["name"] == "mul_neg_neg")));
}

#[test]
fn a_rule_is_worth_what_is_left_without_it() {
    let log = concat!(env!("CARGO_MANIFEST_DIR"), "/../../examples/logs/checksum.log");
    let json = planish(&["rules", "stats", "--leave-one-out", "--format", "json", log]);
    let json: serde_json::Value = serde_json::from_slice(&json.stdout).expect("JSON");
    let rules = json["rules"].as_array().expect("rows");
    assert!(!rules.is_empty() && rules.iter().all(|row| row["fired"].as_u64() > Some(0)), "{json}");
    assert!(rules.iter().any(|row| row["more"].as_i64() > Some(0)), "{json}");
}

#[test]
fn rules_are_counted_in_programs_whose_width_is_left_open() {
    let scratch = Scratch::new("open", GOOD);
    let program = "function -> a\n  switch a one two one\nlabel one\n  mov 1 -> r\n  switch 0 end end\n\
                   label two\n  mov 2 -> r\nlabel end\n  return r\n";
    std::fs::write(scratch.path("switch.tac"), program).expect("a file");
    for options in [&["rules", "stats"][..], &["rules", "stats", "--leave-one-out"]] {
        let output = planish(&[options, &[scratch.path("switch.tac").as_str()]].concat());
        assert_eq!(output.status.code(), Some(0), "{output:?}");
    }
}

/// What the rule of a double negation does to `eq(~x, ~-y)` is taken away by the rule of `~-y`.
#[test]
fn where_two_rules_meet_is_found_and_what_is_accepted_is_known() {
    let all = planish(&["rules", "pairs", "--all", "eq_not_not"]);
    assert_eq!(all.status.code(), Some(0), "{all:?}");
    let text = String::from_utf8(all.stdout).expect("UTF-8");
    let missed =
        text.split("\n\n").find(|pair| pair.starts_with("missed: eq_not_not and, below its root, not_neg\n"));
    let missed = missed.unwrap_or_else(|| panic!("{text}"));
    assert!(missed.contains("eq_not_not: eq(") && missed.contains("not_neg: "), "{missed}");
    assert!(text.contains(" places where two rules may meet\n") && text.contains(" join\n"), "{text}");
    let slice = planish(&["rules", "pairs", "--slice", "5/4"]);
    assert_eq!(slice.status.code(), Some(2), "{slice:?}");
}

#[test]
fn a_cycle_of_rules_is_refused_everywhere() {
    let scratch = Scratch::new("cycle", GOOD);
    let rules = "there: neg(x) => mul(-1, x)\nback: mul(x, -1) => neg(x)\n";
    std::fs::write(scratch.path("cycle.rules"), rules).expect("a file");
    let file = scratch.path("cycle.rules");
    for args in [
        &["rules", "check", file.as_str()][..],
        &["prove", "--solver", "builtin", &file],
        &["opt", &scratch.path("input.ssa"), "--rules", &file],
    ] {
        let output = planish(args);
        assert_eq!(output.status.code(), Some(1), "{args:?}");
        let said = String::from_utf8_lossy(&output.stderr);
        assert!(said.contains("`there` is part of a rewrite cycle"), "{said}");
        assert!(
            said.contains("there makes it mul(-1, x)") && said.contains("back makes it neg(x)"),
            "{said}"
        );
    }
}

/// S5.23, S5.24, S5.25, S5.26, S5.28, S5.29: every rule is proved unasked, one that asks for no proof as well; what
/// is wrong with a rule is said in its own words.
#[test]
fn every_rule_of_a_file_gets_a_verdict() {
    let scratch = Scratch::new("prove", "");
    let rules = "right: xor(xor(x, y), y) => x\n\
                 wrong: add(x, y) => or(x, y)\n\
                 checked: mul(a, b)\n    check a.known_gt_const(1) and b.known_gt_const(2)\n    => add(a, b)\n\
                 sorry: sub(x, y)\n    SORRY_Z3\n    => sub(y, x)\n\
                 never_applies: int_is_true(x)\n    check x.known_lt_const(0) and x.known_gt_const(0)\n    => x\n";
    std::fs::write(scratch.path("my.rules"), rules).expect("a file");
    let output = planish(&["prove", "--solver", "builtin", &scratch.path("my.rules")]);
    assert_eq!(output.status.code(), Some(1));
    let said = String::from_utf8(output.stdout).expect("UTF-8");
    assert!(said.contains("proved right"), "{said}");
    let story = |name: &str| {
        let story = said.split(&format!("counterexample to {name}\n")).nth(1).expect("a story");
        let ends =
            ["counterexample to", "proved", "rule "].map(|next| story.find(next).unwrap_or(story.len()));
        &story[..ends.into_iter().min().expect("three")]
    };
    // The smallest values that the checks allow.
    let checked = story("checked");
    assert!(
        ["a = 2\n", "b = 3\n", " gives 6\n", " gives 5\n"].iter().all(|part| checked.contains(part)),
        "{said}"
    );
    for name in ["wrong", "sorry"] {
        let story = story(name);
        assert!(story.contains("my.rules:") && story.contains("\nBUT\n"), "{said}");
    }
    let never = said.split("rule never_applies can never apply\n").nth(1).expect("its verdict");
    assert!(never.contains("no input satisfies `x.known_lt_const(0) and x.known_gt_const(0)`"), "{said}");
    assert!(said.ends_with("1 of 5 rules proved\n"), "{said}");
}

#[test]
fn a_file_stays_as_it_was_when_the_new_one_cannot_be_made() {
    let scratch = Scratch::new("partial", "v0 = getarg(0)\nv1 = ad(v0, 0)\n");
    std::fs::write(scratch.path("out.ssa"), "precious").expect("a file");
    let output = planish(&["opt", &scratch.path("input.ssa"), "-o", &scratch.path("out.ssa")]);
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(std::fs::read_to_string(scratch.path("out.ssa")).expect("it is there"), "precious");
    std::fs::write(scratch.path("input.ssa"), GOOD).expect("a file");
    let nowhere =
        planish(&["opt", &scratch.path("input.ssa"), "-o", &scratch.path("no/such/folder/out.ssa")]);
    assert_eq!(nowhere.status.code(), Some(1));
    assert!(String::from_utf8_lossy(&nowhere.stderr).contains("no/such/folder/out.ssa"));
    assert_eq!(std::fs::read_dir(&scratch.0).expect("the directory").count(), 2, "no temporary file");
}

#[test]
fn integers_have_one_to_sixty_four_bits() {
    for width in [1, 2, 7, 8, 31, 32, 33, 63, 64] {
        let text = format!(
            "func f(v0: i{width}, v1: i{width}) -> i{width} {{\na:\n    v2 = add(v0, v1)\n    v3 = sub(v2, v1)\n    return v3\n}}\n"
        );
        let scratch = Scratch::new(&format!("width{width}"), &text);
        let output = planish(&["opt", "--validate", "run", &scratch.path("input.ssa")]);
        assert_eq!(output.status.code(), Some(0));
        assert!(String::from_utf8_lossy(&output.stdout).contains("return v0"));
    }
    for width in [0, 65] {
        let scratch = Scratch::new("widths", &format!("func f(v0: i{width}) {{\na:\n    return\n}}\n"));
        assert_eq!(planish(&["check", &scratch.path("input.ssa")]).status.code(), Some(1));
    }
}

#[cfg(target_os = "linux")]
#[test]
fn nobody_has_to_read_the_messages() {
    let scratch = Scratch::new("unread", GOOD);
    std::fs::write(scratch.path("extra.rules"), EXTRA).expect("a file");
    let (input, rules) = (scratch.path("input.ssa"), scratch.path("extra.rules"));
    let full = || std::fs::OpenOptions::new().write(true).open("/dev/full").expect("a device that is full");
    let run = |args: &[&str]| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_planish"));
        command
            .args(args)
            .stderr(full())
            .stdout(std::process::Stdio::null())
            .status()
            .expect("it runs")
            .code()
    };
    assert_eq!(run(&["opt", "--stats", "--explain", "--rules", &rules, &input]), Some(0));
    assert_eq!(run(&["run", "--count", &input, "3"]), Some(0));
    assert_eq!(run(&["opt", "no-such-file.ssa"]), Some(1));
    // A result that cannot be written is a failure of the command.
    let status = Command::new(env!("CARGO_BIN_EXE_planish")).args(["opt", &input]).stdout(full()).status();
    assert_eq!(status.expect("it runs").code(), Some(1));
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

/// Long lines, deep nesting, many errors: a message in bounded time, nothing written.
#[test]
fn endless_texts_are_refused_like_short_ones() {
    let scratch = Scratch::new("endless", "");
    let texts = [
        ("deep.rvsdg", "(".repeat(2_000_000)),
        ("deep.ssa", "(".repeat(2_000_000)),
        ("deep.trace", "[".repeat(2_000_000)),
        ("deep.tac", "-> ".repeat(700_000)),
        ("many.rvsdg", "(+ ?x)\n".repeat(200_000)),
        ("many.ssa", "v0 = ad(1)\n".repeat(100_000)),
        ("many.trace", format!("[i0]\n{}", "i1 = int_add(i9)\n".repeat(100_000))),
        ("many.tac", "foo x -> y\n".repeat(200_000)),
        ("open.log", "[1a] {jit-log-noopt\n[i0]\n".repeat(50_000) + "i1 = int_add("),
        ("zero.ssa", "\0".repeat(100_000)),
    ];
    for (name, text) in texts {
        std::fs::write(scratch.path(name), text).expect("a file");
        // Ten seconds of the processor's time, whatever else it does.
        let output = Command::new("sh")
            .args(["-c", "ulimit -t 10; exec \"$0\" \"$@\"", env!("CARGO_BIN_EXE_planish"), "opt"])
            .args([&scratch.path(name), "-o", &scratch.path("out")])
            .output()
            .expect("the command runs");
        let said = String::from_utf8_lossy(&output.stderr);
        assert_eq!(output.status.code(), Some(1), "{name}: {said}");
        assert!(said.contains(&format!("{name}:")), "{name}: {said}");
        assert!(said.len() < 200_000, "{name}: {} bytes of messages", said.len());
    }
    assert!(!Path::new(&scratch.path("out")).exists());
}

#[test]
fn running_prints_a_result_a_line() {
    let scratch = Scratch::new("run", "v0 = getarg(0)\nv1 = add(v0, 1)\nv2 = mul(v0, v0)\n");
    let output = planish(&["run", &scratch.path("input.ssa"), "-5"]);
    assert_eq!(String::from_utf8_lossy(&output.stdout), "-4\n25\n");
    assert_eq!(planish(&["run", &scratch.path("input.ssa")]).status.code(), Some(2));
    assert_eq!(planish(&["run", &scratch.path("input.ssa"), "x"]).status.code(), Some(2));
}

#[test]
fn validation_tells_equal_programs_from_different_ones() {
    let scratch = Scratch::new("validate", "v0 = getarg(0)\nv1 = mul(v0, 2)\n");
    std::fs::write(scratch.path("same.ssa"), "v0 = getarg(0)\nv1 = add(v0, v0)\n").expect("a file");
    std::fs::write(scratch.path("other.ssa"), "v0 = getarg(0)\nv1 = lshift(v0, 2)\n").expect("a file");
    let compare = |other| planish(&["validate", &scratch.path("input.ssa"), &scratch.path(other)]);
    let same = compare("same.ssa");
    assert_eq!((same.status.code(), same.stdout.as_slice()), (Some(0), b"proved\n".as_slice()));
    let different = compare("other.ssa");
    assert_eq!((different.status.code(), different.stdout.starts_with(b"different")), (Some(1), true));
}

/// `--validate prove` writes a result that is proved, and refuses what is not.
#[test]
fn an_optimized_program_is_proved_before_it_is_written() {
    let scratch = Scratch::new("validate-prove", "v0 = getarg(0)\nv1 = mul(v0, 8)\nv2 = sub(v1, v1)\n");
    let input = scratch.path("input.ssa");
    let opt = |more: &[&str]| {
        planish(&[&["opt", &input, "--validate", "prove", "--solver", "builtin"], more].concat())
    };
    let good = opt(&[]);
    assert_eq!(good.status.code(), Some(0), "{}", String::from_utf8_lossy(&good.stderr));
    assert!(good.stderr.starts_with(b"proved\n") && !good.stdout.is_empty());
    let log = planish(&["opt", "missing.class", "--validate", "prove"]);
    assert_eq!(log.status.code(), Some(2));
}

#[test]
fn a_wrong_rule_is_caught_by_validation_and_found_by_bisection() {
    let scratch =
        Scratch::new("bisect", "v0 = getarg(0)\nv1 = add(v0, 0)\nv2 = add(v1, 7)\nv3 = mul(v2, 3)\n");
    std::fs::write(scratch.path("wrong.rules"), "wrong: add(x, y) => sub(x, y)\n").expect("a file");
    let (input, rules) = (scratch.path("input.ssa"), scratch.path("wrong.rules"));
    let output = planish(&["opt", &input, "--rules", &rules, "--validate", "run"]);
    assert_eq!(output.status.code(), Some(1));
    assert!(output.stdout.is_empty(), "nothing is written");
    let found = planish(&["bisect", "validate", "--rules", &rules, "--", &input]);
    let found = String::from_utf8_lossy(&found.stdout).into_owned();
    assert!(
        found.starts_with("rewrite ")
            && found.contains(" in pass ")
            && found.contains("main:3: add -> sub  [rewrite: rule wrong ("),
        "{found}"
    );
    let by_command = planish(&["bisect", "grep -qv sub", "--rules", &rules, "--", &input]);
    assert_eq!(by_command.status.code(), Some(1), "the check never fails: grep -v finds another line");
}

/// A program that shows a wrong rule somewhere in the middle, and what is left of it.
#[test]
fn a_failing_program_is_reduced_to_what_fails() {
    let scratch = Scratch::new(
        "reduce",
        "location @C.x: i64 signed class 1\nfunc f(v0: i64, v1: i64, v2: ref) -> i64, i64 {\nentry:\n    \
         v3 = mul(v0, 3)\n    v4: i1 = lt(v3, v1)\n    branch v4, left, right(v3)\nleft:\n    \
         v5 = add(v1, 7)\n    v6 = sub(v5, v3)\n    jump right(v6)\nright(v7: i64):\n    v8 = xor(v7, v0)\n    \
         v9: i64 = get_field(v2) @C.x\n    return v8, v9\n}\n",
    );
    std::fs::write(scratch.path("wrong.rules"), "wrong: xor(x, y) => or(x, y)\n").expect("a file");
    let (input, rules) = (scratch.path("input.ssa"), scratch.path("wrong.rules"));
    let output = planish(&["reduce", "validate", "--rules", &rules, "--", &input]);
    let expected = "func f(v0: i64) -> i64 {\nentry:\n    v1 = xor(1, v0)\n    return v1\n}\n";
    assert_eq!(
        String::from_utf8_lossy(&output.stdout),
        expected,
        "{}",
        String::from_utf8_lossy(&output.stderr)
    );
    // By a command: what fails is that there is a product.
    let output = planish(&["reduce", "! grep -q mul", &input]);
    let product = "func f() {\nentry:\n    v0 = mul(0, 0)\n    return\n}\n";
    assert_eq!(String::from_utf8_lossy(&output.stdout), product);
    let good = planish(&["reduce", "validate", &input]);
    assert_eq!(good.status.code(), Some(1), "nothing fails without the wrong rule");
}

#[test]
fn traces_are_reduced_line_by_line() {
    let scratch = Scratch::new("reduce-trace", "");
    let trace = "[i0, i1, p0]\ni2 = int_add(i0, i1)\nguard_true(i2) [i0, p0, i2]\ni3 = int_xor(i2, i1)\n\
                 i4 = int_sub(i3, 1)\nguard_false(i4) [i3, i4, p0]\njump(i4, i3, p0)\n";
    std::fs::write(scratch.path("input.trace"), trace).expect("a file");
    std::fs::write(scratch.path("wrong.rules"), "wrong: xor(x, y) => or(x, y)\n").expect("a file");
    let (input, rules) = (scratch.path("input.trace"), scratch.path("wrong.rules"));
    let output = planish(&["reduce", "validate", "--rules", &rules, "--", &input]);
    let small = String::from_utf8_lossy(&output.stdout);
    assert!(small.contains("int_xor(") && small.lines().count() <= 4, "{small}");
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
    assert!(counts.contains("by rules"), "{counts}");
    assert_eq!(run(&["--validate", "run"]).0, Some(0));

    for refused in [&["--to", "ssa"][..], &["--validate", "prove"], &["--compat", "pypy"]] {
        assert_eq!(run(refused).0, Some(2), "{refused:?}");
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
    assert!(mapping.starts_with("Strawman -> Strawman:\n"), "{mapping}");
    let inlined =
        mapping.lines().filter(|line| line.contains(":int run(int):") && line.ends_with(" -> main"));
    assert!(inlined.count() > 0, "{mapping}");
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

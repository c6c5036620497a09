//! Logs piece by piece become what they become as a whole.

use std::io::{Cursor, Read, Write};

use flate2::write::GzEncoder;
use planish_driver::explain::{self, Names, Record};
use planish_driver::logs::{PIECE, Source, Unread, look_over};
use planish_driver::{Dialect, Reading, Session, Settings, Writing};

const RECORDED: &str = include_str!("../../../examples/logs/checksum.log");

/// What becomes of a log: its text, the summary, and what is told of each rewrite.
type Became = Result<(String, String, Vec<String>), String>;

/// Every rewrite is asked for.
fn settings() -> Settings {
    Settings { log: true, ..Settings::default() }
}

fn told(record: &Record, names: &Names) -> Vec<String> {
    let rule = |number: u32| explain::rule_info(None, number);
    explain::remarks(record, names).map(|remark| remark.line(&rule)).collect()
}

/// What becomes of a log in one piece.
fn whole(log: &str) -> Became {
    let mut session = Session::open("x.log", log.as_bytes().to_vec(), Dialect::PypyLog, Reading::default())?;
    let outcome = session.optimize(&settings())?;
    let bytes = session.write(Dialect::PypyLog, Writing::default())?;
    let shown = format!(
        "{:?}",
        outcome.statistics.rows.iter().map(|row| (&row.name, &row.after)).collect::<Vec<_>>()
    );
    let told = told(&outcome.record, &outcome.names);
    Ok((String::from_utf8(bytes).expect("text"), shown, told))
}

/// What becomes of it in pieces of a size.
fn in_pieces(log: &[u8], piece: usize) -> Became {
    let open = || Ok(Box::new(Cursor::new(log.to_vec())) as Box<dyn Read>);
    let source = Source { name: "x.log", length: log.len() as u64, open: &open };
    let (mut out, mut said) = (Vec::new(), Vec::new());
    let mut tell = |record: &Record, names: &Names| {
        said.extend(told(record, names));
        Ok(())
    };
    let outcome = look_over(&source, Reading::default(), piece, Unread::Left)?.optimize(
        &settings(),
        &mut out,
        &mut tell,
    )?;
    assert!(outcome.record.entries().is_empty(), "rewrites are kept");
    let shown = format!(
        "{:?}",
        outcome.statistics.rows.iter().map(|row| (&row.name, &row.after)).collect::<Vec<_>>()
    );
    Ok((String::from_utf8(out).expect("text"), shown, said))
}

/// A recording.
fn section(kind: &str, body: &str) -> String {
    format!("[1] {{jit-tracing\n[2] {{{kind}\n{body}[3] {kind}}}\n[4] jit-tracing}}\n")
}

const LOOP: &str = "[i0]\nlabel(i0, descr=TargetToken(7))\ni1 = int_add(i0, 1)\ni2 = int_lt(i1, 9)\nguard_true(i2) [i1]\n\
    jump(i1, descr=TargetToken(7))\n";

#[test]
fn a_recorded_log_in_pieces_of_any_size() {
    let expected = whole(RECORDED).expect("it is optimized");
    assert!(expected.0.contains("jit-log-opt-planish"));
    for piece in [1, 700, 10_000, PIECE] {
        let found = in_pieces(RECORDED.as_bytes(), piece).expect("it is optimized");
        assert!(found.0 == expected.0, "pieces of {piece} bytes: another text");
        assert_eq!(found.1, expected.1, "pieces of {piece} bytes");
        assert!(found.2 == expected.2 && !found.2.is_empty(), "pieces of {piece} bytes: other rewrites");
    }
}

/// A bridge begins with what its parent knew, however far ahead that stands; the parent's own bridge too.
#[test]
fn what_a_parent_shows_reaches_a_bridge_many_pieces_behind() {
    let between = section("jit-backend", "nothing\n").repeat(40);
    let parent = "# Loop 0 (f) : loop with 3 ops\n[p0]\n+1: guard_class(p0, ConstClass(A), descr=<Guard0x5>) [p0]\n\
        +2: i1 = getfield_gc_i(p0, descr=<FieldS A.x 8>)\n+3: i2 = int_lt(i1, 9)\n+4: guard_true(i2, descr=<Guard0x6>) [p0, i1]\n\
        +5: finish(i1)\n";
    let raw = "# Traced loop or bridge with 3 ops\n[p0, i1]\nguard_class(p0, ConstClass(A)) [p0]\ni2 = int_lt(i1, 9)\n\
        guard_false(i2) [p0]\nfinish(i1)\n";
    let after = "# bridge out of Guard 0x6 with 1 ops\n[p0, i1]\n+1: finish(i1)\n";
    let bridge = format!(
        "[1] {{jit-tracing\n[2] {{jit-log-noopt\n{raw}[3] jit-log-noopt}}\n[4] {{jit-log-opt-bridge\n{after}[5] jit-log-opt-bridge}}\n\
         [6] jit-tracing}}\n"
    );
    let log = [&section("jit-log-opt-loop", parent), &between, &bridge, &between, &bridge]
        .map(String::as_str)
        .concat();
    let expected = whole(&log).expect("it is optimized");
    // Both guards of the bridge hold already.
    let made = expected.0.split("jit-log-opt-planish\n").nth(1).expect("it is optimized");
    let made = made.split("[3] jit-log-opt-planish}").next().expect("a first part");
    assert!(!made.contains("guard_class") && !made.contains("guard_false"), "{made}");
    for piece in [1, 300, 5_000] {
        assert_eq!(in_pieces(log.as_bytes(), piece), Ok(expected.clone()), "pieces of {piece} bytes");
    }
}

/// A label keeps its arguments for a jump that comes pieces later.
#[test]
fn a_label_is_kept_for_who_jumps_there_later() {
    let bridge = "[i7]\ni8 = int_mul(i7, 3)\njump(i8, descr=TargetToken(7))\n";
    let log = section("jit-log-noopt", LOOP) + &section("jit-log-noopt", bridge);
    let alone = whole(&section("jit-log-noopt", LOOP)).expect("it is optimized");
    let expected = whole(&log).expect("it is optimized");
    assert_ne!(alone.0.lines().count(), expected.0.lines().count());
    assert_eq!(in_pieces(log.as_bytes(), 1), Ok(expected));
}

#[test]
fn what_does_not_fit_is_refused_with_both_lines_before_anything_is_written() {
    let few = "[i7]\njump(descr=TargetToken(7))\n";
    let leaky = LOOP
        .replace("[i0]\nlabel(", "[i0]\ni5 = int_mul(i0, 3)\nlabel(")
        .replace("i2 = int_lt(i1, 9)", "i2 = int_lt(i1, i5)");
    let fits = "[i7]\njump(i7, descr=TargetToken(7))\n";
    for (first, second, said) in [
        (LOOP, few, ["`TargetToken(7)` takes", "x.log:14: jump(descr=", "x.log:4: label("]),
        (few, LOOP, ["`TargetToken(7)` takes", "x.log:4: jump(descr=", "x.log:10: label("]),
        (LOOP, LOOP, ["a label `TargetToken(7)` already", "x.log:14:", "x.log:4: label("]),
        (&leaky, fits, ["does not list `i5`", "x.log:7", "int_lt(i1, i5)"]),
    ] {
        let log = section("jit-log-noopt", first) + &section("jit-log-noopt", second);
        assert!(whole(&log).is_err(), "{log}");
        let found = in_pieces(log.as_bytes(), 1).expect_err("it is refused");
        for word in said {
            assert!(found.contains(word), "{word}:\n{found}");
        }
    }
}

/// A trace that cannot be read stays as it is, said with its place, and the others become what they become without it.
#[test]
fn a_trace_that_cannot_be_read_is_left_as_it_is() {
    let short = "[i0]\ni1 = int_mul(i0, 1)\nfinish(i1)\n";
    let wrong = [
        ("[i7]\nfinish(i9)\n", "x.log:11:8", "`i9` is not defined"),
        ("[i7]\ni8 = int_add(i7)\nfinish(i8)\n", "x.log:11:", "int_add"),
        ("[i7]\ni8 = int_add(i7, 1\nfinish(i8)\n", "x.log:11:", "int_add(i7, 1"),
        ("[i7]\n???\nfinish(i7)\n", "x.log:11:", "???"),
        (
            "[i7]\nlabel(i7, descr=TargetToken(8))\njump(descr=TargetToken(8))\n",
            "x.log:12:1",
            "hands over 0 values",
        ),
        ("finish()\n", "x.log:10:1", "begins with its inputs"),
        ("[p0]\ni1 = getfield_gc_i(p0, descr=<ArrayS 8>)\nfinish(i1)\n", "x.log:11:", "printed for `array`"),
    ];
    for (wrong, place, what) in wrong {
        let log = section("jit-log-noopt", short)
            + &section("jit-log-noopt", wrong)
            + &section("jit-log-noopt", LOOP);
        let (text, rows, _) = whole(&log).expect("the others are optimized");
        let without =
            whole(&(section("jit-log-noopt", short) + &section("jit-log-noopt", LOOP))).expect("they are");
        assert_eq!(text.replacen(&section("jit-log-noopt", wrong), "", 1), without.0);
        assert_eq!(rows, without.1);
        let mut said = String::new();
        for piece in [1, 30, PIECE] {
            let became = in_pieces(log.as_bytes(), piece).map(|became| (became.0, became.1));
            assert_eq!(became, Ok((text.clone(), rows.clone())), "pieces of {piece} bytes");
            let open = || Ok(Box::new(Cursor::new(log.clone().into_bytes())) as Box<dyn Read>);
            let source = Source { name: "x.log", length: log.len() as u64, open: &open };
            said =
                look_over(&source, Reading::default(), piece, Unread::Left).expect("it is read").warnings();
            let refused = look_over(&source, Reading::default(), piece, Unread::Refused).map(|_| ());
            assert!(refused.expect_err("it is checked").contains("error: "), "{log}");
        }
        assert!(said.starts_with("warning: ") && said.contains(place) && said.contains(what), "{said}");
        assert!(said.contains("the trace is left as it is, and the others are optimized"), "{said}");
    }
}

/// A trace that cannot be read may jump to labels of others: these keep their arguments.
#[test]
fn a_label_is_kept_for_a_trace_that_cannot_be_read() {
    let bridge = "[i7]\ni8 = int_mul(i9, 3)\njump(i8, descr=TargetToken(7))\n";
    let log = section("jit-log-noopt", LOOP) + &section("jit-log-noopt", bridge);
    let readable = whole(&log.replace("i9", "i7")).expect("it is optimized");
    let made = |text: &str| text.split("[3] {jit-log-opt-planish").nth(1).map(str::to_owned);
    let expected = whole(&log).expect("the loop is optimized");
    let end = |text: String| text.split("[4] jit-tracing}").next().map(str::to_owned);
    assert_eq!(made(&expected.0).and_then(end), made(&readable.0).and_then(end));
    for piece in [1, PIECE] {
        assert_eq!(in_pieces(log.as_bytes(), piece), Ok(expected.clone()));
    }
}

/// PyPy uses names of guards again. A bridge out of a guard whose trace cannot be read is told nothing of an older one of that name.
#[test]
fn a_bridge_out_of_a_trace_that_cannot_be_read_is_told_nothing() {
    let parent = |class: &str, result: &str| {
        format!(
            "# Loop 0 (f) : loop with 2 ops\n[p0, i1]\n+1: guard_class(p0, ConstClass({class}), descr=<Guard0x5>) [p0, i1]\n\
             +2: i2 = int_lt(i1, 9)\n+3: guard_true(i2, descr=<Guard0x6>) [p0, i1]\n+4: finish({result})\n"
        )
    };
    let raw =
        "# Traced loop or bridge with 2 ops\n[p0, i1]\nguard_class(p0, ConstClass(A)) [p0]\nfinish(i1)\n";
    let after = "# bridge out of Guard 0x6 with 1 ops\n[p0, i1]\n+1: finish(i1)\n";
    let bridge = format!(
        "[1] {{jit-tracing\n[2] {{jit-log-noopt\n{raw}[3] jit-log-noopt}}\n[4] {{jit-log-opt-bridge\n{after}[5] jit-log-opt-bridge}}\n\
         [6] jit-tracing}}\n"
    );
    let log = |second: &str| {
        section("jit-log-opt-loop", &parent("A", "i1")) + &section("jit-log-opt-loop", second) + &bridge
    };
    let asks = |log: &str, piece| {
        let text = in_pieces(log.as_bytes(), piece).expect("it is optimized").0;
        text.split("{jit-log-opt-planish").nth(1).expect("the bridge").contains("guard_class")
    };
    for piece in [1, PIECE] {
        assert!(!asks(&log(&parent("A", "i1")), piece));
        assert!(asks(&log(&parent("B", "i1")), piece));
        assert!(asks(&log(&parent("B", "i3")), piece), "the second parent cannot be read");
    }
}

#[test]
fn odd_ends_are_kept_as_they_are() {
    for log in [
        "",
        "no section\n",
        "\u{feff}[1] {jit-tracing\n[2] jit-tracing}\n\u{feff}after\n",
        "[1] {jit-tracing\r\n[2] jit-tracing}\r\nlast line without an end",
        "[1] {a\n[2] {b\n[3] a}\n[4] b}\n[5] {c\n",
        &(section("jit-log-noopt", LOOP) + "[9] {jit-tracing\n[a] {jit-log-noopt\n[i0]\nfinish(i0)\n"),
        &(section("jit-log-noopt", LOOP) + "free text\n" + &section("gc-minor", "x\n")),
    ] {
        let expected = whole(log).expect("it is read");
        for piece in [1, 30, PIECE] {
            assert_eq!(
                in_pieces(log.as_bytes(), piece),
                Ok(expected.clone()),
                "pieces of {piece} bytes: {log:?}"
            );
        }
    }
}

/// Lines of what is made end like those of the log.
#[test]
fn a_log_with_carriage_returns_gets_lines_with_carriage_returns() {
    let expected = whole(RECORDED).expect("it is optimized");
    let returns = RECORDED.replace('\n', "\r\n");
    for (text, rows, _) in
        [whole(&returns), in_pieces(returns.as_bytes(), 700)].map(|became| became.expect("it is read"))
    {
        assert!(text == expected.0.replace('\n', "\r\n"), "other lines");
        assert_eq!(rows, expected.1);
    }
}

/// A log may end anywhere, as that of a process which was killed: whole traces become what they become in the whole log, and one that
/// is not there as a whole stays as it is. What is there of PyPy's result is not taken for all of it.
#[test]
fn a_log_that_is_cut_off_is_optimized_as_far_as_it_goes() {
    let complete = whole(RECORDED).expect("it is optimized").0;
    let at = |words: &str, further: usize| RECORDED.find(words).expect("it is there") + further;
    let first = at("jit-log-noopt}", 0);
    let cuts = [
        (at("guard_isnull", 7), 0),
        (at("guard_class(p12", 0), 0),
        (first + 5, 1),
        (at("{jit-log-opt-loop", 6), 1),
        (at("label(p", 12), 1),
        (at("{jit-summary", 200), 4),
    ];
    for (cut, made) in cuts {
        let cut_off = &RECORDED[..cut];
        let (text, rows, _) = whole(cut_off).expect("it is read");
        assert_eq!(text.matches("{jit-log-opt-planish").count(), made, "cut at {cut}");
        assert!(made > 0 || text.trim_end() == cut_off.trim_end(), "cut at {cut}");
        assert_eq!(in_pieces(cut_off.as_bytes(), 700).expect("it is read").0, text, "cut at {cut}: {rows}");
        let result = |text: &str| text.split("{jit-log-opt-planish").nth(1).map(str::len);
        assert!(made < 4 || result(&text) == result(&complete), "cut at {cut}");
    }
    let cut = &RECORDED[..at("label(p", 0)];
    let mut session =
        Session::open("x.log", cut.into(), Dialect::PypyLog, Reading::default()).expect("it is read");
    let outcome = session.optimize(&Settings::default()).expect("it is optimized");
    assert!(outcome.statistics.rows.iter().all(|row| row.after.is_some() && row.peer.is_none()));
}

/// Two processes that write at once tear each other's traces, and use names of guards each for its own: what was torn stays as it is,
/// and no bridge is told anything.
#[test]
fn what_several_processes_tore_is_left_as_it_is() {
    let lines: Vec<&str> = RECORDED.lines().collect();
    let [one, other] = [0, 300].map(|ahead| {
        let mut chunks = vec![&lines[..100 + ahead]];
        chunks.extend(lines[100 + ahead..].chunks(400));
        chunks
    });
    let mixed: Vec<&str> = one.iter().zip(&other).flat_map(|(a, b)| [*a, *b]).flatten().copied().collect();
    let mixed = mixed.join("\n") + "\n";
    let (text, ..) = whole(&mixed).expect("it is read");
    for piece in [1, 700, PIECE] {
        let source = Source {
            name: "x.log",
            length: mixed.len() as u64,
            open: &|| Ok(Box::new(Cursor::new(mixed.clone().into_bytes())) as Box<dyn Read>),
        };
        let seen =
            look_over(&source, Reading::default(), piece, Unread::Left).expect("it is read").warnings();
        assert!(seen.contains("several processes wrote this log") && seen.contains("FILE%d"), "{seen}");
        assert!(look_over(&source, Reading::default(), piece, Unread::Refused).is_err());
        assert_eq!(in_pieces(mixed.as_bytes(), piece).expect("it is read").0, text);
    }
    let mut session =
        Session::open("x.log", mixed.into_bytes(), Dialect::PypyLog, Reading::default()).expect("it is read");
    let outcome = session.optimize(&Settings::default()).expect("it is optimized");
    assert!(outcome.statistics.rows.iter().all(|row| row.told.is_none()));
}

#[test]
fn compressed_logs_are_limited_and_damage_is_said() {
    let mut packed = GzEncoder::new(Vec::new(), flate2::Compression::best());
    packed.write_all(RECORDED.as_bytes()).expect("memory");
    let packed = packed.finish().expect("memory");
    assert_eq!(in_pieces(&packed, 700), whole(RECORDED));
    let cut = &packed[..packed.len() / 2];
    let refused = in_pieces(cut, 700).expect_err("it is cut off");
    assert!(refused.contains("x.log: the compressed data is cut off"), "{refused}");
    let open = || Ok(Box::new(Cursor::new(packed.clone())) as Box<dyn Read>);
    let source = Source { name: "x.log", length: packed.len() as u64, open: &open };
    let little = Reading { inflated_limit: Some(1_000), ..Reading::default() };
    let refused = look_over(&source, little, 700, Unread::Left).map(|_| ()).expect_err("it is too much");
    assert!(refused.contains("is taken for a bomb"), "{refused}");
}

#[test]
fn a_log_that_is_too_large_is_read_piece_by_piece_alone() {
    const MOST: usize = 128 << 20;
    let open = |length: usize, inflated_limit| {
        let reading = Reading { inflated_limit, ..Reading::default() };
        Session::open("x.log", vec![b'\n'; length], Dialect::PypyLog, reading).map(|_| ())
    };
    let refused = open(MOST + 1, None).expect_err("it is too much");
    assert!(
        refused.contains("x.log: this log has 134217729 bytes") && refused.contains("piece by piece"),
        "{refused}"
    );
    assert_eq!(open(MOST + 1, Some(MOST as u64 + 1)), Ok(()));
}

#[test]
fn how_often_traces_ran_is_read_where_it_was_counted() {
    let log = include_bytes!("../../../examples/logs/checksum.log").to_vec();
    let session = Session::open("checksum.log", log, Dialect::PypyLog, Reading::default()).unwrap();
    let counted: Vec<(String, u64, Option<u64>)> =
        session.executed().into_iter().map(|(name, ran)| (name, ran.entered, ran.around)).collect();
    let expected = [
        ("trace0", 1, Some(1958)),
        ("trace1", 396, Some(1562)),
        ("trace2", 567, None),
        ("trace3", 1, Some(1958)),
    ];
    assert_eq!(counted, expected.map(|(name, entered, around)| (name.to_owned(), entered, around)));
}

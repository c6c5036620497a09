//! Sections of PYPYLOG files: found, nested, compressed, written back.

use std::io::Write;

use planish_base::{Arena, SourceText};
use planish_trace_dialect::pypylog::{self, Log, Section, SectionId, SectionKind};
use planish_trace_dialect::write;

const LOG: &str = "\
[10] {jit-tracing
JIT starting (x86)
f;a.py:1-2~#4 FOR_ITER
[20] {jit-log-noopt
# Traced loop or bridge with 2 ops
[i0]
i1 = int_add(i0, 1)
[21] {gc-minor
[not a section] {x
[22] gc-minor}
jump(i1, descr=<Loop-1>)
[2f] jit-log-noopt}
[30] {jit-log-opt-loop
# Loop 0 (f) : loop with 2 ops
[i0]
+5: i1 = int_add(i0, 1)
+9: jump(i1, descr=TargetToken(77))
+20: --end of the loop--
[3f] jit-log-opt-loop}
[40] jit-tracing}
[50] {jit-summary
Tracing:      \t4\t0.006592
[60] jit-summary}
";

fn read(text: &str) -> (Log, Vec<String>) {
    let (log, diagnostics) = pypylog::read(SourceText::new("x.log", text));
    let messages = diagnostics.iter().map(|d| d.headline(&log.source)).collect();
    (log, messages)
}

#[test]
fn sections_nest_and_hold_traces() {
    let (log, messages) = read(LOG);
    assert_eq!(messages, [""; 0]);
    let kinds: Vec<SectionKind> = log.sections.values().map(|section| section.kind).collect();
    use SectionKind::{NoOpt, OptLoop, Other, Tracing};
    assert_eq!(kinds, [Tracing, NoOpt, Other, OptLoop, Other]);
    let parents: Vec<Option<SectionId>> = log.sections.values().map(|section| section.parent).collect();
    let ids: Vec<SectionId> = log.sections.ids().collect();
    assert_eq!(parents, [None, Some(ids[0]), Some(ids[1]), Some(ids[0]), None]);
    assert_eq!((log.sections[ids[1]].begin, log.sections[ids[1]].end), (0x20, Some(0x2f)));
    let trace = log.sections[ids[1]].trace.as_ref().expect("a raw trace");
    assert_eq!(trace.ops.len(), 2, "lines of a section inside are no operations");
}

#[test]
fn an_unchanged_log_is_written_as_it_was() {
    for text in [LOG, &LOG.replace('\n', "\r\n"), LOG.trim_end(), "", "no section at all"] {
        assert_eq!(read(text).0.write(&[]), text);
    }
}

#[test]
fn new_sections_follow_those_of_their_raw_traces() {
    let (log, _) = read(LOG);
    let raw = log.sections.iter().find(|(_, section)| section.kind == SectionKind::NoOpt).map(|(id, _)| id);
    let written = log.write(&[(raw.unwrap(), "NEW\n".to_owned())]);
    assert_eq!(written, LOG.replace("[30] {jit-log-opt-loop", "NEW\n[30] {jit-log-opt-loop"));
}

#[test]
fn a_section_that_was_never_closed_ends_with_what_is_around_it() {
    let (log, messages) =
        read("[1] {jit-tracing\n[2] {jit-log-noopt\n[i0]\njump(i0)\n[3] jit-tracing}\n[4] jit-other}\n");
    assert_eq!(
        messages,
        [
            "x.log:2:6: warning: the section `jit-log-noopt` is never closed",
            "x.log:6:1: warning: no section `jit-other` is open here",
        ]
    );
    let raw: &Arena<SectionId, Section> = &log.sections;
    assert_eq!(raw.values().nth(1).and_then(|s| s.trace.as_ref()).map(|t| t.ops.len()), Some(1));
}

#[test]
fn errors_in_a_trace_are_located_in_the_log() {
    let (_, messages) = read("[1] {jit-log-noopt\n[i0]\njump(i3)\n[3] jit-log-noopt}\n");
    assert_eq!(messages, ["x.log:3:6: error: `i3` is not defined"]);
}

#[test]
fn compressed_logs_unfold_and_damaged_ones_are_refused() {
    let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::default());
    encoder.write_all(LOG.as_bytes()).unwrap();
    let packed = encoder.finish().unwrap();
    assert_eq!(pypylog::unfold(packed.clone(), None).unwrap(), LOG.as_bytes());
    assert_eq!(pypylog::unfold(LOG.as_bytes().to_vec(), None).unwrap(), LOG.as_bytes());
    let mut damaged = packed.clone();
    damaged[packed.len() / 2] ^= 0x55;
    assert!(pypylog::unfold(damaged, None).unwrap_err().contains("damaged"));
    // Wherever it is cut off: in its head, in its middle, in the sum at its end, in a second one behind it.
    let two = [&packed[..], &packed].concat();
    for length in (2..packed.len()).chain(packed.len() + 1..two.len()) {
        let refused = pypylog::unfold(two[..length].to_vec(), None).expect_err("a part of it is not there");
        assert!(refused.contains("is cut off"), "{length}: {refused}");
    }
}

#[test]
fn what_unfolds_to_more_than_it_may_is_refused() {
    let packed = |text: &[u8]| {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(text).unwrap();
        encoder.finish().unwrap()
    };
    let log = packed(LOG.as_bytes());
    let size = LOG.len() as u64;
    assert_eq!(pypylog::unfold(log.clone(), Some(size)).unwrap(), LOG.as_bytes());
    assert!(pypylog::unfold(log, Some(size - 1)).unwrap_err().contains("is taken for a bomb"));
    // Two files of gzip, one behind the other, are one text.
    let half = packed(&vec![b'\n'; 130 << 20]);
    let whole = [&half[..], &half].concat();
    assert!(pypylog::unfold(whole.clone(), None).unwrap_err().contains("more than 268435456 bytes"));
    assert_eq!(pypylog::unfold(whole, Some(1 << 30)).unwrap().len(), 260 << 20);
}

#[test]
fn a_trace_of_a_log_prints_as_it_stood() {
    let (log, _) = read(LOG);
    for section in log.sections.values().filter(|section| section.kind == SectionKind::OptLoop) {
        let mut out = String::new();
        write::trace(section.trace.as_ref().unwrap(), &log.texts, &mut out);
        assert_eq!(out, log.source.text()[section.content.clone()]);
    }
}

/// `PYPYLOG=jit:FILE` writes sections that are called like traces and are none.
#[test]
fn sections_in_another_notation_are_no_traces() {
    let text = "[1] {jit-log-noopt\n[i0]\nfinish(i0)\n[2] jit-log-noopt}\n\
                [3] {jit-log-exported-state\n[r1, 7/ci]\n  INP(r1)\n  PureOp(i2 = int_add(r1, 1/ci))\n[4] jit-log-exported-state}\n";
    let (log, diagnostics) = pypylog::read(SourceText::new("x.log", text));
    assert!(diagnostics.is_empty(), "{}", diagnostics.render(&log.source));
    assert_eq!(log.sections.values().filter(|section| section.trace.is_some()).count(), 1);
}

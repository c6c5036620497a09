use planish_base::diag::SourceText;

use super::*;
use crate::pypylog::{self, SectionKind};
use crate::stats::{pairs, pypy};

const CALL: &str = "i9 = call_i(ConstClass(f), p0, descr=<Calli 8 r EF=5>)";

/// What calls of a recording leave alone, in order, for what PyPy made of it.
fn shown(recording: &str, optimized: &str, kind: &str) -> Vec<String> {
    let text = format!(
        "[1] {{jit-log-noopt\n# Traced loop or bridge with 9 ops\n{recording}\n[2] jit-log-noopt}}\n\
         [3] {{jit-log-opt-{kind}\n# Loop 1 (f) : loop with 9 ops\n{optimized}\n[4] jit-log-opt-{kind}}}\n"
    );
    let (log, diagnostics) = pypylog::read(SourceText::new("t", text));
    assert_eq!(diagnostics.into_iter().count(), 0);
    let raw = log.sections.iter().find(|(_, section)| section.kind == SectionKind::NoOpt).unwrap().0;
    let trace = log.sections[raw].trace.as_ref().unwrap();
    let pypy = pairs(&log)[raw].and_then(|optimized| pypy(&log, optimized));
    let spared = of(&log, trace, Some(pypy.as_ref().expect("the two are paired")));
    let mut places: Vec<_> = spared.into_iter().collect();
    places.sort_unstable_by_key(|(place, _)| *place);
    let words = |(_, alone): (u32, Alone)| {
        let fields =
            alone.fields.iter().map(|&field| log.texts.get(field).split(' ').nth(1).unwrap().to_owned());
        let watched = alone.watched.then(|| "watched".to_owned());
        fields.chain(watched).collect::<Vec<_>>().join(" ")
    };
    places.into_iter().map(words).collect()
}

/// A bridge that reads a field, calls and reads it again; PyPy's result has `left` behind the call.
fn bridge(of: [&str; 2], left: &str) -> Vec<String> {
    let load = |result: &str, of: &str| format!("{result} = getfield_gc_i({of}, descr=<FieldS A.x 8>)");
    let recording = format!("[p0, p1]\n{}\n{CALL}\n{}\nfinish(i3)", load("i2", of[0]), load("i3", of[1]));
    let optimized = format!("[p0, p1]\n{}\n{CALL}\n{left}finish(i2)", load("i2", of[0]));
    shown(&recording, &optimized, "bridge")
}

#[test]
fn a_load_that_is_gone_behind_a_call_shows_what_the_call_leaves_alone() {
    assert_eq!(bridge(["p1", "p1"], ""), ["A.x"]);
    assert_eq!(bridge(["p1", "p1"], "i3 = getfield_gc_i(p1, descr=<FieldS A.x 8>)\n"), [] as [&str; 0]);
    // Two names may be of one object.
    assert_eq!(bridge(["p0", "p1"], ""), [] as [&str; 0]);
}

#[test]
fn a_field_that_never_changes_and_an_object_that_is_not_made_show_nothing() {
    let pure = |text: &str| text.replace("A.x 8>", "A.x 8 pure>");
    let recording = "[p0, p1]\ni2 = getfield_gc_i(p1, descr=<FieldS A.x 8>)\ni9 = call_i(ConstClass(f), p0, descr=<Calli 8 r EF=5>)\ni3 = getfield_gc_i(p1, descr=<FieldS A.x 8>)\nfinish(i3)";
    let optimized = "[p0, p1]\ni2 = getfield_gc_i(p1, descr=<FieldS A.x 8>)\ni9 = call_i(ConstClass(f), p0, descr=<Calli 8 r EF=5>)\nfinish(i2)";
    assert_eq!(shown(recording, optimized, "bridge"), ["A.x"]);
    assert_eq!(shown(&pure(recording), &pure(optimized), "bridge"), [] as [&str; 0]);
    let fresh = "p1 = new_with_vtable(descr=<SizeDescr 16>)\n";
    let made = |text: &str| text.replace("[p0, p1]\n", &format!("[p0]\n{fresh}"));
    assert_eq!(shown(&made(recording), &made(optimized), "bridge"), [] as [&str; 0]);
    // What was known from before is not told by the first of two loads.
    let known = optimized.replace("i2 = getfield_gc_i(p1, descr=<FieldS A.x 8>)\n", "").replace("i2", "5");
    assert_eq!(shown(recording, &known, "bridge"), ["A.x"]);
}

#[test]
fn calls_that_are_not_found_again_show_nothing() {
    let load = "i2 = getfield_gc_i(p1, descr=<FieldS A.x 8>)";
    let again = load.replace("i2", "i3");
    let recording = format!("[p0, p1]\n{load}\n{CALL}\n{}\n{again}\nfinish(i3)", CALL.replace("i9", "i8"));
    let optimized = format!("[p0, p1]\n{load}\n{CALL}\nfinish(i2)");
    assert_eq!(shown(&recording, &optimized, "bridge"), [] as [&str; 0]);
}

/// A loop over `p1`, that hands `around` over, and PyPy's preamble and body.
fn around(around: &str, body: &str) -> Vec<String> {
    let point = "debug_merge_point(0, 0, 'f')";
    let load = "i2 = getfield_gc_i(p1, descr=<FieldS A.x 8>)";
    let made = "p7 = new_with_vtable(descr=<SizeDescr 16>)";
    let recording = format!("[p0, p1]\n{point}\n{load}\n{CALL}\n{made}\njump(p0, {around}, descr=<Loop-1>)");
    let call = CALL.replace("i9", "i10");
    let optimized = format!(
        "[p0, p1]\nlabel(p0, p1, descr=TargetToken(1))\n{point}\n{load}\n{CALL}\n\
         label(p0, p1, i2, descr=TargetToken(2))\n{point}\n{body}{call}\njump(p0, p1, i2, descr=TargetToken(2))"
    );
    shown(&recording, &optimized, "loop")
}

#[test]
fn what_comes_around_unchanged_is_known_from_the_iteration_before() {
    assert_eq!(around("p1", ""), ["A.x"]);
    assert_eq!(around("p1", "i3 = getfield_gc_i(p1, descr=<FieldS A.x 8>)\n"), [] as [&str; 0]);
    // An object that is handed over may not be made.
    assert_eq!(around("p7", ""), [] as [&str; 0]);
}

#[test]
fn a_guard_that_is_gone_shows_that_nothing_that_is_watched_changes() {
    let marked = |of: &str| format!("quasiimmut_field({of}, descr=<QuasiImmutDescr object at 0x1>)\n");
    let guard = "guard_not_invalidated()\n";
    let of = |second: &str, left: &str| {
        let first = marked("ConstPtr(ptr1)");
        let recording = format!("[p0]\n{first}{guard}{CALL}\n{}{guard}finish(i9)", marked(second));
        shown(&recording, &format!("[p0]\n{guard}{CALL}\n{left}finish(i9)"), "bridge")
    };
    assert_eq!(of("ConstPtr(ptr1)", ""), ["watched"]);
    assert_eq!(of("ConstPtr(ptr1)", guard), [] as [&str; 0]);
    // It is left out for being about no constant.
    assert_eq!(of("p0", ""), [] as [&str; 0]);
}

/// A bridge with these operations, and what PyPy left of it.
fn straight(recorded: &[&str], left: &[&str]) -> Vec<String> {
    let text = |ops: &[&str]| format!("[p0, p1]\n{}\nfinish(p0)", ops.join("\n"));
    shown(&text(recorded), &text(left), "bridge")
}

#[test]
fn who_only_looks_at_an_object_gives_it_no_other_name() {
    let load = "i2 = getfield_gc_i(p1, descr=<FieldS A.x 8>)";
    let again = "i3 = getfield_gc_i(p1, descr=<FieldS A.x 8>)";
    let made = "p4 = new_with_vtable(descr=<SizeDescr 16>)";
    let store = "setfield_gc(p4, 5, descr=<FieldS A.x 8>)";
    assert_eq!(straight(&[load, made, store, CALL, again], &[load, CALL]), ["A.x"]);
    // What is stored may be loaded again, and what is compared may be the other.
    let named = "setfield_gc(p4, p1, descr=<FieldP B.y 16>)";
    assert_eq!(straight(&[load, made, store, named, CALL, again], &[load, CALL]), [] as [&str; 0]);
    let compared = "i5 = ptr_eq(p0, p1)";
    assert_eq!(
        straight(&[load, made, store, compared, CALL, again], &[load, compared, CALL]),
        [] as [&str; 0]
    );
}

#[test]
fn what_is_loaded_again_of_an_object_without_another_name_is_the_same() {
    let load =
        ["p2 = getfield_gc_r(p1, descr=<FieldP A.y 8>)", "i3 = getfield_gc_i(p2, descr=<FieldS B.x 8>)"];
    let again =
        ["p4 = getfield_gc_r(p1, descr=<FieldP A.y 8>)", "i5 = getfield_gc_i(p4, descr=<FieldS B.x 8>)"];
    let recorded = [load[0], load[1], CALL, again[0], again[1]];
    assert_eq!(straight(&recorded, &[load[0], load[1], CALL]), ["A.y B.x"]);
    let left = again[1].replace("p4", "p2");
    assert_eq!(straight(&recorded, &[load[0], load[1], CALL, &left]), ["A.y"]);
    // It is another object then.
    assert_eq!(straight(&recorded, &[load[0], load[1], CALL, again[0]]), [] as [&str; 0]);
}

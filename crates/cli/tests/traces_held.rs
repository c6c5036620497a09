//! What comparing traces with what became of them accepts and what it does not.

mod common;

use std::fs;

use common::{Scratch, planish};

/// Writes a text of a name.
fn file(scratch: &Scratch, name: &str, text: &str) -> String {
    let path = scratch.path(name);
    fs::write(&path, text).expect("a file");
    path
}

/// Runs the command: whether it went well, what it prints and what it says.
fn said(args: &[&str]) -> (bool, String, String) {
    let output = planish(args);
    let text = |bytes| String::from_utf8(bytes).expect("UTF-8");
    (output.status.success(), text(output.stdout), text(output.stderr))
}

/// What `validate` says of a text and of one with something replaced.
fn compared(name: &str, source: &str, right: &str, wrong: &str) -> (bool, String) {
    let scratch = Scratch::new(name, "");
    assert!(source.contains(right), "{right}: {source}");
    let before = file(&scratch, "before.trace", source);
    let after = file(&scratch, "after.trace", &source.replacen(right, wrong, 1));
    let (well, found, why) = said(&["validate", &before, &after]);
    (well, found + &why)
}

/// A trace that is left for a bridge where a comparison fails.
const LEFT: &str = "\
#! section line
[i1]
i2 = int_lt(i1, 5)
guard_true(i2, descr=<Guard1>) [i1]
i3 = int_add(i1, 1)
finish(i3)
#! section bridge
#! out of <Guard1>
[i1]
i4 = int_sub(i1, 1)
finish(i4)
";

/// A loop that is left where it has counted up, and another guard on an object.
const COUNTS: &str = "\
#! section loop
[i0, p1]
i2 = int_lt(i0, 40)
guard_true(i2, descr=<Guard1>) [i0, p1]
guard_nonnull(p1, descr=<Guard2>) [p1]
i3 = int_add(i0, 1)
jump(i3, p1)
";

/// A guard leaves where it does in the source, whether a bridge goes on there or whoever resumes.
#[test]
fn a_guard_that_the_source_passes_does_not_fail() {
    let alone = LEFT.split("#! section bridge").next().expect("a line");
    // What is read, and not proved, is run.
    let with_memory = alone.replace("[i1]\ni2", "[i1, p9]\nguard_nonnull(p9, descr=<Guard0>) [p9]\ni2");
    for source in [LEFT, alone, &with_memory] {
        for wrong in ["int_lt(i1, i1)", "int_lt(i1, 3)", "int_le(i1, 5)"] {
            let (well, said) = compared("passes", source, "int_lt(i1, 5)", wrong);
            assert!(!well && said.contains("different"), "{wrong}\n{source}{said}");
        }
    }
    for (right, wrong) in
        [("int_lt(i0, 40)", "int_lt(i0, 39)"), ("int_add(i0, 1)", "int_add(i0, 0)"), ("[p1]\ni3", "[i0]\ni3")]
    {
        let (well, said) = compared("loops", COUNTS, right, wrong);
        assert!(!well && said.contains("different"), "{wrong}\n{said}");
    }
    let (well, said) = compared("same", COUNTS, "loop", "loop");
    assert!(well && said.starts_with("proved up to 8 iterations; tested on "), "{said}");
}

/// An object that two guards ask about.
fn guarded(first: &str, second: &str) -> String {
    format!(
        "#! class box range=0..0\n#! struct BOX(object) vtable=box {{ value:i8s }}\n#! field value BOX.value\n\
         #! ptr one BOX vtable=box {{ value=5 }}\n#! section line\n[p0, i1]\n\
         {first}, descr=<Guard1>) [p0, i1]\ni2 = int_add(i1, 1)\n{second}, descr=<Guard2>) [p0, i2]\n\
         i3 = getfield_gc_i(p0, descr=value)\nfinish(i3, i2)\n"
    )
}

const NONNULL: &str = "guard_nonnull(p0";
const CLASS: &str = "guard_nonnull_class(p0, ConstClass(box)";
const VALUE: &str = "guard_value(p0, ConstPtr(one)";

/// Guards on one reference become one where nobody goes on from them but who asks again; that is counted apart. Where a bridge of the
/// program goes on from either they stay.
#[test]
fn no_guard_becomes_stronger_that_has_a_bridge() {
    for (first, second) in [(NONNULL, CLASS), (NONNULL, VALUE), (CLASS, VALUE)] {
        for number in [0, 1, 2] {
            let bridge = format!("#! section bridge\n#! out of <Guard{number}>\n[p0, i1]\nfinish(i1)\n");
            let text = guarded(first, second) + if number == 0 { "" } else { &bridge };
            let scratch = Scratch::new("stronger", "");
            let path = file(&scratch, "source.trace", &text);
            let out = scratch.path("out.trace");
            let (well, _, why) = said(&["opt", "--validate", "run", "-o", &out, &path]);
            let result = fs::read_to_string(&out).unwrap_or_default();
            assert!(well, "{text}{result}{why}");
            let (left, early) =
                (result.matches("guard_").count(), why.contains("leaves at an earlier guard"));
            assert_eq!((left, early), if number == 0 { (1, true) } else { (2, false) }, "{result}{why}");
        }
    }
}

/// The stronger guard is none that its source could have where a bridge goes on.
#[test]
fn a_stronger_guard_is_told_from_one_with_a_bridge() {
    let bridge = "#! section bridge\n#! out of <Guard1>\n[p0, i1]\nfinish(i1)\n";
    for (rest, accepted) in [("", true), (bridge, false)] {
        let scratch = Scratch::new("stronger-text", "");
        let before = file(&scratch, "before.trace", &(guarded(NONNULL, CLASS) + rest));
        let stronger = guarded(CLASS, CLASS).replace(&format!("{CLASS}, descr=<Guard2>) [p0, i2]\n"), "");
        let after = file(&scratch, "after.trace", &(stronger + rest));
        let (well, found, why) = said(&["validate", &before, &after]);
        assert_eq!(well, accepted, "{found}{why}");
        assert_eq!(found.contains("more it leaves at an earlier guard"), accepted, "{found}{why}");
    }
}

/// A call that reads and writes nothing changes nothing.
#[test]
fn a_call_that_lists_nothing_touches_nothing() {
    let scratch = Scratch::new("lists-nothing", "");
    let text = "\
#! class box range=0..0
#! struct BOX(object) vtable=box { value:i8s }
#! field value BOX.value
#! call f (i)v effect=can_raise
[p0, i1]
setfield_gc(p0, i1, descr=value)
call_n(123, i1, descr=f)
guard_no_exception() [p0]
i2 = getfield_gc_i(p0, descr=value)
setfield_gc(p0, 7, descr=FIELD)
finish(i2)
";
    for field in ["value", "unknown"] {
        let path = file(&scratch, "source.trace", &text.replace("FIELD", field));
        let (well, result, why) = said(&["opt", "--validate", "run", &path]);
        assert!(well && why.contains("tested on ") && !result.contains("getfield"), "{result}{why}");
    }
}

/// A store that waits behind a call changes in which order a text names memory, and nothing else.
#[test]
fn a_store_may_wait_behind_a_call_that_touches_other_memory() {
    let scratch = Scratch::new("waits", "");
    let text = "\
#! class pair range=0..0
#! struct PAIR(object) vtable=pair { left:i8s, right:i8s }
#! field left PAIR.left
#! field right PAIR.right
#! call f ()v effect=can_raise reads=left writes=left
[p0, i1]
setfield_gc(p0, i1, descr=right)
call_n(123, descr=f)
guard_no_exception() [p0]
i2 = getfield_gc_i(p0, descr=right)
finish(i2)
";
    let path = file(&scratch, "source.trace", text);
    let (well, result, why) = said(&["opt", "--validate", "run", &path]);
    assert!(well && why.contains("tested on ") && result.contains("finish(i1)"), "{result}{why}");
}

/// An operation says that a call is elidable or loop-invariant where nothing else does; so it stays.
#[test]
fn a_call_of_what_nothing_declares_stays_what_it_is() {
    let scratch = Scratch::new("undeclared-calls", "");
    for word in ["call_pure_i", "call_loopinvariant_i"] {
        let text = format!("[p0, i0]\ni1 = {word}(123, i0, descr=f)\nguard_nonnull(p0) [i1]\nfinish(i1)\n");
        let path = file(&scratch, "source.trace", &text);
        let (well, result, why) = said(&["opt", "--validate", "run", &path]);
        assert!(well && result == text, "{result}{why}");
        let effect = if word == "call_pure_i" { "elidable_cannot_raise" } else { "loopinvariant" };
        let declared = format!("#! call f (i)i effect={effect}\n{text}");
        let path = file(&scratch, "declared.trace", &declared);
        let (well, result, why) = said(&["opt", "--validate", "run", &path]);
        assert!(well && result.contains(" = call_i(123"), "{result}{why}");
    }
}

/// Where no input decides anything, nothing was tested.
#[test]
fn nothing_decided_is_no_answer() {
    let scratch = Scratch::new("decides-nothing", "");
    let endless = file(&scratch, "endless.trace", "[i0]\njump(i0)\n");
    let (well, found, why) = said(&["opt", "--validate", "run", &endless]);
    assert!(!well && why.contains("no input decided anything") && found.contains("jump(i0)"), "{found}{why}");
    let text = file(&scratch, "text.trace", LEFT);
    let (well, found, why) = said(&["validate", "--inputs", "0", &text, &text]);
    assert!(!well && why.contains("no input was tried"), "{found}{why}");
}

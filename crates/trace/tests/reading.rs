//! What the reader accepts, what it says of the rest, and that nothing is lost on the way back.

use planish_base::SourceText;
use planish_trace_dialect::text::{Arg, Trace};
use planish_trace_dialect::{read, write};

/// The first trace of a text and the messages about it, each as `line:column: severity: message`.
fn messages(text: &str) -> Vec<String> {
    let source = SourceText::new("t", text);
    let (_, diagnostics) = read::read(&source);
    diagnostics.iter().map(|d| d.headline(&source)[2..].to_owned()).collect()
}

fn read_one(text: &str) -> (read::TraceFile, Trace) {
    let source = SourceText::new("t", text);
    let (file, diagnostics) = read::read(&source);
    assert!(diagnostics.is_empty(), "{}", diagnostics.render(&source));
    let trace = file.sections[0].trace.clone();
    (file, trace)
}

fn reprinted(text: &str) -> String {
    let (file, trace) = read_one(text);
    let mut out = String::new();
    write::trace(&trace, &file.texts, &mut out);
    out
}

const SUM: &str = "\
[p0, i0, i1]
label(p0, i0, i1, descr=TargetToken(4461))
i2 = getarrayitem_gc_i(p0, i0, descr=<ArrayS 8>)
i3 = int_add(i1, i2)
i4 = int_add(i0, 1)
i5 = int_lt(i4, 100)
guard_true(i5, descr=<Guard0x7f7b3577c080>) [p0, i4, None, i3]
jump(p0, i4, i3, descr=TargetToken(4461))
";

/// S4.1, S4.2, S4.4, S4.5
#[test]
fn the_sum_of_an_array_reads_and_prints_back() {
    assert_eq!(reprinted(SUM), SUM);
}

#[test]
fn every_kind_of_argument_prints_back() {
    let text = "\
[i0, p1, f2, i3]
+12: i4 = call_i(ConstClass(f), i0, p1, f2, -9223372036854775808, descr=<Calli 8 irfi EF=2>)
setfield_gc(p1, ConstPtr(null), descr=<FieldP list.items 16>)
setfield_gc(p1, NULL, descr=<FieldP list.items 16>)
setfield_gc(p1, ConstPtr(ptr7), descr=<FieldP list.items 16>)
setfield_gc(p1, 0.250000, descr=<FieldF W_FloatObject.inst_floatval 8 pure>)
guard_gc_type(p1, ConstInt(node_tid)) []
i5 = call_i(123, s\"ab c\", u'x', descr=strdescr)
debug_merge_point(0, 0, 'f;a (b).py:1-2~#4 X [i9] = # no comment')
guard_not_invalidated()
finish(i4, descr=<DoneWithThisFrameDescrInt object at 0x7fbb0d13d6c0>)
--end of the loop--
";
    assert_eq!(reprinted(text), text);
}

/// S4.3
#[test]
fn comments_and_layout_are_no_part_of_the_trace() {
    let text = "# above\n  [i0,i1]  # inputs\n  # alone\n\n  i2 = int_add(i0,i1) # sum\n  jump( i2 , i1 )\n";
    assert_eq!(reprinted(text), "# above\n[i0, i1]\ni2 = int_add(i0, i1)\njump(i2, i1)\n");
}

#[test]
fn names_are_free_and_vectors_have_shapes() {
    let text =
        "[p0, ifoo]\nv1[4xi32] = vec_load_i(p0, ifoo, 1, 0)\nv2[4xi32] = vec_int_add(v1[4xi32], v1[4xi32])\n";
    let (_, trace) = read_one(text);
    assert!(matches!(trace.args(&trace.ops[1]), [Arg::Var(a), Arg::Var(b)] if a == b));
    assert_eq!(trace.vars.len(), 4);
}

#[test]
fn wrong_names_are_found_where_they_stand() {
    let found =
        messages("[i0, p1, i0]\ni2 = int_add(i0, i9)\ni2 = int_neg(i0)\nguard_true(i2) [i2, i8, 7]\n");
    assert_eq!(
        found,
        [
            "1:10: error: `i0` is defined twice",
            "2:18: error: `i9` is not defined",
            "3:1: error: `i2` is defined twice",
            "4:21: error: `i8` is not defined",
            "4:25: error: fail arguments are values or `None`",
        ]
    );
}

#[test]
fn wrong_numbers_and_kinds_of_arguments_are_found() {
    let found = messages(
        "[i0, p1, f2]\ni3 = int_add(i0)\ni4 = int_add(i0, p1)\nf5 = float_neg(i0)\nguard_class(p1)\n",
    );
    assert_eq!(
        found,
        [
            "2:6: error: `int_add` takes 2 arguments, not 1",
            "3:18: error: `int_add` takes an integer here, not a reference",
            "4:16: error: `float_neg` takes a float here, not an integer",
            "5:1: error: `guard_class` takes 2 arguments, not 1",
        ]
    );
}

#[test]
fn an_overflow_operation_and_its_guard_stand_side_by_side() {
    let found = messages(
        "[i0]\ni1 = int_add_ovf(i0, 1)\ni2 = int_add(i1, 1)\nguard_no_overflow() [i0]\ni3 = int_sub_ovf(i0, 1)\n",
    );
    assert_eq!(
        found,
        [
            "2:1: error: an overflow operation stands directly before its guard",
            "4:1: error: an overflow guard stands directly behind an overflow operation",
            "5:1: error: an overflow operation stands directly before its guard",
        ]
    );
    assert_eq!(messages("[i0]\ni1 = int_add_ovf(i0, 1)\nguard_overflow() [i0]\n"), [""; 0]);
}

#[test]
fn an_unknown_operation_is_named_once_and_kept() {
    let text = "[i0]\ni1 = frobnicate(i0, descr=<X 1>)\ni2 = frobnicate(i1, descr=<X 1>)\n";
    assert_eq!(messages(text), ["2:6: warning: unknown operation `frobnicate`"]);
    let source = SourceText::new("t", text);
    let (file, _) = read::read(&source);
    let mut out = String::new();
    write::trace(&file.sections[0].trace, &file.texts, &mut out);
    assert_eq!(out, text);
}

#[test]
fn malformed_lines_are_reported_and_skipped() {
    let found = messages(
        "[i0]\ni1 = int_add(i0, 1\ni2 int_neg(i0)\n= (i0)\ni3 = int_add(i0, 99999999999999999999)\n  i4 = int_neg(i0)\ni5 = escape_i(\"x)\n",
    );
    assert_eq!(
        found,
        [
            "2:13: error: this parenthesis is never closed",
            "3:4: error: expected `(` after `i2`",
            "4:1: error: expected a name for the result before `=`",
            "5:18: error: the number does not fit 64 bits",
            "6:1: error: indented by 2, where the trace began with 0",
            "7:15: error: this string is never closed",
        ]
    );
    assert_eq!(
        messages(""),
        ["1:1: error: there is no trace here: a line of inputs such as `[i0, p1]` is missing"]
    );
    assert_eq!(
        messages("jump()\n"),
        ["1:1: error: a trace begins with its inputs in brackets, as in `[i0, p1]`"]
    );
}

#[test]
fn a_file_may_hold_several_traces() {
    let text = "#! trace 1\n#! mode bridge\n#! section loop 0\n[i0]\njump(i0)\n#! section bridge\n#! note\n[i7]\njump(i7)\n";
    let source = SourceText::new("t", text);
    let (file, diagnostics) = read::read(&source);
    assert!(diagnostics.is_empty(), "{}", diagnostics.render(&source));
    let names: Vec<Option<&str>> =
        file.sections.iter().map(|s| s.name.map(|name| file.texts.get(name).as_str())).collect();
    assert_eq!(names, [Some("loop 0"), Some("bridge")]);
    let directives: Vec<&str> = file.directives.iter().map(|&span| source.slice(span)).collect();
    assert_eq!(directives, ["#! trace 1", "#! mode bridge"]);
    assert_eq!(file.sections[1].directives.len(), 1);
}

/// Any bytes give messages, never a panic.
#[test]
fn damaged_texts_are_refused_without_a_panic() {
    let mut state = 0x9e37_79b9_7f4a_7c15_u64;
    let mut next = move || {
        state ^= state << 13;
        state ^= state >> 7;
        state ^= state << 17;
        state
    };
    for _ in 0..4000 {
        let mut bytes = SUM.as_bytes().to_vec();
        for _ in 0..1 + next() % 6 {
            if bytes.is_empty() {
                break;
            }
            let at = (next() % bytes.len() as u64) as usize;
            match next() % 3 {
                0 => bytes[at] = b"()[],=<># \"'+-0ip\n"[(next() % 18) as usize],
                1 => {
                    bytes.remove(at);
                }
                _ => bytes.truncate(at.max(1)),
            }
        }
        let source = SourceText::new("t", String::from_utf8_lossy(&bytes));
        let (file, _) = read::read(&source);
        for section in &file.sections {
            write::trace(&section.trace, &file.texts, &mut String::new());
        }
    }
}

/// A comment in front of many carriage returns lost one each time it was read.
#[test]
fn carriage_returns_at_the_end_of_a_line_are_its_end() {
    assert_eq!(reprinted("#=\r\r\r\r\n[]\n"), "#=\n[]\n");
}

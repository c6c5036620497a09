//! Readers of text: no panic, and what is read without an error is written so that it reads back.

use planish_base::{Diagnostics, SourceText};
use planish_ir::{Form, text, verify_module};
use planish_rules::RuleSet;
use planish_rules::set::Strictness;
use planish_trace_dialect::{pypylog, read, write};

/// The `.ssa` text. Writing what was read, and that again, gives one text.
pub fn ssa(source: &str) {
    let (module, diagnostics) = text::read(source);
    render(&diagnostics, source);
    if diagnostics.has_errors() {
        return;
    }
    let written = text::write(&module, text::Options::default());
    let (again, diagnostics) = text::read(&written);
    assert!(!diagnostics.has_errors(), "{}", diagnostics.render(&SourceText::new("written", written)));
    assert_eq!(text::write(&again, text::Options::default()), written);
}

/// The three-address language: read, lifted, lowered and read again.
pub fn tac(source: &str) {
    let text = SourceText::new("fuzz", source);
    let mut diagnostics = Diagnostics::new();
    let program = planish_tac::read::read(&text, &mut diagnostics);
    render(&diagnostics, source);
    if diagnostics.has_errors() {
        return;
    }
    let module = planish_tac::lift::lift(&program, planish_tac::lift::Options::default(), &mut diagnostics);
    render(&diagnostics, source);
    if diagnostics.has_errors() {
        return;
    }
    let options = planish_tac::lower::Options { width: 64, extended: true, ..Default::default() };
    // A program may have no form that can be written; that is an answer.
    if let Ok(lowered) = planish_tac::lower::lower(&module, options) {
        let written = planish_tac::write::write(&lowered);
        let mut diagnostics = Diagnostics::new();
        let text = SourceText::new("written", written);
        planish_tac::read::read(&text, &mut diagnostics);
        assert!(!diagnostics.has_errors(), "{}", diagnostics.render(&text));
    }
}

/// Stand-alone traces: what is read without an error is written as it was, layout apart.
pub fn trace(source: &str) {
    let text = SourceText::new("fuzz", source);
    let (file, diagnostics) = read::read(&text);
    render(&diagnostics, source);
    if diagnostics.has_errors() {
        return;
    }
    for section in &file.sections {
        let print = |trace, texts| {
            let mut out = String::new();
            write::trace(trace, texts, &mut out);
            out
        };
        let written = print(&section.trace, &file.texts);
        let text = SourceText::new("written", written.clone());
        let (again, diagnostics) = read::read(&text);
        assert!(!diagnostics.has_errors(), "{}", diagnostics.render(&text));
        let written_again: String = again.sections.iter().map(|s| print(&s.trace, &again.texts)).collect();
        assert_eq!(written_again, written);
    }
}

/// Logs: whatever is in them, writing one without changes gives the same bytes.
pub fn log(source: &str) {
    let (log, diagnostics) = pypylog::read(SourceText::new("fuzz", source));
    render(&diagnostics, source);
    assert_eq!(log.write(&[]), source);
}

/// The region language: what is written reads back as the same text, and what can be lifted verifies.
pub fn rvsdg(source: &str) {
    let text = SourceText::new("fuzz", source);
    let mut diagnostics = Diagnostics::new();
    let program = planish_rvsdg::read::read(&text, &mut diagnostics);
    render(&diagnostics, source);
    let Some(program) = program else { return };
    let written = planish_rvsdg::write::write(&program);
    let text = SourceText::new("written", written.clone());
    let again = planish_rvsdg::read::read(&text, &mut diagnostics);
    assert!(!diagnostics.has_errors(), "{}", diagnostics.render(&text));
    assert_eq!(planish_rvsdg::write::write(&again.expect("read without an error")), written);
    // A program may be too large to inline; that is an answer.
    if let Ok(module) = planish_rvsdg::lift::lift(&program, planish_rvsdg::lift::Options::default()) {
        let broken = verify_module(&module, Form::Cfg);
        assert!(broken.is_empty(), "{}", broken.join("\n"));
    }
}

/// Rule files: read, judged, and everything that is said of them shown.
pub fn rules(source: &str) {
    let (set, findings) = RuleSet::read(vec![SourceText::new("fuzz", source)]);
    let judged = set.judge(Strictness::File);
    // Rendering a long list is slow and shows nothing new.
    let shown: Vec<_> = findings.into_iter().take(2).chain(judged.into_iter().take(2)).collect();
    let _ = set.render(&shown);
}

/// Bril's text form.
pub fn bril(source: &str) {
    let (program, diagnostics) = planish_bril::text::read(source);
    render(&diagnostics, source);
    if !diagnostics.has_errors() {
        let written = planish_bril::text::write(&program);
        let (again, diagnostics) = planish_bril::text::read(&written);
        assert!(!diagnostics.has_errors(), "{}", diagnostics.render(&SourceText::new("written", written)));
        assert_eq!(planish_bril::text::write(&again), written);
    }
}

/// Bril's JSON form.
pub fn bril_json(source: &str) {
    if let Ok(program) = planish_bril::json::read(source) {
        let written = planish_bril::json::write(&program);
        let again = planish_bril::json::read(&written).expect("what was written is read");
        assert_eq!(planish_bril::json::write(&again), written);
    }
}

/// Every message can be shown, wherever its span is.
fn render(diagnostics: &Diagnostics, source: &str) {
    let text = SourceText::new("fuzz", source);
    for diagnostic in diagnostics.iter() {
        let _ = diagnostic.headline(&text);
    }
    // Rendering a long list is slow and shows nothing new.
    if let Some(first) = diagnostics.iter().next() {
        let _ = first.render(&text);
    }
}

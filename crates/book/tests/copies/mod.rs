//! The book beside copies of itself under other constants: many rules that look at the same places.

use planish_base::SourceText;
use planish_rules::RuleSet;
use planish_rules::rule::{Ty, TyKind, VarKind};

/// The book with `copies` of it. In the pattern of each copied rule one variable stands in an operation
/// with a constant that is the copy's own.
pub fn copied(copies: usize) -> RuleSet {
    let mut files: Vec<SourceText> =
        planish_book::FILES.iter().map(|&(name, text)| SourceText::new(name, text)).collect();
    for copy in 0..copies {
        let mut text = String::new();
        for rule in planish_book::set().rules.values() {
            let integer = |ty: Ty| matches!(ty, Ty::Var(var) if rule.types[var].kind == TyKind::Int);
            let variable = rule.vars.values().find(|v| v.kind == VarKind::Value && integer(v.ty));
            let Some(variable) = variable else { continue };
            let mut lines = rule.text.lines();
            let head = lines.next().expect("a rule has a header");
            let Some((name, pattern)) = head.split_once(": ") else { continue };
            let name = name.replacen(&rule.name, &format!("{}_{copy}", rule.name), 1);
            let wrapped =
                replace_word(pattern, &variable.name, &format!("xor({}, {})", variable.name, 1000 + copy));
            text.push_str(&format!("{name}: {wrapped}\n"));
            lines.for_each(|line| text.push_str(&format!("{line}\n")));
            text.push('\n');
        }
        files.push(SourceText::new(format!("copy{copy}.rules"), text));
    }
    let (set, findings) = RuleSet::read(files);
    assert!(findings.is_empty(), "{}", set.render(&findings));
    set
}

fn replace_word(text: &str, word: &str, by: &str) -> String {
    let part = |c: char| c.is_alphanumeric() || c == '_';
    let mut result = String::new();
    let mut rest = text;
    while let Some(at) = rest.find(word) {
        let (before, after) = (&rest[..at], &rest[at + word.len()..]);
        let whole = !before.ends_with(part) && !after.starts_with(part);
        result.push_str(before);
        result.push_str(if whole { by } else { word });
        rest = after;
    }
    result + rest
}

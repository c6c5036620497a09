//! The text of the book, in the order in which its rules are numbered.

/// The files of `rules/`, each with its name and its text.
pub static FILES: &[(&str, &str)] = &[
    ("rules/add.rules", include_str!("../../../../rules/add.rules")),
    ("rules/bits.rules", include_str!("../../../../rules/bits.rules")),
    ("rules/compare.rules", include_str!("../../../../rules/compare.rules")),
    ("rules/convert.rules", include_str!("../../../../rules/convert.rules")),
    ("rules/division.rules", include_str!("../../../../rules/division.rules")),
    ("rules/explore.rules", include_str!("../../../../rules/explore.rules")),
    ("rules/float.rules", include_str!("../../../../rules/float.rules")),
    ("rules/mul.rules", include_str!("../../../../rules/mul.rules")),
    ("rules/overflow.rules", include_str!("../../../../rules/overflow.rules")),
    ("rules/question.rules", include_str!("../../../../rules/question.rules")),
    ("rules/range.rules", include_str!("../../../../rules/range.rules")),
    ("rules/select.rules", include_str!("../../../../rules/select.rules")),
    ("rules/shift.rules", include_str!("../../../../rules/shift.rules")),
    ("rules/sub.rules", include_str!("../../../../rules/sub.rules")),
];

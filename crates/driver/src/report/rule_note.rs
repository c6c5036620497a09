//! What the caller knows of a rule.

/// What a report says of a rule.
pub struct RuleNote {
    /// Its name.
    pub name: String,
    /// Where it is written, as `file:line`.
    pub place: String,
    /// The standing of its proof.
    pub proof: String,
}

//! Which functions and methods are asked about.

/// Which methods are explained.
#[derive(Clone, Default, Debug)]
pub struct About(Option<String>);

impl About {
    /// The methods of a name, `a.B.run`, with or without a descriptor; all without one.
    pub fn named(name: Option<String>) -> About {
        About(name.filter(|name| !name.is_empty()))
    }

    /// Whether it is one method, not all.
    pub fn is_one(&self) -> bool {
        self.0.is_some()
    }

    /// Whether a method is asked for.
    pub fn has(&self, method: &str) -> bool {
        let Some(name) = &self.0 else { return true };
        method.strip_prefix(name.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('('))
    }
}

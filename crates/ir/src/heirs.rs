//! Heirs: values that are what others were.
//!
//! An optimizer that finds a cheaper way to a value makes a new one and puts it wherever the old one stood. Whoever
//! called the old one something goes on to call the new one so. It is noted by the edits that let one value stand for
//! another, in functions that are asked to, since few have names that anybody gave; what follows for names is in
//! [`names`](crate::names).

/// Which values took the place of which, oldest first.
#[derive(Clone, Debug)]
pub struct Heirs<V>(Option<Vec<(V, V)>>);

impl<V> Default for Heirs<V> {
    /// A list that is not kept.
    fn default() -> Self {
        Heirs(None)
    }
}

impl<V: Copy + PartialEq> Heirs<V> {
    /// A list that is kept.
    pub(crate) fn kept() -> Self {
        Heirs(Some(Vec::new()))
    }

    /// Notes that `to` is what `from` was, if that is kept.
    pub(crate) fn add(&mut self, from: V, to: V) {
        if let Some(heirs) = &mut self.0
            && from != to
            && heirs.last() != Some(&(from, to))
        {
            heirs.push((from, to));
        }
    }

    /// The pairs, oldest first.
    pub(crate) fn pairs(&self) -> &[(V, V)] {
        self.0.as_deref().unwrap_or_default()
    }
}

//! Dictionary look-ups (PyPy's `OS_DICT_LOOKUP`): what a call of such a function means, and what it minds.

/// A call that looks a key up in a dictionary (PyPy's `OS_DICT_LOOKUP`), with five operands: the function, the dictionary, the
/// key, its hash, and a number that says what the place is [read](Self::READ) or [stored](Self::STORE) for. It gives the number
/// of an entry, or one below 0 where there is none.
///
/// Until memory that it [looks into](Self::into) is written, a look-up that an equal one for reading comes before gives the
/// same, does not raise, and nobody notices it, except one that may make a place for what there is no entry of. Look-ups of
/// one function for reading or storing write no such memory.
#[derive(Clone, PartialEq, Eq, Hash, Debug)]
pub struct LookUp {
    /// The alias classes of the memory of dictionaries, sorted; `None` is all memory.
    pub into: Option<Vec<u32>>,
}

impl LookUp {
    /// The place is read.
    pub const READ: i64 = 0;
    /// Something is stored there.
    pub const STORE: i64 = 1;

    /// Whether it may give something else when memory of these alias classes, or all, was written.
    pub fn minds(&self, written: Option<&[u32]>) -> bool {
        match (&self.into, written) {
            (_, Some([])) => false,
            (Some(into), Some(written)) => written.iter().any(|class| into.binary_search(class).is_ok()),
            (None, _) | (_, None) => true,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_look_up_minds_what_it_looks_into() {
        let table = LookUp { into: Some(vec![3, 7]) };
        assert!(table.minds(None) && table.minds(Some(&[1, 7])));
        assert!(!table.minds(Some(&[1, 8])) && !table.minds(Some(&[])));
        let anything = LookUp { into: None };
        assert!(anything.minds(Some(&[1])) && !anything.minds(Some(&[])));
    }
}

//! Operations by their names.

use std::sync::OnceLock;

use hashbrown::HashMap;
use rustc_hash::FxBuildHasher;

use crate::table::{ALL, Op, Row};

impl Op {
    /// The operation with a name of the table.
    pub fn from_name(name: &str) -> Option<Op> {
        static INDEX: NameIndex = NameIndex::new();
        INDEX.get_or_init(|| index_by(|row| Some(row.name))).get(name).copied()
    }

    /// The operation with a name of PyPy's.
    pub fn from_pypy_name(name: &str) -> Option<Op> {
        static INDEX: NameIndex = NameIndex::new();
        INDEX.get_or_init(|| index_by(|row| row.pypy)).get(name).copied()
    }
}

/// Operations by one of their names; asked, never iterated.
type NameIndex = OnceLock<HashMap<&'static str, Op, FxBuildHasher>>;

fn index_by(name: fn(&Row) -> Option<&'static str>) -> HashMap<&'static str, Op, FxBuildHasher> {
    ALL.iter().filter_map(|&op| Some((name(op.row())?, op))).collect()
}

//! The state of the analysis: what is known so far of bodies, methods, fields, arrays and calls.
//!
//! Here is what there is to know and how it is joined; how it comes about is in the modules beside.

use std::cell::OnceCell;
use std::rc::Rc;

use hashbrown::HashMap;
use planish_base::worklist::Queue;
use planish_ir::{Function, Value};
use planish_jvm_ir::surroundings::Number;
use planish_jvm_model::program::{Class, Field, Method, Program};
use rustc_hash::FxBuildHasher;

use crate::dispatch::Dispatch;
use crate::infer::dependents::{Dependents, Said};
use crate::infer::fact::{Classes, Fact};
use crate::infer::incoming::Incoming;
use crate::infer::reads::{Looks, Reads};
use crate::infer::state::arrays::Arrays;
use crate::infer::state::copies::Copies;
use crate::infer::state::ones::Ones;
use crate::infer::state::sets::Sets;
use crate::infer::state::sites::Site;
use crate::infer::state::summary::Summary;
use crate::infer::state::thrown::{Caught, Exceptions, Thrown};
use crate::precision::Precision;
use crate::pure::PureMethods;
use crate::reach::Reach;

pub(in crate::infer) mod array_use;
pub(in crate::infer) mod arrays;
pub(in crate::infer) mod copies;
pub(in crate::infer) mod families;
pub(in crate::infer) mod ones;
pub(in crate::infer) mod sets;
pub(in crate::infer) mod sites;
pub(in crate::infer) mod summary;
pub(in crate::infer) mod thrown;

/// A body that is analysed.
pub(in crate::infer) struct Body {
    pub(in crate::infer) function: Function,
    pub(in crate::infer) reads: Reads,
    pub(in crate::infer) class: Class,
    /// How many instructions it has.
    pub(in crate::infer) size: usize,
    /// The place of the parameter that it returns, if it returns nothing else.
    pub(in crate::infer) gives: Option<usize>,
    /// Its constant texts, and their numbers.
    pub(in crate::infer) texts: Vec<(Value, u32)>,
    /// Its edges, once somebody asked.
    pub(in crate::infer) incoming: OnceCell<Incoming>,
}

/// What is known of a body so far.
#[derive(Default)]
pub(in crate::infer) struct Progress {
    /// Constants are known from the beginning.
    pub(in crate::infer) values: Vec<Fact>,
    pub(in crate::infer) grown: Vec<u8>,
    pub(in crate::infer) runs: Vec<bool>,
    pub(in crate::infer) looks: Looks,
    pub(in crate::infer) said: Said,
    pub(in crate::infer) caught: Caught,
}

/// What is known of a field so far.
pub(in crate::infer) struct FieldSummary {
    pub(in crate::infer) fact: Fact,
    pub(in crate::infer) grown: u8,
    pub(in crate::infer) is_open: bool,
}

/// The analysis.
pub(in crate::infer) struct Analysis<'r, 'p, 'a> {
    pub(in crate::infer) reach: &'r Reach<'p, 'a>,
    pub(in crate::infer) program: &'p Program<'a>,
    pub(in crate::infer) precision: Precision,
    pub(in crate::infer) classes: Classes<'p>,
    pub(in crate::infer) pure: &'r PureMethods,
    /// What pure methods gave for constant arguments.
    pub(in crate::infer) results: HashMap<(Method, Vec<Number>), Option<Number>, FxBuildHasher>,
    /// By class what its descriptors stand for.
    pub(in crate::infer) sites: Vec<Rc<[Site]>>,
    pub(in crate::infer) bodies: Vec<Option<Body>>,
    pub(in crate::infer) progress: Vec<Progress>,
    pub(in crate::infer) methods: Vec<Summary>,
    pub(in crate::infer) fields: Vec<FieldSummary>,
    pub(in crate::infer) arrays: Arrays,
    /// Who calls a method, not counting calls that may lead to many.
    pub(in crate::infer) callers: Dependents<Method>,
    /// Who reads a field of which something may be known.
    pub(in crate::infer) readers: Dependents<Field>,
    pub(in crate::infer) sets: Sets,
    pub(in crate::infer) ones: Ones<'p>,
    pub(in crate::infer) copies: Copies,
    pub(in crate::infer) dispatch: Dispatch<'r, 'p, 'a>,
    pub(in crate::infer) queue: Queue<Method>,
    /// How often a method, a set of methods or a field gave more than before.
    pub(in crate::infer) clock: u64,
    pub(in crate::infer) exceptions: Exceptions,
    /// What the instruction throws that is evaluated.
    pub(in crate::infer) thrown: Thrown,
    /// What is known of the operands of an instruction, to be filled again by the next one.
    pub(in crate::infer) operands: Vec<Fact>,
}

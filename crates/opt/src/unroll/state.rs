//! Virtual states, as in PyPy (`virtualstate.py`): the shape of the values at the head of a loop.
//!
//! A value that comes around the loop is a constant, an object that is not made, whose fields have a shape
//! again, or a *leaf*: a parameter of the loop, of which some things are known. Sharing counts: the same
//! value in two places has one node, and must be one value in the next iteration too.

use hashbrown::HashMap;
use planish_base::SideTable;
use planish_domain::IntFact;
use planish_ir::Value;
use rustc_hash::FxBuildHasher;

use crate::engine::Cx;
use crate::engine::refs::Known;
use crate::memory::virtuals::{Field, Virtuals};

/// What is known of a leaf.
#[derive(Clone, Copy, Debug)]
pub(crate) struct Leaf {
    /// Of a reference.
    pub known: Known,
    /// Of an integer, without what an iteration more would change.
    pub fact: Option<IntFact>,
    /// How long it is at least, as an array, where PyPy is followed.
    pub shortest: i64,
}

/// The shape of one value.
#[derive(Clone, Debug)]
pub(crate) enum Shape {
    /// Always this constant.
    Constant,
    /// A parameter.
    Leaf(Leaf),
    /// An object that is not made: its fields, and the nodes of their values.
    Object(Vec<(Field, usize)>),
}

/// One value with its shape.
#[derive(Clone, Debug)]
pub(crate) struct Node {
    /// The value before the loop.
    pub value: Value,
    pub shape: Shape,
}

/// The shapes of all values that come around.
#[derive(Default, Debug)]
pub(crate) struct State {
    pub nodes: Vec<Node>,
    /// The nodes of the values, in order.
    pub roots: Vec<usize>,
    /// The nodes of the leaves, in order.
    pub leaves: Vec<usize>,
}

impl State {
    /// The shapes of some values. O(fields of objects that are not made).
    pub fn of(
        cx: &mut Cx<'_>,
        virtuals: &Virtuals,
        shortest: &SideTable<Value, i64>,
        values: &[Value],
    ) -> State {
        let mut state = State::default();
        let mut seen = HashMap::default();
        for &value in values {
            let root = state.node(cx, virtuals, shortest, value, &mut seen);
            state.roots.push(root);
        }
        state
    }

    fn node(
        &mut self,
        cx: &mut Cx<'_>,
        virtuals: &Virtuals,
        shortest: &SideTable<Value, i64>,
        value: Value,
        seen: &mut HashMap<Value, usize, FxBuildHasher>,
    ) -> usize {
        let value = cx.resolve(value);
        if let Some(&node) = seen.get(&value) {
            return node;
        }
        let id = self.nodes.len();
        seen.insert(value, id);
        self.nodes.push(Node { value, shape: Shape::Constant });
        let fields = virtuals.fields(cx.world, value);
        let shape = if let Some(fields) = fields {
            Shape::Object(
                fields
                    .into_iter()
                    .map(|field| (field, self.node(cx, virtuals, shortest, field.value, seen)))
                    .collect(),
            )
        } else if cx.f.constant(value).is_some() {
            Shape::Constant
        } else {
            self.leaves.push(id);
            let (known, fact) = (cx.engine.refs.get(cx.f, value), general_fact(cx, value));
            let shortest = if cx.features.plain { shortest[value] } else { 0 };
            Shape::Leaf(Leaf { known, fact, shortest })
        };
        self.nodes[id].shape = shape;
        id
    }

    /// The values of the leaves.
    pub fn leaf_values(&self) -> Vec<Value> {
        self.leaves.iter().map(|&leaf| self.nodes[leaf].value).collect()
    }
}

/// What is known of an integer, but for what is likely to change from one iteration to the next: a bound
/// far away comes from arithmetic that wraps, and bits that a range does not imply seldom stay.
pub(crate) fn general_fact(cx: &mut Cx<'_>, value: Value) -> Option<IntFact> {
    let width = cx.f.ty(value).int_width()?;
    let (fact, top) = (cx.fact(value), IntFact::top(width));
    let low = if fact.lo() >= top.lo() / 2 { fact.lo() } else { top.lo() };
    let high = if fact.hi() <= top.hi() / 2 { fact.hi() } else { top.hi() };
    let general = IntFact::interval(width, low, high);
    (!general.is_top()).then_some(general)
}

/// Whether bits are known of two integers alike that [`general_fact`] does not say of the first.
pub(crate) fn share_bits(cx: &mut Cx<'_>, first: Value, next: Value) -> bool {
    let Some(width) = cx.f.ty(first).int_width() else { return false };
    let both = cx.fact(first).join(cx.fact(next)).to_words();
    let bits = IntFact::bits(width, both.ones.unsigned(), both.zeros.unsigned());
    let general = general_fact(cx, first).unwrap_or(IntFact::top(width));
    !general.implies(bits)
}

//! Points-to nodes: places that may hold arrays, and which of them may hold the same.
//!
//! A node is a place, or several that were unified; what is known of the arrays of both is known of the one. The items of
//! arrays of references are a place of their own, which is unified along.

use planish_base::{Id, UnionFind};
use planish_domain::RefFact;

use crate::infer::fact::Fact;
use crate::infer::state::arrays::{Cell, Items};

planish_base::define_id!(
    /// A place that may hold arrays, or several.
    Node, "node"
);

/// What is known of the arrays of a node.
#[derive(Clone, Copy, Default)]
pub(super) struct Traits {
    /// Anything may have them.
    pub is_open: bool,
    /// Another thread may have one without what was stored into it before.
    pub is_racy: bool,
    /// Which of them have items that were not set where the array was made, by type of the items.
    pub unset: u8,
    /// Whether they hold arrays that were made together with them.
    pub holds_made: bool,
    /// Where the items of arrays of references belong.
    pub items: Option<Node>,
}

/// All nodes.
#[derive(Default)]
pub(super) struct Nodes {
    same: UnionFind<Node>,
    traits: Vec<Traits>,
}

impl Nodes {
    /// A node of which nothing is known.
    pub fn new_node(&mut self) -> Node {
        self.traits.push(Traits::default());
        Node::from_index(self.traits.len() - 1)
    }

    /// How many there are, those that were unified with others included.
    pub fn count(&self) -> usize {
        self.traits.len()
    }

    /// The one that stands for all with which a node was unified.
    pub fn find(&mut self, node: Node) -> Node {
        self.same.find(node)
    }

    /// What is known of the arrays of a node.
    pub fn of(&mut self, node: Node) -> &mut Traits {
        &mut self.traits[self.same.find(node).index()]
    }

    /// Both may hold the same arrays.
    pub fn unify(&mut self, one: Node, other: Node) {
        let mut next = Some((one, other));
        while let Some((one, other)) = next.take() {
            let (one, other) = (self.same.find(one), self.same.find(other));
            if one == other {
                return;
            }
            // The older one stays: fields and parameters, with which most are unified.
            let (stays, goes) = (one.min(other), one.max(other));
            self.same.forward(goes, stays);
            let gone = self.traits[goes.index()];
            let known = &mut self.traits[stays.index()];
            known.is_open |= gone.is_open;
            known.is_racy |= gone.is_racy;
            known.unset |= gone.unset;
            known.holds_made |= gone.holds_made;
            next = known.items.zip(gone.items);
            known.items = known.items.or(gone.items);
        }
    }

    /// Anything may have its arrays.
    pub fn open(&mut self, node: Node) {
        self.of(node).is_open = true;
    }

    /// Arrays are made that have items of this type which are not set yet.
    pub fn leave_unset(&mut self, node: Node, items: Items) {
        self.of(node).unset |= 1 << items as u8;
    }

    /// The node of the items of arrays.
    pub fn items(&mut self, array: Node) -> Node {
        if let Some(items) = self.of(array).items {
            return items;
        }
        let items = self.new_node();
        // Whoever has the array without care has what it holds so.
        self.of(items).is_racy = true;
        self.of(array).items = Some(items);
        items
    }

    /// What open arrays hold is open.
    pub fn open_items(&mut self) {
        for index in 0..self.traits.len() {
            let mut next = self.same.is_representative(Node::from_index(index)).then_some(index);
            while let Some(Traits { is_open: true, items: Some(items), .. }) =
                next.map(|index| self.traits[index])
            {
                let items = self.same.find(items).index();
                next = (!std::mem::replace(&mut self.traits[items].is_open, true)).then_some(items);
            }
        }
    }
}

impl Traits {
    /// What arrays with such items hold before anything is stored, as far as somebody may see it.
    pub fn at_first(self, items: Items) -> Cell {
        let is_seen = self.is_racy || self.unset & 1 << items as u8 != 0;
        let fact = match (items, is_seen) {
            (Items::Reference, _) if self.holds_made => Fact::Ref(RefFact::TOP),
            (_, true) => Fact::cleared(items.ty()),
            (_, false) => Fact::None,
        };
        Cell { fact, grown: 0 }
    }
}

//! An acyclic e-graph of pure operations.
//!
//! The shape is Cranelift's (Fallin, "ægraphs: acyclic e-graphs for efficient optimization"): an e-class is
//! not a mutable set but an id; a new equality makes a *union node* with two older ids below it. Every node
//! points only to ids that were there before it, so the graph has no cycles, needs no rebuilding, and the
//! best member of a class is known the moment the class is made: the order of ids is an order of
//! evaluation.
//!
//! What is lost against a cyclic e-graph: a parent made before a union goes on pointing to the smaller
//! class. Rules are applied when a node is made, before anything uses it, so this costs little.
//!
//! Hash-consing is by operation, type and the *representatives* of the operands. Every choice is by id;
//! nothing depends on hashing.
//!
//! **Home.** A class may be used wherever the program used one of its members, so what is extracted for it
//! has to be computable there. Every node has a home: the lowest block, in the dominator tree, that
//! defines a leaf below it. All leaves of a node lie on one path from the root, for the node could be
//! computed somewhere. A union picks the cheaper member of two with one home, else the one whose home is
//! higher: that one is available wherever either was. Classes whose homes are unrelated are not united.

use std::cell::RefCell;
use std::hash::{BuildHasher, Hash, Hasher};

use hashbrown::{HashMap, HashTable};
use planish_base::{Arena, List, ListPool, SideTable, UnionFind, fault};
use planish_domain::IntFact;
use planish_ir::Value;
use planish_ir::dominators::Dominators;
use planish_ops::world::Descr;
use planish_ops::{Op, Type};
use rustc_hash::FxBuildHasher;
use smallvec::SmallVec;

use planish_pass::{IMPOSSIBLE, Price};

planish_base::define_id!(
    /// An e-class: everything that was known to be equal when the id was made.
    Class, "c"
);

/// What an id stands for.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Node {
    /// A value that the graph does not look into: a parameter, a constant, the result of an operation
    /// with an effect.
    Leaf(Value),
    /// A pure operation with one result of the type of the class.
    Op(Op, List<Class>),
    /// A call of a function that is an expression: a tuple of its results.
    Call(Descr, List<Class>),
    /// A result of a call, by its position.
    Part(u32, Class),
    /// Both are equal. The first is the class that was there before.
    Union(Class, Class),
}

/// The cost of a value: what it takes to compute it once, everything below it included.
///
/// Sums saturate. A leaf costs nothing: it is there already.
pub type Cost = u32;

#[derive(Clone, Copy, Debug)]
struct Data {
    node: Node,
    ty: Type,
    /// The cheapest member (a leaf or an operation), and its cost.
    best: Class,
    cost: Cost,
    /// The home of the cheapest member: the number of a block.
    home: u32,
    /// What is known of an integer, wherever it is used.
    fact: Option<IntFact>,
    /// How many members the class has.
    members: u32,
    /// The operations among the members: the first and the last of a list.
    operations: Option<(Class, Class)>,
    /// The next operation of the same class, if this is one.
    next: Option<Class>,
    /// Whether the program had this operation.
    original: bool,
}

/// The graph.
pub struct Graph<'p> {
    dominators: Dominators,
    classes: Arena<Class, Data>,
    lists: ListPool<Class>,
    /// From an id to the newest id of everything that is equal to it. Readers shorten paths as well: a constant that
    /// thousands of operations turn out to be has a path as long.
    newest: RefCell<UnionFind<Class>>,
    operations: HashTable<Class>,
    /// Calls by callee and operands, and their results.
    calls: HashMap<(Descr, Vec<Class>), Class, FxBuildHasher>,
    parts: HashMap<(Class, u32), Class, FxBuildHasher>,
    leaves: SideTable<Value, Option<Class>>,
    price: Price<'p>,
    /// What a call costs.
    call_price: Cost,
}

impl<'p> Graph<'p> {
    /// A graph without nodes, for a function with this dominator tree, written where operations cost this.
    pub fn new(dominators: Dominators, price: Price<'p>) -> Self {
        Graph {
            price,
            dominators,
            classes: Arena::new(),
            lists: ListPool::new(),
            newest: RefCell::default(),
            operations: HashTable::new(),
            calls: HashMap::default(),
            parts: HashMap::default(),
            call_price: 1,
            leaves: SideTable::new(),
        }
    }

    /// Says what a call costs.
    pub fn set_call_price(&mut self, price: Cost) {
        self.call_price = price;
    }

    /// The dominator tree, by number of blocks.
    pub fn dominators(&self) -> &Dominators {
        &self.dominators
    }

    /// How many ids there are, unions included.
    pub fn len(&self) -> usize {
        self.classes.len()
    }

    /// Whether nothing was added.
    pub fn is_empty(&self) -> bool {
        self.classes.is_empty()
    }

    fn price_of(&self, op: Op) -> Cost {
        (self.price)(op).map_or(IMPOSSIBLE, |price| price.max(1))
    }

    /// What computing a node costs, its operands apart; nothing for what is there already.
    pub fn own_cost(&self, class: Class) -> Cost {
        match self.classes[class].node {
            Node::Op(op, _) => self.price_of(op),
            Node::Call(..) => self.call_price,
            Node::Leaf(_) | Node::Part(..) | Node::Union(..) => 0,
        }
    }

    /// Says that the program had an operation.
    pub fn mark_original(&mut self, class: Class) {
        self.classes[class].original = true;
    }

    /// Whether the program had an operation, or it is no operation.
    pub fn is_original(&self, class: Class) -> bool {
        self.classes[class].original || matches!(self.classes[class].node, Node::Leaf(_))
    }

    /// Which of two members is available wherever the other is; `None` when they have one home.
    pub fn higher(&self, x: Class, y: Class) -> Option<Class> {
        let (a, b) = (self.classes[x].home, self.classes[y].home);
        (a != b).then(|| if self.dominators.dominates(b, a) { y } else { x })
    }

    /// Replaces the member that is made for each id: one of its own, at the same home as before.
    pub fn set_best(&mut self, best: &[Class]) {
        for (data, &best) in self.classes.values_mut().zip(best) {
            data.best = best;
        }
    }

    /// All ids, unions included, in the order in which they were made.
    pub fn ids(&self) -> impl ExactSizeIterator<Item = Class> + use<> {
        self.classes.ids()
    }

    /// What an id stands for.
    pub fn node(&self, class: Class) -> Node {
        self.classes[class].node
    }

    /// The operands of an operation or call.
    pub fn args(&self, list: List<Class>) -> &[Class] {
        self.lists.get(list)
    }

    /// The type of every member of a class.
    pub fn ty(&self, class: Class) -> Type {
        self.classes[class].ty
    }

    /// The cheapest member: a leaf or an operation.
    pub fn best(&self, class: Class) -> Class {
        self.classes[class].best
    }

    /// The cost of the cheapest member.
    pub fn cost(&self, class: Class) -> Cost {
        self.classes[class].cost
    }

    /// The home of the cheapest member, as the number of a block.
    pub fn home(&self, class: Class) -> u32 {
        self.classes[class].home
    }

    /// What is known of the integers of a class.
    pub fn fact(&self, class: Class) -> Option<IntFact> {
        self.classes[self.newest(class)].fact
    }

    /// How many members a class has.
    pub fn members(&self, class: Class) -> u32 {
        self.classes[class].members
    }

    /// The newest id of what equals `class`: the one with the most members.
    pub fn find(&mut self, class: Class) -> Class {
        self.newest.get_mut().find(class)
    }

    /// The class of a value that is not looked into and is defined in the block with the number `home`.
    pub fn leaf(&mut self, value: Value, ty: Type, home: u32, fact: Option<IntFact>) -> Class {
        if let Some(class) = self.leaves[value] {
            return class;
        }
        let class = self.push(Node::Leaf(value), ty, 0, home, fact);
        self.leaves[value] = Some(class);
        class
    }

    /// A class of one member.
    fn push(&mut self, node: Node, ty: Type, cost: Cost, home: u32, fact: Option<IntFact>) -> Class {
        let next = self.classes.next_id();
        self.classes.push(Data {
            node,
            ty,
            best: next,
            cost,
            home,
            fact,
            members: 1,
            operations: matches!(node, Node::Op(..)).then_some((next, next)),
            next: None,
            original: false,
        })
    }

    /// What computing some operands and a node of them costs, and the home of the node.
    fn cost_and_home(&self, args: &[Class], own: Cost) -> (Cost, u32) {
        let below = args.iter().fold(0, |sum: Cost, &arg| sum.saturating_add(self.classes[arg].cost));
        let home = args.iter().map(|&arg| self.classes[arg].home).fold(0, |a, b| self.lower(a, b));
        (below.saturating_add(own), home)
    }

    /// The id of a call of an expression, and whether it is new.
    pub fn call(&mut self, callee: Descr, args: &[Class]) -> (Class, bool) {
        let args: Vec<Class> = args.iter().map(|&arg| self.newest(arg)).collect();
        if let Some(&class) = self.calls.get(&(callee, args.clone())) {
            return (class, false);
        }
        let (cost, home) = self.cost_and_home(&args, self.call_price);
        let node = Node::Call(callee, self.lists.push(&args));
        let class = self.push(node, Type::State, cost, home, None);
        self.calls.insert((callee, args), class);
        (class, true)
    }

    /// The id of a result of a call by itself.
    pub fn part(&mut self, call: Class, position: u32, ty: Type) -> Class {
        if let Some(&class) = self.parts.get(&(call, position)) {
            return class;
        }
        let (Data { cost, home, .. }, fact) = (self.classes[call], ty.int_width().map(IntFact::top));
        let class = self.push(Node::Part(position, call), ty, cost, home, fact);
        self.parts.insert((call, position), class);
        class
    }

    /// The id of an operation by itself ([`find`](Self::find) gives its class), and whether it is new.
    ///
    /// `fact` says what is known of the result, from facts about operands; it is asked when the operation
    /// is new.
    pub fn operation(
        &mut self,
        op: Op,
        args: &[Class],
        ty: Type,
        fact: impl FnOnce(&Graph<'_>, &[Class]) -> Option<IntFact>,
    ) -> (Class, bool) {
        let args: SmallVec<[Class; 4]> = args.iter().map(|&arg| self.newest(arg)).collect();
        let hash = hash_of(op, &args, ty);
        let (classes, lists) = (&self.classes, &self.lists);
        let same = |&class: &Class| match classes[class].node {
            Node::Op(other, list) => {
                other == op && classes[class].ty == ty && equal(op, lists.get(list), &args)
            }
            _ => false,
        };
        if let Some(&class) = self.operations.find(hash, same) {
            return (class, false);
        }
        let (cost, home) = self.cost_and_home(&args, self.price_of(op));
        let fact = fact(self, &args);
        let node = Node::Op(op, self.lists.push(&args));
        let class = self.push(node, ty, cost, home, fact);
        let (classes, lists) = (&self.classes, &self.lists);
        self.operations.insert_unique(hash, class, |&class| match classes[class].node {
            Node::Op(op, list) => hash_of(op, lists.get(list), classes[class].ty),
            _ => unreachable!("only operations are in the table"),
        });
        (class, true)
    }

    /// The lower of two blocks on one path from the root of the dominator tree.
    fn lower(&self, a: u32, b: u32) -> u32 {
        if self.dominators.dominates(a, b) { b } else { a }
    }

    /// Says that two classes of one type are equal, and returns the class of both; `None` when neither
    /// home is above the other, and nothing is united.
    pub fn union(&mut self, a: Class, b: Class) -> Option<Class> {
        let (a, b) = (self.find(a), self.find(b));
        if a == b {
            return Some(a);
        }
        let (older, newer) = (a.min(b), a.max(b));
        let (first, second) = (self.classes[older], self.classes[newer]);
        debug_assert_eq!(first.ty, second.ty, "equal values have one type");
        let second_is_better = if first.home == second.home {
            // A tie goes to the older: what the program said.
            second.cost < first.cost
        } else if self.dominators.dominates(second.home, first.home) {
            true
        } else if self.dominators.dominates(first.home, second.home) {
            false
        } else {
            return None;
        };
        let better = if second_is_better { second } else { first };
        let fact = match (first.fact, second.fact) {
            (Some(x), Some(y)) => Some(x.meet(y)),
            (fact, None) | (None, fact) => fact,
        };
        let operations = match (first.operations, second.operations) {
            (Some((head, tail)), Some((next, end))) => {
                self.classes[tail].next = Some(next);
                Some((head, end))
            }
            (list, None) | (None, list) => list,
        };
        let class = self.classes.push(Data {
            node: Node::Union(older, newer),
            ty: first.ty,
            best: better.best,
            cost: better.cost,
            home: better.home,
            fact,
            members: first.members + second.members,
            operations,
            next: None,
            original: false,
        });
        self.newest.get_mut().forward(older, class);
        self.newest.get_mut().forward(newer, class);
        Some(class)
    }

    /// The id of a result of a call, if it was asked for.
    pub fn part_of(&self, call: Class, position: u32) -> Option<Class> {
        self.parts.get(&(call, position)).copied()
    }

    /// The newest id of what equals `class`, for readers.
    pub fn newest(&self, class: Class) -> Class {
        self.newest.borrow_mut().find(class)
    }

    /// The oldest operation of what equals `class`.
    pub fn first_operation(&self, class: Class) -> Option<Class> {
        self.classes[self.newest(class)].operations.map(|(first, _)| first)
    }

    /// The next operation of the same class, in the order of unions.
    pub fn next_operation(&self, operation: Class) -> Option<Class> {
        self.classes[operation].next
    }
}

/// Whether operands are the same, in either order where the operation commutes. The graph keeps the order
/// of the program.
fn equal(op: Op, a: &[Class], b: &[Class]) -> bool {
    let commutes = op.row().algebra.commutative || fault!("egraph: every operation commutes") && a.len() == 2;
    a == b || commutes && a[0] == b[1] && a[1] == b[0]
}

/// A hash that does not depend on the order of operands where the operation commutes.
fn hash_of(op: Op, args: &[Class], ty: Type) -> u64 {
    let mut state = FxBuildHasher.build_hasher();
    (op as u16, ty).hash(&mut state);
    match *args {
        [x, y] if op.row().algebra.commutative || fault!("egraph: every operation commutes") => {
            (x.min(y), x.max(y)).hash(&mut state)
        }
        _ => args.hash(&mut state),
    }
    state.finish()
}

#[cfg(test)]
mod tests {
    use planish_base::Id;
    use planish_ir::cfg::Cfg;
    use planish_ir::text;

    use super::*;

    /// The graph of a function with a diamond: blocks 0 above 1 and 2.
    fn graph() -> Graph<'static> {
        let source = "func f(v0: i64) {\na:\n    branch v0, b, c\nb:\n    return\nc:\n    return\n}\n";
        let (module, _) = text::read(source);
        let function = module.functions.values().next().expect("a function");
        Graph::new(Cfg::new(function).dominators(), &planish_pass::machine_price)
    }

    fn leaves(graph: &mut Graph<'_>, homes: &[u32]) -> Vec<Class> {
        let leaf = |(i, &home)| graph.leaf(Value::from_index(i), Type::I64, home, None);
        homes.iter().enumerate().map(leaf).collect()
    }

    fn operation(graph: &mut Graph<'_>, op: Op, args: &[Class]) -> (Class, bool) {
        graph.operation(op, args, Type::I64, |_, _| None)
    }

    #[test]
    fn equal_operations_are_one_class_whatever_the_order_of_operands() {
        let mut g = graph();
        let x = leaves(&mut g, &[0, 0]);
        let (sum, new) = operation(&mut g, Op::Add, &[x[0], x[1]]);
        assert!(new);
        assert_eq!(operation(&mut g, Op::Add, &[x[1], x[0]]), (sum, false));
        let (difference, _) = operation(&mut g, Op::Sub, &[x[1], x[0]]);
        let (other, new) = operation(&mut g, Op::Sub, &[x[0], x[1]]);
        assert!(new && other != difference && sum != other);
    }

    #[test]
    fn a_class_knows_its_cheapest_member_and_all_its_operations() {
        let mut g = graph();
        let x = leaves(&mut g, &[0, 0]);
        let (product, _) = operation(&mut g, Op::Mul, &[x[0], x[1]]);
        let (shift, _) = operation(&mut g, Op::Lshift, &[x[0], x[1]]);
        let both = g.union(product, shift).expect("one home");
        assert_eq!((g.best(both), g.cost(both), g.members(both)), (shift, 1, 2));
        assert_eq!(g.find(product), both);
        // What is made from either from here on is one operation.
        let (a, _) = operation(&mut g, Op::Neg, &[product]);
        assert_eq!(operation(&mut g, Op::Neg, &[shift]), (a, false));
        let mut members = Vec::new();
        let mut next = g.first_operation(shift);
        while let Some(operation) = next {
            members.push(operation);
            next = g.next_operation(operation);
        }
        assert_eq!(members, [product, shift]);
        assert_eq!(g.union(shift, product), Some(both));
    }

    #[test]
    fn what_is_extracted_is_available_wherever_a_member_was() {
        let mut g = graph();
        let x = leaves(&mut g, &[0, 1, 2]);
        let (high, _) = operation(&mut g, Op::Mul, &[x[0], x[0]]);
        let (low, _) = operation(&mut g, Op::Neg, &[x[1]]);
        assert_eq!((g.home(high), g.home(low)), (0, 1));
        let both = g.union(high, low).expect("one home is above the other");
        assert_eq!(g.best(both), high, "dearer, but available in both places");
        let (other, _) = operation(&mut g, Op::Neg, &[x[2]]);
        assert_eq!(g.union(low, other).map(|class| g.best(class)), Some(high));
        let (one, _) = operation(&mut g, Op::Not, &[x[1]]);
        let (two, _) = operation(&mut g, Op::Not, &[x[2]]);
        assert_eq!(g.union(one, two), None, "neither is available where the other is");
    }
}

//! Class hierarchy analysis with rapid types (Dean, Grove and Chambers 1995; Bacon and Sweeney 1996): where a virtual
//! call may lead.
//!
//! What the classes with instances below the class of the receiver select, and whether that is all: there
//! may be instances whose class is not in the program.

use std::rc::Rc;

use hashbrown::{HashMap, HashSet};
use planish_base::Id;
use planish_classfile::Flags;
use planish_jvm_model::hierarchy::ClassId;
use planish_jvm_model::program::{Class, Method, Selector};
use rustc_hash::FxBuildHasher;

use crate::reach::Reach;

planish_base::define_id!(
    /// What calls of one selector on one bound lead to.
    SetId, "set"
);

/// Where a call may lead.
#[derive(Clone, Debug, Default)]
pub struct Targets {
    /// To these methods of the program.
    pub methods: Vec<Method>,
    /// Also to methods outside of it.
    pub outside: bool,
    /// The calls that lead to just these; none where the instruction alone says where it leads.
    pub set: Option<SetId>,
}

/// Answers about calls, each found once.
pub struct Dispatch<'r, 'p, 'a> {
    reach: &'r Reach<'p, 'a>,
    /// For each class of the program whether something outside extends it or a class below.
    extended: Vec<bool>,
    /// The same for classes that rules keep.
    kept: Vec<bool>,
    /// Selectors of methods that something outside may call, and so may know to override.
    open: HashSet<Selector, FxBuildHasher>,
    /// Whether a class with instances extends one that is missing, and so may be below any.
    is_hidden: bool,
    /// For each class of the program itself and those below it that have instances.
    below: Vec<Vec<Class>>,
    known: HashMap<(ClassId, bool, bool, Selector), Rc<Targets>, FxBuildHasher>,
}

impl<'r, 'p, 'a> Dispatch<'r, 'p, 'a> {
    /// For a program whose live methods and instances are known.
    pub fn new(reach: &'r Reach<'p, 'a>) -> Self {
        let program = reach.program;
        let above_those = |is_extended: &dyn Fn(Class) -> bool| {
            let mut extended = vec![false; program.counts()[0]];
            for class in program.classes.ids().filter(|&class| is_extended(class)) {
                for above in
                    program.classes[class].supertypes.iter().filter_map(|&above| program.class(above))
                {
                    extended[above.index()] = true;
                }
            }
            extended
        };
        let extended = above_those(&|class| reach.is_extended(class));
        let kept = above_those(&|class| {
            reach.is_kept(class) && !program.classes[class].file.flags.has(Flags::FINAL)
        });
        let open = program.methods.ids().filter(|&method| reach.is_open(method));
        let open = open.map(|method| program.methods[method].selector).collect();
        let is_missing = |&above: &ClassId| program.hierarchy.get(above).is_none();
        let is_hidden = program.classes.ids().any(|class| {
            reach.has_instances(class) && program.classes[class].supertypes.iter().any(is_missing)
        });
        let mut below = vec![Vec::new(); program.counts()[0]];
        for class in program.classes.ids().filter(|&class| reach.has_instances(class)) {
            for above in program.classes[class].supertypes.iter().filter_map(|&above| program.class(above)) {
                below[above.index()].push(class);
            }
        }
        Dispatch { reach, extended, kept, open, is_hidden, below, known: HashMap::default() }
    }

    /// Whether nothing outside overrides what calls of `selector` on a class lead to.
    pub fn is_closed(&self, class: Class, selector: Selector) -> bool {
        let is_kept = self.kept[class.index()] && self.open.contains(&selector);
        !self.extended[class.index()] && !is_kept && !self.is_hidden
    }

    /// Whether there may be an object of a class, or of one below it.
    pub fn may_have_objects(&self, class: Class) -> bool {
        let place = class.index();
        !self.below[place].is_empty() || self.extended[place] || self.kept[place] || self.is_hidden
    }

    /// Where a call of `selector` may lead on instances of exactly `bound`, or of it and what is below.
    /// `in_program` says whether the method that the instruction names is one of the program.
    pub fn targets(
        &mut self,
        bound: ClassId,
        exact: bool,
        selector: Selector,
        in_program: bool,
    ) -> Rc<Targets> {
        let key = (bound, exact, in_program, selector);
        if let Some(known) = self.known.get(&key) {
            return Rc::clone(known);
        }
        let set = Some(SetId::from_index(self.known.len()));
        let targets = Rc::new(Targets { set, ..self.find(bound, exact, selector, in_program) });
        self.known.insert(key, Rc::clone(&targets));
        targets
    }

    fn find(&self, bound: ClassId, exact: bool, selector: Selector, in_program: bool) -> Targets {
        let program = self.reach.program;
        let mut targets = Targets::default();
        let Some(own) = program.class(bound) else {
            // A library class: what the program has below it is called by libraries as well.
            targets.outside = true;
            return targets;
        };
        let mut select = |class: Class| {
            let before = targets.methods.len();
            program.select(class, selector, &mut targets.methods);
            let found = &targets.methods[before..];
            let is_sure = |&method: &Method| {
                in_program || program.methods[method].flags.any(Flags::PUBLIC | Flags::PROTECTED)
            };
            if found.is_empty() || !found.iter().all(is_sure) {
                targets.outside = true;
            }
        };
        if exact {
            select(own);
        } else {
            self.below[own.index()].iter().for_each(|&class| select(class));
            targets.outside |= !self.is_closed(own, selector);
        }
        targets.methods.sort_unstable();
        targets.methods.dedup();
        targets
    }
}

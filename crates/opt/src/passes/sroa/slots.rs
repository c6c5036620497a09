//! Where the fields of an object are kept when a name does not tell: names that may be null, that a `select` chooses, and
//! objects that have two names at once.
//!
//! Every allocation has a *slot* for the fields of what it made last, and a parameter may have one. A name has a *tag*,
//! which says in which slot the fields of its object are, and is 0 for null. Where an object is passed to a parameter, either
//! its fields move into the slot of the parameter, or only the tag is passed on. They must move where the allocation comes
//! round again while the object lives; they cannot move where the object has another name that goes on living. Which tags a
//! name may have is found for the moves that were chosen, and moves that cannot be are given up, until all can. As a live
//! object is in one slot only, objects are equal if their tags are, and a store by one name is seen by the others.
//!
//! A web stays if, nevertheless, a slot would be filled anew while a live name says that its object is there.
//!
//! O(what is passed, times the names of a web, times the moves that are given up).

use planish_base::SideTable;
use planish_ir::liveness::{Liveness, for_each_use};
use planish_ir::{Block, Cfg, Function, Value};

/// How many names a web may have whose objects have tags: as many as bits of a set of tags, but for null.
pub const TAGGED: usize = 63;
/// How many slots a name may be in.
pub const CHOICES: u32 = 4;

/// A set of tags.
type Tags = u64;

/// The tag of null.
const NULL: Tags = 1;

/// How a name comes to a parameter.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Pass {
    /// The fields move into the slot of the parameter.
    Move,
    /// The tag is passed on.
    Alias,
    /// The fields move into the slot of another parameter, a name of that position, to which the same is passed.
    With(usize),
}

/// A name as it is seen here.
#[derive(Clone, Debug)]
pub(super) struct Name {
    /// The value that begins it.
    pub value: Value,
    /// What else it is called.
    pub also: Vec<Value>,
    /// The block that defines it.
    pub home: Block,
    /// Where in the block, as [`for_each_use`] counts; 0 for parameters.
    pub position: u32,
    /// How it begins.
    pub origin: Origin,
}

/// Where a name comes from.
#[derive(Clone, Debug)]
pub(super) enum Origin {
    Allocation,
    Parameter,
    /// A choice of two.
    Select([Coming; 2]),
}

/// What comes to a parameter or a choice: null or a name of the web, by its position.
pub(super) type Coming = Option<usize>;

/// A name that is passed to a parameter.
struct Passed {
    what: Coming,
    /// The parameter, by its position among the names.
    to: usize,
    by: Pass,
    at: (Block, usize, usize),
}

/// The slots of a web.
#[derive(Default)]
pub(super) struct Slots {
    /// By name, as the web lists them: the tags that it may have.
    tags: Vec<Tags>,
    /// By name: whether it has a slot.
    has_slot: Vec<bool>,
    /// How names are passed: by block, edge and argument.
    passes: Vec<((Block, usize, usize), Pass)>,
}

impl Slots {
    /// Chooses slots for a web of these names, with what a value is there; `None` where there are none.
    pub fn choose(
        f: &Function,
        cfg: &Cfg,
        live: &Liveness,
        names: &[Name],
        coming: impl Fn(Value) -> Option<Coming>,
    ) -> Option<Slots> {
        // What a slot holds at an entrance is not known.
        let is_entered = f.entrances().iter().any(|entrance| entrance.block != f.entry());
        if names.len() > TAGGED || is_entered {
            return None;
        }
        let mut search = Search { f, cfg, live, names, edges: Vec::new(), tags: Vec::new() };
        search.collect(coming);
        search.settle();
        let accessible = search.tags.iter().all(|tags| (tags & !NULL).count_ones() <= CHOICES);
        if !accessible || (0..names.len()).any(|name| search.is_clobbered(name)) {
            return None;
        }
        let moves = |name| search.edges.iter().flatten().any(|p| p.to == name && p.by == Pass::Move);
        let origins = names.iter().enumerate();
        let has_slot = origins.map(|(at, name)| matches!(name.origin, Origin::Allocation) || moves(at));
        let has_slot = has_slot.collect();
        let passes = search.edges.iter().flatten().map(|passed| (passed.at, passed.by)).collect();
        Some(Slots { tags: search.tags, has_slot, passes })
    }

    /// Whether a name has a slot.
    pub fn has_slot(&self, name: usize) -> bool {
        self.has_slot[name]
    }

    /// Whether a name may be null.
    pub fn may_be_null(&self, name: usize) -> bool {
        self.tags[name] & NULL != 0
    }

    /// The only tag of a name, if it has no other.
    pub fn only_tag(&self, name: usize) -> Option<i64> {
        (self.tags[name].count_ones() <= 1).then(|| i64::from(self.tags[name].max(1).trailing_zeros()))
    }

    /// The names in whose slots the fields of a name may be.
    pub fn homes(&self, name: usize) -> impl Iterator<Item = usize> + use<> {
        let tags = self.tags[name];
        (0..TAGGED).filter(move |&home| tags & tag(home) != 0)
    }

    /// How an argument is passed.
    pub fn pass(&self, at: (Block, usize, usize)) -> Option<Pass> {
        let found = self.passes.binary_search_by_key(&at, |&(at, _)| at).ok()?;
        Some(self.passes[found].1)
    }
}

/// The number of the tag that says that fields are in the slot of a name.
pub(super) fn tag_number(name: usize) -> i64 {
    name as i64 + 1
}

/// The same as the only tag of a set.
fn tag(name: usize) -> Tags {
    1 << (name + 1)
}

struct Search<'a> {
    f: &'a Function,
    cfg: &'a Cfg,
    live: &'a Liveness,
    names: &'a [Name],
    /// What is passed by each edge.
    edges: Vec<Vec<Passed>>,
    tags: Vec<Tags>,
}

impl Search<'_> {
    /// Finds what is passed. At first everything moves that is not a name afterwards.
    fn collect(&mut self, coming: impl Fn(Value) -> Option<Coming>) {
        let mut blocks: Vec<Block> = self.cfg.order().to_vec();
        blocks.sort_unstable();
        for block in blocks {
            for (number, call) in self.f.block_calls(block).enumerate() {
                let mut edge: Vec<Passed> = Vec::new();
                let target = self.number(call.block);
                let args = self.f.list(call.args).iter().zip(self.f.block_params(call.block));
                for (position, (&arg, &param)) in args.enumerate() {
                    let Some(Some(to)) = coming(param) else { continue };
                    let Some(what) = coming(arg) else { continue };
                    let first = edge.iter().find(|other| other.what == what && other.by == Pass::Move);
                    let by = match (what, first) {
                        (Some(name), None) if name != to && !self.lives_in(target, name) => Pass::Move,
                        (Some(_), Some(first)) => Pass::With(first.to),
                        _ => Pass::Alias,
                    };
                    edge.push(Passed { what, to, by, at: (block, number, position) });
                }
                if !edge.is_empty() {
                    self.edges.push(edge);
                }
            }
        }
    }

    fn number(&self, block: Block) -> u32 {
        self.cfg.number(block).expect("what a reached block goes to is reached")
    }

    /// Whether a name is still used where a block begins.
    fn lives_in(&self, block: u32, name: usize) -> bool {
        let name = &self.names[name];
        let mut called = name.also.iter().chain([&name.value]);
        called.any(|&value| self.live.is_live_in(block, value))
    }

    /// Gives up moves that cannot be, until all can.
    fn settle(&mut self) {
        loop {
            self.find_tags();
            let mut given_up = Vec::new();
            for (number, edge) in self.edges.iter().enumerate() {
                let cannot = edge.iter().enumerate().filter(|(_, passed)| !self.may_move(edge, passed));
                given_up.extend(cannot.map(|(at, _)| (number, at)));
            }
            if given_up.is_empty() {
                return;
            }
            for (number, at) in given_up {
                let what = self.edges[number][at].what;
                let alike = self.edges[number].iter_mut().filter(|other| other.what == what);
                alike.for_each(|other| other.by = Pass::Alias);
            }
        }
    }

    /// The tags that names may have, from those of what comes to them.
    fn find_tags(&mut self) {
        let mut tags: Vec<Tags> = vec![0; self.names.len()];
        let mut changed = true;
        while std::mem::take(&mut changed) {
            let before = tags.clone();
            for (at, name) in self.names.iter().enumerate() {
                tags[at] |= match name.origin {
                    Origin::Allocation => tag(at),
                    Origin::Parameter => 0,
                    Origin::Select([one, other]) => tags_of(&tags, one) | tags_of(&tags, other),
                };
            }
            for passed in self.edges.iter().flatten() {
                let what = tags_of(&tags, passed.what);
                // What moves is null, or in its new slot.
                tags[passed.to] |= match passed.by {
                    Pass::Alias => what,
                    Pass::Move => what & NULL | tag(passed.to),
                    Pass::With(first) => what & NULL | tag(first),
                };
            }
            changed = before != tags;
        }
        self.tags = tags;
    }

    /// Whether what is passed moves only where it may.
    fn may_move(&self, edge: &[Passed], passed: &Passed) -> bool {
        let Some(name) = passed.what.filter(|_| passed.by == Pass::Move) else { return true };
        let (slots, target) = (self.tags[name] & !NULL, self.number(self.names[passed.to].home));
        let lives_on =
            |other: usize| self.tags[other] & (slots | tag(passed.to)) != 0 && self.lives_in(target, other);
        let meets = |other: &Passed| match other.by {
            Pass::Alias if other.what == passed.what => true,
            Pass::Alias => tags_of(&self.tags, other.what) & (slots | tag(passed.to)) != 0,
            Pass::Move | Pass::With(_) => {
                other.what != passed.what && tags_of(&self.tags, other.what) & slots != 0
            }
        };
        !(0..self.names.len()).any(lives_on) && !edge.iter().any(meets)
    }

    /// Whether an allocation fills its slot while another name says that an object is there.
    fn is_clobbered(&self, allocation: usize) -> bool {
        let Name { home, position, ref origin, .. } = self.names[allocation];
        if !matches!(origin, Origin::Allocation) {
            return false;
        }
        let mut is_read_later: SideTable<Value, bool> = SideTable::new();
        for_each_use(self.f, home, |at, value| is_read_later[value] |= at > position);
        let number = self.number(home);
        let lives = |&value: &Value| is_read_later[value] || self.live.is_live_out(number, value);
        self.names.iter().enumerate().any(|(at, other)| {
            let was_before = other.home != home || other.position < position;
            let may_be_there = at != allocation && self.tags[at] & tag(allocation) != 0;
            may_be_there && was_before && other.also.iter().chain([&other.value]).any(lives)
        })
    }
}

/// The tags of null or a name.
fn tags_of(tags: &[Tags], what: Coming) -> Tags {
    what.map_or(NULL, |name| tags[name])
}

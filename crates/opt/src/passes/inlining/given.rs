//! Recursion through what functions are given: `self(&self, n)`, which calls its first parameter and gives it itself.
//!
//! By name such a function calls nobody. Its body in the place of a call makes the next call known, which is one of the same
//! function that is given the same: without end. So functions are looked at by what they are given, as in the analysis of
//! closures by context (Shivers 1991): a context is a function and the functions that its parameters may be, and leads to
//! those of the calls in its body. A call stays whose context leads back to itself.
//!
//! Contexts in which nothing is known are no part of a circle: the function is then one that calls itself by name, once
//! bodies are copied into it, which is noticed by that.
//!
//! O(contexts times calls in their functions), both bounded by [`WORK`]; beyond, contexts count as leading back.

use hashbrown::HashMap;
use planish_base::{Components, Id};
use planish_ir::{FuncId, Function, Inst, Module, References};
use planish_ops::{Op, Type};
use rustc_hash::FxBuildHasher;

use crate::passes::devirtualization::Sources;

/// How many calls are looked at in all contexts, for each call of the module; and those of a small module.
const WORK: (usize, usize) = (4, 1_000);

/// The functions that each parameter may be; none where that is not known.
type Given = Vec<Vec<FuncId>>;

/// The calls that stay.
pub(super) struct Circles {
    /// By function: its calls that lead to themselves, in the order of their numbers.
    calls: Vec<Vec<Inst>>,
}

impl Circles {
    /// Follows what functions are given; `of` are the calls by name of each function.
    pub(super) fn new(module: &Module, references: &References, of: &[Vec<(Inst, FuncId)>]) -> Self {
        let mut circles = Circles { calls: vec![Vec::new(); of.len()] };
        if references.is_empty() {
            return circles;
        }
        let mut contexts = Contexts::new(module, references, of);
        // Which context a call begins, in a function of which nothing is known.
        let mut begun = Vec::new();
        for id in module.functions.ids() {
            let nothing = vec![Vec::new(); module.functions[id].params().len()];
            for (call, context) in contexts.leads_to(id, &nothing) {
                begun.push((id, call, context));
            }
        }
        contexts.follow();
        let comes_back = contexts.on_circles();
        for (caller, call, context) in begun {
            if comes_back[context as usize] {
                circles.calls[caller.index()].push(call);
            }
        }
        circles.calls.iter_mut().for_each(|calls| calls.sort_unstable());
        circles
    }

    /// Whether a call leads back to itself.
    pub(super) fn has(&self, caller: FuncId, call: Inst) -> bool {
        self.calls[caller.index()].binary_search(&call).is_ok()
    }
}

/// The contexts that are known so far.
struct Contexts<'a> {
    module: &'a Module,
    references: &'a References,
    of: &'a [Vec<(Inst, FuncId)>],
    /// By function: its calls through references, and what is needed to see where those come from.
    sources: Vec<Option<(Vec<Inst>, Sources<'a>)>>,
    numbers: HashMap<(FuncId, Given), u32, FxBuildHasher>,
    all: Vec<(FuncId, Given)>,
    /// The contexts to which one leads; none for those that were not looked at.
    edges: Vec<Option<Vec<u32>>>,
    work: usize,
}

impl<'a> Contexts<'a> {
    fn new(module: &'a Module, references: &'a References, of: &'a [Vec<(Inst, FuncId)>]) -> Self {
        let calls: usize = of.iter().map(Vec::len).sum();
        Contexts {
            module,
            references,
            of,
            sources: of.iter().map(|_| None).collect(),
            numbers: HashMap::default(),
            all: Vec::new(),
            edges: Vec::new(),
            work: WORK.0 * calls + WORK.1,
        }
    }

    /// Looks at all contexts that are found on the way, as far as there is room.
    fn follow(&mut self) {
        let mut next = 0;
        while let Some((function, given)) = self.all.get(next).cloned() {
            if self.work == 0 {
                return;
            }
            let edges = self.leads_to(function, &given).into_iter().map(|(_, context)| context).collect();
            self.edges[next] = Some(edges);
            next += 1;
        }
    }

    /// The calls in a function that give something known, with their contexts.
    fn leads_to(&mut self, id: FuncId, given: &Given) -> Vec<(Inst, u32)> {
        let Contexts { module, references, of, sources, work, .. } = self;
        let f = &module.functions[id];
        let (through, sources) = sources[id.index()].get_or_insert_with(|| {
            let through = |&(_, inst): &(_, Inst)| f.inst(inst).op == Op::CallRef;
            let through = f.live_insts().filter(through).map(|(_, inst)| inst).collect();
            (through, Sources::new(references, f))
        });
        *work = work.saturating_sub(1 + of[id.index()].len() + through.len());
        let known = |value| match f.ty(value) {
            Type::Ref => {
                let mut targets = sources.targets_given(f, value, given).unwrap_or_default();
                targets.sort_unstable();
                targets
            }
            _ => Vec::new(),
        };
        let mut found = Vec::new();
        for &(call, callee) in &of[id.index()] {
            found.push((call, callee, f.args(call).iter().map(|&arg| known(arg)).collect::<Given>()));
        }
        for &call in through.iter() {
            let args: Given = f.args(call)[1..].iter().map(|&arg| known(arg)).collect();
            found.extend(known(f.args(call)[0]).into_iter().map(|callee| (call, callee, args.clone())));
        }
        found.retain(|(_, callee, args)| is_told(&module.functions[*callee], args));
        found.into_iter().map(|(call, callee, args)| (call, self.number(callee, args))).collect()
    }

    fn number(&mut self, function: FuncId, given: Given) -> u32 {
        let Contexts { numbers, all, edges, .. } = self;
        *numbers.entry((function, given)).or_insert_with_key(|context| {
            all.push(context.clone());
            edges.push(None);
            all.len() as u32 - 1
        })
    }

    /// Which contexts lead back to themselves.
    fn on_circles(&self) -> Vec<bool> {
        let members: Vec<u32> = (0..self.all.len() as u32).collect();
        let edges = |context: u32| self.edges[context as usize].as_deref().unwrap_or_default();
        let mut comes_back: Vec<bool> = self.edges.iter().map(Option::is_none).collect();
        for circle in Components::new(members.len()).of(&members, edges) {
            if circle.len() > 1 || edges(circle[0]).contains(&circle[0]) {
                circle.iter().for_each(|&context| comes_back[context as usize] = true);
            }
        }
        comes_back
    }
}

/// Whether a function that is given so much is told anything by it.
fn is_told(callee: &Function, args: &Given) -> bool {
    args.len() == callee.params().len() && args.iter().any(|functions| !functions.is_empty())
}

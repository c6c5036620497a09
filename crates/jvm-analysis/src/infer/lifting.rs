//! Lifting for the interprocedural analysis: bodies in SSA form, and what their instructions name.
//!
//! Classes are lifted on all cores: which sites a class has depends on the program alone, so everything that the
//! analysis asks of a constant pool is found out here, and the tables of names are dropped again with the thread that
//! made them.

use std::cell::OnceCell;
use std::sync::Arc;

use planish_base::{Id, share_out_by_size};
use planish_classfile::Flags;
use planish_domain::Mark;
use planish_ir::{Const, Function, Terminator, Value};
use planish_jvm_ir::code::lifted;
use planish_jvm_ir::naming::Names;
use planish_jvm_ir::surroundings::Surroundings;
use planish_jvm_model::program::{Class, Method};
use planish_jvm_model::vtype::TypeContext;
use planish_ops::Type;

use crate::assumed_values::AssumedValues;
use crate::infer::dependents::Said;
use crate::infer::fact::{Classes, Fact};
use crate::infer::reads::{Looks, Reads};
use crate::infer::state::sites::{Lookup, Site};
use crate::infer::state::thrown::Caught;
use crate::infer::state::{Analysis, Body, Progress};
use crate::known::KnownMembers;
use crate::pure::PureMethods;

/// A class whose methods are lifted; nothing for a body that cannot be.
struct LiftedClass {
    sites: Vec<Site>,
    bodies: Vec<(Method, Option<(Body, Progress)>)>,
    /// The texts that its symbols stand for.
    texts: Vec<u16>,
}

impl Analysis<'_, '_, '_> {
    /// Lifts every method that may run. Those that cannot be go to `dark`.
    pub(super) fn lift_all(
        &mut self,
        (pure, values): (&Arc<PureMethods>, &AssumedValues<'_>),
        threads: usize,
        dark: &mut Vec<Method>,
    ) {
        let (program, reach) = (self.program, self.reach);
        self.bodies = program.methods.ids().map(|_| None).collect();
        let classes: Vec<Class> = program.classes.ids().collect();
        let around: Arc<dyn Surroundings> =
            Arc::new(KnownMembers { pure: Arc::clone(pure), ..KnownMembers::default() });
        let lift_class = |context: &mut TypeContext<'_>, &class: &Class| {
            let own = &program.classes[class];
            context.begin_class(&own.file.pool);
            let mut names = Names::new(&own.file).amid(Arc::clone(&around));
            let has_code = |method: &Method| {
                reach.is_live(*method) && !program.methods[*method].flags.any(Flags::ABSTRACT | Flags::NATIVE)
            };
            let methods = own.methods.iter().copied().filter(has_code);
            let mut body = |method| {
                let function = lifted(program, method, &mut names, context)?;
                let progress = Progress::none(&function, &Classes(program.hierarchy));
                let (reads, size) = (Reads::of(&function), function.live_insts().count());
                let gives = gives(&function);
                let texts = texts(&function);
                Some((
                    Body { reads, function, class, size, gives, texts, incoming: OnceCell::new() },
                    progress,
                ))
            };
            let bodies = methods.map(|method| (method, body(method))).collect();
            let texts = names.string_constants().to_vec();
            LiftedClass { bodies, texts, sites: Lookup::new(program, (pure, values), class, &names).all() }
        };
        let context = || TypeContext::new(program.hierarchy);
        let size = |&class: &Class| program.classes[class].size;
        let (lifted, _) = share_out_by_size(threads, &classes, size, context, lift_class, drop);
        for (class, LiftedClass { sites, bodies, texts }) in classes.iter().zip(lifted) {
            self.sites.push(sites.into());
            let pool = &program.classes[*class].file.pool;
            let text = |&constant: &u16| self.ones.text(pool.string(constant).unwrap_or_default());
            let texts: Vec<u32> = texts.iter().map(text).collect();
            for (method, body) in bodies {
                let Some((mut body, mut progress)) = body else {
                    dark.push(method);
                    continue;
                };
                for (value, text) in &mut body.texts {
                    *text = texts[*text as usize];
                    if let Fact::Ref(known) = &mut progress.values[value.index()] {
                        *known = known.marked(Mark::Object(*text));
                    }
                }
                let parameters = body.function.params().len();
                self.methods[method.index()].parameters = vec![Fact::None; parameters];
                self.methods[method.index()].grown = vec![0; parameters];
                self.progress[method.index()] = progress;
                self.bodies[method.index()] = Some(body);
            }
        }
    }
}

impl Progress {
    /// Nothing but its constants is known of a body.
    fn none(f: &Function, classes: &Classes<'_>) -> Self {
        let fact = |value| f.constant(value).map_or(Fact::None, |constant| Fact::of(constant, classes));
        Progress {
            values: (0..f.value_count()).map(|index| fact(Id::from_index(index))).collect(),
            grown: vec![0; f.value_count()],
            runs: vec![false; f.block_count()],
            looks: Looks::none(f),
            said: Said::nothing(f),
            caught: Caught::default(),
        }
    }
}

/// The constant texts of a function, and the numbers of their symbols.
fn texts(f: &Function) -> Vec<(Value, u32)> {
    let values = (0..f.value_count()).map(Id::from_index);
    let text = |value| match f.constant(value) {
        Some(Const::Symbol(symbol, Type::Ref)) => Some((value, symbol.index() as u32)),
        _ => None,
    };
    values.filter_map(text).collect()
}

/// The place of the parameter that a function returns, if it returns nothing else.
fn gives(f: &Function) -> Option<usize> {
    let mut given = None;
    for &block in f.blocks() {
        let Terminator::Return(results) = f.terminator(block) else { continue };
        let &result = f.list(*results).first()?;
        let place = f.params().iter().position(|&param| param == result)?;
        if *given.get_or_insert(place) != place {
            return None;
        }
    }
    given
}

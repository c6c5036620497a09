//! Random functions as machine code: it does what the interpreter does.

use arbitrary::{Result, Unstructured};
use planish_filetest::generate::{Options, module};
use planish_interp::{Limits, Program, Scenario, Val, run};
use planish_ir::module::Descriptor;
use planish_ir::{Builder, FuncId, Function, Module};
use planish_native::{Options as How, agrees, compile};
use planish_ops::world::CallEffect;
use planish_ops::{Op, Type};

use crate::cells;

/// The kinds of functions without objects, which have no machine code; those over cells come besides.
const KINDS: [Options; 7] = [
    Options::STRAIGHT,
    Options::ACYCLIC,
    Options::SWARM,
    Options::TANGLE,
    Options::NEST,
    Options::NEST_SWARM,
    Options::VECTORS,
];

/// In how many worlds a function is run.
const TRIES: u64 = 6;
/// How many operations a run has.
const FUEL: u64 = 2_000;

/// Makes a function from the data, compiles it and runs it beside the interpreter. Whether it has machine code.
pub fn does_the_same(u: &mut Unstructured<'_>) -> Result<bool> {
    let options = *u.choose(&KINDS)?;
    let (seed, called): (u64, bool) = (u.arbitrary()?, u.arbitrary()?);
    let mut module = if u.ratio(1, 6)? { cells::module(u)? } else { module(u, options)? };
    let mut id = module.functions.ids().next_back().expect("the function that was made");
    if called {
        id = caller(&mut module, id);
    }
    let Ok(code) = compile(&module, id, How { metered: true, ..How::default() }) else { return Ok(false) };
    let function = &module.functions[id];
    let types: Vec<Type> = function.params().iter().map(|&param| function.ty(param)).collect();
    let program = Program::of(&module);
    for world in 0..TRIES {
        let scenario = Scenario::new(seed.wrapping_add(world));
        let args: Vec<Val> = scenario.arguments(&types);
        let limits = Limits { fuel: FUEL, ..Limits::default() };
        let expected = run(&program, function, &args, &scenario, limits).end;
        let found = code.run(&args, &scenario, FUEL);
        assert!(
            agrees(&expected, &found),
            "machine code of {args:?} gives {found:?}, not {expected:?}\n{}",
            planish_ir::text::write(&module, Default::default())
        );
    }
    Ok(true)
}

/// Adds a function that calls another one with its own arguments.
fn caller(module: &mut Module, callee: FuncId) -> FuncId {
    let function = &module.functions[callee];
    let types = |function: &Function| -> Vec<Type> {
        function.params().iter().map(|&param| function.ty(param)).collect()
    };
    let (params, results) = (types(function), function.result_types().to_vec());
    let name = function.name.clone();
    let descr = module.descriptors.intern(name, || Descriptor::Callee(CallEffect::unknown()));
    let mut b = Builder::new("caller", &results);
    let entry = b.block("");
    b.at(entry);
    let args: Vec<_> = params.iter().map(|&ty| b.param(entry, ty)).collect();
    let call = b.inst(Op::Call, &args, &results, Some(descr), None);
    let returned: Vec<_> = b.function().results(call).collect();
    b.ret(&returned);
    module.functions.push(b.finish())
}

//! Compiling a function together with all that it calls.

use cranelift_codegen::ir::{Function as Body, UserFuncName};
use cranelift_codegen::settings::{self, Configurable};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::{JITBuilder, JITModule};
use cranelift_module::{Linkage, Module as _, default_libcall_names};
use hashbrown::HashMap;
use planish_ir::{FuncId, Location, Module};
use planish_ops::Op;
use planish_ops::world::World;
use rustc_hash::FxBuildHasher;

use crate::code::{self, Code};
use crate::function::Writer;
use crate::memory::Touched;
use crate::refused::Refused;
use crate::unit::{Helpers, Options, Unit};

/// Compiles a function and all that it calls.
pub fn compile(module: &Module, entry: FuncId, options: Options) -> Result<Code, Refused> {
    let broken = |why: &dyn std::fmt::Display| Refused {
        function: module.functions[entry].name.clone(),
        location: Location::default(),
        why: why.to_string(),
    };
    let mut jit = machine().map_err(|why| broken(&why))?;
    let helpers = Helpers::declare(&mut jit).map_err(|error| broken(&error))?;
    let names: HashMap<_, _, _> = module.functions.iter().map(|(id, f)| (f.name.as_str(), id)).collect();
    let reached = reached(module, &names, entry);
    let (compiled, tables) = (HashMap::default(), HashMap::default());
    let (sites, asked) = (Vec::new(), Vec::new());
    let mut unit = Unit {
        module,
        options,
        jit,
        helpers,
        names,
        compiled,
        tables,
        sites,
        asked,
        room: 0,
        touched: Touched::Nothing,
    };
    for &id in &reached {
        let signature = unit.signature(&module.functions[id])?;
        let name = format!("f{}", unit.compiled.len());
        let declared = unit.jit.declare_function(&name, Linkage::Local, &signature);
        unit.compiled.insert(id, declared.map_err(|error| broken(&error))?);
    }
    let (mut context, mut scratch) = (unit.jit.make_context(), FunctionBuilderContext::new());
    let (mut bytes, mut frame) = (0, 0);
    for &id in &reached {
        let f = &module.functions[id];
        context.func = Body::with_name_signature(UserFuncName::default(), unit.signature(f)?);
        let builder = FunctionBuilder::new(&mut context.func, &mut scratch);
        Writer::new(&mut unit, f, builder).write()?;
        // A value takes 8 bytes at most where it does not stay in a register, a vector 16; copies on the way to blocks as many.
        let dfg = &context.func.dfg;
        let wide = dfg.values().any(|value| dfg.value_type(value).is_vector());
        frame = frame.max(if wide { 64 } else { 32 } * dfg.num_values());
        bytes += unit
            .define(id, &mut context)
            .map_err(|why| Refused { function: f.name.clone(), ..broken(&why) })?;
    }
    let (trampoline, size) =
        unit.trampoline(entry, &mut context, &mut scratch).map_err(|why| broken(&why))?;
    unit.jit.finalize_definitions().map_err(|error| broken(&error))?;
    let f = &module.functions[entry];
    Ok(Code {
        entry: unit.jit.get_finalized_function(trampoline),
        params: f.params().iter().map(|&param| f.ty(param)).collect(),
        results: f.result_types().to_vec(),
        sites: unit.sites,
        asked: unit.asked,
        room: unit.room.max(f.result_types().len()).max(1),
        frame,
        touched: unit.touched,
        bytes: bytes + size,
        module: Some(unit.jit),
    })
}

/// A code generator for the machine that this runs on.
fn machine() -> Result<JITModule, String> {
    let mut flags = settings::builder();
    let verifier = if cfg!(debug_assertions) { "true" } else { "false" };
    for (flag, value) in [("opt_level", "speed"), ("enable_verifier", verifier)] {
        flags.set(flag, value).map_err(|error| error.to_string())?;
    }
    let isa = cranelift_native::builder()?;
    let isa = isa.finish(settings::Flags::new(flags)).map_err(|error| error.to_string())?;
    let mut builder = JITBuilder::with_isa(isa, default_libcall_names());
    builder.symbols([
        ("remainder32", code::remainder32 as *const u8),
        ("remainder64", code::remainder64 as *const u8),
        ("allocate", code::allocate as *const u8),
        ("free", code::free as *const u8),
        ("ask", code::ask as *const u8),
        ("fill", code::fill as *const u8),
        ("copy", code::copy as *const u8),
    ]);
    Ok(JITModule::new(builder))
}

/// A function and all that it calls, each after one that calls it.
fn reached(module: &Module, names: &HashMap<&str, FuncId, FxBuildHasher>, entry: FuncId) -> Vec<FuncId> {
    let mut reached = vec![entry];
    let mut seen = planish_base::SideTable::<FuncId, bool>::new();
    seen[entry] = true;
    let mut next = 0;
    while let Some(&id) = reached.get(next) {
        next += 1;
        let f = &module.functions[id];
        for (_, inst) in f.live_insts().filter(|&(_, inst)| f.inst(inst).op == Op::Call) {
            let name = f.inst(inst).descr.map(|descr| module.descriptors.name(descr));
            let Some(&callee) = name.and_then(|name| names.get(name)) else { continue };
            if !std::mem::replace(&mut seen[callee], true) {
                reached.push(callee);
            }
        }
    }
    reached
}

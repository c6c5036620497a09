//! A unit: what functions share that are compiled together.

use cranelift_codegen::Context as Compilation;
use cranelift_codegen::ir::{
    AbiParam, Function as Body, InstBuilder, MemFlagsData, Signature, Type as Machine, UserFuncName, types,
};
use cranelift_frontend::{FunctionBuilder, FunctionBuilderContext};
use cranelift_jit::JITModule;
use cranelift_module::{DataId, FuncId as Compiled, Linkage, Module as _};
use hashbrown::HashMap;
use planish_ir::{FuncId, Function, Location, Module};
use planish_ops::Type;
use planish_ops::world::Descr;
use rustc_hash::FxBuildHasher;

use crate::code::{Asked, Site, place};
use crate::lanes::vector_type;
use crate::memory::Touched;
use crate::refused::Refused;
use crate::words::{float_type, word_type};

/// How code is made.
#[derive(Clone, Copy, Debug)]
pub struct Options {
    /// Whether passes of loops and calls are counted, so that a run ends when its fuel does.
    pub metered: bool,
    /// Which functions that are not of the program a host answers for, by name; calls of others are refused.
    pub answered: fn(&str) -> bool,
}

impl Default for Options {
    fn default() -> Self {
        Options { metered: false, answered: |_| false }
    }
}

/// What the functions of a unit share.
pub(crate) struct Unit<'m> {
    pub module: &'m Module,
    pub options: Options,
    pub jit: JITModule,
    pub helpers: Helpers,
    /// The functions of the module by name.
    pub names: HashMap<&'m str, FuncId, FxBuildHasher>,
    /// What is compiled, by function; asked, never iterated.
    pub compiled: HashMap<FuncId, Compiled, FxBuildHasher>,
    /// Constant tables that are made, by descriptor; asked, never iterated.
    pub tables: HashMap<Descr, DataId, FxBuildHasher>,
    pub sites: Vec<Site>,
    pub asked: Vec<Asked>,
    pub room: usize,
    pub touched: Touched,
}

/// What code calls that is not of the program.
#[derive(Clone, Copy)]
pub(crate) struct Helpers {
    pub remainders: [Compiled; 2],
    pub allocate: Compiled,
    pub free: Compiled,
    pub ask: Compiled,
    pub fill: Compiled,
    pub copy: Compiled,
}

/// What holds a value of a type, if machine code has such values.
pub(crate) fn machine_type(ty: Type) -> Option<Machine> {
    match ty {
        Type::Int(width) => Some(word_type(u32::from(width))),
        Type::Float(format) => Some(float_type(format)),
        Type::Ref => Some(types::I64),
        Type::State => None,
        Type::Vector(lane) => Some(vector_type(lane)),
    }
}

/// What holds a value where it is kept in a word of memory, or comes from outside of a function: no vector is.
pub(crate) fn kept_type(ty: Type) -> Option<Machine> {
    machine_type(ty).filter(|machine| !machine.is_vector())
}

impl Helpers {
    pub fn declare(jit: &mut JITModule) -> Result<Helpers, String> {
        let mut declare = |name: &str, ty: Machine, params: usize, results: usize| {
            let mut signature = jit.make_signature();
            signature.params = vec![AbiParam::new(ty); params];
            signature.returns = vec![AbiParam::new(ty); results];
            let declared = jit.declare_function(name, Linkage::Import, &signature);
            declared.map_err(|error| error.to_string())
        };
        Ok(Helpers {
            remainders: [
                declare("remainder32", types::F32, 2, 1)?,
                declare("remainder64", types::F64, 2, 1)?,
            ],
            allocate: declare("allocate", types::I64, 2, 1)?,
            free: declare("free", types::I64, 2, 1)?,
            ask: declare("ask", types::I64, 2, 1)?,
            fill: declare("fill", types::I64, 4, 0)?,
            copy: declare("copy", types::I64, 3, 0)?,
        })
    }
}

impl Unit<'_> {
    /// The context and the parameters; how it ended and the first result, others being in memory.
    pub fn signature(&self, f: &Function) -> Result<Signature, Refused> {
        let machine = |ty: Type| {
            kept_type(ty).map(AbiParam::new).ok_or_else(|| Refused {
                function: f.name.clone(),
                location: Location::default(),
                why: format!("it has a value of type {ty}"),
            })
        };
        let mut signature = self.jit.make_signature();
        signature.params.push(AbiParam::new(types::I64));
        for &param in f.params() {
            signature.params.push(machine(f.ty(param))?);
        }
        signature.returns.push(AbiParam::new(types::I64));
        for (&ty, position) in f.result_types().iter().zip(0..) {
            let returned = machine(ty)?;
            if position == 0 {
                signature.returns.push(returned);
            }
        }
        Ok(signature)
    }

    /// Makes the code of a function that was written; its size.
    pub fn define(&mut self, id: FuncId, context: &mut Compilation) -> Result<usize, String> {
        self.generate(self.compiled[&id], context)
    }

    fn generate(&mut self, id: Compiled, context: &mut Compilation) -> Result<usize, String> {
        let defined = self.jit.define_function(id, context);
        defined.map_err(|error| format!("{error:?}"))?;
        let size = context.compiled_code().map_or(0, |code| code.code_buffer().len());
        self.jit.clear_context(context);
        Ok(size)
    }

    /// Makes what is called from outside: it takes arguments from memory and leaves results there.
    pub fn trampoline(
        &mut self,
        entry: FuncId,
        context: &mut Compilation,
        scratch: &mut FunctionBuilderContext,
    ) -> Result<(Compiled, usize), String> {
        let f = &self.module.functions[entry];
        let mut signature = self.jit.make_signature();
        signature.params = vec![AbiParam::new(types::I64); 2];
        signature.returns = vec![AbiParam::new(types::I64)];
        let declared = self.jit.declare_function("trampoline", Linkage::Local, &signature);
        let id = declared.map_err(|error| error.to_string())?;
        context.func = Body::with_name_signature(UserFuncName::default(), signature);
        let mut code = FunctionBuilder::new(&mut context.func, scratch);
        let block = code.create_block();
        code.append_block_params_for_function_params(block);
        code.switch_to_block(block);
        let (shared, given) = (code.block_params(block)[0], code.block_params(block)[1]);
        let mut args = vec![shared];
        for (&param, position) in f.params().iter().zip(0..) {
            let ty = kept_type(f.ty(param)).ok_or("a parameter of no machine type")?;
            args.push(code.ins().load(ty, MemFlagsData::trusted(), given, 8 * position));
        }
        let callee = self.jit.declare_func_in_func(self.compiled[&entry], code.func);
        let call = code.ins().call(callee, &args);
        let results = code.inst_results(call).to_vec();
        if let Some(&first) = results.get(1) {
            // Who ended otherwise left what is kept there.
            let (returned, out) = (code.create_block(), code.create_block());
            code.ins().brif(results[0], out, &[], returned, &[]);
            code.switch_to_block(returned);
            let words = code.ins().load(types::I64, MemFlagsData::trusted(), shared, place::WORDS);
            code.ins().store(MemFlagsData::trusted(), first, words, 0);
            code.ins().jump(out, &[]);
            code.switch_to_block(out);
        }
        code.ins().return_(&results[..1]);
        code.seal_all_blocks();
        code.finalize(self.jit.target_config());
        let size = self.generate(id, context)?;
        Ok((id, size))
    }
}

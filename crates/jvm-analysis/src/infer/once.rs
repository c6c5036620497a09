//! Singleton objects: constant texts, and what a class initializer makes outside of loops.
//!
//! An initializer runs once, so what it makes there is one object, as the constants of enums are. It is known by its number
//! wherever it goes ([`Mark::Object`]): two of them are different, and a value that is always the same one is a
//! constant. Equal constant texts are one object (The Java Language Specification, 3.10.5). Of the constants of enums it is
//! known which name and number they got, if their constructors hand on both.

use planish_base::{Id, Worklist};
use planish_classfile::Opcode;
use planish_ir::{Block, Const, Function, Inst, Value};
use planish_jvm_model::program::Found;
use planish_ops::Op;

use crate::enum_ordinals::names_constant;
use crate::infer::fact::{Fact, descr};
use crate::infer::state::ones::One;
use crate::infer::state::sites::Site;
use crate::infer::state::{Analysis, Body};

impl Analysis<'_, '_, '_> {
    /// Finds the objects that initializers make once. O(initializers).
    pub(super) fn find_ones(&mut self) {
        let program = self.program;
        let Some(clinit) = program.selector(b"<clinit>()V") else { return };
        let string = program.hierarchy.lookup(b"java/lang/String");
        for class in program.classes.ids() {
            let Some(method) = program.declared_method(class, clinit) else { continue };
            let Some(body) = self.bodies[method.index()].take() else { continue };
            let f = &body.function;
            let sites = self.sites[class.index()].clone();
            let site = |inst: Inst| f.inst(inst).descr.map(|descr| &sites[descr.index()]);
            // A text that is made may become the constant: `intern` takes it as that if no class has loaded such a one yet.
            let is_text = |made: &Fact| match made {
                Fact::Ref(known) => string.is_some_and(|string| known.exact_class() == Some(descr(string))),
                _ => false,
            };
            let repeats = repeating(f);
            for &block in f.blocks().iter().filter(|block| !repeats[block.index()]) {
                for &inst in f.block_insts(block) {
                    if let Some(Site::New(made)) = site(inst)
                        && !is_text(made)
                    {
                        self.ones.made.insert((method, inst), self.ones.all.len() as u32);
                        self.ones.all.push(One::Made(None));
                    }
                }
            }
            for (_, inst) in f.live_insts() {
                if let (Op::Call, Some(Site::Call(callee))) = (f.inst(inst).op, site(inst))
                    && callee.op == Opcode::Invokespecial
                    && let Some(Found::Program(constructor)) = callee.found
                    && let &[made, name, ordinal, ..] = f.args(inst)
                    && let Some(number) = f.def_inst(made).and_then(|new| self.ones.made.get(&(method, new)))
                    && let Some(constant) = self.enum_constant(&body, [name, ordinal])
                    && names_constant(program, constructor)
                {
                    self.ones.all[*number as usize] = One::Made(Some(constant));
                }
            }
            self.bodies[method.index()] = Some(body);
        }
    }

    /// The text and the number of constants.
    fn enum_constant(&self, body: &Body, [name, ordinal]: [Value; 2]) -> Option<(u32, i32)> {
        let Const::Int(ordinal) = body.function.constant(ordinal)? else { return None };
        let &(_, name) = body.texts.iter().find(|(value, _)| *value == name)?;
        Some((name, ordinal.signed() as i32))
    }
}

/// By block whether it may run more than once, as far as removing blocks without predecessors, and then those without
/// successors, does not tell. O(edges).
fn repeating(f: &Function) -> Vec<bool> {
    let mut edges: Vec<(Block, Block)> = Vec::new();
    for &block in f.blocks() {
        edges.extend(f.block_calls(block).map(|call| (block, call.block)));
        edges.extend(f.handlers(block).map(|(_, handler)| (block, handler.block)));
    }
    let mut repeats = vec![false; f.block_count()];
    f.blocks().iter().for_each(|block| repeats[block.index()] = true);
    for _ in 0..2 {
        let mut next: Vec<Vec<Block>> = vec![Vec::new(); f.block_count()];
        let mut before = vec![0u32; f.block_count()];
        for &(from, to) in edges.iter().filter(|(from, to)| repeats[from.index()] && repeats[to.index()]) {
            next[from.index()].push(to);
            before[to.index()] += 1;
        }
        let is_first = |block: &Block| repeats[block.index()] && before[block.index()] == 0;
        let mut work: Worklist<Block> = f.blocks().iter().copied().filter(is_first).collect();
        while let Some(block) = work.pop() {
            repeats[block.index()] = false;
            for &to in &next[block.index()] {
                before[to.index()] -= 1;
                if before[to.index()] == 0 {
                    work.push(to);
                }
            }
        }
        edges.iter_mut().for_each(|(from, to)| std::mem::swap(from, to));
    }
    repeats
}

//! Singleton objects: constant texts, and what a class initializer makes outside of loops.
//!
//! An initializer runs once, so what it makes there is one object, as the constants of enums are. It is known by its number
//! wherever it goes ([`Mark::Object`]): two of them are different, and a value that is always the same one is a
//! constant. Equal constant texts are one object (The Java Language Specification, 3.10.5). Of the constants of enums it is
//! known which name and number they got, if their constructors hand on both.

use hashbrown::HashMap;
use planish_base::Id;
use planish_classfile::{MemberRef, Opcode};
use planish_domain::{IntFact, Mark, RefFact};
use planish_ir::{Block, Const, Function, Inst, Value};
use planish_ops::{Int, Op};
use rustc_hash::FxBuildHasher;

use crate::enum_ordinals::names_constant;
use crate::infer::fact::{Fact, descr};
use crate::infer::sites::Site;
use crate::infer::{Analysis, Body};
use planish_jvm_model::hierarchy::{ClassId, Hierarchy};
use planish_jvm_model::program::{Found, Method};

/// What is asked of the constant of an enum.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum EnumPart {
    Name,
    Ordinal,
}

impl EnumPart {
    /// What a call of a final method of `Enum` asks of its receiver.
    pub fn of(op: Opcode, class: ClassId, member: &MemberRef<'_>, hierarchy: &Hierarchy) -> Option<EnumPart> {
        let part = match (member.name, member.descriptor) {
            (b"name", b"()Ljava/lang/String;") => EnumPart::Name,
            (b"ordinal", b"()I") => EnumPart::Ordinal,
            _ => return None,
        };
        let is_enum = hierarchy
            .lookup(b"java/lang/Enum")
            .is_some_and(|above| hierarchy.extends(class, above) == Some(true));
        (op == Opcode::Invokevirtual && is_enum).then_some(part)
    }
}

/// An object that there is one of.
enum One<'p> {
    Text(&'p [u8]),
    /// What an initializer made: the text that is its name and its number, if it is the constant of an enum.
    Made(Option<(u32, i32)>),
}

/// The objects of which there is one.
#[derive(Default)]
pub(super) struct Ones<'p> {
    all: Vec<One<'p>>,
    texts: HashMap<&'p [u8], u32, FxBuildHasher>,
    /// By instruction what it makes.
    made: HashMap<(Method, Inst), u32, FxBuildHasher>,
}

impl<'p> Ones<'p> {
    /// The number of a constant text.
    pub fn text(&mut self, text: &'p [u8]) -> u32 {
        let all = &mut self.all;
        *self.texts.entry(text).or_insert_with(|| {
            all.push(One::Text(text));
            all.len() as u32 - 1
        })
    }

    /// What an instruction makes, if it makes one object only.
    pub fn made(&self, method: Method, inst: Inst) -> Option<Mark> {
        self.made.get(&(method, inst)).map(|&number| Mark::Object(number))
    }

    /// The text that a reference is, if it is always one and the same.
    pub fn text_of(&self, known: RefFact) -> Option<&'p [u8]> {
        match known.mark() {
            Some(Mark::Object(number)) if !known.may_be_null() => match self.all[number as usize] {
                One::Text(text) => Some(text),
                One::Made(_) => None,
            },
            _ => None,
        }
    }

    /// What a constant of an enum gives that is asked.
    pub fn part(&self, part: EnumPart, receiver: RefFact, hierarchy: &Hierarchy) -> Option<Fact> {
        let Some(Mark::Object(number)) = receiver.mark() else { return None };
        let One::Made(Some((name, ordinal))) = self.all[number as usize] else { return None };
        Some(match part {
            EnumPart::Name => {
                let string = hierarchy.lookup(b"java/lang/String");
                let text = string.map_or(RefFact::NONNULL, |string| RefFact::exactly(descr(string)));
                Fact::Ref(text.marked(Mark::Object(name)))
            }
            EnumPart::Ordinal => Fact::Int(IntFact::constant(Int::new(32, ordinal as u64))),
        })
    }
}

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
        let mut work: Vec<Block> = f.blocks().iter().copied().filter(is_first).collect();
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

//! The calls of a program, once nothing grows: where each leads, and what those that lead to one method have in common.

use planish_base::Id;
use planish_classfile::{Flags, Opcode};
use planish_domain::RefFact;
use planish_ir::{Block, Inst};
use planish_ops::Op;

use crate::program::infer::Analysis;
use crate::program::infer::fact::Fact;
use crate::program::infer::sites::{Callee, Site};
use crate::program::{Found, Method};

/// A call of a body that is analysed.
#[derive(Clone, Copy)]
pub(super) struct CallAt {
    pub block: Block,
    pub inst: Inst,
    /// What is known of the receiver.
    pub receiver: RefFact,
    /// The method to which it leads, if that is one.
    pub only: Option<Method>,
    /// Whether it is a call of a method that only computes.
    pub is_pure: bool,
}

/// All calls.
pub(super) struct Survey {
    /// By caller, in the order of its instructions.
    calls: Vec<CallAt>,
    /// By caller where its calls begin, and where the last ones end.
    first: Vec<u32>,
    /// By method whether calls that lead to it may lead elsewhere, too.
    pub lead_elsewhere: Vec<bool>,
    /// By method whether calls of it may have null for a receiver.
    pub on_null: Vec<bool>,
}

impl Survey {
    /// The calls of a method, in the order of its instructions.
    pub fn of(&self, caller: Method) -> &[CallAt] {
        let place = caller.index();
        &self.calls[self.first[place] as usize..self.first[place + 1] as usize]
    }
}

impl Analysis<'_, '_, '_> {
    /// Looks at every call. O(instructions).
    pub(super) fn survey(&mut self) -> Survey {
        let count = self.bodies.len();
        let mut survey = Survey {
            calls: Vec::new(),
            first: Vec::with_capacity(count + 1),
            lead_elsewhere: vec![false; count],
            on_null: vec![false; count],
        };
        for caller in self.program.methods.ids() {
            survey.first.push(survey.calls.len() as u32);
            let Some(body) = self.bodies[caller.index()].take() else { continue };
            let sites = self.sites[body.class.index()].clone();
            for (block, inst) in body.function.live_insts() {
                let data = body.function.inst(inst);
                let (Op::Call, Some(descr)) = (data.op, data.descr) else { continue };
                let Site::Call(callee) = &sites[descr.index()] else { continue };
                let receiver = match body.function.args(inst).first() {
                    Some(&arg) => self.progress[caller.index()].values[arg.index()],
                    None => Fact::None,
                };
                let receiver = match receiver {
                    Fact::Ref(known) => known,
                    _ => RefFact::TOP,
                };
                let only = self.only_callee(callee, receiver);
                match only {
                    Some(only) => survey.on_null[only.index()] |= receiver.may_be_null(),
                    None => {
                        for method in &self.leads(callee, receiver).methods {
                            survey.lead_elsewhere[method.index()] = true;
                        }
                    }
                }
                survey.calls.push(CallAt { block, inst, receiver, only, is_pure: callee.pure.is_some() });
            }
            self.bodies[caller.index()] = Some(body);
        }
        survey.first.push(survey.calls.len() as u32);
        survey
    }

    /// The one method that a call leads to, if the method that the instruction names would be found there as
    /// well: a static one, a private one, or the only one that receivers of which this much is known select.
    fn only_callee(&mut self, callee: &Callee, receiver: RefFact) -> Option<Method> {
        let program = self.program;
        let Some(Found::Program(found)) = callee.found else { return None };
        match callee.op {
            Opcode::Invokestatic => return Some(found),
            Opcode::Invokevirtual => {}
            // A class calls its own method, which is private or was, and not what overrides it.
            Opcode::Invokespecial if callee.above.is_none() => {}
            _ => return None,
        }
        let targets = self.leads(callee, receiver);
        let (&[only], false, Some(named)) = (&targets.methods[..], targets.outside, callee.class) else {
            return None;
        };
        let home = &program.classes[program.methods[only].class];
        let is_constructor = program.member_name(program.methods[only].selector) == b"<init>";
        let is_above =
            program.class(named).is_some_and(|named| program.classes[named].supertypes.contains(&home.id));
        let is_static = program.methods[only].flags.has(Flags::STATIC);
        let fits = is_above && !is_static && !is_constructor && !home.file.flags.has(Flags::INTERFACE);
        fits.then_some(only)
    }
}

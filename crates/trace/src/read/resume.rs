//! What is resumed behind a guard: `#! resume p4 = new(descr=D); setfield_gc(p4, i1, descr=F); [p4, 7]`.
//!
//! The operations are read as any others; their names are known up to the end of the line.

use planish_base::diag::Span;

use super::{Cursor, Malformed, RESUME, Reader};
use crate::resume::is_step;
use crate::text::{Name, OpData, Resume, Texts, Trace, Var};

impl Reader<'_> {
    pub(super) fn resume(
        &mut self,
        c: &mut Cursor<'_>,
        op: &mut OpData,
        trace: &mut Trace,
        texts: &mut Texts,
    ) -> Result<(), Malformed> {
        c.at += RESUME.len();
        // What was read of the guard is needed behind this.
        let args = std::mem::take(&mut self.args);
        let spans = std::mem::take(&mut self.spans);
        let mut steps = Vec::new();
        let read = loop {
            c.skip_blanks();
            if c.peek() == b'[' {
                break self.bracketed(c, trace, texts, |_| None);
            }
            let length = c.bytes[c.at..c.end].iter().position(|&b| b == b';');
            let Some(length) = length else {
                self.diagnostics.error(c.rest(), "what is resumed ends with the state, as in `[i1, p2]`");
                break Err(Malformed);
            };
            let span = Span::new(c.at..c.at + length);
            let step = Cursor { bytes: c.bytes, at: c.at, end: c.at + length };
            c.at += length + 1;
            match self.operation(step, span, trace, texts) {
                Ok(Some(step)) if step.opcode.is_some_and(is_step) && step.fail.is_none() => steps.push(step),
                Ok(_) => self.diagnostics.error(span, "this cannot be done where a guard fails"),
                Err(malformed) => break Err(malformed),
            }
        };
        for step in &steps {
            if let Some(result) = step.result {
                self.forget(result, trace);
            }
        }
        (self.args, self.spans) = (args, spans);
        let state = read?;
        op.resume = Some(trace.resumes.push(Resume { steps, state }));
        c.at = c.end;
        Ok(())
    }

    /// A name is not known any more.
    fn forget(&mut self, var: Var, trace: &Trace) {
        match trace.vars[var].name {
            Name::Numbered(letter, number) => {
                self.numbered[super::args::table_of(letter)][number as usize] = None;
            }
            Name::Other(name) => {
                self.others.remove(&name);
            }
        }
    }
}

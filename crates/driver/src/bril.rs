//! Running Bril: its memory and its output, for the interpreter.
//!
//! In the IR these are calls of names that say what is done ([`planish_bril::memory`]); here is who
//! answers them. A pointer is a reference whose number holds an allocation and an offset into it. What
//! the reference interpreter of the language refuses ends a run here too: access outside of what was
//! allocated, reading what was never written, freeing twice or in the middle, and memory that is not
//! freed in the end.

use planish_bril::memory::Action;
use planish_interp::{Host, Reference, Val};
use planish_ops::{Real, Type};

/// The largest allocation, in values.
const LARGEST: u64 = 1 << 24;

/// Memory, and the text that was printed.
#[derive(Default)]
pub struct Memory {
    /// Allocations: what was written to them, nothing once they are freed.
    regions: Vec<Option<Vec<Option<Val>>>>,
    printed: String,
    fault: Option<String>,
}

impl Memory {
    /// What was printed: a line for each `print`.
    pub fn printed(&self) -> &str {
        &self.printed
    }

    /// What went wrong with memory first, if anything did; leaks are seen at the end.
    pub fn fault(&self) -> Option<String> {
        let leaked = self.regions.iter().flatten().count();
        self.fault.clone().or_else(|| (leaked > 0).then(|| format!("{leaked} allocations are never freed")))
    }

    fn act(&mut self, action: Action, args: &[Val]) -> Result<Option<Val>, String> {
        match (action, args) {
            (Action::Print, values) => {
                let shown: Vec<String> = values.iter().map(|&value| show(value)).collect();
                self.printed.push_str(&shown.join(" "));
                self.printed.push('\n');
                Ok(None)
            }
            (Action::Allocate, &[Val::Int(size)]) => {
                if size.signed() <= 0 || size.unsigned() > LARGEST {
                    return Err(format!("an allocation of {size} values"));
                }
                self.regions.push(Some(vec![None; size.unsigned() as usize]));
                Ok(Some(pointer(self.regions.len() as u64 - 1, 0)))
            }
            (Action::Free, &[at]) => {
                let (region, offset) = place(at)?;
                let region = self.regions.get_mut(region).filter(|region| region.is_some() && offset == 0);
                *region.ok_or("what is freed is no allocation")? = None;
                Ok(None)
            }
            (Action::Load, &[at]) => match *self.cell(at)? {
                Some(value) => Ok(Some(value)),
                None => Err("what is read was never written".to_owned()),
            },
            (Action::Store, &[at, value]) => {
                *self.cell(at)? = Some(value);
                Ok(None)
            }
            (Action::Move, &[at, Val::Int(by)]) => {
                let (region, offset) = place(at)?;
                let moved = i64::from(offset).wrapping_add(by.signed());
                let moved = i32::try_from(moved).map_err(|_| "a pointer moves too far")?;
                Ok(Some(pointer(region as u64, moved)))
            }
            _ => Err(format!("`{}` on other operands", action.name())),
        }
    }

    fn cell(&mut self, at: Val) -> Result<&mut Option<Val>, String> {
        let (region, offset) = place(at)?;
        let region = self.regions.get_mut(region).and_then(Option::as_mut);
        let region = region.ok_or("an access to memory that is not allocated")?;
        let offset = usize::try_from(offset).ok().filter(|&offset| offset < region.len());
        Ok(&mut region[offset.ok_or("an access outside of an allocation")?])
    }
}

impl Host for Memory {
    /// After a fault nothing that is answered matters: the run has failed.
    fn call(&mut self, callee: &str, args: &[Val], results: &[Type]) -> Option<Vec<Val>> {
        let (action, _) = Action::decode(callee)?;
        let answer = match self.fault {
            Some(_) => None,
            None => self.act(action, args).unwrap_or_else(|fault| {
                self.fault = Some(fault);
                None
            }),
        };
        Some(
            results
                .iter()
                .map(|&ty| answer.filter(|_| self.fault.is_none()).unwrap_or(Val::zero(ty)))
                .collect(),
        )
    }
}

fn pointer(region: u64, offset: i32) -> Val {
    Val::Ref(Reference::Outside(region << 32 | u64::from(offset as u32)))
}

fn place(at: Val) -> Result<(usize, i32), String> {
    match at {
        Val::Ref(Reference::Outside(number)) => Ok(((number >> 32) as usize, number as u32 as i32)),
        _ => Err("an access through no pointer".to_owned()),
    }
}

/// A value as `print` shows it.
fn show(value: Val) -> String {
    match value {
        Val::Int(int) if int.width() == 1 => int.is_true().to_string(),
        Val::Int(int) if int.width() == 32 => {
            u32::try_from(int.unsigned()).ok().and_then(char::from_u32).map_or_else(String::new, String::from)
        }
        Val::Int(int) => int.signed().to_string(),
        Val::Real(Real::F64(value)) if value.is_finite() => format!("{value:.17}"),
        Val::Real(Real::F64(value)) if value.is_nan() => "NaN".to_owned(),
        Val::Real(Real::F64(value)) => if value > 0.0 { "Infinity" } else { "-Infinity" }.to_owned(),
        other => other.to_string(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn call(memory: &mut Memory, callee: &str, args: &[Val], results: &[Type]) -> Option<Val> {
        memory.call(callee, args, results).and_then(|results| results.first().copied())
    }

    #[test]
    fn memory_holds_what_was_stored_and_notices_what_is_wrong() {
        let mut memory = Memory::default();
        let p = call(&mut memory, "bril.alloc.int", &[Val::int(Type::I64, 2)], &[Type::Ref]).unwrap();
        let q = call(&mut memory, "bril.ptradd.int", &[p, Val::int(Type::I64, 1)], &[Type::Ref]).unwrap();
        call(&mut memory, "bril.store.int", &[q, Val::int(Type::I64, -7)], &[]);
        let loaded = call(&mut memory, "bril.load.int", &[q], &[Type::I64]);
        assert_eq!(loaded, Some(Val::int(Type::I64, -7)));
        assert!(memory.fault().is_some_and(|fault| fault.contains("never freed")));
        call(&mut memory, "bril.free.int", &[p], &[]);
        assert_eq!(memory.fault(), None);
        call(&mut memory, "bril.load.int", &[q], &[Type::I64]);
        assert!(memory.fault().is_some_and(|fault| fault.contains("not allocated")));
    }

    #[test]
    fn output_is_what_the_reference_interpreter_prints() {
        let mut memory = Memory::default();
        let values = [Val::int(Type::I64, -3), Val::int(Type::I1, 1), Val::Real(Real::F64(1.5))];
        memory.call("bril.print", &values, &[]);
        memory.call("bril.print", &[Val::int(Type::I32, 233), Val::Real(Real::F64(f64::INFINITY))], &[]);
        assert_eq!(memory.printed(), "-3 true 1.50000000000000000\né Infinity\n");
        assert_eq!(call(&mut memory, "other", &[], &[Type::I64]), None);
    }
}

//! Values of runs as C has them.

use std::ffi::{CStr, CString, c_char};
use std::ptr::null;

use planish::interp::Reference;
use planish::ops::{FloatFormat, Int, Real};
use planish::{End, Type, Val};

use crate::border::{Failed, for_c, refused};
use crate::names::{NONE, any_type, type_number};

/// A value of a run.
#[repr(C)]
#[derive(Clone, Copy, Debug)]
pub struct PlanishDatum {
    pub ty: u32,
    pub integer: i64,
    pub real: f64,
}

/// How a run ended.
#[repr(C)]
pub struct PlanishOutcome {
    end: u32,
    exit: u32,
    results: *const PlanishDatum,
    count: usize,
    reason: *const c_char,
    operations: u64,
}

/// What the outcome of the last run points to.
#[derive(Default)]
pub struct Ended {
    results: Vec<PlanishDatum>,
    reason: CString,
}

/// Whether an integer type has a number, read as signed or as unsigned.
pub fn fits(ty: Type, number: i64) -> bool {
    let Some(width) = ty.int_width() else { return false };
    width == 64 || (-(1i64 << (width - 1))..1i64 << width).contains(&number)
}

impl PlanishDatum {
    /// A value; what is undefined has no type.
    pub fn of(val: Val) -> PlanishDatum {
        let ty = val.ty().map_or(NONE, type_number);
        let (integer, real) = match val {
            Val::Int(int) if int.width() == 1 => (int.unsigned() as i64, 0.0),
            Val::Int(int) => (int.signed(), 0.0),
            Val::Real(real) => (0, real.to_f64()),
            Val::Ref(reference) => (i64::from(reference != Reference::Null), 0.0),
            Val::State | Val::Vector(_) | Val::Undefined => (0, 0.0),
        };
        PlanishDatum { ty, integer, real }
    }

    /// The value that this is.
    pub fn val(self) -> Result<Val, Failed> {
        let ty = any_type(self.ty)?;
        match ty {
            Type::Int(_) if !fits(ty, self.integer) => {
                refused(format!("{} does not fit in {ty}", self.integer))
            }
            Type::Ref if self.integer != 0 => refused("the only reference that can be passed is null"),
            ty => Ok(self.read(ty)),
        }
    }

    /// The value as one of a type, whatever is in there.
    pub fn read(self, ty: Type) -> Val {
        match ty {
            Type::Int(width) => Val::Int(Int::new(u32::from(width), self.integer as u64)),
            Type::Float(FloatFormat::F32) => Val::Real(Real::F32(self.real as f32)),
            Type::Float(FloatFormat::F64) => Val::Real(Real::F64(self.real)),
            Type::Ref | Type::State | Type::Vector(_) => Val::zero(ty),
        }
    }
}

impl Ended {
    /// Keeps how a run ended, and shows it; `operations` is how many were executed.
    pub fn show(&mut self, end: &End, thrown: Option<String>, operations: u64) -> PlanishOutcome {
        let (kind, exit, values, reason) = match end {
            End::Return(values) => (0, 0, &values[..], ""),
            End::Leave(exit, values) => (1, *exit, &values[..], ""),
            End::Throw(_, values) => (2, 0, &values[..], thrown.as_deref().unwrap_or("")),
            End::Trap(fault) => (3, 0, &[][..], fault.name()),
            End::Undefined(what) => (4, 0, &[][..], what.as_ref()),
            End::OutOfFuel => (5, 0, &[][..], ""),
        };
        self.results.clear();
        self.results.extend(values.iter().map(|&value| PlanishDatum::of(value)));
        self.reason = for_c(reason);
        PlanishOutcome {
            end: kind,
            exit,
            results: if self.results.is_empty() { null() } else { self.results.as_ptr() },
            count: self.results.len(),
            reason: CStr::as_ptr(&self.reason),
            operations,
        }
    }
}

//! Numbers of Python as values of the IR, and back.

use planish_interp::Val;
use planish_ir::Function;
use planish_ops::{FloatFormat, Int, Real, Type};
use pyo3::IntoPyObjectExt;
use pyo3::prelude::*;
use pyo3::types::PyTuple;

use crate::refused;

/// The arguments of a function, in the types of its parameters.
pub fn arguments(function: &Function, given: &Bound<'_, PyTuple>) -> PyResult<Vec<Val>> {
    let (params, name) = (function.params(), &function.name);
    if params.len() != given.len() {
        return Err(refused(format!("`{name}` takes {} arguments, {} are given", params.len(), given.len())));
    }
    let one = |(&param, given): (&planish_ir::Value, Bound<'_, PyAny>)| {
        let ty = function.ty(param);
        argument(ty, &given).ok_or_else(|| {
            refused(format!("`{given}` is not an argument of type {ty}, which `{name}` takes"))
        })
    };
    params.iter().zip(given.iter()).map(one).collect()
}

fn argument(ty: Type, given: &Bound<'_, PyAny>) -> Option<Val> {
    match ty {
        Type::Int(width) => {
            // Signed and unsigned readings of the width are both taken.
            let value: i128 = given.extract().ok()?;
            let (least, most) = (-(1i128 << (width - 1)), (1i128 << width) - 1);
            (least..=most).contains(&value).then(|| Val::Int(Int::new(u32::from(width), value as u64)))
        }
        Type::Float(FloatFormat::F32) => Some(Val::Real(Real::F32(given.extract().ok()?))),
        Type::Float(FloatFormat::F64) => Some(Val::Real(Real::F64(given.extract().ok()?))),
        Type::Ref => given.is_none().then(|| Val::zero(ty)),
        Type::State => given.is_none().then_some(Val::State),
        Type::Vector(_) => None,
    }
}

/// A result for Python: integers in their signed reading, those of one bit as bool; what is no number as None.
pub fn to_python(py: Python<'_>, value: Val) -> PyResult<Bound<'_, PyAny>> {
    match value {
        Val::Int(int) if int.width() == 1 => int.is_true().into_bound_py_any(py),
        Val::Int(int) => int.signed().into_bound_py_any(py),
        Val::Real(Real::F32(real)) => real.into_bound_py_any(py),
        Val::Real(Real::F64(real)) => real.into_bound_py_any(py),
        _ => Ok(py.None().into_bound(py)),
    }
}

//! Functions under construction: begun, their blocks and constants, finished.

use std::ffi::c_char;
use std::mem::MaybeUninit;

use planish::base::Id;
use planish::ir::module::Descriptor;
use planish::ir::{Form, Location, verify};
use planish::ops::Real;
use planish::{Builder, Const, Type, Value};

use super::datum::fits;
use super::handle::{Begun, Note, PlanishModule, Slot, named, no_function};
use crate::border::{Failed, Out, Status, array, place, refused, room, text, with};
use crate::names::{any_type, type_number};

/// The number of a value.
pub fn number(value: Value) -> u32 {
    value.index() as u32
}

fn types(numbers: &[u32]) -> Result<Vec<Type>, Failed> {
    numbers.iter().map(|&ty| any_type(ty)).collect()
}

/// Begins a function, with its entry.
#[unsafe(no_mangle)]
pub extern "C" fn planish_function_new(
    module: Option<&mut PlanishModule>,
    name: *const c_char,
    params: *const u32,
    param_count: usize,
    results: *const u32,
    result_count: usize,
    values: *mut u32,
    function: Out<'_, u32>,
) -> Status {
    with(module, |m| {
        let name = named(text(name, "name")?)?;
        let params = types(array(params, param_count, "params")?)?;
        let results = types(array(results, result_count, "results")?)?;
        let (values, function) = (room(values, param_count, "values")?, place(function, "function")?);
        let (count, is_taken) = (m.functions.len() as u32, m.names.contains_key(name));
        let is_callee = |descr| matches!(m.module.descriptors.get(descr), Descriptor::Callee(_));
        if is_taken || m.module.descriptors.lookup(name).is_some_and(|descr| !is_callee(descr)) {
            return refused(format!("`{name}` already stands for something else in the module"));
        }
        let mut builder = Builder::new(name, &results);
        let block = builder.block("entry");
        builder.at(block);
        for (place, ty) in values.iter_mut().zip(params) {
            place.write(number(builder.param(block, ty)));
        }
        m.functions.push(Slot::Begun(Box::new(Begun { builder, ended: vec![false], block })));
        m.names.insert(name.to_owned(), count);
        m.at = Some(count);
        function.write(count);
        Ok(())
    })
}

/// Goes on with a function that is not finished.
#[unsafe(no_mangle)]
pub extern "C" fn planish_function_resume(module: Option<&mut PlanishModule>, function: u32) -> Status {
    with(module, |m| match m.functions.get(function as usize) {
        Some(Slot::Begun(_)) => {
            m.at = Some(function);
            Ok(())
        }
        Some(Slot::Whole(_)) => refused("the function is finished already"),
        Some(Slot::GivenUp) | None => Err(no_function(function)),
    })
}

/// Finishes the function at hand, which becomes one of the module.
#[unsafe(no_mangle)]
pub extern "C" fn planish_function_finish(module: Option<&mut PlanishModule>) -> Status {
    with(module, |m| {
        m.errors.clear();
        let (begun, module) = m.building()?;
        let f = begun.builder.function();
        let mut open = f.blocks().iter().filter(|block| !begun.ended[block.index()]);
        let mut errors: Vec<Note> =
            open.by_ref().map(|&block| Note::new(&format!("{} has no end", begun.called(block)))).collect();
        if errors.is_empty() {
            let found = verify(f, Form::Cfg);
            errors.extend(found.iter().map(|violation| Note::new(&violation.show(module, f))));
        }
        if !errors.is_empty() {
            return Err(m.fail(Status::Invalid, errors));
        }
        let f = std::mem::take(begun).builder.finish();
        let id = module.functions.push(f);
        m.end(Slot::Whole(id));
        Ok(())
    })
}

/// Gives up the function at hand.
#[unsafe(no_mangle)]
pub extern "C" fn planish_function_give_up(module: Option<&mut PlanishModule>) -> Status {
    with(module, |m| {
        let name = m.building()?.0.builder.function().name.clone();
        m.names.remove(&name);
        m.end(Slot::GivenUp);
        Ok(())
    })
}

impl PlanishModule {
    /// Puts what became of the function at hand in its place.
    fn end(&mut self, slot: Slot) {
        if let Some(at) = self.at.take() {
            self.functions[at as usize] = slot;
        }
    }
}

impl Default for Begun {
    fn default() -> Self {
        Begun { builder: Builder::new("", &[]), ended: Vec::new(), block: planish::Block::from_index(0) }
    }
}

/// Appends a block with parameters to the function at hand. Operations go where they went before.
#[unsafe(no_mangle)]
pub extern "C" fn planish_block_new(
    module: Option<&mut PlanishModule>,
    name: *const c_char,
    params: *const u32,
    count: usize,
    values: *mut u32,
    block: Out<'_, u32>,
) -> Status {
    with(module, |m| {
        let name = if name.is_null() { "" } else { named(text(name, "name")?)? };
        let params = types(array(params, count, "params")?)?;
        let (values, block) = (room(values, count, "values")?, place(block, "block")?);
        let (begun, _) = m.building()?;
        let made = begun.builder.block(name);
        begun.ended.push(false);
        for (place, ty) in values.iter_mut().zip(params) {
            place.write(number(begun.builder.param(made, ty)));
        }
        block.write(made.index() as u32);
        Ok(())
    })
}

/// Operations go to the end of this block from here on.
#[unsafe(no_mangle)]
pub extern "C" fn planish_block_at(module: Option<&mut PlanishModule>, block: u32) -> Status {
    with(module, |m| {
        let (begun, _) = m.building()?;
        begun.block = begun.block(block)?;
        begun.builder.at(begun.block);
        Ok(())
    })
}

/// Operations that are built from here on stand at this line of the source.
#[unsafe(no_mangle)]
pub extern "C" fn planish_line_at(module: Option<&mut PlanishModule>, line: u32) -> Status {
    with(module, |m| {
        m.building()?.0.builder.locate(Location(line));
        Ok(())
    })
}

/// Gives a constant of the function at hand.
fn constant(
    m: &mut PlanishModule,
    value: &mut MaybeUninit<u32>,
    constant: impl Into<Const>,
) -> Result<(), Failed> {
    value.write(number(m.building()?.0.builder.constant(constant)));
    Ok(())
}

/// An integer constant.
#[unsafe(no_mangle)]
pub extern "C" fn planish_const_int(
    module: Option<&mut PlanishModule>,
    ty: u32,
    number: i64,
    value: Out<'_, u32>,
) -> Status {
    with(module, |m| {
        let (value, ty) = (place(value, "value")?, any_type(ty)?);
        match ty.int_width() {
            None => refused(format!("{ty} is no type of integers")),
            Some(_) if !fits(ty, number) => refused(format!("{number} does not fit in {ty}")),
            Some(width) => constant(m, value, planish::ops::Int::new(width, number as u64)),
        }
    })
}

/// A float constant.
#[unsafe(no_mangle)]
pub extern "C" fn planish_const_real(
    module: Option<&mut PlanishModule>,
    ty: u32,
    number: f64,
    value: Out<'_, u32>,
) -> Status {
    with(module, |m| {
        let value = place(value, "value")?;
        match any_type(ty)? {
            Type::F32 => constant(m, value, Real::F32(number as f32)),
            Type::F64 => constant(m, value, Real::F64(number)),
            ty => refused(format!("{ty} is no type of floats")),
        }
    })
}

/// The null reference.
#[unsafe(no_mangle)]
pub extern "C" fn planish_const_null(module: Option<&mut PlanishModule>, value: Out<'_, u32>) -> Status {
    with(module, |m| {
        let value = place(value, "value")?;
        constant(m, value, Const::Null)
    })
}

/// A reference to a function of the module.
#[unsafe(no_mangle)]
pub extern "C" fn planish_const_function(
    module: Option<&mut PlanishModule>,
    function: u32,
    value: Out<'_, u32>,
) -> Status {
    with(module, |m| {
        let value = place(value, "value")?;
        let name = m.any_function(function)?.name.clone();
        m.building()?;
        let symbol = m.module.symbol(&name);
        constant(m, value, Const::Symbol(symbol, Type::Ref))
    })
}

/// The type of a value of the function at hand.
#[unsafe(no_mangle)]
pub extern "C" fn planish_value_type(
    module: Option<&mut PlanishModule>,
    value: u32,
    ty: Out<'_, u32>,
) -> Status {
    with(module, |m| {
        let ty = place(ty, "ty")?;
        let (begun, _) = m.building()?;
        ty.write(type_number(begun.builder.function().ty(begun.value(value)?)));
        Ok(())
    })
}

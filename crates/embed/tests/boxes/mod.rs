//! A loop over boxes that several tests record, here and in the library for C.

use planish_trace::{
    Array, CallEffect, Callee, Class, Field, Mutability, Op, Recorder, Refused, Trace, Type, Words,
};

/// What the traces are about.
#[derive(Clone, Copy)]
pub struct Heap {
    pub class: Class,
    pub value: Field,
    pub next: Field,
    pub fixed: Field,
    pub items: Array,
    pub print: Callee,
    pub hash: Callee,
}

/// Says it in new words.
pub fn heap(words: &mut Words) -> Result<Heap, Refused> {
    Ok(Heap {
        class: words.class("Box")?,
        value: words.field("Box.value", Type::I64, Mutability::Mutable)?,
        next: words.field("Box.next", Type::Ref, Mutability::Mutable)?,
        fixed: words.field("Box.fixed", Type::I64, Mutability::Immutable)?,
        items: words.array("Items", Type::I64)?,
        print: words.callee("print", CallEffect::unknown())?,
        hash: words.callee("hash", CallEffect::pure())?,
    })
}

/// A loop with objects that nothing needs, that only exits need and that a call needs, with loads, stores, calls that
/// are made once, guards of all kinds and arithmetic that rules rewrite; so much of it in each of several rounds.
pub fn record(r: &mut Recorder, heap: Heap, rounds: u32) -> Result<Trace, Refused> {
    let inputs: [_; 3] =
        r.begin("boxes", &[Type::I64, Type::Ref, Type::Ref])?.try_into().expect("three values");
    let before = r.get(heap.value, inputs[1])?;
    let start = r.op(Op::Add, &[inputs[0], before])?;
    let [mut x, mut object, array]: [_; 3] =
        r.begin_loop(&[start, inputs[1], inputs[2]])?.try_into().expect("three values");
    let (zero, one, eight) = (r.int(0), r.int(1), r.int(8));
    for round in 0..rounds {
        let class = r.class(heap.class);
        r.guard(Op::GuardNonnullClass, &[object, class], 10 * round, &[x, object])?;
        let fixed = r.get(heap.fixed, object)?;
        let product = r.op(Op::Mul, &[fixed, eight])?;
        let rest = r.op(Op::And, &[product, one])?;
        let sum = r.op(Op::Add, &[x, rest])?;
        let kept = r.new_object(heap.class)?;
        r.set(heap.value, kept, sum)?;
        r.set(heap.next, kept, object)?;
        let read = r.get(heap.value, kept)?;
        let (next, overflows) = r.overflowing(Op::AddOvf, &[read, one])?;
        r.guard(Op::GuardFalse, &[overflows], 10 * round + 1, &[kept, next])?;
        r.set(heap.next, object, kept)?;
        r.guard(Op::GuardTrue, &[next], 10 * round + 2, &[kept, object, x])?;
        r.set(heap.value, object, next)?;
        let again = r.get(heap.value, object)?;
        let item = r.get_item(heap.items, array, zero)?;
        let other = r.get_item(heap.items, array, item)?;
        r.set_item(heap.items, array, one, other)?;
        let length = r.array_len(heap.items, array)?;
        let less = r.op(Op::Lt, &[again, length])?;
        r.guard(Op::GuardTrue, &[less], 10 * round + 3, &[kept, again])?;
        let (first, second) =
            (r.call(heap.hash, &[again], Some(Type::I64))?, r.call(heap.hash, &[again], Some(Type::I64))?);
        let (Some(first), Some(second)) = (first, second) else { unreachable!("the calls have results") };
        let same = r.op(Op::Eq, &[first, second])?;
        r.guard(Op::GuardTrue, &[same], 10 * round + 4, &[kept])?;
        r.call(heap.print, &[kept, first], None)?;
        (x, object) = (again, kept);
    }
    r.close_loop(&[x, object, array])
}

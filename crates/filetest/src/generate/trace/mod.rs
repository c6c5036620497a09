//! Random traces, as the text that PyPy's tests are written in, with the declarations that they stand under.
//!
//! Functions made from the table of operations know memory and guards only as the table does. What PyPy's traces have
//! besides (strings, memory outside of the heap, arrays of structures, virtual references, calls of known meaning and
//! known results, hints) means something only where operations fit each other: an index is within its string, a
//! string is there, what is freed is not read. So a draft remembers of each name what it stands for, and
//! writes the guards that a recorded trace would have. That goes through reading, lifting and writing as well.

mod calls;
mod draft;
mod entered;
mod left;
mod numbers;
mod objects;
mod outside;
mod steps;
mod strings;
mod unnamed;
mod vocabulary;

use arbitrary::{Result, Unstructured};

use self::draft::{Draft, Kind};
use self::steps::{inputs, some_steps, steps};

/// What a random trace is.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Shape {
    /// A straight line that ends.
    Line,
    /// A loop, which is peeled.
    Loop,
    /// Several loops and a bridge that ends where they begin.
    Bridge,
    /// Traces that go on at labels of each other.
    Entered,
    /// Traces with jumps that name no label.
    Unnamed,
    /// Traces whose guards are left for bridges.
    Left,
}

impl Shape {
    /// Every shape with its name.
    pub const ALL: [(&'static str, Shape); 6] = [
        ("line", Shape::Line),
        ("loop", Shape::Loop),
        ("bridge", Shape::Bridge),
        ("entered", Shape::Entered),
        ("unnamed", Shape::Unnamed),
        ("left", Shape::Left),
    ];
}

/// A random trace, with its header.
pub fn text(u: &mut Unstructured<'_>, shape: Shape) -> Result<String> {
    let mut text = String::from(match shape {
        Shape::Line | Shape::Entered | Shape::Unnamed | Shape::Left => "",
        Shape::Loop => "#! mode unroll\n",
        Shape::Bridge => "#! mode bridge\n",
    });
    text.push_str(vocabulary::HEADER);
    match shape {
        Shape::Entered => return Ok(text + &entered::traces(u)?),
        Shape::Unnamed => return Ok(text + &unnamed::traces(u)?),
        Shape::Left => return Ok(text + &left::traces(u)?),
        Shape::Line | Shape::Loop | Shape::Bridge => {}
    }
    let inputs = inputs(u)?;
    match shape {
        Shape::Line => text.push_str(&line(u, &inputs)?),
        Shape::Loop => text.push_str(&ending_in_jump(u, &inputs, &inputs)?),
        Shape::Entered | Shape::Unnamed | Shape::Left => unreachable!("they are made above"),
        Shape::Bridge => {
            for number in 0..1 + u.int_in_range(0..=1)? {
                text.push_str(&format!("#! section loop {number}\n"));
                text.push_str(&match u.int_in_range(0..=3)? {
                    0 => with_a_label(u, &inputs)?,
                    _ => ending_in_jump(u, &inputs, &inputs)?,
                });
            }
            text.push_str("#! section bridge\n");
            // Whoever runs a bridge alone goes round in it, so it takes what it hands on.
            text.push_str(&ending_in_jump(u, &inputs, &inputs)?);
        }
    }
    Ok(text)
}

/// The trace of a seed.
pub fn from_seed(seed: u64, shape: Shape) -> String {
    let bytes = super::bytes(seed, 3000);
    text(&mut Unstructured::new(&bytes), shape).expect("bytes that run out read as zero")
}

/// A trace that ends with some of what it made.
fn line(u: &mut Unstructured<'_>, inputs: &[Kind]) -> Result<String> {
    let mut draft = Draft::new(u, inputs);
    steps(&mut draft)?;
    finished(draft)
}

/// A trace with a label to which nothing goes, and which is not its beginning: a bridge that comes to it comes to its inputs.
fn with_a_label(u: &mut Unstructured<'_>, inputs: &[Kind]) -> Result<String> {
    let mut draft = Draft::new(u, inputs);
    some_steps(&mut draft, 2)?;
    unnamed::label(&mut draft, None)?;
    some_steps(&mut draft, 8)?;
    finished(draft)
}

/// Ends a trace with some of what it made.
fn finished(mut draft: Draft<'_, '_>) -> Result<String> {
    let mut results = Vec::new();
    for _ in 0..draft.below(4)? {
        results.push(draft.u.choose(&draft.names)?.name.clone());
    }
    draft.line(format!("finish({})", results.join(", ")));
    Ok(draft.lines.join("\n") + "\n")
}

/// A trace that ends by going where values of some kinds are wanted.
fn ending_in_jump(u: &mut Unstructured<'_>, inputs: &[Kind], to: &[Kind]) -> Result<String> {
    let mut draft = Draft::new(u, inputs);
    steps(&mut draft)?;
    let mut args = Vec::with_capacity(to.len());
    for (position, &kind) in to.iter().enumerate() {
        // Much of a loop does not change.
        let same = inputs.get(position) == Some(&kind) && draft.once_in(2)?;
        args.push(match same {
            true => draft.names[position].name.clone(),
            false => draft.operand(kind)?,
        });
    }
    draft.line("guard_future_condition()".to_owned());
    draft.line(format!("jump({})", args.join(", ")));
    Ok(draft.lines.join("\n") + "\n")
}

//! Line numbers of methods that move to another class (R8 gives all lines numbers of their own; here those do that stand in a
//! class beside lines of another source file).
//!
//! A stack trace names a class, a method and a line. Where classes became one, constructors of both have one name, so may
//! methods, and their lines are of two source files. So each line of a method that moved gets a [number](Origins) that
//! no other line of its new class has, and the mapping says of which method and line it is.

use std::collections::BTreeMap;

use planish_base::Id;
use planish_classfile::Code;
use planish_classfile::code::CodeBody;
use planish_jvm_ir::code::body;
use planish_jvm_ir::lower::lines;
use planish_jvm_model::program::{Class, Method, Program};

use crate::bodies::last_line;
use crate::transform::inline::origins::{ClassOrigins, Origins};

/// By method that moves the number of each of its lines; nothing where there were no more numbers.
type Numbers = BTreeMap<Method, Option<BTreeMap<u16, u16>>>;

/// The lines of methods that move.
#[derive(Default)]
pub(super) struct Lines {
    numbers: Numbers,
    /// What numbers stand for in classes that others become a part of.
    pub origins: Vec<(Box<[u8]>, ClassOrigins)>,
}

impl Lines {
    /// Gives numbers to the lines of all methods of classes that become a part of another, as far as they stay. O(their
    /// instructions).
    pub fn of(
        program: &Program<'_>,
        groups: &BTreeMap<Class, Vec<Class>>,
        goes: &[bool],
        known: &Origins,
    ) -> Lines {
        let mut all = Lines::default();
        for (&target, sources) in groups {
            let name = program.name(target);
            let last = last_line(&program.classes[target].file).unwrap_or(u16::MAX);
            let mut own = known.of(name).cloned().unwrap_or_else(|| ClassOrigins::behind(last));
            let methods = sources.iter().flat_map(|&class| &program.classes[class].methods);
            for &method in methods.filter(|method| !goes[method.index()]) {
                all.numbers.insert(method, numbers(program, method, known, &mut own));
            }
            all.origins.push((name.into(), own));
        }
        all
    }

    /// Whether a method moves, and its lines have other numbers then.
    pub fn has(&self, method: Method) -> bool {
        self.numbers.contains_key(&method)
    }

    /// Gives the lines of a body their numbers. Where there are none, the body has no lines any more. Whether there is
    /// something new.
    pub fn renumber(&self, method: Method, code: &mut Code) -> bool {
        let Some(numbers) = self.numbers.get(&method) else { return false };
        let before = code.attributes.len();
        code.attributes.retain_mut(|attribute| match &mut attribute.body {
            CodeBody::Lines(lines) => numbers.as_ref().is_some_and(|numbers| {
                lines.iter_mut().for_each(|line| line.line = numbers.get(&line.line).copied().unwrap_or(0));
                true
            }),
            _ => true,
        });
        before > code.attributes.len() || numbers.as_ref().is_some_and(|numbers| !numbers.is_empty())
    }
}

/// The numbers of the lines of a method, in the class where it will stand.
fn numbers(
    program: &Program<'_>,
    method: Method,
    known: &Origins,
    own: &mut ClassOrigins,
) -> Option<BTreeMap<u16, u16>> {
    let Some(code) = body(program, method) else { return Some(BTreeMap::new()) };
    let info = &program.methods[method];
    let class = program.name(info.class);
    let full_name = [class, b".", program.text(info.selector)].concat();
    let mut numbers: BTreeMap<u16, u16> = BTreeMap::new();
    for line in lines(&code).into_iter().flatten() {
        numbers.entry(line).or_default();
    }
    for (line, number) in &mut numbers {
        let frames = match known.of(class) {
            Some(theirs) => theirs.of(&full_name, *line),
            None => vec![(full_name.clone().into(), *line)],
        };
        *number = own.fresh(frames)?;
    }
    Some(numbers)
}

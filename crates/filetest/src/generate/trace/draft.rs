//! A trace that is being written: its lines, and the names that may be used.

use arbitrary::{Result, Unstructured};

/// What a name stands for. Traces know integers, floats and references only; whoever writes one that means something
/// knows more.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum Kind {
    Int,
    Float,
    /// An object of one of the two classes.
    Node,
    /// An array of integers.
    Ints,
    /// An array of nodes.
    Refs,
    /// An array of structures.
    Pairs,
    /// A string of bytes.
    Bytes,
    /// A string of Unicode characters.
    Codes,
    /// The address of memory outside of the heap that the trace allocated.
    Memory,
}

impl Kind {
    /// The letter that names begin with.
    pub fn letter(self) -> char {
        match self {
            Kind::Int | Kind::Memory => 'i',
            Kind::Float => 'f',
            _ => 'p',
        }
    }
}

/// A name and what is known of it.
#[derive(Clone, PartialEq, Eq, Debug)]
pub(super) struct Named {
    pub name: String,
    pub kind: Kind,
    /// Whether it surely is no null reference.
    pub there: bool,
    /// It has at least so many items, characters or bytes.
    pub least: u32,
    /// Its class, where the trace made it.
    pub class: Option<&'static str>,
    /// Whether it is made of constants alone, so that a guard on it is decided.
    pub decided: bool,
    /// The piece of memory that it is an address within.
    pub within: Option<String>,
}

/// Lines, names, and choices still to be made.
pub(super) struct Draft<'u, 'd> {
    pub u: &'u mut Unstructured<'d>,
    pub lines: Vec<String>,
    pub names: Vec<Named>,
    /// Every name that was ever given, with its kind.
    pub given: Vec<(String, Kind)>,
    /// Whether every guard says what it keeps.
    pub lists_all: bool,
    next: u32,
}

impl<'u, 'd> Draft<'u, 'd> {
    /// A trace whose inputs are of some kinds, numbered from 0.
    pub fn new(u: &'u mut Unstructured<'d>, inputs: &[Kind]) -> Self {
        let mut draft =
            Draft { u, lines: Vec::new(), names: Vec::new(), given: Vec::new(), lists_all: true, next: 0 };
        let names: Vec<String> = inputs.iter().map(|&kind| draft.name(kind).name).collect();
        draft.lines.push(format!("[{}]", names.join(", ")));
        draft
    }

    /// A new name, of which nothing is known.
    fn name(&mut self, kind: Kind) -> Named {
        let name = format!("{}{}", kind.letter(), self.next);
        self.next += 1;
        let named = Named { name, kind, there: false, least: 0, class: None, decided: false, within: None };
        self.names.push(named.clone());
        self.given.push((named.name.clone(), kind));
        named
    }

    /// Forgets all names but some, in their order, and what is known of these: whoever comes from elsewhere hands over what
    /// he has.
    pub fn keep_only(&mut self, names: &[String]) {
        let known = std::mem::take(&mut self.names);
        for name in names {
            let named = known.iter().find(|named| named.name == *name).expect("a name of this trace");
            let (name, kind) = (name.clone(), named.kind);
            self.names.push(Named {
                name,
                kind,
                there: false,
                least: 0,
                class: None,
                decided: false,
                within: None,
            });
        }
    }

    /// A line without a result.
    pub fn line(&mut self, text: String) {
        self.lines.push(text);
    }

    /// A line with a result of some kind; its name.
    pub fn result(&mut self, kind: Kind, operation: &str) -> String {
        let computes =
            ["int_", "uint_", "float_", "same_as", "cast_"].iter().any(|p| operation.starts_with(p));
        let open = |word: &str| self.names.iter().any(|named| named.name == word && !named.decided);
        let decided = computes && !operation.split(['(', ')', ',', ' ']).any(open);
        let named = self.name(kind);
        self.lines.push(format!("{} = {operation}", named.name));
        self.known(&named.name).decided = decided;
        named.name
    }

    /// A line whose result is no null reference and has at least so many parts.
    pub fn made(&mut self, kind: Kind, least: u32, operation: &str) -> String {
        let name = self.result(kind, operation);
        let known = self.known(&name);
        (known.there, known.least) = (true, least);
        name
    }

    /// What is known of a name.
    pub fn known(&mut self, name: &str) -> &mut Named {
        self.names.iter_mut().find(|named| named.name == name).expect("a name of this trace")
    }

    /// Whether something happens that happens once in so many times.
    pub fn once_in(&mut self, times: u32) -> Result<bool> {
        self.u.ratio(1, times)
    }

    /// A number from 0 to below a bound.
    pub fn below(&mut self, bound: u32) -> Result<u32> {
        self.u.int_in_range(0..=bound.saturating_sub(1))
    }

    /// One of several.
    pub fn one_of<T: Copy>(&mut self, list: &[T]) -> Result<T> {
        self.u.choose(list).copied()
    }

    /// A name of a kind that was given before and of which something holds, a late one rather than an early one.
    pub fn some(&mut self, kind: Kind, holds: impl Fn(&Named) -> bool) -> Result<Option<Named>> {
        let found: Vec<usize> =
            (0..self.names.len()).filter(|&i| self.names[i].kind == kind && holds(&self.names[i])).collect();
        if found.is_empty() {
            return Ok(None);
        }
        let late = if self.u.ratio(2, 3)? { found.len().saturating_sub(5) } else { 0 };
        let at = *self.u.choose(&found[late..])?;
        Ok(Some(self.names[at].clone()))
    }

    /// An operand of a kind: a name or a constant.
    pub fn operand(&mut self, kind: Kind) -> Result<String> {
        if !self.once_in(5)?
            && let Some(named) = self.some(kind, |_| true)?
        {
            return Ok(named.name);
        }
        self.constant(kind)
    }

    /// A constant of a kind.
    pub fn constant(&mut self, kind: Kind) -> Result<String> {
        Ok(match kind {
            Kind::Int | Kind::Memory => self.number()?,
            Kind::Float => self.one_of(&["0.0", "1.0", "-1.0", "2.5", "-0.5", "4.0"])?.to_owned(),
            Kind::Node => self.one_of(&["NULL", "ConstPtr(here)", "ConstPtr(there)"])?.to_owned(),
            Kind::Ints | Kind::Refs | Kind::Pairs => "NULL".to_owned(),
            Kind::Bytes => self.one_of(&["s\"\"", "s\"a\"", "s\"ab\"", "s\"hello\"", "NULL"])?.to_owned(),
            Kind::Codes => self.one_of(&["u\"\"", "u\"a\"", "u\"ab\"", "u\"hello\"", "NULL"])?.to_owned(),
        })
    }

    /// An integer, a small one rather than a large one.
    pub fn number(&mut self) -> Result<String> {
        let number = match self.below(8)? {
            0 => i64::from(self.below(3)?) - 1,
            1..=4 => i64::from(self.below(20)?) - 4,
            5 => 1 << self.below(63)?,
            6 => self.one_of(&[i64::MAX, i64::MIN, i64::MAX - 1, i64::MIN + 1, 255, 256, 127])?,
            _ => i64::from(self.below(1000)?),
        };
        Ok(number.to_string())
    }

    /// A guard; it keeps some of what there is.
    pub fn guard(&mut self, operation: &str) -> Result<()> {
        if !self.lists_all && self.once_in(2)? {
            self.line(operation.to_owned());
            return Ok(());
        }
        let mut kept = Vec::new();
        let most = if self.names.is_empty() { 0 } else { self.below(5)? };
        for _ in 0..most {
            if self.once_in(12)? {
                kept.push("None".to_owned());
                continue;
            }
            let named = self.u.choose(&self.names)?.name.clone();
            if !kept.contains(&named) {
                kept.push(named);
            }
        }
        self.line(format!("{operation} [{}]", kept.join(", ")));
        Ok(())
    }

    /// Sees to it that a reference is there before it is looked into, mostly.
    pub fn there(&mut self, named: &Named) -> Result<()> {
        if !named.there && !self.once_in(8)? {
            self.guard(&format!("guard_nonnull({})", named.name))?;
        }
        self.known(&named.name).there = true;
        Ok(())
    }
}

//! The classes of a program by name, and what was chosen of what each family of them does.

use arbitrary::{Result, Unstructured};
use planish_classfile::Opcode;
use planish_classfile::builder::CodeBuilder;

use super::assemble::Pool;
use super::platform::{ARITHMETIC, ERROR, EXCEPTION, OBJECT, OF_PLATFORM, RUNTIME, THROWABLE};

/// The names of the classes of a program.
pub(super) struct Names {
    pub t: Vec<u8>,
    pub a: Vec<u8>,
    pub b: Vec<u8>,
    pub i: Vec<u8>,
    pub receivers: Receivers,
    pub recursion: Recursion,
    pub arrays: Arrays,
    pub exceptions: Exceptions,
    pub functions: Functions,
}

/// The descriptor of a class.
pub(super) fn a_descriptor(class: &[u8]) -> String {
    format!("L{};", String::from_utf8_lossy(class))
}

/// The classes of a program whose objects are asked.
pub(super) struct Receivers {
    /// From above to below.
    pub classes: [Vec<u8>; 3],
    /// Whether everybody sees the method of the first.
    pub is_public: bool,
}

impl Receivers {
    /// Classes of a package, of which the second, the third or both are in another one.
    pub fn new(u: &mut Unstructured<'_>, package: &str) -> Result<Self> {
        let places = *u.choose(&[["", "/x", ""], ["", "", "/x"], ["", "/x", "/x"]])?;
        let name = |place: &str, class: &str| format!("{package}{place}/{class}").into_bytes();
        let classes = [name(places[0], "K"), name(places[1], "L"), name(places[2], "N")];
        Ok(Receivers { classes, is_public: u.ratio(1, 3)? })
    }

    /// The class above each.
    pub fn above(&self, place: usize) -> &[u8] {
        place.checked_sub(1).map_or(OBJECT, |above| &self.classes[above])
    }

    pub fn descriptor(&self, rest: &str) -> String {
        rest.replace('K', &format!("L{};", String::from_utf8_lossy(&self.classes[0])))
    }
}

/// How all calls of the method are that calls itself.
pub(super) struct Recursion {
    /// Nobody needs the result.
    pub drops_result: bool,
    /// What all give for the second argument.
    pub second: Option<i8>,
}

impl Recursion {
    /// Of one program.
    pub fn new(u: &mut Unstructured<'_>) -> Result<Self> {
        let second = if u.arbitrary()? { Some(u.arbitrary()?) } else { None };
        Ok(Recursion { drops_result: u.arbitrary()?, second })
    }
}

/// How many kinds of statements there are.
pub(super) const KINDS: usize = 16;

/// What a program does with arrays.
pub(super) struct Arrays {
    pub class: Vec<u8>,
    /// Which kinds of statements it has.
    pub does: [bool; KINDS],
    /// What it stores into arrays of numbers, if that is always the same.
    pub stores: Option<i8>,
    /// What the methods that get an array store into it.
    pub touches: [Option<i8>; 3],
}

impl Arrays {
    /// Of one program.
    pub fn new(u: &mut Unstructured<'_>, package: &str) -> Result<Self> {
        let mut does = [false; KINDS];
        for kind in &mut does {
            *kind = u.ratio(1, 3)?;
        }
        let mut number = || if u.arbitrary()? { Ok(Some(u.int_in_range(0..=3)?)) } else { Ok(None) };
        let (stores, touches) = (number()?, [number()?, number()?, number()?]);
        Ok(Arrays { class: format!("{package}/Tables").into_bytes(), does, stores, touches })
    }

    /// The name of the class that has the arrays.
    pub fn class(&self) -> &Vec<u8> {
        &self.class
    }

    /// The descriptor of arrays of objects.
    pub fn objects(names: &Names) -> String {
        format!("[{}", a_descriptor(&names.a))
    }
}

/// How many classes of exceptions a program has, and how many static methods that throw.
pub(super) const CLASSES: usize = 4;
pub(super) const THROWERS: usize = 4;

/// How many ways there are in which an exception can arise.
pub(super) const WAYS: usize = 8;

/// The exceptions of a program.
pub(super) struct Exceptions {
    pub classes: [Vec<u8>; CLASSES],
    pub above: [Vec<u8>; CLASSES],
    pub throwers: Vec<u8>,
    pub start: Vec<u8>,
    /// Which ways to throw the program has.
    pub ways: Vec<usize>,
    /// Which of its classes it throws.
    pub thrown: Vec<usize>,
}

impl Exceptions {
    /// Of one program.
    pub fn new(u: &mut Unstructured<'_>, package: &str) -> Result<Self> {
        let name = |class: &str| format!("{package}/{class}").into_bytes();
        let classes = [name("E0"), name("E1"), name("E2"), name("E3")];
        let mut root =
            || Ok(u.choose(&[RUNTIME, RUNTIME, EXCEPTION, THROWABLE, ERROR, ARITHMETIC])?.to_vec());
        let (first, last) = (root()?, root()?);
        let second = classes[usize::from(u.arbitrary::<bool>()?)].clone();
        let above = [first, classes[0].clone(), second, last];
        let mut some = |most: usize| {
            let mut chosen = Vec::new();
            for number in 0..most {
                if u.ratio(1, 2)? {
                    chosen.push(number);
                }
            }
            Ok(chosen)
        };
        let (ways, thrown) = (some(WAYS)?, some(CLASSES)?);
        Ok(Exceptions { classes, above, throwers: name("Throwers"), start: name("Start"), ways, thrown })
    }

    /// The classes of the program that are exceptions, each with the one above it.
    pub fn classes(&self) -> impl Iterator<Item = (&Vec<u8>, &[u8])> {
        self.classes.iter().zip(self.above.iter().map(Vec::as_slice))
    }

    /// The names of the other classes.
    pub fn others(&self) -> [&Vec<u8>; 2] {
        [&self.throwers, &self.start]
    }

    /// A class that a handler is for, or nothing if it is for all.
    pub fn caught(&self, u: &mut Unstructured<'_>) -> Result<Option<&[u8]>> {
        Ok(match u.int_in_range(0..=9)? {
            0..=4 => Some(u.choose(&self.classes)?),
            5..=8 => Some(u.choose(&OF_PLATFORM)?),
            _ => None,
        })
    }
}

/// The method of `F`, and that of `M`.
pub(super) const CALL: (&str, &str) = ("f", "(I)I");

/// The classes of a program that have to do with functions.
pub(super) struct Functions {
    pub f: Vec<u8>,
    pub m: Vec<u8>,
    pub h: Vec<u8>,
    pub own: Vec<u8>,
    pub lambdas: Vec<u8>,
    /// What each method that lambdas call has captured, as in a descriptor.
    pub captures: [String; LEAVES],
}

/// How many methods there are that lambdas call.
pub(super) const LEAVES: usize = 7;

impl Functions {
    /// Of one program.
    pub fn new(package: &str, a: &[u8]) -> Self {
        let name = |class: &str| format!("{package}/{class}").into_bytes();
        let (object, f) = (a_descriptor(a), a_descriptor(&name("F")));
        let captures = ["", "I", "J", &object, "[I", &f, &format!("DJ{object}[I")].map(str::to_owned);
        Functions {
            f: name("F"),
            m: name("M"),
            h: name("H"),
            own: name("Own"),
            lambdas: name("Lambdas"),
            captures,
        }
    }

    /// The interfaces of the program.
    pub fn interfaces(&self) -> [&Vec<u8>; 3] {
        [&self.f, &self.m, &self.h]
    }

    /// Its other classes.
    pub fn others(&self) -> [&Vec<u8>; 2] {
        [&self.own, &self.lambdas]
    }

    /// A descriptor in which `F` and `M` stand for the interfaces.
    pub fn descriptor(&self, text: &str) -> String {
        let mut descriptor = String::new();
        for letter in text.chars() {
            match letter {
                'F' => descriptor += &a_descriptor(&self.f),
                'M' => descriptor += &a_descriptor(&self.m),
                other => descriptor.push(other),
            }
        }
        descriptor
    }

    /// The name and descriptor of the method that lambdas of a number call.
    pub fn leaf(&self, number: usize) -> (String, String) {
        (format!("l{number}"), format!("({}I)I", self.captures[number]))
    }

    /// `F` and its method.
    pub fn call(&self) -> [&[u8]; 3] {
        [&self.f, CALL.0.as_bytes(), CALL.1.as_bytes()]
    }

    /// Appends a call of a method of `F` on what is on the stack.
    pub fn invoke(&self, code: &mut CodeBuilder, pool: &mut Pool) {
        code.call(Opcode::Invokeinterface, self.call(), pool).expect("room");
    }

    /// Appends a call of a static method of `Lambdas`, with a descriptor as above.
    pub fn helper(&self, name: &str, descriptor: &str, code: &mut CodeBuilder, pool: &mut Pool) {
        let descriptor = self.descriptor(descriptor);
        let method = [&self.lambdas[..], name.as_bytes(), descriptor.as_bytes()];
        code.call(Opcode::Invokestatic, method, pool).expect("room");
    }
}

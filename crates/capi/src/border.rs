//! The border: what comes from C and what goes there.
//!
//! A function asks for all that it was given before it does anything: what is refused changes nothing. A handle keeps what
//! was said of it last, and whether a mistake of ours broke it.

use std::ffi::{CStr, CString, c_char};
use std::fmt;
use std::mem::MaybeUninit;
use std::panic::{AssertUnwindSafe, catch_unwind};

use planish_base::Id;
use planish_trace::{Refused, Value};

/// How a function ended.
#[repr(u32)]
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Status {
    /// Well.
    Ok = 0,
    /// What was asked for does not fit; nothing was changed. The handle's error says why.
    Refused = 1,
    /// The trace can never run to its end, and is over.
    InvalidLoop = 2,
    /// A pointer is null that must not be.
    Null = 3,
    /// A string is not UTF-8.
    Text = 4,
    /// No such word was described.
    NoSuchWord = 5,
    /// The trace or function at hand has no such value or block.
    NoSuchValue = 6,
    /// There is no such operation, type, pass, rule or function.
    NoSuchName = 7,
    /// There is nothing more.
    End = 8,
    /// A mistake of the library. The handle does nothing more.
    Broken = 9,
    /// A text cannot be read. The errors of the module say where and why.
    Unreadable = 10,
    /// A function or module is not valid. The errors of the module say what does not hold.
    Invalid = 11,
    /// A rule is wrong, or no proof of it was found.
    Unproved = 12,
    /// This library, or this machine, cannot do that.
    Unsupported = 13,
}

/// Where a result goes: memory of the caller that nothing is in yet.
pub type Out<'a, T> = Option<&'a mut MaybeUninit<T>>;

/// The place of a result, whose parameter has a name.
pub fn place<'a, T>(out: Out<'a, T>, name: &'static str) -> Result<&'a mut MaybeUninit<T>, Failed> {
    out.ok_or(Failed::Null(name))
}

/// An array of the caller's.
pub fn array<'a, T>(items: *const T, count: usize, name: &'static str) -> Result<&'a [T], Failed> {
    if !exists::<T>(items.is_null(), count, name)? {
        return Ok(&[]);
    }
    // SAFETY: the header asks for `count` items that nobody changes during the call, and what is made of them does
    // not outlive it: no function keeps what it is given.
    Ok(unsafe { std::slice::from_raw_parts(items, count) })
}

/// Room of the caller's for some results.
pub fn room<'a, T>(
    items: *mut T,
    count: usize,
    name: &'static str,
) -> Result<&'a mut [MaybeUninit<T>], Failed> {
    if !exists::<T>(items.is_null(), count, name)? {
        return Ok(&mut []);
    }
    // SAFETY: the header asks for room for `count` results apart from everything else that the call is given, and
    // nothing is read there.
    Ok(unsafe { std::slice::from_raw_parts_mut(items.cast(), count) })
}

/// Whether there is an array of so many items at all; one that no memory can hold is refused.
fn exists<T>(null: bool, count: usize, name: &'static str) -> Result<bool, Failed> {
    match (count, null) {
        (0, _) => Ok(false),
        (_, true) => Err(Failed::Null(name)),
        _ if count > isize::MAX as usize / size_of::<T>().max(1) => Err(Failed::Count(name, count)),
        _ => Ok(true),
    }
}

/// A string of the caller's.
pub fn text<'a>(text: *const c_char, name: &'static str) -> Result<&'a str, Failed> {
    if text.is_null() {
        return Err(Failed::Null(name));
    }
    // SAFETY: the header asks for a string that ends with zero and that nobody changes during the call.
    unsafe { CStr::from_ptr(text) }.to_str().map_err(|_| Failed::Text(name))
}

/// The number of a value.
pub fn number(value: Value) -> u32 {
    value.index() as u32
}

/// Why a function of the library did not do what it was asked for.
pub enum Failed {
    /// The pointer of this name is null.
    Null(&'static str),
    /// The string of this name is not UTF-8.
    Text(&'static str),
    /// No array, such as that of this name, has so many items.
    Count(&'static str, usize),
    /// No word, or one of another kind.
    Word(u32),
    /// No value of the trace at hand.
    Value(u32),
    /// No type.
    Type(u32),
    /// No operation.
    Op(u32),
    /// No operation or pass of this name.
    Name(String),
    /// There is nothing more.
    End,
    /// The recorder says so.
    Refused(Refused),
    /// Anything else.
    Said(Status, String),
}

/// What does not fit, and why.
pub fn refused<T>(why: impl Into<String>) -> Result<T, Failed> {
    Err(Failed::Said(Status::Refused, why.into()))
}

impl From<Refused> for Failed {
    fn from(refused: Refused) -> Self {
        Failed::Refused(refused)
    }
}

impl Failed {
    /// How a function ends that fails so.
    pub fn status(&self) -> Status {
        match self {
            Failed::Null(_) => Status::Null,
            Failed::Text(_) => Status::Text,
            Failed::Word(_) => Status::NoSuchWord,
            Failed::Value(_) => Status::NoSuchValue,
            Failed::Type(_) | Failed::Op(_) | Failed::Name(_) => Status::NoSuchName,
            Failed::End => Status::End,
            Failed::Refused(Refused::Invalid(_)) => Status::InvalidLoop,
            Failed::Count(..) | Failed::Refused(_) => Status::Refused,
            Failed::Said(status, _) => *status,
        }
    }
}

impl fmt::Display for Failed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Failed::Null(name) => write!(f, "`{name}` is null"),
            Failed::Text(name) => write!(f, "`{name}` is not UTF-8"),
            Failed::Count(name, count) => write!(f, "`{name}` cannot have {count} items"),
            Failed::Word(number) => write!(f, "{number} is no word of this kind"),
            Failed::Value(number) => write!(f, "there is no value {number}"),
            Failed::Type(number) => write!(f, "{number} is no type"),
            Failed::Op(number) => write!(f, "{number} is no operation"),
            Failed::Name(name) => write!(f, "there is no `{name}`"),
            Failed::End => f.write_str("there is nothing more"),
            Failed::Refused(refused) => refused.fmt(f),
            Failed::Said(_, why) => f.write_str(why),
        }
    }
}

/// Does something without a recorder; a panic ends here.
pub fn alone(act: impl FnOnce() -> Result<(), Failed>) -> Status {
    match catch_unwind(AssertUnwindSafe(act)) {
        Ok(Ok(())) => Status::Ok,
        Ok(Err(failed)) => failed.status(),
        Err(_) => Status::Broken,
    }
}

/// What every handle keeps besides its own: what was said of it last, and whether a mistake of ours broke it.
#[derive(Default)]
pub struct Said {
    pub message: CString,
    pub broken: bool,
}

impl Said {
    /// Keeps the reason for which something was not done.
    pub fn say(&mut self, reason: &dyn fmt::Display) {
        self.message = for_c(&reason.to_string());
    }
}

/// A text as C has it; there is no zero in it but the last byte.
pub fn for_c(text: &str) -> CString {
    CString::new(text.replace('\0', " ")).unwrap_or_default()
}

/// Something of the library's that C has a pointer to.
pub trait Handle {
    fn said(&mut self) -> &mut Said;
}

/// Does something with a handle, which keeps the reason if it fails. A panic ends here.
pub fn with<H: Handle>(handle: Option<&mut H>, act: impl FnOnce(&mut H) -> Result<(), Failed>) -> Status {
    let Some(handle) = handle else { return Status::Null };
    if handle.said().broken {
        return Status::Broken;
    }
    match catch_unwind(AssertUnwindSafe(|| act(handle))) {
        Ok(Ok(())) => Status::Ok,
        Ok(Err(failed)) => {
            handle.said().say(&failed);
            failed.status()
        }
        Err(_) => {
            handle.said().broken = true;
            handle.said().say(&"a mistake of the library: this handle does nothing more");
            Status::Broken
        }
    }
}

/// Gives a handle back.
pub fn free<H>(handle: Option<Box<H>>) {
    let _ = alone(|| {
        drop(handle);
        Ok(())
    });
}

/// Why a function did not do what it was asked for, the last time: a text that is there until the next call for the
/// handle.
pub fn error(said: Option<&Said>) -> *const c_char {
    said.map_or(c"".as_ptr(), |said| said.message.as_ptr())
}

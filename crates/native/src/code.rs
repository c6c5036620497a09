//! Machine code that can be run, and what it shares with who runs it.
//!
//! The only module that is not safe Rust: it calls code that was made at run time. What that code touches besides
//! its registers and its stack is a [`Context`] and what that points to, all of which belongs to the caller of the
//! code and outlives the call. The code is trusted to be what [`function`](crate::function) writes: each access to
//! memory is compared with the size of the memory before it is made, a division never faults, and a call leaves
//! before the stack ends.

#![allow(unsafe_code, reason = "code that was made at run time is called, and calls back with a pointer")]

use std::mem::offset_of;
use std::time::{Duration, Instant};

use cranelift_jit::JITModule;
use planish_interp::{End, Host, NoHost, Reference, Scenario, Val};
use planish_ops::{Int, Real, Type};

use crate::memory::{Memory, Touched};

/// What is called: the context and the arguments, a word each; how it ended.
type Entry = unsafe extern "C" fn(*mut Context, *const u64) -> u64;

/// What code shares with who runs it.
#[repr(C)]
pub(crate) struct Context {
    /// The address below which a call must not begin.
    stack: u64,
    /// How many more passes of loops and calls there may be.
    fuel: u64,
    /// The memory and its size in bytes.
    memory: *mut u8,
    size: u64,
    /// The exit that was left through, and the one that kept something for whoever catches; 0 is none.
    left: u64,
    kept: u64,
    /// Results behind the first, what exits keep.
    words: *mut u64,
    /// The pieces of memory that are allocated.
    pieces: *mut Memory,
    /// Who answers calls that leave the program: an [`Outside`].
    outside: *mut (),
}

/// Who answers calls that leave the program, and what is called.
struct Outside<'a> {
    host: &'a mut (dyn Host + Send),
    asked: &'a [Asked],
}

/// A call that leaves the program.
pub(crate) struct Asked {
    pub name: String,
    pub args: Vec<Type>,
    pub results: Vec<Type>,
}

/// Where code finds what is in its context.
pub(crate) mod place {
    use super::{Context, offset_of};

    pub const STACK: i32 = offset_of!(Context, stack) as i32;
    pub const FUEL: i32 = offset_of!(Context, fuel) as i32;
    pub const MEMORY: i32 = offset_of!(Context, memory) as i32;
    pub const SIZE: i32 = offset_of!(Context, size) as i32;
    pub const LEFT: i32 = offset_of!(Context, left) as i32;
    pub const KEPT: i32 = offset_of!(Context, kept) as i32;
    pub const WORDS: i32 = offset_of!(Context, words) as i32;
}

/// How a function ends, as a number: 0 with its results, [`FAULTS`] and what is below by throwing.
pub(crate) mod status {
    use planish_interp::value::Fault;

    /// The faults, from 1 on. A reference that is thrown is the same number.
    pub const FAULTS: [Fault; 6] =
        [Fault::Division, Fault::Null, Fault::Bounds, Fault::Cast, Fault::NegativeLength, Fault::Guard];

    /// The number of a fault.
    pub fn of(fault: Fault) -> u64 {
        1 + FAULTS.iter().position(|&other| other == fault).expect("every fault") as u64
    }

    /// Through an exit that leaves.
    pub const LEFT: u64 = 16;
    /// Out of fuel, or of room for calls.
    pub const OUT: u64 = 17;
    /// With an access to memory that is not there.
    pub const MEMORY: u64 = 18;
    /// With a call that nobody answers.
    pub const UNANSWERED: u64 = 20;
    /// In a place that cannot be reached.
    pub const UNREACHABLE: u64 = 19;
}

/// An exit that leaves the function: its number, or none where it throws; what it keeps.
pub(crate) struct Site {
    pub number: Option<u32>,
    pub types: Vec<Type>,
}

/// A function as machine code, with what it calls.
pub struct Code {
    pub(crate) entry: *const u8,
    pub(crate) params: Vec<Type>,
    pub(crate) results: Vec<Type>,
    pub(crate) sites: Vec<Site>,
    pub(crate) asked: Vec<Asked>,
    /// How many words results and exits need at most.
    pub(crate) room: usize,
    /// How many bytes of the stack one call takes at most.
    pub(crate) frame: usize,
    pub(crate) touched: Touched,
    pub(crate) bytes: usize,
    /// What holds the code; it is given back when nobody can run it any more.
    pub(crate) module: Option<JITModule>,
}

impl Drop for Code {
    fn drop(&mut self) {
        if let Some(module) = self.module.take() {
            // SAFETY: only runs of `self` enter the code, and this is the last that is heard of it.
            unsafe { module.free_memory() };
        }
    }
}

/// What runs showed.
#[derive(Clone, PartialEq, Debug)]
pub struct Timed {
    /// How the last run ended.
    pub end: End,
    /// How many runs there were.
    pub runs: u64,
    /// How long all of them took.
    pub time: Duration,
    /// How many pieces of memory they allocated and did not free.
    pub open: usize,
}

/// The room for open calls.
const STACK: usize = 64 << 20;

impl Code {
    /// How many bytes of code there are.
    pub fn size(&self) -> usize {
        self.bytes
    }

    /// Runs the code once. `fuel` is how many passes of loops and calls there may be, where the code was made to
    /// count them. Panics when the arguments are not of the parameters' types.
    pub fn run(&self, args: &[Val], scenario: &Scenario, fuel: u64) -> End {
        let mut ends = self.run_each(&[args.to_vec()], scenario, fuel);
        ends.pop().expect("a run")
    }

    /// Runs the code on each of these arguments, in the same world.
    pub fn run_each(&self, runs: &[Vec<Val>], scenario: &Scenario, fuel: u64) -> Vec<End> {
        let runs: Vec<Vec<u64>> = runs.iter().map(|args| self.words(args)).collect();
        let (entry, room, touched) = (self.entry(), self.room, self.touched);
        let asked = &self.asked[..];
        let ended = self.on_stack(|stack| {
            let run = |args: &Vec<u64>| {
                let mut memory = Memory::new(touched, scenario);
                let mut words = vec![0; room];
                let mut outside = Outside { host: &mut NoHost, asked };
                let ended = call(entry, args, stack, fuel, &mut memory, &mut words, &mut outside);
                (ended, words)
            };
            runs.iter().map(run).collect::<Vec<_>>()
        });
        ended.iter().map(|(ended, words)| self.end(*ended, words)).collect()
    }

    /// Runs the code several times, as long as it returns; a host answers the calls that leave the program. Memory stays
    /// what the run before made of it.
    pub fn repeat(
        &self,
        args: &[Val],
        scenario: &Scenario,
        fuel: u64,
        runs: u64,
        host: &mut (dyn Host + Send),
    ) -> Timed {
        let args = self.words(args);
        let mut memory = Memory::new(self.touched, scenario);
        let mut words = vec![0; self.room];
        let entry = self.entry();
        let mut outside = Outside { host, asked: &self.asked };
        let (ended, ran, time) = self.on_stack(|stack| {
            let (mut ended, mut ran) = (Ended::default(), 0);
            let begin = Instant::now();
            while ran < runs && ended.status == 0 {
                ended = call(entry, &args, stack, fuel, &mut memory, &mut words, &mut outside);
                ran += 1;
            }
            (ended, ran, begin.elapsed())
        });
        Timed { end: self.end(ended, &words), runs: ran, time, open: memory.open() }
    }

    fn entry(&self) -> Entry {
        // SAFETY: the code was made with this signature.
        unsafe { std::mem::transmute::<*const u8, Entry>(self.entry) }
    }

    /// Arguments as code takes them.
    fn words(&self, args: &[Val]) -> Vec<u64> {
        assert_eq!(args.len(), self.params.len(), "an argument for each parameter");
        args.iter().zip(&self.params).map(|(&arg, &ty)| word(arg, ty)).collect()
    }

    /// Does something where there is room for many open calls; it is told the address below which none must begin.
    fn on_stack<R: Send>(&self, body: impl FnOnce(u64) -> R + Send) -> R {
        // What remains behind the limit is for the last call and the helpers that it calls.
        let size = STACK + self.frame + (256 << 10);
        std::thread::scope(|scope| {
            let thread = std::thread::Builder::new().stack_size(size).spawn_scoped(scope, || {
                let here = 0u8;
                body((&raw const here).addr().saturating_sub(STACK) as u64)
            });
            thread.expect("there is room for a stack").join().expect("no code panics")
        })
    }

    fn end(&self, ended: Ended, words: &[u64]) -> End {
        let values = |types: &[Type]| types.iter().zip(words).map(|(&ty, &word)| value(word, ty)).collect();
        match ended.status {
            0 => End::Return(values(&self.results)),
            status::LEFT => {
                let site = &self.sites[ended.left as usize - 1];
                End::Leave(site.number.unwrap_or_default(), values(&site.types))
            }
            status::OUT => End::OutOfFuel,
            status::MEMORY => End::undefined("memory is accessed that is not there"),
            status::UNANSWERED => End::undefined("a call leaves the program that nobody answers"),
            status::UNREACHABLE => End::undefined("unreachable code is reached"),
            _ => {
                let fault = status::FAULTS[ended.status as usize - 1];
                match ended.kept {
                    0 => End::Trap(fault),
                    kept => {
                        End::Throw(Reference::Thrown(fault), values(&self.sites[kept as usize - 1].types))
                    }
                }
            }
        }
    }
}

/// How a run ended, in the numbers of the code.
#[derive(Clone, Copy, Default)]
struct Ended {
    status: u64,
    left: u64,
    kept: u64,
}

/// Calls code on as many arguments as it has parameters, with room in `words` for all that it keeps.
fn call(
    entry: Entry,
    args: &[u64],
    stack: u64,
    fuel: u64,
    memory: &mut Memory,
    words: &mut [u64],
    outside: &mut Outside<'_>,
) -> Ended {
    let (bytes, size) = memory.bytes();
    let (words, pieces) = (words.as_mut_ptr(), &raw mut *memory);
    let outside = (&raw mut *outside).cast();
    let mut context = Context { stack, fuel, memory: bytes, size, left: 0, kept: 0, words, pieces, outside };
    // SAFETY: the context and all that it points to is borrowed here, so nobody else uses it while the code runs.
    let status = unsafe { entry(&raw mut context, args.as_ptr()) };
    Ended { status, left: context.left, kept: context.kept }
}

/// The number of the last fault.
const LAST: u64 = status::FAULTS.len() as u64;

/// A value as code takes it.
fn word(value: Val, ty: Type) -> u64 {
    assert_eq!(value.ty(), Some(ty), "an argument is of its parameter's type");
    match value {
        Val::Int(int) => int.unsigned(),
        Val::Real(Real::F32(real)) => u64::from(real.to_bits()),
        Val::Real(Real::F64(real)) => real.to_bits(),
        Val::Ref(Reference::Thrown(fault)) => status::of(fault),
        Val::Ref(Reference::Null) => 0,
        Val::Ref(_) | Val::State | Val::Vector(_) | Val::Undefined => {
            panic!("{value} is no argument of machine code")
        }
    }
}

/// What code gave.
fn value(word: u64, ty: Type) -> Val {
    match ty {
        Type::Int(width) => Val::Int(Int::new(u32::from(width), word)),
        Type::Float(format) => Val::Real(Real::from_bits(format, word)),
        Type::Ref => Val::Ref(match word {
            0 => Reference::Null,
            1..=LAST => Reference::Thrown(status::FAULTS[word as usize - 1]),
            // A pointer.
            _ => Reference::Outside(word),
        }),
        // No code gives a vector to who runs it.
        Type::State | Type::Vector(_) => Val::State,
    }
}

/// The address of a new piece of memory; the greatest number when there is none.
pub(crate) extern "C" fn allocate(context: *mut Context, size: u64) -> u64 {
    // SAFETY: code passes on the context that it was given, whose memory nobody else uses while the code runs.
    let memory = unsafe { &mut *(*context).pieces };
    memory.allocate(size).unwrap_or(u64::MAX)
}

/// Frees a piece of memory. Whether it was one.
pub(crate) extern "C" fn free(context: *mut Context, address: u64) -> u64 {
    // SAFETY: the same.
    let memory = unsafe { &mut *(*context).pieces };
    u64::from(memory.free(address))
}

/// Lets the host answer a call, whose operands are words, and so are its results. How it ended.
pub(crate) extern "C" fn ask(context: *mut Context, number: u64) -> u64 {
    // SAFETY: the same; who made the context made room for all operands and results of each call.
    let (outside, words) = unsafe {
        let context = &mut *context;
        (&mut *context.outside.cast::<Outside<'_>>(), context.words)
    };
    let asked = &outside.asked[number as usize];
    // SAFETY: the same.
    let words = unsafe { std::slice::from_raw_parts_mut(words, asked.args.len().max(asked.results.len())) };
    let args: Vec<Val> = asked.args.iter().zip(&*words).map(|(&ty, &word)| value(word, ty)).collect();
    let Some(results) = outside.host.call(&asked.name, &args, &asked.results) else {
        return status::UNANSWERED;
    };
    for ((slot, result), &ty) in words.iter_mut().zip(results).zip(&asked.results) {
        *slot = word(result, ty);
    }
    0
}

/// Writes the lowest bytes of a word into so many cells of as many bytes.
pub(crate) extern "C" fn fill(to: *mut u8, count: u64, cell: u64, encoding: u64) {
    // SAFETY: code compares where it writes with the size of the memory, which nobody else uses while it runs.
    let cells = unsafe { std::slice::from_raw_parts_mut(to, (count * cell) as usize) };
    match cell {
        1 => cells.fill(encoding as u8),
        _ => cells.chunks_exact_mut(cell as usize).for_each(|one| {
            one.copy_from_slice(&encoding.to_le_bytes()[..cell as usize]);
        }),
    }
}

/// Copies bytes, all of them read before any is written.
pub(crate) extern "C" fn copy(to: *mut u8, from: *const u8, bytes: u64) {
    // SAFETY: the same; both are within the memory.
    unsafe { std::ptr::copy(from, to, bytes as usize) }
}

/// The remainder of binary32.
pub(crate) extern "C" fn remainder32(x: f32, y: f32) -> f32 {
    x % y
}

/// The remainder of binary64.
pub(crate) extern "C" fn remainder64(x: f64, y: f64) -> f64 {
    x % y
}

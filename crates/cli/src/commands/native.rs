//! `planish run --native`: a function as machine code.
//!
//! There is a code generator where the command was built with the feature `native`; elsewhere it says how to get one.

use planish_interp::Val;
use planish_ir::{Function, Module};

use crate::args;
use crate::failure::Failure;

/// Compiles a function, runs it and prints its results, a line each.
#[cfg(feature = "native")]
pub fn run(args: &args::Run, module: &Module, function: &Function, given: &[Val]) -> Result<(), Failure> {
    use planish_driver::bril::{Output, leaked, prints};
    use planish_interp::{End, Scenario};
    use planish_native::{Options, compile};

    use crate::io;

    let id = module.find(&function.name).expect("the function is of the module");
    let options = Options { metered: args.fuel.is_some(), answered: prints };
    let code = compile(module, id, options).map_err(|refused| {
        let (file, line) = (io::display_name(&args.input.path), refused.location.0);
        let place = if line > 0 { format!("{file}:{line}") } else { file };
        Failure::Rejected(format!(
            "error: {place}: `{}` has no machine code: {}",
            refused.function, refused.why
        ))
    })?;
    if let Some(value) = given.iter().find(|&&value| value == Val::State) {
        return Err(Failure::Usage(format!("{value} is no argument of machine code")));
    }
    let (world, fuel) = (Scenario::new(0), args.fuel.unwrap_or_default());
    let mut output = Output::default();
    let first = code.repeat(given, &world, fuel, 1, &mut output);
    io::write(None, output.printed().as_bytes())?;
    if let (Some(runs), End::Return(_)) = (args.time, &first.end) {
        let ran = code.repeat(given, &world, fuel, runs, &mut Silent);
        let each = ran.time.as_nanos() as f64 / ran.runs as f64;
        io::say(format_args!(
            "{each:.1} ns a run: {} runs in {:.3} s, {} bytes of code\n",
            ran.runs,
            ran.time.as_secs_f64(),
            code.size()
        ));
    }
    let endless = match args.fuel {
        Some(fuel) => {
            format!("did not end within {fuel} passes of loops and calls, or calls itself too deeply")
        }
        None => "calls itself too deeply".to_owned(),
    };
    match leaked(first.open).filter(|_| matches!(first.end, End::Return(_))) {
        Some(fault) => Err(Failure::Rejected(format!("the program fails: {fault}"))),
        None => {
            let show = |value: Val| value.to_string();
            super::endings::print(planish_driver::execute::results(&first.end, &show, &endless))
        }
    }
}

/// Takes what is printed and drops it: what is measured is the program.
#[cfg(feature = "native")]
struct Silent;

#[cfg(feature = "native")]
impl planish_interp::Host for Silent {
    fn call(&mut self, _: &str, _: &[Val], _: &[planish_ops::Type]) -> Option<Vec<Val>> {
        Some(Vec::new())
    }
}

/// Says how to get a command that can.
#[cfg(not(feature = "native"))]
pub fn run(_: &args::Run, _: &Module, _: &Function, _: &[Val]) -> Result<(), Failure> {
    Err(Failure::Usage(
        "this planish makes no machine code; one that does is built by \
         `cargo build --release -p planish-cli --features native`"
            .into(),
    ))
}

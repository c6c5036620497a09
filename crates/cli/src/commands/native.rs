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
    use planish_interp::Scenario;
    use planish_native::{Options, compile};

    use crate::io;

    let id = module.find(&function.name).expect("the function is of the module");
    let options = Options { metered: args.fuel.is_some() };
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
    let ran = code.repeat(given, &world, fuel, args.time.unwrap_or(1));
    if args.time.is_some() {
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
    super::run::finish(&ran.end, &|value| value.to_string(), &endless)
}

/// Says how to get a command that can.
#[cfg(not(feature = "native"))]
pub fn run(_: &args::Run, _: &Module, _: &Function, _: &[Val]) -> Result<(), Failure> {
    Err(Failure::Usage(
        "this planish makes no machine code; one that does is built by \
         `cargo build --release -p planish --features native`"
            .into(),
    ))
}

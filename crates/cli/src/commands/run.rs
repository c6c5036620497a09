//! `planish run`: evaluates a function. What a Bril program prints goes to standard output.

use planish_driver::execute;
use planish_interp::Program;

use super::{endings, opening};
use crate::failure::Failure;
use crate::{args, io};

/// Evaluates a function and prints its results, a line each.
pub fn run(args: &args::Run) -> Result<(), Failure> {
    let session = opening::open(&args.input)?;
    let Some(module) = session.module() else {
        return Err(Failure::Usage(format!("a {} is no program to run", session.dialect())));
    };
    let function = execute::function(&session, module, args.function.as_deref()).map_err(Failure::Usage)?;
    execute::all_functions_are_there(&io::display_name(&args.input.path), module)
        .map_err(Failure::Rejected)?;
    let program = Program::of(module);
    let arguments = execute::arguments(&program, function, &args.arguments).map_err(Failure::Usage)?;
    if args.native {
        return super::native::run(args, module, function, &arguments);
    }
    let ran = execute::execute(&session, &program, function, &arguments, args.fuel.unwrap_or(FUEL));
    if args.count {
        let counts = &ran.run.counts;
        io::say(format_args!(
            "{} operations, {} branches, {} jumps\n",
            counts.total(),
            counts.branches,
            counts.jumps
        ));
        for (op, count) in counts.iter() {
            io::say(format_args!("{count:>10}  {op}\n"));
        }
    }
    io::write(None, ran.printed.as_bytes())?;
    ran.events().for_each(|event| io::say(format_args!("{event}\n")));
    endings::print(ran.results())
}

/// How many operations are executed unless something else is said.
const FUEL: u64 = 100_000_000;

//! Makes the summary of an image: `summarize IMAGE FILE`.

use std::path::PathBuf;
use std::process::ExitCode;

use planish_classfile::jimage::Image;
use planish_classfile::source::write_atomically;
use planish_jdk::summary::{summarize, unpack};

fn main() -> ExitCode {
    let arguments: Vec<PathBuf> = std::env::args_os().skip(1).map(PathBuf::from).collect();
    let [image, file] = &arguments[..] else {
        eprintln!("usage: summarize IMAGE FILE");
        return ExitCode::from(2);
    };
    let made =
        Image::open(image).map_err(|error| format!("{}: {error}", image.display())).and_then(|image| {
            let summary = summarize(&image).map_err(|error| error.to_string())?;
            let archive = unpack(&summary).map_err(|error| error.to_string())?;
            write_atomically(file, &summary).map_err(|error| format!("{}: {error}", file.display()))?;
            Ok((archive.entries.len(), summary.len()))
        });
    match made {
        Ok((classes, bytes)) => {
            println!("{classes} classes in {bytes} bytes");
            ExitCode::SUCCESS
        }
        Err(error) => {
            eprintln!("error: {error}");
            ExitCode::FAILURE
        }
    }
}

//! What the examples share that do something to every method: their arguments, the classes, the written jar.

use std::path::PathBuf;

use planish_base::Budget;
use planish_classfile::jimage::{self, Image};
use planish_classfile::source::{Source, write_atomically};
use planish_classfile::zip::{INFLATED_LIMIT, Method};
use planish_jvm_model::hierarchy::{Hierarchy, Origin};

type Result<T> = std::result::Result<T, Box<dyn std::error::Error>>;

/// The classes that the arguments name: `[-o OUT.jar] [--library JAR]... [INPUT...]`; without input those of
/// the JDK.
pub struct Classes {
    /// All classes, those of libraries and of the JDK included.
    pub hierarchy: Hierarchy,
    sources: Vec<Source>,
    image: Option<Image>,
    output: Option<PathBuf>,
    budget: Budget,
}

impl Classes {
    /// Reads the inputs.
    pub fn read() -> Result<Classes> {
        let (mut inputs, mut libraries, mut output) = (Vec::new(), Vec::new(), None);
        let mut args = std::env::args_os().skip(1);
        while let Some(arg) = args.next() {
            match arg.to_str() {
                Some("-o") => output = args.next().map(PathBuf::from),
                Some("--library") => libraries.extend(args.next().map(PathBuf::from)),
                _ => inputs.push(PathBuf::from(arg)),
            }
        }
        let image = jimage::find_image().map(|path| Image::open(&path)).transpose()?;
        let budget = Budget::new("inflated bytes", INFLATED_LIMIT);
        let mut classes = Classes { hierarchy: Hierarchy::new(), sources: Vec::new(), image, output, budget };
        let inputs = inputs.iter().map(|path| (path, Origin::Program));
        for (path, origin) in inputs.chain(libraries.iter().map(|path| (path, Origin::Library))) {
            let source = Source::read(path)?;
            for entry in source.archive.entries.iter().filter(|entry| entry.name.ends_with(b".class")) {
                classes.hierarchy.add(&entry.content(&mut classes.budget)?, origin)?;
            }
            if origin == Origin::Program {
                classes.sources.push(source);
            }
        }
        if let Some(image) = &classes.image {
            classes.hierarchy.add_image(image, 1)?;
        }
        Ok(classes)
    }

    /// Hands every class to `change`, and writes what comes back where `-o` says.
    pub fn for_each(
        self,
        mut change: impl FnMut(&[u8], &Hierarchy) -> planish_classfile::Result<Option<Vec<u8>>>,
    ) -> Result<()> {
        let Classes { hierarchy, sources, image, output, mut budget } = self;
        if sources.is_empty() {
            let image = image.as_ref().ok_or("no input, and no JDK is found")?;
            for class in image.classes()? {
                change(image.content(&class)?, &hierarchy)?;
            }
        }
        for mut source in sources {
            for entry in source.archive.entries.iter_mut().filter(|entry| entry.name.ends_with(b".class")) {
                let bytes = entry.content(&mut budget)?.into_owned();
                if let Some(changed) = change(&bytes, &hierarchy)? {
                    entry.set_content(&changed, Method::Deflated, 6);
                }
            }
            if let Some(output) = &output {
                source.archive.remove_signatures(&mut budget, 6)?;
                let mut bytes = Vec::new();
                source.archive.write(&mut bytes)?;
                write_atomically(output, &bytes)?;
            }
        }
        Ok(())
    }
}

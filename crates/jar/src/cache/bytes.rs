//! How what is kept is written: numbers and texts one behind the other, each text behind its length.

use planish_jvm::bodies::settled::SettledBody;
use planish_jvm::bodies::{Did, Report};

/// What is written so far.
#[derive(Default)]
pub struct Writer(pub Vec<u8>);

impl Writer {
    /// A number.
    pub fn number(&mut self, number: u64) {
        self.0.extend(number.to_le_bytes());
    }

    /// A text.
    pub fn text(&mut self, text: &[u8]) {
        self.number(text.len() as u64);
        self.0.extend(text);
    }

    /// Numbers, how many of which there are is known.
    fn numbers(&mut self, numbers: &[u64]) {
        numbers.iter().for_each(|&number| self.number(number));
    }

    /// What became of the methods of a class of which none was broken.
    pub fn report(&mut self, report: &Report) {
        let Report {
            methods,
            improved,
            kept,
            speaking,
            instructions,
            bytes,
            did,
            inlined,
            redirected,
            precise,
            refused,
            broken: _,
            recursive,
            optimized: _,
            settled,
            origins: _,
            stories: _,
        } = report;
        self.numbers(&[*methods, *improved, *kept, *speaking, *inlined, *redirected, *precise, *recursive]);
        self.numbers(&[instructions.0, instructions.1, bytes.0, bytes.1]);
        self.numbers(&words(did));
        self.number(refused.len() as u64);
        for (reason, (count, example)) in refused {
            self.text(reason.as_bytes());
            self.number(*count);
            self.text(example.as_bytes());
        }
        self.number(settled.len() as u64);
        for (method, body) in settled {
            self.text(method);
            self.numbers(&body.to_words());
        }
    }
}

/// What was done to bodies, as numbers.
fn words(did: &Did) -> [u64; 11] {
    let Did {
        constants,
        unused,
        direct,
        loops,
        ordinals,
        concatenated,
        recipes,
        replaced,
        moved,
        regions,
        shared,
    } = *did;
    [constants, unused, direct, loops, ordinals, concatenated, recipes, replaced, moved, regions, shared]
}

/// What is still to be read.
#[derive(Clone, Copy)]
pub struct Reader<'a>(pub &'a [u8]);

impl<'a> Reader<'a> {
    /// A number.
    pub fn number(&mut self) -> Option<u64> {
        let (number, rest) = self.0.split_first_chunk()?;
        self.0 = rest;
        Some(u64::from_le_bytes(*number))
    }

    /// A text.
    pub fn text(&mut self) -> Option<&'a [u8]> {
        let length = usize::try_from(self.number()?).ok()?;
        let (text, rest) = self.0.split_at_checked(length)?;
        self.0 = rest;
        Some(text)
    }

    fn numbers<const N: usize>(&mut self) -> Option<[u64; N]> {
        let mut numbers = [0; N];
        for number in &mut numbers {
            *number = self.number()?;
        }
        Some(numbers)
    }

    /// A text of characters.
    pub fn string(&mut self) -> Option<String> {
        String::from_utf8(self.text()?.to_vec()).ok()
    }

    /// What became of the methods of a class.
    pub fn report(&mut self) -> Option<Report> {
        let [methods, improved, kept, speaking, inlined, redirected, precise, recursive] = self.numbers()?;
        let [before, after, bytes_before, bytes_after] = self.numbers()?;
        let [
            constants,
            unused,
            direct,
            loops,
            ordinals,
            concatenated,
            recipes,
            replaced,
            moved,
            regions,
            shared,
        ] = self.numbers()?;
        let did = Did {
            constants,
            unused,
            direct,
            loops,
            ordinals,
            concatenated,
            recipes,
            replaced,
            moved,
            regions,
            shared,
        };
        let mut report = Report {
            methods,
            improved,
            kept,
            speaking,
            inlined,
            redirected,
            precise,
            recursive,
            instructions: (before, after),
            bytes: (bytes_before, bytes_after),
            did,
            ..Report::default()
        };
        for _ in 0..self.number()? {
            report.refused.insert(self.string()?, (self.number()?, self.string()?));
        }
        for _ in 0..self.number()? {
            report.settled.push((self.text()?.into(), SettledBody::from_words(self.numbers()?)));
        }
        Some(report)
    }
}

//! Reading files of traces that are given together.
//!
//! A token is a contract between all of them, and between them and whoever is not given: a label that another trace may
//! jump to keeps its arguments. It may be one of any other file, unless its own says that nobody else comes (`#! closed`).

use planish_base::{Diagnostics, SourceText, Span};
use planish_ir::Module;
use planish_trace_dialect::check::Declared;
use planish_trace_dialect::descr::Vocabulary;
use planish_trace_dialect::header::Header;
use planish_trace_dialect::lift::{Lifted, Lifter, Options};
use planish_trace_dialect::read::Section;
use planish_trace_dialect::text::{OpData, Texts};
use planish_trace_dialect::tokens::{Beginning, Labels, Place, Shared, leads, sealed};
use planish_trace_dialect::{check, read};

use super::{BODY, PREAMBLE, Part, SHORT, TraceSession, is_bridge, is_called};

/// Tokens of labels that keep their arguments.
struct Tokens {
    /// To which other sections jump.
    entered: Shared,
    /// These, and those to which traces may jump that are not given.
    shared: Shared,
}

impl TraceSession {
    /// Reads and lifts every section of some files. What is wrong or odd is told of each file in order; with errors the
    /// session is of no use.
    pub fn read(sources: &[SourceText]) -> (Self, Vec<Diagnostics>) {
        let mut session = TraceSession {
            parts: Vec::with_capacity(sources.len()),
            texts: Texts::default(),
            sections: Vec::new(),
            module: Module::new(),
            lifted: Vec::new(),
            entered: Shared::default(),
            given_up: Vec::new(),
            shorts: Vec::new(),
            leavings: Vec::new(),
            optimized: false,
            compat: None,
            vocabulary: Vocabulary::new(),
            refused: None,
        };
        let mut found = Vec::with_capacity(sources.len());
        for source in sources {
            found.push(session.read_part(source));
        }
        if !any_error(&found) {
            session.declare(&mut found);
        }
        if !any_error(&found) {
            session.lift(&mut found);
        }
        if !any_error(&found) {
            session.read_leavings(&mut found);
        }
        session.given_up = vec![false; session.sections.len()];
        (session, found)
    }

    /// Reads the text of a file.
    fn read_part(&mut self, source: &SourceText) -> Diagnostics {
        let (file, found) = read::read_beside(source, std::mem::take(&mut self.texts));
        let first = self.sections.len();
        self.texts = file.texts;
        self.sections.extend(file.sections);
        self.parts.push(Part {
            source: source.clone(),
            directives: file.directives,
            sections: first..self.sections.len(),
            mode: None,
            unroll: false,
            closed: false,
            bridges: false,
            entered: None,
            runtime: Vec::new(),
            bridge_runtime: Vec::new(),
            stages: Vec::new(),
        });
        found
    }

    /// Reads what the files declare, and holds descriptors against it.
    fn declare(&mut self, found: &mut [Diagnostics]) {
        let mut all = Header::default();
        for (part, diagnostics) in self.parts.iter_mut().zip(&mut *found) {
            // What is declared holds for the file, also where it stands in a section.
            let inside = self.sections[part.sections.clone()].iter().flat_map(|section| &section.directives);
            let declarations: Vec<Span> = part.directives.iter().chain(inside).copied().collect();
            let mut header = Header::read(&part.source, &declarations, diagnostics);
            let sections = self.sections[part.sections.clone()].iter();
            let traces: Vec<_> =
                sections.map(|section| as_declared(section, &part.source, &self.texts)).collect();
            let passes = header.opts.as_deref().unwrap_or("");
            part.mode = header.mode.take();
            part.bridges = part.mode.as_deref() == Some("bridge");
            part.unroll =
                part.mode.as_deref() == Some("unroll") || passes.split(':').any(|pass| pass == "unroll");
            part.closed = header.closed;
            part.runtime = std::mem::take(&mut header.runtime);
            part.bridge_runtime = std::mem::take(&mut header.bridge_runtime);
            part.stages = std::mem::take(&mut header.stages);
            if !diagnostics.has_errors() {
                check::declared(&declarations, &traces, &header, (&self.texts, &part.source), diagnostics);
            }
            let alone = diagnostics.has_errors();
            let joined = all.join(header).and_then(|()| if alone { Ok(()) } else { all.apart() });
            if let Err((name, message)) = joined {
                let names = |span: &&Span| {
                    let second = part.source.slice(**span).split_whitespace().nth(2);
                    second.and_then(|word| word.split(['(', '{']).next()) == Some(&name)
                };
                let place = declarations.iter().find(names).copied().unwrap_or_default();
                diagnostics.error(place, message);
            }
        }
        for (part, diagnostics) in self.parts.iter().zip(found) {
            for section in &self.sections[part.sections.clone()] {
                check::descriptors(&section.trace, &self.texts, &all, &part.source, diagnostics);
            }
        }
        self.vocabulary = Vocabulary::declared(all);
    }

    /// Lifts every section.
    fn lift(&mut self, found: &mut [Diagnostics]) {
        let begins = self.begins_for_bridge(found);
        let Tokens { entered, shared } = self.labels(begins, found);
        self.entered = entered;
        if any_error(found) {
            return;
        }
        let TraceSession { parts, texts, sections, module, lifted, vocabulary, .. } = self;
        vocabulary.declare(module);
        if parts.iter().any(|part| part.bridges) {
            vocabulary.declare_guards(module);
        }
        vocabulary.declare_layouts(module);
        let several = parts.len() > 1;
        let mut first_exit = 0;
        for (part, diagnostics) in parts.iter().zip(found) {
            vocabulary.turn_to(part.mode.clone());
            for number in part.sections.clone() {
                let section = &sections[number];
                let name = match section.name {
                    Some(name) => texts.get(name).to_owned(),
                    None => nameless(&sections[part.sections.clone()], texts),
                };
                let begins_for_others = begins == Some(number);
                let options = Options {
                    expand_virtual_refs: true,
                    first_exit,
                    begins_for_others,
                    ..Options::default()
                };
                let mut lifter = Lifter::new(module, texts, vocabulary, options).entered(&shared);
                if let Some(Lifted { mut function, origin }) = lifter.lift(&name, &section.trace, diagnostics)
                {
                    if several {
                        function.name = format!("{} of {}", function.name, part.source.name());
                    }
                    first_exit += origin.exits.len() as u32;
                    lifted.push((module.functions.push(function), origin));
                }
            }
        }
    }

    /// The section to whose beginning a bridge goes that names no token: the first of its file. If that has no loop, it is
    /// the first of another file about bridges, or of any. What an optimizer made of a bridge may say that it goes to a body.
    fn begins_for_bridge(&self, found: &mut [Diagnostics]) -> Option<usize> {
        let begins_with_loop = |part: &&Part| {
            self.sections[part.sections.clone()]
                .first()
                .is_some_and(|section| !is_bridge(section, &self.texts))
        };
        let others = || self.parts.iter().filter(begins_with_loop);
        let other = others().find(|part| part.bridges).or_else(|| others().next());
        let mut begins = None;
        for (part, diagnostics) in self.parts.iter().zip(found) {
            let elsewhere =
                |&span: &Span| target(&part.source, span).is_some_and(|target| target != "Preamble");
            let of_part = &self.sections[part.sections.clone()];
            let to_start = of_part
                .iter()
                .find(|section| is_bridge(section, &self.texts) && !section.directives.iter().any(elsewhere));
            let Some(bridge) = to_start.filter(|_| part.bridges) else { continue };
            let Some(first) = Some(part).filter(begins_with_loop).or(other).map(|part| part.sections.start)
            else {
                continue;
            };
            if begins.is_some_and(|begins| begins != first) {
                let message = "a bridge of another file goes to another loop, and neither names a token";
                diagnostics.error(bridge.span, message);
            }
            begins = Some(first);
        }
        begins
    }

    /// Holds the jumps of all sections against their labels.
    fn labels(&self, begins: Option<usize>, found: &mut [Diagnostics]) -> Tokens {
        let mut labels = Labels::default();
        let places = self.places();
        places.iter().flatten().for_each(|&place| labels.add(place));
        for ((part, places), diagnostics) in self.parts.iter().zip(&places).zip(&mut *found) {
            for &place in places {
                Labels::distinct(place, diagnostics);
                labels.jump(place, self.beginning(part, place.number, places), diagnostics);
            }
        }
        let entered = labels.shared(&self.texts);
        let mut shared = entered.clone();
        let first = places.iter().flatten().copied().find(|place| Some(place.number) == begins);
        for ((part, places), diagnostics) in self.parts.iter().zip(&places).zip(found) {
            labels.twice(&part.source, diagnostics);
            for &place in places {
                let leads = |op: &OpData| begins == Some(place.number) && leads(place.trace, op);
                let is_entered =
                    |op: &OpData| op.descr.is_some_and(|token| entered.contains(&token)) || leads(op);
                sealed(place, is_entered, diagnostics);
                if !part.closed {
                    shared.extend(labels.open(place));
                }
                let bridge = part.bridges && is_bridge(&self.sections[place.number], &self.texts);
                if let Some(first) = first.filter(|_| bridge) {
                    Labels::bridge(first, place, diagnostics);
                }
            }
        }
        Tokens { entered, shared }
    }

    /// Where the jump of a section goes if it names no label.
    fn beginning<'a>(&self, part: &Part, number: usize, places: &'a [Place<'a>]) -> Beginning<'a> {
        let section = &self.sections[number];
        match part.mode.as_deref() {
            Some("loop" | "raises") => Beginning::OwnIfItFits,
            Some("bridge") if is_bridge(section, &self.texts) => Beginning::Elsewhere,
            // It hands over what the body takes besides what whoever enters it has.
            _ if part.unroll && self.is_named(section, SHORT) => Beginning::Elsewhere,
            _ if part.unroll && [PREAMBLE, BODY].iter().any(|name| self.is_named(section, name)) => {
                Beginning::Some(places)
            }
            Some("unroll") => Beginning::OwnPastLabels,
            _ => Beginning::Own,
        }
    }

    /// By section: whether it is the body of a loop that was peeled, whose first iteration is a section of the same file.
    pub fn peeled(&self) -> Vec<bool> {
        let mut peeled = vec![false; self.sections.len()];
        let mut labels = Labels::default();
        let places = self.places();
        places.iter().flatten().for_each(|&place| labels.add(place));
        for places in &places {
            let is_named = |place: &Place<'_>, name| self.is_named(&self.sections[place.number], name);
            let Some(&preamble) = places.iter().find(|place| is_named(place, PREAMBLE)) else { continue };
            let entered = labels.entered_by(preamble);
            for place in places {
                peeled[place.number] = is_named(place, BODY) || entered.contains(&place.number);
            }
        }
        peeled
    }

    /// The sections, file by file.
    fn places(&self) -> Vec<Vec<Place<'_>>> {
        let places = self.parts.iter().map(|part| {
            let place = |number| Place {
                number,
                trace: &self.sections[number].trace,
                texts: &self.texts,
                source: &part.source,
            };
            part.sections.clone().map(place).collect()
        });
        places.collect()
    }

    /// Warns of jumps to tokens that no section has, of which there are several. It is rendered.
    pub fn nowhere(&self) -> String {
        if self.sections.len() < 2 {
            return String::new();
        }
        let (mut labels, places) = (Labels::default(), self.places());
        places.iter().flatten().for_each(|&place| labels.add(place));
        let mut rendered = String::new();
        for (part, places) in self.parts.iter().zip(&places) {
            let mut diagnostics = Diagnostics::new();
            places.iter().for_each(|&place| labels.nowhere(place, &mut diagnostics));
            rendered.push_str(&diagnostics.render(&part.source));
        }
        rendered
    }
}

/// Where the line of a bridge says that it went.
fn target(source: &SourceText, line: Span) -> Option<&str> {
    source.slice(line).trim_start_matches("#!").trim().strip_prefix("target ").map(str::trim)
}

/// A section as what lines of its file are held against.
fn as_declared<'a>(section: &'a Section, source: &SourceText, texts: &Texts) -> Declared<'a> {
    let is_peeled = [PREAMBLE, BODY, SHORT].iter().any(|name| is_called(section, name, texts));
    let has_target = section.directives.iter().any(|&span| target(source, span).is_some());
    Declared {
        trace: &section.trace,
        span: section.span,
        is_bridge: is_bridge(section, texts),
        is_result: is_peeled || has_target,
    }
}

/// What the trace above the first section of a file is called.
fn nameless(sections: &[Section], texts: &Texts) -> String {
    let is_taken = |name: &String| {
        sections.iter().any(|section| section.name.is_some_and(|text| texts.get(text) == name))
    };
    (0..)
        .map(|number| format!("trace{number}"))
        .find(|name| !is_taken(name))
        .expect("sections are finitely many")
}

fn any_error(found: &[Diagnostics]) -> bool {
    found.iter().any(Diagnostics::has_errors)
}

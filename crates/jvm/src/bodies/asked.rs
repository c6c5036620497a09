//! Traces of what the names of a class ask of the program around it, to be asked again.
//!
//! Whether a call is pure, a field plain, a constructor one that only fills in its object: that is known of any member, and which
//! members the bodies of a class come to speak of is known only when they were rewritten. So the questions are written
//! down, and in another program what became of the class holds if all of them have the answers that they had (the *verifying
//! traces* of Mokhov, Mitchell and Peyton Jones, *Build systems à la carte*, 2018).

use std::hash::{Hash, Hasher};
use std::sync::{Mutex, MutexGuard, PoisonError};

use hashbrown::{HashMap, HashSet};
use planish_classfile::MemberRef;
use planish_classfile::pool::MemberKind;
use planish_jvm_ir::surroundings::{Argument, Number, PlainField, Surroundings};
use rustc_hash::FxBuildHasher;

/// One who answers as another does, and writes down what was asked.
pub struct Asked<S> {
    around: S,
    questions: Mutex<Questions>,
}

/// What was asked, each question once, in order.
#[derive(Default)]
struct Questions {
    known: HashSet<Box<[u8]>, FxBuildHasher>,
    all: Vec<Box<[u8]>>,
    /// A question while it is put down.
    text: Vec<u8>,
}

/// What a question is about, as it is written down.
#[derive(Clone, Copy)]
enum About {
    Raises = 1,
    Runs,
    RunAhead,
    Field,
    Quiet,
    FillsIn,
    RaisesOnObject,
}

impl<S: Surroundings> Asked<S> {
    /// Nothing was asked so far.
    pub fn new(around: S) -> Self {
        Asked { around, questions: Mutex::default() }
    }

    /// What was asked, for [`answers`].
    pub fn questions(&self) -> Vec<Box<[u8]>> {
        std::mem::take(&mut self.lock().all)
    }

    /// Questions stay right whatever else panicked.
    fn lock(&self) -> MutexGuard<'_, Questions> {
        self.questions.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Writes a question down, unless it was asked before.
    fn note(&self, about: About, texts: &[&[u8]], member: Option<&MemberRef<'_>>, arguments: &[Argument]) {
        let Questions { known, all, text } = &mut *self.lock();
        text.clear();
        text.push(about as u8);
        let mut put = |part: &[u8]| {
            text.extend((part.len() as u32).to_le_bytes());
            text.extend(part);
        };
        texts.iter().for_each(|part| put(part));
        if let Some(member) = member {
            put(&[member.kind as u8]);
            [member.class, member.name, member.descriptor].into_iter().for_each(&mut put);
        }
        for argument in arguments {
            match argument {
                Argument::Number(Number::Int(value)) => put(&value.to_le_bytes()),
                Argument::Number(Number::Long(value)) => put(&value.to_le_bytes()),
                // A number has four bytes or eight, and a text with its mark an odd number.
                Argument::Text(units) => {
                    let units = units.iter().flat_map(|unit| unit.to_le_bytes());
                    put(&std::iter::once(0).chain(units).collect::<Vec<u8>>());
                }
            }
        }
        if !known.contains(&text[..]) {
            known.insert((&text[..]).into());
            all.push((&text[..]).into());
        }
    }
}

impl<S: Surroundings> Surroundings for Asked<S> {
    fn raises(&self, caller: &[u8], member: &MemberRef<'_>) -> Option<bool> {
        self.note(About::Raises, &[caller], Some(member), &[]);
        self.around.raises(caller, member)
    }

    fn raises_on_object(&self, caller: &[u8], member: &MemberRef<'_>) -> Option<bool> {
        self.note(About::RaisesOnObject, &[caller], Some(member), &[]);
        self.around.raises_on_object(caller, member)
    }

    fn runs(&self, caller: &[u8], member: &MemberRef<'_>) -> bool {
        self.note(About::Runs, &[caller], Some(member), &[]);
        self.around.runs(caller, member)
    }

    fn run_ahead(&self, caller: &[u8], member: &MemberRef<'_>, arguments: &[Argument]) -> Option<Number> {
        self.note(About::RunAhead, &[caller], Some(member), arguments);
        self.around.run_ahead(caller, member, arguments)
    }

    fn plain_field(&self, member: &MemberRef<'_>) -> Option<PlainField> {
        self.note(About::Field, &[], Some(member), &[]);
        self.around.plain_field(member)
    }

    fn is_quiet(&self, class: &[u8]) -> bool {
        self.note(About::Quiet, &[class], None, &[]);
        self.around.is_quiet(class)
    }

    fn fills_in(&self, member: &MemberRef<'_>) -> bool {
        self.note(About::FillsIn, &[], Some(member), &[]);
        self.around.fills_in(member)
    }
}

/// Asks `around` questions that were [written down](Asked::questions), and hashes the answers. Fields have numbers that only
/// tell them apart, so they count by the first question that was about the same one. Nothing if one of them is no question.
pub fn answers<'q>(
    questions: impl Iterator<Item = &'q [u8]>,
    around: &dyn Surroundings,
    hasher: &mut impl Hasher,
) -> Option<()> {
    let mut fields: HashMap<u32, usize, FxBuildHasher> = HashMap::default();
    for question in questions {
        let (&about, rest) = question.split_first()?;
        let parts = &mut Parts(rest);
        let is_about = |kind: About| about == kind as u8;
        if is_about(About::Raises) {
            around.raises(parts.next()?, &parts.member()?).hash(hasher);
        } else if is_about(About::RaisesOnObject) {
            around.raises_on_object(parts.next()?, &parts.member()?).hash(hasher);
        } else if is_about(About::Runs) {
            around.runs(parts.next()?, &parts.member()?).hash(hasher);
        } else if is_about(About::RunAhead) {
            let (caller, member) = (parts.next()?, parts.member()?);
            around.run_ahead(caller, &member, &parts.arguments()?).hash(hasher);
        } else if is_about(About::Field) {
            let field = around.plain_field(&parts.member()?);
            let next = fields.len();
            let field = field.map(|field| (*fields.entry(field.number).or_insert(next), field.settles));
            field.hash(hasher);
        } else if is_about(About::Quiet) {
            around.is_quiet(parts.next()?).hash(hasher);
        } else if is_about(About::FillsIn) {
            around.fills_in(&parts.member()?).hash(hasher);
        } else {
            return None;
        }
    }
    Some(())
}

/// The parts of a question, each behind its length.
struct Parts<'q>(&'q [u8]);

impl<'q> Parts<'q> {
    fn next(&mut self) -> Option<&'q [u8]> {
        let (length, rest) = self.0.split_first_chunk()?;
        let (part, rest) = rest.split_at_checked(u32::from_le_bytes(*length) as usize)?;
        self.0 = rest;
        Some(part)
    }

    fn member(&mut self) -> Option<MemberRef<'q>> {
        let kinds = [MemberKind::Field, MemberKind::Method, MemberKind::InterfaceMethod];
        let kind = self.next()?.first()?;
        let kind = kinds.into_iter().find(|known| *known as u8 == *kind)?;
        Some(MemberRef { kind, class: self.next()?, name: self.next()?, descriptor: self.next()? })
    }

    fn arguments(&mut self) -> Option<Vec<Argument>> {
        let mut arguments = Vec::new();
        while !self.0.is_empty() {
            let part = self.next()?;
            arguments.push(match part.len() {
                4 => Argument::Number(Number::Int(i32::from_le_bytes(part.try_into().ok()?))),
                8 => Argument::Number(Number::Long(i64::from_le_bytes(part.try_into().ok()?))),
                _ => {
                    let units = part.get(1..)?.chunks_exact(2);
                    Argument::Text(units.map(|unit| u16::from_le_bytes([unit[0], unit[1]])).collect())
                }
            });
        }
        Some(arguments)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A program in which a method is pure or not, and two names mean one field or two.
    struct Around(bool, [u32; 2]);

    impl Surroundings for Around {
        fn raises(&self, _: &[u8], _: &MemberRef<'_>) -> Option<bool> {
            self.0.then_some(false)
        }

        fn raises_on_object(&self, _: &[u8], _: &MemberRef<'_>) -> Option<bool> {
            self.0.then_some(true)
        }

        fn runs(&self, _: &[u8], _: &MemberRef<'_>) -> bool {
            true
        }

        fn run_ahead(&self, _: &[u8], _: &MemberRef<'_>, arguments: &[Argument]) -> Option<Number> {
            let expected = [
                Argument::Number(Number::Int(-1)),
                Argument::Text("ab".encode_utf16().collect()),
                Argument::Number(Number::Long(1 << 40)),
                Argument::Text(Vec::new()),
            ];
            (arguments == expected).then_some(Number::Int(7))
        }

        fn plain_field(&self, member: &MemberRef<'_>) -> Option<PlainField> {
            let number = self.1[usize::from(member.class == b"B")];
            Some(PlainField { number, settles: false })
        }

        fn is_quiet(&self, class: &[u8]) -> bool {
            class == b"A"
        }

        fn fills_in(&self, member: &MemberRef<'_>) -> bool {
            member.name == b"<init>"
        }
    }

    fn member(class: &'static [u8], kind: MemberKind) -> MemberRef<'static> {
        MemberRef { kind, class, name: b"x", descriptor: b"I" }
    }

    fn hash(questions: &[Box<[u8]>], around: &Around) -> Option<u64> {
        let mut hasher = rustc_hash::FxHasher::default();
        answers(questions.iter().map(|question| &**question), around, &mut hasher)?;
        Some(hasher.finish())
    }

    #[test]
    fn what_was_asked_is_asked_again() {
        let asked = Asked::new(Around(true, [0, 1]));
        for _ in 0..2 {
            asked.raises(b"C", &member(b"A", MemberKind::Method));
            asked.plain_field(&member(b"A", MemberKind::Field));
            asked.plain_field(&member(b"B", MemberKind::Field));
            asked.runs(b"C", &member(b"A", MemberKind::InterfaceMethod));
            asked.is_quiet(b"A");
            asked.fills_in(&member(b"A", MemberKind::Method));
        }
        let questions = asked.questions();
        assert_eq!(questions.len(), 6);
        let expected = hash(&questions, &Around(true, [0, 1])).expect("questions");
        assert_eq!(
            hash(&questions, &Around(true, [7, 3])),
            Some(expected),
            "two fields have any two numbers"
        );
        assert_ne!(hash(&questions, &Around(true, [5, 5])), Some(expected), "they are one field");
        assert_ne!(hash(&questions, &Around(false, [0, 1])), Some(expected), "it is not pure");
    }

    #[test]
    fn arguments_come_back_as_they_were() {
        let asked = Asked::new(Around(true, [0, 1]));
        let arguments = [
            Argument::Number(Number::Int(-1)),
            Argument::Text("ab".encode_utf16().collect()),
            Argument::Number(Number::Long(1 << 40)),
            Argument::Text(Vec::new()),
        ];
        let call = member(b"A", MemberKind::Method);
        assert_eq!(asked.run_ahead(b"C", &call, &arguments), Some(Number::Int(7)));
        let mut hasher = rustc_hash::FxHasher::default();
        Some(Number::Int(7)).hash(&mut hasher);
        assert_eq!(hash(&asked.questions(), &Around(true, [0, 1])), Some(hasher.finish()));
    }

    #[test]
    fn what_is_no_question_has_no_answer() {
        let asked = Asked::new(Around(true, [0, 1]));
        asked.raises(b"C", &member(b"A", MemberKind::Method));
        let question = asked.questions().remove(0);
        for end in 0..question.len() {
            assert_eq!(hash(&[question[..end].into()], &Around(true, [0, 1])), None, "{end}");
        }
        assert_eq!(hash(&[b"\x09"[..].into()], &Around(true, [0, 1])), None);
    }
}

//! Descriptors of which more is known than a log prints.
//!
//! The text of an allocation does not say of which class the object is, that of a copy not what the items are, that of a call
//! not what the function touches. Where something else tells, in the trace or beside it, the descriptor is one of its own,
//! whose name ends with what is known. In the text of a trace it is spelled as before.

use planish_base::Id;
use planish_ir::Symbol;
use planish_ir::module::{Descriptor, Module};
use planish_ops::world::{CallEffect, Content, Descr, Fresh, LookUp, Meaning};

use crate::declare;
use crate::descr::{Use, Vocabulary, made, printed, unconditional};
use crate::facts::Touched;
use crate::spared::Alone;
use crate::text::{Text, Texts};

impl Vocabulary {
    /// The descriptor of an allocation whose text does not say of which class the object is, though that is known.
    pub(crate) fn allocation(&self, module: &mut Module, word: &str, text: &str, class: Content) -> Descr {
        let name = match class {
            Content::Symbol(symbol) => {
                format!("{word} {text} of class {}", module.symbols.get(Symbol::from_index(symbol as usize)))
            }
            other => format!("{word} {text} of class {other:?}"),
        };
        let descr = module.descriptors.intern(name, || Descriptor::Class);
        module.descriptors.set_fresh(descr, Fresh { class: Some(class), cleared: true });
        descr
    }

    /// The descriptor of a call that copies items of an array, of which its text does not say what they are.
    pub(crate) fn copy(
        &mut self,
        module: &mut Module,
        word: &str,
        text: &str,
        meaning: Meaning,
        items: &str,
    ) -> Descr {
        let array = self.descr_of(module, "", items, Use::Heap);
        let descr = module.descriptors.intern(format!("{word} {text} of items {items}"), || {
            let memory = Some(vec![self.alias(items)]);
            Descriptor::Callee(CallEffect {
                elidable: false,
                reads: memory.clone(),
                writes: memory,
                ..CallEffect::pure()
            })
        });
        module.descriptors.set_meaning(descr, meaning, false);
        module.descriptors.set_copied(descr, array);
        descr
    }

    /// The descriptor of a call of a function of which it is known what it reads and writes.
    pub(crate) fn function(
        &mut self,
        module: &mut Module,
        texts: &Texts,
        word: &'static str,
        (text, function): (Text, Text),
    ) -> Option<Descr> {
        if let Some(&known) = self.functions.get(&(word, text, function)) {
            return known;
        }
        let descr = self.function_of(module, word, texts.get(text), texts.get(function));
        self.functions.insert((word, text, function), descr);
        descr
    }

    fn function_of(
        &mut self,
        module: &mut Module,
        word: &'static str,
        text: &str,
        function: &str,
    ) -> Option<Descr> {
        let Touched { reads, writes } = self.facts.touched(function, text)?;
        let (reads, writes) = (self.classes(reads), self.classes(writes));
        let effect =
            CallEffect { reads, writes, invalidates: false, made: made(word), ..printed::callee(text) };
        let name = format!("{word} {text} of function {function}");
        let descr = module.descriptors.intern(name, || Descriptor::Callee(effect));
        if let Some(look_up) = self.look_up(word, text) {
            module.descriptors.set_look_up(descr, look_up);
        }
        if let Some(word) = unconditional(word)
            && let Some(call) = self.function_of(module, word, text, function)
        {
            module.descriptors.set_unconditional(descr, call);
        }
        Some(descr)
    }

    /// The descriptor of a call of which only is known that it leaves something alone.
    pub(crate) fn sparing(
        &mut self,
        module: &mut Module,
        texts: &Texts,
        word: &'static str,
        text: Text,
        alone: &Alone,
    ) -> Option<Descr> {
        let text = texts.get(text).as_str();
        let is_plain = word.strip_prefix("call_may_force_").or_else(|| word.strip_prefix("call_"));
        let is_plain = matches!(is_plain, Some("i" | "r" | "f" | "n")) || unconditional(word).is_some();
        if !is_plain || !text.ends_with('>') || declare::printed_meaning(text).is_some() {
            return None;
        }
        let fields: Vec<&str> = alone.fields.iter().map(|&field| texts.get(field).as_str()).collect();
        let mut writes = None;
        if !fields.is_empty() {
            // The log need not have the descriptors of virtual references.
            let [_, token, forced] = self.virtual_ref();
            let all = self.facts.all_but(&fields).into_iter().chain([token, forced]);
            writes = self.classes(Some(all.collect()));
        }
        let watched = if alone.watched { ["what guards watch"].as_slice() } else { &[] };
        let left: Vec<&str> = fields.iter().chain(watched).copied().collect();
        let besides = format!("of a function that leaves {} alone", left.join(", "));
        let known = printed::callee(text);
        let effect = CallEffect { writes, invalidates: known.invalidates && !alone.watched, ..known };
        let mut call = |word: &str| {
            let effect = CallEffect { made: made(word), ..effect.clone() };
            module.descriptors.intern(format!("{word} {text} {besides}"), || Descriptor::Callee(effect))
        };
        let (descr, plain) = (call(word), unconditional(word).map(call));
        if let Some(plain) = plain {
            module.descriptors.set_unconditional(descr, plain);
        }
        if let Some(look_up) = self.look_up(word, text) {
            module.descriptors.set_look_up(descr, look_up);
        }
        Some(descr)
    }

    /// What a call looks into, if it looks a key up in a dictionary and leaves what dictionaries hold as it is.
    ///
    /// A log does not print what PyPy knows of such a call (`extradescrs`: the entries of this kind of dictionary); there it is
    /// the memory of dictionaries of every kind, as far as the log has it, and in a text by itself any memory.
    pub(crate) fn look_up(&mut self, word: &str, text: &str) -> Option<LookUp> {
        if word != "call_i" {
            return None;
        }
        if let Some(callee) = self.header().calls.get(self.header().resolve(text)) {
            if callee.oopspec.as_deref() != Some("dict_lookup") {
                return None;
            }
            let (into, writes) = (callee.reads.clone(), callee.writes.clone());
            let look_up = LookUp { into: self.classes(into) };
            let writes = self.classes(writes)?;
            return (!look_up.minds(Some(&writes))).then_some(look_up);
        }
        if !printed::looks_up(text) {
            return None;
        }
        let into = self.facts.dictionaries();
        Some(LookUp { into: self.classes(into) })
    }
}

//! Pipelines as data: steps in order, from text or put together by hand.
//!
//! What the engine does in its walk is chosen by *names* (`intbounds`, `rewrite`, `pure`, `dead`): neighbours in a
//! pipeline are features of one walk and not walks of their own. Everything else is a [`Pass`] of the
//! [`registry`](super::registry), or one of the user's ([`Pipeline::push`]).
//!
//! ```text
//! intbounds:rewrite:pure:dead:loop-unroll,rounds=4,growth=100:simplify-cfg
//! ```

use std::fmt;
use std::sync::Arc;

use planish_ir::Form;
use planish_pass::{ModulePass, Pass, PassInfo};

use super::registry::{ALIASES, FOR_GRAPHS, MODULE_PASSES, PASSES, WALKING, infos};
use crate::engine::config::Features;

/// The passes that make functions larger and are not done for a function before it is known which of its calls stay.
const GROWING: [&str; 2] = ["dfa-jump-threading", "loop-rotate"];

/// The passes behind which nothing makes a function smaller that was not so before.
const LATE: [&str; 3] = ["loop-unroll", "loop-peel", "loop-unswitch"];

/// Steps in order, for functions of one form.
#[derive(Clone)]
pub struct Pipeline {
    form: Form,
    steps: Vec<Step>,
}

/// One step of a pipeline.
#[derive(Clone)]
pub struct Step {
    /// The name in reports: of a walk, those of its parts joined with `+`.
    pub name: String,
    /// What is done.
    pub what: What,
    /// The options that are set, by name.
    pub options: Vec<(&'static str, u64)>,
}

impl Step {
    /// Whether a function that this step leaves as it is stays as it is by the other one, too. Nothing is known of passes of the
    /// user's, and a walk that peels a loop does more than to rewrite.
    pub(super) fn does_the_same(&self, other: &Step) -> bool {
        let is_known = match &self.what {
            What::Walk(features) => !features.peel,
            What::Pass(_) => true,
            What::Own(_) | What::Module(_) => false,
        };
        is_known && (&self.name, &self.options) == (&other.name, &other.options)
    }
}

/// What a step does.
#[derive(Clone)]
pub enum What {
    /// A walk of the engine.
    Walk(Features),
    /// A pass of the registry.
    Pass(&'static dyn Pass),
    /// A pass of the user's.
    Own(Arc<dyn Pass>),
    /// A pass over the whole module.
    Module(&'static ModulePass),
}

/// A pipeline cannot be: what it names is not there, or cannot be done.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum PipelineError {
    /// There is no pass of this name.
    Unknown(String),
    /// The pass does not take functions of the form.
    Form {
        /// Its name.
        pass: String,
        /// The forms that it takes.
        takes: &'static [Form],
        /// The form of the functions.
        form: Form,
    },
    /// The pass has no such option, or the option no such value.
    Option {
        /// Its name.
        pass: String,
        /// What was said.
        said: String,
        /// The options that it has.
        has: Vec<&'static str>,
    },
}

/// What functions of a form are called.
fn plural(form: Form) -> &'static str {
    match form {
        Form::Trace => "traces",
        Form::Cfg => "control-flow graphs",
        Form::Structured => "structured functions",
    }
}

impl fmt::Display for PipelineError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            PipelineError::Unknown(name) => {
                write!(f, "there is no pass `{name}`; the passes are ")?;
                let mut names: Vec<&str> = infos().map(|info| info.name).collect();
                names.dedup();
                f.write_str(&names.join(", "))
            }
            PipelineError::Form { pass, takes, form } => {
                let takes: Vec<&str> = takes.iter().map(|&form| plural(form)).collect();
                write!(f, "pass `{pass}` works on {} and not on {}", takes.join(" and "), plural(*form))?;
                match FOR_GRAPHS.iter().find(|(trace, _)| trace == pass) {
                    Some((_, graph)) if *form == Form::Cfg => write!(f, "; there, `{graph}` does that"),
                    _ => Ok(()),
                }
            }
            PipelineError::Option { pass, said, has } if has.is_empty() => {
                write!(f, "pass `{pass}` has no options, but was given `{said}`")
            }
            PipelineError::Option { pass, said, has } => {
                write!(f, "`{said}` is no option of pass `{pass}`; it has {}, each a number", has.join(", "))
            }
        }
    }
}

impl std::error::Error for PipelineError {}

impl Pipeline {
    /// What is run when nothing is asked for, on control-flow graphs that keep their shape.
    pub const CFG: &'static str =
        "intbounds:rewrite:pure:dead:simplify-cfg:intbounds:rewrite:pure:dead:simplify-cfg";
    /// What is run on bytecode, where what has many instructions is not better for executing few of them.
    pub const BYTECODE: &'static str = "intbounds:rewrite:pure:dead:simplify-cfg:\
        jump-threading,size=1:branch-on-phi:dfa-jump-threading:if-conversion:load-elimination:loop-deletion,cost=6:\
        intbounds:rewrite:pure:dead:simplify-cfg:gcm,calls=0:simplify-cfg";
    /// What is run when nothing is asked for, on programs whose control flow may change its shape.
    pub const PROGRAM: &'static str = "tail-recursion:devirtualize:inline:call-effects:\
        intbounds:rewrite:pure:dead:simplify-cfg:\
        sroa:bulk-expansion:load-elimination:dfa-jump-threading:region-sinking:branch-folding:if-conversion:jump-threading:simplify-cfg:gvn:region-numbering:loop-versioning:indvars:loop-idiom:bulk-expansion:loop-deletion:loop-rotate:\
        intbounds:rewrite:pure:dead:simplify-cfg:\
        loop-unroll:intbounds:rewrite:pure:dead:simplify-cfg:sroa:load-elimination:jump-threading:if-conversion:loop-unroll:\
        intbounds:rewrite:pure:dead:simplify-cfg:bit-idioms:gcm:scalar-promotion:loop-invariant-loads:load-elimination:\
         loop-peel:gvn:indvars:loop-unswitch:pre:strength-reduction:demanded-bits:narrowing:linear-maps:store-merging:overflow-idioms:\
         intbounds:rewrite:pure:dead:simplify-cfg:code-hoisting:gcm:region-sinking:switch-formation:simplify-cfg:switch-to-lookup:simplify-cfg";
    /// What is run behind the rest where a dialect made operations of what it can only say by them.
    pub const LEGALIZED: &'static str = "pure:dead:gcm:simplify-cfg";
    /// What is run when nothing is asked for, on traces.
    pub const TRACE: &'static str = "intbounds:rewrite:virtualize:string:pure:heap:dead";
    /// What PyPy's optimizer does on traces: operations that nothing uses stay.
    pub const PYPY: &'static str = "intbounds:rewrite:virtualize:string:pure:heap:plain";

    /// A pipeline without steps, for functions of a form.
    pub fn new(form: Form) -> Pipeline {
        Pipeline { form, steps: Vec::new() }
    }

    /// The pipeline of names divided by colons, each with its options behind commas; neighbours that are parts of the
    /// walk are one walk.
    pub fn parse(text: &str, form: Form) -> Result<Pipeline, PipelineError> {
        let mut pipeline = Pipeline::new(form);
        for step in text.split(':').map(str::trim).filter(|step| !step.is_empty()) {
            let alias = ALIASES.iter().find(|(alias, _)| *alias == step);
            pipeline.add(alias.map_or(step, |(_, means)| means))?;
        }
        Ok(pipeline)
    }

    /// Adds the step that a text says.
    fn add(&mut self, text: &str) -> Result<(), PipelineError> {
        let mut words = text.split(',').map(str::trim);
        let name = words.next().unwrap_or_default();
        // Where two passes have a name, it means the one that takes the form.
        let form = self.form;
        let takes = |info: &PassInfo| info.is_called(name) && info.forms.contains(&form);
        if let Some(walking) = WALKING.iter().find(|walking| takes(&walking.info)) {
            if let Some(said) = words.next() {
                return Err(PipelineError::Option {
                    pass: name.to_owned(),
                    said: said.to_owned(),
                    has: Vec::new(),
                });
            }
            self.push_walk(walking.info.name, walking.features);
            return Ok(());
        }
        let (info, what) = if let Some(pass) = PASSES.iter().find(|pass| takes(pass.info())) {
            (pass.info(), What::Pass(*pass))
        } else if let Some(pass) = MODULE_PASSES.iter().find(|pass| takes(&pass.info)) {
            (&pass.info, What::Module(pass))
        } else {
            return Err(match infos().find(|info| info.is_called(name)) {
                Some(info) => PipelineError::Form { pass: info.name.to_owned(), takes: info.forms, form },
                None => PipelineError::Unknown(name.to_owned()),
            });
        };
        let options = words.map(|word| option(info, word)).collect::<Result<_, _>>()?;
        self.steps.push(Step { name: info.name.to_owned(), what, options });
        Ok(())
    }

    fn push_walk(&mut self, part: &str, more: Features) {
        if let Some(Step { name, what: What::Walk(features), .. }) = self.steps.last_mut() {
            name.push('+');
            name.push_str(part);
            *features = features.with(more);
        } else {
            self.steps.push(Step { name: part.to_owned(), what: What::Walk(more), options: Vec::new() });
        }
    }

    /// Adds a pass at the end, which may be the user's own. The error says that it does not take the form.
    pub fn push(&mut self, pass: Arc<dyn Pass>) -> Result<(), PipelineError> {
        let info = pass.info();
        if !info.forms.contains(&self.form) {
            let (pass, takes) = (info.name.to_owned(), info.forms);
            return Err(PipelineError::Form { pass, takes, form: self.form });
        }
        self.steps.push(Step { name: info.name.to_owned(), what: What::Own(pass), options: Vec::new() });
        Ok(())
    }

    /// Adds the steps of a text at the end, as [`parse`](Self::parse) reads it; nothing is added where it is wrong.
    pub fn append(&mut self, text: &str) -> Result<(), PipelineError> {
        for step in Pipeline::parse(text, self.form)?.steps {
            match step.what {
                What::Walk(features) => self.push_walk(&step.name, features),
                _ => self.steps.push(step),
            }
        }
        Ok(())
    }

    /// The form of the functions that it is for.
    pub fn form(&self) -> Form {
        self.form
    }

    /// What the engine does, if the pipeline is one walk that needs no more than one look at each operation.
    pub fn as_one_walk(&self) -> Option<Features> {
        match self.steps.as_slice() {
            [Step { what: What::Walk(features), .. }] if !features.peel => Some(*features),
            _ => None,
        }
    }

    /// The steps.
    pub fn steps(&self) -> &[Step] {
        &self.steps
    }

    /// The steps that a function goes through when it is simplified for those that call it: what makes functions larger is
    /// left for when it is known which calls stay.
    pub(super) fn simplifying(&self) -> impl Iterator<Item = &Step> {
        let steps = self.of_module_and_functions().1.iter();
        steps
            .take_while(|step| !LATE.contains(&step.name.as_str()))
            .filter(|step| !GROWING.contains(&step.name.as_str()))
    }

    /// The steps up to the last one over modules, and those behind, which see one function each.
    pub fn of_module_and_functions(&self) -> (&[Step], &[Step]) {
        let is_module = |step: &Step| matches!(step.what, What::Module(_));
        self.steps.split_at(self.steps.iter().rposition(is_module).map_or(0, |last| last + 1))
    }
}

/// The option of a pass that a word of a pipeline sets.
fn option(info: &PassInfo, word: &str) -> Result<(&'static str, u64), PipelineError> {
    let set = word.split_once('=').and_then(|(name, value)| {
        let option = info.options.iter().find(|option| option.name == name)?;
        Some((option.name, value.parse().ok()?))
    });
    set.ok_or_else(|| PipelineError::Option {
        pass: info.name.to_owned(),
        said: word.to_owned(),
        has: info.options.iter().map(|option| option.name).collect(),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn refused(text: &str, form: Form) -> String {
        Pipeline::parse(text, form).err().expect("it is refused").to_string()
    }

    #[test]
    fn neighbours_are_one_walk_and_old_names_are_aliases() {
        let pipeline = Pipeline::parse("intbounds:rewrite:tidy:flags:dead", Form::Cfg).expect("passes");
        let names: Vec<&str> = pipeline.steps().iter().map(|step| step.name.as_str()).collect();
        assert_eq!(names, ["intbounds+rewrite", "simplify-cfg", "jump-threading", "dead"]);
        assert_eq!(pipeline.steps()[2].options, [("size", 1)]);
    }

    #[test]
    fn a_name_of_two_passes_means_the_one_that_takes_the_form() {
        let name = |form| Pipeline::parse("unroll", form).expect("a pass").steps()[0].name.clone();
        assert_eq!((name(Form::Trace), name(Form::Cfg)), ("unroll".to_owned(), "loop-unroll".to_owned()));
    }

    #[test]
    fn what_cannot_be_is_said() {
        assert!(refused("gvm", Form::Cfg).starts_with("there is no pass `gvm`"));
        assert_eq!(
            refused("loop-rotate", Form::Trace),
            "pass `loop-rotate` works on control-flow graphs and not on traces"
        );
        assert_eq!(
            refused("rewrite:heap", Form::Cfg),
            "pass `heap` works on traces and not on control-flow graphs; there, `load-elimination` does that"
        );
        assert_eq!(
            refused("loop-unroll,rounds=x", Form::Cfg),
            "`rounds=x` is no option of pass `loop-unroll`; it has rounds, growth, total, each a number"
        );
        assert_eq!(refused("dead,x", Form::Cfg), "pass `dead` has no options, but was given `x`");
    }
}

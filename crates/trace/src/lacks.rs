//! What the text of a log lacks: the reasons for which PyPy, which has the trace in memory, may know more than whoever
//! reads it.
//!
//! Where more is left of a trace than PyPy left, something stands in what is left that shows why: a guard on the class
//! of a fresh object, say, whose class is not printed. Each [`Lack`] is looked for as the operation that would not stand
//! there if the text said it. A trace with more operations and no such sign is a trace to look into.

use planish_base::SideTable;

use crate::descr::FORCES_FRAME;
use crate::facts::Known;
use crate::opcode::{Kind, Opcode};
use crate::stats::{Class, Shape};
use crate::text::{Arg, OpData, Texts, Trace, Var};

/// A fact that a log does not print.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Lack {
    /// Whether two constant objects are one.
    ConstantIdentity,
    /// The class and the contents of a constant object, and what calls on constants give.
    ConstantContents,
    /// The class of a fresh object.
    AllocatedClass,
    /// Which fields a call reads and writes.
    CallEffects,
    /// What the parent of a bridge knows of values that the guard does not hand over.
    ParentFacts,
    /// Which objects the loop that is jumped to takes apart.
    TargetState,
    /// All digits of floats.
    FloatDigits,
    /// How wide a field is.
    FieldSizes,
    /// The addresses of functions that the trace does not call.
    OtherFunctions,
    /// Which lists are of one type: a function that is known by its name touches those of its own.
    ListTypes,
}

impl Lack {
    /// All of them.
    pub const ALL: [Lack; 10] = [
        Lack::ConstantIdentity,
        Lack::ConstantContents,
        Lack::AllocatedClass,
        Lack::CallEffects,
        Lack::ParentFacts,
        Lack::TargetState,
        Lack::FloatDigits,
        Lack::FieldSizes,
        Lack::OtherFunctions,
        Lack::ListTypes,
    ];

    /// What is lacking, in a few words.
    pub fn words(self) -> &'static str {
        match self {
            Lack::ConstantIdentity => "whether two constant objects are one",
            Lack::ConstantContents => "class and contents of constant objects",
            Lack::AllocatedClass => "the class of a fresh object",
            Lack::CallEffects => "what a call reads and writes",
            Lack::ParentFacts => "what is known where the bridge begins",
            Lack::TargetState => "what the loop that is entered takes apart",
            Lack::FloatDigits => "all digits of floats",
            Lack::FieldSizes => "how wide fields are",
            Lack::OtherFunctions => "addresses of other functions",
            Lack::ListTypes => "which lists are of one type",
        }
    }
}

/// Whether PyPy's effect of a call of a raw trace is one of those that forget the heap unless sets of fields are known.
fn effect_sets_matter(trace: &Trace, texts: &Texts, facts: &Known) -> bool {
    trace.ops.iter().any(|op| {
        let text = op.descr.map_or("", |descr| texts.get(descr));
        !text.ends_with(FORCES_FRAME)
            && [" EF=2", " EF=5"].iter().any(|effect| text.contains(effect))
            && !facts.knows_call(trace, op, texts)
    })
}

/// Whether a raw trace ends with a jump to a loop that exists.
fn enters_another_loop(trace: &Trace, texts: &Texts) -> bool {
    trace.ops.last().and_then(|op| op.descr).is_some_and(|descr| {
        let text = texts.get(descr);
        text.starts_with("<Loop") && text != "<Loop-1>"
    })
}

/// Whether a raw trace says enough that no more operations should be left of it than PyPy left: nothing is called whose
/// effects are neither printed nor known, and nothing is known of another loop.
pub(crate) fn says_enough(raw: &Trace, texts: &Texts, facts: &Known) -> bool {
    !effect_sets_matter(raw, texts, facts) && !enters_another_loop(raw, texts)
}

/// What the text lacks, as what is left of a trace shows it; in the order of [`Lack::ALL`].
pub(crate) fn lacks(
    raw: &Trace,
    left: &Trace,
    shape: Option<Shape>,
    texts: &Texts,
    facts: &Known,
) -> Vec<Lack> {
    let mut signs = Signs::of(left, texts, facts);
    if effect_sets_matter(raw, texts, facts) {
        signs.found.push(Lack::CallEffects);
    }
    if enters_another_loop(raw, texts) && signs.allocates {
        signs.found.push(Lack::TargetState);
    }
    if shape == Some(Shape::Bridge) && signs.asks_inputs {
        signs.found.push(Lack::ParentFacts);
    }
    signs.found.sort_unstable();
    signs.found.dedup();
    signs.found
}

/// What stands in a trace that more knowledge would remove.
struct Signs {
    found: Vec<Lack>,
    allocates: bool,
    /// Whether a guard or a load asks for what a parent may know.
    asks_inputs: bool,
    /// The lists that functions touch which are known by their names.
    touched: Vec<Arg>,
}

impl Signs {
    fn of(trace: &Trace, texts: &Texts, facts: &Known) -> Signs {
        let mut signs =
            Signs { found: Vec::new(), allocates: false, asks_inputs: false, touched: Vec::new() };
        let mut made: SideTable<Var, Option<OpData>> = SideTable::new();
        for op in &trace.ops {
            signs.look(op, trace, texts, &made);
            signs.lists(op, trace, texts, facts);
            if let Some(result) = op.result {
                made[result] = Some(*op);
            }
        }
        signs
    }

    /// All lists print the same fields, whatever they are of.
    fn lists(&mut self, op: &OpData, trace: &Trace, texts: &Texts, facts: &Known) {
        let args = trace.args(op);
        if facts.knows_call(trace, op, texts) {
            self.touched.extend(
                args.iter().find(|arg| matches!(arg, Arg::Var(var) if trace.vars[*var].kind == Kind::Ref)),
            );
        }
        let text = op.descr.map_or("", |descr| texts.get(descr).as_str());
        let is_list = text
            .strip_prefix("<Field")
            .is_some_and(|rest| rest.get(1..).is_some_and(|rest| rest.starts_with(" list.")));
        if is_list
            && Class::of(op, trace, texts) == Class::Load
            && args.first().is_some_and(|base| !self.touched.contains(base))
            && !self.touched.is_empty()
        {
            self.found.push(Lack::ListTypes);
        }
    }

    fn look(&mut self, op: &OpData, trace: &Trace, texts: &Texts, made: &SideTable<Var, Option<OpData>>) {
        let (name, args, class) = (trace.op_name(op, texts), trace.args(op), Class::of(op, trace, texts));
        let maker = |arg: &Arg| match arg {
            Arg::Var(var) => made[*var],
            _ => None,
        };
        let makes =
            |arg: &Arg, word: &str| maker(arg).is_some_and(|op| op.opcode.map(Opcode::name) == Some(word));
        let object = |arg: &Arg| matches!(arg, Arg::Ptr(_));
        let constant = |arg: &Arg| !matches!(arg, Arg::Var(_) | Arg::Hole | Arg::Raw(_));
        self.allocates |= class == Class::Allocation;
        let compares = matches!(name, "ptr_eq" | "ptr_ne" | "instance_ptr_eq" | "instance_ptr_ne");
        match args {
            [x, y] if (compares || name == "guard_value") && constant(x) && object(y) => {
                self.found.push(Lack::ConstantIdentity);
            }
            // Objects of different classes are different.
            [x, y] if compares && (object(x) || object(y)) => self.found.push(Lack::ConstantContents),
            // The value that comes next would say the class.
            [Arg::Var(_), _] if name == "guard_value" => {
                let guarded = |other: &OpData| {
                    trace.args(other).first() == args.first()
                        && matches!(
                            trace.op_name(other, texts),
                            "guard_class" | "guard_nonnull_class" | "guard_nonnull"
                        )
                };
                if object(&args[1]) && trace.ops.iter().any(guarded) {
                    self.found.push(Lack::ConstantContents);
                }
            }
            [x, ..] if class == Class::Load && object(x) => self.found.push(Lack::ConstantContents),
            [x, ..] if name.starts_with("guard_") && object(x) => self.found.push(Lack::ConstantContents),
            [x, _]
                if name.starts_with("guard_") && name.ends_with("class") && makes(x, "new_with_vtable") =>
            {
                self.found.push(Lack::AllocatedClass);
            }
            _ => {}
        }
        if class == Class::Call && !args.is_empty() && args.iter().all(constant) {
            self.found.push(Lack::ConstantContents);
        }
        if class == Class::Float && args.iter().any(|arg| matches!(arg, Arg::Float(_))) {
            self.found.push(Lack::FloatDigits);
        }
        let narrow = |arg: &Arg| {
            maker(arg).is_some_and(|op| {
                op.descr.is_some_and(|descr| texts.get(descr).starts_with("<FieldU "))
                    && Class::of(&op, trace, texts) == Class::Load
            })
        };
        if class == Class::Int && args.iter().any(narrow) {
            self.found.push(Lack::FieldSizes);
        }
        let text = op.descr.map_or("", |descr| texts.get(descr).as_str());
        if class == Class::Call
            && [" OS=24>", " OS=44>", " OS=23>", " OS=43>"].iter().any(|os| text.ends_with(os))
        {
            self.found.push(Lack::OtherFunctions);
        }
        let unmade = args.first().is_some_and(|arg| matches!(arg, Arg::Var(_)));
        self.asks_inputs |= unmade
            && (class == Class::Load
                || matches!(name, "guard_class" | "guard_nonnull_class" | "guard_nonnull"));
    }
}

#[cfg(test)]
mod tests {
    use planish_base::diag::SourceText;

    use super::*;
    use crate::facts::Facts;
    use crate::read;

    #[test]
    fn lists_of_other_types_are_touched_by_name() {
        let load = "i2 = getfield_gc_i(p0, descr=<FieldS list.length 8>)";
        let pop = "call_i(ConstClass(ll_pop_zero__dum_nocheckConst_listPtr), p1, descr=<Calli 8 r EF=5>)";
        let source = |lines: &str| SourceText::new("t", format!("[p0, p1]\n{lines}\nfinish(p0)\n"));
        let of = |lines: &str| {
            let (file, _) = read::read(&source(lines));
            let (trace, facts) = (&file.sections[0].trace, Known::of(Facts::runtime(), &file.texts));
            lacks(trace, trace, None, &file.texts, &facts)
        };
        assert_eq!(of(&format!("i3 = {pop}\n{load}")), [Lack::ListTypes]);
        assert_eq!(of(&format!("i3 = {pop}\n{}", load.replace("p0", "p1"))), []);
        assert_eq!(of(&format!("{load}\ni3 = {pop}")), []);
    }

    fn found(raw: &str, left: &str, shape: Option<Shape>) -> Vec<Lack> {
        let section = |name: &str, ops: &str| format!("#! section {name}\n[p0, i1]\n{ops}\nfinish(p0)\n");
        let source = SourceText::new("t", section("raw", raw) + &section("left", left));
        let (file, diagnostics) = read::read(&source);
        assert!(!diagnostics.has_errors(), "{}", diagnostics.render(&source));
        lacks(&file.sections[0].trace, &file.sections[1].trace, shape, &file.texts, &Known::default())
    }

    #[test]
    fn what_is_left_shows_what_the_text_lacks() {
        let class = "p2 = new_with_vtable(descr=<SizeDescr 16>)\nguard_class(p2, ConstClass(A)) []";
        assert_eq!(found("", class, None), [Lack::AllocatedClass]);
        assert_eq!(found("", "guard_value(ConstPtr(a), ConstPtr(b)) []", None), [Lack::ConstantIdentity]);
        assert_eq!(found("", "i2 = int_add(i1, 1)", None), []);
        assert_eq!(found("", "guard_class(p0, ConstClass(A)) []", Some(Shape::Bridge)), [Lack::ParentFacts]);
        assert_eq!(found("", "guard_class(p0, ConstClass(A)) []", Some(Shape::Entry)), []);
        assert_eq!(found("call_n(1, descr=<Callv 0  EF=5>)", "", None), [Lack::CallEffects]);
    }
}

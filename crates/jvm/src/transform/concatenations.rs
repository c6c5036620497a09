//! Library call folding of string concatenation (JEP 280, `makeConcatWithConstants`): call sites and the constants that
//! they get.
//!
//! Since Java 9, compilers write `"a" + b` as a call site whose recipe is a text with a mark for each argument. An
//! argument that is constant by now becomes part of the recipe; so does the number in `String.valueOf(i)`, without the
//! text between. A concatenation that is only an argument of another one becomes part of that.
//!
//! A concatenation of texts and numbers that nobody needs goes.
//!
//! What is concatenated is a fresh text each time, so one argument stays where all are constant: a site without any
//! gives the same text whenever it runs. Arguments whose own `toString` runs keep their place among what else happens.

use hashbrown::{HashMap, HashSet};
use planish_base::SideTable;
use planish_classfile::attribute::BootstrapMethod;
use planish_classfile::descriptor::MethodType;
use planish_classfile::{Constant, ConstantPool, Insn, Opcode, Operand};
use planish_ir::liveness::for_each_use;
use planish_ir::{Const, Def, Function, Inst, Stands, Value};
use planish_jvm_ir::naming::Names;
use planish_jvm_model::bootstraps::Bootstraps;
use planish_ops::{Op, Type};
use planish_pass::{Became, Leave};
use rustc_hash::FxBuildHasher;

use crate::transform::contents::{number_in, text_of};

/// The method that links such call sites.
const MAKER: (&[u8], &[u8]) = (b"java/lang/invoke/StringConcatFactory", b"makeConcatWithConstants");

/// The mark of an argument in a recipe.
const ARGUMENT: u8 = 1;

/// The mark of a constant beside the recipe.
const CONSTANT: u8 = 2;

/// How many slots the arguments of a call site may take.
const MOST_SLOTS: u32 = 200;

/// The longest recipe that is made.
const LONGEST: usize = 4_000;

/// The type of what is concatenated.
const TEXT: &[u8] = b"Ljava/lang/String;";

/// A part of what is concatenated.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Piece {
    /// A text.
    Text(Vec<u8>),
    /// What an argument says, and its type.
    Argument(Value, Box<[u8]>),
    /// What a constant of the class says that is no part of the recipe.
    Constant(u16),
}

/// A call site of concatenation.
#[derive(Clone)]
struct Site {
    inst: Inst,
    /// The constant of the method that links it.
    handle: u16,
    /// In order.
    pieces: Vec<Piece>,
}

impl Site {
    /// The call site that an instruction is, if it is one of these.
    fn of(
        f: &Function,
        inst: Inst,
        bootstraps: &Bootstraps,
        names: &Names,
        pool: &ConstantPool<'_>,
    ) -> Option<Site> {
        let insn = names.instruction_of(f, inst)?;
        let (Opcode::Invokedynamic, &Operand::Constant(site)) = (insn.op, &insn.operand) else { return None };
        let (number, _, descriptor) = pool.dynamic(site).ok()?;
        let bootstrap = bootstraps.get(number)?;
        let Constant::MethodHandle(6, maker) = pool.get(bootstrap.handle).ok()? else { return None };
        let maker = pool.member(maker).ok()?;
        ((maker.class, maker.name) == MAKER).then_some(())?;
        let (&recipe, constants) = bootstrap.arguments.split_first()?;
        let ty = MethodType::parse(descriptor)?;
        (ty.result()?.class_name()? == b"java/lang/String").then_some(())?;
        let (mut types, mut values, mut constants) = (ty.parameters(), f.args(inst).iter(), constants.iter());
        let mut pieces = Pieces::default();
        for &byte in pool.string(recipe).ok()? {
            match byte {
                ARGUMENT => {
                    let mut text = Vec::new();
                    types.next()?.write(&mut text);
                    pieces.0.push(Piece::Argument(*values.next()?, text.into()));
                }
                CONSTANT => pieces.0.push(Piece::Constant(*constants.next()?)),
                _ => pieces.push_text(&[byte]),
            }
        }
        let is_whole = types.next().is_none() && values.next().is_none() && constants.next().is_none();
        is_whole.then_some(Site { inst, handle: bootstrap.handle, pieces: pieces.0 })
    }

    /// Whether it may be made at any later time: texts and numbers say the same then.
    fn is_timeless(&self) -> bool {
        self.pieces.iter().all(|piece| match piece {
            Piece::Argument(_, ty) => ty.len() == 1 || &ty[..] == TEXT,
            _ => true,
        })
    }

    /// The slots that its arguments take.
    fn slots(&self) -> u32 {
        let slots = |piece: &Piece| match piece {
            Piece::Argument(_, ty) if matches!(&ty[..], b"J" | b"D") => 2,
            Piece::Argument(..) => 1,
            _ => 0,
        };
        self.pieces.iter().map(slots).sum()
    }

    /// The bytes of its constants and its row: two texts of three bytes more, a string, a name with its type, a site.
    fn size(&self) -> u64 {
        let types = |piece: &Piece| if let Piece::Argument(_, ty) = piece { ty.len() } else { 0 };
        let types: usize = self.pieces.iter().map(types).sum();
        (2 * 3 + 3 + 5 + 5 + 6 + self.recipe_len() + types + 2 + TEXT.len()) as u64
    }

    /// The bytes of its recipe.
    fn recipe_len(&self) -> usize {
        let len = |piece: &Piece| if let Piece::Text(text) = piece { text.len() } else { 1 };
        self.pieces.iter().map(len).sum()
    }
}

/// What became of call sites.
#[derive(Clone, Copy, Default)]
pub struct Folded {
    /// How many went, or have others in their place.
    pub sites: u64,
    /// The bytes of what a class has for them: they go, unless other bodies have the same.
    pub bytes: u64,
}

/// Parts of what is concatenated, texts beside each other being one.
#[derive(Default)]
struct Pieces(Vec<Piece>);

impl Pieces {
    fn push_text(&mut self, more: &[u8]) {
        match self.0.last_mut() {
            _ if more.is_empty() => {}
            Some(Piece::Text(text)) => text.extend_from_slice(more),
            _ => self.0.push(Piece::Text(more.to_vec())),
        }
    }

    fn push(&mut self, piece: Piece) {
        match piece {
            Piece::Text(text) => self.push_text(&text),
            piece => self.0.push(piece),
        }
    }
}

/// Writes constants into the recipes of concatenations, and those that are only concatenated further into what they
/// are part of. O(size of the body and its texts).
pub fn fold_concatenations(
    f: &mut Function,
    bootstraps: &mut Bootstraps,
    names: &mut Names,
    pool: &mut ConstantPool<'_>,
    leave: &mut Leave<'_>,
) -> Folded {
    let mut folded = Folded::default();
    if bootstraps.is_empty() {
        return folded;
    }
    let mut uses: SideTable<Value, u32> = SideTable::new();
    for &block in f.blocks() {
        for_each_use(f, block, |_, value| uses[value] += 1);
    }
    let mut stands = Stands::default();
    for block in f.blocks().to_vec() {
        let old = f.block_insts(block).to_vec();
        let mut new = old.clone();
        let mut sites: HashMap<Value, Site, FxBuildHasher> = HashMap::default();
        let mut gone: HashSet<Inst, FxBuildHasher> = HashSet::default();
        for (place, &inst) in old.iter().enumerate() {
            let Some(mut site) = Site::of(f, inst, bootstraps, names, pool) else { continue };
            let size = site.size();
            let is_idle = uses[f.result(inst)] == 0 && site.is_timeless();
            if is_idle && leave.rewrite(f, inst, Became::Nothing) {
                gone.insert(inst);
                folded.sites += 1;
                folded.bytes += size;
                continue;
            }
            let merged = site.fold(f, (&sites, &uses), names, pool);
            if let Some(merged) = merged
                && leave.rewrite(f, inst, Became::Changed)
                && let Some(made) = site.build(f, bootstraps, names, pool)
            {
                stands.put(f.result(made), f.result(inst));
                (site.inst, new[place]) = (made, made);
                gone.extend(merged);
                folded.sites += 1;
                folded.bytes += size;
            }
            sites.insert(f.result(inst), site);
        }
        if new != old || !gone.is_empty() {
            new.retain(|inst| !gone.contains(inst));
            f.replace_insts(block, new);
        }
    }
    stands.write(f);
    folded
}

/// The call sites of a block so far by what they give, and how often values are used.
type Around<'s> = (&'s HashMap<Value, Site, FxBuildHasher>, &'s SideTable<Value, u32>);

impl Site {
    /// Makes fewer arguments of more text. The instructions that it takes the place of besides its own, or nothing if
    /// it stays what it is.
    fn fold(
        &mut self,
        f: &Function,
        around: Around<'_>,
        names: &Names,
        pool: &mut ConstantPool<'_>,
    ) -> Option<Vec<Inst>> {
        [true, false].into_iter().find_map(|merges| {
            let (parts, merged) = self.parts(f, around, merges, names, pool);
            let pieces = folded(f, parts, names, pool)?;
            let new = Site { pieces, ..*self };
            // Alone, a text would be given back as it is by early versions, a truth by all.
            let is_fresh = !matches!(&new.pieces[..], [Piece::Argument(_, ty)] if !gives_fresh_text(ty));
            let fits = new.slots() <= MOST_SLOTS && new.recipe_len() <= LONGEST;
            (new.pieces != self.pieces && is_fresh && fits).then(|| {
                *self = new;
                merged
            })
        })
    }

    /// Its pieces, with those of what is only an argument of it, if these are to be `merged`, and with numbers of which
    /// texts were made. Also the call sites that it takes the place of.
    fn parts(
        &self,
        f: &Function,
        (sites, uses): Around<'_>,
        merges: bool,
        names: &Names,
        pool: &ConstantPool<'_>,
    ) -> (Vec<Piece>, Vec<Inst>) {
        let (mut parts, mut merged) = (Vec::new(), Vec::new());
        for piece in &self.pieces {
            match piece {
                Piece::Argument(value, ty) if ty.len() > 1 => match (sites.get(value), f.def(*value)) {
                    (Some(site), _) if merges && uses[*value] == 1 && site.is_timeless() => {
                        parts.extend(site.pieces.iter().cloned());
                        merged.push(site.inst);
                    }
                    (None, Def::Result(inst, 0)) => parts.push(match number_in(f, inst, names, pool) {
                        Some((number, ty)) => Piece::Argument(number, [ty].into()),
                        None => piece.clone(),
                    }),
                    _ => parts.push(piece.clone()),
                },
                _ => parts.push(piece.clone()),
            }
        }
        (parts, merged)
    }

    /// An instruction that makes the same text. Nothing if the class has no more room for its constants.
    fn build(
        &self,
        f: &mut Function,
        bootstraps: &mut Bootstraps,
        names: &mut Names,
        pool: &mut ConstantPool<'_>,
    ) -> Option<Inst> {
        let (mut recipe, mut constants) = (Vec::new(), Vec::new());
        let (mut args, mut descriptor) = (Vec::new(), b"(".to_vec());
        for piece in &self.pieces {
            match piece {
                Piece::Text(text) => recipe.extend_from_slice(text),
                Piece::Argument(value, ty) => {
                    recipe.push(ARGUMENT);
                    args.push(*value);
                    descriptor.extend_from_slice(ty);
                }
                Piece::Constant(index) => {
                    recipe.push(CONSTANT);
                    constants.push(*index);
                }
            }
        }
        descriptor.push(b')');
        descriptor.extend_from_slice(TEXT);
        let mut arguments = vec![pool.add_string(&recipe).ok()?];
        arguments.append(&mut constants);
        let name_and_type = pool.add_name_and_type(MAKER.1, &descriptor).ok()?;
        let number = bootstraps.add(BootstrapMethod { handle: self.handle, arguments })?;
        let site = pool.add(Constant::InvokeDynamic(number, name_and_type)).ok()?;
        let descr = names.instruction(&Insn::constant(Opcode::Invokedynamic, site), pool);
        let data = *f.inst(self.inst);
        Some(f.make_inst(Op::Call, &args, &[Type::Ref], Some(descr), data.exit, data.location))
    }
}

/// Whether a text is made each time of what alone is concatenated: `true` and `NaN` have one for all.
fn gives_fresh_text(ty: &[u8]) -> bool {
    matches!(ty, b"B" | b"C" | b"I" | b"J" | b"S")
}

/// The pieces with texts in the place of arguments that are known; one argument stays, if there was any.
fn folded(f: &Function, parts: Vec<Piece>, names: &Names, pool: &mut ConstantPool<'_>) -> Option<Vec<Piece>> {
    let known = |part: &Piece| match part {
        Piece::Argument(value, ty) => says(f, *value, ty, names, pool),
        _ => None,
    };
    let mut texts: Vec<Option<Vec<u8>>> = parts.iter().map(known).collect();
    let is_argument = |part: &Piece| matches!(part, Piece::Argument(..));
    let stays = parts.iter().zip(&texts).any(|(part, text)| is_argument(part) && text.is_none());
    if !stays {
        let last = parts.iter().rposition(is_argument)?;
        texts[last] = None;
    }
    let mut pieces = Pieces::default();
    for (part, text) in parts.into_iter().zip(texts) {
        match text {
            // What looks like a mark is no part of a recipe.
            Some(text) if text.iter().any(|byte| matches!(*byte, ARGUMENT | CONSTANT)) => {
                pieces.push(Piece::Constant(pool.add_string(&text).ok()?));
            }
            Some(text) => pieces.push_text(&text),
            None => pieces.push(part),
        }
    }
    Some(pieces.0)
}

/// What an argument says, if that is known. An array that is null says so as any other object does.
fn says(f: &Function, value: Value, ty: &[u8], names: &Names, pool: &ConstantPool<'_>) -> Option<Vec<u8>> {
    match f.constant(value) {
        Some(Const::Null) => Some(b"null".to_vec()),
        _ => text_of(f, value, ty, names, pool),
    }
}

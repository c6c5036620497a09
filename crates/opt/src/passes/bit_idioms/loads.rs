//! Words that are loaded in parts.

use planish_base::SideTable;
use planish_ir::{Block, Function, Inst, Stands, Value};
use planish_ops::world::{Descr, World};
use planish_ops::{Effect, Op, Type};

use super::origins::{Origin, Origins};
use crate::analysis::alias::{Access, Alias, Place, Raw};
use crate::passes::insertions::Insertions;

/// How a word is loaded at once.
pub(in crate::passes) struct Plan {
    /// Base and offset of its first byte.
    pub address: [Value; 2],
    pub descr: Descr,
    /// How many bits are loaded.
    pub bits: u8,
    /// Whether the first byte is the highest.
    pub swapped: bool,
    /// The last one of the loads that it is made of.
    pub last: Inst,
}

/// A byte of memory that a byte of a word is.
#[derive(Clone, Copy)]
struct Byte {
    load: Inst,
    place: Place,
    at: i64,
}

impl Plan {
    /// The plan, if the bytes of a word follow each other in memory, and nothing writes there while they are loaded.
    pub fn of(
        f: &Function,
        world: &dyn World,
        homes: &SideTable<Inst, Option<(Block, u32)>>,
        origins: &Origins,
        width: u32,
    ) -> Option<Plan> {
        let alias = Alias { f, world };
        let bytes = bytes(&alias, origins, width)?;
        let count = i64::try_from(bytes.len()).ok()?;
        let (first, last) = (bytes[0], bytes[bytes.len() - 1]);
        let swapped = match last.at.wrapping_sub(first.at) {
            distance if distance == count - 1 => false,
            distance if distance == 1 - count => true,
            _ => return None,
        };
        let step = if swapped { -1 } else { 1 };
        let in_row = |(number, byte): (i64, &Byte)| {
            let alike = byte.place.class == first.place.class
                && (byte.place.object, byte.place.index) == (first.place.object, first.place.index);
            alike && byte.at == first.at.wrapping_add(step * number)
        };
        if !(0..).zip(&bytes).all(in_row) || bytes.iter().all(|byte| byte.load == first.load) {
            return None;
        }
        let lowest = if swapped { last } else { first };
        // It begins where one of the loads begins.
        if lowest.place.raw?.at != lowest.at {
            return None;
        }
        let raw = Raw { at: lowest.at, bytes: count };
        let place = Place { raw: Some(raw), ..lowest.place };
        let last = last_of(&alias, homes, &bytes, place)?;
        let bits = u8::try_from(8 * count).ok()?;
        let descr = world.raw_word(f.inst(lowest.load).descr?, bits)?;
        let args = f.args(lowest.load);
        Some(Plan { address: [args[0], args[1]], descr, bits, swapped, last })
    }

    /// What it costs.
    pub fn cost(&self, width: u32, price: impl Fn(Op) -> u32) -> u32 {
        let swap = if self.swapped { price(Op::Bswap) } else { 0 };
        let extend = if u32::from(self.bits) < width { price(Op::Zext) } else { 0 };
        price(Op::RawLoad).saturating_add(swap).saturating_add(extend)
    }

    /// Makes a word of a type: it is loaded where the last of its parts was, and swapped or extended in front of an operation.
    pub fn make(&self, f: &mut Function, made: &mut Insertions, in_front_of: Inst, ty: Type) -> Value {
        let loaded = Type::Int(self.bits);
        let mut value = made.make_of(f, self.last, Op::RawLoad, &self.address, loaded, Some(self.descr));
        if self.swapped {
            value = made.make(f, in_front_of, Op::Bswap, &[value], loaded);
        }
        if loaded != ty {
            value = made.make(f, in_front_of, Op::Zext, &[value], ty);
        }
        value
    }
}

/// The bytes of a word, without zeros above them, if each is a byte that is loaded: 2, 4 or 8.
fn bytes(alias: &Alias<'_>, origins: &Origins, width: u32) -> Option<Vec<Byte>> {
    let byte = |bits: &[Option<Origin>]| {
        let first = bits[0]?;
        let follows = |(number, origin): (u32, &Option<Origin>)| {
            origin.is_some_and(|origin| origin.of == first.of && origin.bit == first.bit + number)
        };
        if !first.bit.is_multiple_of(8) || !(0..).zip(bits).all(follows) {
            return None;
        }
        let f = alias.f;
        let load = f.def_inst(first.of).filter(|&inst| f.inst(inst).op == Op::RawLoad)?;
        let place = alias.place(load, &Stands::default())?;
        let raw = place.raw?;
        // Of an extension of what is stored nothing is in memory.
        let byte = i64::from(first.bit / 8);
        let at = raw.at.wrapping_add(byte);
        (byte < raw.bytes && f.ty(first.of).int_width()?.is_multiple_of(8)).then_some(Byte {
            load,
            place,
            at,
        })
    };
    let chunks: Vec<&[Option<Origin>]> = origins.bits.chunks(8).collect();
    let zeros = chunks.iter().rev().take_while(|bits| bits.iter().all(Option::is_none)).count();
    let count = width as usize / 8 - zeros;
    if !matches!(count, 2 | 4 | 8) {
        return None;
    }
    chunks[..count].iter().map(|bits| byte(bits)).collect()
}

/// The last one of the loads, if all of them stand in one block and nothing between the first and the last writes to a place.
fn last_of(
    alias: &Alias<'_>,
    homes: &SideTable<Inst, Option<(Block, u32)>>,
    bytes: &[Byte],
    place: Place,
) -> Option<Inst> {
    let (block, _) = homes[bytes[0].load]?;
    let mut positions = Vec::new();
    for byte in bytes {
        let (home, position) = homes[byte.load]?;
        (home == block).then(|| positions.push(position))?;
    }
    let (begin, end) = (*positions.iter().min()? as usize, *positions.iter().max()? as usize);
    let insts = &alias.f.block_insts(block)[begin..=end];
    let writes = |&inst: &Inst| match Access::kind(alias.f.inst(inst).op) {
        Some(Access::Load) => false,
        Some(Access::Store) => {
            alias.place(inst, &Stands::default()).is_none_or(|stored| !alias.are_apart(stored, place))
        }
        None if alias.f.row(inst).effect == Effect::Load => false,
        None => !alias.leaves_alone(inst, place.class),
    };
    (!insts.iter().any(writes)).then(|| insts[insts.len() - 1])
}

//! Zip archives, the format of jars.
//!
//! What a jar tool must keep, general archive crates lose: entries with the same name, extra fields of
//! local headers, the order, the bytes of entries that nobody touched. So this reader keeps each entry
//! as it stands (compressed) and the writer copies it.
//!
//! The central directory rules, as it does for a JVM; the local header of each entry has to agree about
//! the name. Refused with an error: encryption, archives in several parts, entries that overlap (the
//! trick of bombs that inflate one piece of data many times), a size that deflate cannot reach from the
//! compressed size, names that lead out of a directory. Inflating takes from a [`Budget`], so that a
//! bomb of honest sizes stops, too, and checks the CRC. What is only copied inflates nowhere here, but may where the copy goes:
//! [`Archive::is_bomb`] tells by the sizes alone.
//!
//! Sizes of 4 GiB and more are read as far as memory goes (Zip64), but not written; more than 65,535
//! entries are. The format is that of PKWARE's APPNOTE 6.3.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use flate2::{Compress, Compression, Crc, Decompress, FlushCompress, FlushDecompress, Status};
use planish_base::Budget;

pub use crate::dos_time::DosTime;
use crate::error::{Error, Result};
use crate::mutf8::Shown;

const LOCAL: u32 = 0x0403_4b50;
const CENTRAL: u32 = 0x0201_4b50;
const END: u32 = 0x0605_4b50;
const END64: u32 = 0x0606_4b50;
const LOCATOR64: u32 = 0x0706_4b50;

/// The tag of the extra field with sizes above 4 GiB.
const ZIP64: u16 = 1;
/// The flag of entries whose sizes follow their data.
const DESCRIPTOR: u16 = 8;
/// The flag of names in UTF-8.
const UTF8: u16 = 0x800;

/// The bytes that jars may inflate to if nothing else is asked for: 4 GiB.
pub const INFLATED_LIMIT: u64 = 1 << 32;

/// How often deflate can repeat one bit: 258 bytes cost at least two bits.
const BEST_RATIO: u64 = 1032;

/// What no archive is refused for: to inflate to 256 MiB.
const HARMLESS: u64 = 1 << 28;

/// How often its compressed size an archive may inflate to. Classes inflate to twice or three times theirs, texts to ten times.
const MOST_RATIO: u64 = 100;

/// How the content of an entry is stored.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Debug)]
pub enum Method {
    /// As it is.
    Stored,
    /// Deflated.
    Deflated,
}

/// Bytes of an archive that was read, or made since.
#[derive(Clone)]
enum Data {
    Read(Arc<Vec<u8>>, Range<usize>),
    Made(Vec<u8>),
}

impl Data {
    fn bytes(&self) -> &[u8] {
        match self {
            Data::Read(file, range) => &file[range.clone()],
            Data::Made(bytes) => bytes,
        }
    }
}

/// A file in an archive.
#[derive(Clone)]
pub struct Entry {
    /// The name, with slashes; names of directories end with one.
    pub name: Vec<u8>,
    /// When it was changed.
    pub modified: DosTime,
    /// The extra fields before the content.
    pub local_extra: Vec<u8>,
    /// The extra fields in the directory.
    pub extra: Vec<u8>,
    /// The comment.
    pub comment: Vec<u8>,
    /// The program that made it, and the version that is needed.
    versions: (u16, u16),
    flags: u16,
    /// Whether it is text, and permissions.
    attributes: (u16, u32),
    method: u16,
    crc: u32,
    size: u64,
    data: Data,
}

/// An archive.
#[derive(Clone, Default)]
pub struct Archive {
    /// What stands before the first entry: the script of a jar that can be executed.
    pub prefix: Vec<u8>,
    /// The entries, in the order of the directory.
    pub entries: Vec<Entry>,
    /// The comment.
    pub comment: Vec<u8>,
}

/// Reads little-endian numbers.
struct Reader<'a> {
    file: &'a [u8],
    at: usize,
}

impl<'a> Reader<'a> {
    fn take(&mut self, len: usize) -> Result<&'a [u8]> {
        let rest = self.file.get(self.at..).unwrap_or(&[]);
        let Some(bytes) = rest.get(..len) else {
            let at = self.at.min(self.file.len());
            return Err(Error::at(at, format!("{len} more bytes of the archive, found {}", rest.len())));
        };
        self.at += len;
        Ok(bytes)
    }

    fn u16(&mut self) -> Result<u16> {
        self.take(2).map(|b| u16::from_le_bytes([b[0], b[1]]))
    }

    fn u32(&mut self) -> Result<u32> {
        self.take(4).map(|b| u32::from_le_bytes([b[0], b[1], b[2], b[3]]))
    }

    fn u64(&mut self) -> Result<u64> {
        Ok(u64::from(self.u32()?) | u64::from(self.u32()?) << 32)
    }

    fn signature(&mut self, wanted: u32, what: &str) -> Result<()> {
        let at = self.at;
        match self.u32()? {
            found if found == wanted => Ok(()),
            found => Err(Error::at(at, format!("{what} ({wanted:#x}), found {found:#x}"))),
        }
    }
}

/// Where the directory is.
struct Directory {
    start: usize,
    entries: u64,
    /// By how much offsets in the archive are too small.
    shift: u64,
    comment: Range<usize>,
}

impl Archive {
    /// Reads the directory. Contents stay compressed.
    pub fn read(file: Vec<u8>) -> Result<Self> {
        let file = Arc::new(file);
        let directory = find_directory(&file)?;
        // A directory entry takes at least 46 bytes.
        if directory.entries > (file.len() as u64) / 46 {
            return Err(Error::at(directory.start, format!("{} entries, found the end", directory.entries)));
        }
        let mut reader = Reader { file: &file, at: directory.start };
        let mut entries = Vec::with_capacity(directory.entries as usize);
        let mut places = Vec::with_capacity(directory.entries as usize);
        for _ in 0..directory.entries {
            let (entry, place) = read_entry(&mut reader, &file, directory.shift)?;
            entries.push(entry);
            places.push(place);
        }
        places.sort_unstable_by_key(|place| place.start);
        for pair in places.windows(2) {
            if pair[1].start < pair[0].end {
                return Err(Error::at(pair[1].start, "entries that do not overlap"));
            }
        }
        let first = places.first().map_or(directory.start, |place| place.start);
        if places.last().is_some_and(|last| last.end > directory.start) {
            return Err(Error::at(directory.start, "entries that end before the directory"));
        }
        Ok(Archive { prefix: file[..first].to_vec(), entries, comment: file[directory.comment].to_vec() })
    }

    /// What all entries inflate to together, by what the directory says.
    pub fn inflated_size(&self) -> u64 {
        self.entries.iter().map(Entry::size).fold(0, u64::saturating_add)
    }

    /// Whether the entries inflate to more than anybody would pack: to more than 256 MiB, and to more than 100 times
    /// what they take here.
    pub fn is_bomb(&self) -> bool {
        let compressed = self.entries.iter().map(Entry::compressed_size).fold(0, u64::saturating_add);
        self.inflated_size() > HARMLESS.max(compressed.saturating_mul(MOST_RATIO))
    }

    /// Appends the bytes of the archive. The same entries give the same bytes.
    pub fn write(&self, out: &mut Vec<u8>) -> Result<()> {
        let start = out.len();
        out.extend_from_slice(&self.prefix);
        let mut directory = Vec::new();
        for entry in &self.entries {
            let offset = small(out.len() - start)?;
            entry.write(offset, out, &mut directory)?;
        }
        let at = small(out.len() - start)?;
        let (count, size) = (self.entries.len() as u64, small(directory.len())?);
        out.extend(directory);
        if count >= 0xffff {
            let end = (out.len() - start) as u64;
            put4(out, END64);
            put8(out, 44);
            put2(out, 45);
            put2(out, 45);
            put8(out, 0);
            for number in [count, count, u64::from(size), u64::from(at)] {
                put8(out, number);
            }
            put4(out, LOCATOR64);
            put4(out, 0);
            put8(out, end);
            put4(out, 1);
        }
        put4(out, END);
        put4(out, 0);
        let count = u16::try_from(count).unwrap_or(u16::MAX);
        put2(out, count);
        put2(out, count);
        put4(out, size);
        put4(out, at);
        put2(out, length("a comment", &self.comment)?);
        out.extend_from_slice(&self.comment);
        Ok(())
    }
}

/// The end record is at the end of the file, before a comment that may hold anything.
fn find_directory(file: &[u8]) -> Result<Directory> {
    let lowest = file.len().saturating_sub(22 + 0xffff);
    let highest = file.len().checked_sub(22);
    let ends = |at: &usize| {
        let comment = (file.len() - at - 22) as u16;
        Reader { file, at: *at }.u32() == Ok(END) && Reader { file, at: at + 20 }.u16() == Ok(comment)
    };
    let Some(at) = highest.and_then(|highest| (lowest..=highest).rev().find(ends)) else {
        return Err(Error::at(file.len(), "the end record of a zip archive"));
    };
    let mut r = Reader { file, at: at + 4 };
    let disks = r.u32()?;
    let (here, all) = (r.u16()?, r.u16()?);
    let (size, offset) = (r.u32()?, r.u32()?);
    let comment = at + 22..file.len();
    let (mut entries, mut size, mut offset) = (u64::from(all), u64::from(size), u64::from(offset));
    let mut end = at;
    if disks != 0 || here != all {
        return Err(Error::at(at, "an archive in one part"));
    }
    if (all == 0xffff || size == 0xffff_ffff || offset == 0xffff_ffff)
        && let Some(locator) = at.checked_sub(20)
        && (Reader { file, at: locator }).u32() == Ok(LOCATOR64)
    {
        // The locator's own offset does not know of a prefix; the record lies right before it.
        end = locator
            .checked_sub(56)
            .filter(|at| Reader { file, at: *at }.u32() == Ok(END64))
            .ok_or_else(|| Error::at(locator, "the large end record right before its locator"))?;
        let mut r = Reader { file, at: end + 24 };
        let here = r.u64()?;
        entries = r.u64()?;
        if here != entries {
            return Err(Error::at(end, "an archive in one part"));
        }
        (size, offset) = (r.u64()?, r.u64()?);
    }
    let start = (end as u64).checked_sub(size);
    match start.and_then(|start| Some((start, start.checked_sub(offset)?))) {
        Some((start, shift)) => Ok(Directory { start: start as usize, entries, shift, comment }),
        None => Err(Error::at(end, format!("a directory of {size} bytes at {offset} before its end record"))),
    }
}

/// Reads an entry of the directory and its local header. Also gives the place that it takes.
fn read_entry(r: &mut Reader<'_>, file: &Arc<Vec<u8>>, shift: u64) -> Result<(Entry, Range<usize>)> {
    let at = r.at;
    r.signature(CENTRAL, "an entry of the directory")?;
    let versions = (r.u16()?, r.u16()?);
    let (flags, method) = (r.u16()?, r.u16()?);
    let (time, date) = (r.u16()?, r.u16()?);
    let crc = r.u32()?;
    let (mut compressed, mut size) = (u64::from(r.u32()?), u64::from(r.u32()?));
    let lengths = [r.u16()?, r.u16()?, r.u16()?].map(usize::from);
    let disk = r.u16()?;
    let attributes = (r.u16()?, r.u32()?);
    let mut offset = u64::from(r.u32()?);
    let [name, extra, comment] = [r.take(lengths[0])?, r.take(lengths[1])?, r.take(lengths[2])?];
    let refuse =
        |expected: &str| Err(Error::at(at, format!("{expected}, found one of the name {}", Shown(name))));
    if let Some(bytes) = extra_field(extra, ZIP64) {
        let mut r = Reader { file: bytes, at: 0 };
        for number in [&mut size, &mut compressed, &mut offset] {
            if *number == 0xffff_ffff {
                *number = r.u64().map_err(|_| Error::at(at, "the large sizes of an entry"))?;
            }
        }
    }
    if flags & 1 != 0 {
        return refuse("an entry without encryption");
    }
    if disk != 0 && disk != 0xffff {
        return refuse("an entry in this part of the archive");
    }
    if !is_safe_name(name) {
        return refuse("an entry that stays in its directory");
    }
    let start = usize::try_from(offset.saturating_add(shift)).unwrap_or(usize::MAX);
    let mut local = Reader { file, at: start };
    local.signature(LOCAL, "the header of an entry")?;
    local.take(22)?;
    let lengths = [local.u16()?, local.u16()?].map(usize::from);
    let local_name = local.take(lengths[0])?;
    let local_extra = local.take(lengths[1])?;
    if local_name != name {
        return refuse(&format!("an entry named {} as in its header", Shown(local_name)));
    }
    let data = local.at;
    local.take(usize::try_from(compressed).unwrap_or(usize::MAX))?;
    let possible = match method {
        0 => size == compressed,
        _ => size <= compressed.saturating_mul(BEST_RATIO),
    };
    if !possible {
        return refuse(&format!("a size that {compressed} bytes can inflate to and not {size}"));
    }
    let entry = Entry {
        name: name.to_vec(),
        modified: DosTime { date, time },
        local_extra: without_field(local_extra, ZIP64).into_owned(),
        extra: without_field(extra, ZIP64).into_owned(),
        comment: comment.to_vec(),
        versions,
        flags,
        attributes,
        method,
        crc,
        size,
        data: Data::Read(Arc::clone(file), data..local.at),
    };
    Ok((entry, start..local.at))
}

/// Whether a name leads nowhere but down from a directory.
fn is_safe_name(name: &[u8]) -> bool {
    let rooted = name.first() == Some(&b'/') || name.get(1) == Some(&b':');
    let odd = name.iter().any(|byte| matches!(byte, b'\\' | 0));
    let path = name.strip_suffix(b"/").unwrap_or(name);
    !path.is_empty()
        && !rooted
        && !odd
        && path.split(|byte| *byte == b'/').all(|part| !matches!(part, b"" | b"." | b".."))
}

/// The extra fields with their tags; ends at what is no field.
fn fields(extra: &[u8]) -> impl Iterator<Item = (u16, Range<usize>)> + '_ {
    let mut at = 0;
    std::iter::from_fn(move || {
        let &[t0, t1, l0, l1] = extra[at..].first_chunk::<4>()?;
        let end = at + 4 + usize::from(u16::from_le_bytes([l0, l1]));
        let place = Some(at..end).filter(|place| place.end <= extra.len())?;
        at = end;
        Some((u16::from_le_bytes([t0, t1]), place))
    })
}

fn extra_field(extra: &[u8], tag: u16) -> Option<&[u8]> {
    fields(extra).find(|(found, _)| *found == tag).map(|(_, place)| &extra[place.start + 4..place.end])
}

fn without_field(extra: &[u8], tag: u16) -> Cow<'_, [u8]> {
    match fields(extra).find(|(found, _)| *found == tag) {
        None => Cow::Borrowed(extra),
        Some((_, place)) => {
            without_field(&[&extra[..place.start], &extra[place.end..]].concat(), tag).into_owned().into()
        }
    }
}

impl Entry {
    /// An entry with the given content.
    pub fn new(name: &[u8], modified: DosTime, content: &[u8], method: Method) -> Self {
        let mut entry = Entry {
            name: name.to_vec(),
            modified,
            local_extra: Vec::new(),
            extra: Vec::new(),
            comment: Vec::new(),
            versions: (20, 20),
            flags: if name.is_ascii() { 0 } else { UTF8 },
            attributes: (0, 0),
            method: 0,
            crc: 0,
            size: 0,
            data: Data::Made(Vec::new()),
        };
        entry.set_content(content, method, Compression::default().level());
        entry
    }

    /// Replaces the content. It is stored if deflating does not make it smaller. `level` is 0 to 9.
    pub fn set_content(&mut self, content: &[u8], method: Method, level: u32) {
        match method {
            Method::Stored => self.set(content, None),
            Method::Deflated => self.set_deflated(content, &mut Deflater::new(level)),
        }
    }

    /// The same, deflated by a compressor that others use, too.
    pub fn set_deflated(&mut self, content: &[u8], deflater: &mut Deflater) {
        self.set(content, deflater.deflate(content).filter(|bytes| bytes.len() < content.len()));
    }

    fn set(&mut self, content: &[u8], deflated: Option<Vec<u8>>) {
        let mut crc = Crc::new();
        crc.update(content);
        self.crc = crc.sum();
        self.size = content.len() as u64;
        self.method = if deflated.is_some() { 8 } else { 0 };
        self.data = Data::Made(deflated.unwrap_or_else(|| content.to_vec()));
    }

    /// How the content is stored; `None` for a way that jars do not know.
    pub fn method(&self) -> Option<Method> {
        match self.method {
            0 => Some(Method::Stored),
            8 => Some(Method::Deflated),
            _ => None,
        }
    }

    /// The size of the content.
    pub fn size(&self) -> u64 {
        self.size
    }

    /// The size that the content takes in the archive.
    pub fn compressed_size(&self) -> u64 {
        self.data.bytes().len() as u64
    }

    /// Whether it is a directory.
    pub fn is_directory(&self) -> bool {
        self.name.last() == Some(&b'/')
    }

    /// The content, inflated and checked. Its size is taken from `budget`.
    pub fn content(&self, budget: &mut Budget) -> Result<Cow<'_, [u8]>> {
        let bytes = self.data.bytes();
        let at = match &self.data {
            Data::Read(_, range) => range.start,
            Data::Made(_) => 0,
        };
        let wrong = |expected: &str| Err(Error::at(at, format!("{expected} of entry {}", Shown(&self.name))));
        let content = match self.method {
            0 => Cow::Borrowed(bytes),
            8 => {
                if !budget.take(self.size) {
                    let limit = budget.limit();
                    return wrong(&format!(
                        "archives that inflate to at most {limit} bytes, found {} more",
                        self.size
                    ));
                }
                match inflate(bytes, self.size as usize) {
                    Some(content) => Cow::Owned(content),
                    None => return wrong(&format!("deflated data of {} bytes", self.size)),
                }
            }
            method => return wrong(&format!("stored or deflated data, found method {method}")),
        };
        // What was made here has the sum of its content.
        if let Data::Read(..) = self.data {
            let mut crc = Crc::new();
            crc.update(&content);
            if crc.sum() != self.crc {
                return wrong(&format!(
                    "content of CRC {:08x}, found {:08x}, the content",
                    self.crc,
                    crc.sum()
                ));
            }
        }
        Ok(content)
    }

    /// Writes header and content to `out`, the entry of the directory to `directory`.
    fn write(&self, offset: u32, out: &mut Vec<u8>, directory: &mut Vec<u8>) -> Result<()> {
        let data = self.data.bytes();
        let (compressed, size) = (small(data.len())?, small(self.size as usize)?);
        let name = length("a name", &self.name)?;
        let common = |out: &mut Vec<u8>| {
            put2(out, self.versions.1);
            // The sizes are known, so none follows the data.
            put2(out, self.flags & !DESCRIPTOR);
            put2(out, self.method);
            put2(out, self.modified.time);
            put2(out, self.modified.date);
            put4(out, self.crc);
            put4(out, compressed);
            put4(out, size);
            put2(out, name);
        };
        put4(out, LOCAL);
        common(out);
        put2(out, length("an extra field", &self.local_extra)?);
        out.extend_from_slice(&self.name);
        out.extend_from_slice(&self.local_extra);
        out.extend_from_slice(data);

        put4(directory, CENTRAL);
        put2(directory, self.versions.0);
        common(directory);
        put2(directory, length("an extra field", &self.extra)?);
        put2(directory, length("a comment", &self.comment)?);
        put2(directory, 0);
        put2(directory, self.attributes.0);
        put4(directory, self.attributes.1);
        put4(directory, offset);
        directory.extend_from_slice(&self.name);
        directory.extend_from_slice(&self.extra);
        directory.extend_from_slice(&self.comment);
        Ok(())
    }
}

/// Deflates one content after the other: the tables of a compressor, a quarter of a megabyte, are made once.
pub struct Deflater(Compress);

impl Deflater {
    /// One that deflates at a level from 0 to 9.
    pub fn new(level: u32) -> Self {
        Deflater(Compress::new(Compression::new(level.min(9)), false))
    }

    fn deflate(&mut self, content: &[u8]) -> Option<Vec<u8>> {
        let mut out = Vec::with_capacity(content.len() + content.len() / 1000 + 64);
        self.0.reset();
        let status = self.0.compress_vec(content, &mut out, FlushCompress::Finish).ok()?;
        (status == Status::StreamEnd).then_some(out)
    }
}

/// Inflates to exactly `size` bytes.
fn inflate(bytes: &[u8], size: usize) -> Option<Vec<u8>> {
    // One byte more shows data that goes on.
    let mut out = Vec::with_capacity(size + 1);
    let mut state = Decompress::new(false);
    let status = state.decompress_vec(bytes, &mut out, FlushDecompress::Finish).ok()?;
    (status == Status::StreamEnd && out.len() == size).then_some(out)
}

fn small(number: usize) -> Result<u32> {
    match u32::try_from(number) {
        Ok(number) if number < u32::MAX => Ok(number),
        _ => Err(Error::unwritable(format!("an archive of less than 4 GiB, found {number} bytes"))),
    }
}

fn length(what: &'static str, bytes: &[u8]) -> Result<u16> {
    crate::bytes::narrow(what, bytes.len())
}

fn put2(out: &mut Vec<u8>, number: u16) {
    out.extend(number.to_le_bytes());
}

fn put4(out: &mut Vec<u8>, number: u32) {
    out.extend(number.to_le_bytes());
}

fn put8(out: &mut Vec<u8>, number: u64) {
    out.extend(number.to_le_bytes());
}

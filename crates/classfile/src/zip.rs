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

mod deflate;
mod read;
mod time;

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use flate2::{Compression, Crc};
use planish_base::Budget;

pub use deflate::Deflater;
pub use time::DosTime;

use deflate::inflate;

use crate::error::{Error, Result};
use crate::mutf8::Shown;

const LOCAL: u32 = 0x0403_4b50;
const CENTRAL: u32 = 0x0201_4b50;
const END: u32 = 0x0605_4b50;
const END64: u32 = 0x0606_4b50;
const LOCATOR64: u32 = 0x0706_4b50;

/// The flag of entries whose sizes follow their data.
const DESCRIPTOR: u16 = 8;
/// The flag of names in UTF-8.
const UTF8: u16 = 0x800;

/// The bytes that jars may inflate to if nothing else is asked for: 4 GiB.
pub const INFLATED_LIMIT: u64 = 1 << 32;

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

impl Archive {
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

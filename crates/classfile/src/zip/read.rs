//! Reading an archive: its end, its directory, the header of each entry. Whatever a JVM would not read, or only a trick
//! needs, is refused here.

use std::borrow::Cow;
use std::ops::Range;
use std::sync::Arc;

use super::{Archive, CENTRAL, Data, DosTime, END, END64, Entry, LOCAL, LOCATOR64};
use crate::error::{Error, Result};
use crate::mutf8::Shown;

/// The tag of the extra field with sizes above 4 GiB.
const ZIP64: u16 = 1;

/// How often deflate can repeat one bit: 258 bytes cost at least two bits.
const BEST_RATIO: u64 = 1032;

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

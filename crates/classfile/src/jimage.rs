//! The run-time image of a JDK, `lib/modules`: the classes that every program uses.
//!
//! The file is a perfect hash table of resources named `/module/package/Name.class`, all offsets
//! inside one file that the JVM maps into memory; so does this reader. A header of seven words is
//! followed by a redirect table, a table of locations, the locations themselves (runs of tagged
//! numbers) and a table of texts; then come the resources. All numbers have the byte order of the
//! machine that made the image, which the magic number reveals.
//!
//! Resources can be compressed by `jlink --compress`. No JDK is shipped like that; such a resource is
//! an error that says so. The format is not specified; it is that of OpenJDK's `jdk.internal.jimage`
//! from version 9 to 25.

use std::collections::BTreeMap;
use std::fmt::Display;
use std::fs::File;
use std::io::{Read, Seek, SeekFrom};
use std::ops::Range;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, OnceLock, PoisonError};

use crate::error::{Error, Result};

const MAGIC: u32 = 0xcafe_dada;
const HEADER: usize = 28;
const HASH_SEED: u32 = 0x0100_0193;

/// How much of a file is read at once where every class is looked at.
const WINDOW: usize = 1 << 20;

/// A run-time image.
pub struct Image {
    bytes: Bytes,
    /// The file, if the image is one: what is looked at once is read from it, since what is mapped stays in memory.
    file: Option<Mutex<File>>,
    big_endian: bool,
    /// The number of places in the hash table.
    places: usize,
    /// Where the tables begin; each ends where the next begins.
    redirect: usize,
    locations: usize,
    attributes: usize,
    strings: usize,
    resources: usize,
    /// The module of each package, once somebody asked.
    modules: OnceLock<BTreeMap<Vec<u8>, Vec<u8>>>,
}

enum Bytes {
    Mapped(memmap2::Mmap),
    Owned(Vec<u8>),
}

impl std::ops::Deref for Bytes {
    type Target = [u8];
    fn deref(&self) -> &[u8] {
        match self {
            Bytes::Mapped(map) => map,
            Bytes::Owned(bytes) => bytes,
        }
    }
}

/// A file in an image.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Resource<'i> {
    /// The module, as in `java.base`.
    pub module: &'i [u8],
    /// The directory, as in `java/lang`.
    pub parent: &'i [u8],
    /// The name without directory and extension, as in `String`.
    pub base: &'i [u8],
    /// The extension, as in `class`.
    pub extension: &'i [u8],
    /// Where the content lies in the file.
    offset: u64,
    /// Its size if it is compressed, else 0.
    compressed: u64,
    /// Its size.
    size: u64,
}

impl Resource<'_> {
    /// Whether it is a class file, and no description of a module.
    fn is_class(&self) -> bool {
        self.extension == b"class" && self.base != b"module-info"
    }

    /// The name of the class that this file is of, as in `java/lang/String`.
    pub fn class_name(&self) -> Option<Vec<u8>> {
        if self.extension != b"class" {
            return None;
        }
        match self.parent {
            b"" => Some(self.base.to_vec()),
            parent => Some([parent, b"/", self.base].concat()),
        }
    }

    /// The name of the resource inside its module, as in `java/lang/String.class`.
    pub fn path(&self) -> Vec<u8> {
        let mut path = self.parent.to_vec();
        if !path.is_empty() {
            path.push(b'/');
        }
        path.extend_from_slice(self.base);
        if !self.extension.is_empty() {
            path.push(b'.');
            path.extend_from_slice(self.extension);
        }
        path
    }
}

impl Image {
    /// Maps the file at `path` into memory. The file must not change while the image is in use.
    pub fn open(path: &Path) -> std::io::Result<Self> {
        let failed =
            |kind, error: &dyn Display| std::io::Error::new(kind, format!("{}: {error}", path.display()));
        let mapped = File::open(path).and_then(|file| map(&file).map(|bytes| (file, bytes)));
        let (file, bytes) = mapped.map_err(|error| failed(error.kind(), &error))?;
        let image = Self::new(Bytes::Mapped(bytes));
        let image = image.map_err(|error| failed(std::io::ErrorKind::InvalidData, &error))?;
        Ok(Image { file: Some(Mutex::new(file)), ..image })
    }

    /// An image whose bytes are in memory.
    pub fn from_bytes(bytes: Vec<u8>) -> Result<Self> {
        Self::new(Bytes::Owned(bytes))
    }

    fn new(bytes: Bytes) -> Result<Self> {
        let Some(header) = bytes.first_chunk::<HEADER>() else {
            return Err(Error::at(
                bytes.len(),
                format!("the {HEADER} bytes of the header of a run-time image"),
            ));
        };
        let word = |i: usize| [header[4 * i], header[4 * i + 1], header[4 * i + 2], header[4 * i + 3]];
        let big_endian = match (u32::from_le_bytes(word(0)), u32::from_be_bytes(word(0))) {
            (MAGIC, _) => false,
            (_, MAGIC) => true,
            _ => return Err(Error::at(0, "the magic number cafedada of a run-time image")),
        };
        let number =
            |i: usize| if big_endian { u32::from_be_bytes(word(i)) } else { u32::from_le_bytes(word(i)) };
        if number(1) != 0x0001_0000 {
            return Err(Error::at(4, format!("version 1.0 of a run-time image, found {:#x}", number(1))));
        }
        let [places, attribute_bytes, string_bytes] = [4, 5, 6].map(|i| number(i) as usize);
        let redirect = HEADER;
        let locations = redirect + 4 * places;
        let attributes = locations + 4 * places;
        let strings = attributes + attribute_bytes;
        let resources = strings + string_bytes;
        if resources > bytes.len() {
            return Err(Error::at(bytes.len(), format!("tables of {resources} bytes")));
        }
        let modules = OnceLock::new();
        let file = None;
        Ok(Image {
            bytes,
            file,
            big_endian,
            places,
            redirect,
            locations,
            attributes,
            strings,
            resources,
            modules,
        })
    }

    fn word(&self, at: usize) -> u32 {
        let word = *self.bytes[at..].first_chunk::<4>().expect("tables were checked to lie in the file");
        if self.big_endian { u32::from_be_bytes(word) } else { u32::from_le_bytes(word) }
    }

    /// A text of the table of texts.
    fn string(&self, offset: u64) -> Result<&[u8]> {
        let table = &self.bytes[self.strings..self.resources];
        let text = usize::try_from(offset).ok().and_then(|at| table.get(at..)).and_then(|rest| {
            let end = rest.iter().position(|byte| *byte == 0)?;
            Some(&rest[..end])
        });
        text.ok_or_else(|| Error::at(self.strings, format!("a text at {offset} of the table")))
    }

    /// The resource at a place of the hash table.
    fn resource(&self, place: usize) -> Result<Resource<'_>> {
        let mut at = self.attributes + self.word(self.locations + 4 * place) as usize;
        // Module, parent, base, extension, offset, compressed size, size.
        let mut values = [0u64; 8];
        loop {
            let bytes = &self.bytes[at.min(self.strings)..self.strings];
            let Some((&tag, bytes)) = bytes.split_first() else {
                return Err(Error::at(at, "the end of a location"));
            };
            let kind = usize::from(tag >> 3);
            if kind == 0 {
                break;
            }
            let length = usize::from(tag & 7) + 1;
            let (Some(value), Some(bytes)) = (values.get_mut(kind), bytes.get(..length)) else {
                return Err(Error::at(at, format!("a location, found kind {kind}")));
            };
            *value = bytes.iter().fold(0, |value, byte| value << 8 | u64::from(*byte));
            at += 1 + length;
        }
        let [_, module, parent, base, extension, offset, compressed, size] = values;
        Ok(Resource {
            module: self.string(module)?,
            parent: self.string(parent)?,
            base: self.string(base)?,
            extension: self.string(extension)?,
            offset,
            compressed,
            size,
        })
    }

    /// Every resource, in the order of the hash table.
    pub fn resources(&self) -> impl Iterator<Item = Result<Resource<'_>>> {
        (0..self.places).map(|place| self.resource(place))
    }

    /// Every class of every module but `module-info`s, in the order in which they lie in the file.
    /// Reading them in this order reads the file from front to back.
    pub fn classes(&self) -> Result<Vec<Resource<'_>>> {
        let mut classes = Vec::with_capacity(self.places);
        for resource in self.resources() {
            let resource = resource?;
            if resource.is_class() {
                classes.push(resource);
            }
        }
        classes.sort_unstable_by_key(|resource| resource.offset);
        Ok(classes)
    }

    /// Shows the content of some of the [classes](Self::classes), of which neighbours are read at once.
    pub fn each_content(
        &self,
        classes: &[Resource<'_>],
        mut see: impl FnMut(&[u8]) -> Result<()>,
    ) -> Result<()> {
        let Some(file) = &self.file else {
            return classes.iter().try_for_each(|class| see(self.content(class)?));
        };
        let end = classes.last().map_or(Ok(0), |last| self.range(last).map(|range| range.end))?;
        let (mut start, mut window) = (0, Vec::new());
        for class in classes {
            let range = self.range(class)?;
            if range.start < start || range.end > start + window.len() {
                start = range.start;
                window.resize(range.len().max(WINDOW.min(end.saturating_sub(start))), 0);
                let mut file = file.lock().unwrap_or_else(PoisonError::into_inner);
                let read =
                    file.seek(SeekFrom::Start(start as u64)).and_then(|_| file.read_exact(&mut window));
                read.map_err(|error| Error::at(start, format!("{} bytes: {error}", window.len())))?;
            }
            see(&window[range.start - start..range.end - start])?;
        }
        Ok(())
    }

    /// The resource `path` of a module, as in `java.base` and `java/lang/String.class`. O(length).
    pub fn find(&self, module: &[u8], path: &[u8]) -> Result<Option<Resource<'_>>> {
        if self.places == 0 {
            return Ok(None);
        }
        let name = [b"/", module, b"/", path].concat();
        let redirect = |place: usize| self.word(self.redirect + 4 * place) as i32;
        let place = match redirect(hash(&name, HASH_SEED) as usize % self.places) {
            0 => return Ok(None),
            seed @ 1.. => hash(&name, seed as u32) as usize % self.places,
            direct => (-1 - i64::from(direct)) as usize,
        };
        if place >= self.places {
            return Err(Error::at(self.redirect, format!("a place below {}, found {place}", self.places)));
        }
        let resource = self.resource(place)?;
        // A perfect hash says where a name would be, not that it is there.
        Ok(Some(resource).filter(|found| found.module == module && found.path() == path))
    }

    /// The class of this name, as in `java/lang/String`, of whichever module has its package. O(length), after the
    /// packages were listed for the first one.
    pub fn find_class(&self, name: &[u8]) -> Result<Option<Resource<'_>>> {
        let package = name.iter().rposition(|byte| *byte == b'/').map_or(&b""[..], |end| &name[..end]);
        match self.modules().get(package) {
            Some(module) => self.find(module, &[name, b".class"].concat()),
            None => Ok(None),
        }
    }

    /// The module of each package that has classes.
    fn modules(&self) -> &BTreeMap<Vec<u8>, Vec<u8>> {
        self.modules.get_or_init(|| {
            let mut modules = BTreeMap::new();
            // One that cannot be read is not found.
            for resource in self.resources().flatten().filter(Resource::is_class) {
                if !modules.contains_key(resource.parent) {
                    modules.insert(resource.parent.to_vec(), resource.module.to_vec());
                }
            }
            modules
        })
    }

    /// The content of a resource of this image.
    pub fn content(&self, resource: &Resource<'_>) -> Result<&[u8]> {
        self.range(resource).map(|range| &self.bytes[range])
    }

    /// Where the content of a resource is.
    fn range(&self, resource: &Resource<'_>) -> Result<Range<usize>> {
        let range = usize::try_from(resource.offset)
            .ok()
            .and_then(|offset| self.resources.checked_add(offset))
            .and_then(|start| Some(start..start.checked_add(usize::try_from(resource.size).ok()?)?));
        if resource.compressed != 0 {
            let at = range.map_or(self.resources, |range| range.start);
            return Err(Error::at(at, "a resource that jlink did not compress"));
        }
        range
            .filter(|range| range.end <= self.bytes.len())
            .ok_or_else(|| Error::at(self.bytes.len(), format!("{} bytes of a resource", resource.size)))
    }
}

/// The hash function of the table.
fn hash(name: &[u8], seed: u32) -> u32 {
    name.iter().fold(seed, |hash, byte| hash.wrapping_mul(HASH_SEED) ^ u32::from(*byte)) & 0x7fff_ffff
}

/// Maps a file into memory.
#[allow(unsafe_code, reason = "the image of an installed JDK is mapped, as the JVM itself does")]
fn map(file: &File) -> std::io::Result<memmap2::Mmap> {
    // SAFETY: the bytes are only read, and no invariant of a type hangs on them: every number is
    // checked where it is used. `Image::open` asks that nobody changes the file meanwhile.
    unsafe { memmap2::Mmap::map(file) }
}

/// The image of the JDK in `JAVA_HOME`, else of the first `java` on the `PATH`.
pub fn find_image() -> Option<PathBuf> {
    let image = |home: PathBuf| Some(home.join("lib/modules")).filter(|path| path.is_file());
    if let Some(path) = std::env::var_os("JAVA_HOME").map(PathBuf::from).and_then(image) {
        return Some(path);
    }
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).find_map(|directory| {
        let java = directory.join(if cfg!(windows) { "java.exe" } else { "java" }).canonicalize().ok()?;
        image(java.parent()?.parent()?.to_path_buf())
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    /// An image of resources (module, parent, base, extension, content). Names that share a bucket are
    /// told apart by a seed, as `jlink` does it.
    fn image(resources: &[[&str; 5]]) -> Vec<u8> {
        let places = resources.len();
        let name = |i: usize| {
            let [module, parent, base, extension, _] = resources[i];
            format!("/{module}/{parent}/{base}.{extension}").into_bytes()
        };
        let mut redirect = vec![0i32; places];
        let mut place_of = vec![usize::MAX; places];
        let mut buckets = vec![vec![]; places];
        (0..places).for_each(|i| buckets[hash(&name(i), HASH_SEED) as usize % places].push(i));
        for (bucket, members) in buckets.iter().enumerate().filter(|(_, members)| members.len() > 1) {
            let spread = |seed: i32| -> Vec<usize> {
                members.iter().map(|&i| hash(&name(i), seed as u32) as usize % places).collect()
            };
            let distinct = |spread: &Vec<usize>| {
                (0..spread.len())
                    .all(|a| (0..a).all(|b| spread[a] != spread[b]) && !place_of.contains(&spread[a]))
            };
            let seed = (1..).find(|&seed| distinct(&spread(seed))).unwrap();
            redirect[bucket] = seed;
            members.iter().zip(spread(seed)).for_each(|(&i, place)| place_of[i] = place);
        }
        for (bucket, members) in buckets.iter().enumerate().filter(|(_, members)| members.len() == 1) {
            let free = (0..places).find(|place| !place_of.contains(place)).unwrap();
            redirect[bucket] = -1 - free as i32;
            place_of[members[0]] = free;
        }

        let (mut strings, mut attributes, mut content) = (vec![0], vec![0], Vec::new());
        let mut locations = vec![0u32; places];
        for ([module, parent, base, extension, text], place) in resources.iter().zip(place_of) {
            locations[place] = attributes.len() as u32;
            for (kind, part) in [module, parent, base, extension].iter().enumerate() {
                let at = strings.len();
                attributes.extend([(kind as u8 + 1) << 3 | 1, (at >> 8) as u8, at as u8]);
                strings.extend(part.bytes().chain([0]));
            }
            attributes.extend([5 << 3, content.len() as u8, 7 << 3, text.len() as u8, 0]);
            content.extend(text.bytes());
        }
        let header = [MAGIC, 0x1_0000, 0, places as u32, places as u32].into_iter();
        let sizes = [attributes.len() as u32, strings.len() as u32];
        let words = header.chain(sizes).chain(redirect.iter().map(|word| *word as u32)).chain(locations);
        let mut bytes: Vec<u8> = words.flat_map(u32::to_le_bytes).collect();
        bytes.extend([attributes, strings, content].concat());
        bytes
    }

    fn sample() -> Vec<u8> {
        image(&[
            ["m", "a/b", "C", "class", "one"],
            ["m", "a", "x", "txt", "two!"],
            ["n", "a", "x", "txt", "three"],
            ["n", "d", "D", "class", "four"],
            ["n", "d", "E", "class", "5"],
            ["n", "", "module-info", "class", ""],
        ])
    }

    #[test]
    fn a_resource_is_found_by_its_name() {
        let image = Image::from_bytes(sample()).unwrap();
        for (module, path, content) in [
            ("m", "a/b/C.class", "one"),
            ("m", "a/x.txt", "two!"),
            ("n", "a/x.txt", "three"),
            ("n", "d/D.class", "four"),
            ("n", "d/E.class", "5"),
        ] {
            let found = image.find(module.as_bytes(), path.as_bytes()).unwrap().unwrap();
            assert_eq!(image.content(&found), Ok(content.as_bytes()));
        }
        assert_eq!(image.find(b"m", b"a/y.txt"), Ok(None));
        for (name, content) in [("a/b/C", "one"), ("d/D", "four"), ("d/E", "5")] {
            let found = image.find_class(name.as_bytes()).unwrap().unwrap();
            assert_eq!(image.content(&found), Ok(content.as_bytes()));
        }
        for name in ["a/x", "a/b/D", "b/C", "C", "module-info", ""] {
            assert_eq!(image.find_class(name.as_bytes()), Ok(None), "{name}");
        }
        let classes = image.classes().unwrap();
        let names: Vec<_> = classes.iter().map(|class| class.class_name().unwrap()).collect();
        assert_eq!(names, [&b"a/b/C"[..], b"d/D", b"d/E"]);
    }

    #[test]
    fn every_class_is_shown_of_bytes_and_of_a_file() {
        let path = std::env::temp_dir().join(format!("planish-image-{}", std::process::id()));
        std::fs::write(&path, sample()).unwrap();
        for image in [Image::from_bytes(sample()).unwrap(), Image::open(&path).unwrap()] {
            let classes = image.classes().unwrap();
            for (from, to) in [(0, 3), (0, 1), (1, 3), (2, 2)] {
                let mut seen = Vec::new();
                let outcome = image.each_content(&classes[from..to], |content| {
                    seen.push(content.to_vec());
                    Ok(())
                });
                assert_eq!(outcome, Ok(()));
                assert_eq!(seen, [&b"one"[..], b"four", b"5"][from..to]);
            }
        }
        std::fs::remove_file(&path).unwrap();
    }

    #[test]
    fn an_image_with_wrong_bytes_gives_an_error() {
        let bytes = sample();
        for len in 0..bytes.len() {
            let _ = Image::from_bytes(bytes[..len].to_vec()).map(|image| read_everything(&image));
        }
        for at in 0..bytes.len() {
            for value in [0, 1, 0x7f, 0xff] {
                let mut bytes = bytes.clone();
                bytes[at] = value;
                let _ = Image::from_bytes(bytes).map(|image| read_everything(&image));
            }
        }
        assert!(Image::from_bytes(vec![0; 100]).is_err());
    }

    fn read_everything(image: &Image) {
        let _ = image.find(b"m", b"a/b/C.class");
        for resource in image.resources().flatten() {
            let _ = image.content(&resource);
        }
    }
}

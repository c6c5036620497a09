//! Deflate, both ways, by the compressor that the project does not write itself.

use flate2::{Compress, Compression, Decompress, FlushCompress, FlushDecompress, Status};

/// Deflates one content after the other: the tables of a compressor, a quarter of a megabyte, are made once.
pub struct Deflater(Compress);

impl Deflater {
    /// One that deflates at a level from 0 to 9.
    pub fn new(level: u32) -> Self {
        Deflater(Compress::new(Compression::new(level.min(9)), false))
    }

    pub(super) fn deflate(&mut self, content: &[u8]) -> Option<Vec<u8>> {
        let mut out = Vec::with_capacity(content.len() + content.len() / 1000 + 64);
        self.0.reset();
        let status = self.0.compress_vec(content, &mut out, FlushCompress::Finish).ok()?;
        (status == Status::StreamEnd).then_some(out)
    }
}

/// Inflates to exactly `size` bytes.
pub(super) fn inflate(bytes: &[u8], size: usize) -> Option<Vec<u8>> {
    // One byte more shows data that goes on.
    let mut out = Vec::with_capacity(size + 1);
    let mut state = Decompress::new(false);
    let status = state.decompress_vec(bytes, &mut out, FlushDecompress::Finish).ok()?;
    (status == Status::StreamEnd && out.len() == size).then_some(out)
}

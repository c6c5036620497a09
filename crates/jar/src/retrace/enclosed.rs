//! Frames that a trace has in common with the one around it: `... 3 more` (`Throwable.printStackTrace`).
//!
//! The trace of a cause, or of an exception that was suppressed, ends where it goes on as the trace around it does. How many
//! frames those are is said in frames of the result; turned back they are others, since a frame may stand for several. What
//! was one frame of the result may be two of the program that have the rest in common, too. So the number is counted anew, and
//! frames that the trace around has as well are not written.

/// A frame that was turned back.
#[derive(Clone)]
struct Shown {
    text: String,
    /// Where it begins in what was written.
    start: usize,
    /// Whether it is one of several that may be meant.
    is_choice: bool,
}

/// A trace that is being turned back.
#[derive(Default)]
struct Trace {
    /// How far its first line stands to the right.
    indent: usize,
    /// Its frames, the innermost first.
    frames: Vec<Shown>,
    /// For each frame of the result how many these are.
    counts: Vec<usize>,
}

/// The traces around a line.
#[derive(Default)]
pub(super) struct Traces {
    open: Vec<Trace>,
    /// The one of which the last one is the cause, which is closed by now.
    around: Option<Trace>,
}

/// How far a text stands to the right.
fn indent(line: &str) -> usize {
    line.len() - line.trim_start().len()
}

impl Traces {
    /// A line that is no frame: another trace may begin.
    pub fn begin(&mut self, line: &str) {
        let (indent, text) = (indent(line), line.trim_start());
        if text.starts_with("Caused by: ") {
            self.open.retain(|trace| trace.indent <= indent);
            self.around = self.open.pop_if(|trace| trace.indent == indent);
        } else if text.starts_with("Suppressed: ") {
            self.open.retain(|trace| trace.indent < indent);
            self.around = None;
        } else if (self.open.len() > 1 || self.around.is_some())
            && self.open.last().is_some_and(|trace| trace.counts.is_empty())
        {
            // A message may have several lines.
            return;
        } else {
            (self.open, self.around) = Default::default();
        }
        self.open.push(Trace { indent, ..Trace::default() });
    }

    /// A frame of the result was written as these, the first at this place.
    pub fn add(&mut self, shown: &[String], start: usize, end: usize) {
        let Some(trace) = self.open.last_mut() else { return };
        let is_other = |line: &String| line.trim_start().starts_with("<OR>");
        let is_choice = shown.iter().any(is_other);
        let (before, mut start) = (trace.frames.len(), start);
        for line in shown {
            if !is_other(line) {
                trace.frames.push(Shown { text: line.trim_start().to_owned(), start, is_choice });
            }
            start += line.len() + end;
        }
        trace.counts.push(trace.frames.len() - before);
    }

    /// The line that says how many frames are those of the trace around, as in `... 3 more`, and up to where what was written
    /// stays.
    pub fn more(&mut self, line: &str, written: usize) -> Option<(String, usize)> {
        let count: usize = line.trim().strip_prefix("... ")?.strip_suffix(" more")?.parse().ok()?;
        let (own, below) = self.open.split_last_mut()?;
        let around = self.around.as_ref().or(below.last())?;
        let counts = around.counts.get(around.counts.len().checked_sub(count)?..)?;
        let mut common: usize = counts.iter().sum();
        let (theirs, shared) = around.frames.split_at(around.frames.len() - common);
        let mut stays = written;
        for (mine, other) in own.frames.iter().rev().zip(theirs.iter().rev()) {
            if mine.is_choice || other.is_choice || mine.text != other.text {
                break;
            }
            (stays, common) = (mine.start, common + 1);
        }
        own.frames.extend_from_slice(shared);
        own.counts.extend_from_slice(counts);
        Some((format!("{}... {common} more", &line[..indent(line)]), stays))
    }
}

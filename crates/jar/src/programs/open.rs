//! What holds a program open: places that look for what is not known, so that much stays which nothing else needs.
//!
//! Without rules whatever such a place may mean is kept. How much that is shows a second look at the program, as rules would
//! have it: with what reflection is seen to find, and no more. What is not needed then is what the places hold.

use planish_jvm_analysis::lookups::gone::Gone;
use planish_jvm_analysis::lookups::lookups;
use planish_jvm_analysis::reach::Reach;

use crate::notes::Notes;

/// What holds a program open.
#[derive(Clone, Default, Debug)]
pub struct Open {
    /// How many classes stay because of it.
    pub classes: usize,
    /// The places.
    pub places: Notes,
    /// What libraries do, and which of their classes, `a.B`.
    pub libraries: Vec<(&'static str, String)>,
}

impl Open {
    /// Finds what holds a program open that `open` has looked at, and `closed` as rules would have it.
    pub(super) fn find(&mut self, open: &Reach<'_, '_>, closed: &Reach<'_, '_>) {
        let is_held = |&class: &_| open.is_needed(class) && !closed.is_needed(class);
        self.classes = open.program.classes.ids().filter(is_held).count();
        if self.classes > 0 {
            let gone = Gone::unneeded(closed);
            self.places = Notes::about(&gone, open.program, &lookups(open));
        }
    }

    /// How many lines there are at most about places.
    const PLACES: usize = 3;

    /// What the summary says: how much is held, and by which places first.
    pub fn summary(&self) -> String {
        if self.classes == 0 {
            return String::new();
        }
        let stay = if self.classes == 1 { "class stays" } else { "classes stay" };
        let mut text = format!(
            "{} {stay} only since reflection may find them; --keep FILE closes what holds them, even if it is empty \
             (--notes FILE writes one to begin with)\n",
            self.classes
        );
        for line in self.places.lines(Open::PLACES) {
            text += &format!("  held by {line}\n");
        }
        for (what, class) in self.libraries.iter().take(Open::PLACES) {
            text += &format!("  held by {class} of a library: {what}\n");
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::Open;

    #[test]
    fn a_library_that_holds_a_program_open_is_named() {
        let libraries = vec![("classes are looked for", "lib.Finder".to_owned())];
        let open = Open { classes: 3, libraries, ..Open::default() };
        assert!(open.summary().ends_with("\n  held by lib.Finder of a library: classes are looked for\n"));
        assert_eq!(Open { classes: 0, ..open }.summary(), "", "it holds nothing");
    }
}

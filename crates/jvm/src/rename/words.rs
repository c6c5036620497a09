//! Names in the order in which they are given: those of a dictionary, then `a`, `b` and on.

use std::collections::BTreeSet;

/// Names of devices, which some file systems have everywhere.
const DEVICES: [&str; 4] = ["aux", "con", "nul", "prn"];

/// Names in their order.
pub struct Words<'d> {
    dictionary: &'d [Box<[u8]>],
    /// The letters of which others are made.
    letters: &'static [u8],
    /// Names that are taken.
    reserved: BTreeSet<Box<[u8]>>,
    list: Vec<Box<[u8]>>,
    /// Which name comes next.
    next: usize,
}

const LETTERS: &[u8] = b"abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ";

impl<'d> Words<'d> {
    /// Names but those that are reserved; with capitals if those make a difference.
    pub fn new(dictionary: &'d [Box<[u8]>], has_mixed_case: bool, reserved: BTreeSet<Box<[u8]>>) -> Self {
        let letters = if has_mixed_case { LETTERS } else { &LETTERS[..26] };
        Words { dictionary, letters, reserved, list: Vec::new(), next: 0 }
    }

    /// The name at a place of the order.
    pub fn get(&mut self, place: usize) -> &[u8] {
        while self.list.len() <= place {
            let name = match self.dictionary.get(self.next) {
                Some(name) => name.clone(),
                None => spelled(self.next - self.dictionary.len(), self.letters),
            };
            self.next += 1;
            let is_device = DEVICES.iter().any(|device| name.eq_ignore_ascii_case(device.as_bytes()));
            let is_again = self.next > self.dictionary.len() && self.dictionary.contains(&name);
            if !(is_device || is_again || self.reserved.contains(&name)) {
                self.list.push(name);
            }
        }
        &self.list[place]
    }
}

/// `a` to `z`, then `aa`, `ab` and on.
fn spelled(mut number: usize, letters: &[u8]) -> Box<[u8]> {
    let mut name = Vec::new();
    loop {
        name.push(letters[number % letters.len()]);
        if number < letters.len() {
            break;
        }
        number = number / letters.len() - 1;
    }
    name.reverse();
    name.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_come_in_order_without_those_that_are_taken() {
        let dictionary = [b"lib".to_vec().into_boxed_slice(), b"b".to_vec().into(), b"CON".to_vec().into()];
        let reserved = BTreeSet::from([b"a".to_vec().into_boxed_slice()]);
        let mut words = Words::new(&dictionary, false, reserved);
        let found: Vec<String> =
            (0..4).map(|place| String::from_utf8(words.get(place).to_vec()).unwrap()).collect();
        assert_eq!(found, ["lib", "b", "c", "d"]);
        let all: BTreeSet<Vec<u8>> = (0..3000).map(|place| words.get(place).to_vec()).collect();
        assert_eq!(all.len(), 3000, "each once");
        assert_eq!(&*spelled(25, &LETTERS[..26]), b"z");
        assert_eq!(&*spelled(26, &LETTERS[..26]), b"aa");
        assert_eq!(&*spelled(52 * 53, LETTERS), b"aaa");
    }
}

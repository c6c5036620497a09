//! The words behind the name of a declaration: options `key=value` and marks, in any order and each once.

use std::str::FromStr;

use planish_base::spelling::closest;

/// Why a declaration cannot be read.
pub(super) struct Wrong<'a> {
    /// The words at fault, or the empty place in the line where a word is missing; the whole line where the declaration
    /// lacks a part that may stand anywhere.
    pub at: Option<&'a str>,
    pub message: String,
    pub note: Option<String>,
}

pub(super) type Parsed<'a, T = ()> = Result<T, Wrong<'a>>;

/// Words are at fault.
pub(super) fn wrong<T>(at: &str, message: String) -> Parsed<'_, T> {
    Err(Wrong { at: Some(at), message, note: None })
}

/// A word is at fault that may be meant as one of some others.
pub(super) fn misspelt<'a, 'n, T>(
    at: &'a str,
    message: String,
    known: impl IntoIterator<Item = &'n str>,
) -> Parsed<'a, T> {
    let note = closest(at, known).map(|near| format!("did you mean `{near}`?"));
    Err(Wrong { at: Some(at), message, note })
}

/// Something is not there.
pub(super) fn lacks<'a>(word: &str, what: &str) -> Wrong<'a> {
    Wrong { at: None, message: format!("this declaration of `{word}` has no {what}"), note: None }
}

/// The word of a declaration stands alone.
pub(super) fn nothing_behind<'a>(word: &str) -> Wrong<'a> {
    Wrong { at: None, message: format!("nothing stands behind `{word}`"), note: None }
}

/// The first word of a text, and what stands behind it.
pub(super) fn first(text: &str) -> (&str, &str) {
    let (first, rest) = text.split_once(char::is_whitespace).unwrap_or((text, &text[text.len()..]));
    (first, rest.trim())
}

/// The one word that a text is.
pub(super) fn only<'a>(of: &str, what: &str, text: &'a str) -> Parsed<'a, &'a str> {
    let (word, rest) = first(text);
    if word.is_empty() {
        return Err(lacks(of, what));
    }
    nothing(rest)?;
    Ok(word)
}

/// The place in a list where an item is missing: that of the first empty one, or the end.
pub(super) fn missing_item(list: &str, between: char) -> &str {
    let empty = list.split(between).find(|item| item.trim().is_empty());
    empty.map_or(&list[list.len()..], |item| &item[..0])
}

/// Nothing stands where nothing is read.
pub(super) fn nothing(text: &str) -> Parsed<'_> {
    match text {
        "" => Ok(()),
        text => wrong(text, format!("`{text}` says nothing here")),
    }
}

/// A number, as which a word is meant.
pub(super) fn number<T: FromStr>(text: &str) -> Parsed<'_, T> {
    if text.is_empty() {
        return wrong(text, "a number is missing here".to_owned());
    }
    text.parse().or_else(|_| wrong(text, format!("`{text}` is no number that can stand here")))
}

/// The text between the outer braces, if there are any, and what stands in front of them.
pub(super) fn braces<'a>(what: &str, text: &'a str) -> Parsed<'a, (Option<&'a str>, &'a str)> {
    let Some((head, rest)) = text.split_once('{') else { return Ok((None, text.trim())) };
    let Some((inner, behind)) = rest.rsplit_once('}') else {
        return wrong(rest, format!("the fields of {what} end with a `}}`"));
    };
    // Marks of an array stand behind its fields.
    match (head.trim(), behind.trim()) {
        (head, "") => Ok((Some(inner.trim()), head)),
        ("", behind) => Ok((Some(inner.trim()), behind)),
        (_, behind) => wrong(behind, format!("`{behind}` says nothing here")),
    }
}

/// The options and marks of a declaration.
pub(super) struct Options<'a> {
    /// By key: the value, and the whole word.
    values: Vec<(&'a str, &'a str, &'a str)>,
    marks: Vec<&'a str>,
}

impl<'a> Options<'a> {
    /// Reads words about `what`, of which there are these keys and marks.
    pub fn read(what: &str, text: &'a str, keys: &[&str], marks: &[&str]) -> Parsed<'a, Options<'a>> {
        let mut options = Options { values: Vec::new(), marks: Vec::new() };
        for word in text.split_whitespace() {
            let (key, value) = word.split_once('=').map_or((word, None), |(key, value)| (key, Some(value)));
            match value {
                None if keys.contains(&key) => {
                    return wrong(word, format!("`{key}` has no value: a `=` is missing behind it"));
                }
                Some(_) if marks.contains(&key) => {
                    return wrong(word, format!("`{key}` takes no value"));
                }
                _ => {}
            }
            if !keys.contains(&key) && !marks.contains(&key) {
                let known = keys.iter().chain(marks).copied();
                let near = closest(key, known).map(|near| format!("; did you mean `{near}`?"));
                let near = near.unwrap_or_default();
                return wrong(word, format!("`{key}` says nothing of {what}{near}"));
            }
            if options.marks.contains(&key) || options.get(key).is_some() {
                return wrong(word, format!("`{key}` is said twice"));
            }
            match value {
                Some(value) => options.values.push((key, value, word)),
                None => options.marks.push(key),
            }
        }
        Ok(options)
    }

    /// The value of a key.
    pub fn get(&self, key: &str) -> Option<&'a str> {
        self.values.iter().find(|(known, ..)| *known == key).map(|&(_, value, _)| value)
    }

    /// The value of a key that has to be there.
    pub fn wanted(&self, of: &str, key: &str) -> Parsed<'a, &'a str> {
        self.get(key).ok_or_else(|| lacks(of, key))
    }

    /// The word that gives a key its value.
    pub fn word(&self, key: &str) -> Option<&'a str> {
        self.values.iter().find(|(known, ..)| *known == key).map(|&(.., word)| word)
    }

    /// A mark as it stands there.
    pub fn mark(&self, mark: &str) -> Option<&'a str> {
        self.marks.iter().find(|&&known| known == mark).copied()
    }

    /// Whether a mark is there.
    pub fn has(&self, mark: &str) -> bool {
        self.marks.contains(&mark)
    }
}

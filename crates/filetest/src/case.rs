//! A test file: directives, a program, what is expected.
//!
//! Directives are the lines `# key: value` in front of the program; the expectation is everything
//! behind the line `# expected:`, each line a comment. The program keeps its line numbers: directives
//! are blanked, not removed, so messages about it show the lines of the file.

/// A test file, taken apart.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Case {
    /// Directives in order: key, value.
    pub directives: Vec<(String, String)>,
    /// The program, directives blanked.
    pub program: String,
    /// What must come out.
    pub expected: String,
    /// The file up to the expectation, as it stands.
    body: String,
}

/// The line that begins the expectation.
const EXPECTED: &str = "# expected:";

impl Case {
    /// Takes a file apart. The error says what is wrong with it.
    pub fn parse(text: &str) -> Result<Case, String> {
        let (mut directives, mut program, mut body) = (Vec::new(), String::new(), String::new());
        let mut lines = text.lines();
        let mut heading = true;
        for line in lines.by_ref() {
            if line == EXPECTED {
                break;
            }
            body.push_str(line);
            body.push('\n');
            match line.strip_prefix("# ").filter(|_| heading) {
                Some(comment) => {
                    let (key, value) = comment
                        .split_once(':')
                        .ok_or_else(|| format!("a directive is written `# key: value`, found `{line}`"))?;
                    directives.push((key.trim().to_owned(), value.trim().to_owned()));
                }
                None => {
                    heading = false;
                    program.push_str(line);
                }
            }
            program.push('\n');
        }
        let mut expected = String::new();
        for line in lines {
            let comment = line
                .strip_prefix('#')
                .ok_or_else(|| format!("behind `{EXPECTED}` every line is a comment, found `{line}`"))?;
            expected.push_str(comment.strip_prefix(' ').unwrap_or(comment));
            expected.push('\n');
        }
        Ok(Case { directives, program, expected, body })
    }

    /// The value of a directive that may stand once.
    pub fn directive<'a>(&'a self, key: &'a str) -> Option<&'a str> {
        self.all(key).next()
    }

    /// The values of a directive, in order.
    pub fn all<'a>(&'a self, key: &'a str) -> impl Iterator<Item = &'a str> {
        self.directives.iter().filter(move |(k, _)| k == key).map(|(_, value)| value.as_str())
    }

    /// The file with another expectation.
    pub fn bless(&self, output: &str) -> String {
        let mut text = format!("{}{EXPECTED}\n", self.body);
        for line in output.lines() {
            text.push('#');
            if !line.is_empty() {
                text.push(' ');
                text.push_str(line);
            }
            text.push('\n');
        }
        text
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const FILE: &str =
        "# test: run\n# args: 3\nv0 = getarg(0)\n# a remark\n# expected:\n# 3 -> return\n#\n# x\n";

    #[test]
    fn a_file_is_taken_apart_and_keeps_its_lines() {
        let case = Case::parse(FILE).unwrap();
        assert_eq!(case.directive("test"), Some("run"));
        assert_eq!(case.all("args").collect::<Vec<_>>(), ["3"]);
        assert_eq!(case.program, "\n\nv0 = getarg(0)\n# a remark\n");
        assert_eq!(case.expected, "3 -> return\n\nx\n");
        assert_eq!(case.bless(&case.expected), FILE);
    }

    #[test]
    fn what_is_no_test_file_is_refused() {
        assert!(Case::parse("# test run\n").unwrap_err().contains("# key: value"));
        assert!(Case::parse("# test: run\n# expected:\nv0\n").unwrap_err().contains("`v0`"));
    }
}

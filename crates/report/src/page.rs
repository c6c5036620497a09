//! The page: an HTML skeleton, our style and script inlined, and the data as JSON.

use std::borrow::Cow;
use std::ops::Range;

use planish_base::{share_out, shown};
use serde_json::Value;

use crate::data::{Panel, Report};
use crate::json;
use crate::packed::packed;

/// The style of the page.
pub const STYLE: &str = include_str!("page/style.css");

/// What shows parts of a report, in the order in which its parts need each other: for any page that has an `overview` and a
/// function `open`, which opens an item by its number.
pub const PARTS: [&str; 4] = [
    include_str!("page/elements.js"),
    include_str!("page/panels.js"),
    include_str!("page/code.js"),
    include_str!("page/graph.js"),
];

/// The script of the page around them: its data, the tree of items, and the page itself.
const INFLATE: &str = include_str!("page/inflate.js");
const DATA: &str = include_str!("page/data.js");
const TREE: &str = include_str!("page/tree.js");
const MAIN: &str = include_str!("page/main.js");

/// What [`PARTS`] are given of a report, for a page that gets it from a server.
pub struct Data {
    /// Names and sizes of all items, and the panels of the whole.
    pub overview: Value,
    /// Columns, panels and graphs of each item.
    pub items: Vec<Value>,
}

impl Data {
    /// The data of a report.
    pub fn of(report: &Report) -> Data {
        let mut overview = json::overview(report, &[]);
        let mut items: Vec<Value> = report.items.iter().map(json::details).collect();
        items.iter_mut().chain([&mut overview]).for_each(escape_hidden);
        Data { overview, items }
    }
}

/// One panel, for such a page.
pub fn panel(panel: &Panel) -> Value {
    let mut panel = json::panel(panel);
    escape_hidden(&mut panel);
    panel
}

/// Data of more bytes is packed.
const MUCH: usize = 1 << 20;

/// So many bytes of items at least are a block, unless it is the last.
const BLOCK: usize = 512 << 10;

/// The page, complete. Its size is that of the data plus about 30 KB; of much data about a tenth.
pub fn render(report: &Report) -> String {
    let details = shared_out(&report.items, |item| json_text(json::details(item)));
    let is_much = details.iter().map(String::len).sum::<usize>() > MUCH;
    let blocks = if is_much { blocks(&details) } else { Vec::new() };
    let begins: Vec<usize> = blocks.iter().map(|block| block.start).collect();
    let overview = json::overview(report, &begins);
    let mut page = format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
         <meta name=\"viewport\" content=\"width=device-width\">\n<title>{}</title>\n\
         <style>\n{STYLE}</style>\n</head>\n<body>\n<noscript>This report needs a browser that runs scripts.</noscript>\n",
        escape(&report.title),
    );
    let overview = json_text(overview);
    match is_much {
        true => push_packed(&mut page, "overview", &packed(&overview)),
        false => push_data(&mut page, "overview", &overview),
    }
    let text = |block: &Range<usize>| packed(&format!("[{}]", details[block.clone()].join(",")));
    for (number, block) in shared_out(&blocks, text).iter().enumerate() {
        push_packed(&mut page, &format!("block-{number}"), block);
    }
    for (position, item) in details.iter().enumerate().filter(|_| !is_much) {
        push_data(&mut page, &format!("item-{position}"), item);
    }
    page.push_str("<script>\n");
    page.push_str("\"use strict\";\n");
    script().for_each(|part| page.push_str(part));
    page.push_str("</script>\n</body>\n</html>\n");
    page
}

/// The script of the page.
fn script() -> impl Iterator<Item = &'static str> {
    [INFLATE, DATA].into_iter().chain(PARTS).chain([TREE, MAIN])
}

/// The items of each block.
fn blocks(details: &[String]) -> Vec<Range<usize>> {
    let mut blocks = Vec::new();
    let (mut start, mut size) = (0, 0);
    for (position, item) in details.iter().enumerate() {
        size += item.len();
        if size >= BLOCK || position + 1 == details.len() {
            blocks.push(start..position + 1);
            (start, size) = (position + 1, 0);
        }
    }
    blocks
}

fn json_text(mut value: Value) -> String {
    escape_hidden(&mut value);
    value.to_string()
}

/// Data in a script element, which ends at the first `</script`: no `<` may stand in it.
fn push_data(page: &mut String, id: &str, json: &str) {
    page.push_str(&format!("<script type=\"application/json\" id=\"{id}\">"));
    page.push_str(&json.replace('<', "\\u003c"));
    page.push_str("</script>\n");
}

/// The same of what is packed.
fn push_packed(page: &mut String, id: &str, packed: &str) {
    page.push_str(&format!("<script type=\"text/plain\" id=\"{id}\">{packed}</script>\n"));
}

/// What becomes of each of many, on as many threads as the machine has.
fn shared_out<T: Sync, R: Send>(of: &[T], work: impl Fn(&T) -> R + Sync) -> Vec<R> {
    let threads = std::thread::available_parallelism().map_or(1, usize::from);
    share_out(threads, of, || (), |(), item| work(item), |()| ()).0
}

/// Puts escapes in the place of what turns the direction of text or cannot be seen, so that a browser shows texts as they are.
fn escape_hidden(value: &mut Value) {
    match value {
        Value::String(text) => {
            if let Cow::Owned(escaped) = shown(text) {
                *text = escaped;
            }
        }
        Value::Array(values) => values.iter_mut().for_each(escape_hidden),
        Value::Object(values) => values.values_mut().for_each(escape_hidden),
        _ => {}
    }
}

/// Text in HTML.
fn escape(text: &str) -> String {
    let text = shown(text);
    let mut escaped = String::with_capacity(text.len());
    for c in text.chars() {
        match c {
            '<' => escaped.push_str("&lt;"),
            '>' => escaped.push_str("&gt;"),
            '&' => escaped.push_str("&amp;"),
            '"' => escaped.push_str("&quot;"),
            _ => escaped.push(c),
        }
    }
    escaped
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::data::{Column, Item, Line};

    #[test]
    fn marks_of_direction_are_shown_as_escapes() {
        let line = Line { text: "v0 = \"\u{202e}x\x1b\"".into(), ..Line::default() };
        let columns = vec![Column { title: "in".into(), lines: vec![line], ..Column::default() }];
        let item = Item { name: "f\u{2066}".into(), columns, ..Item::default() };
        let page = render(&Report { title: "t\u{200f}".into(), items: vec![item], ..Report::default() });
        assert!(!page.contains(['\u{202e}', '\u{2066}', '\u{200f}', '\x1b']));
        for escape in ["\\\\u{202e}x\\\\u{1b}", "f\\\\u{2066}", "<title>t\\u{200f}</title>"] {
            assert!(page.contains(escape), "{escape}");
        }
    }

    #[test]
    fn text_of_a_program_cannot_end_the_script() {
        let line = Line { text: "v0 = </script><b>&".into(), ..Line::default() };
        let item = Item {
            name: "f".into(),
            columns: vec![Column { title: "in".into(), lines: vec![line], ..Column::default() }],
            ..Item::default()
        };
        let page = render(&Report { title: "<x>".into(), items: vec![item], ..Report::default() });
        assert!(page.contains("<title>&lt;x&gt;</title>"));
        assert!(!page.contains("</script><b>"));
        assert_eq!(page.matches("</script>").count(), 3, "overview, one item, the script");
    }

    /// A page about so many items, each with a line of its own.
    fn page_of(count: usize) -> String {
        let item = |number: usize| {
            let line = Line { text: format!("{number}: {}", "iload_1 ".repeat(100)), ..Line::default() };
            let columns = vec![Column { title: "in".into(), lines: vec![line], ..Column::default() }];
            Item { name: format!("f{number}"), columns, ..Item::default() }
        };
        render(&Report { items: (0..count).map(item).collect(), ..Report::default() })
    }

    #[test]
    fn much_data_is_packed_in_blocks_of_items() {
        let (few, many) = (page_of(3), page_of(3_000));
        assert!(few.contains("id=\"item-2\"") && !few.contains("id=\"block-"));
        assert!(!many.contains("id=\"item-"), "no item stands alone");
        let blocks = many.matches("type=\"text/plain\" id=\"block-").count();
        assert!((3..10).contains(&blocks), "{blocks}");
        assert!(many.len() < 200_000, "{}", many.len());
        let details = vec!["x".repeat(BLOCK - 1), "y".to_owned(), "z".to_owned()];
        assert_eq!(super::blocks(&details), [0..2, 2..3]);
        assert_eq!(super::blocks(&[]), []);
    }

    #[test]
    fn nothing_on_the_page_asks_the_network() {
        for outside in ["http://", "https://", "@import", "src="] {
            assert!(
                !STYLE.contains(outside)
                    && !script()
                        .collect::<String>()
                        .replace("http://www.w3.org/2000/svg", "")
                        .contains(outside)
            );
        }
    }
}

//! Parsing of what stands behind the name of a constant object.

use super::Object;
use super::words::{Options, Parsed, braces, lacks, nothing, number, only, wrong};
use crate::declare;

/// Longer constant arrays are refused: their items are held one by one.
const LONGEST: u64 = 1 << 16;

/// `null`, `= OTHER`, `ARRAY[LENGTH]`, `any STRUCT { f=v }` or `STRUCT vtable=V { f=v }`.
pub(super) fn object(text: &str) -> Parsed<'_, Object> {
    if text == "null" {
        return Ok(Object::Null);
    }
    if let Some(other) = text.strip_prefix('=') {
        return Ok(Object::Same(only("ptr", "other name", other.trim())?.to_owned()));
    }
    let (any, text) = text.strip_prefix("any ").map_or((false, text), |text| (true, text.trim_start()));
    let end = text.find(|c: char| c.is_whitespace() || matches!(c, '[' | '{'));
    let of = &text[..end.unwrap_or(text.len())];
    if of.is_empty() {
        return Err(lacks("ptr", "structure"));
    }
    let rest = text[of.len()..].trim_start();
    if let Some(inner) = rest.strip_prefix('[').filter(|_| !any) {
        let Some((length, behind)) = inner.split_once(']') else {
            return wrong(rest, format!("`{rest}` is no length"));
        };
        nothing(behind.trim())?;
        let length: u64 = number(length.trim())?;
        if length > LONGEST {
            return wrong(inner, format!("constant arrays have at most {LONGEST} items"));
        }
        return Ok(Object::Array { of: of.to_owned(), length });
    }
    let (inner, head) = braces("an object", rest)?;
    let options = Options::read("a constant object", head, &["vtable"], &[])?;
    let fields = fields(inner.unwrap_or_default())?;
    let vtable = options.get("vtable").filter(|&vtable| vtable != "none").map(str::to_owned);
    Ok(Object::Struct { of: of.to_owned(), vtable, fields, any })
}

/// `name=value, name=value`
fn fields(text: &str) -> Parsed<'_, Vec<(String, String)>> {
    let mut fields: Vec<(String, String)> = Vec::new();
    let mut is_inside = false;
    let ends = |c: char| {
        is_inside ^= c == '"';
        c == ',' && !is_inside
    };
    for field in text.split(ends).map(str::trim).filter(|_| !text.is_empty()) {
        if field.is_empty() {
            return wrong(field, "a field is missing here".to_owned());
        }
        let Some((name, held)) = field.split_once('=') else {
            return wrong(field, format!("the field `{field}` has no content"));
        };
        let (name, held) = (name.trim(), held.trim());
        if name.is_empty() {
            return wrong(field, format!("the content `{held}` is that of no field"));
        }
        if fields.iter().any(|(known, _)| known == name) {
            return wrong(field, format!("the field `{name}` has a content already"));
        }
        if held.matches('"').count() % 2 == 1 {
            return wrong(held, format!("the text `{held}` is never closed"));
        }
        if !declare::is_content(held) {
            return wrong(if held.is_empty() { field } else { held }, format!("`{held}` is no constant"));
        }
        fields.push((name.to_owned(), held.to_owned()));
    }
    Ok(fields)
}

//! Bril's JSON form, read and written.
//!
//! Positions (`pos`, `pos_end`, `src`) are dropped: they speak of a text that is gone. Any other member
//! that Bril does not define is an error, for dropping it could lose what a tool relies on.

use planish_base::Span;
use serde_json::{Map, Value, json};

use crate::ast::{Function, Instruction, Item, Literal, Program, Type};

/// Why a JSON text is not a Bril program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct NotBril {
    /// Where.
    pub place: Place,
    /// What is wrong.
    pub message: String,
}

/// Where a JSON text is not a Bril program.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Place {
    /// In the text: there it is no JSON.
    Text(Span),
    /// At a value, by a path of members and positions such as `program.functions[0].instrs[3]`.
    Path(String),
}

type Result<T> = std::result::Result<T, NotBril>;

/// Reads a program.
pub fn read(text: &str) -> Result<Program> {
    let value: Value = serde_json::from_str(text).map_err(|e| not_json(text, &e))?;
    let root = Node { value: &value, path: "program".into() };
    let members = root.object(&["functions"])?;
    let functions = members.required("functions")?.items()?.iter().map(function).collect::<Result<_>>()?;
    Ok(Program { functions })
}

/// What the reader of JSON says of a text.
fn not_json(text: &str, error: &serde_json::Error) -> NotBril {
    let line: usize = text.split_inclusive('\n').take(error.line().saturating_sub(1)).map(str::len).sum();
    let byte = line + error.column().saturating_sub(1);
    let byte = text.floor_char_boundary(byte);
    let end = text.ceil_char_boundary(text.len().min(byte + 1));
    let said = error.to_string();
    let what = said.rsplit_once(" at line ").map_or(said.as_str(), |(what, _)| what);
    NotBril { place: Place::Text(Span::new(byte..end)), message: format!("this is not JSON: {what}") }
}

/// A value and how it was reached.
struct Node<'v> {
    value: &'v Value,
    path: String,
}

/// An object and how it was reached.
struct Members<'v> {
    map: &'v Map<String, Value>,
    path: String,
}

impl<'v> Node<'v> {
    fn wrong<T>(&self, message: impl Into<String>) -> Result<T> {
        Err(NotBril { place: Place::Path(self.path.clone()), message: message.into() })
    }

    fn object(&self, known: &[&str]) -> Result<Members<'v>> {
        let Value::Object(map) = self.value else { return self.wrong("expected an object") };
        for key in map.keys() {
            if !known.contains(&key.as_str()) && !["pos", "pos_end", "src"].contains(&key.as_str()) {
                return self.wrong(format!("unknown member `{key}`"));
            }
        }
        Ok(Members { map, path: self.path.clone() })
    }

    fn items(&self) -> Result<Vec<Node<'v>>> {
        let Value::Array(items) = self.value else { return self.wrong("expected an array") };
        let node = |(i, value)| Node { value, path: format!("{}[{i}]", self.path) };
        Ok(items.iter().enumerate().map(node).collect())
    }

    fn text(&self) -> Result<&'v str> {
        self.value.as_str().map_or_else(|| self.wrong("expected a string"), Ok)
    }
}

impl<'v> Members<'v> {
    fn get(&self, key: &str) -> Option<Node<'v>> {
        self.map.get(key).map(|value| Node { value, path: format!("{}.{key}", self.path) })
    }

    fn required(&self, key: &str) -> Result<Node<'v>> {
        let missing = || NotBril {
            place: Place::Path(self.path.clone()),
            message: format!("member `{key}` is missing"),
        };
        self.get(key).ok_or_else(missing)
    }

    fn texts(&self, key: &str) -> Result<Vec<String>> {
        match self.get(key) {
            Some(node) => node.items()?.iter().map(|item| Ok(item.text()?.to_owned())).collect(),
            None => Ok(Vec::new()),
        }
    }
}

fn function(node: &Node<'_>) -> Result<Function> {
    let members = node.object(&["name", "args", "type", "instrs"])?;
    let params = match members.get("args") {
        Some(args) => args.items()?.iter().map(param).collect::<Result<_>>()?,
        None => Vec::new(),
    };
    Ok(Function {
        name: members.required("name")?.text()?.to_owned(),
        params,
        result: members.get("type").map(|ty| read_type(&ty)).transpose()?,
        body: members.required("instrs")?.items()?.iter().map(item).collect::<Result<_>>()?,
        span: Span::default(),
    })
}

fn param(node: &Node<'_>) -> Result<(String, Type)> {
    let members = node.object(&["name", "type"])?;
    Ok((members.required("name")?.text()?.to_owned(), read_type(&members.required("type")?)?))
}

fn read_type(node: &Node<'_>) -> Result<Type> {
    let (mut value, mut depth) = (node.value, 0);
    // serde_json bounds nesting, so does this loop; the type is built from the inside out.
    let mut ty = loop {
        match value {
            Value::String(name) => match name.as_str() {
                "int" => break Type::Int,
                "bool" => break Type::Bool,
                "float" => break Type::Float,
                "char" => break Type::Char,
                _ => return node.wrong(format!("`{name}` is not a type")),
            },
            Value::Object(map) if map.len() == 1 && map.contains_key("ptr") => {
                value = &map["ptr"];
                depth += 1;
            }
            _ => return node.wrong("expected a type"),
        }
    };
    for _ in 0..depth {
        ty = Type::Ptr(Box::new(ty));
    }
    Ok(ty)
}

fn item(node: &Node<'_>) -> Result<Item> {
    let members = node.object(&["label", "op", "dest", "type", "args", "funcs", "labels", "value"])?;
    if let Some(label) = members.get("label") {
        return Ok(Item::Label(label.text()?.to_owned(), Span::default()));
    }
    let dest = match (members.get("dest"), members.get("type")) {
        (Some(dest), Some(ty)) => Some((dest.text()?.to_owned(), read_type(&ty)?)),
        (None, None) => None,
        _ => return node.wrong("`dest` and `type` go together"),
    };
    let ty = dest.as_ref().map(|(_, ty)| ty);
    Ok(Item::Instruction(Instruction {
        op: members.required("op")?.text()?.to_owned(),
        args: members.texts("args")?,
        funcs: members.texts("funcs")?,
        labels: members.texts("labels")?,
        value: members.get("value").map(|value| literal(&value, ty)).transpose()?,
        dest,
        span: Span::default(),
    }))
}

fn literal(node: &Node<'_>, ty: Option<&Type>) -> Result<Literal> {
    let literal = match (node.value, ty) {
        (Value::Bool(truth), _) => Some(Literal::Bool(*truth)),
        // An integer is a float where a float is asked for; the reference interpreter does the same.
        (Value::Number(number), Some(Type::Float)) => number.as_f64().map(Literal::Float),
        (Value::Number(number), _) => {
            number.as_i64().map(Literal::Int).or_else(|| number.as_f64().map(Literal::Float))
        }
        (Value::String(text), Some(Type::Float)) => match text.as_str() {
            // Floats that JSON has no numbers for.
            "NaN" => Some(Literal::Float(f64::NAN)),
            "Infinity" => Some(Literal::Float(f64::INFINITY)),
            "-Infinity" => Some(Literal::Float(f64::NEG_INFINITY)),
            _ => None,
        },
        (Value::String(text), _) => {
            let mut chars = text.chars();
            chars.next().filter(|_| chars.next().is_none()).map(Literal::Char)
        }
        _ => None,
    };
    literal.map_or_else(|| node.wrong("this is not a constant"), Ok)
}

/// Writes a program, indented by two spaces.
pub fn write(program: &Program) -> String {
    let functions: Vec<Value> = program.functions.iter().map(write_function).collect();
    let mut text =
        serde_json::to_string_pretty(&json!({ "functions": functions })).expect("a tree of plain values");
    text.push('\n');
    text
}

fn write_function(function: &Function) -> Value {
    let mut map = Map::new();
    map.insert("name".into(), json!(function.name));
    if !function.params.is_empty() {
        let params: Vec<Value> = function
            .params
            .iter()
            .map(|(name, ty)| json!({ "name": name, "type": write_type(ty) }))
            .collect();
        map.insert("args".into(), json!(params));
    }
    if let Some(result) = &function.result {
        map.insert("type".into(), write_type(result));
    }
    map.insert("instrs".into(), function.body.iter().map(write_item).collect());
    Value::Object(map)
}

fn write_type(ty: &Type) -> Value {
    match ty {
        Type::Ptr(to) => json!({ "ptr": write_type(to) }),
        _ => json!(ty.to_string()),
    }
}

fn write_item(item: &Item) -> Value {
    let instruction = match item {
        Item::Label(label, _) => return json!({ "label": label }),
        Item::Instruction(instruction) => instruction,
    };
    let mut map = Map::new();
    map.insert("op".into(), json!(instruction.op));
    if let Some((dest, ty)) = &instruction.dest {
        map.insert("dest".into(), json!(dest));
        map.insert("type".into(), write_type(ty));
    }
    for (key, names) in
        [("args", &instruction.args), ("funcs", &instruction.funcs), ("labels", &instruction.labels)]
    {
        if !names.is_empty() {
            map.insert(key.into(), json!(names));
        }
    }
    match instruction.value {
        None => {}
        Some(Literal::Int(int)) => drop(map.insert("value".into(), json!(int))),
        Some(Literal::Bool(truth)) => drop(map.insert("value".into(), json!(truth))),
        Some(Literal::Char(c)) => drop(map.insert("value".into(), json!(c.to_string()))),
        Some(Literal::Float(float)) => {
            let value = match float {
                _ if float.is_nan() => json!("NaN"),
                f64::INFINITY => json!("Infinity"),
                f64::NEG_INFINITY => json!("-Infinity"),
                _ => json!(float),
            };
            map.insert("value".into(), value);
        }
    }
    Value::Object(map)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::text;

    #[test]
    fn text_and_json_say_the_same() {
        let source = "@main(n: int): ptr<int> {\n  c: char = const 'x';\n  f: float = const -0.0;\n  g: float = \
                      const inf;\n.l:\n  p: ptr<int> = alloc n;\n  br b .l .m;\n.m:\n  p: ptr<int> = call @main n;\n  \
                      ret p;\n}\n";
        let (program, diagnostics) = text::read(source);
        assert!(diagnostics.is_empty(), "{diagnostics:?}");
        let mut back = read(&write(&program)).expect("what was written is read");
        assert_eq!(write(&back), write(&program));
        assert_eq!(text::write(&back), source);
        back.functions[0].name.push('!');
        assert_ne!(write(&back), write(&program));
    }

    #[test]
    fn errors_say_where_and_what() {
        let cases = [
            ("{}", "program: member `functions` is missing"),
            (r#"{"functions":[{"name":"f"}]}"#, "program.functions[0]: member `instrs` is missing"),
            (
                r#"{"functions":[{"name":"f","instrs":[{"op":"id","dest":"x"}]}]}"#,
                "program.functions[0].instrs[0]: `dest` and `type` go together",
            ),
            (
                r#"{"functions":[{"name":"f","instrs":[{"op":"nop","colour":1}]}]}"#,
                "program.functions[0].instrs[0]: unknown member `colour`",
            ),
            (
                r#"{"functions":[{"name":"f","args":[{"name":"x","type":"itn"}],"instrs":[]}]}"#,
                "program.functions[0].args[0].type: `itn` is not a type",
            ),
        ];
        for (text, message) in cases {
            let NotBril { place: Place::Path(path), message: what } = read(text).unwrap_err() else {
                panic!("{text} is JSON")
            };
            assert_eq!(format!("{path}: {what}"), message);
        }
        let broken = [
            ("", 0..0, "EOF while parsing a value"),
            ("{", 0..1, "EOF while parsing an object"),
            ("{\n \"é\": é}", 9..11, "expected value"),
        ];
        for (text, bytes, what) in broken {
            let message = format!("this is not JSON: {what}");
            assert_eq!(read(text), Err(NotBril { place: Place::Text(Span::new(bytes)), message }), "{text}");
        }
        let deep = format!(r#"{{"functions":{}"#, "[".repeat(100_000));
        assert!(read(&deep).is_err());
    }
}

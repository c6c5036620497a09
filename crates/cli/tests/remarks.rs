//! `--remarks` in every dialect: each line is an object as `docs/remarks.schema.json` describes it.

use std::collections::BTreeSet;
use std::path::Path;
use std::process::Command;

use serde_json::Value;

/// What is wrong with a value by a schema: those words of JSON Schema that ours uses. Other words are an error, so
/// that none is passed over.
fn wrong(schema: &Value, value: &Value) -> Option<String> {
    for (word, said) in schema.as_object().expect("a schema is an object") {
        let holds = match word.as_str() {
            "$schema" | "title" | "description" | "properties" => true,
            "type" => match said.as_str() {
                Some("object") => value.is_object(),
                Some("string") => value.is_string(),
                Some("integer") => value.is_i64(),
                other => panic!("the type {other:?} is not known here"),
            },
            "enum" => said.as_array().expect("a list").contains(value),
            "minimum" => value.as_i64() >= said.as_i64(),
            "required" => {
                let names = said.as_array().expect("a list").iter();
                names.map(|name| name.as_str().expect("a name")).all(|name| value.get(name).is_some())
            }
            "additionalProperties" => {
                assert_eq!(said, &Value::Bool(false));
                let known = schema["properties"].as_object().expect("properties");
                value.as_object().is_some_and(|members| members.keys().all(|name| known.contains_key(name)))
            }
            other => panic!("the word `{other}` is not known here"),
        };
        if !holds {
            return Some(format!("{value} is not as `{word}: {said}`"));
        }
    }
    let members = schema.get("properties").and_then(Value::as_object)?;
    members.iter().find_map(|(name, schema)| wrong(schema, value.get(name)?))
}

/// A loop that is written out by a pass.
const COUNTED: &str = "\
function -> x
  mov 3 -> n
label loop
  * x x -> x
  + n -1 -> n
  > n 0 -> more
  switch more done loop
label done
  return x
";

/// Names of files with what is in them; without that, one of the repository.
const PROGRAMS: [(&str, &str); 8] = [
    ("a.ssa", "v0 = getarg(0)\nv1 = add(v0, 0)\nv2 = mul(v1, 8)\n"),
    ("a.tac", "function -> x\n  + x 0 -> y\n  * y 8 -> z\nreturn z\n"),
    ("b.tac", COUNTED),
    ("a.rvsdg", "(func-1-inputs-1-outputs (* (+ get-0 0) 8))\n"),
    ("a.bril", "@main(x: int) {\n  zero: int = const 0;\n  y: int = add x zero;\n  print y;\n}\n"),
    ("a.trace", "[i0]\ni1 = int_add(i0, 0)\ni2 = int_mul(i1, 8)\nfinish(i2)\n"),
    ("examples/logs/checksum.log", ""),
    ("examples/strawman", ""),
];

#[test]
fn remarks_are_as_the_schema_says() {
    let root = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..");
    let schema = std::fs::read_to_string(root.join("docs/remarks.schema.json")).expect("the schema");
    let schema: Value = serde_json::from_str(&schema).expect("the schema is JSON");
    let directory = Path::new(env!("CARGO_TARGET_TMPDIR")).join("remarks");
    std::fs::create_dir_all(&directory).expect("a directory");
    let mut outcomes = BTreeSet::new();
    for (name, text) in PROGRAMS {
        let path = match text {
            "" => root.join(name),
            text => {
                std::fs::write(directory.join(name), text).expect("a file");
                directory.join(name)
            }
        };
        let remarks = directory.join(format!("{}.jsonl", name.replace('/', "-")));
        let output = Command::new(env!("CARGO_BIN_EXE_planish"))
            .args(["opt", "-o", "/dev/null", "--remarks"])
            .args([&remarks, &path])
            .output()
            .expect("the command runs");
        assert!(output.status.success(), "{name}: {}", String::from_utf8_lossy(&output.stderr));
        let lines = std::fs::read_to_string(&remarks).expect("remarks");
        assert!(!lines.is_empty(), "{name} is optimized");
        for (number, line) in (1..).zip(lines.lines()) {
            let remark: Value = serde_json::from_str(line).expect("a remark is JSON");
            assert_eq!(wrong(&schema, &remark), None, "{name}:{number}");
            assert_eq!(remark["n"], number, "{name}: rewrites are counted");
            // What the schema says in words.
            let (outcome, kind) = (remark["outcome"].as_str(), remark["kind"].as_str());
            assert_eq!(remark.get("rule").is_some(), kind == Some("rule"), "{line}");
            assert_eq!(remark.get("place").is_some(), kind == Some("rule"), "{line}");
            assert_eq!(remark.get("value").is_some(), outcome == Some("value"), "{line}");
            let replaced = matches!(outcome, Some("value" | "operation"));
            assert_eq!(remark.get("became").is_some(), replaced, "{line}");
            outcomes.insert(outcome.expect("text").to_owned());
        }
    }
    assert_eq!(outcomes.len(), 4, "{outcomes:?}");
}

#[test]
fn what_is_not_as_the_schema_says_is_found() {
    let schema: Value = serde_json::json!({
        "type": "object",
        "additionalProperties": false,
        "required": ["n"],
        "properties": { "n": { "type": "integer", "minimum": 1 }, "is": { "enum": ["a"] } },
    });
    for (value, word) in [
        (serde_json::json!([]), "additionalProperties"),
        (serde_json::json!({}), "required"),
        (serde_json::json!({ "n": 0 }), "minimum"),
        (serde_json::json!({ "n": "1" }), "minimum"),
        (serde_json::json!({ "n": 1, "is": "b" }), "enum"),
        (serde_json::json!({ "n": 1, "was": "a" }), "additionalProperties"),
    ] {
        let found = wrong(&schema, &value).expect("something is wrong");
        assert!(found.contains(word), "{found}");
    }
    assert_eq!(wrong(&schema, &serde_json::json!({ "n": 1, "is": "a" })), None);
}

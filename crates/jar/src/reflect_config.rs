//! What libraries say of their reflection for GraalVM's native image, as keep rules.
//!
//! `META-INF/native-image/**/reflect-config.json`, `jni-config.json` and `reachability-metadata.json` of an input list classes and
//! members that are found by name (GraalVM's *Reachability Metadata*). What is found is the same on any JVM, so they are
//! read as rules. A class that is reachable only with another is kept only if that is there.

use std::fmt::Write;

use serde_json::Value;

/// Whether an entry has such a list.
pub fn is_config(name: &[u8]) -> bool {
    let files = [&b"/reflect-config.json"[..], b"/jni-config.json", b"/reachability-metadata.json"];
    name.starts_with(b"META-INF/native-image/") && files.iter().any(|file| name.ends_with(file))
}

/// The rules of a list. The error says what is wrong with the text.
pub fn rules(text: &str) -> Result<String, String> {
    let root: Value = serde_json::from_str(text).map_err(|error| error.to_string())?;
    let lists = match &root {
        Value::Array(_) => vec![&root],
        Value::Object(object) => ["reflection", "jni"].iter().filter_map(|key| object.get(*key)).collect(),
        _ => return Err("a list of classes is expected".to_owned()),
    };
    let items = lists.into_iter().filter_map(Value::as_array).flatten();
    Ok(items.filter_map(rule).collect())
}

/// The rule of an item; nothing for arrays, proxies and what else has no class of its own.
fn rule(item: &Value) -> Option<String> {
    let class = name(item, "name").or_else(|| name(item, "type"))?;
    let has = |key: &str| item.get(key).and_then(Value::as_bool) == Some(true);
    let mut members = String::new();
    for (all, public, shape) in [
        ("allDeclaredConstructors", "allPublicConstructors", "<init>(...);"),
        ("allDeclaredMethods", "allPublicMethods", "<methods>;"),
        ("allDeclaredFields", "allPublicFields", "<fields>;"),
    ] {
        if has(all) {
            let _ = write!(members, " {shape}");
        } else if has(public) {
            let _ = write!(members, " public {shape}");
        }
    }
    if has("unsafeAllocated") {
        members += " <fields>;";
    }
    let list = |key: &str| item.get(key).and_then(Value::as_array).into_iter().flatten();
    for method in list("methods") {
        let Some(name) = name(method, "name") else { continue };
        let types = method.get("parameterTypes").and_then(Value::as_array);
        let parameters = match types {
            Some(types) => types.iter().filter_map(Value::as_str).collect::<Vec<_>>().join(","),
            None => "...".to_owned(),
        };
        let result = if name == "<init>" { "" } else { "*** " };
        let _ = write!(members, " {result}{name}({parameters});");
    }
    for field in list("fields") {
        if let Some(name) = name(field, "name") {
            let _ = write!(members, " *** {name};");
        }
    }
    let condition = item.get("condition").and_then(|condition| {
        let class = name(condition, "typeReachable").or_else(|| name(condition, "typeReached"))?;
        Some(format!("-if class {class}\n"))
    });
    let members = if members.is_empty() { members } else { format!(" {{{members} }}") };
    Some(format!("{}-keep class {class}{members}\n", condition.unwrap_or_default()))
}

/// A text that is a name of Java.
fn name<'v>(item: &'v Value, key: &str) -> Option<&'v str> {
    let is_part = |c: char| c.is_alphanumeric() || "_$.<>".contains(c);
    item.get(key).and_then(Value::as_str).filter(|name| !name.is_empty() && name.chars().all(is_part))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_classes_are_rules() {
        let text = r#"[
            {"name": "a.B", "allDeclaredConstructors": true, "allPublicMethods": true,
             "fields": [{"name": "size"}], "condition": {"typeReachable": "a.Main"}},
            {"name": "a.C", "methods": [{"name": "<init>", "parameterTypes": []},
                                        {"name": "run", "parameterTypes": ["int", "java.lang.String[]"]}]},
            {"name": "[B"},
            {"name": "a.D"}
        ]"#;
        assert_eq!(
            rules(text).as_deref(),
            Ok("\
-if class a.Main
-keep class a.B { <init>(...); public <methods>; *** size; }
-keep class a.C { <init>(); *** run(int,java.lang.String[]); }
-keep class a.D
")
        );
        let newer =
            r#"{"reflection": [{"type": "a.E", "allDeclaredFields": true}, {"type": {"proxy": ["a.F"]}}]}"#;
        assert_eq!(rules(newer).as_deref(), Ok("-keep class a.E { <fields>; }\n"));
    }

    #[test]
    fn what_is_no_list_is_said() {
        assert!(rules("3").is_err_and(|error| error.contains("a list of classes")));
        assert!(rules("[{").is_err_and(|error| error.contains("line 1")));
    }
}

//! The headers say what the library has: the same functions with the same parameters, the same structures with the same
//! fields, the same numbers. Every function of `planish.h` is called from C, in `tests/c` or in an example.

use std::collections::BTreeMap;

const HEADERS: [&str; 3] = [
    include_str!("../include/planish_common.h"),
    include_str!("../include/planish.h"),
    include_str!("../include/planish_trace.h"),
];

const SOURCES: [&str; 14] = [
    include_str!("../src/border.rs"),
    include_str!("../src/names.rs"),
    include_str!("../src/optimizer.rs"),
    include_str!("../src/module/code.rs"),
    include_str!("../src/module/datum.rs"),
    include_str!("../src/module/ends.rs"),
    include_str!("../src/module/functions.rs"),
    include_str!("../src/module/operations.rs"),
    include_str!("../src/module/run.rs"),
    include_str!("../src/module/whole.rs"),
    include_str!("../src/module/words.rs"),
    include_str!("../src/trace/record.rs"),
    include_str!("../src/trace/walk.rs"),
    include_str!("../src/trace/words.rs"),
];

/// What is written in C.
const PROGRAMS: [&str; 5] = [
    include_str!("c/functions.c"),
    include_str!("c/handles.c"),
    include_str!("../../../examples/c/boxes.c"),
    include_str!("../../../examples/c/bridge.c"),
    include_str!("../../../examples/c/formula.c"),
];

/// Text without C comments, all white space one blank.
fn plain(text: &str) -> String {
    let mut left = String::new();
    let mut rest = text;
    while let Some((before, after)) = rest.split_once("/*") {
        left += before;
        rest = after.split_once("*/").expect("the end of a comment").1;
    }
    left += rest;
    left.lines().filter(|line| !line.starts_with('#')).collect::<Vec<_>>().join(" ")
}

fn words(text: &str) -> String {
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// `PlanishTrace` is `planish_trace` in C.
fn snake(name: &str) -> String {
    let mut out = String::new();
    for letter in name.chars() {
        if letter.is_uppercase() && !out.is_empty() {
            out.push('_');
        }
        out.extend(letter.to_lowercase());
    }
    out
}

/// A type of Rust with a name, as a declaration of C.
fn declared(ty: &str, name: &str) -> String {
    let inside = |before: &str, after: &str| ty.strip_prefix(before).and_then(|ty| ty.strip_suffix(after));
    let plain = |ty: &str| match ty {
        "u32" => "uint32_t".to_owned(),
        "u64" => "uint64_t".to_owned(),
        "i64" => "int64_t".to_owned(),
        "f64" => "double".to_owned(),
        "usize" => "size_t".to_owned(),
        "bool" => "bool".to_owned(),
        "c_char" => "char".to_owned(),
        "c_void" => "void".to_owned(),
        "Status" => "planish_status".to_owned(),
        ty if ty.starts_with("Planish") => snake(ty),
        ty => panic!("{ty} has no form in C"),
    };
    if let Some(ty) = inside("Out<'_, Option<Box<", ">>>") {
        format!("{} **{name}", plain(ty))
    } else if let Some(ty) = inside("Out<'_, *const ", ">") {
        format!("const {} **{name}", plain(ty))
    } else if let Some(ty) = inside("Out<'_, ", ">").or(inside("Option<&mut ", ">")) {
        format!("{} *{name}", plain(ty))
    } else if let Some(ty) = inside("Option<Box<", ">>").or(ty.strip_prefix("*mut ")) {
        format!("{} *{name}", plain(ty))
    } else if let Some(ty) = inside("Option<&", ">").or(ty.strip_prefix("*const ")) {
        format!("const {} *{name}", plain(ty))
    } else {
        format!("{} {name}", plain(ty))
    }
}

/// The prototypes that the sources ask for.
fn functions() -> Vec<String> {
    let mut found = Vec::new();
    for source in SOURCES {
        for text in source.split("extern \"C\" fn ").skip(1) {
            let (signature, _) = text.split_once(" {").expect("a body");
            let (name, rest) = signature.split_once('(').expect("parameters");
            let (parameters, result) = rest.rsplit_once(')').expect("their end");
            let parameters = parameters.split(",\n").flat_map(|line| match line.contains('\n') {
                true => vec![line],
                false => line.split(", ").collect(),
            });
            // A comma within `<>` belongs to the type.
            let mut whole: Vec<String> = Vec::new();
            for part in parameters.map(words).filter(|part| !part.is_empty()) {
                match whole.last_mut() {
                    Some(last) if last.matches('<').count() > last.matches('>').count() => {
                        *last += ", ";
                        *last += &part;
                    }
                    _ => whole.push(part),
                }
            }
            let parameters: Vec<String> = whole
                .iter()
                .map(|parameter| {
                    let parameter = parameter.trim_end_matches(',');
                    let (name, ty) = parameter.split_once(": ").expect("a type");
                    declared(ty, name)
                })
                .collect();
            let head = match words(result).strip_prefix("-> ") {
                Some(ty) => declared(ty, name),
                None => format!("void {name}"),
            };
            let parameters = if parameters.is_empty() { "void".to_owned() } else { parameters.join(", ") };
            found.push(format!("{head}({parameters})"));
        }
    }
    found
}

/// All headers without comments.
fn headers() -> String {
    HEADERS.map(plain).join(" ")
}

/// Those that are not about traces.
fn general() -> String {
    [HEADERS[0], HEADERS[1]].map(plain).join(" ")
}

/// The prototypes of headers.
fn prototypes(text: &str) -> Vec<String> {
    let statements = text.split([';', '{', '}']).map(words);
    statements
        .filter(|text| !text.starts_with("typedef") && text.ends_with(')'))
        .filter(|text| text.contains(" planish_") || text.contains("*planish_"))
        .collect()
}

/// A structure whose name the text begins with: its fields, as declarations of C.
fn structure(text: &str, field: impl Fn(&str) -> String) -> Option<(String, Vec<String>)> {
    let (name, rest) = text.split_once(" {")?;
    let (body, _) = rest.split_once('}')?;
    let fields = body.split([';', ',']).map(words).filter(|field| !field.is_empty());
    Some((snake(name.trim()), fields.map(|text| field(&text)).collect()))
}

#[test]
fn the_header_has_the_functions_of_the_library() {
    let (mut library, mut header) = (functions(), prototypes(&headers()));
    assert!(library.len() > 30, "{library:#?}");
    library.sort();
    header.sort();
    assert_eq!(header, library);
}

#[test]
fn every_function_is_called_from_c() {
    for prototype in prototypes(&general()) {
        let (before, _) = prototype.split_once('(').expect("parameters");
        let name = before.rsplit([' ', '*']).next().expect("a name");
        assert!(PROGRAMS.iter().any(|program| program.contains(&format!("{name}("))), "{name}");
    }
}

#[test]
fn every_number_is_named_in_c() {
    let text = general();
    let names =
        text.split([',', '{', '}']).filter_map(|text| text.split_once(" = ")).map(|(name, _)| name.trim());
    for name in names.filter(|name| name.starts_with("PLANISH_")) {
        // What never happens is not tried.
        let tried = PROGRAMS.iter().any(|program| program.contains(name));
        assert!(tried || ["PLANISH_BROKEN", "PLANISH_INVALID_LOOP"].contains(&name), "{name}");
    }
}

#[test]
fn the_header_has_the_structures_of_the_library() {
    let text = headers();
    let parts = text.split("typedef struct ").skip(1);
    let header: BTreeMap<_, _> = parts.filter_map(|text| structure(text, str::to_owned)).collect();
    let of_rust = |field: &str| {
        let (name, ty) = field.trim_start_matches("pub ").split_once(": ").expect("a type");
        declared(ty, name)
    };
    let parts = SOURCES.iter().flat_map(|source| source.split("#[repr(C)]").skip(1));
    let parts = parts.filter_map(|text| structure(text.split_once("pub struct ")?.1, of_rust));
    let library: BTreeMap<_, _> = parts.collect();
    assert_eq!(library.len(), 16, "{library:#?}");
    assert_eq!(header, library);
}

#[test]
fn the_header_has_the_statuses_of_the_library() {
    let text = plain(HEADERS[0]);
    let (_, body) = text.split_once("typedef enum planish_status {").expect("the enumeration");
    let (body, _) = body.split_once('}').expect("its end");
    let header: BTreeMap<String, u32> = body
        .split(',')
        .filter_map(|text| text.trim().strip_prefix("PLANISH_")?.split_once(" = "))
        .map(|(name, number)| (name.to_lowercase(), number.trim().parse().expect("a number")))
        .collect();
    let (_, body) = SOURCES[0].split_once("pub enum Status {").expect("the enumeration");
    let (body, _) = body.split_once("\n}").expect("its end");
    let library: BTreeMap<String, u32> = body
        .lines()
        .filter_map(|line| line.trim().strip_suffix(',')?.split_once(" = "))
        .map(|(name, number)| (snake(name), number.parse().expect("a number")))
        .collect();
    assert_eq!(header, library);
}

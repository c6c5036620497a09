//! The language server as an editor has it: a process that is spoken to over its standard input and output.

use std::io::{BufRead, BufReader, Read, Write};
use std::process::{Child, ChildStdin, ChildStdout, Command, Stdio};

use serde_json::{Value, json};

const FILE: &str = "file:///tmp/mine.rules";

/// A client that waits for what it wants and remembers what else was told.
struct Client {
    process: Child,
    input: ChildStdin,
    output: BufReader<ChildStdout>,
    requests: i64,
    /// Notifications and requests of the server that nobody has waited for.
    told: Vec<Value>,
}

impl Client {
    fn new(initialize: Value) -> Client {
        let mut process = Command::new(env!("CARGO_BIN_EXE_planish"))
            .args(["rules", "lsp", "--solver", "builtin"])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .spawn()
            .expect("the server starts");
        let input = process.stdin.take().expect("its input");
        let output = BufReader::new(process.stdout.take().expect("its output"));
        let mut client = Client { process, input, output, requests: 0, told: Vec::new() };
        let about = client.ask("initialize", initialize);
        assert_eq!(about["serverInfo"]["name"], "planish");
        client.tell("initialized", json!({}));
        client
    }

    fn send(&mut self, message: Value) {
        let text = message.to_string();
        write!(self.input, "Content-Length: {}\r\n\r\n{text}", text.len()).expect("the server reads");
        self.input.flush().expect("the server reads");
    }

    fn tell(&mut self, method: &str, params: Value) {
        self.send(json!({ "jsonrpc": "2.0", "method": method, "params": params }));
    }

    fn receive(&mut self) -> Value {
        let mut length = 0;
        loop {
            let mut line = String::new();
            assert!(self.output.read_line(&mut line).expect("a header") > 0, "the server has gone");
            match line.trim().split_once(": ") {
                Some(("Content-Length", count)) => length = count.parse().expect("a number"),
                Some(_) => {}
                None => break,
            }
        }
        let mut text = vec![0; length];
        self.output.read_exact(&mut text).expect("a message");
        serde_json::from_slice(&text).expect("JSON")
    }

    /// Sends a request, whose number this is.
    fn request(&mut self, method: &str, params: Value) -> i64 {
        self.requests += 1;
        self.send(json!({ "jsonrpc": "2.0", "id": self.requests, "method": method, "params": params }));
        self.requests
    }

    /// The whole response to a request.
    fn response(&mut self, id: i64) -> Value {
        loop {
            let message = self.receive();
            if message.get("method").is_none() && message["id"] == id {
                return message;
            }
            self.told.push(message);
        }
    }

    fn ask(&mut self, method: &str, params: Value) -> Value {
        let id = self.request(method, params);
        let response = self.response(id);
        assert!(response.get("error").is_none(), "{method}: {response}");
        response["result"].clone()
    }

    /// The first thing told, from now or before, for which `is_it` holds.
    fn wait(&mut self, is_it: impl Fn(&Value) -> bool) -> Value {
        if let Some(at) = self.told.iter().position(&is_it) {
            return self.told.remove(at);
        }
        loop {
            let message = self.receive();
            if is_it(&message) {
                return message;
            }
            self.told.push(message);
        }
    }

    /// The messages of the next diagnostics of a version of the file.
    fn diagnostics(&mut self, version: i64) -> Vec<Value> {
        let message = self.wait(|message| {
            message["method"] == "textDocument/publishDiagnostics" && message["params"]["version"] == version
        });
        message["params"]["diagnostics"].as_array().expect("a list").clone()
    }

    fn open(&mut self, text: &str) {
        let document = json!({ "uri": FILE, "languageId": "planish-rules", "version": 1, "text": text });
        self.tell("textDocument/didOpen", json!({ "textDocument": document }));
    }

    fn change(&mut self, version: i64, text: &str) {
        let params = json!({
            "textDocument": { "uri": FILE, "version": version },
            "contentChanges": [{ "text": text }],
        });
        self.tell("textDocument/didChange", params);
    }

    fn at(&mut self, method: &str, line: u32, character: u32) -> Value {
        let position = json!({ "line": line, "character": character });
        self.ask(method, json!({ "textDocument": { "uri": FILE }, "position": position }))
    }

    fn hover(&mut self, line: u32, character: u32) -> String {
        self.at("textDocument/hover", line, character)["contents"]["value"]
            .as_str()
            .unwrap_or_default()
            .to_owned()
    }

    fn completions(&mut self, line: u32, character: u32) -> Vec<String> {
        let items = self.at("textDocument/completion", line, character);
        let label = |item: &Value| item["label"].as_str().expect("a label").to_owned();
        items.as_array().expect("a list").iter().map(label).collect()
    }

    fn lenses(&mut self) -> Vec<String> {
        let lenses = self.ask("textDocument/codeLens", json!({ "textDocument": { "uri": FILE } }));
        let title = |lens: &Value| lens["command"]["title"].as_str().expect("a title").to_owned();
        lenses.as_array().expect("a list").iter().map(title).collect()
    }

    fn end(mut self) {
        assert_eq!(self.ask("shutdown", Value::Null), Value::Null);
        self.tell("exit", Value::Null);
        assert!(self.process.wait().expect("it ends").success());
    }
}

fn messages(diagnostics: &[Value]) -> Vec<&str> {
    diagnostics.iter().map(|d| d["message"].as_str().expect("a message")).collect()
}

#[test]
fn errors_are_told_as_one_types() {
    let mut client = Client::new(json!({ "capabilities": {} }));
    client.open("a: ad(x, 0)\n    => x\n");
    let told = client.diagnostics(1);
    assert!(messages(&told)[0].starts_with("unknown operation `ad`\nhelp: did you mean `add`?"), "{told:?}");
    assert_eq!(told[0]["range"]["start"], json!({ "line": 0, "character": 3 }));
    assert_eq!(told[0]["range"]["end"], json!({ "line": 0, "character": 5 }));
    client.change(2, "a: and(x, x)\n    => x\n");
    assert_eq!(client.diagnostics(2), [] as [Value; 0]);
    client.tell("textDocument/didClose", json!({ "textDocument": { "uri": FILE } }));
    client.end();
}

#[test]
fn verdicts_come_by_themselves() {
    let workspace = json!({ "codeLens": { "refreshSupport": true } });
    let mut client = Client::new(json!({ "capabilities": { "workspace": workspace } }));
    client.open("good: sub(add(x, y), y)\n    => x\n\nwrong: mul(x, y)\n    => add(x, y)\n");
    assert_eq!(client.diagnostics(1), [] as [Value; 0]);
    // One publication for each verdict; the second rule's is the last.
    let told =
        std::iter::repeat_with(|| client.diagnostics(1)).find(|told| !told.is_empty()).expect("an end");
    assert!(messages(&told)[0].starts_with("counterexample to wrong\n  mine.rules:4 "), "{told:?}");
    assert_eq!(told[0]["range"]["start"]["line"], 3);
    client.wait(|message| message["method"] == "workspace/codeLens/refresh");
    let lenses = client.lenses();
    assert_eq!(lenses[0], "proved at 1, 8, 16, 32, 64 bits; every value of 1-5 bits");
    assert_eq!(lenses[1], "wrong for x = 0, y = 1: mul(x, y) gives 0, add(x, y) gives 1");
    assert!(client.hover(3, 2).contains("BUT"), "the counterexample is under the cursor");
    // A change of one rule leaves the verdict on the other where it is, and takes the error away.
    client.change(2, "good: sub(add(x, y), y)\n    => x\n\nwrong: sub(x, x)\n    => 0\n");
    assert_eq!(client.diagnostics(2), [] as [Value; 0]);
    assert!(client.lenses()[0].starts_with("proved at"));
    client.end();
}

#[test]
fn what_is_under_the_cursor_is_explained() {
    let mut client = Client::new(json!({ "capabilities": {} }));
    client.open(
        "# \u{1d538} comment.\nshift [pays]: lshift(zext(x: a): b, C)\n    check x.known_nonnegative() and is_pow2(C)\n    => lshift(zext(x): b, C)\n",
    );
    assert!(client.hover(1, 16).starts_with("```text\nlshift(W, W) -> W"));
    assert!(client.hover(1, 9).contains("operations that die"));
    assert_eq!(client.hover(1, 26), "`x`: any value, i1, i8, i16, i32");
    assert!(client.hover(1, 37).starts_with("`C`: any constant, i"));
    assert!(client.hover(1, 29).starts_with("`a`: i1, i8"));
    assert!(client.hover(2, 15).contains("x.known_nonnegative() -> truth"));
    assert!(client.hover(2, 40).contains("exactly one bit is set"));
    assert!(client.hover(2, 5).contains("applies only where"));
    assert_eq!(client.hover(0, 5), "");
    assert_eq!(client.hover(99, 5), "");
    client.end();
}

/// What an editor needs besides the server: the files that the extension names are there and can be read.
#[test]
fn the_extension_is_whole() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("../../editors/vscode");
    let read = |name: &str| std::fs::read_to_string(folder.join(name)).expect(name);
    let json = |name: &str| serde_json::from_str::<Value>(&read(name)).expect(name);
    let (package, contributed) = (json("package.json"), "contributes");
    let path = |value: &Value| value.as_str().expect("a path").to_owned();
    let language = json(&path(&package[contributed]["languages"][0]["configuration"]));
    assert_eq!(language["comments"]["lineComment"], "#");
    let grammar = json(&path(&package[contributed]["grammars"][0]["path"]));
    assert_eq!(grammar["scopeName"], package[contributed]["grammars"][0]["scopeName"]);
    assert!(read(&path(&package["main"])).contains("'rules', 'lsp'"));
}

#[test]
fn names_are_completed_where_they_may_stand() {
    let mut client = Client::new(json!({ "capabilities": {} }));
    let text = "a [p]: add(mul(value, C1), x: i)\n    check value.k and p\n    c\n    => s\n# add\n";
    client.open(text);
    let has = |found: &[String], wanted: &str| found.iter().any(|label| label == wanted);
    let marks = client.completions(0, 4);
    assert!(has(&marks, "pays") && !has(&marks, "add"), "{marks:?}");
    let terms = client.completions(0, 12);
    assert!(has(&terms, "mul") && has(&terms, "C1") && !has(&terms, "popcount ") && !has(&terms, "new"));
    let types = client.completions(0, 31);
    assert!(has(&types, "i32") && has(&types, "f64") && !has(&types, "add"), "{types:?}");
    let methods = client.completions(1, 17);
    assert!(has(&methods, "known_eq_const") && !has(&methods, "value"), "{methods:?}");
    let functions = client.completions(1, 23);
    assert!(
        has(&functions, "popcount") && has(&functions, "value") && !has(&functions, "add"),
        "{functions:?}"
    );
    assert_eq!(client.completions(2, 5), ["check", "SORRY_Z3", "=>"]);
    assert!(has(&client.completions(3, 8), "sub"));
    assert_eq!(client.completions(4, 4), [] as [String; 0]);
    client.end();
}

#[test]
fn definitions_are_in_the_table_or_in_the_rule() {
    let mut client = Client::new(json!({ "capabilities": {} }));
    client.open("a: add(x, C1)\n    C = C1 + 0\n    => add(x, C)\n");
    let computed = client.at("textDocument/definition", 2, 14);
    assert_eq!(computed["uri"], FILE);
    assert_eq!(computed["range"]["start"], json!({ "line": 1, "character": 4 }));
    let of_table = client.at("textDocument/definition", 2, 8);
    let path =
        of_table["uri"].as_str().and_then(|uri| uri.strip_prefix("file://")).expect("a file").to_owned();
    let page = std::fs::read_to_string(&path).expect("the page");
    let line = of_table["range"]["start"]["line"].as_u64().expect("a line") as usize;
    assert!(page.lines().nth(line).expect("the line").starts_with("| `add(W, W) -> W`"));
    client.end();
    assert!(!std::path::Path::new(&path).exists(), "the page goes with the server");
}

/// Proofs that take their time are asked for, cancelled, and overtaken by changes; the server answers meanwhile.
#[test]
fn a_proof_that_is_asked_for_can_be_cancelled() {
    let options = json!({ "timeout": 600 });
    let mut client = Client::new(json!({ "capabilities": {}, "initializationOptions": options }));
    let hard = "hard [pays]: smulh(x, smulh(y, z))\n    => smulh(smulh(z, y), sub(x, 0))\n";
    client.open(hard);
    let prove = json!({ "command": "planish.prove", "arguments": [FILE, "hard"] });
    let first = client.request("workspace/executeCommand", prove.clone());
    assert!(client.hover(0, 14).contains("smulh(W, W)"));
    client.tell("$/cancelRequest", json!({ "id": first }));
    assert_eq!(client.response(first)["error"]["code"], -32800);
    let second = client.request("workspace/executeCommand", prove);
    client.change(2, "easy: smulh(x, 0)\n    => 0\n");
    assert_eq!(client.response(second)["error"]["code"], -32801);
    // The proof of what is gone does not hold up that of what is there.
    let easy = json!({ "command": "planish.prove", "arguments": [FILE, "easy"] });
    let verdict = client.ask("workspace/executeCommand", easy);
    assert!(verdict.as_str().expect("a text").starts_with("proved easy in"), "{verdict}");
    let nobody = json!({ "command": "planish.prove", "arguments": [FILE, "hard"] });
    let refused = client.request("workspace/executeCommand", nobody);
    assert_eq!(client.response(refused)["error"]["code"], -32602);
    client.end();
}

/// Whatever a client says, the server answers or goes on; one that leaves without a word is an error.
#[test]
fn strange_clients_are_survived() {
    let mut client =
        Client::new(json!({ "capabilities": {}, "initializationOptions": { "timeout": "soon" } }));
    client.tell("textDocument/didOpen", json!({ "textDocument": 7 }));
    client.tell("$/setTrace", json!({ "value": "off" }));
    for (method, params, code) in [
        ("textDocument/rename", json!({}), -32601),
        ("textDocument/hover", json!({ "position": {} }), -32602),
        ("textDocument/codeLens", json!({ "textDocument": { "uri": "file:///tmp/other.rules" } }), -32602),
        ("workspace/executeCommand", json!({ "command": "rm", "arguments": [] }), -32602),
    ] {
        let id = client.request(method, params);
        assert_eq!(client.response(id)["error"]["code"], code, "{method}");
    }
    for (version, text) in
        (2..).zip(["", "(", "a: ", "a: add(x", "\u{1d538}: add(x, \u{1d538})\n => x", "a: x\r\n"])
    {
        client.change(version, text);
        client.diagnostics(version);
        for character in 0..8 {
            client.hover(0, character);
            client.completions(0, character);
            client.at("textDocument/definition", 0, character);
        }
    }
    drop(client.input);
    assert_eq!(client.process.wait().expect("it ends").code(), Some(1));
}

//! `planish explore` over loopback: who is answered, what is refused, and what outlives what.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::TcpStream;
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

use serde_json::{Value, json};

mod common;

use common::Scratch;

/// A server of a test's own, which ends with it.
struct Served {
    process: Child,
    port: u16,
    token: String,
    /// What stands behind the address of the page.
    link: String,
}

impl Served {
    fn with(arguments: &[&str]) -> Served {
        let mut process = Command::new(env!("CARGO_BIN_EXE_planish"))
            .arg("explore")
            .args(arguments)
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("the server starts");
        let mut line = String::new();
        BufReader::new(process.stdout.as_mut().expect("a pipe")).read_line(&mut line).expect("an address");
        let rest = line.trim().strip_prefix("http://127.0.0.1:").expect("an address of this machine");
        let (port, rest) = rest.split_once('/').expect("a token follows");
        let (token, link) = rest.split_once('/').expect("a token ends");
        assert!(token.len() == 32 && token.bytes().all(|byte| byte.is_ascii_hexdigit()), "{token}");
        Served {
            port: port.parse().expect("a port"),
            token: token.to_owned(),
            link: link.to_owned(),
            process,
        }
    }

    /// A whole answer: its status, its head and its body.
    fn raw(&self, request: &[u8]) -> (u16, String, String) {
        let mut stream = TcpStream::connect(("127.0.0.1", self.port)).expect("the server listens");
        stream.set_read_timeout(Some(Duration::from_secs(60))).expect("a time");
        stream.write_all(request).expect("the server reads");
        let mut answer = Vec::new();
        // A server that refuses what it has not read resets the connection behind its answer.
        let _ = stream.read_to_end(&mut answer);
        let text = String::from_utf8(answer).expect("UTF-8");
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or_else(|| panic!("no answer: {text}"));
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).expect("a status");
        (status, head.to_owned(), body.to_owned())
    }

    fn request(&self, method: &str, path: &str, host: &str, more: &str, body: &str) -> (u16, String, String) {
        let length = body.len();
        self.raw(
            format!(
                "{method} {path} HTTP/1.1\r\nHost: {host}\r\nConnection: close\r\nContent-Length: {length}\r\n{more}\r\n{body}"
            )
            .as_bytes(),
        )
    }

    fn get(&self, name: &str) -> (u16, String, String) {
        self.request("GET", &format!("/{}/{name}", self.token), &format!("127.0.0.1:{}", self.port), "", "")
    }

    fn ask(&self, kind: &str, question: &Value) -> Value {
        let path = format!("/{}/{kind}", self.token);
        let host = format!("localhost:{}", self.port);
        let (status, head, body) = self.request("POST", &path, &host, "", &question.to_string());
        assert!(status == 200 || status == 413 || status == 400, "{head}");
        serde_json::from_str(&body).expect("JSON")
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.process.kill();
        let _ = self.process.wait();
    }
}

const PROGRAM: &str = "func f(a: i64) -> i64 {\nb:\n    x = mul(a, 4)\n    return x\n}\n";

fn question(page: &str) -> Value {
    json!({ "page": page, "dialect": "ssa", "program": PROGRAM, "rules": "" })
}

#[test]
fn the_page_is_there_for_whoever_knows_its_address_and_for_nobody_else() {
    let server = Served::with(&[]);
    let host = format!("127.0.0.1:{}", server.port);
    let (status, head, page) = server.get("");
    assert_eq!(status, 200);
    for policy in ["default-src 'none'", "script-src 'self'", "frame-ancestors 'none'"] {
        assert!(head.contains(policy), "{head}");
    }
    assert!(
        page.contains("<title>planish explore</title>") && !page.contains("http"),
        "nothing from elsewhere"
    );
    for name in ["page.js", "page.css", "start.json"] {
        assert_eq!(server.get(name).0, 200, "{name}");
    }
    let (status, head, _) = server.request("GET", &format!("/{}", server.token), &host, "", "");
    assert!(status == 308 && head.contains(&format!("Location: /{}/", server.token)), "{head}");
    // Whoever does not know the token sees one answer, whatever there is.
    let guessed = "0".repeat(32);
    let path = |token: &str, name: &str| format!("/{token}/{name}");
    let unknown = server.request("GET", "/", &host, "", "");
    assert_eq!(unknown.0, 404);
    for path in
        [path(&guessed, ""), path(&guessed, "page.js"), path(&server.token[..31], ""), "/favicon.ico".into()]
    {
        let answer = server.request("GET", &path, &host, "", "");
        assert_eq!((answer.0, answer.2.as_str()), (404, unknown.2.as_str()), "{path}");
    }
    assert_eq!(server.request("POST", &path(&guessed, "optimize"), &host, "", "{}").0, 404);
    assert_eq!(server.request("DELETE", &path(&server.token, ""), &host, "", "").0, 404);
    // A name that another site lets point here, and a request that another page makes.
    let known = path(&server.token, "");
    for host in ["evil.example", "127.0.0.1", "127.0.0.1:1", "localhost.evil.example:80", ""] {
        assert_eq!(server.request("GET", &known, host, "", "").0, 403, "{host}");
    }
    assert_eq!(server.request("GET", &known, &host, &format!("Host: {host}\r\n"), "").0, 403, "two hosts");
    for (origin, status) in [("http://evil.example", 403), ("null", 403), (&*format!("http://{host}"), 200)] {
        let more = format!("Origin: {origin}\r\n");
        let asked = server.request(
            "POST",
            &path(&server.token, "optimize"),
            &host,
            &more,
            &question("p").to_string(),
        );
        assert_eq!(asked.0, status, "{origin}");
    }
}

#[test]
fn a_file_its_rules_and_a_link_are_what_the_page_opens_with() {
    let scratch = Scratch::new("explore-file", PROGRAM);
    std::fs::write(scratch.path("my.rules"), "r: add(a, 0) => a\n").expect("a file");
    let server = Served::with(&[&scratch.path("input.ssa"), "--rules", &scratch.path("my.rules")]);
    let start: Value = serde_json::from_str(&server.get("start.json").2).expect("JSON");
    assert_eq!(start["first"]["program"], PROGRAM);
    assert_eq!(
        (&start["first"]["dialect"], &start["first"]["rules"]),
        (&json!("ssa"), &json!("r: add(a, 0) => a\n"))
    );
    let names: Vec<&str> = start["examples"]
        .as_array()
        .expect("examples")
        .iter()
        .filter_map(|e| e["dialect"].as_str())
        .collect();
    for dialect in start["dialects"].as_array().expect("dialects") {
        assert!(names.contains(&dialect["name"].as_str().expect("a name")), "an example of {dialect}");
    }
    let linked = Served::with(&["http://127.0.0.1:1/0123/#zABC-_"]);
    assert_eq!(linked.link, "#zABC-_");
    let refused = |arguments: &[&str]| {
        let output = common::planish(&[&["explore"], arguments].concat());
        assert!(output.stdout.is_empty());
        (output.status.code(), String::from_utf8_lossy(&output.stderr).into_owned())
    };
    let (status, said) = refused(&["app.jar"]);
    assert!(status == Some(2) && said.contains("`planish report` shows classes"), "{said}");
    let (status, said) = refused(&["missing.ssa"]);
    assert!(status == Some(1) && said.contains("missing.ssa"), "{said}");
    std::fs::write(scratch.path("large.ssa"), "#".repeat(2 << 20)).expect("a file");
    let (status, said) = refused(&[&scratch.path("large.ssa")]);
    assert!(status == Some(1) && said.contains("takes programs of 1024 KiB"), "{said}");
    let (status, said) = refused(&["--port", &server.port.to_string()]);
    assert!(status == Some(1) && said.contains(&format!("127.0.0.1:{}", server.port)), "{said}");
}

#[test]
fn requests_have_limits_and_bad_ones_harm_nobody() {
    let server = Served::with(&[]);
    let mut large = question("p");
    large["program"] = json!("#".repeat(5_000_000));
    let said = server.ask("optimize", &large);
    assert!(said["error"].as_str().is_some_and(|error| error.contains("5000000 bytes")), "{said}");
    large["program"] = json!("#".repeat(9 << 20));
    let said = server.ask("optimize", &large);
    assert!(said["error"].as_str().is_some_and(|error| error.contains("8 MiB")), "{said}");
    for body in ["", "7", "{", "[[[["] {
        let host = format!("127.0.0.1:{}", server.port);
        let answer = server.request("POST", &format!("/{}/optimize", server.token), &host, "", body);
        assert_eq!(answer.0, 400, "{body}");
    }
    assert_eq!(server.raw(b"no HTTP at all\r\n\r\n").0, 400);
    // More is announced than there is memory for, with the token and without: an answer comes, and no buffer for all of it.
    for (name, status) in [(format!("/{}/optimize", server.token), 413), ("/".to_owned(), 404)] {
        let host = format!("127.0.0.1:{}", server.port);
        let mut stream = TcpStream::connect(&host).expect("it listens");
        write!(stream, "POST {name} HTTP/1.1\r\nHost: {host}\r\nContent-Length: 99999999999999\r\n\r\n{{}}")
            .expect("it reads");
        let mut first = [0; 12];
        stream.read_exact(&mut first).expect("an answer");
        assert_eq!(first, format!("HTTP/1.1 {status}").as_bytes());
    }
    // A question that a newer one has overtaken on its way is not answered.
    let numbered = |number: u64| {
        let mut numbered = question("numbered");
        numbered["number"] = json!(number);
        server.ask("optimize", &numbered)
    };
    assert!(numbered(2)["result"].is_string());
    assert_eq!(numbered(1), json!({ "superseded": true }));
    assert!(numbered(3)["result"].is_string());
    // More pages than have processes of their own.
    for page in 0..10 {
        let answer = server.ask("optimize", &question(&format!("page {page}")));
        assert!(answer["result"].as_str().is_some_and(|result| result.contains("lshift(a, 2)")), "{answer}");
    }
}

#[test]
fn a_proof_that_takes_long_holds_nothing_up_and_ends_with_its_rule() {
    let server = Served::with(&[]);
    let mut slow = question("p");
    slow["rules"] = json!(
        "slow: urem(mul(urem(and(a, 255), 251), and(b, 255)), 251) => urem(mul(and(a, 255), and(b, 255)), 251)\n"
    );
    let begin = Instant::now();
    std::thread::scope(|scope| {
        let waiting = scope.spawn(|| server.ask("prove", &slow));
        // The result does not wait, before the proof begins or after.
        for _ in 0..5 {
            let answer = server.ask("optimize", &slow);
            assert_eq!(answer["rules"][0]["status"], "proving", "{answer}");
            assert!(
                answer["result"].as_str().is_some_and(|result| result.contains("lshift(a, 2)")),
                "{answer}"
            );
        }
        let mut quick = slow.clone();
        quick["rules"] = json!("quick: sub(add(a, b), b) => a\n");
        // The proof may not have been asked for yet; the one that is asked for last counts.
        while !waiting.is_finished() {
            let proved = server.ask("prove", &quick);
            assert!(
                proved["status"] == "proved" || proved["none"] == true || proved["superseded"] == true,
                "{proved}"
            );
        }
        assert_eq!(waiting.join().expect("an answer")["superseded"], true);
        let answer = server.ask("optimize", &quick);
        assert_eq!(answer["rules"][0]["status"], "proved", "{answer}");
    });
    assert!(begin.elapsed() < Duration::from_secs(18), "nobody waited for the slow proof");
}

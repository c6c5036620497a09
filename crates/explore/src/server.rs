//! The addresses of the page, and who may ask.
//!
//! The server listens on the loopback address only. Its page has a token in its address that nobody can guess, and a request
//! whose `Host` is not this server is refused, so that a page of another site cannot ask by a name that it lets point here
//! (DNS rebinding). Nobody but the page itself may ask from a page (`Origin`), frame it, or have it load anything else.

use std::collections::BTreeMap;
use std::io::{Cursor, Read};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::thread;
use std::time::Duration;

use serde_json::{Map, Value, json};
use tiny_http::{Header, Method, Request, Response};

use crate::lanes::{Answer, Lane, Start};
use crate::page;

/// What the server is given.
pub struct Setup {
    /// The port; any that is free for 0.
    pub port: u16,
    /// How a worker is started.
    pub start: Box<Start>,
    /// The program with which the page opens: the name of its file, its text and its dialect's name; an example without one.
    pub program: Option<[String; 3]>,
    /// The rules with which it opens.
    pub rules: String,
}

/// The length of a body, in bytes, beyond which its connection is given up: the server makes a buffer of so many.
const MOST_ANNOUNCED: usize = 64 << 20;

/// So many bytes of a request are read. What it holds has limits of its own, with better words.
const MOST_BYTES: u64 = 8 << 20;

/// So many requests are answered at once.
const MOST_REQUESTS: usize = 64;

/// So many pages have processes of their own. Whoever was not seen for longest is given new ones when it asks again.
const MOST_PAGES: usize = 6;

/// So many verdicts are kept.
const MOST_VERDICTS: usize = 1000;

/// Kinds of questions, and how long each may take.
const KINDS: [(&str, Duration); 3] = [
    ("optimize", Duration::from_secs(10)),
    ("try", Duration::from_secs(20)),
    ("prove", Duration::from_secs(60)),
];

/// A server that listens.
pub struct Server {
    http: tiny_http::Server,
    port: u16,
    shared: Arc<Shared>,
}

/// What all requests share.
struct Shared {
    token: String,
    /// What a request may call this server.
    hosts: [String; 2],
    start: Box<Start>,
    /// What the page opens with, as JSON.
    beginning: String,
    pages: Mutex<Pages>,
    /// What is proved of rules, by their text.
    verdicts: Mutex<Map<String, Value>>,
    requests: AtomicUsize,
}

/// The lanes of each open page, and when it was last seen.
#[derive(Default)]
struct Pages {
    clock: u64,
    open: BTreeMap<String, (u64, Arc<[Lane; KINDS.len()]>)>,
}

impl Server {
    /// Begins to listen. The error says why that cannot be.
    pub fn begin(setup: Setup) -> Result<Server, String> {
        let at = |error: &dyn std::fmt::Display| format!("127.0.0.1:{}: {error}", setup.port);
        let http = tiny_http::Server::http(("127.0.0.1", setup.port)).map_err(|error| at(&error))?;
        let port = http.server_addr().to_ip().map_or(setup.port, |address| address.port());
        let shared = Arc::new(Shared {
            token: token().map_err(|error| at(&error))?,
            hosts: ["127.0.0.1", "localhost"].map(|host| format!("{host}:{port}")),
            start: setup.start,
            beginning: page::beginning(setup.program, setup.rules).to_string(),
            pages: Mutex::default(),
            verdicts: Mutex::default(),
            requests: AtomicUsize::new(0),
        });
        Ok(Server { http, port, shared })
    }

    /// The address of the page.
    pub fn address(&self) -> String {
        format!("http://127.0.0.1:{}/{}/", self.port, self.shared.token)
    }

    /// Answers requests for ever.
    pub fn serve(&self) {
        for request in self.http.incoming_requests() {
            let shared = Arc::clone(&self.shared);
            if shared.requests.fetch_add(1, Ordering::SeqCst) >= MOST_REQUESTS {
                shared.requests.fetch_sub(1, Ordering::SeqCst);
                send(request, refused(503, "too many requests at once"));
                continue;
            }
            let work = move || {
                let mut request = request;
                let answer = shared.answer(&mut request);
                shared.requests.fetch_sub(1, Ordering::SeqCst);
                send(request, answer);
            };
            // Without a thread the request is dropped, which its sender sees.
            if thread::Builder::new().name("request".into()).spawn(work).is_err() {
                self.shared.requests.fetch_sub(1, Ordering::SeqCst);
            }
        }
    }
}

/// 128 bits that nobody can guess, as text.
fn token() -> Result<String, getrandom::Error> {
    let mut bytes = [0; 16];
    getrandom::fill(&mut bytes)?;
    Ok(bytes.iter().map(|byte| format!("{byte:02x}")).collect())
}

type Reply = Response<Cursor<Vec<u8>>>;

impl Shared {
    fn answer(&self, request: &mut Request) -> Reply {
        if !self.is_for_us(request) {
            return refused(403, "this is not the address of this server");
        }
        let path = request.url().split('?').next().unwrap_or_default();
        // Whoever does not know the token learns nothing of what there is.
        let Some(name) = path.strip_prefix('/').and_then(|path| path.strip_prefix(self.token.as_str()))
        else {
            return not_found();
        };
        let name = name.to_owned();
        match (request.method(), name.as_str()) {
            // What the page loads stands below its address.
            (Method::Get, "") => {
                let mut reply = refused(308, "the address of the page ends with a slash");
                reply.add_header(header("Location", &format!("/{}/", self.token)));
                reply
            }
            (Method::Get, "/") => reply(200, "text/html; charset=utf-8", page::HTML.to_owned()),
            (Method::Get, "/page.css") => reply(200, "text/css; charset=utf-8", page::style()),
            (Method::Get, "/page.js") => reply(200, "text/javascript; charset=utf-8", page::script()),
            (Method::Get, "/start.json") => reply(200, JSON, self.beginning.clone()),
            (Method::Post, path) => {
                match KINDS.iter().position(|(kind, _)| path.strip_prefix('/') == Some(kind)) {
                    Some(kind) => self.ask(kind, request),
                    None => not_found(),
                }
            }
            _ => not_found(),
        }
    }

    /// Whether a request was meant for this server, and by its own page if by one.
    fn is_for_us(&self, request: &Request) -> bool {
        let values = |name: &'static str| {
            let headers = request.headers().iter().filter(move |header| header.field.equiv(name));
            headers.map(|header| header.value.as_str())
        };
        let is_ours = |host: &str| self.hosts.iter().any(|ours| ours.eq_ignore_ascii_case(host));
        let hosts: Vec<&str> = values("Host").collect();
        let is_origin = |origin: &str| origin.strip_prefix("http://").is_some_and(is_ours);
        matches!(hosts[..], [host] if is_ours(host)) && values("Origin").all(is_origin)
    }

    /// Has a worker answer a question.
    fn ask(&self, kind: usize, request: &mut Request) -> Reply {
        let too_much =
            || said(413, &format!("error: a request of more than {} MiB is not read", MOST_BYTES >> 20));
        if request.body_length().is_some_and(|length| length as u64 > MOST_BYTES) {
            return too_much();
        }
        let mut body = Vec::new();
        let read = request.as_reader().take(MOST_BYTES + 1).read_to_end(&mut body);
        if read.is_err() {
            return refused(400, "the request ends too early");
        }
        if body.len() as u64 > MOST_BYTES {
            return too_much();
        }
        let Ok(Value::Object(mut question)) = serde_json::from_slice(&body) else {
            return said(400, "error: a question is an object in JSON");
        };
        let page = question.get("page").and_then(Value::as_str).unwrap_or_default().to_owned();
        let number = question.get("number").and_then(Value::as_u64);
        let (name, limit) = KINDS[kind];
        let rules = question.get("rules").and_then(Value::as_str).unwrap_or_default();
        let verdicts = self.verdicts_about(rules);
        question.insert("kind".into(), json!(name));
        question.insert("verdicts".into(), Value::Object(verdicts));
        let question = Value::Object(question).to_string();
        let lanes = self.lanes(page);
        match lanes[kind].ask(number, &*self.start, &question, limit) {
            Answer::Line(answer) => {
                if name == "prove" {
                    self.remember(&answer);
                }
                reply(200, JSON, answer)
            }
            Answer::Superseded => reply(200, JSON, json!({ "superseded": true }).to_string()),
            Answer::TooLong if name == "prove" => {
                said(200, &format!("error: no proof within {} seconds", limit.as_secs()))
            }
            Answer::TooLong => {
                said(200, &format!("error: this takes longer than {} seconds", limit.as_secs()))
            }
            Answer::Died(how) => said(200, &format!("error: planish died of this input ({how})")),
        }
    }

    /// The lanes of a page, which are made if it is new.
    fn lanes(&self, page: String) -> Arc<[Lane; KINDS.len()]> {
        let mut pages = self.pages.lock().unwrap_or_else(PoisonError::into_inner);
        pages.clock += 1;
        let now = pages.clock;
        if !pages.open.contains_key(&page) && pages.open.len() >= MOST_PAGES {
            let oldest = pages.open.iter().min_by_key(|(_, (seen, _))| *seen).map(|(page, _)| page.clone());
            oldest.map(|oldest| pages.open.remove(&oldest));
        }
        let (seen, lanes) = pages.open.entry(page).or_default();
        *seen = now;
        Arc::clone(lanes)
    }

    /// What is known of the rules of a text.
    fn verdicts_about(&self, rules: &str) -> Map<String, Value> {
        let verdicts = self.verdicts.lock().unwrap_or_else(PoisonError::into_inner);
        let about = verdicts.iter().filter(|(text, _)| rules.contains(text.as_str()));
        about.map(|(text, verdict)| (text.clone(), verdict.clone())).collect()
    }

    /// Keeps what a proof came to.
    fn remember(&self, answer: &str) {
        let Ok(verdict) = serde_json::from_str::<Value>(answer) else { return };
        let Some(text) = verdict.get("text").and_then(Value::as_str).map(str::to_owned) else { return };
        let mut verdicts = self.verdicts.lock().unwrap_or_else(PoisonError::into_inner);
        if verdicts.len() >= MOST_VERDICTS {
            verdicts.clear();
        }
        verdicts.insert(text, verdict);
    }
}

const JSON: &str = "application/json";

/// What every answer says: nothing is kept, nothing is framed, nothing from elsewhere is loaded.
const HEADERS: [(&str, &str); 6] = [
    ("Cache-Control", "no-store"),
    ("Referrer-Policy", "no-referrer"),
    ("X-Content-Type-Options", "nosniff"),
    ("X-Frame-Options", "DENY"),
    ("Cross-Origin-Resource-Policy", "same-origin"),
    (
        "Content-Security-Policy",
        "default-src 'none'; script-src 'self'; style-src 'self'; connect-src 'self'; img-src data:; base-uri 'none'; \
         form-action 'none'; frame-ancestors 'none'",
    ),
];

fn reply(status: u16, kind: &str, body: String) -> Reply {
    // All of it is there, so there is nothing to be sent in pieces.
    let reply = Response::from_data(body.into_bytes()).with_chunked_threshold(usize::MAX);
    let mut reply = reply.with_status_code(status);
    for (name, value) in HEADERS.into_iter().chain([("Content-Type", kind)]) {
        reply.add_header(header(name, value));
    }
    reply
}

fn header(name: &str, value: &str) -> Header {
    Header::from_bytes(name, value).expect("a header of ASCII")
}

/// What everybody is told who asks for what is not there, or without the token.
fn not_found() -> Reply {
    refused(404, "not found: the address of the page is the one that `planish explore` has printed")
}

/// A refusal in plain text.
fn refused(status: u16, why: &str) -> Reply {
    reply(status, "text/plain; charset=utf-8", format!("{why}\n"))
}

/// An error that the page shows.
fn said(status: u16, error: &str) -> Reply {
    reply(status, JSON, json!({ "error": error }).to_string())
}

fn send(request: Request, answer: Reply) {
    if request.body_length().is_some_and(|length| length > MOST_ANNOUNCED) {
        // What is left of a body is read into one buffer when a request is dropped, however much was announced. So this one
        // is answered and never dropped: its connection stays as it is, and nothing more is read from it.
        std::mem::forget(request.upgrade("none", answer));
        return;
    }
    // Whoever asked may have gone.
    let _ = request.respond(answer);
}

//! The loop over messages: what a client asks and tells, and what the prover tells.

use std::collections::BTreeMap;
use std::sync::mpsc::{self, Receiver, RecvTimeoutError, Sender};
use std::thread;
use std::time::{Duration, Instant};

use lsp_server::{Connection, ErrorCode, Message, Notification, ProtocolError, Request, RequestId, Response};
use lsp_types::request::{CodeLensRequest, Completion, ExecuteCommand, GotoDefinition, HoverRequest};
use lsp_types::{
    CodeLensOptions, CodeLensParams, CompletionOptions, CompletionParams, DidChangeTextDocumentParams,
    DidCloseTextDocumentParams, DidOpenTextDocumentParams, ExecuteCommandOptions, ExecuteCommandParams,
    GotoDefinitionParams, HoverParams, HoverProviderCapability, InitializeParams, OneOf, Position,
    PositionEncodingKind, PublishDiagnosticsParams, ServerCapabilities, TextDocumentSyncCapability,
    TextDocumentSyncKind, Uri,
};
use planish_base::caught::catch;
use planish_prove::Options;
use serde_json::{Value, json};

use crate::diagnostics::{diagnostics, verdict};
use crate::document::Document;
use crate::place::Encoding;
use crate::verdicts::{Progress, Proved, Verdicts};
use crate::{completion, definition, hover, lens};

/// What a server needs from outside.
pub struct Setup {
    /// How rules are proved; the limit is for each rule, by the clock too, unless the client asks for another.
    pub options: Options,
    /// Where the table of operations can be read as a page, which is asked for when it is needed.
    pub page: Box<dyn Fn() -> Option<Uri>>,
}

/// How long nobody types before proofs begin.
const PAUSE: Duration = Duration::from_millis(300);

/// What the loop waits for.
enum Event {
    Message(Box<Message>),
    /// The client has gone.
    Closed,
    Proved(Box<Proved>),
}

impl From<Proved> for Event {
    fn from(proved: Proved) -> Event {
        Event::Proved(Box::new(proved))
    }
}

/// Serves a client until it says `exit` or goes away. Whether it said `shutdown` before.
pub fn serve(connection: Connection, setup: Setup) -> Result<bool, ProtocolError> {
    let (id, params) = connection.initialize_start()?;
    let client = Client::new(&params);
    let mut options = setup.options;
    if let Some(limit) = client.limit {
        options.limit = limit;
    }
    connection.initialize_finish(id, about(client.encoding))?;
    let (events, inbox) = mpsc::channel();
    let Connection { sender, receiver } = connection;
    let forward = events.clone();
    thread::spawn(move || {
        let all_told = receiver.into_iter().all(|m| forward.send(Event::Message(Box::new(m))).is_ok());
        // Who has stopped listening needs no word of the end.
        let _ = all_told && forward.send(Event::Closed).is_ok();
    });
    let tell = Box::new(move |message| {
        // A client that has gone is noticed by the loop.
        let _ = sender.send(message);
    });
    let server = Server {
        tell,
        client,
        page: setup.page,
        verdicts: Verdicts::new(options),
        documents: BTreeMap::new(),
        asked: Vec::new(),
        quiet_from: Instant::now(),
        requests: 0,
        is_shut_down: false,
    };
    Ok(server.run(&events, &inbox))
}

/// What a client said of itself.
struct Client {
    encoding: Encoding,
    /// Whether it asks for the lines above rules anew when it is told to.
    renews_lenses: bool,
    /// How long a rule may take, if it said so: `initializationOptions.timeout`, in seconds.
    limit: Option<Duration>,
}

impl Client {
    fn new(params: &Value) -> Client {
        let timeout = params["initializationOptions"]["timeout"].as_u64();
        let said: InitializeParams = serde_json::from_value(params.clone()).unwrap_or_default();
        let encodings = said.capabilities.general.and_then(|general| general.position_encodings);
        let knows_bytes = encodings.is_some_and(|known| known.contains(&PositionEncodingKind::UTF8));
        let lenses = said.capabilities.workspace.and_then(|workspace| workspace.code_lens);
        Client {
            encoding: if knows_bytes { Encoding::Utf8 } else { Encoding::Utf16 },
            renews_lenses: lenses.and_then(|lens| lens.refresh_support).unwrap_or(false),
            limit: timeout.map(|seconds| Duration::from_secs(seconds.max(1))),
        }
    }
}

/// What the server says of itself.
fn about(encoding: Encoding) -> Value {
    let capabilities = ServerCapabilities {
        position_encoding: Some(match encoding {
            Encoding::Utf8 => PositionEncodingKind::UTF8,
            Encoding::Utf16 => PositionEncodingKind::UTF16,
        }),
        text_document_sync: Some(TextDocumentSyncCapability::Kind(TextDocumentSyncKind::FULL)),
        hover_provider: Some(HoverProviderCapability::Simple(true)),
        completion_provider: Some(CompletionOptions {
            trigger_characters: Some([".", "[", ":"].map(str::to_owned).to_vec()),
            ..CompletionOptions::default()
        }),
        definition_provider: Some(OneOf::Left(true)),
        code_lens_provider: Some(CodeLensOptions { resolve_provider: Some(false) }),
        execute_command_provider: Some(ExecuteCommandOptions {
            commands: vec![lens::PROVE.to_owned()],
            ..ExecuteCommandOptions::default()
        }),
        ..ServerCapabilities::default()
    };
    json!({
        "capabilities": capabilities,
        "serverInfo": { "name": "planish", "version": env!("CARGO_PKG_VERSION") },
    })
}

/// A request for a proof that has no answer yet.
struct Asked {
    id: RequestId,
    uri: String,
    text: String,
}

struct Server {
    tell: Box<dyn Fn(Message)>,
    client: Client,
    page: Box<dyn Fn() -> Option<Uri>>,
    verdicts: Verdicts,
    /// Open files, by address.
    documents: BTreeMap<String, Document>,
    asked: Vec<Asked>,
    /// When proofs may begin.
    quiet_from: Instant,
    /// How many requests the client was sent.
    requests: i32,
    is_shut_down: bool,
}

/// Why a request has no answer.
struct Refusal(ErrorCode, String);

impl Server {
    fn run(mut self, events: &Sender<Event>, inbox: &Receiver<Event>) -> bool {
        loop {
            match self.next(inbox) {
                None => {
                    self.verdicts.start(events);
                    self.renew_lenses();
                }
                Some(Event::Message(message)) => match *message {
                    Message::Request(request) => self.request(request),
                    Message::Notification(note) if note.method == "exit" => break,
                    Message::Notification(note) => self.notification(note),
                    Message::Response(_) => {}
                },
                Some(Event::Proved(proved)) => self.proved(*proved),
                Some(Event::Closed) => break,
            }
        }
        self.verdicts.stop();
        self.is_shut_down
    }

    /// What happens next; nothing when it is time for a proof.
    fn next(&self, inbox: &Receiver<Event>) -> Option<Event> {
        if !self.verdicts.is_idle_with_work() {
            return Some(inbox.recv().unwrap_or(Event::Closed));
        }
        let pause = self.quiet_from.saturating_duration_since(Instant::now());
        match inbox.recv_timeout(pause) {
            Ok(event) => Some(event),
            Err(RecvTimeoutError::Timeout) => None,
            Err(RecvTimeoutError::Disconnected) => Some(Event::Closed),
        }
    }

    fn notification(&mut self, Notification { method, params }: Notification) {
        match method.as_str() {
            "textDocument/didOpen" => {
                if let Ok(DidOpenTextDocumentParams { text_document: opened }) =
                    serde_json::from_value(params)
                {
                    self.changed(&opened.uri, opened.version, &opened.text);
                }
            }
            "textDocument/didChange" => {
                if let Ok(DidChangeTextDocumentParams { text_document, content_changes }) =
                    serde_json::from_value(params)
                    && let Some(change) = content_changes.last()
                {
                    self.changed(&text_document.uri, text_document.version, &change.text);
                }
            }
            "textDocument/didClose" => {
                if let Ok(DidCloseTextDocumentParams { text_document }) = serde_json::from_value(params) {
                    self.documents.remove(text_document.uri.as_str());
                    self.want("");
                    self.publish(&text_document.uri, Vec::new(), None);
                }
            }
            "$/cancelRequest" => {
                if let Some(id) = request_id(&params["id"]) {
                    self.cancelled(&id);
                }
            }
            // Of what else a client may tell nothing follows here.
            _ => {}
        }
    }

    /// A file has this text now.
    fn changed(&mut self, uri: &Uri, version: i32, text: &str) {
        let name = uri.as_str().rsplit('/').next().unwrap_or(uri.as_str());
        match catch(|| Document::new(name, version, text, self.client.encoding)) {
            Ok(document) => _ = self.documents.insert(uri.as_str().to_owned(), document),
            Err(panicked) => {
                self.documents.remove(uri.as_str());
                let message = format!("a mistake of planish ({panicked}): nothing is known of this text");
                let said = lsp_types::Diagnostic { message, ..lsp_types::Diagnostic::default() };
                self.publish(uri, vec![said], Some(version));
            }
        }
        self.quiet_from = Instant::now() + PAUSE;
        self.want(uri.as_str());
        self.publish_of(uri.as_str());
        self.renew_lenses();
    }

    /// Tells the prover which rules there are, those of `first` before others.
    fn want(&mut self, first: &str) {
        let (mine, others): (Vec<_>, Vec<_>) = self.documents.iter().partition(|(uri, _)| *uri == first);
        let all = mine.into_iter().chain(others).map(|(_, document)| document);
        let asked: Vec<&str> = self.asked.iter().map(|asked| asked.text.as_str()).collect();
        self.verdicts.want(all.flat_map(|document| document.set.rules.values()), &asked);
        let has = |document: &Document, text: &str| document.set.rules.values().any(|rule| rule.text == text);
        let stands = |asked: &Asked| self.documents.values().any(|document| has(document, &asked.text));
        let (open, gone) = std::mem::take(&mut self.asked).into_iter().partition(stands);
        self.asked = open;
        gone.into_iter().for_each(|asked: Asked| {
            self.refuse(asked.id, Refusal(ErrorCode::ContentModified, "the rule has changed".to_owned()));
        });
    }

    fn refuse(&self, id: RequestId, Refusal(code, why): Refusal) {
        (self.tell)(Message::Response(Response::new_err(id, code as i32, why)));
    }

    fn publish_of(&self, uri: &str) {
        if let (Some(document), Ok(address)) = (self.documents.get(uri), uri.parse::<Uri>()) {
            self.publish(&address, diagnostics(document, &self.verdicts), Some(document.version));
        }
    }

    fn publish(&self, uri: &Uri, diagnostics: Vec<lsp_types::Diagnostic>, version: Option<i32>) {
        let params = PublishDiagnosticsParams { uri: uri.clone(), diagnostics, version };
        let method = "textDocument/publishDiagnostics".to_owned();
        (self.tell)(Message::Notification(Notification { method, params: json!(params) }));
    }

    fn renew_lenses(&mut self) {
        if self.client.renews_lenses {
            self.requests += 1;
            let method = "workspace/codeLens/refresh".to_owned();
            (self.tell)(Message::Request(Request { id: self.requests.into(), method, params: Value::Null }));
        }
    }

    /// A proof has ended.
    fn proved(&mut self, proved: Proved) {
        let (text, is_cancelled) = (proved.text.clone(), proved.is_cancelled);
        self.verdicts.ended(proved);
        if is_cancelled {
            // It may have been written again meanwhile, or is asked for with more time.
            self.want("");
            return;
        }
        let has = |document: &Document| document.set.rules.values().any(|rule| rule.text == text);
        let uris: Vec<String> =
            self.documents.iter().filter(|(_, d)| has(d)).map(|(uri, _)| uri.clone()).collect();
        uris.iter().for_each(|uri| self.publish_of(uri));
        self.renew_lenses();
        let (answered, open) =
            std::mem::take(&mut self.asked).into_iter().partition(|asked| asked.text == text);
        self.asked = open;
        for Asked { id, uri, .. } in answered {
            let told = self.told(&uri, &text);
            (self.tell)(Message::Response(Response::new_ok(id, told)));
        }
    }

    /// The verdict on a rule in full.
    fn told(&self, uri: &str, text: &str) -> Option<String> {
        let document = self.documents.get(uri)?;
        let rule = document.set.rules.values().find(|rule| rule.text == text)?;
        match self.verdicts.progress(rule) {
            Progress::Done(proof) => Some(verdict(document, rule, proof)),
            Progress::Waiting | Progress::Running => None,
        }
    }

    fn request(&mut self, Request { id, method, params }: Request) {
        // A mistake of ours costs an answer and not the server.
        let answer = catch(|| self.answer(&id, &method, params)).unwrap_or_else(|panicked| {
            Err(Refusal(ErrorCode::InternalError, format!("a mistake of planish ({panicked})")))
        });
        match answer {
            Ok(Some(value)) => (self.tell)(Message::Response(Response::new_ok(id, value))),
            Ok(None) => {}
            Err(refusal) => self.refuse(id, refusal),
        }
    }

    /// The answer to a request; nothing if it comes later.
    fn answer(&mut self, id: &RequestId, method: &str, params: Value) -> Result<Option<Value>, Refusal> {
        if self.is_shut_down {
            return Err(Refusal(ErrorCode::InvalidRequest, "the server was shut down".to_owned()));
        }
        match method {
            "shutdown" => {
                self.is_shut_down = true;
                self.verdicts.stop();
                Ok(Some(Value::Null))
            }
            "textDocument/hover" => self.hover(params).map(Some),
            "textDocument/completion" => self.completion(params).map(Some),
            "textDocument/definition" => self.definition(params).map(Some),
            "textDocument/codeLens" => self.lenses(params).map(Some),
            "workspace/executeCommand" => self.prove(id, params).map(|()| None),
            _ => Err(Refusal(ErrorCode::MethodNotFound, format!("there is no method `{method}` here"))),
        }
    }

    fn document(&self, uri: &Uri) -> Result<&Document, Refusal> {
        let found = self.documents.get(uri.as_str());
        found.ok_or_else(|| Refusal(ErrorCode::InvalidParams, format!("{} is not open", uri.as_str())))
    }

    /// A document and the byte at a position of it.
    fn at(&self, uri: &Uri, position: Position) -> Result<(&Document, usize), Refusal> {
        let document = self.document(uri)?;
        Ok((document, document.places.byte(document.text(), position)))
    }

    fn hover(&mut self, params: Value) -> Result<Value, Refusal> {
        let HoverParams { text_document_position_params: at, .. } = read::<HoverRequest>(params)?;
        let (document, byte) = self.at(&at.text_document.uri, at.position)?;
        let said = hover::hover(document, byte, &self.verdicts);
        let looked_at =
            document.head_at(byte).and_then(|head| document.rule_of(head)).map(|(_, rule)| rule.clone());
        if let Some(rule) = looked_at {
            self.verdicts.hurry(&rule);
        }
        Ok(json!(said))
    }

    fn completion(&self, params: Value) -> Result<Value, Refusal> {
        let CompletionParams { text_document_position: at, .. } = read::<Completion>(params)?;
        let (document, byte) = self.at(&at.text_document.uri, at.position)?;
        Ok(json!(completion::completion(document, byte)))
    }

    fn definition(&self, params: Value) -> Result<Value, Refusal> {
        let GotoDefinitionParams { text_document_position_params: at, .. } = read::<GotoDefinition>(params)?;
        let uri = at.text_document.uri;
        let (document, byte) = self.at(&uri, at.position)?;
        Ok(json!(definition::definition(document, &uri, byte, &*self.page)))
    }

    fn lenses(&self, params: Value) -> Result<Value, Refusal> {
        let CodeLensParams { text_document, .. } = read::<CodeLensRequest>(params)?;
        let document = self.document(&text_document.uri)?;
        Ok(json!(lens::lenses(document, text_document.uri.as_str(), &self.verdicts)))
    }

    /// Begins the proof that a command asks for; its answer comes with the verdict.
    fn prove(&mut self, id: &RequestId, params: Value) -> Result<(), Refusal> {
        let refused = |why: String| Refusal(ErrorCode::InvalidParams, why);
        let ExecuteCommandParams { command, arguments, .. } = read::<ExecuteCommand>(params)?;
        if command != lens::PROVE {
            return Err(refused(format!("there is no command `{command}`")));
        }
        let [Value::String(uri), Value::String(name)] = &arguments[..] else {
            return Err(refused("the arguments are the address of a file and the name of a rule".to_owned()));
        };
        let rule = self
            .documents
            .get(uri)
            .and_then(|document| document.set.rules.values().find(|rule| rule.name == *name).cloned());
        let Some(rule) = rule else {
            return Err(refused(format!("there is no rule `{name}` without errors in {uri}")));
        };
        self.verdicts.forget(&rule.text);
        self.quiet_from = Instant::now();
        self.asked.push(Asked { id: id.clone(), uri: uri.clone(), text: rule.text });
        self.want(uri);
        Ok(())
    }

    /// The client does not want an answer any more.
    fn cancelled(&mut self, id: &RequestId) {
        let Some(at) = self.asked.iter().position(|asked| asked.id == *id) else { return };
        let Asked { id, text, .. } = self.asked.remove(at);
        self.verdicts.cancel(&text);
        self.refuse(id, Refusal(ErrorCode::RequestCanceled, "cancelled".to_owned()));
    }
}

fn read<R: lsp_types::request::Request>(params: Value) -> Result<R::Params, Refusal> {
    serde_json::from_value(params).map_err(|error| Refusal(ErrorCode::InvalidParams, error.to_string()))
}

fn request_id(value: &Value) -> Option<RequestId> {
    let number = value.as_i64().and_then(|number| i32::try_from(number).ok());
    number.map(RequestId::from).or_else(|| value.as_str().map(|text| RequestId::from(text.to_owned())))
}

// The client of `planish rules lsp`, without dependencies: what VS Code asks is asked of the server, what the
// server tells is shown. There is nothing to build: the folder is the extension.
'use strict';

const { spawn } = require('child_process');
const vscode = require('vscode');

const LANGUAGE = 'planish-rules';

/** Frames of the protocol: a header with the length, an empty line, JSON. */
class Frames {
    constructor(receive) {
        this.receive = receive;
        this.rest = Buffer.alloc(0);
    }

    push(bytes) {
        this.rest = Buffer.concat([this.rest, bytes]);
        for (;;) {
            const end = this.rest.indexOf('\r\n\r\n');
            if (end < 0) return;
            const length = Number(/Content-Length: (\d+)/i.exec(this.rest.subarray(0, end).toString())[1]);
            if (this.rest.length < end + 4 + length) return;
            const text = this.rest.subarray(end + 4, end + 4 + length).toString();
            this.rest = this.rest.subarray(end + 4 + length);
            this.receive(JSON.parse(text));
        }
    }

    static of(message) {
        const text = Buffer.from(JSON.stringify({ jsonrpc: '2.0', ...message }));
        return Buffer.concat([Buffer.from(`Content-Length: ${text.length}\r\n\r\n`), text]);
    }
}

/** A server and what it is asked. */
class Server {
    constructor(command, timeout, heard) {
        this.heard = heard;
        this.asked = new Map();
        this.last = 0;
        this.process = spawn(command, ['rules', 'lsp'], { stdio: ['pipe', 'pipe', 'inherit'] });
        this.process.stdin.on('error', () => this.gone(new Error('the server does not read')));
        this.process.on('error', (error) => this.gone(error));
        this.process.on('exit', (code) => this.gone(new Error(`the server has ended with status ${code}`)));
        const frames = new Frames((message) => this.receive(message));
        this.process.stdout.on('data', (bytes) => frames.push(bytes));
        const capabilities = { workspace: { codeLens: { refreshSupport: true } } };
        this.ready = this.ask('initialize', {
            processId: process.pid, rootUri: null, capabilities, initializationOptions: { timeout },
        }).then(() => this.tell('initialized', {}));
    }

    send(message) {
        if (!this.hasGone) this.process.stdin.write(Frames.of(message));
    }

    tell(method, params) {
        this.send({ method, params });
    }

    ask(method, params, token) {
        const id = ++this.last;
        this.send({ id, method, params });
        if (token) token.onCancellationRequested(() => this.tell('$/cancelRequest', { id }));
        return new Promise((resolve, reject) => {
            this.hasGone ? reject(this.hasGone) : this.asked.set(id, { resolve, reject });
        });
    }

    receive(message) {
        if (message.method) {
            this.heard(message);
            if (message.id !== undefined) this.send({ id: message.id, result: null });
            return;
        }
        const asked = this.asked.get(message.id);
        this.asked.delete(message.id);
        if (asked) message.error ? asked.reject(new Error(message.error.message)) : asked.resolve(message.result);
    }

    gone(error) {
        this.hasGone = this.hasGone || error;
        for (const { reject } of this.asked.values()) reject(this.hasGone);
        this.asked.clear();
    }

    async stop() {
        await this.ask('shutdown', null).catch(() => {});
        this.tell('exit', null);
    }
}

const range = (r) => new vscode.Range(r.start.line, r.start.character, r.end.line, r.end.character);
const at = (document, position) => ({
    textDocument: { uri: document.uri.toString() },
    position: { line: position.line, character: position.character },
});
const markdown = (said) => said && new vscode.MarkdownString(said.value);

let server;

function activate(context) {
    const shown = vscode.languages.createDiagnosticCollection('planish');
    const lensesChanged = new vscode.EventEmitter();
    const isOurs = (document) => document.languageId === LANGUAGE;

    const heard = ({ method, params }) => {
        if (method === 'workspace/codeLens/refresh') lensesChanged.fire();
        if (method !== 'textDocument/publishDiagnostics') return;
        shown.set(vscode.Uri.parse(params.uri), params.diagnostics.map((d) => {
            const diagnostic = new vscode.Diagnostic(range(d.range), d.message, d.severity - 1);
            diagnostic.source = d.source;
            return diagnostic;
        }));
    };
    const open = (document) => {
        if (!isOurs(document)) return;
        server.tell('textDocument/didOpen', {
            textDocument: {
                uri: document.uri.toString(), languageId: LANGUAGE, version: document.version, text: document.getText(),
            },
        });
    };
    const start = () => {
        const settings = vscode.workspace.getConfiguration('planish');
        server = new Server(settings.get('command'), settings.get('timeout'), heard);
        const started = server;
        started.ready.then(() => vscode.workspace.textDocuments.forEach(open), (error) => {
            vscode.window.showErrorMessage(`Planish: ${settings.get('command')} rules lsp: ${error.message}`);
        });
    };
    start();

    const selector = { language: LANGUAGE };
    const asked = (method, params, token) => server.ready.then(() => server.ask(method, params, token));
    context.subscriptions.push(
        shown,
        lensesChanged,
        vscode.workspace.onDidOpenTextDocument((document) => server.ready.then(() => open(document), () => {})),
        vscode.workspace.onDidChangeTextDocument(({ document }) => {
            if (!isOurs(document)) return;
            server.tell('textDocument/didChange', {
                textDocument: { uri: document.uri.toString(), version: document.version },
                contentChanges: [{ text: document.getText() }],
            });
        }),
        vscode.workspace.onDidCloseTextDocument((document) => {
            if (isOurs(document)) {
                server.tell('textDocument/didClose', { textDocument: { uri: document.uri.toString() } });
            }
        }),
        vscode.languages.registerHoverProvider(selector, {
            async provideHover(document, position, token) {
                const hover = await asked('textDocument/hover', at(document, position), token);
                return hover && new vscode.Hover(markdown(hover.contents), range(hover.range));
            },
        }),
        vscode.languages.registerCompletionItemProvider(selector, {
            async provideCompletionItems(document, position, token) {
                const items = await asked('textDocument/completion', at(document, position), token);
                return items.map((item) => {
                    const shown = new vscode.CompletionItem(item.label, item.kind - 1);
                    shown.detail = item.detail;
                    shown.documentation = markdown(item.documentation);
                    return shown;
                });
            },
        }, '.', '[', ':'),
        vscode.languages.registerDefinitionProvider(selector, {
            async provideDefinition(document, position, token) {
                const found = await asked('textDocument/definition', at(document, position), token);
                return found && new vscode.Location(vscode.Uri.parse(found.uri), range(found.range));
            },
        }),
        vscode.languages.registerCodeLensProvider(selector, {
            onDidChangeCodeLenses: lensesChanged.event,
            async provideCodeLenses(document, token) {
                const textDocument = { uri: document.uri.toString() };
                const lenses = await asked('textDocument/codeLens', { textDocument }, token);
                return lenses.map((lens) => new vscode.CodeLens(range(lens.range), lens.command));
            },
        }),
        vscode.commands.registerCommand('planish.prove', (...names) => {
            const place = { location: vscode.ProgressLocation.Notification, title: `Proving ${names[1]}`, cancellable: true };
            return vscode.window.withProgress(place, async (_progress, token) => {
                const params = { command: 'planish.prove', arguments: names };
                const verdict = await asked('workspace/executeCommand', params, token);
                vscode.window.showInformationMessage(verdict);
            }).then(undefined, (error) => vscode.window.showWarningMessage(`${names[1]}: ${error.message}`));
        }),
        vscode.commands.registerCommand('planish.restart', async () => {
            shown.clear();
            await server.stop();
            start();
        }),
    );
}

function deactivate() {
    return server && server.stop();
}

module.exports = { activate, deactivate };

"""What scripts about PYPYLOG files share: their sections, `planish opt` on them, counts beside PyPy's."""

import collections
import json
import os
import re
import subprocess
import sys
import tempfile

BOUNDARY = re.compile(r"^\[[0-9a-f]+\] (\{?)([A-Za-z0-9-]+)(\}?)$")
OPERATION = re.compile(r"^(?:\+\d+: )?(?:\w+(?:\[\w+\])? = )?([a-z_][a-z0-9_]*)\(")
# What costs no machine code: see crates/trace/src/stats.rs.
FREE = {
    "debug_merge_point", "jit_debug", "enter_portal_frame", "leave_portal_frame", "keepalive", "label", "jump", "finish",
    "assert_not_none", "record_exact_class", "record_exact_value_r", "record_exact_value_i", "record_known_result",
    "quasiimmut_field", "guard_future_condition",
}


def sections(text):
    """(attempt to trace, name, lines) of every section, when it ends; lines of sections inside are no lines of its own."""
    open_, attempts = [], 0
    for line in text.split("\n"):
        found = BOUNDARY.match(line) if line.startswith("[") else None
        if found is None:
            if open_:
                open_[-1][2].append(line)
        elif found.group(1):
            attempts += found.group(2) == "jit-tracing"
            attempt = attempts if found.group(2) == "jit-tracing" or not open_ else open_[-1][0]
            open_.append((attempt, found.group(2), []))
        elif open_ and open_[-1][1] == found.group(2):
            yield open_.pop()


def program():
    """The command: `PLANISH`, or what is built in this folder."""
    root = os.path.dirname(os.path.dirname(os.path.abspath(__file__)))
    return os.environ.get("PLANISH", os.path.join(root, "target/release/planish"))


class Refused(Exception):
    """The command did not do what it was asked for."""


def optimize(planish, text_or_path, *options):
    """The statistics of each trace, the log that comes out and what was said besides."""
    with tempfile.TemporaryDirectory() as directory:
        path, out = text_or_path, os.path.join(directory, "out.log")
        if "\n" in text_or_path:
            path = os.path.join(directory, "in.log")
            with open(path, "w") as file:
                file.write(text_or_path)
        command = [planish, "opt", path, "--stats=json", "-o", out, *options]
        try:
            done = subprocess.run(command, capture_output=True, text=True)
        except FileNotFoundError:
            sys.exit("%s is not there: cargo build --release -p planish-cli makes it" % planish)
        if done.returncode != 0 or "{\n" not in done.stderr:
            raise Refused("%s: %s" % (path, done.stderr[-2000:]))
        cut = done.stderr.index("{\n")
        with open(out) as file:
            return json.loads(done.stderr[cut:])["functions"], file.read(), done.stderr[:cut]


def operations(lines):
    """The names of the operations that cost machine code."""
    names = (found.group(1) for found in map(OPERATION.match, lines) if found)
    return [name for name in names if name not in FREE]


def bodies(written):
    """Our lines and PyPy's of the bodies of each loop that both peeled, in the log that came out."""
    ours = {}
    for attempt, name, lines in sections(written):
        if name == "jit-log-opt-planish":
            ours[attempt] = lines
        elif name in ("jit-log-opt-loop", "jit-log-opt-bridge") and attempt in ours:
            mine, theirs = ours.pop(attempt), lines
            labels = [[at for at, line in enumerate(part) if re.match(r"(\+\d+: )?label\(", line)] for part in (mine, theirs)]
            if labels[0] and len(labels[1]) > 1:
                yield mine[labels[0][-1] + 1 :], theirs[labels[1][-1] + 1 :]


def size(row, *keys, what="operations"):
    return sum(row[key][what] for key in keys if key in row)


def more_in_pass(row):
    return "after" in row and "pypy" in row and size(row, "after") > size(row, "pypy")


def more_in_the_body(row):
    return "body" in row and "pypy_body" in row and size(row, "body") > size(row, "pypy_body")


def has_more(row):
    return more_in_pass(row) or more_in_the_body(row)


def kinds(pairs):
    """By how many operations of each name our bodies are longer than PyPy's, the most first."""
    left = collections.Counter()
    for ours, theirs in pairs:
        left.update(operations(ours))
        left.subtract(operations(theirs))
    return [(name, count) for name, count in left.most_common() if count]

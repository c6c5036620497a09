#!/usr/bin/env python3
"""What Planish is made of besides its own code: which crates, from where, under which licences, and what is known against them.

    scripts/supply.py check [DATABASE]   licences and sources, and advisories where a database is given
    scripts/supply.py sbom [FILE]        a software bill of materials (CycloneDX 1.5, JSON) of the command
    scripts/supply.py page               docs/supply-chain.md again

DATABASE is a folder like github.com/rustsec/advisory-db: as files, or as a git repository without a work tree.
Only crates that are linked into what is shipped count: the command, with its default features and with machine code.
"""
import json
import re
import subprocess
import sys
import tomllib
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
REGISTRY = "registry+https://github.com/rust-lang/crates.io-index"
# Licences that ask for no more than to be named.
ALLOWED = {"MIT", "Apache-2.0", "Apache-2.0 WITH LLVM-exception", "Zlib", "Unicode-3.0", "BSD-3-Clause", "ISC", "Unlicense", "0BSD"}
PAGE = ROOT / "docs" / "supply-chain.md"


def metadata(features):
    command = ["cargo", "metadata", "--format-version", "1", "--locked", "--manifest-path", "crates/cli/Cargo.toml",
               "--filter-platform", "x86_64-unknown-linux-gnu"]
    if features:
        command += ["--features", ",".join(features)]
    return json.loads(subprocess.run(command, cwd=ROOT, check=True, stdout=subprocess.PIPE).stdout)


def shipped(features=()):
    """The packages that the command is linked from, by name and version, each with the features that it is built with."""
    found = metadata(features)
    packages = {package["id"]: package for package in found["packages"]}
    nodes = {node["id"]: node for node in found["resolve"]["nodes"]}
    todo = [found["resolve"]["root"]]
    seen = set()
    while todo:
        node = nodes[todo.pop()]
        if node["id"] in seen:
            continue
        seen.add(node["id"])
        for dependency in node["deps"]:
            # What only tests and build scripts need is not shipped.
            if any(kind["kind"] is None for kind in dependency["dep_kinds"]):
                todo.append(dependency["pkg"])
    for id in seen:
        packages[id]["built"] = sorted(set(nodes[id]["features"]))
    return sorted((packages[id] for id in seen), key=lambda package: (package["name"], package["version"]))


def foreign(packages):
    return [package for package in packages if package["source"]]


def licence_is_allowed(text):
    """Whether one of the choices of a licence asks for nothing but allowed ones."""
    text = text.replace("/", " OR ").replace("(", " ( ").replace(")", " ) ")
    words = [word.strip() for word in re.split(r"\b(OR|AND)\b|([()])", text) if word and word.strip()]

    def choice(at):
        value, at = both(at)
        while at < len(words) and words[at] == "OR":
            other, at = both(at + 1)
            value = value or other
        return value, at

    def both(at):
        value, at = one(at)
        while at < len(words) and words[at] == "AND":
            other, at = one(at + 1)
            value = value and other
        return value, at

    def one(at):
        if words[at] == "(":
            value, at = choice(at + 1)
            return value, at + 1
        return words[at] in ALLOWED, at + 1

    if not words:
        return False
    value, at = choice(0)
    return value and at == len(words)


def version(text):
    """A version as numbers; what stands for a release to come is before it."""
    numbers, _, before = text.split("+")[0].partition("-")
    numbers = [int(number) for number in numbers.split(".")]
    return (*numbers, *([0] * (3 - len(numbers))), 0 if before else 1)


def upper(text):
    """The first version that a caret requirement does not take."""
    numbers = [int(number) for number in text.split("-")[0].split(".")]
    at = next((at for at, number in enumerate(numbers) if number), len(numbers) - 1)
    bounded = numbers[:at] + [numbers[at] + 1] + [0] * (2 - at)
    return (*bounded[:3], 0)


def meets(found, requirement):
    """Whether a version meets all parts of a requirement."""
    for part in requirement.split(","):
        sign, text = re.fullmatch(r"\s*(>=|<=|>|<|=|\^|~)?\s*(.+?)\s*", part).groups()
        wanted, have = version(text), version(found)
        holds = {
            ">=": have >= wanted, "<=": have <= wanted, ">": have > wanted, "<": have < wanted, "=": have == wanted,
            "~": wanted <= have < (wanted[0], wanted[1] + 1, 0, 0),
        }.get(sign, wanted <= have < upper(text))
        if not holds:
            return False
    return True


def advisories(database, name):
    """The advisories about a crate, as tables."""
    database = Path(database)
    folder = f"crates/{name}"
    if (database / "crates").is_dir():
        texts = [path.read_text() for path in sorted((database / folder).glob("*.md"))]
    else:
        git = ["git", "--git-dir", str(database)]
        listed = subprocess.run([*git, "ls-tree", "--name-only", "HEAD", f"{folder}/"], check=True, text=True, stdout=subprocess.PIPE)
        texts = [subprocess.run([*git, "show", f"HEAD:{path}"], check=True, text=True, stdout=subprocess.PIPE).stdout
                 for path in listed.stdout.split()]
    for text in texts:
        yield tomllib.loads(re.search(r"```toml\n(.*?)```", text, re.S).group(1))


def known_against(database, packages):
    found = []
    for package in foreign(packages):
        for advisory in advisories(database, package["name"]):
            versions = advisory.get("versions", {})
            fine = [*versions.get("patched", []), *versions.get("unaffected", [])]
            if "withdrawn" in advisory["advisory"] or any(meets(package["version"], each) for each in fine):
                continue
            found.append(f"{package['name']} {package['version']}: {advisory['advisory']['id']}")
    return found


def check(database):
    packages = shipped(["native"])
    wrong = []
    for package in foreign(packages):
        name = f"{package['name']} {package['version']}"
        if package["source"] != REGISTRY:
            wrong.append(f"{name} is from {package['source']}")
        if not licence_is_allowed(package["license"] or ""):
            wrong.append(f"{name} is under {package['license']}")
    if database:
        wrong += known_against(database, packages)
    elif subprocess.run(["cargo", "audit", "--version"], capture_output=True).returncode == 0:
        if subprocess.run(["cargo", "audit", "--deny", "warnings"], cwd=ROOT).returncode != 0:
            wrong.append("cargo audit")
    else:
        print("no database of advisories is given, and cargo-audit is not installed: that part is left out")
    if PAGE.read_text() != page():
        wrong.append("docs/supply-chain.md is stale: scripts/supply.py page")
    for each in wrong:
        print(f"WRONG {each}")
    print(f"{len(foreign(packages))} crates of others, {len(wrong)} findings")
    return 1 if wrong else 0


def sbom():
    packages = shipped()
    own = next(package for package in packages if package["name"] == "planish-cli")
    kind = lambda package: "application" if package is own else "library"
    component = lambda package: {
        "type": kind(package),
        "name": package["name"],
        "version": package["version"],
        "bom-ref": f"pkg:cargo/{package['name']}@{package['version']}",
        "purl": f"pkg:cargo/{package['name']}@{package['version']}",
        "licenses": [{"expression": (package["license"] or "").replace("/", " OR ")}],
    }
    sums = {}
    for package in tomllib.loads((ROOT / "Cargo.lock").read_text())["package"]:
        if "checksum" in package:
            sums[package["name"], package["version"]] = package["checksum"]
    components = []
    for package in packages:
        if package is own:
            continue
        made = component(package)
        if (package["name"], package["version"]) in sums:
            made["hashes"] = [{"alg": "SHA-256", "content": sums[package["name"], package["version"]]}]
        components.append(made)
    bill = {"bomFormat": "CycloneDX", "specVersion": "1.5", "version": 1,
            "metadata": {"component": component(own)}, "components": components}
    return json.dumps(bill, indent=1) + "\n"


HEAD = """# Supply chain

Written by `scripts/supply.py page`; do not edit. `scripts/supply.py check` (part of `scripts/test`) fails where a line of it does
not hold.

- **Where crates come from.** All from crates.io, each pinned with its checksum in `Cargo.lock`; builds and tests use
  `--locked`. Nothing is vendored, generated at build time by a tool from elsewhere, or downloaded by a build script.
- **How many.** Those below are linked into the command, {default} by default and {native} with `--features native`; why each is
  there says [ARCHITECTURE.md](../ARCHITECTURE.md#dependencies). What only tests and benchmarks need is not shipped.
- **Licences.** Each crate can be used under MIT, Apache-2.0, Zlib, Unicode-3.0 or a licence that asks for no more.
- **Advisories.** `scripts/supply.py check DATABASE` holds the versions against a copy of the RustSec database; without one,
  `cargo audit` does if it is installed. `deny.toml` says the same to `cargo deny`.
- **Bill of materials.** `scripts/package` writes `planish.cdx.json` (CycloneDX 1.5) beside the binary, with the checksums.
- **The build.** From one lock file with one toolchain the same sources give the same crates; the binary is not signed here.

| crate | version | licence | features |
|---|---|---|---|
"""


def page():
    by_default = {package["id"] for package in foreign(shipped())}
    packages = foreign(shipped(["native"]))
    rows = [f"| {package['name']}{'' if package['id'] in by_default else ' (native)'} | {package['version']} | "
            f"{(package['license'] or '').replace('/', ' OR ')} | {', '.join(package['built']) or '-'} |\n" for package in packages]
    return HEAD.format(default=len(by_default), native=len(packages)) + "".join(rows)


def main(arguments):
    match arguments:
        case ["check", *database] if len(database) < 2:
            return check(database[0] if database else None)
        case ["sbom"]:
            print(sbom(), end="")
        case ["sbom", path]:
            Path(path).write_text(sbom())
        case ["page"]:
            PAGE.write_text(page())
        case _:
            print(__doc__.strip())
            return 2
    return 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))

"""Makes a wheel that carries the binary: `pip install` puts it on the path.

    wheel.py BINARY VERSION MANPAGES COMPLETIONS OUT

A wheel is a zip file: what lies under `NAME-VERSION.data/scripts` is installed as a command, under `data` below the
environment's prefix; RECORD lists every file with its hash. Times are fixed, so the same input gives the same bytes.
"""

import base64
import hashlib
import pathlib
import platform
import sys
import zipfile


def main(binary, version, manpages, completions, out):
    tag = f"py3-none-linux_{platform.machine()}"
    info, data = f"planish-{version}.dist-info", f"planish-{version}.data"
    files = {
        f"{data}/scripts/planish": (pathlib.Path(binary).read_bytes(), 0o755),
        f"{info}/METADATA": (
            "Metadata-Version: 2.1\nName: planish\n"
            f"Version: {version}\n"
            "Summary: An optimizing compiler's middle end whose every rewrite rule is proved\n"
            "License: Apache-2.0 OR MIT\nRequires-Python: >=3.7\n".encode(),
            0o644,
        ),
        f"{info}/WHEEL": (
            f"Wheel-Version: 1.0\nGenerator: planish\nRoot-Is-Purelib: false\nTag: {tag}\n".encode(),
            0o644,
        ),
    }
    for page in sorted(pathlib.Path(manpages).glob("*.1")):
        files[f"{data}/data/share/man/man1/{page.name}"] = (page.read_bytes(), 0o644)
    for shell, place in [
        ("bash", "bash-completion/completions/planish"),
        ("zsh", "zsh/site-functions/_planish"),
        ("fish", "fish/vendor_completions.d/planish.fish"),
    ]:
        script = pathlib.Path(completions) / f"planish.{shell}"
        files[f"{data}/data/share/{place}"] = (script.read_bytes(), 0o644)
    record = "".join(
        f"{name},sha256={base64.urlsafe_b64encode(hashlib.sha256(content).digest()).rstrip(b'=').decode()},{len(content)}\n"
        for name, (content, _) in files.items()
    )
    files[f"{info}/RECORD"] = (f"{record}{info}/RECORD,,\n".encode(), 0o644)
    with zipfile.ZipFile(pathlib.Path(out) / f"planish-{version}-{tag}.whl", "w", zipfile.ZIP_DEFLATED) as wheel:
        for name, (content, mode) in files.items():
            entry = zipfile.ZipInfo(name, (1980, 1, 1, 0, 0, 0))
            entry.external_attr = (0o100000 | mode) << 16
            entry.compress_type = zipfile.ZIP_DEFLATED
            wheel.writestr(entry, content)


if __name__ == "__main__":
    main(*sys.argv[1:])

"""Prepare a release, and check that all files name the same version. packaging/README.md has all steps.

    python tools/release.py prepare 0.2.0    write the version and the date of today
    python tools/release.py check [v0.2.0]   with a tag: this version may be released
    python tools/release.py notes            print the changes of this version

The version is written in src/bolide/_version.py, and the changelog has a heading for it. The recipe for
conda-forge repeats it, because it goes to another repository.
"""

from __future__ import annotations

import argparse
import datetime
import re
import sys
from pathlib import Path

REPOSITORY = Path(__file__).resolve().parent.parent
PROJECT = "https://github.com/bolide-metric/bolide"

VERSION = Path("src/bolide/_version.py"), r'(?<=__version__ = ")[^"]+'
# Where the recipe repeats it.
COPY = Path("packaging/conda-forge/recipe.yaml"), r'(?<=^  version: ")[^"]+'
CHANGELOG = Path("CHANGELOG.md")
# What documents say before the first release, and which.
UNPUBLISHED = "not on PyPI yet"
DOCUMENTS = Path("README.md"), Path("docs/get-started/installation.md")


def find(root: Path, file: Path, pattern: str) -> str:
    found = re.findall(pattern, (root / file).read_text(encoding="utf-8"), re.MULTILINE)
    if len(found) != 1:
        raise SystemExit(f"{file}: expected one match of {pattern!r}, found {len(found)}")
    return str(found[0])


def replace(root: Path, file: Path, pattern: str, new: str) -> None:
    find(root, file, pattern)
    text = (root / file).read_text(encoding="utf-8")
    (root / file).write_text(re.sub(pattern, new, text, flags=re.MULTILINE), encoding="utf-8", newline="\n")


def version(root: Path) -> str:
    return find(root, *VERSION)


def section(root: Path, name: str) -> tuple[str, str] | None:
    """The heading and the text of a version in the changelog."""
    text = (root / CHANGELOG).read_text(encoding="utf-8")
    pattern = rf"^(## \[{re.escape(name)}\][^\n]*)\n(.*?)(?=^## |^\[|\Z)"
    found = re.search(pattern, text, re.MULTILINE | re.DOTALL)
    return (found[1], found[2].strip()) if found else None


def prepare(root: Path, new: str, date: str) -> None:
    if not re.fullmatch(r"\d+\.\d+\.\d+((a|b|rc)\d+)?", new):
        raise SystemExit(f"not a version: {new}")
    unreleased = section(root, "Unreleased")
    if not unreleased or not unreleased[1]:
        raise SystemExit(f"{CHANGELOG}: there are no unreleased changes")
    if section(root, new):
        raise SystemExit(f"{CHANGELOG}: {new} has been released")
    old = version(root)
    replace(root, *VERSION, new)
    replace(root, *COPY, new)
    replace(root, CHANGELOG, r"^## \[Unreleased\]$", f"## [Unreleased]\n\n## [{new}] - {date}")
    links = f"[Unreleased]: {PROJECT}/compare/v{new}...HEAD\n[{new}]: {PROJECT}/compare/v{old}...v{new}"
    replace(root, CHANGELOG, r"^\[Unreleased\]: .*$", links)


def problems(root: Path, tag: str | None = None) -> list[str]:
    """What keeps this version from being released, or only from being consistent if there is no tag."""
    current = version(root)
    found = []
    if (copy := find(root, *COPY)) != current:
        found.append(f"{COPY[0]}: {copy} is not the version {current} of {VERSION[0]}")
    released = section(root, current)
    if not released or not re.fullmatch(r"## \[.+\] - \d{4}-\d\d-\d\d", released[0]):
        found.append(f"{CHANGELOG}: no heading '## [{current}] - DATE'")
    elif tag and not released[1]:
        found.append(f"{CHANGELOG}: {current} has no changes")
    if tag and tag != f"v{current}":
        found.append(f"the tag {tag} is not v{current}")
    if tag:
        found += [
            f"{file}: it says that bolide is {UNPUBLISHED}"
            for file in DOCUMENTS
            if UNPUBLISHED in " ".join((root / file).read_text(encoding="utf-8").split())
        ]
    return found


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawTextHelpFormatter)
    parser.add_argument("--root", type=Path, default=REPOSITORY, help=argparse.SUPPRESS)
    commands = parser.add_subparsers(dest="command", required=True)
    preparing = commands.add_parser("prepare")
    preparing.add_argument("version")
    preparing.add_argument("--date", default=datetime.date.today().isoformat())
    commands.add_parser("check").add_argument("tag", nargs="?")
    commands.add_parser("notes")
    given = parser.parse_args()
    if given.command == "prepare":
        prepare(given.root, given.version, given.date)
    elif given.command == "notes":
        print((section(given.root, version(given.root)) or ("", ""))[1])
    found = problems(given.root, getattr(given, "tag", None))
    print("\n".join(found), file=sys.stderr, end="\n" if found else "")
    return 1 if found else 0


if __name__ == "__main__":
    sys.exit(main())

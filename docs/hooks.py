"""Hooks for mkdocs: fill the API index, and hide the empty side columns of the home page.

The API index lists every name that the reference pages document. It follows the `::: module` lines of these
pages, and each summary is the first sentence of a docstring. So the index always agrees with the pages.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any

import griffe
import yaml

INDEX = "reference/api.md"
MARKER = "<!-- names -->"
BLOCK = re.compile(r"^::: (?P<name>\S+)\n(?P<options>(?:    .*\n)*)", re.MULTILINE)
TITLE = re.compile(r"^# (.+)$", re.MULTILINE)
SENTENCE = re.compile(r".+?(?:\.(?=\s|$)|\n\n|\Z)", re.DOTALL)


def on_page_markdown(markdown: str, page: Any, config: Any, **_: object) -> str:
    if page.is_homepage:
        page.meta["hide"] = ["navigation", "toc"]
    if page.file.src_uri != INDEX:
        return markdown
    package = griffe.load("bolide", search_paths=["src"], resolve_aliases=True)
    pages = [Path(config["docs_dir"], name) for name in _pages(config["nav"])]
    return markdown.replace(MARKER, "\n".join(_tables(pages, package)))


def _pages(nav: Any) -> Iterator[str]:
    """The pages of the reference, in the order of the navigation."""
    if isinstance(nav, str):
        if nav.startswith("reference/"):
            yield nav
    else:
        for each in nav.values() if isinstance(nav, dict) else nav:
            yield from _pages(each)


def _tables(pages: list[Path], package: griffe.Object) -> Iterator[str]:
    for path in pages:
        text = path.read_text(encoding="utf-8")
        rows = [row for block in BLOCK.finditer(f"{text}\n") for row in _rows(block, package)]
        if rows:
            title = TITLE.search(text)
            yield f"\n## {title[1] if title else path.stem}\n"
            yield "| name | summary |\n|---|---|"
            yield from rows


def _rows(block: re.Match[str], package: griffe.Object) -> Iterator[str]:
    options = (yaml.safe_load(block["options"]) or {}).get("options", {})
    documented = package[block["name"].removeprefix("bolide.")]
    members = options.get("members")
    if documented.kind is not griffe.Kind.MODULE:
        yield _row(documented, block["name"])
        return
    if members is False:
        return
    for name, member in documented.members.items():
        public = name in members if members else not (member.is_alias or name.startswith("_"))
        if public and member.docstring and member.kind is not griffe.Kind.MODULE:
            yield _row(member, f"{block['name']}.{name}")


def _row(documented: griffe.Object | griffe.Alias, name: str) -> str:
    docstring = documented.docstring.value if documented.docstring else ""
    sentence = SENTENCE.match(docstring.strip())
    summary = " ".join(sentence[0].split()).replace("|", "\\|") if sentence else ""
    return f"| [`{name.removeprefix('bolide.')}`][{name}] | {summary} |"

"""Folders of the core are layers: a file includes only files of its own layer, or of lower ones.

No two headers define the same type: linkers do not notice it, and may use the code of one type for the other.
"""

from __future__ import annotations

import re
from collections import Counter
from pathlib import Path

import pytest

CORE = Path(__file__).parents[3] / "core"
# From the lowest layer to the highest. The folders of one layer do not include each other.
LAYERS = [
    {"support"},
    {"model.hpp"},
    {"text", "mert"},
    {"tables", "learning"},
    {"vocabulary"},
    {"sentences"},
    {"match"},
    {"align"},
    {"score"},
    {"tuning", "engine"},
    {"bindings"},
]
LEVEL = {name: level for level, names in enumerate(LAYERS) for name in names}
FILES = sorted(path.relative_to(CORE) for path in CORE.rglob("*.[ch]pp"))


def layer(path: Path) -> str:
    """The folder of a file. The engine consists of all files that are in no folder, except the model."""
    if len(path.parts) > 1:
        return path.parts[0]
    return path.name if path.name == "model.hpp" else "engine"


@pytest.mark.skipif(not CORE.is_dir(), reason="needs the sources of the core")
def test_includes_point_downwards() -> None:
    assert FILES
    wrong = []
    for path in FILES:
        for included in re.findall(r'^#include "(.+)"', (CORE / path).read_text("utf-8"), re.MULTILINE):
            lower, upper = layer(Path(included)), layer(path)
            if lower != upper and LEVEL[lower] >= LEVEL[upper]:
                wrong.append(f"{path} includes {included}")
    assert wrong == []


def test_every_folder_has_a_layer() -> None:
    assert {layer(path) for path in FILES} == set(LEVEL)


def defined_types(text: str) -> list[str]:
    """Types that are not inside of another type."""
    return re.findall(r"^(?:struct|class) (\w+)(?: final)?(?: : [^;{]+)? \{", text, re.MULTILINE)


@pytest.mark.skipif(not CORE.is_dir(), reason="needs the sources of the core")
def test_headers_define_each_type_once() -> None:
    headers = [(CORE / path).read_text("utf-8") for path in FILES if path.suffix == ".hpp"]
    found = Counter(name for text in headers for name in defined_types(text))
    assert len(found) > 100
    assert [name for name, times in found.items() if times > 1] == []


def test_types_are_found() -> None:
    text = "class Later;\nstruct A {\n  struct B {\nclass C final : public A {\nenum class D {"
    assert defined_types(text) == ["A", "C"]


@pytest.mark.skipif(not CORE.is_dir(), reason="needs the sources of the core")
def test_old_libraries_have_what_the_core_uses() -> None:
    """libc++ 14 has few algorithms of `std::ranges`, and no views."""
    used = {
        str(path) for path in FILES if re.search(r"std::(ranges|views)::", (CORE / path).read_text("utf-8"))
    }
    assert used == set()


@pytest.mark.skipif(not CORE.is_dir(), reason="needs the sources of the core")
def test_macros_of_windows_do_not_change_the_core() -> None:
    """windows.h defines macros such as `near`, so it comes after all headers of the core."""
    texts = [(CORE / path).read_text("utf-8") for path in FILES]
    found = [text for text in texts if "<windows.h>" in text]
    assert len(found) == 1
    assert all(text.index("<windows.h>") > text.rindex('#include "') for text in found)

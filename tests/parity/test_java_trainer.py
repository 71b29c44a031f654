"""The output lines of Java's Trainer, compared with bolide's.

The jar gets a paraphrase table of one entry that no text has, so that it starts fast. So bolide has no module
for paraphrases here.
"""

from __future__ import annotations

import gzip
import random
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path

import pytest

from bolide import Meteor
from bolide.errors import BolideError, ConfigurationError, InputError
from bolide.java.trainer import Grid, lines
from tests.support import java_jar

TEXT = (
    "the mayor opened a new bridge heavy rain had delayed work we "
    "danced with joy under a starry night , . and"
)
WORDS = TEXT.split()
# With δ and γ at 0 and 1 some divisions are by zero; and repeated sums of 0.1 are not exactly 0.3.
GRID = Grid(
    (0.5, 0, 0, 0, 1, 0, 0.5, 0.5), (1, 2, 1, 1, 1, 0.6, 0.5, 0.5), (0.25, 0.4, 0.1, 0.2, 0.1, 0.3, 0.1, 0.1)
)


def sgml(kind: str, system: str, texts: list[str]) -> str:
    segments = "".join(f'<seg id="{k}">{text}</seg>\n' for k, text in enumerate(texts, 1))
    head = f'<{kind} setid="s" srclang="any" trglang="en">\n<doc sysid="{system}" docid="d">\n'
    return f"{head}{segments}</doc>\n</{kind}>\n"


def worse(text: str, draw: random.Random) -> str:
    kept = [word for word in text.split() if draw.random() < 0.75] or ["work"]
    if draw.random() < 0.5:
        draw.shuffle(kept)
    return " ".join(kept)


def write_rankings(folder: Path) -> None:
    draw = random.Random(5)
    for pair in ("xx-en", "yy-en"):
        texts = [" ".join(draw.choices(WORDS, k=draw.randint(3, 14))) for _ in range(6)]
        (folder / f"{pair}.ref.sgm").write_text(sgml("refset", "ref", texts), encoding="utf-8")
        systems = ["alder", "birch", "cedar"]
        for system in systems:
            outputs = [worse(text, draw) for text in texts]
            (folder / f"{pair}.{system}.sgm").write_text(sgml("tstset", system, outputs), encoding="utf-8")
        rows = [[str(draw.randint(1, 6)), *draw.sample(systems, 2)] for _ in range(23)]
        text = "".join(f"{segment}\t{pair}\t{a}\t{pair}\t{b}\n" for segment, a, b in rows)
        (folder / f"{pair}.rank").write_text(text, encoding="utf-8")


def write_ratings(folder: Path) -> None:
    draw = random.Random(6)
    texts = [" ".join(draw.choices(WORDS, k=draw.randint(3, 14))) for _ in range(12)]
    texts[3] = texts[2]
    outputs = [worse(text, draw) for text in texts]
    outputs[3] = outputs[2]
    (folder / "one.ref").write_text(sgml("refset", "ref", texts), encoding="utf-8")
    (folder / "one.tst").write_text(sgml("tstset", "sys", outputs), encoding="utf-8")
    ratings = "".join(f"d\t{k}\t{round(draw.random(), 1)}\n" for k in range(1, 13))
    (folder / "one.ter").write_text(ratings, encoding="utf-8")


@pytest.mark.parametrize(
    ("task", "write", "modules"),
    [
        ("rank", write_rankings, ["exact"]),
        ("segcor", write_ratings, ["exact", "stem", "synonym"]),
        ("spearman", write_ratings, ["exact", "stem", "synonym"]),
    ],
)
def test_lines_are_javas(
    task: str,
    write: Callable[[Path], None],
    modules: list[str],
    jar: Path,
    meteor: Callable[..., Meteor],
    tmp_path: Path,
) -> None:
    meteor(modules=modules)  # skips if there is no language pack
    folder, data = tmp_path / "judged", tmp_path / "data"
    folder.mkdir()
    data.mkdir()
    write(folder)
    with gzip.open(data / "paraphrase-en.gz", "wt") as file:
        file.write("0.5\nqqqq\nzzzz\n")
    own_jar = shutil.copy(jar, tmp_path)
    numbers = [" ".join(map(str, each)) for each in (GRID.initial, GRID.final, GRID.steps)]
    options = ["-i", numbers[0], "-f", numbers[1], "-s", numbers[2]]
    command = [*java_jar.java("1G"), "-cp", str(own_jar), "Trainer", task, str(folder), *options]
    expected = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
    found = list(lines(folder, task, GRID, modules=modules))
    assert len(expected) == GRID.size
    assert found == expected


def test_axes_go_up_by_adding() -> None:
    axes = GRID.axes()
    assert axes[2][3] == 0.1 + 0.1 + 0.1 != 0.3
    assert len(axes[2]) == 11


MISTAKES = {
    "is not a folder": lambda folder: lines(folder / "none"),
    "has no file \\*.rank": lambda folder: lines(folder),
    "unknown task": lambda folder: lines(folder, "pearson"),
}


@pytest.mark.parametrize("message", MISTAKES)
def test_mistakes_are_told(message: str, tmp_path: Path) -> None:
    with pytest.raises(BolideError, match=message):
        list(MISTAKES[message](tmp_path))


def test_wrong_grid() -> None:
    with pytest.raises(ConfigurationError, match="above 0"):
        Grid(steps=(0,) * 8)
    with pytest.raises(ConfigurationError, match="8 numbers"):
        Grid(initial=(0,) * 7)


def test_rating_that_cannot_be_read(tmp_path: Path, meteor: Callable[..., Meteor]) -> None:
    meteor(modules=["exact"])
    write_ratings(tmp_path)
    (tmp_path / "one.ter").write_text("d\t1\tgood\n", encoding="utf-8")
    with pytest.raises(InputError, match=r"one.ter, line 1: must be document, segment and rating"):
        list(lines(tmp_path, "segcor", modules=["exact"]))

"""The commands that `tests/faults` stops: their inputs, and what a user sees of their results."""

from __future__ import annotations

import shlex
import shutil
import sys
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import pytest

from bolide import resources
from bolide.learning import filtered_packs
from bolide.resources import installation, manifest
from tests.support import fake_meteor
from tests.support.faults import digest
from tests.support.paths import EXAMPLES, SUPPORT
from tests.support.xray_texts import REFERENCES, SYSTEMS

Results = dict[str, object]


@dataclass(frozen=True)
class Command:
    """A command, run in its own folder.

    `prepare` makes the inputs and the old results. `results` has what a user sees: after a fault each value
    must be the old one or the new one. `varying` are endings of files whose bytes differ from run to run.
    """

    arguments: str
    prepare: Callable[[Path], None]
    results: Callable[[Path], Results]
    varying: tuple[str, ...] = ()
    needs: tuple[str, ...] = ()  # packages

    def environment(self, root: Path) -> dict[str, str]:
        """All that bolide writes is below `root`."""
        places = {"BOLIDE_HOME": root / "home", "XDG_CACHE_HOME": root / "cache", "TMPDIR": root / "tmp"}
        return {"BOLIDE_OFFLINE": "1", **{name: str(place) for name, place in places.items()}}


def files(*names: str) -> Callable[[Path], Results]:
    return lambda root: {name: digest(root / name) for name in names}


def write(root: Path, **texts: list[str]) -> None:
    for name, lines in texts.items():
        (root / name).write_text("".join(f"{line}\n" for line in lines), encoding="utf-8")


# ---- packs -----------------------------------------------------------------------------------------


def packs(*names: str) -> Callable[[Path], Results]:
    """The packs that a reader finds, after a check of all their files."""

    def found(root: Path) -> Results:
        folders = {name: root / "home" / "packs" / name for name in names}
        return {
            name: installation.verify(folder).hash if manifest.exists(folder) else None
            for name, folder in folders.items()
        }

    return found


def distribution(root: Path) -> None:
    fake_meteor.folder(root / "meteor")


def old_pack(root: Path) -> None:
    """An installed pack, and a distribution with other words."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setenv("BOLIDE_HOME", str(root / "home"))
        resources.install("en", fake_meteor.folder(root / "old"))
    shutil.rmtree(root / "old")
    fake_meteor.folder(root / "meteor", files=fake_meteor.jar_files("and", "or"))


def pack_to_filter(root: Path) -> None:
    old_pack(root)
    write(root, before=["quick"], corpus=["a small boat"])


def filtered_pack(root: Path) -> None:
    """A pack that is already filtered, for another corpus."""
    pack_to_filter(root)
    filtered_packs.filter_pack(root / "home" / "packs" / "en", [root / "before"], root / "small")


WORDS = {"la": "the", "viro": "man", "vidas": "sees", "domo": "house", "ejo": "house", "hundo": "dog"}


def parallel_text(root: Path) -> None:
    """Text in a made-up language, and its word alignment."""
    random = np.random.default_rng(3)
    lines = [random.choice(list(WORDS), 5).tolist() for _ in range(40)]
    write(root, target=[" ".join(line) for line in lines], links=["0-0 1-1 2-2 3-3 4-4"] * len(lines))
    write(root, source=[" ".join(WORDS[word] for word in line) for line in lines])


# ---- mert ------------------------------------------------------------------------------------------

# -S -E: without what makes Python start slowly.
PYTHON, PROGRAM = shlex.quote(sys.executable), shlex.quote(str(SUPPORT / "pool_decoder.py"))
DECODER = shlex.quote(f"{PYTHON} -S -E {PROGRAM} pool {{weights}} 3 {{nbest}}")
PLAIN = "--profile linear --modules exact --normalize lower"


def pool(root: Path) -> None:
    """The search space of the decoder: two features, of which the initial weights use the wrong one."""
    random = np.random.default_rng(5)
    references, hypotheses = [], []
    for sentence in range(4):
        words = [f"w{k}" for k in random.integers(0, 40, 6)]
        references.append(" ".join(words))
        for _ in range(12):
            wrong = int(random.integers(0, 6))
            text = " ".join([*words[: 6 - wrong], *(f"x{k}" for k in random.integers(0, 99, wrong))])
            values = -wrong + random.normal(0, 2), random.normal(0, 1)
            shown = " ".join(f"f{k}= {value:.3f}" for k, value in enumerate(values))
            hypotheses.append(f"{sentence} ||| {text} ||| {shown} ||| 0")
    write(root, references=references, pool=hypotheses, weights=["f0= 0.1", "f1= 1"], tuned=["before"])


# ---- tune and xray ---------------------------------------------------------------------------------


def judgments(root: Path) -> None:
    folder = EXAMPLES / "judged"
    names = ", ".join(f'"{folder}/{name}.txt"' for name in ("alder", "birch", "cedar", "dogwood"))
    texts = f'hypotheses = [{names}]\nreferences = ["{folder}/reference.txt"]'
    write(
        root,
        **{
            "sets.toml": ["[[set]]", 'name = "one"', f'judgments = "{folder}/rankings.csv"', texts],
            "mine.toml": ["before"],
        },
    )


def tuned(root: Path) -> Results:
    """The profile. A checkpoint must be complete, whenever it is there."""
    if (root / "saved").exists():
        with np.load(root / "saved") as arrays:
            assert set(arrays) == {"key", "numbers", "values", "done", "best", "best_value"}
    return files("mine.toml")(root)


def texts(root: Path) -> None:
    lines = next(iter(SYSTEMS.values()))
    references = [references[0] for references in REFERENCES]
    write(
        root,
        system=lines,
        reference=references,
        **{"report.html": ["before"], "figure.svg": ["before"]},
    )


XRAY = f"xray system -r reference {PLAIN}"
TUNE = f"tune sets.toml {PLAIN} --weights 1 --step 0.25 --search grid"
FILTER = "resources filter home/packs/en --corpus corpus -o small"
LEARN = "learn language xx source target --source-language other --tokenized --min-frequency 0.3"
COMMANDS = {
    "install": Command("resources install en --from meteor", distribution, packs("en", "de")),
    "install --force": Command("resources install en --from meteor --force", old_pack, packs("en", "de")),
    "filter": Command(FILTER, pack_to_filter, files("small")),
    "filter, again": Command(FILTER, filtered_pack, files("small")),
    "learn": Command(
        f"{LEARN} --alignment links --work work --threads 1",
        parallel_text,
        packs("xx-learned"),
        (".json", ".parquet", "manifest.toml"),
        ("ibis", "pyarrow", "duckdb"),
    ),
    "mert --decoder": Command(
        f"mert -r references --weights weights --decoder {DECODER} --work work --restarts 2 {PLAIN} "
        "--objective meteor -o tuned",
        pool,
        files("tuned"),
    ),
    "tune --checkpoint": Command(
        f"{TUNE} --checkpoint saved --output mine.toml",
        judgments,
        tuned,
        ("saved",),
    ),
    "tune --points": Command(
        f"{TUNE} --points points.tsv --report report.md --output mine.toml",
        judgments,
        files("mine.toml", "points.tsv", "report.md"),
    ),
    "xray figure": Command(f"{XRAY} --figure alignment:1 -o figure.svg", texts, files("figure.svg")),
    "xray": Command(f"{XRAY} -o report.html", texts, files("report.html"), (), ("altair", "vl_convert")),
}

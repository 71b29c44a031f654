"""The commands that `tests/faults` stops: their inputs, and what a user sees of their results."""

from __future__ import annotations

import gzip
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


def unzipped(name: str) -> Callable[[Path], Results]:
    """The contents of a gzip file, whose bytes may differ: its header has the time."""
    return lambda root: {
        name: gzip.decompress((root / name).read_bytes()) if (root / name).exists() else None
    }


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


def phrase_table(root: Path) -> None:
    numbers = ("0.5 0.5 0.5 0.5", "0.4 0.5 0.5 0.5", "0.3 0.5 0.5 0.5")
    rows = zip(("a ||| x y", "a ||| x z", "b ||| x y"), numbers, strict=True)
    write(root, table=[" ||| ".join(row) for row in rows], common=["the"])


def paraphrases(root: Path) -> None:
    """A file of paraphrases to filter, and an installed pack."""
    old_pack(root)
    entries = ["0.5", "a small boat", "the ship", "0.5", "x", "y"]
    (root / "paraphrases.gz").write_bytes(gzip.compress("".join(f"{line}\n" for line in entries).encode()))
    write(root, corpus=["a small boat"])


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


def sgml(root: Path) -> None:
    """Files of SGML, and old scores."""
    old_pack(root)
    for kind, name in (("tstset", "system.sgm"), ("refset", "reference.sgm")):
        segments = [f'<seg id="{k}">a small boat</seg>' for k in range(1, 4)]
        document = ['<doc docid="d" sysid="x">', *segments, "</doc>"]
        start = f'<{kind} setid="s" srclang="any" trglang="en">'
        write(root, **{name: [start, *document, f"</{kind}>"]})
    write(root, **{f"mine-{kind}.scr": ["before"] for kind in SCORE_FILES})


def score_folders(root: Path) -> None:
    texts(root)
    for name in ("segments", "systems"):
        (root / name).mkdir()
    write(root, **{"segments/human.seg.score": ["before"]})


def texts_and_pack(root: Path) -> None:
    old_pack(root)
    texts(root)


SCORE_FILES = ("seg", "doc", "sys")
JUDGED = EXAMPLES / "judged"
SYSTEM_FILES = ("alder.txt", "birch.txt", "cedar.txt", "dogwood.txt")
CORRELATE = " ".join(str(JUDGED / name) for name in ("ratings.tsv", *SYSTEM_FILES))
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
    "filter a file": Command(
        "resources filter paraphrases.gz --corpus corpus -o small.gz",
        paraphrases,
        unzipped("small.gz"),
        (".gz",),
    ),
    "java -writeAlignments": Command(
        "java system reference -l en -m 'exact stem' -w '1 0.6' -writeAlignments -f mine",
        texts_and_pack,
        files("mine-align.out"),
    ),
    "java -sgml": Command(
        "java system.sgm reference.sgm -sgml -l en -m exact -w 1 -f mine",
        sgml,
        files(*(f"mine-{kind}.scr" for kind in SCORE_FILES)),
    ),
    "correlate scores": Command(
        f"correlate {CORRELATE} -r {JUDGED / 'reference.txt'} {PLAIN} --write-seg-scores segments "
        "--write-sys-scores systems",
        score_folders,
        files("segments/human.seg.score", "segments/METEOR.seg.score", "systems/METEOR.sys.score"),
    ),
    "correlate": Command(
        f"correlate {CORRELATE} -r {JUDGED / 'reference.txt'} {PLAIN} --write-judgments pairs.tsv",
        texts,
        files("pairs.tsv"),
    ),
    "oracle": Command(
        f"oracle pool -r references {PLAIN} --objective meteor --best best --worst worst",
        pool,
        files("best", "worst"),
    ),
    "mbr": Command(f"mbr pool {PLAIN} -o chosen", pool, files("chosen")),
    "learn function-words": Command(
        "learn function-words target -l other -o words", parallel_text, files("words")
    ),
    "learn phrases": Command(
        "learn phrases source target -l other --tokenized --alignment links -o phrases.gz --threads 1",
        parallel_text,
        unzipped("phrases.gz"),
        (".json", ".parquet", ".gz"),
        ("ibis", "pyarrow", "duckdb"),
    ),
    "learn paraphrases": Command(
        "learn paraphrases table --common-words common --pivot-common-words common -o found.gz --threads 1",
        phrase_table,
        unzipped("found.gz"),
        (".gz",),
        ("ibis", "pyarrow", "duckdb"),
    ),
    "xray": Command(f"{XRAY} -o report.html", texts, files("report.html"), (), ("altair", "vl_convert")),
}

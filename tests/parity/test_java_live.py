"""The official jar and `bolide java` on generated text: every byte that they print and write is equal."""

from __future__ import annotations

import gzip
import subprocess
from pathlib import Path
from random import Random

import pytest

from tests.support import generate, java_golden, java_jar
from tests.support.java_command import bolide_java

# With the full English table the jar needs seconds to start, so most runs do not use it.
FAST = [
    "-l en -norm -m exact~stem~synonym -vOut -writeAlignments",
    "-l en -norm -m exact~stem -q",
    "-l en -norm -noPunct -m synonym~exact -ssOut",
    "-l en -lower -m stem~exact -w 0.3~0.9 -p 0.3~0.7~0.2~0.9",
    "-l en -m exact~stem -ch -t adq",
    "-l en -norm -m exact~stem~synonym -w 1 -x 2 -vOut",
    "-l en -norm -w 1~0.4 -a ../table.gz -vOut",
    "-l en -norm -a ../table.gz -p 0.9~3~0.5~0.5 -r 2 -writeAlignments",
    "-l de -norm -a ../table.gz -t tune",
    "-l fr -norm -m exact~stem -r 3 -q -vOut",
    "-l ru -norm -m exact~stem -ssOut",
    "-l pt -lower",
    "-l tr",
    "-l xx -t hter -ch",
    "-new ../universal -r 2",
]
SLOW = ["-l en -norm", "-l en -norm -t util -ch -writeAlignments", "-l en -r 2 -q"]


def run_jar(jar: Path, arguments: list[str], folder: Path, standard_input: bytes = b"") -> dict[str, bytes]:
    command = [*java_jar.java(), "-jar", str(jar.resolve()), *arguments]
    done = subprocess.run(command, cwd=folder, input=standard_input, capture_output=True, check=True)
    return {"stdout": done.stdout, "stderr": done.stderr} | written(folder)


def run_bolide(arguments: list[str], folder: Path, standard_input: bytes = b"") -> dict[str, bytes]:
    answer = bolide_java(arguments, folder, standard_input)
    return {"stdout": answer.output.encode(), "stderr": answer.errors.encode()} | written(folder)


def written(folder: Path) -> dict[str, bytes]:
    return {path.name: path.read_bytes() for path in folder.iterdir()}


def compare(jar: Path, arguments: list[str], folder: Path, standard_input: bytes = b"") -> None:
    answers = []
    for name in ("java", "bolide"):
        work = folder / name
        work.mkdir()
        run = run_bolide(arguments, work, standard_input) if name == "bolide" else None
        answers.append(run or run_jar(jar, arguments, work, standard_input))
    java, ours = answers
    if standard_input:
        java["stdout"] = java_golden.official(java["stdout"])
    assert sorted(ours) == sorted(java)
    for file in java:
        assert ours[file].decode() == java[file].decode(), file


def text_files(folder: Path, language: str, references: int, seed: object) -> list[str]:
    random = Random(str(seed))
    pairs = generate.pairs(language, 120, seed=random.getrandbits(32))
    pairs += generate.odd_pairs(seed=random.getrandbits(32))
    others = [pair.reference for pair in pairs]
    groups = [[pair.reference, *random.sample(others, references - 1)] for pair in pairs]
    lines(folder / "hyp", [pair.hypothesis for pair in pairs])
    lines(folder / "ref", [text for group in groups for text in group])
    phrases = [" ".join(text.lower().split()[:3]) for text in others if text.split()]
    entries = [f"0.5\n{random.choice(phrases)}\n{random.choice(phrases)}\n" for _ in range(500)]
    (folder / "universal").mkdir()
    for table in (folder / "table.gz", folder / "universal" / "paraphrase.gz"):
        table.write_bytes(gzip.compress("".join(entries).encode()))
    lines(folder / "universal" / "function.words", ["the", "a", ",", ".", "de"])
    return ["../hyp", "../ref"]


def lines(path: Path, texts: list[str]) -> None:
    path.write_bytes("".join(text + "\n" for text in texts).encode())


def check(jar: Path, folder: Path, options: str) -> None:
    words = [word.replace("~", " ") for word in options.split()]
    language = words[words.index("-l") + 1] if "-l" in words else "en"
    references = int(words[words.index("-r") + 1]) if "-r" in words else 1
    files = text_files(folder, "en" if language == "xx" else language, references, options)
    compare(jar, [*files, *words], folder)


@pytest.mark.parametrize("options", FAST)
def test_plain_text(options: str, jar: Path, tmp_path: Path) -> None:
    check(jar, tmp_path, options)


@pytest.mark.slow
@pytest.mark.parametrize("options", SLOW)
def test_plain_text_with_all_of_english(options: str, jar: Path, tmp_path: Path) -> None:
    check(jar, tmp_path, options)


@pytest.mark.slow
@pytest.mark.parametrize("case", java_golden.cases(), ids=lambda case: case.name)
def test_golden_cases_are_the_jars(case: Path, jar: Path, tmp_path: Path) -> None:
    answer = java_golden.run_jar(jar, case, tmp_path)
    assert answer == {path.name: path.read_bytes() for path in (case / "expected").iterdir()}


SGML_OPTIONS = ["", "-vOut", "-ssOut", "-writeAlignments -f out", "-q -ch"]


@pytest.mark.parametrize("options", SGML_OPTIONS)
def test_sgml(options: str, jar: Path, tmp_path: Path) -> None:
    """Systems, references, documents and segments in any number and order, some missing."""
    random = Random(f"sgml {options}")
    tests, references = collection(random, "tst", 12), collection(random, "ref", 4)
    (tmp_path / "test.sgm").write_text(tests, "utf-8")
    (tmp_path / "ref.sgm").write_text(references, "utf-8")
    compare(
        jar,
        ["../test.sgm", "../ref.sgm", "-l", "en", "-m", "exact stem", "-sgml", *options.split()],
        tmp_path,
    )


def collection(random: Random, kind: str, systems: int) -> str:
    names = random.sample([f"{a}{b}" for a in "xyz" for b in (".1", "-b", "", "Ω", " 4")], systems)
    documents = [f"news/{n}" for n in range(20)]
    out = [f'<{kind}set setid="set" srclang="any" trglang="en">\n']
    for name in names:
        for document in random.sample(documents, 18):
            out.append(f'<doc docid="{document}" sysid="{name}">\n')
            out += [segment(random, number) for number in random.sample(range(1, 13), 10)]
            out.append("</doc>\n")
    return "".join([*out, f"</{kind}set>\n"])


def segment(random: Random, number: int) -> str:
    words = ["the", "cat", "cats", "ran", "runs", "away", "&amp;", "&lt;", "&quot;", "&AMP;", "é", "of\n"]
    text = " ".join(random.choice(words) for _ in range(random.randrange(12)))
    return f'<seg id="{number}">{text}</seg>\n'


def test_stdio(jar: Path, tmp_path: Path) -> None:
    random = Random("stdio")
    fields = ["SCORE", "score", "SCORES", "EVAL", "Score", "", " ", "a cat", " the cats ", "cats ran", "|"]
    fields.append(" é\t")
    asked = ["|||".join(random.choice(fields) for _ in range(random.randrange(6))) for _ in range(2000)]
    # The jar exits at a malformed EVAL; bolide answers with an error.
    asked = [line for line in asked if not line.startswith("EVAL") or line.split("|||")[1:] in ([], [""])]
    asked += [f"EVAL ||| {statistics(random)}" for _ in range(500)]
    random.shuffle(asked)
    options = ["-stdio", "-l", "en", "-lower", "-m", "exact stem"]
    compare(jar, ["-", "-", *options], tmp_path, "".join(line + "\n" for line in asked).encode())


def test_stdio_of_the_copy_in_coco_caption(jar: Path, tmp_path: Path) -> None:
    """Every byte is equal if EVAL is answered as that copy does: also one row, SING and fractions."""
    random = Random("coco")
    asked = ["SING", "sing |||", "EVAL", "eval |||", "EVAL 1 2", "", "Eval ||| 1", "SCORE ||| a cat ||| cats"]
    for _ in range(400):
        rows = [statistics(random) for _ in range(random.choice([1, 1, 2, 3, 20]))]
        if random.random() < 0.5:
            rows = [" ".join(f"{int(n) * random.random():.5g}" for n in row.split()) for row in rows]
        rows = [random.choice([row, row, whole(random)]) for row in rows]
        separator = random.choice([" ||| ", "|||", "\t|||  "])
        asked.append(random.choice(["EVAL", "eval", "SING", "EVALS"]) + separator + separator.join(rows))
        asked[-1] += random.choice(["", " ", " 7", "|||", "||||||"])
    asked += [f"EVAL ||| {' 0' * 23} ||| {'NaN ' * 23}", f"EVAL |||{' Infinity' * 23} |||{' 1' * 23}"]
    random.shuffle(asked)
    options = ["-", "-", "-stdio", "-l", "en", "-m", "exact stem"]
    sent = "".join(line + "\n" for line in asked).encode()
    expected = run_jar(jar, options, tmp_path, sent)
    assert bolide_java(options, tmp_path, sent, coco=True).output.encode() == expected["stdout"]


def whole(random: Random) -> str:
    """Statistics of a pair that is matched completely: in one chunk, or nearly."""
    length, functions = random.randrange(1, 30), random.random()
    functions = random.choice([0, 1, round(functions, 3)])
    matches = [length - functions, length - functions, functions, functions] + [0] * 12
    chunks = random.choice([1, 1, 1, 0, 2, 0.999])
    return " ".join(map(str, [length, length, functions, functions, *matches, chunks, length, length]))


def statistics(random: Random) -> str:
    """Statistics that are unlikely to repeat, so that a repeated answer can be recognised."""
    lengths = [random.randrange(50, 10_000) for _ in range(2)]
    counts = [random.randrange(1, 1000) for _ in range(8)] + [0] * 8
    functions = [random.randrange(length) for length in lengths]
    return " ".join(map(str, [*lengths, *functions, *counts, *(random.randrange(1, 9999) for _ in range(3))]))

"""Every command reports a mistake in its inputs, outputs and settings before it opens a language pack.

Here no pack is installed and nothing can be downloaded. A command that needed the pack first would complain
about that.
"""

from __future__ import annotations

import shlex
import sys
from pathlib import Path
from typing import Any

import pytest
import typer.main

from bolide.cli import run
from bolide.cli.application import create_app

pytestmark = pytest.mark.usefixtures("folder")

LIST = "0 ||| a cat ||| LM0= 1 ||| 0\n1 ||| a dog ||| LM0= 1 ||| 0\n"
FILES = {
    "hyp.txt": "a cat\na dog\n",
    "ref.txt": "the cat\nthe dog\n",
    "three.txt": "a\nb\nc\n",
    "four.txt": "a\nb\nc\nd\n",
    "labels.txt": "DET NOUN\nDET NOUN VERB\n",
    "links.txt": "0-0\n0-7\n",
    "numbers.tsv": "some\n1\n2\n",
    "hyp.tsv": "hyp\tref\na cat\tthe cat\n",
    "list": LIST,
    "other-scores": LIST.replace("||| 0\n", "||| 1\n"),
    "weights": "LM0= 1\n",
    "bad.toml": "nonsense = 1\n",
    "list.toml": "set = [3]\n",
    "ratings.tsv": "system\tsegment\tjudge\tscore\nhyp\t1\tann\t1\nhyp\t2\tann\t2\n",
    "sets.toml": '[[set]]\nname = "a"\njudgments = "ratings.tsv"\nhypotheses = ["hyp.txt"]\n'
    'references = ["ref.txt"]\n',
    "lost.toml": '[[set]]\nname = "a"\njudgments = "ratings.tsv"\nhypotheses = ["none.txt"]\n',
    "data.jsonl": '{"segment": 1, "hypothesis": "a cat", "references": ["the cat"], "human": 1}\n',
    "bad.jsonl": '{"segment": 1, "hypothesis": "a cat", "references": [], "human": 1}\n',
    "data.toml": '[[set]]\nname = "a"\ndata = "data.jsonl"\n',
    "bad-data.toml": '[[set]]\nname = "a"\ndata = "bad.jsonl"\n',
    "no-data.toml": '[[set]]\nname = "a"\ndata = "none.jsonl"\n',
    "both.toml": '[[set]]\nname = "a"\ndata = "data.jsonl"\njudgments = "ratings.tsv"\n',
    "where.toml": '[[set]]\nname = "a"\ndata = "data.jsonl"\nwhere = "a"\n',
    "measure.toml": '[[set]]\nname = "a"\ndata = "data.jsonl"\nmeasure = "none"\n',
    "weight.toml": '[[set]]\nname = "a"\ndata = "data.jsonl"\nweight = 0\n',
    "type.toml": '[[set]]\nname = "a"\ndata = 1\n',
    "modules.toml": '[[set]]\nname = "a"\ndata = "data.jsonl"\nmodules = "none"\n',
    "mixed.toml": '[[set]]\nname = "{}"\neach = ["a", "b"]\ndata = "data.jsonl"\nmeasure = "pearson"\n'
    '[[set]]\nname = "c"\ndata = "data.jsonl"\n',
    "table": "a ||| b ||| 1 1 1 1\n",
    "plain.sgm": "no set\n",
}

# What may follow every command that makes a scorer.
SCORER = {
    "--profile none": "unknown profile 'none'",
    "--profile none.toml": "cannot read profile none.toml: No such file",
    "--profile bad.toml": "bad.toml",
    "--profile folder.toml": "cannot read profile folder.toml: Is a directory",
    "--language nonsense": "unknown language 'nonsense'",
    "--task nonsense": "unknown task 'nonsense'",
    "--modules nonsense": "unknown module 'nonsense'",
    "--alpha 2": "alpha must be a number from 0 to 1",
    "--beam 0": "beam must be a whole number",
    "--threads 0": "threads must be a whole number",
    "--normalize nonsense": "unknown normalize 'nonsense'",
    "--aligner nonsense": "unknown aligner 'nonsense'",
    "--search-weights nonsense": "unknown search_weights 'nonsense'",
    "--stop-words none.txt": "cannot read none.txt: No such file",
    "--stop-words folder": "cannot read folder: Is a directory",
    "--synonyms none": "none",
    "--synonyms mythes --language de": "none of the modules exact stem paraphrase uses these synonyms",
    "--resources none": "none",
}
# One command line without a mistake for each of them.
SCORERS = {
    "score": "hyp.txt -r ref.txt",
    "align": "hyp.txt -r ref.txt",
    "explain": "'a cat' -r 'the cat'",
    "xray": "hyp.txt -r ref.txt -o x.html",
    "correlate": "ratings.tsv hyp.txt -r ref.txt",
    "tune": "sets.toml --objective pearson",
    "mert": "list --weights weights -r ref.txt",
    "oracle": "list -r ref.txt",
    "mbr": "list",
}
# What each command says to a wrong input, output or option.
MISTAKES: dict[str, dict[str, str]] = {
    "score": {
        "none.txt -r ref.txt": "cannot read none.txt: No such file",
        "folder -r ref.txt": "cannot read folder: Is a directory",
        "hyp.txt -r none.txt": "cannot read none.txt: No such file",
        "hyp.txt -r ref.txt --docs none.txt": "cannot read none.txt: No such file",
        "hyp.txt three.txt -r ref.txt": "three.txt has 3, ref.txt has 2",
        "hyp.txt latin.txt -r ref.txt": "latin.txt, line 1: not UTF-8",
        "long.txt -r 3000.txt": "long.txt, line 3000: not UTF-8",
        "3000.txt -r long.txt --unit information": "long.txt, line 3000: not UTF-8",
        "3000.txt -r long.txt --profile nltk": "long.txt, line 3000: not UTF-8",
        "hyp.txt three.txt none.txt -r ref.txt": "cannot read none.txt: No such file",
        "hyp.txt": "references are missing",
        "hyp.txt -r three.txt": "the files differ in their number of lines",
        "latin.txt -r ref.txt": "latin.txt, line 1: not UTF-8",
        "hyp.tsv --ref-column none": "none",
        "hyp.txt -r ref.txt --input-format none": "unknown input format 'none'",
        "hyp.txt hyp.txt -r ref.txt": "hyp.txt is given 2 times",
        "hyp.txt -r ref.txt --baseline none": "unknown baseline 'none'",
        "hyp.txt -r ref.txt --samples 0": "samples must be",
        "hyp.txt -r ref.txt --weights x": "--weights must be numbers",
        "hyp.txt -r ref.txt --fail-under nan": "--fail-under must be a number",
        "hyp.txt -r ref.txt --segments --format latex": "is a table of systems",
        "- -r -": "standard input can be read only once",
        "hyp.txt -r ref.txt --metrics bleu,none": "unknown metric 'none'",
        "hyp.txt -r ref.txt --metrics bleu,BLEU": "name each metric once",
        "hyp.txt -r ref.txt --metrics bleu": "the package sacrebleu is not installed",
        "hyp.parquet -r ref.txt": "Parquet needs pyarrow",
        "hyp.txt -r ref.txt --spark local": "the package pyspark is not installed",
    },
    "align": {
        "none.txt -r ref.txt": "cannot read none.txt: No such file",
        "hyp.txt -r folder": "cannot read folder: Is a directory",
        "hyp.txt -r three.txt": "the files differ in their number of lines",
        "long.txt -r 3000.txt": "long.txt, line 3000: not UTF-8",
        "hyp.txt -r ref.txt --format nonsense": "unknown --format 'nonsense'; choose one of: text, json",
    },
    "explain": {
        "'a cat'": "the reference is missing",
        "hyp.txt -r ref.txt": "hyp.txt and ref.txt are files",
        "hyp.txt -r ref.txt --segment 9": "there is no segment 9",
        "none.txt -r ref.txt --segment 1": "cannot read none.txt: No such file",
        "hyp.txt ref.txt": "unexpected extra argument(s) (ref.txt); give references with --reference (-r)",
    },
    "xray": {
        "none.txt -r ref.txt -o x.html": "cannot read none.txt: No such file",
        "hyp.txt -r none.txt -o x.html": "cannot read none.txt: No such file",
        "hyp.txt -r three.txt -o x.html": "the files differ in their number of lines",
        "hyp.txt -r ref.txt -o x.html --source none.txt": "cannot read none.txt: No such file",
        "hyp.txt -r ref.txt -o x.html --source three.txt": "three.txt: 3 sources for 2 segments",
        "hyp.txt three.txt -r ref.txt -o x.html": "three.txt has 3, ref.txt has 2",
        "hyp.txt -r ref.txt -o none/x.html": "cannot write none/x.html: there is no folder none",
        "hyp.txt -r ref.txt -o folder.html": "cannot write folder.html: it is a folder",
        "hyp.txt -r ref.txt -o x.txt": "a report must end in .html",
        "hyp.txt -r ref.txt -o x.svg --figure nonsense": "unknown figure 'nonsense'",
        "hyp.txt -r ref.txt -o x.svg --figure differences": "at least two systems",
        "hyp.txt -r ref.txt -o x.svg --figure alignment:3": "there is no segment 3: there are 2",
        "hyp.txt -r ref.txt -o x.svg --figure alignment:1 --figure-reference 2": "1 has no reference 2",
        "hyp.txt -r ref.txt -o x.svg --figure alignment:1 --figure-reference 0": "1 has no reference 0",
        "hyp.txt -r ref.txt -o x.svg --figure alignment:1 --figure-system none": "unknown system 'none'",
        "hyp.txt -r ref.txt -o x.html --tags four.txt": "four.txt has 4 lines for 2 segments",
        "hyp.txt -r ref.txt -o x.html --labels four.txt": "four.txt has 4 lines for 2 segments",
        "hyp.txt -r ref.txt -o x.html --labels labels.txt": "labels.txt, line 2 has 3 labels, but",
        "hyp.txt -r ref.txt -o x.html --labels hyp.txt --hyp-labels labels.txt": "labels.txt, line 2 has 3",
        "hyp.txt -r ref.txt -o x.html -s hyp.txt --alignment links.txt": "links.txt, line 2 links word 7 of",
        "hyp.txt ref.txt -r ref.txt -o x.html --scores numbers.tsv": "numbers.tsv, line 1: unknown system",
        "hyp.txt -r ref.txt --terminal": "needs a terminal",
        "hyp.txt -r ref.txt -o x.png --figure scores": "is not installed",
    },
    "correlate": {
        "none.tsv hyp.txt -r ref.txt": "cannot read none.tsv: No such file",
        "ratings.tsv none.txt -r ref.txt": "cannot read none.txt: No such file",
        "ratings.tsv hyp.txt -r none.txt": "cannot read none.txt: No such file",
        "ratings.tsv hyp.txt -r three.txt": "the files differ in their number of lines",
        "ratings.tsv hyp.txt -r ref.txt --scores none.tsv": "cannot read none.tsv: No such file",
        "ratings.tsv hyp.txt -r ref.txt --system-map none.tsv": "cannot read none.tsv: No such file",
        "ratings.tsv hyp.txt -r ref.txt --metric none": "unknown profile 'none'",
        "ratings.tsv hyp.txt -r ref.txt --metric 'meteor|nonsense'": "signature",
        "ratings.tsv hyp.txt -r ref.txt --metric bleu --metric 1.5": "the package sacrebleu is not installed",
        "ratings.tsv hyp.txt -r ref.txt --measure none": "unknown measure 'none'",
        "ratings.tsv hyp.txt -r ref.txt --write-seg-scores none": "none is not a folder",
        "ratings.tsv hyp.txt -r ref.txt --write-judgments none/j.tsv": "cannot write none/j.tsv: there is no",
        "ratings.tsv hyp.txt -r ref.txt --scatter none/x.svg": "cannot write none/x.svg: there is no folder",
        "ratings.tsv hyp.txt -r ref.txt --scatter x.gif": "a plot must end in",
        "ratings.tsv hyp.txt -r ref.txt --scatter x.svg": "the package altair is not installed",
        "ratings.tsv --ablate": "--ablate scores texts",
        "ratings.tsv hyp.txt -r ref.txt --where a=b": "--where is for judgments in JSON Lines",
        "none.jsonl": "cannot read none.jsonl: No such file",
        "bad.jsonl": "bad.jsonl, line 1: 'references' is empty",
        "data.jsonl bad.jsonl": "bad.jsonl, line 1: 'references' is empty",
        "data.jsonl hyp.txt": "hyp.txt is not JSON Lines",
        "data.jsonl data.jsonl": "data.jsonl was given twice",
        "data.jsonl --where a": "a condition needs KEY=VALUE",
        "data.jsonl --where a=b": "no line has the key 'a'",
        "data.jsonl --human none": "no key 'none'",
        "data.jsonl --own-references none": "unknown own_references 'none'",
        "data.jsonl --scores none.tsv": "--scores cannot be combined with judgments in JSON Lines",
        "data.jsonl bad.jsonl --write-judgments j.tsv": "--write-judgments is for one data set",
    },
    "tune": {
        "none.toml": "cannot read none.toml: No such file",
        "bad.toml": "bad.toml: the file must have only tables [[set]]",
        "list.toml": "list.toml: the file must have only tables [[set]]",
        "lost.toml": "cannot read none.txt: No such file",
        "sets.toml --objective none": "unknown objective 'none'",
        "sets.toml --search none": "unknown search 'none'",
        "sets.toml --pool none": "unknown pool 'none'",
        "sets.toml --folds none": "unknown kind of folds 'none'",
        "sets.toml --fix none=1": "unknown parameter 'none'",
        "sets.toml --near none": "unknown profile 'none'",
        "sets.toml -o none/p.toml": "cannot write none/p.toml: there is no folder",
        "sets.toml -o folder.toml": "cannot write folder.toml: it is a folder",
        "sets.toml --points none/p.tsv": "cannot write none/p.tsv: there is no folder",
        "sets.toml --points p.parquet": "the package pyarrow is not installed",
        "sets.toml --checkpoint none/c": "cannot write none/c: there is no folder",
        "sets.toml --report none/r.md": "cannot write none/r.md: there is no folder",
        "sets.toml --report r.html": "the package altair is not installed",
        "bad-data.toml": "bad.jsonl, line 1: 'references' is empty",
        "no-data.toml": "none.jsonl: No such file",
        "both.toml": "set a needs either a string 'judgments', or 'data'",
        "where.toml": "a condition needs KEY=VALUE",
        "measure.toml": "unknown measure 'none'",
        "weight.toml": "the weight must be a number above 0, not 0",
        "type.toml": "'data' has a value of the wrong type: 1",
        "modules.toml": "unknown module of a set 'none'",
        "mixed.toml --pool judgments": "the sets have different measures (pearson, tau)",
        "--java none": "none is not a folder",
        "--java empty": "empty has no file *.rank",
    },
    "mert": {
        "none --weights weights -r ref.txt": "cannot read none: No such file",
        "list --weights none -r ref.txt": "cannot read none: No such file",
        "list --weights weights -r none.txt": "cannot read none.txt: No such file",
        "list --weights weights -r three.txt": "no hypothesis for sentence 2",
        "list --weights weights -r ref.txt --objective nonsense": "unknown metric 'nonsense'",
        "list --weights weights -r ref.txt --objective meteor@none": "unknown profile 'none'",
        "list --weights weights -r ref.txt --method none": "unknown method 'none'",
        "list --weights weights -r ref.txt -o none/w": "cannot write none/w: there is no folder",
        "list --weights weights -r ref.txt --report none/r.md": "cannot write none/r.md: there is no folder",
        "none --weights weights -r ref.txt --decoder 'x {weights}' --work w": "cannot read none: No such",
        "list --weights weights -r ref.txt --decoder 'x {weights}' --work ref.txt": "ref.txt is a file",
        "list --weights weights -r ref.txt --decoder x --work w": "must contain {weights}, a file of weights",
        "list --weights weights -r ref.txt --decoder 'x {weights}' --work w --runs 0": "runs must be",
    },
    "oracle": {
        "none -r ref.txt": "cannot read none: No such file",
        "list -r none.txt": "cannot read none.txt: No such file",
        "list -r three.txt": "no hypothesis for sentence 2",
        "list -r ref.txt --weights none": "cannot read none: No such file",
        "list -r ref.txt --best none/b": "cannot write none/b: there is no folder",
    },
    "mbr": {
        "none": "cannot read none: No such file",
        "": "n-best lists are missing",
        "list -o none/out": "cannot write none/out: there is no folder",
        "list --method none": "unknown method 'none'",
        "list --method prune --keep 0": "keep must be a whole number",
        "list --scale -1": "scale must be a number of at least 0",
        "list --scale nan": "scale must be a number of at least 0",
        "list --weights weights": "weights are for model scores: give the scale too",
        "list --scale 1 --weights none": "cannot read none: No such file",
        "list --scale 1 --weights list": "list, line 1: ",
        "list other-scores --scale 1": "other-scores, line 1: a hypothesis has another score",
        "list --module-weights x": "--module-weights must be numbers",
    },
    "rerank": {
        "none --weights weights": "cannot read none: No such file",
        "list --weights none": "cannot read none: No such file",
    },
    "normalize": {
        "none.txt": "cannot read none.txt: No such file",
        "hyp.txt folder": "cannot read folder: Is a directory",
        "hyp.txt latin.txt": "latin.txt, line 1: not UTF-8",
        "hyp.txt --normalize none2": "unknown normalize 'none2'",
        "hyp.txt --language nonsense": "unknown language 'nonsense'",
    },
    "tokenize": {
        "hyp.txt": "choose a tokenizer: --ptb",
        "none.txt --ptb": "cannot read none.txt: No such file",
        "hyp.txt folder --ptb": "cannot read folder: Is a directory",
    },
    "stem": {"none.txt": "cannot read none.txt: No such file", "hyp.txt folder": "cannot read folder"},
    "profiles": {
        "none": "unknown profile 'none'",
        "none.toml": "cannot read profile none.toml: No such file",
    },
    "signature": {"nonsense": "a signature must begin with"},
    "java": {
        "none.txt ref.txt": "cannot read none.txt: No such file",
        "hyp.txt folder": "cannot read folder: Is a directory",
        "hyp.txt three.txt": "test and reference not same length",
        "hyp.txt ref.txt -l nonsense": "nonsense",
        "hyp.txt ref.txt -t nonsense": "nonsense",
        "hyp.txt ref.txt -m nonsense": "nonsense",
        "hyp.txt ref.txt -a none.gz": "none.gz does not exist",
        "hyp.txt ref.txt -d none": "none/english.synsets does not exist",
        "hyp.txt ref.txt -f none/x -writeAlignments": "cannot write none/x-align.out: there is no folder",
        "plain.sgm plain.sgm -sgml": "is it SGML",
        "none.sgm none.sgm -sgml": "cannot read none.sgm",
        "- - -stdio -m nonsense": "nonsense",
        "- - -stdio -a none.gz": "none.gz does not exist",
    },
    "run": {
        "": "give a command: bolide run -- COMMAND",
        "none-such": "the command none-such was not found",
        "--none hyp.txt": "unknown option '--none'",
        "-- ./hyp.txt": "the command ./hyp.txt is not a program that can be started",
    },
    "learn language": {
        "xx none.txt ref.txt": "cannot read none.txt: No such file",
        "xx hyp.txt folder": "cannot read folder: Is a directory",
        "xx hyp.txt ref.txt --alignment none": "cannot read none: No such file",
        "xx hyp.txt ref.txt --phrases none": "cannot read none: No such file",
        "xx hyp.txt ref.txt --aligner none": "unknown aligner 'none'",
        "xx hyp.txt ref.txt --work ref.txt": "ref.txt is a file",
        "xx hyp.txt ref.txt --min-frequency 2": "between 0 and 1",
    },
    "learn function-words": {
        "none.txt -l xx": "cannot read none.txt: No such file",
        "hyp.txt -l en -o none/w": "cannot write none/w: there is no folder",
        "hyp.txt -l en --min-frequency 2": "between 0 and 1",
    },
    "learn phrases": {
        "none.txt ref.txt -o p.gz -l xx": "cannot read none.txt: No such file",
        "hyp.txt ref.txt -o none/p.gz -l xx": "cannot write none/p.gz: there is no folder",
        "hyp.txt ref.txt -o p.gz -l xx --work ref.txt": "ref.txt is a file",
    },
    "learn paraphrases": {
        "none -o p.gz": "cannot read none: No such file",
        "table -o none/p.gz": "cannot write none/p.gz: there is no folder",
        "table -o p.txt": "must end in .gz",
        "table -o p.gz --corpus none.txt": "cannot read none.txt: No such file",
        "table -o p.gz --common-words none.txt": "cannot read none.txt: No such file",
        "table -o p.gz --occurring-in none.txt": "cannot read none.txt: No such file",
        "table -o p.gz --temporary ref.txt": "ref.txt is a file",
    },
    "resources list": {},
    "resources install": {
        "nonsense": "unknown language 'nonsense'",
        "en --from none": "cannot read none: No such file",
        "en --synonyms none": "none",
    },
    "resources info": {"nonsense": "nonsense"},
    "resources verify": {"nonsense": "nonsense"},
    "resources path": {"nonsense": "nonsense"},
    "resources filter": {
        "en --corpus none.txt": "cannot read none.txt: No such file",
        "en --corpus ref.txt -o none/p": "cannot write none/p: there is no folder",
        "none.gz --corpus ref.txt": "cannot read none.gz: No such file",
        "en --corpus ref.txt --normalize nonsense": "unknown normalize 'nonsense'",
    },
}
for _command, _right in SCORERS.items():
    _wrong = {f"{_right} {option}": said for option, said in SCORER.items()}
    MISTAKES[_command] = {**MISTAKES[_command], **_wrong}


@pytest.fixture
def folder(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """The current folder, with right and wrong files."""
    place = home.parent
    for name, text in FILES.items():
        (place / name).write_text(text, encoding="utf-8")
    (place / "latin.txt").write_bytes(b"caf\xe9\n" * 2)
    (place / "3000.txt").write_bytes(b"a cat\n" * 3000)
    (place / "long.txt").write_bytes(b"a cat\n" * 2999 + b"caf\xe9\n")  # several batches
    for name in ("folder", "folder.html", "folder.toml", "empty"):
        (place / name).mkdir()
    (place / "hyp.parquet").write_bytes(b"PAR1")
    monkeypatch.chdir(place)


@pytest.mark.parametrize(
    ("command", "arguments", "said"),
    [(command, arguments, said) for command, lines in MISTAKES.items() for arguments, said in lines.items()],
)
def test_a_mistake_is_reported_first(
    home: Path,
    monkeypatch: pytest.MonkeyPatch,
    capsys: pytest.CaptureFixture[str],
    command: str,
    arguments: str,
    said: str,
) -> None:
    for package in ("pyarrow", "pyspark", "altair", "sacrebleu", "vl_convert"):
        if "is not installed" in said or "needs" in said:
            monkeypatch.setitem(sys.modules, package, None)
    before = {path.name for path in home.parent.iterdir()}
    code = run([*command.split(), *shlex.split(arguments)])
    printed = capsys.readouterr()
    assert code in ((2, 127) if command == "run" else (1, 2))
    assert said in " ".join(printed.err.split())
    assert printed.out == ""
    assert {path.name for path in home.parent.iterdir()} == before  # not even the home


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        ("language xx hyp.txt three.txt", "hyp.txt has 2, three.txt has 3"),
        ("language xx latin.txt ref.txt", "latin.txt, line 1: not UTF-8"),
        ("phrases hyp.txt three.txt -l xx -o p.gz", "hyp.txt has 2, three.txt has 3"),
    ],
)
def test_corpora_are_read_first(
    home: Path, capsys: pytest.CaptureFixture[str], arguments: str, said: str
) -> None:
    """The English pack is needed to tokenize the source, but not before all of the corpora has been read."""
    assert run(["learn", *arguments.split()]) == 1
    assert said in capsys.readouterr().err
    assert not home.exists()


def test_every_command_is_listed() -> None:
    assert _commands(typer.main.get_command(create_app())) == set(MISTAKES)


def _commands(group: Any, prefix: str = "") -> set[str]:
    found: set[str] = set()
    for name, command in group.commands.items():
        inner = hasattr(command, "commands")
        found |= _commands(command, f"{prefix}{name} ") if inner else {f"{prefix}{name}"}
    return found

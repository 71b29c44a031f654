"""Learning: corpora, function words, phrase tables; and a whole language, with interruptions."""

from __future__ import annotations

import gzip
import json
import os
import shutil
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Callable
from importlib.util import find_spec
from pathlib import Path

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from bolide import Meteor, resources
from bolide._support.platform import try_lock
from bolide.errors import BolideError, ConfigurationError, InputError, LearningError
from bolide.learning import corpus, function_words, language, phrases, steps
from bolide.learning.corpus import TextCorpus
from bolide.learning.function_words import LossyCounts
from bolide.learning.language import Bitext, LearningSettings
from bolide.learning.tokens import tokenizer
from bolide.resources import learned, manifest
from bolide.resources.learned import learnable
from tests.support import fake_meteor
from tests.support.examples import examples
from tests.support.oracle import phrase_pairs as oracle
from tests.support.paths import REPOSITORY

pytest.importorskip("ibis")
pytest.importorskip("pyarrow")
needs_aligner = pytest.mark.skipif(not find_spec("systran_align"), reason="systran-align is not installed")


def bolide(*arguments: object, **options: object) -> subprocess.CompletedProcess[str]:
    command = [sys.executable, "-c", "from bolide.cli import main; main()", *map(str, arguments)]
    return subprocess.run(command, capture_output=True, text=True, check=False, **options)  # type: ignore[call-overload,no-any-return]


# ---- function words ------------------------------------------------------------------------------


def test_function_words_by_hand(tmp_path: Path) -> None:
    text = tmp_path / "text"
    text.write_text("The cat. The dog!\n\nThe end.\n")
    # 9 words: the ×3, . ×2, and four others.
    assert function_words.from_corpora([TextCorpus(str(text))], learnable("xx"), 0.12) == ["the", "."]
    assert function_words.from_corpora([TextCorpus(str(text))], None, 0.3) == ["The"]


@given(
    st.lists(st.lists(st.sampled_from("abcdefghijklmnop"), max_size=20), max_size=30), st.floats(0.01, 0.5)
)
def test_few_words_in_memory(texts: list[list[str]], share: float) -> None:
    counts = LossyCounts(most=3, share=share)
    for text in texts:
        counts.add(text)
    exact = Counter(word for text in texts for word in text)
    assert counts.total == exact.total()
    for word, count in exact.items():
        assert count - share * counts.total <= counts.counts[word] <= count


def test_function_words_of_any_file(tmp_path: Path) -> None:
    import pyarrow
    from pyarrow import parquet

    with gzip.open(tmp_path / "a.gz", "wt") as stream:
        stream.write("one two one\n")
    table = pyarrow.table({"text": ["two one", "three"]})
    parquet.write_table(table, tmp_path / "b.parquet")
    done = bolide(
        "learn",
        "function-words",
        tmp_path / "a.gz",
        tmp_path / "b.parquet",
        "-l",
        "xx",
        "--min-frequency",
        0.2,
    )
    assert (done.stdout, done.stderr, done.returncode) == ("one\ntwo\n", "", 0)
    parquet.write_table(pyarrow.table({"x": [1]}), tmp_path / "c.parquet")
    done = bolide("learn", "function-words", tmp_path / "c.parquet", "-l", "xx")
    assert done.returncode == 1
    assert "choose one with --column" in done.stderr


def test_function_words_of_wordfreq() -> None:
    pytest.importorskip("wordfreq")
    words = function_words.from_wordfreq(learnable("pl"))
    assert {"w", "i", "nie", "na"} < set(words[:20])
    assert {".", ",", "„"} < set(words)
    assert not any(character.isdigit() for word in words for character in word)
    assert function_words.from_wordfreq(learnable("no"))  # wordfreq's name for it is nb
    with pytest.raises(ConfigurationError, match="wordfreq has no words for 'xx', only for: ar"):
        function_words.from_wordfreq(learnable("xx"))


@pytest.mark.parametrize(
    ("arguments", "said"),
    [
        (["-l", "xx"], "give corpora to count, or --from wordfreq"),
        (["text", "-l", "xx", "--from", "wordfreq"], "but not both"),
        (["-l", "pl", "--from", "wordfrek"], "--from must be wordfreq"),
        (["text", "-l", "xx", "--min-frequency", "2"], "between 0 and 1"),
        (["text", "-l", "Klingon language"], "give the code of a language"),
    ],
)
def test_function_words_mistakes(tmp_path: Path, arguments: list[str], said: str) -> None:
    (tmp_path / "text").write_text("a\n")
    done = bolide("learn", "function-words", *arguments, cwd=tmp_path)
    assert done.returncode == 2
    assert said in done.stderr


# ---- corpora -------------------------------------------------------------------------------------


def test_pairs_that_are_left_out(tmp_path: Path) -> None:
    pairs = [("a b", "c"), ("", "c"), ("a", " "), ("a " * 5, "c"), ("a", "c ||| d"), ("a", "c")]
    places = tmp_path / "source", tmp_path / "target"
    tokenize = tokenizer(None)
    sizes = corpus.prepare(pairs, (tokenize, tokenize), places, longest=4)
    assert places[0].read_text() == "a b\na\n"
    assert (sizes.pairs, sizes.kept, sizes.empty, sizes.too_long, sizes.with_separator) == (6, 2, 2, 1, 1)


def test_corpora_that_do_not_fit(tmp_path: Path) -> None:
    for name, text in (("a", "x\ny\nz\n"), ("b", "x\n"), ("bad", b"x\n\xff\n"), ("none", "")):
        (tmp_path / name).write_bytes(text if isinstance(text, bytes) else text.encode())
    of = {name: TextCorpus(str(tmp_path / name)) for name in ("a", "b", "bad", "none")}
    with pytest.raises(InputError, match=r"a has 3, .*b has 1; sentence k"):
        list(corpus.sentence_pairs(of["a"], of["b"]))
    with pytest.raises(InputError, match=r"b has 1, .*a has 3; sentence k"):
        list(corpus.sentence_pairs(of["b"], of["a"]))
    with pytest.raises(InputError, match=r"bad, line 2: not UTF-8"):
        list(corpus.sentence_pairs(of["bad"], of["a"]))
    with pytest.raises(InputError, match="the corpora are empty"):
        list(corpus.sentence_pairs(of["none"], of["none"]))


def test_shifted_corpora_are_doubted(tmp_path: Path) -> None:
    lengths = [1 + k * 7 % 23 for k in range(300)]
    places = tmp_path / "source", tmp_path / "target"
    tokenize = tokenizer(None)
    for shift, doubted in ((0, False), (1, True)):
        pairs = [("a " * n, "b " * lengths[(k + shift) % 300]) for k, n in enumerate(lengths)]
        sizes = corpus.prepare(pairs, (tokenize, tokenize), places)
        assert (sizes.doubtful is not None) == doubted


def test_columns_of_a_table(tmp_path: Path) -> None:
    (tmp_path / "t.tsv").write_text('say "a"\tb\nc\td\n')
    name = str(tmp_path / "t.tsv")
    one, two = TextCorpus(name, "1", "tsv-raw"), TextCorpus(name, "2", "tsv-raw")
    assert list(corpus.sentence_pairs(one, two)) == [('say "a"', "b"), ("c", "d")]


# ---- phrase tables -------------------------------------------------------------------------------


def table(folder: Path, pairs: list[oracle.Pair], longest: int) -> list[oracle.Row]:
    from pyarrow import parquet

    names = ("source", "target", "links")
    columns = (
        [" ".join(pair.source) for pair in pairs],
        [" ".join(pair.target) for pair in pairs],
        [" ".join(f"{s}-{t}" for s, t in sorted(pair.links)) for pair in pairs],
    )
    for name, texts in zip(names, columns, strict=True):
        (folder / name).write_text("".join(f"{text}\n" for text in texts))
    paths = [folder / name for name in names]
    output = folder / "table.parquet"
    phrases.extract(paths[0], paths[1], paths[2], output, longest=longest, threads=2, temporary=folder)
    rows = parquet.read_table(output).to_pylist()
    return sorted(oracle.Row(**{name: row[name] for name in oracle.Row._fields}) for row in rows)


def pair(source: str, target: str, links: str) -> oracle.Pair:
    points = (link.split("-") for link in links.split())
    return oracle.Pair(source.split(), target.split(), frozenset((int(s), int(t)) for s, t in points))


def test_phrase_table_by_hand(tmp_path: Path) -> None:
    pairs = [
        pair("la casa", "the house", "0-0 1-1"),
        pair("casa", "home", "0-0"),
        pair("casa", "house", "0-0"),
    ]
    assert table(tmp_path, pairs, 7) == [
        # p(casa | home) = 1/1, p(home | casa) = 1/3; casa was extracted three times, once with "home".
        oracle.Row("casa", "home", 1.0, 1.0, 1 / 3, 1 / 3, "0-0", 3, 1, 1),
        oracle.Row("casa", "house", 1.0, 1.0, 2 / 3, 2 / 3, "0-0", 3, 2, 2),
        oracle.Row("la", "the", 1.0, 1.0, 1.0, 1.0, "0-0", 1, 1, 1),
        oracle.Row("la casa", "the house", 1.0, 1.0, 1.0, 2 / 3, "0-0 1-1", 1, 1, 1),
    ]


words = st.sampled_from("abc")


@st.composite
def sentence_pairs(draw: st.DrawFn) -> oracle.Pair:
    source, target = (draw(st.lists(words, min_size=1, max_size=6)) for _ in range(2))
    points = st.tuples(st.integers(0, len(source) - 1), st.integers(0, len(target) - 1))
    return oracle.Pair(source, target, draw(st.frozensets(points, max_size=8)))


@settings(max_examples=examples(15), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(st.lists(sentence_pairs(), min_size=1, max_size=12), st.integers(1, 7))
def test_phrase_table_like_oracle(tmp_path: Path, pairs: list[oracle.Pair], longest: int) -> None:
    found, expected = table(tmp_path, pairs, longest), oracle.phrase_table(pairs, longest)
    assert [row[:2] for row in found] == [row[:2] for row in expected]
    for row, wanted in zip(found, expected, strict=True):
        assert row.alignment == wanted.alignment
        assert [*row[2:6], *row[7:]] == pytest.approx([*wanted[2:6], *wanted[7:]], rel=1e-12)


def test_links_that_do_not_fit(tmp_path: Path) -> None:
    with pytest.raises(InputError, match=r"links, line 2: link 4-0 of words that are not there"):
        table(tmp_path, [pair("a", "b", "0-0"), pair("a", "b", "4-0")], 7)
    with pytest.raises(InputError, match="no sentence pairs"):
        table(tmp_path, [], 7)


# ---- a whole language ----------------------------------------------------------------------------


@pytest.fixture(scope="session")
def text(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The tutorial's bitext."""
    folder = tmp_path_factory.mktemp("bitext")
    subprocess.run(
        [sys.executable, REPOSITORY / "examples/learning/bitext.py", "300"], cwd=folder, check=True
    )
    return folder


def bitext(folder: Path, code: str = "xx") -> Bitext:
    sides = TextCorpus(str(folder / "bitext.en")), TextCorpus(str(folder / "bitext.xx"))
    return Bitext(*sides, learnable("other"), learnable(code))


SMALL = LearningSettings(min_frequency=0.03, threads=1)


@needs_aligner
def test_a_language_is_learned(text: Path, home: Path, tmp_path: Path) -> None:
    result = language.learn(bitext(text), tmp_path / "work", SMALL)
    assert [record.step for record in result.records] == [
        "corpus", "words", "alignment", "phrases", "paraphrases", "pack",
    ]  # fmt: skip
    found = manifest.read(learned.entry("xx").folder)
    assert found.learned["corpora"]["bitext.xx"]["sha256"] == fake_meteor.sha256(text / "bitext.xx")
    assert found.learned["sizes"]["pairs"] == 300
    resources.verify(learned.entry("xx").folder)
    hypothesis, reference = "la viro vidas la bot eta .", "la viro vidas la etna sipo malgranda ."
    meteor = Meteor(language="xx")
    assert meteor.settings.pack.hash == found.hash
    assert found.hash in meteor.get_signature()
    assert "paraphrase" in {match.module for match in meteor.align(hypothesis, reference).matches}
    # The same as Meteor Universal by the Java command line, from the same files.
    for name, line in (("hypothesis", hypothesis), ("reference", reference)):
        (tmp_path / name).write_text(line + "\n")
    done = bolide("java", "hypothesis", "reference", "-new", "work", "-q", cwd=tmp_path)
    universal = Meteor("universal", "xx").sentence_score(hypothesis, reference).score
    assert float(done.stdout) == universal
    # The result is a normal pack.
    shown = bolide("resources", "list").stdout
    assert f"xx-learned  {found.hash}" in shown
    assert "bitext.en (side source" in bolide("resources", "info", "xx-learned").stdout
    copied = tmp_path / "elsewhere"
    shutil.copytree(learned.entry("xx").folder, copied)
    shutil.rmtree(home)
    elsewhere = Meteor(language="xx", resources=copied)
    assert elsewhere.modules == ("exact", "paraphrase")
    with pytest.raises(ConfigurationError, match="unknown language 'xx'"):
        Meteor(language="xx")


@needs_aligner
def test_beside_a_pack_of_meteors(text: Path, home: Path, tmp_path: Path) -> None:
    resources.install("de", fake_meteor.folder(tmp_path / "meteor"))
    official = resources.open_pack("de")
    language.learn(bitext(text, "German"), tmp_path / "work", SMALL)
    pack = resources.open_pack("de")
    assert pack.path == learned.entry("de").folder
    assert pack.prefixes == official.prefixes
    assert pack.english_function_words == pack.function_words == {"la", ".", "en"}
    assert pack.paraphrases is not None
    assert resources.open_pack("de", learned=False).hash == official.hash
    assert Meteor(language="de").modules == ("exact", "stem", "paraphrase")


def hashes(folder: Path) -> dict[str, str]:
    """Hashes of the results and of the pack."""
    files = ["source.txt", "target.txt", "function.words", "links.txt", "paraphrase.gz"]
    found = {name: fake_meteor.sha256(folder / name) for name in files}
    return found | {"pack": manifest.read(learned.entry("xx").folder).hash}


def command(text: Path, work: Path) -> list[object]:
    sides = text / "bitext.en", text / "bitext.xx"
    return [
        "learn",
        "language",
        "xx",
        *sides,
        "--source-language",
        "other",
        "--min-frequency",
        0.03,
        "--work",
        work,
    ]


@needs_aligner
@pytest.mark.parametrize(
    "killed",
    [
        ("alignment", "paraphrases"),
        pytest.param(("corpus", "words", "alignment", "phrases", "paraphrases"), marks=pytest.mark.slow),
    ],
)
def test_killed_and_resumed(text: Path, home: Path, tmp_path: Path, killed: tuple[str, ...]) -> None:
    assert bolide(*command(text, tmp_path / "whole")).returncode == 0
    expected = hashes(tmp_path / "whole")
    shutil.rmtree(home)
    work = tmp_path / "work"
    seen = set()
    program = [sys.executable, "-c", "from bolide.cli import main; main()", *map(str, command(text, work))]
    for step in killed:
        process = subprocess.Popen(program, stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        # Killed during the step, or right after it if the step was too quick.
        while process.poll() is None and not (work / f"{step}.unfinished").exists():
            if (work / f"{step}.json").exists():
                break
            time.sleep(0.001)
        process.kill()
        process.wait()
        seen |= {path.name for path in work.glob("*.unfinished")}
        assert not learned.is_installed("xx")
    assert {"alignment.unfinished", "paraphrases.unfinished"} <= seen
    done = bolide(*command(text, work))
    assert done.returncode == 0
    assert "(before)" in done.stdout
    assert hashes(work) == expected
    assert not list(work.glob("*unfinished*"))


@needs_aligner
def test_other_inputs_are_learned_anew(text: Path, home: Path, tmp_path: Path) -> None:
    folder = tmp_path / "text"
    shutil.copytree(text, folder)
    language.learn(bitext(folder), tmp_path / "work", SMALL)
    again = language.learn(bitext(folder), tmp_path / "work", SMALL)
    assert [record.kept for record in again.records] == [True] * 5 + [False]
    # Only a damaged file is made again.
    (tmp_path / "work" / "links.txt").write_text("0-0\n")
    mended = language.learn(bitext(folder), tmp_path / "work", SMALL)
    assert [record.kept for record in mended.records] == [True, True, False, True, True, False]
    with (folder / "bitext.en").open("a") as stream:
        stream.write("The man.\n")
    with (folder / "bitext.xx").open("a") as stream:
        stream.write("La viro.\n")
    other = language.learn(bitext(folder), tmp_path / "work", SMALL)
    assert not any(record.kept for record in other.records)


def limited(size: int) -> Callable[[], None]:
    resource = pytest.importorskip("resource", reason="no limits of processes on this system")

    def limit() -> None:
        resource.setrlimit(resource.RLIMIT_FSIZE, (size, size))

    return limit


@needs_aligner
@pytest.mark.parametrize(
    "size", [100 << 10, *(pytest.param(size, marks=pytest.mark.slow) for size in (1 << 10, 20 << 10))]
)
def test_full_disk(text: Path, home: Path, tmp_path: Path, size: int) -> None:
    done = bolide(*command(text, tmp_path / "work"), preexec_fn=limited(size))
    assert done.returncode == 1
    assert done.stderr.startswith("bolide: ")
    assert "Traceback" not in done.stderr
    assert not learned.is_installed("xx")
    assert not list((tmp_path / "work").glob("*.unfinished"))
    assert bolide(*command(text, tmp_path / "work")).returncode == 0


@needs_aligner
def test_misaligned_corpora_install_nothing(text: Path, home: Path, tmp_path: Path) -> None:
    folder = tmp_path / "text"
    shutil.copytree(text, folder)
    lines = (folder / "bitext.xx").read_text().splitlines(keepends=True)
    (folder / "bitext.xx").write_text("".join(lines[1:]))
    done = bolide(*command(folder, tmp_path / "work"))
    assert done.returncode == 1
    assert "has 300" in done.stderr
    assert "has 299" in done.stderr
    assert not home.exists()


def test_nothing_is_found(home: Path, tmp_path: Path) -> None:
    for side, line in (("en", "a b"), ("xx", "c d")):
        (tmp_path / f"bitext.{side}").write_text(f"{line}\n" * 20)
    (tmp_path / "links").write_text("0-0 1-1\n" * 20)
    with pytest.raises(LearningError, match=r"no entry of .* is left after the filters\. .*\nfilter  "):
        language.learn(bitext(tmp_path), tmp_path / "work", LearningSettings(links=str(tmp_path / "links")))
    (tmp_path / "links").write_text("0-0 1-1\n" * 19)
    with pytest.raises(InputError, match="has 19 lines, but there are 20 sentence pairs"):
        language.learn(bitext(tmp_path), tmp_path / "work", LearningSettings(links=str(tmp_path / "links")))
    assert not home.exists()


def test_two_at_once(tmp_path: Path) -> None:
    other = steps.Work(tmp_path)
    with (
        steps.Work(tmp_path).opened(),
        pytest.raises(BolideError, match="another process works"),
        other.opened(),
    ):
        pass


def test_files_that_are_not_of_a_step_are_kept(tmp_path: Path) -> None:
    """Folders of other processes and of the user may end with .unfinished, too."""
    names = (".report.html.3f09a2b1.unfinished", "thesis.unfinished", "words.unfinished")
    for name in names:
        (tmp_path / name).mkdir(mode=0o700)
    descriptor = os.open(tmp_path / names[0], os.O_RDONLY)
    try:
        assert try_lock(descriptor)  # another process writes to it
        with steps.Work(tmp_path, language.STEPS).opened():
            assert sorted(path.name for path in tmp_path.glob("*.unfinished")) == [*names[:2]]
    finally:
        os.close(descriptor)
    with steps.Work(tmp_path, language.STEPS).opened():
        assert [path.name for path in tmp_path.glob("*.unfinished")] == [names[1]]


def test_all_steps_are_named(text: Path, tmp_path: Path) -> None:
    plan = language._LearningPlan(bitext(text), LearningSettings())
    assert tuple(step.name for step in plan.steps(steps.Work(tmp_path))) == language.STEPS


def test_unknown_aligner(text: Path, tmp_path: Path) -> None:
    with pytest.raises(ConfigurationError, match="unknown aligner 'giza'"):
        language.learn(bitext(text), tmp_path / "work", LearningSettings(aligner="giza"))
    assert not (tmp_path / "work").exists()


@needs_aligner
def test_a_phrase_table_is_whole_or_not_there(text: Path, tmp_path: Path) -> None:
    """Killed while the table is renamed: there is no file of that name, and a second run repairs this."""
    place = tmp_path / "table.parquet"
    arguments = [
        text / "bitext.en",
        text / "bitext.xx",
        "-l",
        "xx",
        "--source-language",
        "other",
        "-o",
        place,
    ]
    # The process ends, as if killed, when half of the table is copied.
    dying = (
        "import os, shutil; from pathlib import Path; from bolide.learning import language\n"
        "def half(source, place):\n"
        "    data = Path(source).read_bytes(); Path(place).write_bytes(data[: len(data) // 2]); os._exit(9)\n"
        "language.shutil.copyfile = half\n"
        "from bolide.cli import main; main()"
    )
    command = [sys.executable, "-c", dying, "learn", "phrases", *map(str, arguments)]
    assert subprocess.run(command, capture_output=True, check=False).returncode == 9
    assert not place.exists()
    done = bolide("learn", "phrases", *arguments)
    assert (done.stderr, done.returncode) == ("", 0)
    assert done.stdout.count("(before)") == 3
    from pyarrow import parquet

    assert parquet.read_table(place).num_rows > 100


@needs_aligner
def test_phrases_as_text_and_parquet(text: Path, tmp_path: Path) -> None:
    sides = text / "bitext.en", text / "bitext.xx"
    for name in ("table.gz", "table.parquet"):
        done = bolide(
            "learn", "phrases", *sides, "-l", "xx", "--source-language", "other", "-o", tmp_path / name
        )
        assert (done.stderr, done.returncode) == ("", 0)
    from pyarrow import parquet

    with gzip.open(tmp_path / "table.gz", "rt") as stream:
        lines = stream.read().splitlines()
    assert len(lines) == parquet.read_table(tmp_path / "table.parquet").num_rows
    assert len(lines[0].split(" ||| ")) == 5


def test_eflomal(text: Path, tmp_path: Path) -> None:
    pytest.importorskip("eflomal")
    done = bolide(
        "learn", "phrases", text / "bitext.en", text / "bitext.xx", "-l", "xx", "--source-language", "other",
        "--aligner", "eflomal", "-o", tmp_path / "table.gz",
    )  # fmt: skip
    assert (done.stderr, done.returncode) == ("", 0)
    record = json.loads((tmp_path / "table.gz.learning" / "alignment.json").read_text())
    assert record["key"]["settings"]["aligner"].startswith("eflomal ")
    assert (tmp_path / "table.gz").stat().st_size > 0

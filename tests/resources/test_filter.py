"""Packs for one test set: the same scores, and the entries that Java's FilterParaphrase keeps."""

from __future__ import annotations

import gzip
import subprocess
from collections.abc import Sequence
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bolide import Meteor, _core, cli, resources
from bolide.errors import BolideError, InputError, ResourceError
from bolide.learning import filtered_packs
from bolide.resources import manifest
from tests.support import fake_meteor, generate, java_jar

Pair = tuple[str, str]
WORDS = st.sampled_from(["a", "b", "c", "dé", "."])
PHRASES = st.lists(WORDS, min_size=1, max_size=5).map(" ".join)
PAIRS = st.lists(st.tuples(PHRASES, PHRASES), min_size=1, max_size=30)


def three_lines(pairs: Sequence[Pair], p: str = "1") -> bytes:
    return "".join(f"{p}\n{left}\n{right}\n" for left, right in pairs).encode()


def table_of(pairs: Sequence[Pair]) -> _core.PhraseTable:
    builder = _core.PhraseTableBuilder()
    builder.feed(three_lines(pairs))
    arrays = builder.finish()
    names = ("words.bytes", "words.offsets", "nodes", "starts", "entries")
    return _core.PhraseTable(*(arrays[name] for name in names))


def text_of(table: _core.PhraseTable, size: int) -> bytes:
    reader, text = _core.PhraseTableReader(table), b""
    while more := reader.read(size):
        text += more
    return text


@given(PAIRS, st.integers(1, 1000))
def test_a_table_becomes_text_again(pairs: list[Pair], size: int) -> None:
    """The entries of one left phrase are together, at the position of the first."""
    lefts = list(dict.fromkeys(left for left, _ in pairs))
    expected = sorted(pairs, key=lambda pair: lefts.index(pair[0]))
    assert text_of(table_of(pairs), size) == three_lines(expected)


@given(PAIRS, st.lists(st.lists(WORDS, max_size=12).map(" ".join), max_size=6))
def test_entries_are_kept_if_a_phrase_occurs(pairs: list[Pair], texts: list[str]) -> None:
    phrases = _core.PhraseFilter()
    for text in texts:
        phrases.add(text)
    expected = [
        pair for pair in pairs if any(f" {phrase} " in f" {text} " for phrase in pair for text in texts)
    ]
    assert phrases.keep(three_lines(pairs)) == three_lines(expected)


def test_a_phrase_does_not_go_from_text_to_text() -> None:
    phrases = _core.PhraseFilter()
    phrases.add("a b")
    phrases.add("c d")
    assert phrases.keep(b"1\nb c\nx\n1\nx\nc\td\n0.5\nd\nx") == b"1\nx\nc\td\n0.5\nd\nx"
    with pytest.raises(ValueError, match="three lines"):
        phrases.keep(b"1\na")


def sentences() -> list[str]:
    return [text for group in generate.sayings("en") for text in group]


def phrases_of(texts: Sequence[str], random: Random, count: int) -> list[Pair]:
    """Pairs of phrases, most of which are in some text."""
    words = [text.lower().replace(",", "").replace(".", "").split() for text in texts]

    def phrase() -> str:
        line = random.choice(words)
        start = random.randrange(max(1, len(line)))
        found = line[start : start + random.randint(1, 4)] or ["nothing"]
        return " ".join(found if random.random() < 0.7 else [*found, random.choice(["xylo", "the"])])

    return [(phrase(), phrase()) for _ in range(count)]


def test_java_keeps_the_same(jar: Path, tmp_path: Path, english: Meteor) -> None:
    texts, random = sentences(), Random(1)
    pairs = phrases_of(texts, random, 3_000)
    (tmp_path / "paraphrase.gz").write_bytes(gzip.compress(three_lines(pairs, "0.25")))
    references = tmp_path / "references"
    references.write_text("".join(f"{text}\n" for text in texts[::5]), encoding="utf-8", newline="\n")
    command = [*java_jar.java(), "-cp", str(jar), "FilterParaphrase"]
    files = [str(tmp_path / name) for name in ("paraphrase.gz", "java.gz", "references")]
    subprocess.run([*command, *files], check=True, capture_output=True)
    filtered_packs.filter_file(
        tmp_path / "paraphrase.gz", [references], tmp_path / "ours.gz", normalize=["no-punctuation"]
    )
    java, ours = (gzip.decompress((tmp_path / name).read_bytes()) for name in ("java.gz", "ours.gz"))
    assert 300 < java.count(b"\n") // 3 < 2_900
    assert ours == java
    count = filtered_packs.filter_file(tmp_path / "paraphrase.gz", [references], tmp_path / "all.gz")
    assert count >= java.count(b"\n") // 3


@pytest.fixture
def pack(home: Path, tmp_path: Path) -> Path:
    """An installed English pack with many paraphrases made for tests."""
    pairs = phrases_of(sentences(), Random(2), 2_000)
    distribution = fake_meteor.folder(tmp_path / "meteor", "en")
    (distribution / "data" / "paraphrase-en.gz").write_bytes(fake_meteor.paraphrase_file(*pairs))
    resources.install("en", distribution)
    return resources.pack_folder("en")


def test_scores_stay_what_they_were(pack: Path, tmp_path: Path) -> None:
    texts = sentences()
    hypotheses, references = texts[0:90:3], texts[1:90:3]
    (tmp_path / "references").write_text("\n".join(references), encoding="utf-8")
    made = filtered_packs.filter_pack("en", [tmp_path / "references"], tmp_path / "small")
    whole = manifest.read(pack)
    assert made == manifest.read(tmp_path / "small") == resources.verify(tmp_path / "small")
    assert 0 < made.counts["paraphrases"] < whole.counts["paraphrases"] / 2
    assert made.bytes < whole.bytes
    assert made.hash != whole.hash
    for normalize in ("keep-punctuation", "no-punctuation", "keep-case", "lower", "none"):
        before = Meteor(normalize=normalize)
        after = Meteor(normalize=normalize, resources=tmp_path / "small")
        expected = before.statistics(hypotheses, references)
        assert (after.statistics(hypotheses, references) == expected).all()
    assert before.settings.pack.function_words == after.settings.pack.function_words
    assert expected[:, 16:20].any(), "no paraphrase matched: the test shows nothing"


def test_equal_texts_make_equal_packs(pack: Path, tmp_path: Path) -> None:
    (tmp_path / "references").write_text("\n".join(sentences()[:50]), encoding="utf-8")
    made = [filtered_packs.filter_pack(pack, [tmp_path / "references"], tmp_path / name) for name in "ab"]
    assert made[0] == made[1]
    again = filtered_packs.filter_pack(tmp_path / "a", [tmp_path / "references"], tmp_path / "b")
    assert again.counts == made[0].counts
    assert again.files == made[0].files


def test_the_command(pack: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    reference, hypothesis = (str(tmp_path / name) for name in ("reference", "hypothesis"))
    Path(reference).write_text(sentences()[0] + "\n", encoding="utf-8")
    Path(hypothesis).write_text(sentences()[1] + "\n", encoding="utf-8")
    small = str(tmp_path / "small")
    assert cli.run(["resources", "filter", "en", "--corpus", reference, "-o", small]) == 0
    assert "paraphrases, " in capsys.readouterr().out
    scores = []
    for options in ([], ["--resources", small]):
        assert cli.run(["score", hypothesis, "-r", reference, *options]) == 0
        scores.append(capsys.readouterr().out.splitlines()[0])
    assert scores[0] == scores[1]
    table = str(tmp_path / "meteor" / "data" / "paraphrase-en.gz")
    assert cli.run(["resources", "filter", table, "--corpus", reference, "-o", small + ".gz"]) == 0
    lines = gzip.decompress(Path(small + ".gz").read_bytes()).decode().splitlines()
    assert lines[0] == "0.5"
    assert capsys.readouterr().out == f"{small}.gz: {len(lines) // 3:,} paraphrases\n"


def test_what_cannot_be_filtered(home: Path, tmp_path: Path) -> None:
    (tmp_path / "text").write_text("a\n", encoding="utf-8")
    with pytest.raises(ResourceError, match="not installed"):
        filtered_packs.filter_pack("en", [tmp_path / "text"], tmp_path / "small")
    resources.install("de", fake_meteor.folder(tmp_path / "meteor", "en"))
    with pytest.raises(ResourceError, match="no paraphrases"):
        filtered_packs.filter_pack("de", [tmp_path / "text"], tmp_path / "small")
    resources.install("en", tmp_path / "meteor")
    with pytest.raises(InputError, match="cannot read"):
        filtered_packs.filter_pack("en", [tmp_path / "nothing"], tmp_path / "small")
    with pytest.raises(BolideError, match="cannot write"):
        filtered_packs.filter_pack("en", [tmp_path / "text"], tmp_path / "no" / "small")
    (tmp_path / "mine").mkdir()
    (tmp_path / "mine" / "thesis").touch()
    with pytest.raises(ResourceError, match="has other files"):
        filtered_packs.filter_pack("en", [tmp_path / "text"], tmp_path / "mine")
    with pytest.raises(ResourceError, match="is the pack to filter"):
        filtered_packs.filter_pack("en", [tmp_path / "text"], resources.pack_folder("en"))
    assert (tmp_path / "mine" / "thesis").exists()
    (tmp_path / "cut.gz").write_bytes(gzip.compress(b"1\na\nb\n1\nc\n"))
    with pytest.raises(ResourceError, match="line 4: the file ends inside an entry"):
        filtered_packs.filter_file(tmp_path / "cut.gz", [tmp_path / "text"], tmp_path / "small.gz")
    (tmp_path / "cut.gz").write_bytes(gzip.compress(b"1\na\nb\n" * 99)[:-12])
    with pytest.raises(InputError, match="cannot read"):
        filtered_packs.filter_file(tmp_path / "cut.gz", [tmp_path / "text"], tmp_path / "small.gz")
    assert not (tmp_path / "small").exists()
    assert not (tmp_path / "small.gz").exists()


@pytest.mark.parametrize("other", ["manifest.toml", "thesis.tex", "arrays/thesis.tex"])
def test_only_a_pack_is_replaced(other: str, pack: Path, tmp_path: Path) -> None:
    """A folder with any other file is kept, even if it has a manifest."""
    text, place = tmp_path / "text", tmp_path / "small"
    text.write_text("a\n", encoding="utf-8")
    filtered_packs.filter_pack("en", [text], place)
    filtered_packs.filter_pack("en", [text], place)
    (place / other).write_text("[package]\n", encoding="utf-8")
    with pytest.raises(ResourceError, match="has other files"):
        filtered_packs.filter_pack("en", [text], place)
    assert (place / other).read_text(encoding="utf-8") == "[package]\n"
    assert (place / "arrays").is_dir()


def test_files_that_appear_during_the_work_are_kept(
    pack: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "small"

    class Slow(_core.PhraseFilter):
        def keep(self, entries: bytes) -> bytes:
            place.mkdir(exist_ok=True)
            (place / "thesis.tex").touch()
            return super().keep(entries)

    monkeypatch.setattr(_core, "PhraseFilter", Slow)
    with pytest.raises(ResourceError, match="has other files"):
        filtered_packs.filter_pack("en", [], place)
    assert [path.name for path in place.iterdir()] == ["thesis.tex"]


def test_a_test_set_that_needs_no_paraphrases(pack: Path, tmp_path: Path) -> None:
    (tmp_path / "text").write_text("zzz\n", encoding="utf-8")
    made = filtered_packs.filter_pack("en", [tmp_path / "text"], tmp_path / "small")
    assert made.counts["paraphrases"] == 0
    assert Meteor(resources=tmp_path / "small").sentence_score("zzz", "zzz").score == 1

"""What the Python targets call: one function per row of `targets.PYTHON`, with the input as its argument."""

from __future__ import annotations

import gzip
import hashlib
import io
import tempfile
from collections.abc import Callable
from contextlib import suppress
from dataclasses import replace
from functools import lru_cache, partial
from pathlib import Path
from unittest.mock import patch

import numpy as np
from tests.support import fake_meteor, fake_wordnet

from bolide import Meteor, profiles, resources
from bolide.errors import BolideError
from bolide.evaluation import formats as judgment_formats
from bolide.evaluation.judged_texts import OWN_REFERENCES, read_judged_texts
from bolide.evaluation.scores import read_scores
from bolide.inputs.annotations import read_frequencies, read_labels, read_tags
from bolide.inputs.assembly import read_systems
from bolide.inputs.options import InputOptions
from bolide.java import alignments, sgml_reader
from bolide.java import stdio as server
from bolide.language import languages
from bolide.language import stemmers as language_stemmers
from bolide.learning import phrase_table_text
from bolide.mert.lists import NBest
from bolide.mert.weights import FORMS, Weights
from bolide.resources import formats, mythes, princeton, thesauri, wordfreq
from bolide.resources import manifest as manifests
from bolide.resources.custom import custom_pack
from bolide.resources.distribution import Distribution, Folder
from bolide.resources.load import assemble, load_pack
from bolide.resources.manifest import PackFile
from bolide.resources.pack import Pack
from bolide.scoring.signature import Signature
from bolide.tuning.checkpoint import Checkpoint
from bolide.tuning.sets import read_sets, read_statistics

WORK = Path(tempfile.mkdtemp())  # the runner deletes it
WORDS = ["ship", "boats", "geese", "went", "a", "small", "boat", "quick", "in", "hurry", "über-boat", ""]


def _write(path: Path, data: bytes) -> None:
    """Writes a new file. To empty an old one may take milliseconds: ext4 then writes to the disk at once."""
    path.unlink(missing_ok=True)
    path.write_bytes(data)


def _file(data: bytes, name: str = "input") -> str:
    path = WORK / name
    _write(path, data)
    return str(path)


# ---- inputs --------------------------------------------------------------------------------------


def _read(name: str, input_format: str | None) -> None:
    options = InputOptions(input_format=input_format)
    for system in read_systems([name], [name] if input_format == "text" else [], options):
        for _ in system.segments():
            pass


def _reader(input_format: str) -> Callable[[bytes], None]:
    return lambda data: _read(_file(data), input_format)


text, tsv, tsv_raw, csv, jsonl, sgml, xml, parquet = map(
    _reader, ("text", "tsv", "tsv-raw", "csv", "jsonl", "sgml", "xml", "parquet")
)


def compressed(data: bytes) -> None:
    for ending in ("gz", "bz2", "xz", "zst"):
        try:
            _read(_file(data, f"input.{ending}"), "text")
        except BolideError:
            continue


def word_annotations(data: bytes) -> None:
    """Tags, labels and frequencies, for as many segments as the file may have."""
    name = _file(data)
    _each(
        *(partial(read, name, count) for read in (read_tags, read_labels) for count in (1, 2, 3)),
        partial(read_frequencies, name),
    )


def _each(*calls: Callable[[], object]) -> None:
    """Each may raise a BolideError."""
    for call in calls:
        with suppress(BolideError):
            call()


# ---- judgments and tuning ------------------------------------------------------------------------


def judgments(data: bytes) -> None:
    """Human judgments in all formats, and the scores of metrics."""
    name, comma = _file(data), _file(data, "input.csv")
    _each(
        *(partial(judgment_formats.read_all, name, form) for form in judgment_formats.FORMATS),
        partial(judgment_formats.read_all, comma),
        *(partial(read_scores, each) for each in (name, comma, _file(data, "input.seg.score"))),
    )


def judged_texts(data: bytes) -> None:
    for own in OWN_REFERENCES:
        found = read_judged_texts(_file(data, "input.jsonl"), own_references=own)
        assert len(found.places) == len(found.texts.references), "every text has a place"


@lru_cache(maxsize=1)
def _tuning_folder() -> Path:
    """What the tuning sets of the seeds name: judgments, texts and statistics."""
    folder = WORK / "tuning"
    folder.mkdir()
    (folder / "pairs.tsv").write_text("segid\tbetter\tworse\n1\ta\tb\n2\tb\ta\n")
    for name in ("a", "b", "r"):
        (folder / f"{name}.txt").write_text(f"{name} small boat\nthe ship {name}\n")
    np.save(folder / "stats.npy", np.arange(44).reshape(4, 11))
    (folder / "rows.tsv").write_text("system\tsegid\na\t1\na\t2\nb\t1\nb\t2\n")
    line = '{"segment": 1, "hypothesis": "a boat", "references": ["a ship"], "human": %d}\n'
    (folder / "data.jsonl").write_text(line % 1 + line % 2)
    return folder


def tuning_sets(data: bytes) -> None:
    sets = _tuning_folder() / "sets.toml"
    _write(sets, data)
    found = read_sets(sets)
    found.check("tau", None)
    found.read(_scorer())


@lru_cache(maxsize=1)
def _scorer() -> Meteor:
    return Meteor("linear", modules=["exact"], normalize="lower", threads=1)


def statistics(data: bytes) -> None:
    """Rows of statistics, and checkpoints."""
    for ending in (".npy", ".npz", ""):
        name = _file(data, f"statistics{ending}")
        _each(partial(read_statistics, name), partial(Checkpoint, name, "key"))


# ---- java ----------------------------------------------------------------------------------------


def java_sgml(data: bytes) -> None:
    list(sgml_reader.suspicious(sgml_reader.read(_file(data))))


def java_alignments(data: bytes) -> None:
    alignments.read(_file(data))


@lru_cache(maxsize=1)
def _server() -> Meteor:
    return Meteor(modules=["exact", "stem"], resources=_packs()[0], threads=1)


def stdio(data: bytes) -> None:
    answers = io.StringIO()
    server.serve(_server(), io.BufferedReader(io.BytesIO(data)), answers)
    lines = server.LINE_END.split(data)
    assert answers.getvalue().count("\n") == len(lines) - (not lines[-1]), "one answer per line"


# ---- mert and learning ---------------------------------------------------------------------------


def nbest(data: bytes) -> None:
    name = _file(data)
    for sparse in (False, True):
        try:
            lists = NBest.read([name], sparse=sparse)
        except BolideError:
            continue
        assert lists.features.shape == (len(lists), len(lists.layout))


def weights(data: bytes) -> None:
    read = Weights.read(_file(data))
    for form in FORMS:
        try:
            written = read.text(form)
        except BolideError:
            continue
        assert Weights.read(_file(written.encode(), "weights")).values, "written weights can be read"


def phrase_table(data: bytes) -> None:
    """The size of the blocks does not matter. The large one takes all lines; that of bolide is slow here."""
    name = _file(data)
    assert _phrases(name, 1 << 13) == _phrases(name, 1 << 7), "blocks do not depend on their size"


def _phrases(name: str, block: int) -> list[tuple[int, str, str]] | str:
    """The phrases of each line, or the error."""
    found: list[tuple[int, str, str]] = []
    with patch.object(phrase_table_text, "BLOCK", block):
        try:
            for first, columns in phrase_table_text.blocks(name):
                numbers = columns.get("line", range(first, first + len(columns["source"])))
                texts = (columns[side].to_pylist() for side in ("source", "target"))
                found += zip(numbers, *texts, strict=True)
        except BolideError as error:
            return str(error)
    return found


# ---- settings ------------------------------------------------------------------------------------


def signature(data: bytes) -> None:
    found = Signature.parse(data.decode("utf-8", "replace"))
    for form in ("standard", "short"):
        assert Signature.parse(found.format(form)) == found, "a written signature can be read"
    found.described()
    found.difference(Signature.parse(f"meteor|{'|'.join(f'{k}:{v}' for k, v in OTHER.items())}"))
    found.format("long")


OTHER = {"v": "1.5", "l": "en", "t": "rank", "n": "yes", "c": "lower", "m": "ex.st", "#": "1", "a": "beam40"}
OTHER |= {"p": "none", "b": "1"}


def profile(data: bytes) -> None:
    found = profiles.load(_file(data, "own.toml"))
    for task, rows in found.tasks.items():
        for language in rows:
            try:
                found.parameters(task, language)
            except BolideError:
                continue
    again = profiles.get(found)
    assert (again.hash, again) == (found.hash, found), "a profile is equal to itself"


# ---- resources -----------------------------------------------------------------------------------


@lru_cache(maxsize=1)
def _packs() -> list[Path]:
    """The folders of small packs: Meteor's resources, a WordNet and a thesaurus."""
    resources.install("en", fake_meteor.folder(WORK / "meteor-1.5"))
    resources.install_synonyms("en", fake_wordnet.folder(WORK / "wordnet"))
    resources.install_synonyms("de", fake_wordnet.thesaurus(WORK / "th_de_DE.dat"))
    synonyms = [thesauri.find(*pair).folder for pair in (("wordnet", "en"), ("mythes", "de"))]
    return [resources.pack_folder("en"), *synonyms]


_manifest = lru_cache(manifests.read)


def manifest(data: bytes) -> None:
    """The input is a manifest, or, after a zero byte, replaces some bytes of a good one."""
    good = _packs()[0]
    folder = _copy(good, _manifest(good).folder)
    if data.startswith(b"\0"):
        data = _overlaid((good / manifests.NAME).read_bytes(), data[1:])
    _write(folder / manifests.NAME, data)
    found = manifests.read(folder)
    _write(folder / manifests.NAME, found.to_toml().encode())
    assert manifests.read(folder) == found, "a written manifest can be read"
    resources.verify(folder)


def _overlaid(good: bytes, data: bytes) -> bytes:
    """The file with some bytes replaced: the first two of the input say where."""
    place = int.from_bytes(data[:2], "big") % len(good)
    return (good[:place] + data[2:] + good[place + len(data) - 2 :])[: len(good)]


def _filled(good: bytes, data: bytes) -> bytes:
    """A file with the same type of array, and the input as its numbers."""
    kind = np.load(io.BytesIO(good)).dtype
    stream = io.BytesIO()
    np.save(stream, np.frombuffer(data[: len(data) // kind.itemsize * kind.itemsize], kind))
    return stream.getvalue()


def _replaced(good: bytes, data: bytes) -> bytes:
    return data


DAMAGES = (_overlaid, _filled, _replaced)


def pack(data: bytes) -> None:
    """The first two bytes choose the pack, the array and the damage. The manifest fits the damaged array, as
    in a pack that someone made on purpose."""
    if len(data) < 4:
        return
    good = _packs()[data[0] % 3]
    found = _manifest(good)
    arrays = [name for name in found.files if name.endswith(".npy")]
    name = arrays[data[1] % len(arrays)]
    damage = DAMAGES[data[1] // len(arrays) % len(DAMAGES)]
    damaged = damage((good / found.folder / name).read_bytes(), data[2:])
    folder = _copy(good, found.folder)
    _write(folder / found.folder / name, damaged)
    try:
        listed = {**found.files, name: PackFile(len(damaged), hashlib.sha256(damaged).hexdigest())}
        _write(folder / manifests.NAME, replace(found, files=listed).to_toml().encode())
        _use(load_pack(folder))
    finally:
        _write(folder / found.folder / name, (good / found.folder / name).read_bytes())


@lru_cache(maxsize=3)
def _copy(good: Path, arrays: str) -> Path:
    folder = WORK / f"copy-{good.name}"
    (folder / arrays).mkdir(parents=True)
    for path in (good / arrays).iterdir():
        (folder / arrays / path.name).write_bytes(path.read_bytes())
    return folder


def _use(opened: Pack) -> None:
    """Scores with a pack, whatever it has."""
    if opened.thesaurus is not None:
        scorer = Meteor(language="de", modules=["exact", "synonym"], synonyms=opened, resources=Pack("de"))
    elif opened.paraphrases is None:
        scorer = Meteor(modules=["exact", "synonym"], synonyms=opened, resources=_packs()[0])
    else:
        scorer = Meteor(resources=opened)
    scorer.sentence_score(" ".join(WORDS), "a dinghy in a hurry")


def word_files(data: bytes) -> None:
    words = formats.function_words(data, "words")
    always, numeric = formats.prefixes(data, "prefixes")
    for listed in (words, always, numeric):
        assert set(formats.words_of(*formats.word_arrays(listed).values())) == set(listed)


def synonym_files(data: bytes) -> None:
    first, _, second = data.partition(b"\0")
    where = ("synsets", "exceptions")
    arrays = formats.synonyms(formats.lines(first, where[0]), formats.lines(second, where[1]), where)
    assembled = assemble("en", {"synonyms": arrays})
    assert assembled.synonyms is not None
    assembled.synonyms.look_up.synsets(WORDS)


def paraphrase_file(data: bytes) -> None:
    packed = data if data.startswith(b"\x1f\x8b") else gzip.compress(data, 1)
    custom_pack("en", paraphrases=_file(packed, "paraphrase.gz"))


def wordnet_files(data: bytes) -> None:
    folder = WORK / "dict"
    folder.mkdir(exist_ok=True)
    parts = data.split(b"\0")
    for k, name in enumerate(princeton.FILES):
        _write(folder / name, parts[k] if k < len(parts) else b"")
    arrays = princeton.compile_dictionary(Distribution(folder, [(Folder(folder), "")]))
    assembled = assemble("en", {"wordnet": arrays})
    assert assembled.synonyms is not None
    assembled.synonyms.look_up.synsets(WORDS)


def word_frequencies(data: bytes) -> None:
    assembled = assemble("en", {"frequencies": wordfreq.compile_frequencies(data, "words")})
    assert assembled.frequencies is not None
    assembled.frequencies.bits(WORDS)


def thesaurus(data: bytes) -> None:
    arrays = mythes.compile_thesaurus(data, "thesaurus", {"antonym"})
    assert assemble("de", {"thesaurus": arrays}).thesaurus is not None


# ---- language ------------------------------------------------------------------------------------


def stemmers(data: bytes) -> None:
    words = data.decode("utf-8", "replace").split()
    for language in languages.every():
        if language.stemmer:
            assert len(language_stemmers.get(language.code)(words)) == len(words), "one stem per word"

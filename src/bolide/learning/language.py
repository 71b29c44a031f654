"""Learns a language: from parallel text to an installed language pack, step by step (steps.py).

    step          makes                    contents
    corpus        source.txt, target.txt   tokens of the corpora, one sentence per line
    words         function.words,          words with a relative frequency above 0.001
                  pivot.words
    alignment     links.txt                links between words, "0-0 1-2"
    phrases       phrases.parquet          phrase pairs with their probabilities
    paraphrases   paraphrase.gz            paraphrases of the target language, found by pivoting
    pack          LANGUAGE-learned         the installed pack of function words and paraphrases

The work folder has all of these files. Meteor's option -new can read it (function.words, paraphrase.gz). It
can be removed when the pack is installed.
"""

from __future__ import annotations

import shutil
from collections.abc import Iterator, Mapping
from dataclasses import asdict, dataclass, field
from importlib.metadata import version
from pathlib import Path
from typing import Any

from bolide import resources
from bolide._support.extras import require
from bolide._support.progress import Advance
from bolide._support.writing import atomic_path
from bolide._version import __version__
from bolide.errors import LearningError
from bolide.inputs.files import check_readable
from bolide.language.languages import Language
from bolide.learning import aligners, corpus, function_words, paraphrases, phrase_table, phrases
from bolide.learning.corpus import TextCorpus
from bolide.learning.pivot import Filters
from bolide.learning.steps import Step, StepRecord, Work, measured
from bolide.learning.tokens import needs_download, tokenizer
from bolide.resources import learned
from bolide.resources.distribution import sha256
from bolide.resources.manifest import Manifest

SOURCE, TARGET = "source.txt", "target.txt"
WORDS, PIVOT_WORDS = learned.WORDS, "pivot.words"
LINKS, PHRASES, PARAPHRASES = "links.txt", "phrases.parquet", learned.PARAPHRASES
STEPS = ("corpus", "words", "alignment", "phrases", "paraphrases")
TOOLS = ("duckdb", "ibis-framework", "pyarrow")


@dataclass(frozen=True)
class LearningSettings:
    """How to learn a language. `links` and `table` are a word alignment and a phrase table of the same
    corpora from another program. Memory, threads and engine do not change the result."""

    aligner: str = aligners.DEFAULT
    longest_phrase: int = phrases.LONGEST_PHRASE
    longest_sentence: int = corpus.LONGEST_SENTENCE
    min_frequency: float = function_words.MIN_FREQUENCY
    tokenized: bool = False
    filters: Filters = field(default_factory=Filters)
    links: str | None = None
    table: str | None = None
    engine: str = "duckdb"
    master: str | None = None
    threads: int | None = None
    memory: str | None = None

    def check(self) -> None:
        """Fails before the work starts if a setting is wrong."""
        require("learning", "duckdb", "ibis", "pyarrow")
        function_words.check_frequency(self.min_frequency)
        phrases.check_longest(self.longest_phrase)
        if self.links is None and self.table is None:
            aligners.find(self.aligner)
        check_readable([name for name in (self.links, self.table) if name is not None], [])


@dataclass(frozen=True)
class Bitext:
    """Parallel text: corpora in two languages. The source language is the pivot for paraphrases."""

    source: TextCorpus
    target: TextCorpus
    source_language: Language
    target_language: Language

    @property
    def corpora(self) -> dict[str, TextCorpus]:
        return {"source": self.source, "target": self.target}


@dataclass(frozen=True)
class LearningResult:
    """The finished steps, and the pack."""

    records: tuple[StepRecord, ...]
    manifest: Manifest | None
    folder: Path

    @property
    def doubts(self) -> list[str]:
        """Warnings about the corpora."""
        return [record.counts["doubt"] for record in self.records if "doubt" in record.counts]


def learn(bitext: Bitext, folder: Path, settings: LearningSettings | None = None) -> LearningResult:
    """Learns a language and installs its pack. `folder` is the work folder."""
    plan = _LearningPlan(bitext, settings or LearningSettings())
    plan.check()
    with Work(folder, STEPS).opened() as work:
        for step in plan.steps(work):
            work.do(step)
        manifest, record = plan.install(work)
        return LearningResult((*work.records.values(), record), manifest, folder)


def learn_phrases(
    bitext: Bitext, output: Path, folder: Path, settings: LearningSettings | None = None
) -> LearningResult:
    """Learns a phrase table and writes it as Parquet or in the format of Moses, by the suffix of `output`."""
    plan = _LearningPlan(bitext, settings or LearningSettings())
    plan.check()
    with Work(folder, STEPS).opened() as work:
        for step in (plan.corpus(), plan.alignment(work), plan.phrases(work)):
            work.do(step)
        if phrase_table.is_parquet(output.name):
            with atomic_path(output) as new:
                shutil.copyfile(work.path(PHRASES), new)
        else:
            phrase_table.convert(str(work.path(PHRASES)), output)
        return LearningResult(tuple(work.records.values()), None, folder)


class _LearningPlan:
    """The steps for corpora and settings."""

    def __init__(self, bitext: Bitext, settings: LearningSettings) -> None:
        self.bitext, self.settings = bitext, settings

    def check(self) -> None:
        self.settings.check()
        names = [each.name for each in self.bitext.corpora.values()]
        check_readable([*names, *names], [])  # read twice: for the checksum, and for the text

    def steps(self, work: Work) -> Iterator[Step]:
        yield self.corpus()
        yield self.words(work)
        if self.settings.table is None:
            yield self.alignment(work)
        yield self.phrases(work)
        yield self.paraphrases(work)

    def corpus(self) -> Step:
        s, bitext = self.settings, self.bitext
        sides = (bitext.source_language, bitext.target_language)
        languages = [None if s.tokenized else language for language in sides]

        def make(folder: Path, advance: Advance) -> Mapping[str, Any]:
            if any(map(needs_download, languages)):  # read everything first, for the errors in it
                for _ in corpus.sentence_pairs(bitext.source, bitext.target):
                    pass
            tokenizers = tokenizer(languages[0]), tokenizer(languages[1])
            texts = corpus.sentence_pairs(bitext.source, bitext.target)
            places = folder / SOURCE, folder / TARGET
            sizes = corpus.prepare(texts, tokenizers, places, longest=s.longest_sentence)
            if not sizes.kept:
                raise LearningError(f"none of {sizes.pairs:,} sentence pairs has words on both sides")
            counts = {k: v for k, v in vars(sizes).items() if k != "lengths"}
            return counts | ({"doubt": sizes.doubtful} if sizes.doubtful else {})

        settings = {
            "corpora": {side: self._described(each) for side, each in bitext.corpora.items()},
            "languages": [language.code if language else "words" for language in languages],
            "longest": s.longest_sentence,
            "bolide": __version__,
        }
        return Step("corpus", "Reading corpora", (SOURCE, TARGET), (), settings, make)

    def words(self, work: Work) -> Step:
        least = self.settings.min_frequency

        def make(folder: Path, advance: Advance) -> Mapping[str, Any]:
            counts = {}
            for text, place in ((TARGET, WORDS), (SOURCE, PIVOT_WORDS)):
                found = function_words.common_words([str(work.path(text))], least)
                (folder / place).write_text("".join(f"{w}\n" for w in found), encoding="utf-8", newline="\n")
                counts[place] = len(found)
            return counts

        inputs, outputs = (SOURCE, TARGET), (WORDS, PIVOT_WORDS)
        return Step("words", "Counting words", outputs, inputs, {"min_frequency": least}, make)

    def alignment(self, work: Work) -> Step:
        s = self.settings

        def make(folder: Path, advance: Advance) -> Mapping[str, Any]:
            words = work.path(SOURCE), work.path(TARGET)
            if s.links is None:
                return {"peak": aligners.align(s.aligner, *words, folder / LINKS, folder, advance)}
            aligners.check_links(s.links, work.records["corpus"].counts["kept"])
            shutil.copyfile(s.links, folder / LINKS)
            return {}

        settings = self._aligner() if s.links is None else {"links": sha256(Path(s.links))}
        return Step("alignment", "Aligning words", (LINKS,), (SOURCE, TARGET), settings, make)

    def phrases(self, work: Work) -> Step:
        s = self.settings

        def make(folder: Path, advance: Advance) -> Mapping[str, Any]:
            if s.table is not None:
                return {"pairs": phrase_table.convert(s.table, folder / PHRASES)}
            found = phrases.extract(
                work.path(SOURCE),
                work.path(TARGET),
                work.path(LINKS),
                folder / PHRASES,
                longest=s.longest_phrase,
                threads=s.threads,
                memory=s.memory,
                temporary=folder,
                progress=advance,
            )
            return asdict(found)

        if s.table is not None:
            return Step("phrases", "Reading phrases", (PHRASES,), (), {"table": sha256(Path(s.table))}, make)
        settings = {"longest": s.longest_phrase}
        inputs = (SOURCE, TARGET, LINKS)
        return Step("phrases", "Extracting phrases", (PHRASES,), inputs, settings, make)

    def paraphrases(self, work: Work) -> Step:
        s = self.settings

        def make(folder: Path, advance: Advance) -> Mapping[str, Any]:
            common, pivots = (
                (work.path(n).read_text(encoding="utf-8").split("\n")) for n in (WORDS, PIVOT_WORDS)
            )
            report = paraphrases.learn(
                work.path(PHRASES),
                folder / PARAPHRASES,
                common_words=filter(None, common),
                pivot_common_words=[word for word in pivots if word],
                filters=s.filters,
                engine=s.engine,
                master=s.master,
                threads=s.threads,
                memory=s.memory,
                temporary=folder,
            )
            if not report.paraphrases:
                raise LearningError(
                    "no paraphrases were found: no two phrases share a translation with enough probability. "
                    "The corpora are too small or not parallel, or all words are frequent (give a higher "
                    f"--min-frequency). Counts before and after each filter:\n{report.to_text()}"
                )
            return {"paraphrases": report.paraphrases, "filters": report.to_text()}

        inputs = (PHRASES, WORDS, PIVOT_WORDS)
        settings = {"filters": asdict(s.filters)}
        return Step("paraphrases", "Finding paraphrases", (PARAPHRASES,), inputs, settings, make)

    def install(self, work: Work) -> tuple[Manifest, StepRecord]:
        with measured() as used:
            manifest = resources.install_learned(
                work.folder, self.bitext.target_language, self._learned(work)
            )
        counts = {"installed": manifest.hash}
        return manifest, StepRecord("pack", counts, used.seconds, used.cpu, used.peak, {}, {})

    # ---- the manifest ------------------------------------------------------------------------------

    def _learned(self, work: Work) -> dict[str, dict[str, Any]]:
        s, sizes = self.settings, work.records["corpus"].counts
        described = {
            each.name: {"side": side, **self._described(each)} for side, each in self.bitext.corpora.items()
        }
        found = {key: value for key, value in sizes.items() if key != "doubt"}
        found["phrase_pairs"] = work.records["phrases"].counts["pairs"]
        found["paraphrases"] = work.records["paraphrases"].counts["paraphrases"]
        return {
            "corpora": {Path(name).name: row for name, row in described.items()},
            "sizes": found,
            "settings": {
                "source_language": self.bitext.source_language.code,
                "tokenized": s.tokenized,
                "longest_sentence": s.longest_sentence,
                "min_frequency": s.min_frequency,
                **(self._aligner() if s.links is None and s.table is None else {}),
                **({"longest_phrase": s.longest_phrase} if s.table is None else {}),
                **{f"filter_{name}": value for name, value in asdict(s.filters).items()},
            },
            "tools": {"bolide": __version__, **{name: version(name) for name in TOOLS}},
        }

    def _aligner(self) -> dict[str, Any]:
        aligner = aligners.find(self.settings.aligner)
        return {"aligner": aligner.tool, "aligner_settings": aligner.settings}

    def _described(self, each: TextCorpus) -> dict[str, Any]:
        path = Path(each.name)
        described = {"bytes": path.stat().st_size, "sha256": sha256(path)}
        return (
            described
            | ({"column": each.column} if each.column else {})
            | ({"format": each.form} if each.form else {})
        )

"""The judged sets of the experiment, by field, and how each is measured."""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class JudgedSet:
    """A file of texts with judgments, in a folder of such sets."""

    name: str
    file: str
    measure: str  # of `bolide correlate`
    objective: str  # of `bolide tune`
    language: str = "en"
    where: tuple[str, ...] = ()
    own_references: str = "keep"
    grouping: str | None = None
    has_systems: bool = True  # False: names of systems tell nothing, and are so many that tables get large

    @property
    def segmentation(self) -> str | None:
        return "characters" if self.language == "ja" else None


def within_items(name: str, file: str, language: str = "en", where: tuple[str, ...] = ()) -> JudgedSet:
    """All pairs of texts of an item that people tell apart: concordant less discordant, of all."""
    return JudgedSet(name, file, "kendall-wmt14", "tau", language, where)


def ratings(folder: str, pair: str) -> JudgedSet:
    """Direct assessment of a language pair: Pearson's r over all texts."""
    target = pair.split("-")[1]
    return JudgedSet(f"{folder}.{pair}", f"{folder}/{pair}.data.jsonl.gz", "pearson", "pearson", target)


def rankings(name: str) -> JudgedSet:
    """Pairs of translations that people ranked (rankings.py writes the file)."""
    target = name.split("-")[1]
    return JudgedSet(name, f"rankings/{name}.pairs.jsonl", "kendall-wmt14", "tau", target)


CAPTIONS = (
    JudgedSet(
        "flickr8k-cf",
        "flickr8k-cf/data.jsonl.gz",
        "kendall-b",
        "kendall-b",
        where=("own_reference=false",),
        own_references="drop",
        has_systems=False,
    ),
    JudgedSet("composite-8k", "composite-8k/data.jsonl.gz", "kendall-c", "kendall-c"),
    JudgedSet("audiocaps-eval", "audiocaps-eval/pairs.jsonl.gz", "kendall-wmt12", "tau-wmt12"),
)
SUMMARIES = (
    within_items("realsumm", "realsumm/data.jsonl.gz"),
    within_items("summeval-thumb", "summeval-thumb/data.jsonl.gz"),
    within_items("multi-summeval.en", "multi-summeval/en.data.jsonl.gz"),
    within_items("multi-summeval.es", "multi-summeval/es.data.jsonl.gz", "es"),
    within_items("multi-summeval.fr", "multi-summeval/fr.data.jsonl.gz", "fr"),
    within_items("multi-summeval.id", "multi-summeval/id.data.jsonl.gz", "other"),
)
DATA_TO_TEXT = (
    within_items("bagel", "bagel/data.jsonl.gz"),
    within_items("sfhotel", "sfhotel/data.jsonl.gz"),
    JudgedSet("webnlg2017", "webnlg2017/data.jsonl.gz", "pearson", "pearson", where=("system!=webnlg",)),
)
INTO_ENGLISH = (
    *(ratings("wmt15-da", f"{source}-en") for source in ("cs", "de", "fi", "ru")),
    *(ratings("wmt16-da", f"{source}-en") for source in ("cs", "de", "fi", "ro", "ru", "tr")),
)
OUT_OF_ENGLISH = (
    *(ratings("wmt13-da15", f"en-{target}") for target in ("de", "es", "fr", "ru")),
    within_items("ted21-mqm.en-de", "ted21-mqm/en-de.data.jsonl.gz", "de", ("is_reference=false",)),
    within_items("wmt24-esa.en-ja", "wmt24-esa-part/en-ja.data.jsonl.gz", "ja", ("is_reference=false",)),
)
RANKINGS_OUT_OF_ENGLISH = tuple(rankings(f"wmt12.en-{target}") for target in ("cs", "de", "es", "fr"))
# By field: the task of bolide-2, and the sets.
FIELDS: dict[str, tuple[str, tuple[JudgedSet, ...]]] = {
    "captions": ("caption", CAPTIONS),
    "summaries": ("summary", SUMMARIES),
    "data-to-text": ("data-to-text", DATA_TO_TEXT),
    "into-english": ("translation", INTO_ENGLISH),
    "out-of-english": ("translation", OUT_OF_ENGLISH),
    "rankings-out-of-english": ("translation", RANKINGS_OUT_OF_ENGLISH),
}

"""Paraphrases by pivoting, as one relational query: two phrases that have a translation in common.

    p(e2|e1) = Σ_f p(f|e1) · p(e2|f)

A phrase table is joined with itself on the foreign phrase f (`source`); e1 and e2 are its targets. All is
written in Ibis, so that DuckDB and Spark run the same query (engines.py). What is left out, in this order:

1. entries with p < `min_probability`: p(f|e) on the left side, p(e|f) on the right
2. phrases with a symbol
3. phrases made of common words only, on either side of the table
4. left phrases that do not occur in a text, if one is given
5. products p(f|e1) · p(e2|f) < `min_probability`
6. sums < `min_final`
7. word accumulation: pairs of which one phrase contains the other, word for word

**The sum.** Floating-point numbers have another sum in another order, and no two engines have the same. So
each product is split into two integers, of units 2⁻³² and 2⁻⁷², which any engine adds up exactly, in any
order; one addition at the end rounds once. A product of at least 2⁻²⁰ is split without a rest, so that the
result is the exact sum, rounded. Every other step is exact too: scaling by powers of two, and floor.

Parex, the jar's program, adds up in the order of the file. That differs in the last digit where there are
three products or more, and matters where the sum is `min_final` but for that. `doubtful` finds these few.
"""

from __future__ import annotations

import re
import string
from collections.abc import Collection, Sequence
from dataclasses import dataclass, replace
from typing import Any

from bolide._support.extras import extra
from bolide.errors import ConfigurationError

SYMBOLS = string.punctuation
# With `symbols_as_words`: what tokenisers make of symbols.
ESCAPES = ("&amp;", "&quot;", "&apos;", "&gt;", "&lt;", "@-@")
HIGH, LOW = 1 << 32, 1 << 40
# Sums in another order differ by less: at most a thousand products of 0.001 or more make up a probability.
DOUBT = 1e-12
# Why an entry is left out.
USABLE, SYMBOL, COMMON = 0, 1, 2


@dataclass(frozen=True)
class Filters:
    """What is left out; the values are those of Meteor's tables."""

    min_probability: float = 0.001
    min_final: float = 0.01
    symbols: str = SYMBOLS
    symbols_as_words: bool = False  # only if a word of its own is a symbol; else one anywhere suffices
    accumulation: bool = True

    def __post_init__(self) -> None:
        for name in ("min_probability", "min_final"):
            value = getattr(self, name)
            if not (isinstance(value, (int, float)) and 0 <= value <= 1):
                raise ConfigurationError(f"{name} must be from 0 to 1, not {value!r}")


@dataclass(frozen=True)
class PivotPairs:
    """The pairs of one or more phrase tables: the sides of each, and the sums of all."""

    lefts: Sequence[Any]  # source, phrase, p, line
    rights: Sequence[Any]  # source, paraphrase, p, line
    filters: Filters
    merge: str

    def part(self, number: int, parts: int) -> PivotPairs:
        """The pairs of some left phrases: the parts together have all, and none has another's."""
        if parts == 1:
            return self
        lefts = [left.filter(left.phrase.hash().abs() % parts == number) for left in self.lefts]
        return replace(self, lefts=lefts)

    @property
    def sums(self) -> Any:
        """Of each pair of different phrases: probability `p`, and of how many `products` it is the sum."""
        import ibis

        each = [_split(products(*sides, self.filters)) for sides in zip(self.lefts, self.rights, strict=True)]
        if self.merge == "mean":
            return _summed(_union(each), len(each))
        tables = _union([_summed(table, 1) for table in each])
        return tables.group_by("phrase", "paraphrase").agg(products=ibis._.products.sum(), p=ibis._.p.max())

    def met(self, table: int) -> Any:
        """How many pairs there are with a common pivot, a phrase with itself included."""
        import ibis

        left, right = (
            side.group_by("source").agg(**{name: ibis._.count()})
            for side, name in ((self.lefts[table], "l"), (self.rights[table], "r"))
        )
        return left.join(right, "source").select(n=ibis._.l * ibis._.r).n.sum()

    def doubtful(self, sums: Any) -> Any:
        """The products, in the order of the file, of pairs whose sum is nearly `min_final`."""
        import ibis

        near = (ibis._.p - number(self.filters.min_final)).abs() <= number(DOUBT)
        pairs = sums.filter(near, ibis._.products > 2).select("phrase", "paraphrase", sum="p")
        found = products(
            self.lefts[0].semi_join(pairs, "phrase"),
            self.rights[0].semi_join(pairs, "paraphrase"),
            self.filters,
        )
        return found.join(pairs, ["phrase", "paraphrase"]).order_by(
            "phrase", "paraphrase", "right_line", "left_line", "source"
        )


def entries(table: Any, common: Collection[str], pivot_common: Collection[str], filters: Filters) -> Any:
    """The entries with a probability that suffices in some direction, and why they are left out (`fault`);
    the text of those that are is not kept."""
    with extra("learning"):
        import ibis
    least = number(filters.min_probability)
    found = table.filter((table.p_source_given_target >= least) | (table.p_target_given_source >= least))
    symbol = _has(_symbols(filters), found.source, found.target)
    common_only = _is_made_of(pivot_common, found.source) | _is_made_of(common, found.target)
    found = found.mutate(fault=ibis.cases((symbol, SYMBOL), (common_only, COMMON), else_=USABLE))
    empty = ibis.null("string")
    return found.select(
        "fault",
        "line",
        "p_source_given_target",
        "p_target_given_source",
        source=(found.fault == USABLE).ifelse(found.source, empty),
        target=(found.fault == USABLE).ifelse(found.target, empty),
    )


def sides(entries: Any, filters: Filters) -> tuple[Any, Any]:
    """The usable entries as left and as right sides of pairs."""
    least = number(filters.min_probability)
    usable = entries.filter(entries.fault == USABLE)
    left = usable.filter(usable.p_source_given_target >= least)
    right = usable.filter(usable.p_target_given_source >= least)
    return (
        left.select("source", phrase="target", left_p="p_source_given_target", left_line="line"),
        right.select("source", paraphrase="target", right_p="p_target_given_source", right_line="line"),
    )


def occurring(left: Any, text: Any, longest: int) -> Any:
    """The left sides whose phrase is in the text: `text` has a column `words`, phrases up to `longest`."""
    import ibis

    words = text.select(words=text.text.split(" "))
    starts = words.mutate(start=ibis.range(0, words.words.length()).unnest())
    rest = starts.words.length() - starts.start
    spans = starts.mutate(length=ibis.range(1, ibis.least(longest, rest) + 1).unnest())
    phrases = spans.select(phrase=spans.words[spans.start : spans.start + spans.length].join(" "))
    return left.semi_join(phrases.distinct(), "phrase")


def products(left: Any, right: Any, filters: Filters) -> Any:
    """Pairs of different phrases with a common pivot, if the product of their probabilities suffices."""
    found = left.join(right, "source")
    found = found.mutate(p=found.left_p * found.right_p)
    return found.filter(found.phrase != found.paraphrase, found.p >= number(filters.min_probability))


def accumulates(pairs: Any) -> Any:
    """Whether one phrase of a pair contains the other, word for word."""
    import ibis

    space = ibis.literal(" ")
    phrase, paraphrase = (space + text + space for text in (pairs.phrase, pairs.paraphrase))
    return phrase.contains(paraphrase) | paraphrase.contains(phrase)


def word_count(text: Any) -> Any:
    return text.length() - text.replace(" ", "").length() + 1


def with_probabilities(table: Any) -> Any:
    """A table without p(s|t), such as of cdec, which has the counts for it."""
    import ibis

    total = table.count_joint.sum().over(ibis.window(group_by=table.target))
    return table.mutate(
        p_source_given_target=table.p_source_given_target.fill_null(table.count_joint / total)
    )


def _split(products: Any) -> Any:
    """The products as two integers."""
    high = (products.p * HIGH).floor()
    low = ((products.p * HIGH - high) * LOW).floor()
    return products.select("phrase", "paraphrase", high=high, low=low)


def _summed(split: Any, tables: int) -> Any:
    import ibis

    sums = split.group_by("phrase", "paraphrase").agg(
        products=ibis._.count(), high=ibis._.high.sum(), low=ibis._.low.sum()
    )
    total = sums.high / HIGH + sums.low / LOW / HIGH
    return sums.select("phrase", "paraphrase", "products", p=total / tables)


def _union(tables: Sequence[Any]) -> Any:
    import ibis

    return tables[0] if len(tables) == 1 else ibis.union(*tables, distinct=False)


def number(value: float) -> Any:
    """A literal that is no decimal in any engine."""
    import ibis

    return ibis.literal(float(value), "float64")


# ---- patterns that RE2 (DuckDB) and Java (Spark) understand alike --------------------------------


def _symbols(filters: Filters) -> str | None:
    if not filters.symbols:
        return None
    if not filters.symbols_as_words:
        return f"[{''.join(map(_escaped, filters.symbols))}]"
    return f"(^| )({'|'.join(map(_escaped, (*filters.symbols, *ESCAPES)))})( |$)"


def _has(pattern: str | None, *texts: Any) -> Any:
    import ibis

    if pattern is None:
        return ibis.literal(False)
    first, *others = (text.re_search(pattern) for text in texts)
    for other in others:
        first = first | other
    return first


def _is_made_of(words: Collection[str], text: Any) -> Any:
    import ibis

    if not words:
        return ibis.literal(False)
    word = "(?:" + "|".join(map(_escaped, sorted(words))) + ")"
    return text.re_search(f"^{word}(?: {word})*$")


def _escaped(text: str) -> str:
    return re.sub(r"([!-/:-@\[-`{-~])", r"\\\1", text)

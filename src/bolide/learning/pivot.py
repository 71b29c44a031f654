"""Paraphrases by pivoting, as a relational query: two phrases with a common translation.

    p(e2|e1) = Σ_f p(f|e1) · p(e2|f)

A phrase table is joined with itself on the foreign phrase f (`source`); e1 and e2 are its targets. The query
is written in Ibis, so that DuckDB and Spark run the same one (engines.py). These are left out, in this order:

1. entries with p < `min_probability`: p(f|e) on the left side, p(e|f) on the right
2. phrases with a symbol
3. phrases made of common words only, on either side of the table
4. left phrases that do not occur in a text, if one is given
5. products p(f|e1) · p(e2|f) < `min_probability`
6. sums < `min_final`
7. word accumulation: pairs in which one phrase contains the other, word for word

**The sum.** A floating-point sum depends on the order, and engines use different orders. So each product is
split into two integers, with units 2⁻³² and 2⁻⁷². Any engine adds these exactly in any order, and one
addition at the end rounds once. A product of at least 2⁻²⁰ is split without a remainder, so the result is the
exact sum, rounded. All other steps are exact, too: scaling by powers of two, and floor.

Parex, the program in the jar, adds in the order of the file. With three or more products, its sum may differ
in the last digit. This matters only if the sum is almost equal to `min_final`; `doubtful` finds these few
pairs.
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
# With `symbols_as_words`: escapes of symbols by tokenizers.
ESCAPES = ("&amp;", "&quot;", "&apos;", "&gt;", "&lt;", "@-@")
HIGH, LOW = 1 << 32, 1 << 40
# Sums in another order differ by less: a probability has at most a thousand products of 0.001 or more.
DOUBT = 1e-12
# Why an entry is left out.
USABLE, SYMBOL, COMMON = 0, 1, 2


@dataclass(frozen=True)
class Filters:
    """Which phrases and pairs to leave out. The defaults are those of Meteor's tables."""

    min_probability: float = 0.001
    min_final: float = 0.01
    symbols: str = SYMBOLS
    symbols_as_words: bool = False  # True: only if a whole word is a symbol; False: a symbol anywhere
    accumulation: bool = True

    def __post_init__(self) -> None:
        for name in ("min_probability", "min_final"):
            value = getattr(self, name)
            if not (isinstance(value, (int, float)) and 0 <= value <= 1):
                raise ConfigurationError(f"{name} must be from 0 to 1, not {value!r}")


@dataclass(frozen=True)
class PivotPairs:
    """The phrase pairs of one or more phrase tables: the two sides of each table, and the sums."""

    lefts: Sequence[Any]  # source, phrase, p, line
    rights: Sequence[Any]  # source, paraphrase, p, line
    filters: Filters
    merge: str

    def part(self, number: int, parts: int) -> PivotPairs:
        """The pairs of some left phrases. The parts are disjoint, and together have all pairs."""
        if parts == 1:
            return self
        lefts = [left.filter(left.phrase.hash().abs() % parts == number) for left in self.lefts]
        return replace(self, lefts=lefts)

    @property
    def sums(self) -> Any:
        """Pairs of different phrases with their probability `p`, and the number of its `products`."""
        import ibis

        each = [_split(products(*sides, self.filters)) for sides in zip(self.lefts, self.rights, strict=True)]
        if self.merge == "mean":
            return _summed(_union(each), len(each))
        tables = _union([_summed(table, 1) for table in each])
        return tables.group_by("phrase", "paraphrase").agg(products=ibis._.products.sum(), p=ibis._.p.max())

    def met(self, table: int) -> Any:
        """The number of pairs with a common pivot, including a phrase with itself."""
        import ibis

        left, right = (
            side.group_by("source").agg(**{name: ibis._.count()})
            for side, name in ((self.lefts[table], "l"), (self.rights[table], "r"))
        )
        return left.join(right, "source").select(n=ibis._.l * ibis._.r).n.sum()

    def doubtful(self, sums: Any) -> Any:
        """The products, in the order of the file, of pairs whose sum is almost `min_final`."""
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
    """The entries with enough probability in at least one direction, and why they are left out (`fault`). The
    text of entries that are left out is not kept."""
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
    """The left sides whose phrase of up to `longest` words occurs in the column `text`."""
    import ibis

    words = text.select(words=text.text.split(" "))
    starts = words.mutate(start=ibis.range(0, words.words.length()).unnest())
    rest = starts.words.length() - starts.start
    spans = starts.mutate(length=ibis.range(1, ibis.least(longest, rest) + 1).unnest())
    phrases = spans.select(phrase=spans.words[spans.start : spans.start + spans.length].join(" "))
    return left.semi_join(phrases.distinct(), "phrase")


def products(left: Any, right: Any, filters: Filters) -> Any:
    """Pairs of different phrases with a common pivot and enough probability."""
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
    """Computes p(s|t) from counts, for tables without it, such as those of cdec."""
    import ibis

    total = table.count_joint.sum().over(ibis.window(group_by=table.target))
    return table.mutate(
        p_source_given_target=table.p_source_given_target.fill_null(table.count_joint / total)
    )


def _split(products: Any) -> Any:
    """Splits the products into two integers."""
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
    """A floating-point literal, which no engine treats as a decimal number."""
    import ibis

    return ibis.literal(float(value), "float64")


# ---- patterns for both RE2 (DuckDB) and Java (Spark) ---------------------------------------------


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

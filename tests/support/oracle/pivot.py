"""Paraphrases by pivoting, as Parex computes them: slow, in the order of the file, in memory."""

from __future__ import annotations

from collections.abc import Collection, Sequence
from typing import NamedTuple


class Entry(NamedTuple):
    """A line of a phrase table."""

    source: str
    target: str
    p_source_given_target: float
    p_target_given_source: float


class Filters(NamedTuple):
    symbols: str
    common: Collection[str] = ()
    pivot_common: Collection[str] = ()
    occurring_in: Sequence[str] | None = None
    min_probability: float = 0.001
    min_final: float = 0.01
    accumulation: bool = True


def is_clean(phrase: str, filters: Filters) -> bool:
    return not any(symbol in phrase for symbol in filters.symbols)


def is_usable(entry: Entry, filters: Filters) -> bool:
    return (
        is_clean(entry.source, filters)
        and is_clean(entry.target, filters)
        and any(word not in filters.pivot_common for word in entry.source.split())
        and any(word not in filters.common for word in entry.target.split())
    )


def occurs(phrase: str, filters: Filters) -> bool:
    texts = filters.occurring_in
    return texts is None or any(f" {phrase} " in f" {' '.join(text.split())} " for text in texts)


def paraphrases(table: Sequence[Entry], filters: Filters) -> dict[tuple[str, str], float]:
    least = filters.min_probability
    usable = [entry for entry in table if is_usable(entry, filters)]
    left = [e for e in usable if e.p_source_given_target >= least and occurs(e.target, filters)]
    right = [e for e in usable if e.p_target_given_source >= least]
    by_source: dict[str, list[Entry]] = {}
    for entry in left:
        by_source.setdefault(entry.source, []).append(entry)
    sums: dict[tuple[str, str], float] = {}
    for second in right:
        for first in by_source.get(second.source, []):
            if first.target != second.target:
                p = first.p_source_given_target * second.p_target_given_source
                if p >= least:
                    pair = (first.target, second.target)
                    sums[pair] = sums.get(pair, 0.0) + p
    return {
        pair: p
        for pair, p in sums.items()
        if p >= filters.min_final and not (filters.accumulation and accumulates(*pair))
    }


def accumulates(left: str, right: str) -> bool:
    return f" {left} " in f" {right} " or f" {right} " in f" {left} "

"""The order in which Java's hash tables return their keys.

Java's SGML reader keeps systems and references in hash tables. The order of printed systems, and the choice
between two equally good references, depend on the hash codes of their names and on the growth of the tables.
Both are reproduced here.
"""

from __future__ import annotations

from collections.abc import Iterable
from functools import cmp_to_key
from itertools import chain

from bolide import _core


def hashtable_order(keys: Iterable[str]) -> list[str]:
    """The keys of a `Hashtable`, added in this order: last bucket first, newest key first.

    >>> hashtable_order(["z", "B", "a", "s10", "s9"])
    ['a', 's9', 's10', 'z', 'B']
    """
    hashes = _hashes(keys)
    buckets: list[list[str]] = [[] for _ in range(11)]
    for count, key in enumerate(hashes):
        if count >= len(buckets) * 3 // 4:
            old = chain.from_iterable(reversed(buckets))
            buckets = [[] for _ in range(2 * len(buckets) + 1)]
            for moved in old:
                buckets[(hashes[moved] & 0x7FFFFFFF) % len(buckets)].insert(0, moved)
        buckets[(hashes[key] & 0x7FFFFFFF) % len(buckets)].insert(0, key)
    return list(chain.from_iterable(reversed(buckets)))


def hash_set_order(keys: Iterable[str]) -> list[str]:
    """The elements of a `HashSet`, added in this order: by bucket, oldest first."""
    hashes = _hashes(keys)
    size = 16
    while len(hashes) > size * 3 // 4:
        size *= 2
    buckets: list[list[str]] = [[] for _ in range(size)]
    for key, code in hashes.items():
        buckets[(code ^ code >> 16) % size].append(key)
    return list(chain.from_iterable(buckets))


def text_order(keys: Iterable[str]) -> list[str]:
    """The distinct keys, sorted like Java strings: by UTF-16 code units."""
    return sorted(set(keys), key=_code_units)


def number_order(keys: Iterable[str]) -> list[str]:
    """The distinct keys, integers sorted by value, all others as text.

    >>> number_order(["10", "9", "b", "a"])
    ['9', '10', 'a', 'b']
    """
    return sorted(text_order(keys), key=cmp_to_key(_compare))


def _hashes(keys: Iterable[str]) -> dict[str, int]:
    distinct = list(dict.fromkeys(keys))
    codes = _core.java_hashes(distinct).tolist()
    return {key: code & 0xFFFFFFFF for key, code in zip(distinct, codes, strict=True)}


def _code_units(text: str) -> bytes:
    return text.encode("utf-16-be", "surrogatepass")


def _compare(left: str, right: str) -> int:
    a, b = _int(left), _int(right)
    if a is not None and b is not None:
        return (a > b) - (a < b)
    x, y = _code_units(left), _code_units(right)
    return (x > y) - (x < y)


def _int(text: str) -> int | None:
    """`Integer.parseInt`, or None if it would fail."""
    digits = text[1:] if text[:1] in ("+", "-") else text
    if not digits.isdecimal():
        return None
    number = int(text)
    return number if -(2**31) <= number < 2**31 else None

"""Porter's stemmer of 1980, as published, and as NLTK changed it.

M. F. Porter, An algorithm for suffix stripping, Program 14(3), 1980. A word is a sequence of consonants (C)
and vowels (V), [C](VC)^m[V]; m is its *measure*. Each step has rules: a suffix, its replacement, and a
condition on the rest of the word. Only the rule with the longest suffix of the word applies.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable

Condition = Callable[[str], bool]
Rule = tuple[str, Condition]  # replacement, condition
Rules = dict[str, Rule]  # by suffix


class _Letters(dict[int, str]):
    """Maps letters to c, v, or y; a y is a consonant or a vowel, depending on the letter before it."""

    def __missing__(self, letter: int) -> str:
        return "c"


_LETTERS = _Letters({ord(letter): "v" for letter in "aeiou"} | {ord("y"): "y"})


def _shape(word: str) -> str:
    """The consonants and vowels of a word: "cvc" for "toy", "cvcvcv" for "syzygy"."""
    shape = word.translate(_LETTERS)
    if "y" not in shape:
        return shape
    marks, before = [], "v"
    for mark in shape:  # a y is a vowel after a consonant
        before = mark if mark != "y" else "v" if before == "c" else "c"
        marks.append(before)
    return "".join(marks)


def _measure(stem: str) -> int:
    return _shape(stem).count("vc")


def _any(stem: str) -> bool:
    return True


def _m_above_0(stem: str) -> bool:
    return "vc" in _shape(stem)


def _m_above_1(stem: str) -> bool:
    return _measure(stem) > 1


def _has_vowel(stem: str) -> bool:
    """The paper's *v*."""
    return "v" in _shape(stem)


def _is_short(stem: str) -> bool:
    """The paper's *o: ends consonant, vowel, consonant, the last not w, x or y."""
    return _shape(stem).endswith("cvc") and not stem.endswith(("w", "x", "y"))


def _is_short_or_vc(stem: str) -> bool:
    return _is_short(stem) or _shape(stem) == "vc"


def _rules(condition: Condition, table: str) -> Rules:
    """Rules with one condition, from rows "suffix>replacement"."""
    rows = (row.partition(">") for row in table.split())
    return {suffix: (replacement, condition) for suffix, _, replacement in rows}


def _apply(word: str, rules: Rules, longest: int = 7) -> str:
    for length in range(min(longest, len(word)), 0, -1):
        rule = rules.get(word[-length:])
        if rule is not None:
            replacement, condition = rule
            stem = word[:-length]
            return stem + replacement if condition(stem) else word
    return word


_STEP_1A = _rules(_any, "sses>ss ies>i ss>ss s>")
_STEP_1B_AFTER = _rules(_any, "at>ate bl>ble iz>ize")
_STEP_1C = _rules(_has_vowel, "y>i")
_STEP_2 = _rules(
    _m_above_0,
    "ational>ate tional>tion enci>ence anci>ance izer>ize abli>able alli>al entli>ent eli>e ousli>ous "
    "ization>ize ation>ate ator>ate alism>al iveness>ive fulness>ful ousness>ous aliti>al iviti>ive "
    "biliti>ble",
)
_STEP_3 = _rules(_m_above_0, "icate>ic ative> alize>al iciti>ic ical>ic ful> ness>")
_STEP_4 = _rules(
    _m_above_1, "al> ance> ence> er> ic> able> ible> ant> ement> ment> ent> ou> ism> ate> iti> ous> ive> ize>"
) | {"ion": ("", lambda stem: stem.endswith(("s", "t")) and _m_above_1(stem))}
_STEP_5B: Rules = {"ll": ("l", lambda stem: _m_above_1(stem + "l"))}


def _step_1b(word: str, after: Rules, is_short: Condition) -> str:
    if word.endswith("eed"):
        return word[:-1] if _m_above_0(word[:-3]) else word
    suffix = next((suffix for suffix in ("ed", "ing") if word.endswith(suffix)), "")
    stem = word.removesuffix(suffix)
    if not suffix or not _has_vowel(stem):
        return word
    if stem.endswith(tuple(after)):
        return _apply(stem, after)
    shape = _shape(stem)
    if stem[-1:] == stem[-2:-1] and shape.endswith("c"):  # a double consonant
        return stem if stem.endswith(("l", "s", "z")) else stem[:-1]
    return stem + "e" if shape.count("vc") == 1 and is_short(stem) else stem


def _step_5a(word: str, is_short: Condition) -> str:
    stem = word.removesuffix("e")
    if stem == word:
        return word
    measure = _measure(stem)
    return stem if measure > 1 or (measure == 1 and not is_short(stem)) else word


def _all(word: str, steps: Iterable[Rules]) -> str:
    for rules in steps:
        word = _apply(word, rules)
    return word


def stem(word: str) -> str:
    """The stem of a lower-case word, exactly by the paper: "as" and "is" lose their s too."""
    word = _step_1b(_apply(word, _STEP_1A), _STEP_1B_AFTER, _is_short)
    return _apply(_step_5a(_all(word, (_STEP_1C, _STEP_2, _STEP_3, _STEP_4)), _is_short), _STEP_5B)


# Differences of NLTK: PorterStemmer() of NLTK 3.10, in its default mode.

_NLTK_IRREGULAR = {
    **dict.fromkeys(("sky", "skies"), "sky"),
    **{f"{letter}ying": f"{letter}ie" for letter in "dlt"},
    **{form: word for word in ("inning", "outing", "canning") for form in (word, word + "s")},
    **{word: word for word in ("news", "howe", "proceed", "exceed", "succeed")},
}
# NLTK also uses *d, the paper's sign for a double consonant, as a suffix: "x*ding" becomes "xd".
_NLTK_STEP_1B_AFTER = _STEP_1B_AFTER | _rules(_any, "*d>d")
_NLTK_STEP_1C: Rules = {"y": ("i", lambda stem: len(stem) > 1 and _shape(stem).endswith("c"))}
_NLTK_STEP_2 = {suffix: rule for suffix, rule in _STEP_2.items() if suffix != "abli"}
_NLTK_STEP_2 |= _rules(_m_above_0, "bli>ble fulli>ful")
_NLTK_STEP_2["logi"] = ("log", lambda stem: _m_above_0(stem + "l"))


def _nltk_ie(word: str, suffix: str) -> str | None:
    """Words in -ies and -ied: "ties" and "tied" keep the e, longer words lose it."""
    if not word.endswith(suffix):
        return None
    return word[:-1] if len(word) == 4 else word[:-2]


def nltk_stem(word: str) -> str:
    """What `nltk.stem.PorterStemmer().stem(word)` returns."""
    lower = word.lower()
    if lower in _NLTK_IRREGULAR:
        return _NLTK_IRREGULAR[lower]
    if len(word) <= 2:
        return lower
    word = _nltk_ie(lower, "ies") or _apply(lower, _STEP_1A)
    word = _nltk_ie(word, "ied") or _step_1b(word, _NLTK_STEP_1B_AFTER, _is_short_or_vc)
    word = _apply(word, _NLTK_STEP_1C)
    while word.endswith("alli") and _m_above_0(word[:-4]):  # first -ally, then -ational and similar suffixes
        word = word[:-2]
    word = _all(word, (_NLTK_STEP_2, _STEP_3, _STEP_4))
    return _apply(_step_5a(word, _is_short_or_vc), _STEP_5B)

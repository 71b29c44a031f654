"""The Porter stemmer of 1980, as published, and as modified in NLTK.

M. F. Porter, An algorithm for suffix stripping, Program 14(3), 1980. A word is a sequence of consonants (C)
and vowels (V), [C](VC)^m[V]; m is its *measure*. Each step has rules: a suffix, its replacement, and a
condition on the letters before it. Only the rule with the longest matching suffix is used.

    >>> stem("relational"), nltk_stem("relational")
    ('relat', 'relat')
    >>> stem("dying"), nltk_stem("dying")  # NLTK lists some irregular words
    ('dy', 'die')
    >>> stems(["caresses", "ponies"])  # many words at once are faster
    ['caress', 'poni']

This module has the rules; core/vocabulary/suffix_rules.hpp applies them. `stemmers.py` has the later Snowball
stemmers of METEOR 1.3 and 1.5.
"""

from __future__ import annotations

from bolide import _core

Rule = tuple[str, int, str, str, bool]  # suffix, letters to cut, letters to append, condition, leads on
Rules = list[Rule]


def _rules(condition: str, table: str, leads_on: bool = False) -> Rules:
    """Makes rules with one condition from rows "suffix>replacement". Letters before a "|" are kept, and the
    condition includes them."""
    rows = (row.partition(">") for row in table.split())
    return [
        (suffix.replace("|", ""), len(suffix.rpartition("|")[2]), replacement, condition, leads_on)
        for suffix, _, replacement in rows
    ]


def _stemmer(
    *steps: Rules, sequel: Rules, irregular: dict[str, str] | None = None, shortest: int = 0
) -> _core.SuffixStemmer:
    """Makes a stemmer. Rules that lead on continue with the rules of `sequel`. `irregular` words have fixed
    stems; words shorter than `shortest` do not change."""
    rows: list[tuple[bool, Rules]] = []
    for rules in steps:
        rows.append((False, rules))
        if any(leads_on for *_, leads_on in rules):
            rows.append((True, sequel))
    return _core.SuffixStemmer("aeiou", "y", "wxy", rows, irregular or {}, shortest)


_STEP_1A = _rules("any", "sses>ss ies>i ss>ss s>")
_STEP_1B = _rules("measure-above-0", "eed>ee") + _rules("has-vowel", "ed> ing>", leads_on=True)
# Of rules with the same suffix, the first one whose condition holds is used.
_AFTER_1B: Rules = [
    *_rules("any", "at>ate bl>ble iz>ize ll>ll ss>ss zz>zz"),
    ("", 1, "", "doubled", False),
    ("", 0, "", "measure-above-1", False),
    ("", 0, "e", "ends-short", False),
]
_STEP_1C = _rules("has-vowel", "y>i")
_STEP_2 = _rules(
    "measure-above-0",
    "ational>ate tional>tion enci>ence anci>ance izer>ize abli>able alli>al entli>ent eli>e ousli>ous "
    "ization>ize ation>ate ator>ate alism>al iveness>ive fulness>ful ousness>ous aliti>al iviti>ive "
    "biliti>ble",
)
_STEP_3 = _rules("measure-above-0", "icate>ic ative> alize>al iciti>ic ical>ic ful> ness>")
_STEP_4 = _rules(
    "measure-above-1",
    "al> ance> ence> er> ic> able> ible> ant> ement> ment> ent> s|ion> t|ion> ou> ism> ate> iti> ous> ive> "
    "ize>",
)
_STEP_5A = [*_rules("measure-above-1", "e>"), *_rules("ends-short", "e>e"), *_rules("measure-above-0", "e>")]
_STEP_5B = _rules("measure-above-1", "l|l>")

_STEPS_1 = _STEP_1A, _STEP_1B, _STEP_1C
_PORTER = _stemmer(*_STEPS_1, _STEP_2, _STEP_3, _STEP_4, _STEP_5A, _STEP_5B, sequel=_AFTER_1B)

# Differences in NLTK: PorterStemmer() of NLTK 3.10 in its default mode.

_NLTK_IRREGULAR = {
    **dict.fromkeys(("sky", "skies"), "sky"),
    **{f"{letter}ying": f"{letter}ie" for letter in "dlt"},
    **{form: word for word in ("inning", "outing", "canning") for form in (word, word + "s")},
    **{word: word for word in ("news", "howe", "proceed", "exceed", "succeed")},
}
# "ties" and "tied" keep the e; longer words lose it.
_NLTK_STEP_1A = _rules("one-letter", "ies>ie") + _STEP_1A
_NLTK_STEP_1B = _rules("one-letter", "ied>ie") + _rules("any", "ied>i") + _STEP_1B
# NLTK also reads *d, the paper's sign for a double consonant, as a suffix: "x*ding" becomes "xd".
_NLTK_AFTER_1B: Rules = [*_rules("any", "*d>d"), *_AFTER_1B, ("", 0, "e", "vowel-consonant", False)]
_NLTK_STEP_1C = _rules("one-letter", "y>y") + _rules("ends-consonant", "y>i")
_NLTK_BEFORE_2 = _rules("measure-above-0", "alli>al")  # -ally first, then -ational and others
_NLTK_STEP_2 = [rule for rule in _STEP_2 if rule[0] != "abli"]
_NLTK_STEP_2 += _rules("measure-above-0", "bli>ble fulli>ful l|ogi>og")
_NLTK_STEP_5A = _rules("vowel-consonant", "e>e") + _STEP_5A

_NLTK_STEPS_1 = _NLTK_STEP_1A, _NLTK_STEP_1B, _NLTK_STEP_1C
_NLTK_STEPS_2 = _NLTK_BEFORE_2, _NLTK_STEP_2
# For words in lower case.
NLTK = _stemmer(
    *_NLTK_STEPS_1,
    *_NLTK_STEPS_2,
    _STEP_3,
    _STEP_4,
    _NLTK_STEP_5A,
    _STEP_5B,
    sequel=_NLTK_AFTER_1B,
    irregular=_NLTK_IRREGULAR,
    shortest=3,
)


def stems(words: list[str]) -> list[str]:
    """The stem of each lower-case word, exactly as in the paper: "as" and "is" lose their s, too."""
    return _PORTER.stem(words)


def nltk_stems(words: list[str]) -> list[str]:
    """The result of `nltk.stem.PorterStemmer().stem(word)` for each word."""
    lower = [word.lower() for word in words]
    found = zip(words, lower, NLTK.stem(lower), strict=True)
    # The length before lower-casing counts: "İs" becomes three letters.
    return [low if len(word) <= 2 else stem for word, low, stem in found]


def stem(word: str) -> str:
    """`stems` of one word."""
    return stems([word])[0]


def nltk_stem(word: str) -> str:
    """`nltk_stems` of one word."""
    return nltk_stems([word])[0]

"""A slow PTB tokenizer: the same table of rules, with one regular expression per rule (package `regex`)."""

from __future__ import annotations

import re
from functools import lru_cache
from itertools import product
from typing import Any, NamedTuple

import pytest

from bolide.language.ptb import _lower
from tests.support import core_testing

AS_IS, WORD, FIXED, QUOTES, ONE_TOKEN, BRACKETS, LINE_BREAK, SKIPPED, PERIOD_TWICE = range(9)

MARKS = {
    **dict.fromkeys("\u0091\u2018\u201b\u2039", "`"),
    **dict.fromkeys("\u0092\u2019\u203a", "'"),
    **dict.fromkeys("\u0093\u00ab\u201c", "``"),
    **dict.fromkeys("\u0094\u00bb\u201d", "''"),
    "&apos;": "'",
    "&quot;": "''",
}
SPACES = {" ": "\u00a0"}
REPLACEMENTS = {
    WORD: {"\u00ad": "", **{f"&{''.join(amp)};": "&" for amp in product("aA", "mM", "pP")}},
    QUOTES: MARKS,
    ONE_TOKEN: SPACES,
    BRACKETS: {**SPACES, "(": "-lrb-", ")": "-rrb-"},
}


class Rule(NamedTuple):
    name: str
    token: Any
    whole: Any
    context: Any
    writing: int
    replacement: str


def tokenize(text: str) -> str:
    units = _halves(text)
    lines: list[list[str]] = [[]]
    at = 0
    while at < len(units):
        rule, end = _longest(units, at)
        if rule is None:
            at += 1
            continue
        token = units[at:end]
        at = end - (rule.writing == PERIOD_TWICE)
        if rule.writing == LINE_BREAK:
            lines.append([])
        elif rule.writing != SKIPPED:
            lines[-1].append(_written(rule, token))
    return "\n".join(_lower(_whole(" ".join(tokens))) for tokens in lines)


def _longest(units: str, at: int) -> tuple[Rule | None, int]:
    best: Rule | None = None
    longest = -1
    for rule in rules():
        match = rule.whole.match(units, at)
        if match and match.end() > longest:
            best, longest = rule, match.end()
    if best is None or best.context is None:
        return best, longest
    ends = range(longest, at, -1)
    fits = [
        end
        for end in ends
        if best.token.fullmatch(units, at, end) and best.context.fullmatch(units[end:longest])
    ]
    if not fits:  # the context is the end of the text
        fits = [end for end in ends if best.token.fullmatch(units, at, end)]
    return best, fits[0]


def _written(rule: Rule, token: str) -> str:
    if rule.writing == FIXED:
        return rule.replacement
    table = REPLACEMENTS.get(rule.writing)
    if table is None:
        return token
    written = re.sub("|".join(map(re.escape, table)), lambda found: table[found[0]], token)
    return written or "-"


def _halves(text: str) -> str:
    """Java reads UTF-16: a character beyond the basic plane is two."""
    units = text.encode("utf-16-le")
    return "".join(chr(int.from_bytes(units[k : k + 2], "little")) for k in range(0, len(units), 2))


def _whole(units: str) -> str:
    return units.encode("utf-16-le", "surrogatepass").decode("utf-16-le")


@lru_cache(maxsize=1)
def rules() -> tuple[Rule, ...]:
    regex = pytest.importorskip("regex")
    definitions, sets = core_testing.ptb_definitions(), core_testing.ptb_sets()
    ranges = {
        name: "".join(f"\\u{first:04x}-\\u{last:04x}" for first, last in intervals)
        for name, intervals in sets.items()
    }

    def expanded(pattern: str) -> str:
        """Replaces {NAME}: by the ranges of a set within brackets, else by a group. For the package `regex`,
        the Turkish i without a dot is no form of i in `(?i:...)`, so it is added."""
        result, inside = [], False
        groups: list[str] = []  # how those begin that have not ended
        for part in re.findall(r"\{[A-Z_]+\}|\(\?i:|\\u....|\\.|.", pattern, flags=re.DOTALL):
            if not inside and part in ("(", "(?i:"):
                groups.append(part)
            elif not inside and part == ")":
                groups.pop()
            elif not inside and part in ("i", "I") and "(?i:" in groups:
                part = "[iI\u0130\u0131]"
            if part == "[":
                inside = True
            elif part == "]":
                inside = False
            if len(part) > 2 and part[0] == "{":
                name = part[1:-1]
                if name in ranges:
                    part = ranges[name] if inside else f"[{ranges[name]}]"
                else:
                    part = f"(?:{expanded(definitions[name])})"
            elif part == "$" and not inside:
                part = r"\Z"
            result.append(part)
        return "".join(result)

    def compiled(pattern: str) -> Any:
        return regex.compile(pattern, regex.POSIX | regex.DOTALL)

    return tuple(
        Rule(
            name,
            compiled(expanded(pattern)),
            compiled(f"(?:{expanded(pattern)})(?:{expanded(context)})"),
            compiled(expanded(context)) if context else None,
            writing,
            replacement,
        )
        for name, pattern, context, writing, replacement, _, _ in core_testing.ptb_rules()
    )

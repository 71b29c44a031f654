"""Scores, alignments and explanations as HTML for notebooks. It needs no other files, and it is readable on a
light or a dark background. All text is escaped.
"""

from __future__ import annotations

from collections.abc import Iterable
from html import escape
from typing import TYPE_CHECKING

from bolide._support import palette
from bolide._support.visible import visible
from bolide.explanation import drawing

if TYPE_CHECKING:
    from bolide.explanation.explanation import Explanation
    from bolide.scoring.alignment import Alignment, Match
    from bolide.scoring.score import CorpusScore, Score

# The colours of the stages. They are transparent, so text stays readable.
TINTS = tuple(",".join(str(int(colour[k : k + 2], 16)) for k in (1, 3, 5)) for colour in palette.LIGHT)
FRAME = "font-family:inherit;line-height:1.4;margin:.3em 0;overflow-wrap:anywhere"
COLUMN = "display:inline-block;vertical-align:top;text-align:center;margin:.2em .5em .4em 0"
MARK = "font-size:.75em;opacity:.75"
WORD = "padding:0 .25em;border-radius:.25em"
CELL = "text-align:right;padding:.1em .6em;border:none"
FIGURES = ("score", "precision", "recall", "fmean", "penalty", "chunks", "matches")


def alignment_html(alignment: Alignment) -> str:
    """The picture, and the numbers of the score."""
    return f'<div style="{FRAME}">{_picture(alignment)}{_figures(alignment.score)}</div>'


def score_html(score: Score) -> str:
    return f'<div style="{FRAME}">{_figures(score)}</div>'


def corpus_html(score: CorpusScore) -> str:
    """The numbers of a corpus score, and its signature."""
    count = f"{score.segment_count} segment{'s' * (score.segment_count != 1)}"
    if score.documents:
        count += f", {len(score.documents)} document{'s' * (len(score.documents) != 1)}"
    flags = ("bounded", score.bounded), ("unproven", score.unproven)
    facts = "; ".join([count, *(f"{number} {name}" for name, number in flags if number)])
    ids = [] if score.eval_id is None else [f"Java Eval ID: {score.eval_id}"]
    notes = "".join(map(small, [facts, *ids, score.signature]))
    return f'<div style="{FRAME}">{_figures(score)}{notes}</div>'


def small(text: str, tag: str = "div") -> str:
    """A note, such as a signature."""
    style = f"{MARK};overflow-wrap:anywhere"
    return f'<{tag} style="{style}">{escape(visible(text))}</{tag}>'


def explanation_html(explanation: Explanation) -> str:
    alignment = explanation.alignment
    why = [
        f"{escape(match.module)}: {_words(ours)} = {_words(theirs)} ({escape(str(reason))})"
        for match, reason in zip(alignment.matches, explanation.reasons, strict=True)
        for ours, theirs in [alignment.phrases(match)]
        if ours != theirs
    ]
    reasons = f"<ul style='margin:.3em 0'>{''.join(f'<li>{each}</li>' for each in why)}</ul>" if why else ""
    lines = "\n".join(escape(str(line)) for line in (*explanation.lines, *explanation.notes))
    return (
        f'<div style="{FRAME}">{_picture(alignment)}{reasons}'
        f"{_table(('', '', 'hypothesis', '', 'reference', ''), explanation.table)}"
        f'<pre style="background:none;color:inherit;white-space:pre-wrap">{lines}</pre>'
        f'<code style="{MARK};background:none;color:inherit">{escape(explanation.signature)}</code></div>'
    )


def _picture(alignment: Alignment) -> str:
    cells = (
        f'<div style="{COLUMN}">{_word(column.hypothesis, column.match)}'
        f'<div style="{MARK}">{escape(column.mark) or "&#160;"}</div>'
        f"{_word(column.reference, column.match)}</div>"
        for column in drawing.columns(alignment)
    )
    return f"<div>{''.join(cells)}</div>"


def _word(text: str, match: Match | None) -> str:
    tint = "" if match is None or not text else f";background:rgba({TINTS[match.stage % len(TINTS)]},.35)"
    title = "" if match is None else f' title="{escape(match.module)}, chunk {match.chunk + 1}"'
    return f'<div><span style="{WORD}{tint}"{title}><bdi>{escape(text) or "&#160;"}</bdi></span></div>'


def _words(phrase: tuple[str, ...]) -> str:
    return f"<bdi>{escape(visible(' '.join(phrase)))}</bdi>"


def _figures(score: Score) -> str:
    values = (getattr(score, name) for name in FIGURES)
    return _table(
        FIGURES, [tuple(f"{v:.4f}" if isinstance(v, float) and v % 1 else f"{v:g}" for v in values)]
    )


def _table(titles: Iterable[str], rows: Iterable[tuple[str, ...]]) -> str:
    head = "".join(
        f'<th style="{CELL};font-weight:normal;opacity:.75">{escape(each)}</th>' for each in titles
    )
    body = "".join(
        "<tr style='background:none'>"
        + "".join(f'<td style="{CELL}">{escape(c)}</td>' for c in row)
        + "</tr>"
        for row in rows
    )
    return (
        f'<table style="border-collapse:collapse;color:inherit"><tr style="background:none">{head}</tr>{body}'
        "</table>"
    )

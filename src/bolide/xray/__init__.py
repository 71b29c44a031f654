"""X-ray: shows why a system got its score, segment by segment, as one web page.

    from bolide import xray

    xray.report({"one": hypotheses, "two": others}, references, output="report.html")

    found = xray.of_texts({"one": hypotheses}, references)          # or xray.of_java(["system-align.out"])
    found.alignment("one", 16)                                      # the 17th segment's alignment
    xray.write_figure(found, "alignment:17", "figure.svg")

model.py            what is shown           from_texts.py, from_java.py   where it comes from
annotations.py      tags, labels            words.py, groups.py           words and groups of its systems
scores.py           other metrics           score_files.py                their files
payload.py          as data for the page    page.py, page/                the page
plots.py, figures/  as pictures             terminal/, filters.py         in a terminal
"""

from __future__ import annotations

import os
from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import Any

from bolide.comparison import significance
from bolide.comparison.compare import ComparisonOptions, Test
from bolide.errors import InputError
from bolide.inputs.segments import ReferenceLayout, Text
from bolide.scoring.meteor import Meteor
from bolide.xray.annotations import Annotations
from bolide.xray.files import AnyPath, check_output, write_figure, write_report
from bolide.xray.from_java import of_java
from bolide.xray.from_texts import of_texts
from bolide.xray.model import Segment, Xray, XrayModule, XrayPair, XraySystem
from bolide.xray.scores import OtherScores

__all__ = [
    "Annotations",
    "OtherScores",
    "Segment",
    "Xray",
    "XrayModule",
    "XrayPair",
    "XraySystem",
    "of_java",
    "of_texts",
]
__all__ += ["report", "write_figure", "write_report"]

WORDS_ONLY = (
    "metrics need the texts, but alignment files by Java have only the words that METEOR sees; give the "
    "scores of other metrics in a file"
)


def report(
    systems: Mapping[str, Sequence[Text]] | Sequence[AnyPath] | AnyPath,
    references: Sequence[Any] | None = None,
    *,
    output: AnyPath,
    meteor: Meteor | None = None,
    sources: Sequence[str] | None = None,
    documents: Sequence[str] | None = None,
    layout: ReferenceLayout | None = None,
    title: str | None = None,
    annotations: Annotations | None = None,
    metrics: Sequence[str] = (),
    scores: Sequence[OtherScores] = (),
    test: Test = "bootstrap",
    samples: int | None = None,
    seed: int = significance.SEED,
) -> Xray:
    """Writes the report of systems to one self-contained HTML file, and returns the X-ray.

    `systems` is a dictionary of hypotheses by the name of the system, with their `references`; or a list of
    alignment files by Java, which include the references. The other arguments are those of `of_texts` and
    `bolide.compare`.
    """
    check_output(output)
    options = ComparisonOptions(test=test, samples=samples, seed=seed)
    about: dict[str, Any] = {"sources": sources, "title": title, "annotations": annotations, "scores": scores}
    if isinstance(systems, Mapping):
        if references is None:
            raise InputError("references are missing: every segment needs at least one")
        about |= {"documents": documents, "layout": layout, "metrics": metrics}
        found = of_texts(systems, references, meteor, options, **about)
    else:
        if references is not None or documents is not None:
            raise InputError(
                "systems must be a dictionary: name of the system to its hypotheses; alignment files by Java "
                "have their own references and documents"
            )
        if metrics:
            raise InputError(WORDS_ONLY)
        files = [systems] if isinstance(systems, (str, os.PathLike)) else systems
        found = of_java(files, meteor or Meteor(), options, **about)
    found = replace(found, written=os.fspath(output))
    write_report(found, output)
    return found

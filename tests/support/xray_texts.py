"""Texts for the tests of the X-ray: two systems, two references, sources."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

import bolide
from bolide import Meteor
from bolide.xray import Annotations, OtherScores, Xray, of_texts

SYSTEMS = {
    "north": [
        "The ferries leave at nine.",
        "A cat sleeps on the old wall.",
        "Nobody had read the letter",
        "He has to go.",
    ],
    "south": ["At nine the ferry leaves.", "The cat slept on a wall.", "No one read that letter.", "no"],
}
REFERENCES = [
    ["The ferry leaves at nine.", "At nine the ferry departs."],
    ["The cat sleeps on the old wall.", "On the old wall a cat is asleep."],
    ["Nobody had read the letter.", "The letter had not been read by anyone."],
    ["He must go.", "It is time for him to go."],
]
SOURCES = ["Die Fähre fährt um neun.", "Die Katze schläft.", "<b>Niemand</b>", ""]


SCHEMA = json.loads((Path(bolide.__file__).parent / "xray" / "payload.schema.json").read_text("utf-8"))


def validate(data: dict[str, Any]) -> None:
    """Raise an error if a payload does not match the schema."""
    jsonschema = pytest.importorskip("jsonschema")
    jsonschema.Draft202012Validator.check_schema(SCHEMA)
    jsonschema.Draft202012Validator(SCHEMA).validate(data)


TAGS: dict[str, list[Any]] = {"domain": ["sea", "home|<b>old</b>", "home", None], "edits": [0.5, 1, 2, 3]}
LABELS = [
    [
        "DET NOUN VERB ADP NUM PUNCT",
        "DET NOUN VERB ADP DET ADJ NOUN PUNCT",
        "PRON AUX VERB DET NOUN|<i>object</i> PUNCT",
        "PRON AUX VERB PUNCT",
    ],
    [
        "ADP NUM DET NOUN VERB PUNCT",
        "ADP DET ADJ NOUN DET NOUN VERB ADJ PUNCT",
        "DET NOUN AUX PART AUX VERB ADP PRON PUNCT",
        "PRON VERB NOUN ADP PRON PART VERB PUNCT",
    ],
]


# Scores by other metrics. Low edit rates are good; one score is not known.
SCORES = (
    OtherScores("<i>fluency</i>", {"north": [0.9, 0.5, 0.75, None], "south": [0.8, 0.5, 0.9, 0.1]}),
    OtherScores("edit rate", {"north": [20.0, 0.0, 40.0, 60.5], "south": [80.0, 25.0, 20.0, 100.0]}, False),
)


def small(meteor: Meteor, annotations: Annotations | None = None, **more: Any) -> Xray:
    about: dict[str, Any] = {"sources": SOURCES, "layout": "segments", "title": "Ferries", **more}
    return of_texts(SYSTEMS, REFERENCES, meteor, annotations=annotations, **about)


def annotated(meteor: Meteor) -> Xray:
    """The same with tags, labels and other scores."""
    labels = [[line.split() for line in lines] for lines in LABELS]
    return small(meteor, Annotations(TAGS, labels), scores=SCORES)

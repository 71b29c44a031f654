"""Systems of our own for the tests of the X-ray: two of them, two references, sources."""

from __future__ import annotations

from bolide import Meteor
from bolide.xray import Xray, of_texts

SYSTEMS = {
    "north": [
        "The ferries leave at nine.",
        "A cat sleeps on the old wall.",
        "Nobody had read the letter",
        "yes",
    ],
    "south": ["At nine the ferry leaves.", "The cat slept on a wall.", "No one read that letter.", "no"],
}
REFERENCES = [
    ["The ferry leaves at nine.", "At nine the ferry departs."],
    ["The cat sleeps on the old wall.", "On the old wall a cat is asleep."],
    ["Nobody had read the letter.", "The letter had not been read by anyone."],
    ["Yes.", "Yes indeed."],
]
SOURCES = ["Die Fähre fährt um neun.", "Die Katze schläft.", "<b>Niemand</b>", ""]


def small(meteor: Meteor) -> Xray:
    return of_texts(SYSTEMS, REFERENCES, meteor, sources=SOURCES, layout="segments", title="Ferries")

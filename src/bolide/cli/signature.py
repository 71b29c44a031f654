"""`bolide signature`: what a signature means, and whether its scorer can be made here."""

from __future__ import annotations

import warnings

from bolide.cli.option_groups import argument
from bolide.errors import BolideError
from bolide.scoring.meteor import Meteor
from bolide.scoring.signature import Signature


def signature(
    text: str = argument("SIGNATURE", "A signature, as printed below scores; in quotes."),
    other: str | None = argument(
        "[SIGNATURE]", "A second signature, to compare with the first.", default=None
    ),
) -> None:
    """Explain a signature, or show how two signatures differ."""
    found = Signature.parse(text)
    if other is None:
        _describe(found)
        return
    for key, (one, two) in found.difference(Signature.parse(other)).items():
        print(f"{key:<9} {one or '-':<20} {two or '-'}")


def _describe(found: Signature) -> None:
    rows = found.described()
    width = max(len(value) for _, value, _ in rows)
    for key, value, meaning in rows:
        print(f"{key:<9} {value:<{width}}  {meaning}")
    print(f"\nshort     {found.format('short')}")
    with warnings.catch_warnings(record=True) as warned:
        warnings.simplefilter("always")
        try:
            meteor = Meteor.from_signature(found)
        except BolideError as error:
            print(f"reproducible here: no: {error}")
            return
    print(f"long      {found.format('long')}")
    if eval_id := meteor.get_eval_id():
        print(f"Eval ID   {eval_id}")
    print("; ".join(["reproducible here: yes", *(str(each.message) for each in warned)]))

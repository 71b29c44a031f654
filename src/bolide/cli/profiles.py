"""`bolide profiles`: which METEORs there are."""

from __future__ import annotations

from typing import Annotated

import typer

from bolide import profiles as known


def profiles(
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="Show this one instead; may be a file NAME.toml.")
    ] = None,
) -> None:
    """List the profiles, or show one: a file to copy and change for a profile of your own."""
    if name is not None:
        print(known.text(name), end="")
        return
    width = max(map(len, known.names()))
    for each in known.names():
        print(f"{each:{width}}  {known.get(each).description}")

"""`bolide profiles`: the METEORs that bolide computes."""

from __future__ import annotations

from typing import Annotated

import typer

from bolide import profiles as known


def profiles(
    name: Annotated[
        str | None, typer.Argument(metavar="NAME", help="Show this profile; may be a file NAME.toml.")
    ] = None,
) -> None:
    """List the profiles, or show one, to copy and change it for a custom profile."""
    if name is not None:
        print(known.text(name), end="")
        return
    width = max(map(len, known.names()))
    for each in known.names():
        print(f"{each:{width}}  {known.get(each).description}")

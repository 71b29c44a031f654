"""`bolide profiles`: the METEORs that bolide computes."""

from __future__ import annotations

from bolide import profiles as known
from bolide.cli.option_groups import argument


def profiles(
    name: str | None = argument("NAME", "Profile to print, or a file NAME.toml.", default=None),
) -> None:
    """List the profiles, or print one, for example to make a custom profile from it."""
    if name is not None:
        print(known.text(name), end="")
        return
    width = max(map(len, known.names()))
    for each in known.names():
        print(f"{each:{width}}  {known.get(each).description}")

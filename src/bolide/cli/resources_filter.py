"""`bolide resources filter`: a small pack, for one test set."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated

import typer

from bolide._support import checks
from bolide.cli.input_options import check_inputs, check_outputs
from bolide.cli.option_groups import option
from bolide.profiles import CHOICES

GZIP = ".gz"


def filter_pack(
    pack: Annotated[
        str,
        typer.Argument(
            metavar="PACK", help="A language, the folder of a pack, or a Meteor file (paraphrase-en.gz)."
        ),
    ],
    corpus: Annotated[
        list[str],
        option("--corpus", metavar="REF", text="References, one segment per line; repeat for several."),
    ],
    output: Annotated[
        Path | None,
        option(
            *("--output", "-o"),
            metavar="PLACE",
            text="Folder of the new pack, or new file (.gz). Default: PACK.filtered in the current folder.",
        ),
    ] = None,
    normalize: Annotated[
        list[str] | None,
        option(
            metavar="NAME",
            text="Keep only what this normalisation needs; repeat for several. Default: all.",
        ),
    ] = None,
    language: Annotated[
        str, option("--language", "-l", metavar="NAME", text="Language of a Meteor file.")
    ] = "en",
) -> None:
    """Reduce a pack to the paraphrases that a test set can need: same scores, small enough to share.

    Score with `--resources PLACE`. The Java release and `bolide java` read a file with `-a PLACE`.
    """
    from bolide.learning import filtered_packs

    ways = normalize or filtered_packs.NORMALIZATIONS
    for way in ways:
        checks.choice("normalize", way, CHOICES["normalize"])
    base, dot, _ = Path(pack).name.partition(GZIP)
    place = output or Path(f"{base}.filtered{dot}")
    check_inputs(*corpus)
    if pack.endswith(GZIP):
        check_inputs(pack)
        check_outputs(place)
        count = filtered_packs.filter_file(pack, corpus, place, language=language, normalize=ways)
        typer.echo(f"{place}: {counted(count, 'paraphrases')}")
        return
    check_outputs(place / "pack" if place.is_dir() else place)
    made = filtered_packs.filter_pack(pack, corpus, place, normalize=ways)
    count = made.counts["paraphrases"]
    typer.echo(f"{place} ({made.hash}): {counted(count, 'paraphrases')}, {made.bytes:,} bytes")


def counted(count: int, label: str) -> str:
    """A count of a manifest in words.

    >>> counted(1, "paraphrases"), counted(1, "words with synsets"), counted(5270, "paraphrases")
    ('1 paraphrase', '1 word with synsets', '5,270 paraphrases')
    """
    if count == 1:
        label = re.sub(r"(?<=x)es\b|s\b", "", label, count=1)  # the first plural: prefixes before numbers
    return f"{count:,} {label}"

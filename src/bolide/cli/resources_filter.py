"""`bolide resources filter`: a small pack, for one test set."""

from __future__ import annotations

import re
from pathlib import Path
from typing import Annotated

import typer

OUTPUT = "The new pack's folder, or file (.gz). Default: PACK.filtered, here."
NORMALIZE = "Only what this way to normalise needs; repeat for several. Default: all of them."


def filter_pack(
    pack: Annotated[
        str,
        typer.Argument(
            metavar="PACK", help="A language, the folder of a pack, or a file of Meteor's (paraphrase-en.gz)."
        ),
    ],
    corpus: Annotated[
        list[str],
        typer.Option("--corpus", metavar="REF", help="References, a segment a line; repeat for several."),
    ],
    output: Annotated[
        Path | None, typer.Option("--output", "-o", metavar="PLACE", help=OUTPUT, show_default=False)
    ] = None,
    normalize: Annotated[list[str] | None, typer.Option(metavar="NAME", help=NORMALIZE)] = None,
    language: Annotated[
        str, typer.Option("--language", "-l", metavar="NAME", help="Of a file: its language.")
    ] = "en",
) -> None:
    """Reduce a pack to the paraphrases that a test set can need: same scores, small enough to share.

    Score with `--resources PLACE`; with Java's release, or `bolide java`, `-a PLACE` takes a file.
    """
    from bolide.learning import filtered_packs

    ways = normalize or filtered_packs.NORMALIZATIONS
    base, dot, _ = Path(pack).name.partition(".gz")
    output = output or Path(f"{base}.filtered{dot}")
    if pack.endswith(".gz"):
        count = filtered_packs.filter_file(pack, corpus, output, language=language, normalize=ways)
        typer.echo(f"{output}: {counted(count, 'paraphrases')}")
        return
    made = filtered_packs.filter_pack(pack, corpus, output, normalize=ways)
    count = made.counts["paraphrases"]
    typer.echo(f"{output} ({made.hash}): {counted(count, 'paraphrases')}, {made.bytes:,} bytes")


def counted(count: int, label: str) -> str:
    """So many of what a manifest counts, in words.

    >>> counted(1, "paraphrases"), counted(1, "words with synsets"), counted(5270, "paraphrases")
    ('1 paraphrase', '1 word with synsets', '5,270 paraphrases')
    """
    if count == 1:
        label = re.sub(r"(?<=x)es\b|s\b", "", label, count=1)  # the first plural: prefixes before numbers
    return f"{count:,} {label}"

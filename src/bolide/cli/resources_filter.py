"""`bolide resources filter`: a small pack, for one test set."""

from __future__ import annotations

from pathlib import Path

import typer

from bolide._support import checks
from bolide._support.plurals import counted
from bolide.cli.input_options import check_inputs, check_outputs
from bolide.cli.option_groups import REQUIRED, argument, option
from bolide.profiles import CHOICES

GZIP = ".gz"


def filter_pack(
    pack: str = argument("PACK", "A language, the folder of a pack, or a Meteor file (paraphrase-en.gz)."),
    corpus: list[str] = option(
        "REF", "References, one segment per line; repeat for several.", "--corpus", default=REQUIRED
    ),
    output: Path | None = option(
        "PLACE",
        "Folder of the new pack, or new file (.gz). Default: PACK.filtered in the current folder.",
        "--output",
        "-o",
    ),
    normalize: list[str] | None = option(
        "NAME", "Normalization that you will score with; repeat for several. Default: all."
    ),
    language: str = option("NAME", "Language of a Meteor file.", "--language", "-l", default="en"),
) -> None:
    """Reduce a pack to the paraphrases that one test set needs. The scores stay the same.

    Score with `--resources PLACE`. If PLACE is a file, use `bolide java -a PLACE` or the Java release.
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

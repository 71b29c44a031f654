"""Options of the commands that compare systems or metrics, and print tables of them."""

from __future__ import annotations

from enum import Enum
from typing import Annotated, Any

from bolide.cli.option_groups import OPTIONS, Panel, info


class OutputFormat(str, Enum):
    text = "text"
    json = "json"
    tsv = "tsv"
    markdown = "markdown"
    latex = "latex"


class SystemTest(str, Enum):
    bootstrap = "bootstrap"
    randomization = "randomization"
    none = "none"


SamplesOption = Annotated[
    int | None,
    info("NUMBER", "Samples for the test and the intervals; default: 1000, 10000 for randomization."),
]
SeedOption = Annotated[int, info("NUMBER", "Seed of the samples.")]


def decimals(default: int, panel: Panel = OPTIONS) -> Any:
    """The option --width."""
    text = f"Number of decimals; default: {default}, all in json and tsv."
    return panel.option("NUMBER", text, least=0, most=17)

"""The options for files with tags of segments, labels and frequencies of words."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from bolide.cli.input_options import check_inputs
from bolide.cli.option_groups import Panel
from bolide.errors import ConfigurationError

if TYPE_CHECKING:
    from bolide.xray.annotations import Annotations

PANEL = Panel("Groups and words")


@dataclass(frozen=True)
class AnnotationOptions:
    """What the user knows about segments and words."""

    tags: str | None = PANEL.option(
        "FILE",
        "Tags of the segments, one line per segment, with tabs between columns. The first line may "
        "be a header.",
    )
    labels: list[str] | None = PANEL.option(
        "FILE",
        "Labels of the words of a reference, such as parts of speech: one line per segment, with spaces "
        "between labels. Repeat it for each reference.",
    )
    hyp_labels: list[str] | None = PANEL.option(
        "FILE", "Labels of the words of a system; repeat it for each HYP, in the same order."
    )
    frequencies: str | None = PANEL.option(
        "FILE",
        "Frequencies of words, such as those in the training data: lines of a word, a tab and a count.",
    )

    alignment: list[str] | None = PANEL.option(
        "FILE",
        "Alignment of the words of the source with those of a reference, one line of links such as 0-0 1-2 "
        "per segment. Repeat it for each reference.",
    )
    media: str | None = PANEL.option(
        "FILE",
        "Pictures, sounds or videos of the segments: one file or address per line, relative to FILE. Small "
        "files become part of the report; others are links.",
    )
    source_labels: str | None = PANEL.option("FILE", "Labels of the words of the source.")

    def check(self, *, source: bool) -> None:
        """Fails if a file cannot be read, or options do not fit."""
        check_inputs(self.tags, *(self.labels or ()), *(self.hyp_labels or ()), self.frequencies)
        check_inputs(*(self.alignment or ()), self.source_labels, self.media)
        if self.alignment and not source:
            raise ConfigurationError("--alignment needs --source, the texts that were aligned")
        if self.source_labels and not self.alignment:
            raise ConfigurationError("--source-labels needs --alignment, of the source with the reference")
        if self.hyp_labels and not self.labels:
            raise ConfigurationError("--hyp-labels needs --labels, the labels of the references")

    def read(
        self, segments: int, systems: Sequence[str], sources: Sequence[str] | None = None
    ) -> Annotations:
        """The annotations of this number of segments, for these systems and sources."""
        from bolide.inputs import annotations as files
        from bolide.xray.annotations import Annotations
        from bolide.xray.media import read_media

        given = self.hyp_labels or []
        if given and len(given) != len(systems):
            raise ConfigurationError(
                f"--hyp-labels is given {len(given)} times for {len(systems)} systems; give it once "
                "for each HYP"
            )
        found = Annotations(
            tags={} if self.tags is None else files.read_tags(self.tags, segments),
            labels=tuple(files.read_labels(name, segments) for name in self.labels or ()),
            system_labels={
                system: files.read_labels(name, segments)
                for system, name in zip(systems, given, strict=False)
            },
            frequencies=None if self.frequencies is None else files.read_frequencies(self.frequencies),
            alignments=tuple(files.read_alignment(name, segments) for name in self.alignment or ()),
            media=None if self.media is None else read_media(self.media, segments),
            source_labels=self.source_labels and files.read_labels(self.source_labels, segments),
        )
        return found.of_sources(sources or ())

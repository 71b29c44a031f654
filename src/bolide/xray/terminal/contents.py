"""The views of a segment as lines: the alignment with reasons, the matrix, and the arithmetic."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

from rich.console import Console, ConsoleOptions
from rich.text import Text

from bolide._support.palette import INK
from bolide._support.visible import visible
from bolide.explanation import arithmetic, drawing
from bolide.explanation import explanation as explain
from bolide.explanation.drawing import in_place
from bolide.formula.statistics import COMPONENTS
from bolide.profiles import UNITS
from bolide.scoring.alignment import Alignment
from bolide.xray.filters import Selection
from bolide.xray.model import Xray
from bolide.xray.terminal import matrix

VIEWS = ("alignment", "matrix", "arithmetic")
FAINT = "dim"
BLOCK = 4  # lines of a drawing: hypothesis, marks, reference, and an empty line
UNKNOWN = "The parameters of the Java run are not known, so the arithmetic of these values cannot be shown."


@dataclass(frozen=True)
class Contents:
    """The views of a segment for a selection. `reference` is None for the best reference of A."""

    xray: Xray
    selection: Selection
    segment: int
    reference: int | None = None
    view: str = VIEWS[0]

    def __rich_console__(self, console: Console, options: ConsoleOptions) -> Iterator[Text]:
        yield from self.lines(options.max_width)

    def lines(self, width: int) -> Iterator[Text]:
        """The lines of the view for this width. A matrix may be wider."""
        if self.view == "matrix":
            yield from matrix.matrix(self.alignments)
        elif self.view == "arithmetic":
            yield from self._arithmetic()
        else:
            yield from self._alignment(width)

    # ---- the selection ---------------------------------------------------------------------------

    @property
    def shown(self) -> int:
        """The reference that is shown."""
        return (
            self.xray.best(self.selection.system, self.segment) if self.reference is None else self.reference
        )

    def alignment(self, system: int) -> Alignment | None:
        """The alignment of a system with the shown reference; None if Java did not write it."""
        if self.shown not in self.xray.references(system, self.segment):
            return None
        counts = self.reference is None and self.shown == self.xray.best(system, self.segment)
        return self.xray.alignment(system, self.segment, None if counts else self.shown)

    @property
    def systems(self) -> list[int]:
        """A, and B if there is one."""
        against = self.selection.against
        return [self.selection.system, *([] if against is None else [against])]

    @property
    def alignments(self) -> list[Alignment]:
        return [found for found in map(self.alignment, self.systems) if found is not None]

    @property
    def text(self) -> Text:
        """The heading of all views: segment, reference and scores."""
        segment = self.xray.segments[self.segment]
        found = Text(f"segment {segment.number}", style="bold", no_wrap=True, overflow="ellipsis")
        for name in (segment.name, segment.document):
            if name is not None:
                found.append(f"  {visible(name)}", style="not bold dim")
        if (count := len(segment.references)) > 1:
            best = " (best of A)" if self.shown == self.xray.best(self.selection.system, self.segment) else ""
            found.append(f"  reference {self.shown + 1} of {count}{best}", style="not bold")
        for letter, system in zip("AB", self.systems, strict=False):
            score = self.alignment(system)
            shown = "—" if score is None else f"{score.score.score:.4f}"
            found.append(f"  {letter} ", style="not bold dim")
            found.append(in_place(visible(self.xray.systems[system].name)) + " ", style="not bold")
            found.append(shown)
        return found

    # ---- views -----------------------------------------------------------------------------------

    def _alignment(self, width: int) -> Iterator[Text]:
        source = self.xray.segments[self.segment].source
        if source is not None:
            yield Text.assemble(("source      ", FAINT), visible(source))
            yield Text()
        for letter, system in zip("AB", self.systems, strict=False):
            alignment = self.alignment(system)
            if len(self.systems) > 1:
                name = visible(self.xray.systems[system].name)
                yield Text(f"{letter}  {name}", style="bold underline" if letter == "A" else "bold")
            if alignment is None:
                yield Text("no alignment with this reference", style=FAINT)
            else:
                yield from self._picture(alignment, width)
                yield from self._left_out(system, alignment)
                yield from self._other_scores(system)
            yield Text()

    def _left_out(self, system: int, alignment: Alignment) -> Iterator[Text]:
        """One line per match that the search left out, and what counts them."""
        found = self.xray.systems[system].left_out.get(int(self.xray.starts[self.segment]) + self.shown, ())
        if not found:
            return
        yield Text()
        yield Text("left out by the search; --aligner exact counts these words:", style=FAINT)
        for each in found:
            ours = alignment.hypothesis[each.hypothesis_start :][: each.hypothesis_length]
            theirs = alignment.reference[each.reference_start :][: each.reference_length]
            why = self.xray.why(each.stage, ours, theirs)
            yield _match_line(each.stage, each.module, " ".join(ours), " ".join(theirs), why)

    def _other_scores(self, system: int) -> Iterator[Text]:
        """The scores by other metrics, in one line."""
        name, size = self.xray.systems[system].name, len(self.xray.segments)
        values = [(each, each.values(name, size)[self.segment]) for each in self.xray.scores]
        shown = [
            f"{visible(each.name)}{'' if each.rises else ' ↓'} {'—' if value != value else f'{value:g}'}"
            for each, value in values
        ]
        yield from ([Text(), Text("  ".join(shown))] if shown else [])

    def _picture(self, alignment: Alignment, width: int) -> Iterator[Text]:
        if not alignment.hypothesis and not alignment.reference:
            yield Text("no words", style=FAINT)
        for number, line in enumerate(drawing.lines(alignment, width)):
            of_marks = number % BLOCK == 1
            pieces = [
                (text, FAINT if of_marks else _style(m.stage) if m and text.strip() else "")
                for text, m in line
            ]
            yield Text.assemble(*pieces, no_wrap=True)
        why = list(self._reasons(alignment))
        yield from ([Text(), *why] if why else [])

    def _reasons(self, alignment: Alignment) -> Iterator[Text]:
        """One line per match of different words."""
        for match in alignment.matches:
            ours, theirs = (" ".join(words) for words in alignment.phrases(match))
            if ours != theirs:
                yield _match_line(match.stage, match.module, ours, theirs, self.xray.reason(alignment, match))

    def _arithmetic(self) -> Iterator[Text]:
        for letter, system in zip("AB", self.systems, strict=False):
            if len(self.systems) > 1:
                yield Text(f"{letter}  {visible(self.xray.systems[system].name)}", style="bold")
            alignment = self.alignment(system)
            if alignment is not None:
                yield from self._computed(system, alignment)
            yield Text()
        for note in (*self.xray.notes, self.xray.signature):
            if note:
                yield Text(visible(note), style=FAINT)

    def _computed(self, system: int, alignment: Alignment) -> Iterator[Text]:
        xray, score = self.xray, alignment.score
        if xray.parameters is None:
            for name in COMPONENTS:
                yield Text(f"{name:<13} = {getattr(score, name):.6f}")
            yield Text(UNKNOWN, style=FAINT)
            return
        rows = xray.system(system).rows
        whole = xray.united and self.reference is None
        row = (
            rows.statistics[self.segment]
            if whole
            else rows.row_statistics[xray.starts[self.segment] + self.shown]
        )
        unit = UNITS[xray.unit]
        modules = tuple(module.name for module in xray.modules)
        for line in explain.aligned(arithmetic.table(row, modules, xray.parameters, unit)):
            yield Text(line, no_wrap=True)
        yield Text()
        for step in arithmetic.arithmetic(row, xray.parameters, unit, functions=xray.functions):
            yield Text(str(step))
        if score.bounded:
            yield Text("the search reached its limit: the alignment is approximate", style=FAINT)
        elif not score.optimal:
            yield Text("the alignment is not proven optimal", style=FAINT)


def _match_line(stage: int, module: str, ours: str, theirs: str, why: str | None) -> Text:
    return Text.assemble(
        " " * len(drawing.LABELS[0]),
        (f" {visible(module)} ", _style(stage)),
        f" {in_place(visible(ours))} = {in_place(visible(theirs))}",
        (f"  ({visible(why)})" if why else "", FAINT),
    )


def _style(stage: int) -> str:
    return f"{INK} on {matrix.colour(stage)}"

"""The list of segments: number, the score of each system, A − B, length and text.

Only visible lines are rendered, so the list can have any length, and filters respond at once.
"""

from __future__ import annotations

from functools import cached_property
from typing import ClassVar

from rich.cells import cell_len
from rich.text import Text
from textual import events
from textual.binding import Binding, BindingType
from textual.geometry import Region, Size, Spacing
from textual.message import Message
from textual.scroll_view import ScrollView
from textual.strip import Strip

from bolide._support.visible import visible
from bolide.explanation.drawing import in_place
from bolide.xray.filters import Selection, Shelf
from bolide.xray.terminal.matrix import shortened

WIDEST_NAME = 12
SCORE = 6  # width of a score: 0.1234
HEAD = 1  # lines above the segments
FAINT = "dim"


class SegmentList(ScrollView, can_focus=True):
    """A list of segments, one of which is selected."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("down,j", "move(1)", show=False),
        Binding("up,k", "move(-1)", show=False),
        Binding("pagedown", "page(1)", show=False),
        Binding("pageup", "page(-1)", show=False),
        Binding("home", "edge(0)", show=False),
        Binding("end", "edge(-1)", show=False),
    ]
    COMPONENT_CLASSES: ClassVar[set[str]] = {"segment-list--cursor", "segment-list--head"}

    class Chosen(Message):
        """Another segment was selected; None if the list is empty."""

        def __init__(self, segment: int | None) -> None:
            super().__init__()
            self.segment = segment

    def __init__(self, shelf: Shelf, id: str) -> None:  # noqa: A002  (Textual's)
        super().__init__(id=id)
        self.shelf = shelf
        self.selection = Selection()
        self.segments: list[int] = []
        self.cursor = 0

    @property
    def segment(self) -> int | None:
        """The selected segment."""
        return self.segments[self.cursor] if self.segments else None

    def show(self, segments: list[int], selection: Selection) -> None:
        """Shows other segments. Keeps the selected one if it is in the list and the order is the same."""
        same = (self.selection.order, self.selection.reverse) == (selection.order, selection.reverse)
        before = self.segment if same else None
        self.segments, self.selection = segments, selection
        self.virtual_size = Size(0, len(segments) + HEAD)
        place = segments.index(before) if before in segments else 0
        self.choose(place)

    def choose(self, place: int) -> None:
        self.cursor = max(0, min(place, len(self.segments) - 1))
        line = Region(0, self.cursor + HEAD, 1, 1)
        self.scroll_to_region(line, spacing=Spacing(top=HEAD), animate=False, force=True)
        self.refresh()
        self.post_message(self.Chosen(self.segment))

    def action_move(self, step: int) -> None:
        self.choose(self.cursor + step)

    def action_page(self, step: int) -> None:
        self.choose(self.cursor + step * max(self.size.height - HEAD - 1, 1))

    def action_edge(self, place: int) -> None:
        self.choose(place % max(len(self.segments), 1))

    def on_click(self, event: events.Click) -> None:
        place = event.get_content_offset_capture(self).y - HEAD + self.scroll_offset.y
        if 0 <= place < len(self.segments):
            self.choose(place)

    # ---- lines -----------------------------------------------------------------------------------

    def render_line(self, y: int) -> Strip:
        place, width = y - HEAD + self.scroll_offset.y, self.scrollable_content_region.width
        if place >= len(self.segments) and y >= HEAD:
            return Strip.blank(width, self.rich_style)
        line, style = self.head() if y < HEAD else self.line(self.segments[place]), self.rich_style
        if y < HEAD:
            style += self.get_component_rich_style("segment-list--head", partial=True)
        elif place == self.cursor:
            style += self.get_component_rich_style("segment-list--cursor", partial=True)
            line.spans.clear()  # colours would be hard to read on the cursor
        line.truncate(width, overflow="ellipsis", pad=True)
        return Strip(line.render(self.app.console), width).apply_style(style).crop(0, width)

    def line(self, segment: int) -> Text:
        """The line of a segment."""
        shelf, chosen = self.shelf, self.selection
        scores = shelf.scores[:, segment].tolist()
        found = Text(no_wrap=True)
        found.append(f"{segment + 1:>{self._number_width}}", style=FAINT)
        for system in self._columns:
            best = len(scores) > 1 and scores[system] == max(scores)
            style = "bold" if best else "" if system in (chosen.system, chosen.against) else FAINT
            found.append(f"{scores[system]:>{self._widths[system] + 2}.4f}", style=style)
        if chosen.against is not None:
            lead = scores[chosen.system] - scores[chosen.against]
            found.append(f"{lead:>+9.4f}", style="green" if lead > 0 else "red" if lead < 0 else FAINT)
        found.append(f"{shelf.lengths(chosen.system)[segment]:>7}  ", style=FAINT)
        words = shelf.xray.systems[chosen.system].hypotheses[segment]
        text = Text(in_place(visible(" ".join(words))))
        if chosen.text:
            text.highlight_words([chosen.text], "reverse", case_sensitive=False)
        return found.append_text(text)

    def head(self) -> Text:
        """The header line."""
        chosen = self.selection
        found = Text(f"{'#':>{self._number_width}}", no_wrap=True)
        for system in self._columns:
            name, width = self._names[system], self._widths[system]
            label = shortened(name, width)
            style = (
                "bold underline" if system == chosen.system else "bold" if system == chosen.against else ""
            )
            found.append(" " * (width + 2 - cell_len(label)))
            found.append(in_place(label), style=style)
        if chosen.against is not None:
            found.append(f"{'A − B':>9}")
        found.append(f"{'words':>7}  text of A")
        return found

    @property
    def _columns(self) -> list[int]:
        """The systems with a column: A, B, and others, if half of the width remains for text."""
        chosen, room = self.selection, self.size.width // 2 - self._number_width
        found = [system for system in (chosen.system, chosen.against) if system is not None]
        room -= sum(self._widths[system] + 2 for system in found)
        for system, width in enumerate(self._widths):
            if system not in found and width + 2 <= room:
                found.append(system)
                room -= width + 2
        return sorted(found)

    @cached_property
    def _number_width(self) -> int:
        return max(len(str(len(self.shelf.xray.segments))), 3) + 1

    @cached_property
    def _names(self) -> list[str]:
        return [visible(system.name) for system in self.shelf.xray.systems]

    @cached_property
    def _widths(self) -> list[int]:
        return [max(SCORE, min(cell_len(name), WIDEST_NAME)) for name in self._names]

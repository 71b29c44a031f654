"""The browser: a list of segments above, the selected segment below.

KEYS has one row per key, for the bindings, the footer and the help.
"""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import ClassVar

from rich.text import Text
from textual import on
from textual.app import App, ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import ScrollableContainer, Vertical
from textual.widgets import Footer, Static

from bolide._support.visible import visible
from bolide.xray.filters import ORDERS, Selection, Shelf, described, select
from bolide.xray.model import Xray
from bolide.xray.terminal.contents import VIEWS, Contents
from bolide.xray.terminal.form import FilterForm, GoTo, Help
from bolide.xray.terminal.segment_list import SegmentList

# Textual's name of the key, its label, the action, its description, and its name in the footer, if any.
KEYS = (
    ("question_mark", "?", "help", "this help", "help"),
    ("q", "q", "quit", "quit", "quit"),
    ("j", "j ↓", "step(1)", "next segment", "next"),
    ("k", "k ↑", "step(-1)", "previous segment", "previous"),
    ("g", "g", "go_to", "go to a segment by its number", ""),
    ("enter", "Enter", "alone", "hide or show the list", ""),
    ("escape", "Esc", "together", "back to the list", ""),
    ("a", "a", "view('alignment')", "alignment: matched words, and why they match", "alignment"),
    ("m", "m", "view('matrix')", "matrix of A and B", "matrix"),
    ("equals_sign", "=", "view('arithmetic')", "arithmetic of the score", "arithmetic"),
    ("s", "s", "system(1)", "next system as A", "system"),
    ("S", "S", "system(-1)", "previous system as A", ""),
    ("b", "b", "against", "next system as B", ""),
    ("c", "c", "compare", "comparison with B on or off", "compare"),
    ("x", "x", "swap", "swap A and B", ""),
    ("n", "n", "reference", "next reference", "reference"),
    ("slash", "/", "filters('text')", "search for text", "search"),
    ("f", "f", "filters('low')", "filters and order", "filter"),
    ("w", "w", "wins", "only segments where A beats B, or all", ""),
    ("u", "u", "clear", "clear the filters", ""),
    ("o", "o", "order", "next order of the segments", "order"),
    ("O", "O", "reverse", "reverse the order", ""),
    ("t", "t", "theme", "theme: dark or light", ""),
)
THEMES = ("textual-dark", "textual-light")
MORE_KEYS = (
    ("PgUp PgDn Home End", "scroll the list or the segment"),
    ("Tab", "switch between list and segment"),
)
NOTES = (
    "A is the selected system (underlined in the list), B the one it is compared with. The best score of a"
    " segment is bold.",
    "Under a word are the number of its chunk and the module that matched it. ↓ and ↑ mean that the matching"
    " word is not directly below or above.",
    "Orders: segment, as in the files; score of A, lowest first; difference A − B, spread of all systems, and"
    " length, largest first.",
)


class Browser(App[None]):
    """The application."""

    CSS_PATH = Path(__file__).with_name("browser.tcss")
    TITLE = "X-ray"
    ENABLE_COMMAND_PALETTE = False
    BINDINGS: ClassVar[list[BindingType]] = [
        Binding(key, action, title or what, show=bool(title), key_display=shown.split()[0])
        for key, shown, action, what, title in KEYS
    ]

    def __init__(self, xray: Xray) -> None:
        super().__init__()
        self.xray = xray
        self.shelf = Shelf(xray)
        self.selection = Selection(against=1 if len(xray.systems) > 1 else None)
        self.reference: int | None = None
        self.shown_view = VIEWS[0]

    def compose(self) -> ComposeResult:
        yield Static(self._title(), id="title")
        with Vertical(id="segments"):
            yield SegmentList(self.shelf, id="list")
            yield Static(id="status")
        with Vertical(id="segment"):
            yield Static(id="name")
            with ScrollableContainer(id="scroll"):
                yield Static(id="contents")
        yield Footer(show_command_palette=False)

    def on_mount(self) -> None:
        self.list.focus()
        self.selected(self.selection)

    @property
    def list(self) -> SegmentList:
        return self.query_one("#list", SegmentList)

    # ---- display ---------------------------------------------------------------------------------

    def selected(self, selection: Selection) -> None:
        """Shows the segments of a selection."""
        self.selection = selection
        self.list.show(select(self.shelf, selection), selection)
        self.query_one("#status", Static).update(self._status())

    @on(SegmentList.Chosen)
    def chosen(self) -> None:
        self.reference = None
        self.query_one("#scroll").scroll_home(animate=False)
        self.redraw()

    def redraw(self) -> None:
        """Shows the selected segment."""
        segment = self.list.segment
        contents, name = self.query_one("#contents", Static), self.query_one("#name", Static)
        if segment is None:
            name.update(Text("no segment passes the filters; u clears them", style="dim"))
            contents.update("")
            return
        found = Contents(self.xray, self.selection, segment, self.reference, self.shown_view)
        contents.set_class(self.shown_view == "matrix", "wide")
        name.update(found.text)
        contents.update(found)

    def _title(self) -> Text:
        xray = self.xray
        counts = f"{len(xray.systems):,} systems, {len(xray.segments):,} segments"
        found = Text(f" X-ray  {visible(xray.title)}  ", style="bold", no_wrap=True, overflow="ellipsis")
        found.append(counts, style="not bold")
        return found

    def _status(self) -> Text:
        """The number of segments, the filters and the order."""
        selection, count = self.selection, len(self.list.segments)
        parts = [f"{count:,} of {len(self.xray.segments):,} segments"]
        if selection.filters:
            parts.append(f"only {visible(described(selection))}")
        if selection.order != "segment" or selection.reverse:
            parts.append(f"by {selection.order}" + (", reversed" if selection.reverse else ""))
        return Text("  ·  ".join(parts), no_wrap=True, overflow="ellipsis")

    # ---- keys ------------------------------------------------------------------------------------

    def action_step(self, step: int) -> None:
        self.list.action_move(step)

    def action_go_to(self) -> None:
        def go(segment: int | None) -> None:
            if segment is None:
                return
            if segment not in self.list.segments:
                self.selected(self.selection.cleared())
            self.list.choose(self.list.segments.index(segment))

        self.push_screen(GoTo(len(self.xray.segments)), go)

    def action_alone(self) -> None:
        self._apart(not self.has_class("alone"))

    def action_together(self) -> None:
        self._apart(False)

    def _apart(self, alone: bool) -> None:
        self.set_class(alone, "alone")
        (self.query_one("#scroll") if alone else self.list).focus()

    def action_view(self, view: str) -> None:
        self.shown_view = view
        self.query_one("#scroll").scroll_home(animate=False)
        self.redraw()

    def action_system(self, step: int) -> None:
        self._systems(self._next(self.selection.system, step, self.selection.against), self.selection.against)

    def action_against(self) -> None:
        if len(self.xray.systems) > 1:
            now = self.selection.system if self.selection.against is None else self.selection.against
            self._systems(self.selection.system, self._next(now, 1, self.selection.system))

    def action_compare(self) -> None:
        if self.selection.against is None:
            self.action_against()
        else:
            self._systems(self.selection.system, None)

    def action_swap(self) -> None:
        if self.selection.against is not None:
            self._systems(self.selection.against, self.selection.system)

    def _next(self, system: int, step: int, taken: int | None) -> int:
        """The next system that is not taken; the same system if there is no other."""
        count = len(self.xray.systems)
        places = ((system + step * k) % count for k in range(1, count + 1))
        return next((place for place in places if place != taken), system)

    def _systems(self, system: int, against: int | None) -> None:
        self.selected(replace(self.selection, system=system, against=against))

    def action_reference(self) -> None:
        """Shows the next reference for which A has an alignment."""
        segment = self.list.segment
        if segment is None:
            return
        known = self.xray.references(self.selection.system, segment)
        now = Contents(self.xray, self.selection, segment, self.reference).shown
        self.reference = known[(known.index(now) + 1) % len(known)]
        self.redraw()

    def action_filters(self, field: str) -> None:
        def change(selection: Selection | None) -> None:
            if selection is not None:
                self.selected(selection)

        form = FilterForm(self.xray, self.selection)
        self.push_screen(form, change)
        form.call_after_refresh(lambda: form.query_one(f"#{field}").focus())

    def action_wins(self) -> None:
        margin = 0.0 if self.selection.margin is None else None
        self.selected(replace(self.selection, margin=margin))

    def action_clear(self) -> None:
        self.selected(self.selection.cleared())

    def action_order(self) -> None:
        orders = list(ORDERS)
        after = orders[(orders.index(self.selection.order) + 1) % len(orders)]
        self.selected(replace(self.selection, order=after))

    def action_reverse(self) -> None:
        self.selected(replace(self.selection, reverse=not self.selection.reverse))

    def action_theme(self) -> None:
        self.theme = THEMES[self.theme == THEMES[0]]

    def action_help(self) -> None:
        keys = ((shown, what) for _, shown, _, what, _ in KEYS)
        self.push_screen(Help([*keys, *MORE_KEYS], NOTES))

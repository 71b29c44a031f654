"""Dialogs: filters, the number of a segment to go to, and help."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any, ClassVar

from rich.table import Table
from rich.text import Text
from textual import on
from textual.app import ComposeResult
from textual.binding import Binding, BindingType
from textual.containers import Horizontal, Vertical, VerticalScroll
from textual.screen import ModalScreen
from textual.widgets import Button, Checkbox, Input, Label, Select, Static

from bolide._support.visible import visible
from bolide.errors import ConfigurationError
from bolide.xray.filters import FILTERS, ORDERS, YES_OR_NO, Selection, parse, whole_number
from bolide.xray.model import Xray
from bolide.xray.scores import pairs_of_metrics

# Text fields: the filter, its title, and an example.
FIELDS = (
    ("text", "text", "anywhere in the segment"),
    ("low", "score of A, at least", "0.2"),
    ("high", "and at most", "0.5"),
    ("shortest", "words, at least", "10"),
    ("longest", "and at most", "40"),
    ("unmatched", "a word that A's alignment leaves out", "on either side"),
    ("margin", "A beats B, by", "0 or more, such as 0.05"),
    ("behind", "B beats A, by", "0 or more, such as 0.05"),
    ("lead_low", "A − B, at least", "-0.2"),
    ("lead_high", "and at most", "-0.1"),
    ("low_b", "score of B, at least", "0.2"),
    ("high_b", "and at most", "0.5"),
    ("metric_low", "score by another metric", "27.5"),
    ("metric_high", "and at most", "80"),
    ("pick", "a word in A", "such as missed word: house"),
    ("group", "group", "such as length: 11–20"),
)


class FilterForm(ModalScreen[Selection | None]):
    """The form of all filters. Returns the new selection, or None if it is cancelled."""

    BINDINGS: ClassVar[list[BindingType]] = [
        Binding("escape", "dismiss(None)", "back"),
        Binding("ctrl+u", "clear", "clear"),
    ]

    def __init__(self, xray: Xray, selection: Selection) -> None:
        super().__init__()
        self.xray = xray
        self.selection = selection

    def compose(self) -> ComposeResult:
        systems = [system.name for system in self.xray.systems]
        against = None if self.selection.against is None else systems[self.selection.against]
        with VerticalScroll(classes="box"):
            yield Label("Show only segments with", classes="title")
            for name, title, example in FIELDS:
                value = getattr(self.selection, name)
                with Horizontal(classes="field"):
                    yield Label(title)
                    yield Input(
                        "" if value is None else str(value), placeholder=example, id=name, compact=True
                    )
            modules = [module.name for module in self.xray.modules]
            yield from _choice("module", "a match of A by", modules, self.selection.module, "any module")
            metrics = [scores.name for scores in self.xray.scores]
            if metrics:
                disagree = list(pairs_of_metrics(metrics))
                yield from _choice("metric", "other metric", metrics, self.selection.metric, "the first")
                yield from _choice("disagree", "disagree", disagree, self.selection.disagree, "any")
            yield from _choice("left_out", "a match left out", YES_OR_NO, self.selection.left_out, "any")
            yield from _choice("equal", "A and B are equal", YES_OR_NO, self.selection.equal, "any")
            yield from _choice("system", "A", systems, systems[self.selection.system])
            yield from _choice("against", "B", systems, against, "none")
            yield from _choice("order", "order", list(ORDERS), self.selection.order)
            with Horizontal(classes="field"):
                yield Label("")
                yield Checkbox("reversed", self.selection.reverse, id="reverse", compact=True)
            yield Label("", id="problem")
            with Horizontal(classes="buttons"):
                yield Button("Show", variant="primary", id="apply", compact=True)
                yield Button("Clear", id="clear", compact=True)
                yield Button("Back", id="back", compact=True)

    @on(Input.Submitted)
    @on(Button.Pressed, "#apply")
    def apply(self) -> None:
        try:
            found = parse(self.xray, self._given(), self.selection)
        except ConfigurationError as error:
            self.query_one("#problem", Label).update(Text(visible(str(error))))
            return
        reverse = self.query_one("#reverse", Checkbox).value
        against = None if found.against == found.system else found.against
        self.dismiss(replace(found, reverse=reverse, against=against))

    @on(Button.Pressed, "#clear")
    def action_clear(self) -> None:
        for name, _, _ in FIELDS:
            self.query_one(f"#{name}", Input).value = ""
        for field in self.query(Select):
            if field.id in FILTERS:
                field.clear()

    @on(Button.Pressed, "#back")
    def back(self) -> None:
        self.dismiss(None)

    def _given(self) -> Mapping[str, str]:
        """The values in the form."""
        typed = {field.id or "": field.value for field in self.query(Input)}
        chosen = {
            field.id or "": "" if field.is_blank() else str(field.value) for field in self.query(Select)
        }
        return {**typed, **chosen}


def _choice(
    name: str, title: str, choices: Sequence[str], chosen: str | None, none: str | None = None
) -> ComposeResult:
    """A field with several choices. `none` is the title of an empty choice, if it is allowed."""
    with Horizontal(classes="field"):
        yield Label(title)
        options = [(Text(visible(choice)), choice) for choice in choices]
        value: dict[str, Any] = {} if chosen is None else {"value": chosen}
        yield Select(options, prompt=none or "", allow_blank=none is not None, id=name, compact=True, **value)


class GoTo(ModalScreen[int | None]):
    """Asks for the number of a segment. Returns its index, from 0."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape", "dismiss(None)", "back")]

    def __init__(self, count: int) -> None:
        super().__init__()
        self.count = count

    def compose(self) -> ComposeResult:
        with Vertical(classes="box"):
            yield Label(f"Go to segment (1 to {self.count})", classes="title")
            yield Input(type="integer", compact=True)
            yield Label("", id="problem")

    @on(Input.Submitted)
    def go(self, event: Input.Submitted) -> None:
        text = event.value.strip()
        number = whole_number(text)
        if number is not None and 1 <= number <= self.count:
            self.dismiss(number - 1)
        else:
            self.query_one("#problem", Label).update(Text(f"there is no segment {visible(text[:40]) or '?'}"))


class Help(ModalScreen[None]):
    """The keys, and the meaning of colours and letters."""

    BINDINGS: ClassVar[list[BindingType]] = [Binding("escape,question_mark,q,enter", "dismiss(None)", "back")]

    def __init__(self, keys: Iterable[tuple[str, str]], notes: Iterable[str]) -> None:
        super().__init__()
        self.keys = list(keys)
        self.notes = list(notes)

    def compose(self) -> ComposeResult:
        table = Table.grid(padding=(0, 3))
        for key, what in self.keys:
            table.add_row(Text(key, style="bold"), Text(what))
        with VerticalScroll(classes="box"):
            yield Label("Keys", classes="title")
            yield Static(table)
            for note in self.notes:
                yield Static(Text(note), classes="note")

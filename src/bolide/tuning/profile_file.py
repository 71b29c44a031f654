"""Writes tuned parameters as a profile for `Meteor`."""

from __future__ import annotations

import json
import math
from collections.abc import Mapping, Sequence

from bolide.formula.parameters import Parameters
from bolide.profiles import NUMBERS

TASK = "tuned"


def profile_text(
    parameters: Parameters,
    modules: Sequence[str],
    *,
    inherits: str = "1.5",
    language: str = "any",
    description: str = "Tuned by bolide tune",
    notes: Sequence[str] = (),
    settings: Mapping[str, str | Mapping[str, float]] | None = None,
) -> str:
    """The text of a TOML profile. Everything but the parameters and the `settings` is inherited. `language`
    "any" means all languages.

    >>> print(profile_text(Parameters(0.9, 1.0, 0.5, 0.7, (1.0,)), ["exact"]))
    description = "Tuned by bolide tune"
    inherits = "1.5"
    task = "tuned"
    <BLANKLINE>
    [tasks.tuned]
    any = { alpha = 0.9, beta = 1.0, gamma = 0.5, delta = 0.7, weights = { exact = 1.0 }, modules = ["exact"] }
    <BLANKLINE>
    """  # noqa: E501
    numbers = ", ".join(f"{name} = {_number(getattr(parameters, name))}" for name in NUMBERS)
    pairs = zip(modules, parameters.weights, strict=True)
    weights = ", ".join(f"{_key(module)} = {_number(weight)}" for module, weight in pairs)
    names = ", ".join(map(json.dumps, modules))
    row = f"{_key(language)} = {{ {numbers}, weights = {{ {weights} }}, modules = [{names}] }}"
    head = [
        f"description = {json.dumps(description, ensure_ascii=False)}",
        f"inherits = {json.dumps(inherits)}",
    ]
    own = [f"{name} = {_value(value)}" for name, value in (settings or {}).items()]
    comments = [f"# {note}" for note in notes]
    return "\n".join([*head, *own, f'task = "{TASK}"', "", *comments, f"[tasks.{TASK}]", row, ""])


def _value(value: str | Mapping[str, float]) -> str:
    if isinstance(value, str):
        return json.dumps(value)
    return f"{{ {', '.join(f'{_key(name)} = {_number(number)}' for name, number in value.items())} }}"


def _key(name: str) -> str:
    plain = all(c.isascii() and (c.isalnum() or c in "-_") for c in name)
    return name if plain and name else json.dumps(name)


def _number(value: float) -> str:
    assert math.isfinite(value)
    return repr(float(value))

"""The page's scripts, one by one, in a real browser (tests/xray/javascript/*.js); and compared with Python.

A test of a script is a line `test("what holds", () => …)`. Each becomes a separate test here.
"""

from __future__ import annotations

import json
import re
from dataclasses import asdict, replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from bolide import Meteor, profiles
from bolide._support import palette
from bolide.explanation import arithmetic
from bolide.formula.parameters import Formula
from bolide.formula.statistics import COMPONENTS, evaluate
from bolide.xray import Xray, of_texts, page, plots
from bolide.xray.contribution import contribution
from bolide.xray.filters import FILTERS, ORDERS, Selection, Shelf, select
from bolide.xray.payload import payload
from bolide.xray.scores import pairs_of_metrics
from tests.support.xray_texts import SCORES, annotated

FOLDER = Path(__file__).parent / "javascript"
FILES = sorted(set(FOLDER.glob("*.js")) - {FOLDER / "harness.js"})
NAMES = [name for path in FILES for name in re.findall(r'^test\("(.+?)",', path.read_text("utf-8"), re.M)]


@pytest.fixture(scope="module")
def scripts(chromium: Any) -> Any:
    """A page with only the scripts and their styles."""
    blank = chromium.new_page()
    blank.set_content("<!doctype html><body>")
    blank.add_style_tag(content=page.styles())
    blank.add_script_tag(content=page.scripts(start=False))
    yield blank
    blank.close()


@pytest.fixture(scope="module")
def answers(scripts: Any) -> dict[str, str | None]:
    # Braces give each file its own scope, because all run in one script.
    inside = "\n".join(f"{{\n{path.read_text('utf-8')}\n}}" for path in FILES)
    scripts.add_script_tag(content=f"{(FOLDER / 'harness.js').read_text('utf-8')}\n{inside}")
    return dict(scripts.evaluate("runTests()"))


@pytest.mark.parametrize("name", NAMES)
def test_script(answers: dict[str, str | None], name: str) -> None:
    assert answers[name] is None


def test_every_test_of_a_script_is_found(answers: dict[str, str | None]) -> None:
    assert sorted(answers) == sorted(NAMES)


def test_no_two_scripts_have_a_name_in_common() -> None:
    defined = re.findall(
        r"^(?:async )?(?:function\*?|class|const|let) (\w+)", page.scripts(start=False), re.M
    )
    assert len(defined) == len(set(defined)) > 100


def test_colours_and_marks_of_systems_are_those_of_the_palette(scripts: Any) -> None:
    assert scripts.evaluate("[SYSTEM_COLOURS, MARKS]") == [len(palette.SYSTEMS), len(palette.MARKS)]
    found = scripts.evaluate("Array.from({length: 60}, (_, system) => markOf(system))")
    assert found == [palette.mark(system) for system in range(60)]


def test_the_bars_of_notes_are_those_of_the_plots(scripts: Any) -> None:
    steps = scripts.evaluate("[SCORE_BARS, DIFFERENCE_STEP, MOST_DIFFERENCE, LENGTH_STEP, GROUPS, EVEN]")
    most = plots.DIFFERENCE_STEP * plots.DIFFERENCE_BARS
    expected = [
        plots.SCORE_BARS,
        plots.DIFFERENCE_STEP,
        most,
        plots.LENGTH_STEP,
        len(plots.LENGTHS),
        plots.EVEN,
    ]
    assert steps == expected
    assert scripts.evaluate("VEGA_MARKS") == list(palette.MARKS)


def test_every_script_and_style_is_in_the_page() -> None:
    here = {path.name for path in (Path(page.__file__).parent / "page").iterdir()}
    assert here == {*page.SCRIPTS, *page.STYLES, "page.html"}


# ---- beside Python ---------------------------------------------------------------------------------


def ask(scripts: Any, function: str, argument: object) -> Any:
    """The result of a function, passed as text, because Playwright is slow at passing many values."""
    return json.loads(
        scripts.evaluate(f"(given) => JSON.stringify(({function})(JSON.parse(given)))", json.dumps(argument))
    )


def rows(modules: int, count: int) -> Any:
    """Statistics of all kinds, including impossible ones: only the printed lines are compared."""
    random = np.random.default_rng(7)
    high = random.choice([1, 2, 4, 40, 300], size=(count, 1))
    found = random.integers(0, high + 1, size=(count, 7 + 4 * modules))
    lengths = found[:, 4:-3].reshape(count, -1, 4).sum(axis=1)  # content and function of both sides
    found[:, :2] = lengths[:, :2] + lengths[:, 2:] + random.integers(0, 2, size=(count, 2)) * found[:, :2]
    found[:, 2:4] = np.minimum(found[:, :2], lengths[:, 2:] + random.integers(0, 3, size=(count, 2)))
    found[:, -2:] = (lengths[:, :2] + lengths[:, 2:])[:, : found.shape[1]]
    found[:, -3] = np.clip(found[:, -3], 1, np.maximum(1, found[:, -2]))
    found[::7, -3] = 1
    return found


def written(meteor: Meteor, row: Any, functions: bool) -> list[dict[str, Any]]:
    lines = arithmetic.arithmetic(row, meteor.parameters, "words", functions=functions)
    return [{**asdict(line), "expressions": list(line.expressions)} for line in lines]


@pytest.mark.parametrize(
    ("options", "functions"),
    [
        ({"profile": "linear"}, True),
        ({"profile": "nltk"}, False),
        (
            {"profile": replace(profiles.get("linear"), name="mine", formula=Formula(fragments="breaks"))},
            True,
        ),
        ({"profile": "linear", "alpha": 0.123456, "gamma": 1 / 3, "delta": 0.999}, True),
    ],
)
def test_the_arithmetic_is_that_of_the_command_line(
    scripts: Any, options: dict[str, Any], functions: bool
) -> None:
    meteor = Meteor(**options, modules=["exact"], normalize="lower")
    p = meteor.parameters
    report = {
        "parameters": {
            **{name: getattr(p, name) for name in ("alpha", "beta", "gamma", "delta")},
            **{name: getattr(p.formula, name) for name in ("fmean", "whole", "fragments")},
        },
        "modules": [{"name": m, "weight": w} for m, w in zip(meteor.modules, p.weights, strict=True)],
        "functions": functions,
        "unit": "words",
    }
    statistics = rows(len(meteor.modules), 1000)
    values = evaluate(statistics, p)  # without the checks of Meteor.evaluate
    known = [[None if np.isnan(v) or np.isinf(v) else v for v in each] for each in values.tolist()]
    found = ask(
        scripts,
        """([report, rows, values, names]) => rows.map((row, k) => arithmetic(report, row,
            Object.fromEntries(names.map((name, n) => [name, values[k][n]]))))""",
        [report, statistics.tolist(), known, list(COMPONENTS)],
    )
    assert found == [written(meteor, row, functions) for row in statistics]


PICKS = [
    *("missed word: the", "over word: at", "moved word: leaves", "stem word: sleeps", "missed word: "),
    *("missed function: content words", "over shape: words", "moved case: lower", "over case: title"),
    *("stem frequency: 1", "missed label 1: NOUN", "over label 1: NOUN", "over label 2: (no label)"),
    *("differ missed: cat", "differ over: no", "differ ngrams: the old", "differ ngrams: zzz on", "nothing"),
]


def selections(xray: Xray, count: int) -> list[Selection]:
    random = np.random.default_rng(3)

    def some(choices: list[Any]) -> Any:
        return choices[random.integers(len(choices))] if random.random() < 0.25 else None

    systems = len(xray.systems)
    found = []
    for _ in range(count):
        system, other = random.permutation(systems)[:2].tolist()
        filters = {
            "low": some([0.0, 0.2, 0.35]),
            "high": some([0.3, 0.6, 1.0]),
            "module": some([module.name for module in xray.modules]),
            "shortest": some([1, 5, 7]),
            "longest": some([2, 6, 8]),
            "margin": some([0.0, 0.05, 0.3]),
            "low_b": some([0.0, 0.2, 0.35]),
            "high_b": some([0.3, 0.6, 1.0]),
            "behind": some([0.0, 0.05, 0.3]),
            "lead_low": some([-0.5, 0.0, 0.1]),
            "lead_high": some([-0.1, 0.0, 0.5]),
            "unmatched": some(["the", "The", "sleeps", "on", "."]) or "",
            "equal": some(["yes", "no"]),
            "left_out": some(["yes", "no"]),
            "metric": some([scores.name for scores in SCORES]),
            "metric_low": some([0.5, 20, 30]),
            "metric_high": some([0.8, 60, 90]),
            "disagree": some(list(pairs_of_metrics([scores.name for scores in SCORES]))),
            "pick": some(PICKS),
            "group": some(
                ["length: ≤ 10", "length ratio: < 0.7", "domain: sea", "domain: home", "no: group"]
            ),
            "text": some(["the", "FERRY", "katze", "<b>", "at nine", ".", "zzz"]) or "",
        }
        assert filters.keys() == FILTERS.keys()
        order = list(ORDERS)[random.integers(len(ORDERS))]
        against = some([other])
        found.append(Selection(system, against, **filters, order=order, reverse=bool(random.random() < 0.3)))
    return found


def test_filters_and_orders_are_those_of_the_terminal(scripts: Any, english: Meteor) -> None:
    xray = annotated(english)
    asked = selections(xray, 400)
    found = ask(
        scripts,
        """([payload, asked]) => {
            const report = new Report(payload);
            return asked.map((values) => selected(report, {...firstState(report), ...values}));
        }""",
        [payload(xray), [asdict(selection) for selection in asked]],
    )
    shelf = Shelf(xray)
    assert found == [select(shelf, selection) for selection in asked]
    assert len({tuple(each) for each in found}) > 8


@pytest.mark.parametrize("profile", ["linear", "nltk", "2005"])
def test_contributions_are_those_of_the_terminal(scripts: Any, profile: str) -> None:
    meteor = Meteor(profile, modules=["exact"], normalize="lower")
    references = ["a b c d", "the cat sat", "x", "one two three"]
    systems = {
        "north": ["a b c d", "cat the", "y", "one three"],
        "south": ["d c b a", "the cat sat", "x", "two"],
    }
    xray = of_texts(systems, references, meteor)
    found = ask(
        scripts,
        "(payload) => { const report = new Report(payload); return allContributions(report, 0, 1); }",
        payload(xray),
    )
    expected = contribution(xray, 0, 1)
    assert expected is not None and len(set(expected.tolist())) > 2
    np.testing.assert_allclose(found, expected, rtol=0, atol=1e-11)

"""Explanations: the drawing, the reasons, and the arithmetic, which must give the scorer's own numbers."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st
from rich.cells import cell_len
from rich.console import Console

from bolide import Explanation, Match, Meteor, profiles, resources
from bolide.explanation import drawing
from bolide.explanation.reasons import reason
from bolide.matching.phrases import Phrases
from bolide.matching.synonyms import ThesaurusSynonym
from bolide.matching.vectors import Related
from bolide.resources import Pack
from tests.support import fake_wordnet
from tests.support.examples import examples

Make = Callable[..., Meteor]
BOLIDE = [sys.executable, "-c", "from bolide.cli import main; main()"]
HYPOTHESIS = "Yesterday the cats were quickly sitting on a big mat with dogs"
REFERENCE = "the cat sat rapidly on a large mat yesterday together with the dogs"


def plain(words: str = "linear", **options: Any) -> Meteor:
    """A scorer that matches equal words only, without resources."""
    return Meteor(words, resources=Pack("en"), normalize="none", **options)


# ---- arithmetic ----------------------------------------------------------------------------------

NOTE = re.compile(r"   \(.*\)$")


def computed(expression: str) -> float:
    for ours, python in (("·", "*"), ("^", "**"), ("−", "-")):
        expression = expression.replace(ours, python)
    assert re.fullmatch(r"[-+*/(). 0-9e]+", expression)
    return float(eval(expression))


def printed(text: str) -> dict[str, float]:
    """The values of the printed lines. Each must equal the value of its expression."""
    values = {}
    for line in text.splitlines():
        if re.match(r"\w+ +=", line):
            name, *expressions = (part.strip() for part in NOTE.sub("", line).split("="))
            values[name] = computed(expressions[-1])
            for expression in expressions[:-1]:
                assert computed(expression) == pytest.approx(values[name], abs=1e-5), line
    return values


def check(explanation: Explanation) -> None:
    values, score = printed(explanation.text()), explanation.score
    assert values["P"] == pytest.approx(score.precision, abs=1e-6)
    assert values["R"] == pytest.approx(score.recall, abs=1e-6)
    assert values["score"] == pytest.approx(score.score, abs=1e-6)
    if "Fmean" in values:
        assert values["Fmean"] == pytest.approx(score.fmean, abs=1e-6)
        assert values["penalty"] == pytest.approx(score.penalty, abs=1e-6)
        assert (values.get("chunks", values.get("breaks")), values["matches"]) == (
            score.chunks,
            score.matches,
        )
    else:
        assert score.score == 0


@pytest.mark.parametrize("options", [{}, {"unit": "characters"}, {"references": "union"}])
@pytest.mark.parametrize("name", profiles.names())
def test_the_lines_give_the_score(meteor: Make, name: str, options: dict[str, Any]) -> None:
    if options.get("references") == "union" and profiles.get(name).aligner == "repeat":
        return  # refused: tests/parity/test_old_nltk.py
    scorer = meteor(profile=name, **options)
    for hypothesis, references in (
        (HYPOTHESIS, [REFERENCE]),
        (HYPOTHESIS, ["a dog", REFERENCE, "cats were sitting quickly"]),
        (REFERENCE, [REFERENCE]),
        ("nothing alike", [REFERENCE]),
        ("", [REFERENCE]),
        (REFERENCE, [""]),
        ("", ["", ""]),
    ):
        explanation = scorer.explain(hypothesis, references)
        assert explanation.score == scorer.sentence_score(hypothesis, references)
        check(explanation)


@pytest.mark.parametrize("language", ["en", "de", "other"])
@pytest.mark.parametrize("task", profiles.get("bolide-2").tasks)
def test_the_lines_give_the_score_of_each_task(meteor: Make, task: str, language: str) -> None:
    scorer = meteor(profile="bolide-2", language=language, task=task)
    for references in (["die Regierung sagt DAS heute"], ["the dog sat", "Die Katzen", "Bund, sagte er."]):
        explanation = scorer.explain("Die Bundesregierung sagte das the", references)
        assert 0 < explanation.score.score < 1
        check(explanation)


WORDS = st.lists(
    st.sampled_from(["the", "cat", "cats", "sat", "sitting", "on", "big", "large", "."]), max_size=9
)
DIGITS = st.integers(0, 100).map(lambda n: n / 100)


@st.composite
def scorers(draw: st.DrawFn) -> dict[str, Any]:
    modules = draw(st.sampled_from([["exact", "stem", "synonym"], ["synonym", "exact"]]))
    return {
        "profile": draw(st.sampled_from(["1.5", "1.3", "universal", "2005"])),
        "modules": modules,
        "weights": [draw(DIGITS) for _ in modules],
        "aligner": draw(st.sampled_from(["beam", "staged"])),
        "references": draw(st.sampled_from(["best", "union", "pool"])),
        **{name: draw(DIGITS) for name in ("alpha", "beta", "gamma", "delta")},
    }


@settings(max_examples=examples(200))
@given(WORDS.map(" ".join), st.lists(WORDS.map(" ".join), min_size=1, max_size=3), scorers())
def test_the_lines_give_any_score(
    english: Meteor, hypothesis: str, references: list[str], options: dict[str, Any]
) -> None:
    check(Meteor(**options).explain(hypothesis, references))


def test_the_table_is_the_statistics(english: Meteor) -> None:
    explanation = english.explain(HYPOTHESIS, REFERENCE)
    row = english.statistics([HYPOTHESIS], [REFERENCE])[0].tolist()
    head, *modules, words = explanation.table
    assert [cells[0] for cells in modules] == list(english.modules) and len(head) == 6
    for k, cells in enumerate(modules):
        content, other, function, others = row[4 + 4 * k : 8 + 4 * k]
        assert [int(cell) for cell in cells[2:]] == [content, function, other, others]
    assert [int(cell) for cell in words[2:]] == [row[0] - row[2], row[2], row[1] - row[3], row[3]]


def test_a_worked_example() -> None:
    """Banerjee & Lavie's formula, by hand."""
    lines = plain("2005", modules=["exact"]).explain("the cat sat on", "on the cat sat down").lines
    assert [str(line).replace(" ", "") for line in lines] == [
        "P=4/4=1",
        "R=4/5=0.8",
        "Fmean=1·0.8/(0.9·1+0.1·0.8)=0.816327",
        "chunks=2",
        "matches=(4+4)/2=4(words,meanofbothsides)",
        "fragmentation=2/4=0.5",
        "penalty=0.5·(2/4)^3=0.0625",
        "score=0.816327·(1−0.0625)=0.765306",
    ]


def test_matches_that_do_not_count() -> None:
    explanation = Meteor(modules=["exact"], delta=0).explain("green cats", "green cats")
    assert len(explanation.alignment.matches) == 2
    assert explanation.lines[-1].note == "no word has a weight"
    explanation = plain("nltk", modules=["exact"], weights=[0]).explain("green cats", "green cats")
    assert explanation.lines[-1].note == "no match has a weight"
    assert plain().explain("green cats", "a dog").lines[-1].note == "no words match"


def test_a_penalty_above_1() -> None:
    """Words matched in two references, one each: more chunks than matches, and a score of 0."""
    scorer = plain(references="union", gamma=1, beta=0.01)
    explanation = scorer.explain("the cat", ["the", "cat"])
    check(explanation)
    assert explanation.score.penalty > 1 and explanation.score.score == 0
    assert explanation.lines[-1].note == "the penalty is above 1"


def test_characters_are_called_so() -> None:
    for unit in ("words", "characters"):
        explanation = plain(unit=unit).explain("green cats", "green cat")
        assert explanation.table[-1][0] == f"all {unit}" and f"all {unit}  " in explanation.text()
        assert plain(unit=unit).explain("a", "b").lines[-1].note == f"no {unit} match"


@pytest.mark.parametrize("weights", [[1e-8], [0.00002], [1e-12]])
@pytest.mark.parametrize("gamma", [0.5, 1 - 1e-8])
def test_tiny_values_keep_their_digits(weights: list[float], gamma: float) -> None:
    """Each line can be computed from the numbers that it shows."""
    scorer = plain(modules=["exact"], weights=weights, gamma=gamma, beta=1, alpha=0.9)
    explanation = scorer.explain("the cat sat on a mat", "a cat is on the sofa")
    for line in explanation.lines:
        *expressions, value = map(computed, line.expressions)
        assert expressions == pytest.approx([value] * len(expressions), rel=2e-5), line
    assert computed(explanation.lines[-1].expressions[-1]) == pytest.approx(explanation.score.score, rel=1e-5)


# ---- picture -------------------------------------------------------------------------------------

TOKENS = st.lists(st.sampled_from(["a", "猫猫", "e\u0301t", "x" * 12, "b", "c", "שלום", "👩"]), max_size=14)


@given(TOKENS, TOKENS, st.integers(20, 90))
def test_picture(ours: list[str], theirs: list[str], width: int) -> None:
    alignment = plain().align(ours, [theirs])
    columns = drawing.columns(alignment)
    assert [c.hypothesis for c in columns if c.hypothesis] == ours
    assert [c.reference for c in columns if c.reference] == theirs
    for match in alignment.matches:
        own = [c for c in columns if c.match == match]
        assert [c.arrow for c in own] in ([""], ["↓", "↑"], ["↑", "↓"])
        assert all(c.hypothesis == c.reference for c in own if not c.arrow)
    lines = list(drawing.lines(alignment, width))
    for line in lines:
        assert cell_len("".join(text for text, _ in line).rstrip(" \u200e")) <= width
    # Matched words, and the line between them, begin in the same column.
    blocks = [lines[k : k + 3] for k in range(0, len(lines), 4)]
    for block in blocks:
        starts = []
        for line in block:
            places, place = dict[Match, int](), 0
            for text, tied in line:
                if tied is not None and text:
                    places[tied] = place
                place += cell_len(text)
            starts.append(places)
        for match in set(starts[0]) & set(starts[2]):
            if [c.arrow for c in columns if c.match == match] == [""]:
                assert starts[0][match] == starts[1][match] == starts[2][match]


def test_text(english: Meteor) -> None:
    text = english.explain("the cats sat", "the cat sat").text()
    assert text.splitlines()[:5] == [
        "hypothesis  the   cats  sat",
        "            1 ex  1 st  1 ex",
        "reference   the   cat   sat",
        "",
        "stem: cats = cat  (stem cat)",
    ]
    assert text.splitlines()[-1] == english.get_signature(1)
    assert str(english.explain("the cats sat", "the cat sat")) == text


def test_right_to_left_words_stay_in_their_columns() -> None:
    first = plain().explain("שלום עולם a", "שלום a").text().splitlines()[0]
    assert first == "hypothesis  שלום  \u200eעולם  \u200ea"


def test_no_control_character_reaches_the_terminal() -> None:
    evil = "\x1b[31mred\x07 \u202eturned a\u2028b \x9b2J"
    explanation = plain().explain(evil, evil)
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e\u2028]", explanation.text())
    assert "\\x1b[31mred\\x07" in explanation.text()
    assert not re.search("[\x00-\x09\x0b-\x1f\x7f-\x9f\u202e\u2028]", explanation._repr_html_())


def test_colours(english: Meteor) -> None:
    explanation = english.explain(HYPOTHESIS, REFERENCE)
    with Path(os.devnull).open("w") as nowhere:
        console = Console(file=nowhere, force_terminal=True, width=80, record=True, color_system="standard")
        console.print(explanation, soft_wrap=True)
        styled = console.export_text(styles=True)
    assert "\x1b[32m" in styled and "\x1b[36m" in styled  # exact, stem
    assert re.sub(r"\x1b\[[0-9;]*m", "", styled).rstrip() == explanation.text(80)


# ---- reasons -------------------------------------------------------------------------------------


def reasons(scorer: Meteor, hypothesis: str, reference: str) -> list[str]:
    return list(map(str, scorer.explain(hypothesis, reference).reasons))


def test_reasons_of_the_release(meteor: Make) -> None:
    assert reasons(meteor(normalize="lower"), "al", "c.") == ["words with equal hash codes in Java"]
    paper = meteor(profile="1.3")  # Java leaves single matches of stems out
    assert reasons(paper, "dogs", "dog") == ["stem dog"]
    assert reasons(paper, "dog", "dog") == ["equal words"]
    [synset] = reasons(paper, "big", "large")
    assert re.fullmatch(r"synset \d+ \(.*big, .*large.*\)", synset)
    assert reasons(paper, "were quickly", "rapidly") == ["in the table of phrases"]


def test_reasons_of_other_modules(meteor: Make) -> None:
    nltk = meteor(profile="nltk")
    assert reasons(nltk, "running", "runs") == ["stem run"]
    assert reasons(nltk, "dog", "hound") == ["in a synset with dog: hound"]
    assert reasons(meteor(profile="2005"), "runs", "running") == ["stem run"]
    assert reasons(meteor(profile="2005", modules=["wn-stem"]), "went", "going") == ["base form go"]
    assert reasons(meteor(profile="2005", modules=["wn-synonym"]), "big", "large")[0].startswith("synset ")
    [synset] = reasons(meteor(profile="1.3", synonyms="wordnet"), "big", "large")
    assert re.fullmatch(r"synset \d+ \(large, big\)", synset)


def test_reasons_of_a_thesaurus(home: Path, tmp_path: Path) -> None:
    resources.install_synonyms("de", fake_wordnet.thesaurus(tmp_path / "mine.dat"))
    matcher = ThesaurusSynonym(resources.open_synonyms("mythes", "de"))
    assert re.fullmatch(r"meaning \d+ \(.*\)", str(reason(matcher, ("haus",), ("heim",))))


class Ends:
    name, weight = "ends", 0.5

    def keys(self, word: str) -> list[Any]:
        return [word[-2:], len(word)]


class Directed:
    name, weight = "directed", 0.5

    def hypothesis_keys(self, word: str) -> list[str]:
        return [word.upper()]

    def reference_keys(self, word: str) -> list[str]:
        return [word.upper(), "X"]


def test_reasons_of_ones_own() -> None:
    assert reasons(plain(modules=[Ends()]), "bent", "cent") == ["key nt, 4"]
    assert reasons(plain(modules=[Directed()]), "Ab", "aB") == ["key AB"]
    phrases = Phrases([("a lot of", "many")], weight=1)
    assert reasons(plain(modules=[phrases]), "a lot of", "many") == ["in the table of phrases"]
    near = Related({"cat": [1, 0], "dog": [0.8, 0.6]}, weight=1)
    assert reasons(plain(modules=[near]), "cat", "dog") == ["cosine 0.800"]


# ---- notebooks -----------------------------------------------------------------------------------

SCRIPT = "<script>alert('&')</script> \"x\" cats"


@pytest.mark.parametrize("normalize", ["none", "keep-punctuation"])
def test_html(english: Meteor, meteor: Make, normalize: str) -> None:
    scorer = meteor(normalize=normalize)
    explanation = scorer.explain(SCRIPT, [SCRIPT.replace("cats", "cat"), "a"])
    alignment = scorer.align(SCRIPT, SCRIPT)
    corpus = scorer.corpus_score([SCRIPT], [SCRIPT])
    for shown in (explanation, alignment, alignment.score, corpus):
        html = shown._repr_html_()
        assert "<script" not in html and "http" not in html
        ElementTree.fromstring(html)  # every tag is closed
    words = " ".join("".join(ElementTree.fromstring(alignment._repr_html_()).itertext()).split())
    assert "script" in words and "score" in words
    assert f"{explanation.score.score:.6f}".rstrip("0") in explanation._repr_html_()


# ---- command -------------------------------------------------------------------------------------


def command(*arguments: str, **environment: str) -> subprocess.CompletedProcess[str]:
    kept = {k: v for k, v in os.environ.items() if k not in ("NO_COLOR", "FORCE_COLOR", "COLUMNS", "TERM")}
    return subprocess.run(
        [*BOLIDE, "explain", *arguments],
        env={**kept, "PYTHONIOENCODING": "utf-8", **environment},
        capture_output=True,
        encoding="utf-8",
        check=False,
    )


def test_command(english: Meteor) -> None:
    explanation = english.explain(HYPOTHESIS, [REFERENCE, "a cat"])
    done = command(HYPOTHESIS, "-r", REFERENCE, "-r", "a cat")
    assert (done.returncode, done.stderr) == (0, "")
    assert done.stdout == explanation.text() + "\n"
    narrow = command(HYPOTHESIS, "-r", REFERENCE, "-r", "a cat", COLUMNS="50")
    assert narrow.stdout == explanation.text(50) + "\n"
    assert "number 1 is the best" in done.stdout
    coloured = {"FORCE_COLOR": "1", "TERM": "xterm", "COLUMNS": "80"}
    assert "\x1b[" in command("a", "-r", "a", **coloured).stdout
    assert "\x1b[3" not in command("a", "-r", "a", **coloured, NO_COLOR="1").stdout


def test_long_segments(english: Meteor) -> None:
    """Up to the aligner's limit, even if all matches cross."""
    words = [f"w{number}" for number in range(1500)]
    for reference in (words, words[::-1]):
        assert len(english.explain(" ".join(words), " ".join(reference)).to_dict()["matches"]) == 1500


def test_command_as_json_and_html(english: Meteor) -> None:
    explanation = english.explain(HYPOTHESIS, [REFERENCE])
    found = json.loads(command(HYPOTHESIS, "-r", REFERENCE, "--format", "json").stdout)
    assert found["score"]["score"] == explanation.score.score
    assert [match["reason"] for match in found["matches"]] == list(map(str, explanation.reasons))
    assert found["arithmetic"][-1]["name"] == "score"
    assert command(HYPOTHESIS, "-r", REFERENCE, "--format", "html").stdout == explanation._repr_html_() + "\n"


def test_command_on_odd_text(english: Meteor) -> None:
    assert command("[bold]a[/bold] :cat:", "-r", "[bold]a :cat:").stdout.startswith("hypothesis  [     bold")
    done = command("\udcff", "-r", "a")
    assert done.returncode == 1 and done.stderr.count("\n") == 1 and "surrogate" in done.stderr
    assert command("a").returncode == 2


def test_command_in_any_locale(english: Meteor) -> None:
    done = command("猫 a", "-r", "a 猫", PYTHONIOENCODING="ascii")
    assert (done.returncode, done.stderr) == (0, "")
    assert "猫" in done.stdout and "↓" in done.stdout

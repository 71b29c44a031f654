"""The official jar and bolide on text written or generated for the tests: nothing may differ.

Compared for every segment, to the last digit: tokens, matches, statistics, precision, recall, penalty, score.
"""

from __future__ import annotations

import gzip
from collections.abc import Callable
from dataclasses import dataclass, field
from pathlib import Path
from random import Random
from typing import Any

import pytest

from bolide import Meteor
from bolide.inputs.segments import by_segment
from bolide.resources import custom_pack
from tests.support import generate, java_meteor

MeteorFactory = Callable[..., Meteor]

# Related forms, synonyms, hash collisions ("al"/"c.", "sell"/"sen.", "Aa"/"BB"), paraphrases, function words.
SALAD = generate.read_lines(generate.TEXT / "salad.txt")


@dataclass(frozen=True)
class Setting:
    """One way to call both programs. Java's options are a command line, with `~` for a space in an option."""

    options: str
    arguments: dict[str, Any] = field(default_factory=dict)
    language: str = "en"  # of the text
    count: int = 300
    references: int = 1
    odd: bool = True

    def __str__(self) -> str:
        return self.options

    def java_options(self) -> list[str]:
        return [option.replace("~", " ") for option in self.options.split()]

    def segments(self) -> tuple[list[str], list[list[str]]]:
        random = Random(self.options)
        pairs = generate.pairs(self.language, self.count, seed=random.getrandbits(32))
        pairs += generate.salad(SALAD, self.count // 2, longest=25, seed=random.getrandbits(32))
        if self.odd:
            pairs += generate.odd_pairs(seed=random.getrandbits(32))
        others = [pair.reference for pair in pairs]
        references = [[pair.reference, *random.sample(others, self.references - 1)] for pair in pairs]
        return [pair.hypothesis for pair in pairs], references


def stems(language: str, weights: tuple[float, ...], **more: Any) -> dict[str, Any]:
    return {"language": language, "modules": ["exact", "stem"], "weights": weights, **more}


OWN = {"alpha": 0.9, "beta": 3.0, "gamma": 0.5, "delta": 0.5}
ESS = {"modules": ["exact", "stem", "synonym"]}

# With the paraphrase table the jar is slow to start, so each run covers many options.
WITH_PARAPHRASES = [
    Setting("-l en -norm", count=2000),
    Setting("-l en -x 7", {"normalize": "none", "beam": 7}),
    Setting("-l en -lower -ch", {"normalize": "lower", "unit": "characters"}, references=3),
    Setting(
        "-l en -norm -noPunct -x 1 -p 0.9~3.0~0.5~0.5 -w 1.0~0.9~0.8~0.7",
        {"normalize": "no-punctuation", "beam": 1, "weights": (1.0, 0.9, 0.8, 0.7), **OWN},
        references=2,
    ),
    Setting(
        "-l en -norm -x 100 -m paraphrase~synonym~exact~stem -w 0.1~0.2~1.0~0.5",
        {"modules": ["paraphrase", "synonym", "exact", "stem"], "weights": (0.1, 0.2, 1.0, 0.5), "beam": 100},
    ),
]
WITHOUT_PARAPHRASES = [
    Setting("-l en -norm -t rank -m exact~stem~synonym", {"task": "rank", **ESS}),
    Setting("-l en -norm -t adq -m exact~stem~synonym", {"task": "adq", **ESS}, references=2),
    Setting("-l en -norm -t hter -m exact~stem~synonym", {"task": "hter", **ESS}),
    Setting("-l en -norm -t tune -m exact~stem~synonym", {"task": "tune", **ESS}),
    Setting("-l en -norm -t li -m exact~stem~synonym", {"task": "li", **ESS}),
    Setting("-l en -norm -t util -ch -m exact~stem~synonym", {"task": "util", "unit": "characters", **ESS}),
    Setting("-l en -norm -m stem~exact -w 0.6~1.0", {"modules": ["stem", "exact"], "weights": (0.6, 1.0)}),
    Setting("-l en -m synonym -w 1.0", {"normalize": "none", "modules": ["synonym"], "weights": (1.0,)}),
    Setting("-l other", {"language": "other", "normalize": "none"}),
    Setting("-l cz -norm -m exact -w 1.0", {"language": "cs", "modules": ["exact"], "weights": (1.0,)}, "cs"),
    Setting("-l de -norm -m exact~stem -w 1.0~0.8", stems("de", (1.0, 0.8)), "de"),
    Setting("-l es -norm -m exact~stem -w 1.0~0.8", stems("es", (1.0, 0.8)), "es"),
    Setting("-l fr -norm -m exact~stem -w 1.0~0.2", stems("fr", (1.0, 0.2)), "fr"),
    Setting("-l ru -norm -m exact~stem -w 1.0~0.5", stems("ru", (1.0, 0.5)), "ru"),
    Setting("-l fr -norm -noPunct -m exact -w 1.0", {
        "language": "fr", "normalize": "no-punctuation", "modules": ["exact"], "weights": (1.0,)}, "fr"),
    *(
        Setting(f"-l {java_code} -lower", {"language": code, "normalize": "lower"}, code, odd=False)
        for code, java_code in [
            ("da", "da"), ("fi", "fi"), ("hu", "hu"), ("it", "it"), ("nl", "nl"), ("no", "no"),
            ("pt", "pt"), ("ro", "ro"), ("sv", "se"), ("tr", "tr"),
        ]
    ),
]  # fmt: skip


@pytest.mark.parametrize("setting", WITH_PARAPHRASES + WITHOUT_PARAPHRASES, ids=str)
def test_equal_to_the_jar(setting: Setting, jar: Path, meteor: MeteorFactory) -> None:
    hypotheses, references = setting.segments()
    check(meteor(**setting.arguments), jar, hypotheses, references, setting.java_options())


@pytest.mark.parametrize("seed", range(4))
def test_random_paraphrase_tables(seed: int, jar: Path, english: Meteor, tmp_path: Path) -> None:
    """Dense tables, with repeated pairs and phrases that are their own paraphrase."""
    random = Random(seed)
    few = random.sample(SALAD, random.choice([4, 8, 30]))

    def phrase() -> str:
        return " ".join(random.choice(few) for _ in range(random.choice([1, 1, 2, 2, 3, 4])))

    with gzip.open(tmp_path / "paraphrases.gz", "wt", encoding="utf-8") as file:
        file.writelines(f"0.5\n{phrase()}\n{phrase()}\n" for _ in range(random.choice([50, 200, 400])))
    pairs = [*generate.salad(few, 400, 16, seed), *generate.salad(SALAD, 100, 16, seed)]
    pack = custom_pack("en", base=english.settings.pack, paraphrases=tmp_path / "paraphrases.gz")
    width = random.choice([1, 3, 40])
    scorer = Meteor(normalize="none", beam=width, resources=pack)
    options = ["-l", "en", "-a", str(tmp_path / "paraphrases.gz"), "-x", str(width)]
    check(scorer, jar, [pair.hypothesis for pair in pairs], [[pair.reference] for pair in pairs], options)


# Positions of a character: alone, in a word, in a number, before a dot, between apostrophes, …
CONTEXTS = ["{}", "a{}b", "1{}2", "{}.", "a.{}.", "'{}'", ",{},1", "{}-a"]
# In this range all Unicode versions of current Java and Python agree on case, except for one letter.
CHARACTERS = [chr(code) for code in range(1, 0x2C00) if code not in (0x0A, 0x0D, 0x1C89)]


@pytest.mark.parametrize("setting", [
    Setting("-l other", {"language": "other", "normalize": "none"}),
    Setting("-l other -lower", {"language": "other", "normalize": "lower"}),
    Setting("-l en -norm -m exact", {"modules": ["exact"]}),
    Setting("-l en -norm -noPunct -m exact", {"modules": ["exact"], "normalize": "no-punctuation"}),
    Setting("-l fr -norm -m exact", {"language": "fr", "modules": ["exact"]}),
    Setting("-l ru -norm -m exact", {"language": "ru", "modules": ["exact"]}),
], ids=str)  # fmt: skip
def test_every_character(setting: Setting, jar: Path, meteor: MeteorFactory) -> None:
    hypotheses = [
        " ".join(context.replace("{}", character) for character in CHARACTERS[start : start + 100])
        for context in CONTEXTS
        for start in range(0, len(CHARACTERS), 100)
    ]
    references = [["1 a b 2 ' ."]] * len(hypotheses)
    check(meteor(**setting.arguments), jar, hypotheses, references, setting.java_options())


def check(
    scorer: Meteor, jar: Path, hypotheses: list[str], references: list[list[str]], options: list[str]
) -> None:
    java = java_answers(java_meteor.run(jar, hypotheses, references, options))
    ours = answers(scorer, hypotheses, references)
    assert len(ours) == len(java) == len(hypotheses)
    different = [number for number in range(len(java)) if ours[number] != java[number]]
    for number in different[:1]:
        assert ours[number] == java[number], (
            f"{len(different)} of {len(java)} segments differ; the first is {number}: "
            f"{hypotheses[number]!r} against {references[number]!r}"
        )


def answers(scorer: Meteor, hypotheses: list[str], references: list[list[str]]) -> list[tuple[object, ...]]:
    """For each segment: tokens, matches, statistics, and the scores as text, because NaN != NaN."""
    statistics = scorer.statistics(hypotheses, references, layout="segments")
    values = scorer.evaluate(statistics)[:, [0, 1, 4, 5]].tolist()
    alignments = scorer.align_all(by_segment(hypotheses, references))
    return [
        (
            java_meteor.printed_words(alignment.hypothesis),
            java_meteor.printed_words(alignment.reference),
            [
                (m.reference_start, m.reference_length, m.hypothesis_start, m.hypothesis_length, m.stage)
                for m in alignment.matches
            ],
            row,
            [repr(value) for value in numbers],
        )
        for alignment, row, numbers in zip(alignments, map(as_java, statistics.tolist()), values, strict=True)
    ]


def as_java(row: list[int]) -> list[int]:
    """Java always prints four stages."""
    return row[:-3] + [0] * (23 - len(row)) + row[-3:]


def java_answers(java: java_meteor.JavaRun) -> list[tuple[object, ...]]:
    return [
        (a.hypothesis, a.reference, list(a.matches), row, list(map(repr, a[3:])))
        for row, a in zip(java.statistics, java.alignments, strict=True)
    ]

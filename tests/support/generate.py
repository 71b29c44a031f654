"""Sentences for tests, made by changing and combining texts written for the purpose (text/*.txt).

Each line of text/LANGUAGE.txt holds three ways to say the same thing, separated by `|`. Each line of
text/odd.txt is one strange text. A pair for the metric is two of them, with errors like those of translation
systems, and worse ones.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from pathlib import Path
from random import Random
from typing import NamedTuple

TEXT = Path(__file__).parent / "text"


class Pair(NamedTuple):
    hypothesis: str
    reference: str


def sayings(language: str) -> list[list[str]]:
    """Groups of sentences that mean the same."""
    return [line.split("|") for line in read_lines(TEXT / f"{language}.txt")]


def odd_texts() -> list[str]:
    return read_lines(TEXT / "odd.txt")


def read_lines(path: Path) -> list[str]:
    """Lines end only at a line feed: the odd texts contain other characters that end a line in Python."""
    return path.read_bytes().decode().removesuffix("\n").split("\n")


def same(words: list[str], random: Random) -> list[str]:
    return words


def shuffle(words: list[str], random: Random) -> list[str]:
    return random.sample(words, len(words))


def swap_halves(words: list[str], random: Random) -> list[str]:
    middle = random.randint(0, len(words))
    return words[middle:] + words[:middle]


def drop_words(words: list[str], random: Random) -> list[str]:
    return [word for word in words if random.random() < 0.8]


def repeat_words(words: list[str], random: Random) -> list[str]:
    return [word for word in words for _ in range(random.choice([1, 1, 1, 2, 3]))]


def mix_case(words: list[str], random: Random) -> list[str]:
    return [random.choice([word, word.upper(), word.title(), word.lower()]) for word in words]


def add_marks(words: list[str], random: Random) -> list[str]:
    marks = ["", "", "", ",", ".", "!", "...", "'s", ")", '"', "’", "-", "--", ";", "%", "–"]
    return [random.choice(["", "", "", "(", "'", "“"]) + word + random.choice(marks) for word in words]


CHANGES: list[Callable[[list[str], Random], list[str]]] = [
    same,
    shuffle,
    swap_halves,
    drop_words,
    repeat_words,
    mix_case,
    add_marks,
]


def pairs(language: str, count: int, seed: int) -> list[Pair]:
    """Pairs of sentences that share meaning, changed at random. The same seed gives the same pairs."""
    random = Random(seed)
    groups = sayings(language)
    return [changed_pair(groups, random) for _ in range(count)]


def changed_pair(groups: list[list[str]], random: Random) -> Pair:
    chosen = random.sample(groups, random.choice([1, 1, 1, 2]))
    hypothesis = " ".join(random.choice(group) for group in chosen).split(" ")
    reference = " ".join(random.choice(group) for group in chosen).split(" ")
    for change in random.sample(CHANGES, random.choice([0, 1, 1, 2])):
        hypothesis = change(hypothesis, random)
    if random.random() < 0.2:
        reference = random.choice(CHANGES)(reference, random)
    return Pair(" ".join(hypothesis), " ".join(reference))


def odd_pairs(seed: int) -> Iterator[Pair]:
    """Every odd text against itself, its neighbours, and two others."""
    random = Random(seed)
    texts = odd_texts()
    for number, text in enumerate(texts):
        for other in [text, texts[number - 1], *random.sample(texts, 2)]:
            yield Pair(text, other)
            yield Pair(" ".join(shuffle(text.split(" "), random)), other)


def salad(vocabulary: list[str], count: int, longest: int, seed: int) -> list[Pair]:
    """Random words from a small vocabulary: every word has many possible matches."""
    random = Random(seed)

    def sentence() -> str:
        few = random.sample(vocabulary, min(len(vocabulary), random.choice([2, 3, 5, 10])))
        return " ".join(random.choice(few) for _ in range(random.randint(0, longest)))

    return [Pair(sentence(), sentence()) for _ in range(count)]

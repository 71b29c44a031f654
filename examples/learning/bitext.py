"""Generate a small bitext with an invented language, for the tutorial.

    python examples/learning/bitext.py [PAIRS]

Writes bitext.en and bitext.xx. Many English words have two translations, chosen at random. Words that share a
translation are paraphrases, and a program that does not know the language can find them.
"""

from __future__ import annotations

import random
import sys
from pathlib import Path

WHO = {
    "the woman": ["la sora"],
    "the man": ["la viro"],
    "the child": ["la beb", "la etulo"],
    "my neighbour": ["mia najba", "mia apudulo"],
    "our teacher": ["nia majstro", "nia klariga persono"],
    "the doctor": ["la kuracist", "la sanigulo"],
}
DOES = {
    "buys": ["aketas"],
    "sells": ["vendas", "cedas por mono"],
    "sees": ["vidas", "rimarkas"],
    "loves": ["amas"],
    "forgets": ["forgesas", "ne plu memoras"],
    "paints": ["farbas"],
}
WHAT = {
    "house": ["domo"],
    "boat": ["bot", "etna sipo"],
    "garden": ["jardin"],
    "horse": ["kaval"],
    "bread": ["pan"],
    "car": ["auto", "motora veturilo"],
}
HOW = {"big": ["granda", "grandega"], "small": ["eta", "malgranda"], "old": ["olda"], "red": ["ruja"]}
WHEN = {
    "today": ["hodia", "en tiu tago"],
    "at once": ["tuj", "sen prokrasto"],
    "every week": ["ciun semajnon"],
    "near the river": ["apud la river"],
    "in the city": ["en la urbo"],
}


def clause(numbers: random.Random) -> tuple[str, str]:
    who, does, how, what, when = (
        numbers.choice(list(words.items())) for words in (WHO, DOES, HOW, WHAT, WHEN)
    )
    english = f"{who[0]} {does[0]} the {how[0]} {what[0]} {when[0]}"
    words = [numbers.choice(each[1]) for each in (who, does, what, how, when)]
    return english, f"{words[0]} {words[1]} la {words[2]} {words[3]} {words[4]}"


def sentence(numbers: random.Random) -> tuple[str, str]:
    english, ours = zip(*(clause(numbers) for _ in range(numbers.choice([1, 1, 2]))), strict=True)
    end = numbers.choice([".", ".", "!"])
    texts = " and ".join(english), " kaj ".join(ours)
    return texts[0].capitalize() + end, texts[1].capitalize() + end


def main(pairs: int = 600) -> None:
    numbers = random.Random(1)
    sentences = [sentence(numbers) for _ in range(pairs)]
    for language, texts in zip(("en", "xx"), zip(*sentences, strict=True), strict=True):
        Path(f"bitext.{language}").write_text("".join(f"{text}\n" for text in texts), encoding="utf-8")


if __name__ == "__main__":
    main(*map(int, sys.argv[1:2]))

"""A custom matcher: it matches British and American spellings of a word.

python examples/matcher.py
"""

from __future__ import annotations

from bolide import Meteor


class Spelling:
    name = "spelling"  # shown in the signature
    weight = 0.9

    def keys(self, word: str) -> list[str]:
        """Words that share a key match."""
        return [word.replace("our", "or").replace("ise", "ize")]


def main() -> None:
    hypothesis, reference = "The neighbours organised it.", "The neighbors organized it."
    for modules in (["exact", "stem"], ["exact", "stem", Spelling()]):
        meteor = Meteor(modules=modules)
        alignment = meteor.align(hypothesis, reference)
        print(f"{alignment.score.score:.4f}", *(match.module for match in alignment.matches))


if __name__ == "__main__":
    main()

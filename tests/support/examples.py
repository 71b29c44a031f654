"""The number of examples of a Hypothesis test, by Hypothesis profile.

`pytest` tries all of them. `pytest --hypothesis-profile=brief` tries a tenth: for runs that repeat tests with
sanitizers or with other CPU instructions.
"""

from __future__ import annotations

from hypothesis import settings

DEFAULT = 100  # of Hypothesis, and of tests without a number of their own
PROFILES = {"bolide": DEFAULT, "brief": DEFAULT // 10}


def register() -> None:
    for name, examples in PROFILES.items():
        settings.register_profile(name, deadline=None, print_blob=True, max_examples=examples)
    settings.load_profile("bolide")


def examples(count: int) -> int:
    """For `@settings(max_examples=...)`: `count`, or its share under the profile that is loaded."""
    return max(1, count * settings().max_examples // DEFAULT)

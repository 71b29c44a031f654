"""Folders that tests read from."""

from pathlib import Path

REPOSITORY = Path(__file__).parents[2]
EXAMPLES = REPOSITORY / "examples"
GOLDEN = REPOSITORY / "tests" / "golden"
SUPPORT = Path(__file__).parent

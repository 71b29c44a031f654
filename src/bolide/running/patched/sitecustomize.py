"""Python imports this module when it starts, because `bolide run` has put its folder on PYTHONPATH.

It takes the place of the user's own `sitecustomize`, so it imports that one first. Then it patches METEOR. A
Python without bolide goes on without the patch. It may be an older Python, so the code is simple.
"""

# ruff: noqa: PTH100, PTH120 - pathlib is slow to import

import importlib
import os
import sys


def _import_the_next_one() -> None:
    here = os.path.dirname(os.path.abspath(__file__))
    sys.path[:] = [path for path in sys.path if os.path.abspath(path) != here]
    this = sys.modules.pop("sitecustomize")
    try:
        importlib.import_module("sitecustomize")
    except ImportError as error:
        if getattr(error, "name", "sitecustomize") != "sitecustomize":
            raise
    finally:
        sys.modules.setdefault("sitecustomize", this)


def _patch() -> None:
    try:
        from bolide.compat import patch
    except ImportError:
        return
    patch()


try:
    _import_the_next_one()
finally:
    _patch()

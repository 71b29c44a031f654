"""If an optional package is missing, the error says how to install it. bolide itself needs none of them."""

from __future__ import annotations

import sys
from importlib import import_module

import pytest

import bolide
from bolide._support.extras import install
from bolide.errors import BolideError, ConfigurationError, LearningError

EXTRAS = {
    "pandas": ("bolide.compat.pandas", "pandas"),
    "polars": ("bolide.compat.polars", "polars"),
    "sacrebleu": ("bolide.compat.sacrebleu", "sacrebleu.metrics.base"),
    "mbrs": ("bolide.compat.mbrs", "mbrs"),
    "torch": ("bolide.compat.torchmetrics", "torch"),
}


@pytest.mark.parametrize("extra", EXTRAS)
def test_missing(extra: str, monkeypatch: pytest.MonkeyPatch) -> None:
    module, package = EXTRAS[extra]
    # None in sys.modules makes Python report that there is no such module.
    monkeypatch.setitem(sys.modules, package, None)
    monkeypatch.delitem(sys.modules, module, raising=False)
    with pytest.raises(ImportError) as raised:
        import_module(module)
    assert isinstance(raised.value, BolideError)
    assert str(raised.value) == (
        f"the package {extra} is not installed; run: pip install 'bolide[{extra}]', or in a clone of bolide: "
        f"pip install '.[{extra}]'"
    )


def test_missing_nltk(monkeypatch: pytest.MonkeyPatch) -> None:
    tokens = import_module("bolide.compat.evaluate.tokens")
    monkeypatch.setitem(sys.modules, "nltk.tokenize", None)
    monkeypatch.setitem(sys.modules, "nltk", None)
    with pytest.raises(BolideError, match=r"pip install 'bolide\[evaluate\]'"):
        tokens.word_tokenize(["never seen: zzqzz? No."])


def test_packages_that_are_looked_for(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are imported later, and have their own messages; the remedy is the same."""
    from bolide.inputs import parquet
    from bolide.learning import aligners
    from bolide.matching.vectors import Related

    for name in ("pyarrow", "pyarrow.parquet"):
        monkeypatch.setitem(sys.modules, name, None)
    monkeypatch.setattr("bolide.matching.vectors.GLOVE", "no_such_package")
    monkeypatch.setattr(aligners, "find_spec", lambda name: None)
    for extra, error, work in (
        ("parquet", ConfigurationError, parquet._pyarrow),
        ("related", ConfigurationError, Related.glove),
        ("learning", LearningError, lambda: aligners.find("fast-align")),
    ):
        with pytest.raises(error) as raised:
            work()
        assert str(raised.value).endswith(install(extra))


def test_drop_ins_do_not_hide_the_packages() -> None:
    for name in ("nltk", "evaluate"):
        ours = import_module(f"bolide.compat.{name}")
        assert sys.modules.get(name) is not ours
    assert "torch" not in vars(bolide)

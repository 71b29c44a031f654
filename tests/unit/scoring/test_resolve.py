"""From arguments to settings: all cheap checks come before a pack is opened or fetched."""

from __future__ import annotations

import pickle
from dataclasses import FrozenInstanceError, replace
from pathlib import Path
from typing import Any

import pytest

from bolide import Meteor, resources
from bolide.errors import ConfigurationError, ModuleError, ResourceError
from bolide.resources import Pack
from bolide.scoring.resolve import ANY_NUMBERS, choose, open_packs, resolve
from tests.support import fake_meteor


@pytest.fixture
def nothing_opens(home: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """A machine without packs, on which any attempt to open one fails."""

    def refuse(*arguments: object, **options: object) -> None:
        raise AssertionError("a pack was opened")

    for name in ("open_pack", "open_synonyms"):
        monkeypatch.setattr(resources, name, refuse)


@pytest.mark.parametrize(
    ("options", "message"),
    [
        ({"profile": "1.6"}, "unknown profile '1.6'"),
        ({"language": "klingon"}, "unknown language 'klingon'"),
        ({"task": "ranking"}, "unknown task 'ranking'"),
        ({"modules": ["exact", "stemm"]}, "unknown module 'stemm'"),
        ({"weights": [1, 2]}, "4 numbers, one per module"),
        ({"alpha": 2}, "alpha must be a number from 0 to 1, not 2"),
        ({"normalize": "yes"}, "unknown normalize 'yes'"),
        ({"aligner": "best"}, "unknown aligner 'best'"),
        ({"aligner": "staged"}, "module 'paraphrase' matches phrases"),
        ({"search_weights": "heavy"}, "unknown search_weights 'heavy'"),
        ({"beam": 0}, "beam must be a whole number of at least 1"),
        ({"references": "each"}, "unknown references 'each'"),
        ({"unit": "letters"}, "unknown unit 'letters'"),
        ({"threads": 0}, "threads must be a whole number"),
        ({"stop_words": 5}, "stop_words must be words"),
        ({"synonyms": "roget"}, "unknown source of synonyms 'roget'"),
        ({"language": "fi", "synonyms": "mythes"}, "mythes has no synonyms for 'fi'"),
        ({"synonyms": "wordnet", "modules": ["exact"]}, "none of the modules exact uses these synonyms"),
        ({"resources": 7}, "resources must be a language pack"),
    ],
)
@pytest.mark.usefixtures("nothing_opens")
def test_settings_are_checked_before_packs_are_opened(options: dict[str, Any], message: str) -> None:
    for call in (choose, Meteor):
        with pytest.raises(ConfigurationError, match=message):
            call(**options)


@pytest.mark.parametrize("option", ["profile", "stop_words", "resources", "synonyms"])
@pytest.mark.usefixtures("nothing_opens")
def test_files_are_checked_before_packs_are_opened(option: str, tmp_path: Path) -> None:
    name = tmp_path / "nosuch.toml"
    with pytest.raises((ConfigurationError, ResourceError, ValueError), match="nosuch"):
        choose(**{option: name})  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("options", "problem", "choices"),
    [
        ({"language": "de"}, "module 'paraphrase' needs a paraphrase table", "exact stem case "),
        ({"language": "de", "modules": ["synonym"]}, "module 'synonym' needs synonyms", "exact stem case "),
        ({"language": "cs", "modules": ["stem"]}, "has no stemmer in language 'cs'", "exact case "),
        ({"modules": ["nltk-synonym"]}, "needs WordNet's own files", "exact stem synonym paraphrase "),
        (
            {"language": "de", "synonyms": "mythes", "modules": ["synonym", "paraphrase"]},
            "module 'paraphrase' needs",
            "exact stem synonym case ",
        ),
    ],
)
@pytest.mark.usefixtures("nothing_opens")
def test_what_a_pack_lacks_is_known_before_it_is_fetched(
    options: dict[str, Any], problem: str, choices: str
) -> None:
    with pytest.raises(ModuleError, match=problem) as found:
        choose(**options)
    assert f"choose modules from: {choices}" in str(found.value)


@pytest.mark.usefixtures("nothing_opens")
def test_choosing_opens_nothing() -> None:
    asked: list[dict[str, Any]] = [{}, {"profile": "nltk"}, {"language": "it"}, {"synonyms": "wordnet"}]
    for options in asked:
        choose(**options)


def test_an_installed_pack_names_the_other_modules(home: Path, tmp_path: Path) -> None:
    """Of a module that cannot be had in any case; without the other checks of a pack that is open."""
    resources.install("en", fake_meteor.folder(tmp_path / "meteor"))
    with pytest.raises(ModuleError, match="needs WordNet's own files") as found:
        choose(modules=["nltk-synonym"])
    assert found.value.choices == (
        "exact", "stem", "synonym", "paraphrase", "porter-stem", "wn-stem", "wn-synonym", "nltk-stem",
        "case", "most-letters", "half-letters", "some-letters", "letter-runs",
    )  # fmt: skip


def test_resolve_is_both_steps(english: Meteor) -> None:
    settings = open_packs(choose(task="adq", alpha=0.6))
    assert settings == resolve(task="adq", alpha=0.6) == Meteor(task="adq", alpha=0.6).settings
    assert settings.pack is english.settings.pack
    assert Meteor.from_settings(settings).get_signature() == Meteor(task="adq", alpha=0.6).get_signature()


def test_settings_do_not_change() -> None:
    settings = resolve("linear", modules=["exact"], normalize="lower")
    with pytest.raises(FrozenInstanceError):
        settings.beam = 3  # type: ignore[misc]
    assert pickle.loads(pickle.dumps(settings)) == settings


def test_limits_of_numbers() -> None:
    options: dict[str, Any] = {"modules": ["exact"], "normalize": "lower", "gamma": 3.5, "weights": [-1.0]}
    settings = resolve("linear", limits=ANY_NUMBERS, **options)
    assert (settings.parameters.gamma, settings.parameters.weights) == (3.5, (-1.0,))
    with pytest.raises(ConfigurationError, match="gamma must be a number from 0 to 1"):
        resolve("linear", **{**options, "weights": [1]})


def test_an_unknown_keyword() -> None:
    with pytest.raises(TypeError, match="module"):
        resolve(module=["exact"])


def test_threads_are_those_of_the_machine(monkeypatch: pytest.MonkeyPatch) -> None:
    """Unless their number is given, a copy of a scorer on another machine has its own."""
    options: dict[str, Any] = {"modules": ["exact"], "normalize": "lower"}
    monkeypatch.setenv("BOLIDE_THREADS", "3")
    default, chosen = Meteor("linear", **options), Meteor("linear", **options, threads=2)
    assert (default.threads, chosen.threads) == (3, 2)
    data = pickle.dumps([default, chosen])
    monkeypatch.setenv("BOLIDE_THREADS", "5")
    assert [scorer.threads for scorer in pickle.loads(data)] == [5, 2]


def test_a_copy_finds_the_pack_in_another_home(
    home: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As on another machine. Other data is an error, not another score."""
    source = fake_meteor.folder(tmp_path / "meteor")
    resources.install("en", source)
    data = pickle.dumps(Meteor(modules=["exact", "stem"]))
    monkeypatch.setenv("BOLIDE_HOME", str(tmp_path / "elsewhere"))
    with pytest.raises(ResourceError, match="BOLIDE_OFFLINE"):
        pickle.loads(data)
    resources.install("en", source)
    copy = pickle.loads(data)
    assert copy.settings.pack.path == tmp_path / "elsewhere" / "packs" / "en"
    other = fake_meteor.folder(tmp_path / "other", files=fake_meteor.jar_files("and"))
    resources.install("en", other, force=True)
    with pytest.raises(ResourceError, match="was replaced"):
        pickle.loads(data)


class Counting(Meteor):
    """A subclass with an attribute and other arguments."""

    def __init__(self, calls: int) -> None:
        super().__init__("linear", modules=["exact"], normalize="lower")
        self.calls = calls


def test_a_copy_of_a_subclass() -> None:
    copy = pickle.loads(pickle.dumps(Counting(7)))
    assert (type(copy), copy.calls, copy.modules) == (Counting, 7, ("exact",))


def test_a_pack_in_memory_is_kept() -> None:
    pack = Pack("en")
    assert resolve(modules=["exact"], resources=pack).pack is pack
    settings = resolve("linear", modules=["exact"], normalize="lower")
    assert replace(settings, pack=pack) == settings  # nothing in the language pack is used

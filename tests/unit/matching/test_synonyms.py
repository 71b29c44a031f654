"""Matchers that use WordNet and thesauri: on small ones made for tests, and on the real one, beside NLTK."""

from __future__ import annotations

import pickle
import random
from importlib import import_module
from itertools import pairwise
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

import bolide
from bolide import resources
from bolide.errors import ConfigurationError, ResourceError
from bolide.language import porter
from bolide.language.dictionary import Dictionary, DictionaryArrays
from bolide.matching.matchers import KeyArrays, Matcher
from bolide.matching.synonyms import NltkSynonym, ThesaurusSynonym, WordNetStem, WordNetSynonym
from bolide.resources import Pack
from tests.conftest import missing
from tests.support import fake_wordnet, nltk_wordnet
from tests.support.examples import examples


@pytest.fixture
def wordnet(home: Path, tmp_path: Path) -> Pack:
    resources.install_synonyms("en", fake_wordnet.folder(tmp_path / "dict"))
    return resources.open_synonyms("wordnet", "en")


@pytest.fixture
def german(home: Path, tmp_path: Path) -> Pack:
    resources.install_synonyms("de", fake_wordnet.thesaurus(tmp_path / "th_de_DE_v2.dat"))
    return resources.open_synonyms("mythes", "de")


@pytest.fixture(scope="session")
def real_wordnet() -> Pack:
    try:
        return resources.open_synonyms("wordnet", "en")
    except ResourceError as error:
        missing(str(error))


def dictionary(pack: Pack) -> Dictionary:
    assert isinstance(pack.synonyms, DictionaryArrays)
    return Dictionary(pack.synonyms)


def match(matcher: Matcher, one: str, other: str) -> bool:
    return bool(set(matcher.keys(one)) & set(matcher.keys(other)))


def lists(arrays: KeyArrays) -> list[set[int]]:
    offsets, keys = (array.tolist() for array in arrays)
    assert offsets[0] == 0
    assert offsets[-1] == len(keys)
    return [set(keys[start:end]) for start, end in pairwise(offsets)]


def names(reader: Any, word: str) -> set[str]:
    """Synonyms as meteor_score finds them."""
    lemmas = (lemma.name() for synset in reader.synsets(word) for lemma in synset.lemmas())
    return {name for name in lemmas if "_" not in name}


BASE_FORMS = {
    "boats": {"boat"}, "leaves": {"leaf", "leave"}, "axes": {"ax", "axis"}, "went": {"go"},
    "better": {"better", "good", "well"}, "news": {"news"}, "going": {"go"}, "faster": {"fast"},
    "argo": {"argo"}, "geese": set(), "unknown": set(), "": set(), "gravy_boats": {"gravy_boat"},
}  # fmt: skip


@pytest.mark.parametrize("word", BASE_FORMS)
def test_base_forms_by_part_of_speech(wordnet: Pack, word: str) -> None:
    assert set(dictionary(wordnet).base_forms([word])[0]) == BASE_FORMS[word]
    assert set(WordNetStem(wordnet).keys(word)) == (BASE_FORMS[word] or {word})


@pytest.mark.parametrize(
    ("one", "other", "expected"),
    [
        ("ship", "boat", True),
        ("ships", "boats", True),
        ("sent", "ship", False),  # not in the list of exceptions
        ("departed", "leaves", True),
        ("leafage", "leaves", True),
        ("leafage", "depart", False),
        ("quick", "fast", True),
        ("quick", "unknown", False),
        ("unknown", "unknown", False),  # no synset, no synonym; another stage matches equal words
    ],
)
def test_synonyms_are_symmetric(wordnet: Pack, one: str, other: str, expected: bool) -> None:
    matcher = WordNetSynonym(wordnet)
    assert match(matcher, one, other) is match(matcher, other, one) is expected


def test_synonyms_of_nltk_are_directed(wordnet: Pack) -> None:
    matcher = NltkSynonym(wordnet)

    def matches(hypothesis: str, reference: str) -> bool:
        return bool(set(matcher.hypothesis_keys(hypothesis)) & set(matcher.reference_keys(reference)))

    assert matches("boats", "ship")
    assert matches("boats", "ships")  # both are stemmed
    assert matches("moved", "going")
    assert matches("went", "go")
    assert not matches("go", "went")  # "went" is looked up, but it is in no synset
    assert not matches("leaving", "depart")  # nor has "leav", the stem, an entry
    assert matches("leaving", "leaving")  # equal stems match without the dictionary
    assert "Argo" in matcher.hypothesis_keys("boat")
    assert not matches("boat", "argo")  # names keep their capitals
    assert "gravy_boat" not in matcher.hypothesis_keys("boat")


def test_many_words_at_once(wordnet: Pack) -> None:
    words = [*BASE_FORMS, "boats", "ship", "boats"]
    nltk, stem = NltkSynonym(wordnet), WordNetStem(wordnet)
    hypothesis, reference = map(lists, nltk.columns(words))
    for k, word in enumerate(words):
        one_by_one = set(nltk.hypothesis_keys(word))
        assert len(hypothesis[k]) == len(one_by_one)
        for other, keys in zip(words, reference, strict=True):
            assert (hypothesis[k] & keys == keys) is one_by_one.issuperset(nltk.reference_keys(other))
    assert lists(stem.key_arrays(words)) == [
        set(stem.identity(list(stem.keys(word))).tolist()) for word in words
    ]
    synonym = WordNetSynonym(wordnet)
    assert lists(synonym.key_arrays(words)) == [set(synonym.keys(word)) for word in words]
    for arrays in (*nltk.columns([]), stem.key_arrays([])):
        assert lists(arrays) == []


def test_thesaurus(german: Pack) -> None:
    matcher = ThesaurusSynonym(german)
    assert match(matcher, "haus", "heim")
    assert match(matcher, "Haus", "gebäude")
    assert match(matcher, "bau", "gebäude")
    assert match(matcher, "daheim", "heim")
    assert not match(matcher, "haus", "bauwerk")  # a broader term
    assert not match(matcher, "groß", "klein")  # an antonym
    assert not match(matcher, "gebäude", "heim")  # different meanings of "haus"
    assert list(matcher.keys("unbekannt")) == []
    words = ["haus", "unbekannt", "Heim", "haus"]
    assert lists(matcher.key_arrays(words)) == [set(matcher.keys(word)) for word in words]


def test_matchers_can_be_pickled(wordnet: Pack, german: Pack) -> None:
    for matcher in (WordNetSynonym(wordnet), WordNetStem(wordnet), ThesaurusSynonym(german)):
        again = pickle.loads(pickle.dumps(matcher))
        assert again == matcher
        assert list(again.keys("haus")) == list(matcher.keys("haus"))
    nltk = pickle.loads(pickle.dumps(NltkSynonym(wordnet)))
    assert set(nltk.hypothesis_keys("boats")) == set(NltkSynonym(wordnet).hypothesis_keys("boats"))


def test_a_pack_that_does_not_fit_is_refused(wordnet: Pack, german: Pack) -> None:
    with pytest.raises(ConfigurationError, match="has no WordNet"):
        WordNetSynonym(german)
    with pytest.raises(ConfigurationError, match="has no thesaurus"):
        ThesaurusSynonym(wordnet)


def test_sources_of_a_scorer(
    wordnet: Pack, german: Pack, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def scorer(code: str, source: Any, *modules: str) -> bolide.Meteor:
        weights = [1.0] * (len(modules) + 1)
        return bolide.Meteor(
            "2005", code, modules=["exact", *modules], weights=weights, synonyms=source, resources=Pack(code)
        )

    monkeypatch.chdir(tmp_path)
    (tmp_path / "mythes").mkdir()  # a folder named like a source is still the source
    assert scorer("de", "mythes", "synonym").settings.synonyms == german
    assert german.path is not None
    found = scorer("de", str(german.path), "synonym")
    assert found.sentence_score("haus", "heim").matches == 1
    assert pickle.loads(pickle.dumps(found)).get_signature() == found.get_signature()
    assert scorer("other", german.path, "synonym").settings.synonyms == german
    assert scorer("en", wordnet, "wn-stem").settings.synonyms == wordnet
    for code, source, module, message in (
        ("en", german, "synonym", r"are for German \(de\), the scorer for English"),
        ("de", "", "synonym", "unknown source of synonyms ''; choose one of: wordnet, mythes"),
        ("de", "mythos", "synonym", "unknown source of synonyms 'mythos'; did you mean 'mythes'"),
        ("de", german, "stem", "none of the modules exact stem uses these synonyms; add one of: synonym; or"),
        ("en", wordnet, "stem", "add one of: synonym wn-stem wn-synonym nltk-synonym"),
        ("de", 5, "synonym", "synonyms must be 'wordnet', 'mythes'"),
    ):
        with pytest.raises(ConfigurationError, match=message):
            scorer(code, source, module)


def test_the_language_pack_serves_2005(english: bolide.Meteor) -> None:
    pack = english.settings.pack
    synonym, stem = WordNetSynonym(pack), WordNetStem(pack)
    assert match(synonym, "automobiles", "car")
    assert not match(synonym, "automobiles", "tree")
    assert match(stem, "went", "going")
    assert match(stem, "geese", "goose")
    assert match(stem, "zzyzx", "zzyzx")
    assert not match(stem, "car", "automobile")
    with pytest.raises(ConfigurationError, match="install en --synonyms wordnet"):
        NltkSynonym(pack)


def test_small_wordnet_as_nltk(home: Path, tmp_path: Path) -> None:
    pytest.importorskip("nltk")
    folder = fake_wordnet.folder(tmp_path / "nltk_data" / "corpora" / "wordnet")
    resources.install_synonyms("en", folder)
    found = dictionary(resources.open_synonyms("wordnet", "en"))
    words = {word for words in BASE_FORMS.items() for word in (words[0], *words[1])}
    forms = [word + ending for word in words for ending in ("", "s", "es", "ing", "ed", "er", "est", "ves")]
    with nltk_wordnet.reader(folder) as reader:
        expected = {form: names(reader, form) for form in forms}
    assert {form: found.synonyms(form) for form in forms} == expected


def test_wordnet_as_nltk(real_wordnet: Pack, nltk_reader: Any) -> None:
    """All irregular forms, and more than 20,000 other words, inflected at random."""
    entries = sorted(nltk_reader._lemma_pos_offset_map)
    rng = random.Random(3)
    endings = ("s", "es", "ing", "ed", "er", "est", "ves", "men", "ies")
    words = rng.sample(entries, 20_000)
    words += [form for forms in nltk_reader._exception_map.values() for form in forms]
    words += [porter.nltk_stem(word) for word in rng.sample(entries, 10_000)]
    words += [word + rng.choice(endings) for word in rng.sample(entries, 10_000)]
    source = dictionary(real_wordnet)
    spelling = [source.arrays.names.word(number) for number in range(len(source.arrays.names))]
    found = [{spelling[number] for number in row} for row in lists(source.name_arrays(words))]
    assert [row for row in zip(words, found, strict=True) if row[1] != names(nltk_reader, row[0])] == []
    # One by one, the result is the same.
    assert [source.synonyms(word) for word in words] == found


@settings(max_examples=examples(300), suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(word=st.text(st.characters(exclude_categories=["Cs"]), max_size=12))
def test_any_word_as_nltk(real_wordnet: Pack, nltk_reader: Any, word: str) -> None:
    lower = word.lower()
    assert dictionary(real_wordnet).synonyms(lower) == names(nltk_reader, lower)


def test_stage_of_nltk_as_nltk(real_wordnet: Pack, nltk_reader: Any, english: bolide.Meteor) -> None:
    """NLTK's own stage, on pairs of related words."""
    nltk = import_module("nltk.translate.meteor_score")
    matcher = NltkSynonym(real_wordnet)
    rng = random.Random(4)
    entries = [word for word in nltk_reader._lemma_pos_offset_map if word.isalpha()]
    for word in rng.sample(sorted(entries), 3_000):
        related = sorted(names(nltk_reader, word)) or [word]
        hypothesis, reference = word + rng.choice(["", "s", "ing"]), rng.choice(related).lower()
        _, left, right = nltk._enum_stem_match([(0, hypothesis)], [(0, reference)])
        expected = not left or bool(nltk._enum_wordnetsyn_match(left, right, nltk_reader)[0])
        keys = set(matcher.hypothesis_keys(hypothesis)) & set(matcher.reference_keys(reference))
        assert bool(keys) is expected, (hypothesis, reference)

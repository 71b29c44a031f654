"""The modules that have names: what each needs, and how it is made.

    exact          equal words
    stem           equal stems, by the language's Snowball stemmer
    synonym        in one synset of the language pack, or of another source of synonyms
    paraphrase     phrase pairs of the language pack's table
    porter-stem    equal stems, by Porter's stemmer of 1980 (METEOR 2005)
    wn-stem        equal base forms in WordNet (METEOR 2005)
    wn-synonym     in one synset, base forms included (METEOR 2005)
    nltk-stem      equal stems, by NLTK's Porter stemmer
    nltk-synonym   NLTK's synonyms: names in the synsets of the hypothesis word's stem
    case           equal but for case, where words are not lower-cased before
    most-letters   a run of at least 3 letters in common that is 4/5 of the longer word, or more
    half-letters   the same, 1/2 of the longer word
    some-letters   the same, 1/4 of the longer word

Matchers of one's own need no name here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from fractions import Fraction

from bolide.errors import ModuleError
from bolide.language import porter
from bolide.language.languages import Language
from bolide.language.wordnet import WordNet
from bolide.matching.matchers import (
    Exact,
    Paraphrase,
    PorterStem,
    Stage,
    Stem,
    Synonym,
    WordIdentity,
)
from bolide.matching.spelling import Case, Substring
from bolide.matching.synonyms import NltkSynonym, Thesaurus, WordNetStem, WordNetSynonym
from bolide.resources import Pack, catalogue


@dataclass(frozen=True)
class Sources:
    """What modules are made from."""

    language: Language
    pack: Pack
    synonyms: Pack | None  # a source of synonyms other than the pack
    identity: WordIdentity  # every lexicon needs its own
    stop_words: frozenset[str]
    # Whether stages after the first find no equal words, because the first has tied them all.
    equal_words_tied: bool

    @property
    def wordnet(self) -> Pack:
        """The pack that has WordNet."""
        return self.synonyms if self.synonyms is not None and _is_wordnet(self.synonyms) else self.pack


# The stages of 2005 tie equal words too: what one leaves, in whatever order, the next may take.
class _Porter(PorterStem):
    kind = "exact"


class _WordNetStem(WordNetStem):
    kind = "exact"


class _WordNetSynonym(WordNetSynonym):
    kind = "exact"


@dataclass(frozen=True)
class Module:
    """A module by name."""

    short: str  # in signatures
    make: Callable[[Sources], Stage]
    is_there: Callable[[Sources], bool] = lambda sources: True
    lacks: str = ""  # what it lacks where it is not there
    from_pack: bool = False  # needs the language pack
    # Whether it takes what it knows from this source of synonyms, not from the language pack.
    reads: Callable[[Pack], bool] = lambda source: False


def _synonym(sources: Sources) -> Stage:
    if sources.synonyms is None:
        assert sources.pack.synonyms is not None
        return Synonym(WordNet(sources.pack.synonyms))
    if sources.synonyms.thesaurus is not None:
        return Thesaurus(sources.synonyms)
    return WordNetSynonym(sources.synonyms)


def _paraphrase(sources: Sources) -> Stage:
    assert sources.pack.paraphrases is not None
    return Paraphrase(sources.pack.paraphrases)


def _nltk_stem(sources: Sources) -> Stage:
    kind = PorterStem if sources.equal_words_tied else _Porter
    return kind(porter.nltk_stems, sources.identity, "nltk-stem", porter.NLTK)


def _is_wordnet(source: Pack) -> bool:
    return source.synonyms is not None


def _has_synonyms(sources: Sources) -> bool:
    return sources.synonyms is not None or sources.pack.synonyms is not None


def _has_wordnet(sources: Sources) -> bool:
    return sources.wordnet.synonyms is not None


def _is_english(sources: Sources) -> bool:
    return sources.language.code == "en"


NO_SYNONYMS = (
    "needs synonyms, which the pack of language '{language}' does not have; see: bolide resources install "
    "--help, --synonyms"
)
NO_WORDNET = "needs WordNet, which the pack of language '{language}' does not have"
ENGLISH_ONLY = "is for English, not for language '{language}'"
NLTK_ONLY = (
    'needs WordNet\'s own files: bolide resources install en --synonyms wordnet, then synonyms = "wordnet"'
)

MODULES: dict[str, Module] = {
    "exact": Module("ex", lambda s: Exact(s.identity, s.stop_words)),
    "stem": Module(
        "st",
        lambda s: Stem(s.language.code, s.identity),
        lambda s: s.language.stemmer is not None,
        "has no stemmer in language '{language}'",
    ),
    "synonym": Module("sy", _synonym, _has_synonyms, NO_SYNONYMS, from_pack=True, reads=lambda source: True),
    "paraphrase": Module(
        "pa",
        _paraphrase,
        lambda s: s.pack.paraphrases is not None,
        "needs a paraphrase table, which the pack of language '{language}' does not have",
        from_pack=True,
    ),
    "porter-stem": Module(
        "po", lambda s: _Porter(porter.stems, s.identity, "porter-stem"), _is_english, ENGLISH_ONLY
    ),
    "wn-stem": Module(
        "ws",
        lambda s: _WordNetStem(s.wordnet, s.identity),
        _has_wordnet,
        NO_WORDNET,
        from_pack=True,
        reads=_is_wordnet,
    ),
    "wn-synonym": Module(
        "wy",
        lambda s: _WordNetSynonym(s.wordnet, "wn-synonym"),
        _has_wordnet,
        NO_WORDNET,
        from_pack=True,
        reads=_is_wordnet,
    ),
    "nltk-stem": Module("ns", _nltk_stem, _is_english, ENGLISH_ONLY),
    "nltk-synonym": Module(
        "ny",
        lambda s: NltkSynonym(s.wordnet, s.identity, "nltk-synonym"),
        lambda s: s.synonyms is not None and s.synonyms.synonyms is not None,
        NLTK_ONLY,
        reads=_is_wordnet,
    ),
    "case": Module("ca", lambda s: Case(s.identity)),
    "most-letters": Module("ml", lambda s: Substring(Fraction(4, 5), "most-letters")),
    "half-letters": Module("hl", lambda s: Substring(Fraction(1, 2), "half-letters")),
    "some-letters": Module("sl", lambda s: Substring(Fraction(1, 4), "some-letters")),
}


def make(name: str, sources: Sources) -> Stage:
    """The module of that name."""
    return MODULES[name].make(sources)


def available(sources: Sources) -> tuple[str, ...]:
    """The names of the modules that can be had from these sources."""
    return tuple(name for name, module in MODULES.items() if module.is_there(sources))


def check(name: str, sources: Sources) -> None:
    """An error, with the remedy, if the module cannot be had."""
    module = MODULES[name]
    if module.is_there(sources):
        return
    code = sources.language.code
    remedies = _ways_to_a_table(sources.language) if name == "paraphrase" else {}
    problem = f"module '{name}' {module.lacks.format(language=code)}"
    raise ModuleError(problem, available(sources), remedies)


def _ways_to_a_table(language: Language) -> dict[str, str]:
    """How to have paraphrases of a language whose pack has none."""
    code, install = language.code, f"bolide resources install {language.code}"
    ways = {}
    if code in catalogue.wheel().paraphrases:
        ways["fetch"] = f"fetch the table: {install} --force"
    if "paraphrases" in language.resources:
        ways["add"] = f"add the table: {install} --from PATH, a full Meteor 1.5"
    ways["learn"] = f"learn one: bolide learn language {code if code != 'other' else 'CODE'} SRC TGT"
    return ways

"""The built-in modules by name: what each one needs, and how its stage is made.

    exact          equal words
    stem           equal stems, by the Snowball stemmer of the language
    synonym        words in one synset of the language pack, or of another source of synonyms
    paraphrase     phrase pairs from the table of the language pack
    porter-stem    equal stems, by Porter's stemmer of 1980 (METEOR 2005)
    wn-stem        equal base forms in WordNet (METEOR 2005)
    wn-synonym     words in one synset, base forms included (METEOR 2005)
    nltk-stem      equal stems, by NLTK's Porter stemmer
    nltk-synonym   NLTK's synonyms: names in the synsets of the hypothesis word's stem
    word-synonym   the same of the hypothesis word itself (NLTK before 3.6.3)
    case           words that differ only in case, if words are not lower-cased before
    most-letters   a common run of at least 3 letters that is at least 4/5 of the longer word
    half-letters   the same, at least 1/2 of the longer word
    some-letters   the same, at least 1/4 of the longer word
    letter-runs    words that no other module matches, with common runs of letters; only these letters count

Custom matchers (`bolide.matching.custom`) need no entry here.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass

from bolide.errors import ModuleError
from bolide.language import porter
from bolide.language.languages import Language
from bolide.language.wordnet import WordNet
from bolide.matching.matchers import Exact, Paraphrase, PorterStem, Stage, Stem, Synonym, WordIdentity
from bolide.matching.spelling import Case, LetterRuns, Substring
from bolide.matching.synonyms import NltkSynonym, ThesaurusSynonym, WordNetStem, WordNetSynonym
from bolide.resources import Pack, catalogue

# The parts of packs that modules read.
WORDNET, THESAURUS, PARAPHRASES = "wordnet", "thesaurus", "paraphrases"
NO_PARTS: frozenset[str] = frozenset()


@dataclass(frozen=True)
class PackParts:
    """What modules can be made from: the language, and the parts that its packs have."""

    language: Language
    pack: frozenset[str]  # parts of the language pack
    synonyms: frozenset[str] = NO_PARTS  # parts of another source of synonyms, if there is one


def parts_of(pack: Pack | None) -> frozenset[str]:
    """The parts of an open pack that modules read."""
    if pack is None:
        return NO_PARTS
    found = {WORDNET: pack.synonyms, THESAURUS: pack.thesaurus, PARAPHRASES: pack.paraphrases}
    return frozenset(part for part, data in found.items() if data is not None)


@dataclass(frozen=True)
class StageSources:
    """What stages are made from. The word identity numbers words, so every vocabulary needs its own."""

    language: Language
    pack: Pack
    synonyms: Pack | None  # a source of synonyms other than the pack
    identity: WordIdentity
    stop_words: frozenset[str]
    # Whether stages after the first see no equal words, because the first has matched them all.
    equal_words_matched: bool

    @property
    def wordnet(self) -> Pack:
        """The pack that has WordNet."""
        return self.synonyms if self.synonyms and WORDNET in parts_of(self.synonyms) else self.pack


@dataclass(frozen=True)
class BuiltInModule:
    """A module that has a name."""

    short: str  # its name in signatures
    make: Callable[[StageSources], Stage]
    is_available: Callable[[PackParts], bool] = lambda parts: True
    lacks: str = ""  # what is missing if it is not available
    from_pack: bool = False  # whether it reads the language pack
    reads: frozenset[str] = NO_PARTS  # the parts that it reads from another source of synonyms instead
    has_phrases: bool = False  # whether it matches phrases, not only words
    counts_parts: bool = False  # whether it counts parts of words


def _synonym(sources: StageSources) -> Stage:
    if sources.synonyms is None:
        assert sources.pack.synonyms is not None
        return Synonym(WordNet(sources.pack.synonyms))
    if sources.synonyms.thesaurus is not None:
        return ThesaurusSynonym(sources.synonyms)
    return WordNetSynonym(sources.synonyms)


def _paraphrase(sources: StageSources) -> Stage:
    assert sources.pack.paraphrases is not None
    return Paraphrase(sources.pack.paraphrases)


def _nltk_stem(sources: StageSources) -> Stage:
    equal_words = not sources.equal_words_matched
    return PorterStem(porter.nltk_stems, sources.identity, "nltk-stem", porter.NLTK, equal_words=equal_words)


def _has_wordnet(parts: PackParts) -> bool:
    return WORDNET in parts.pack | parts.synonyms


def _is_english(parts: PackParts) -> bool:
    return parts.language.code == "en"


NO_SYNONYMS = (
    "needs synonyms, which the pack of language '{language}' does not have; see: bolide resources install "
    "--help, --synonyms"
)
NO_WORDNET = "needs WordNet, which the pack of language '{language}' does not have"
ENGLISH_ONLY = "is for English, not for language '{language}'"
NLTK_ONLY = (
    'needs WordNet\'s own files: bolide resources install en --synonyms wordnet, then synonyms = "wordnet"'
)

# The stages of METEOR 2005 match equal words too (`equal_words`): each takes what the stages before it left.
MODULES: dict[str, BuiltInModule] = {
    "exact": BuiltInModule("ex", lambda s: Exact(s.identity, s.stop_words)),
    "stem": BuiltInModule(
        "st",
        lambda s: Stem(s.language.code, s.identity),
        lambda parts: parts.language.stemmer is not None,
        "has no stemmer in language '{language}'",
    ),
    "synonym": BuiltInModule(
        "sy",
        _synonym,
        lambda parts: WORDNET in parts.pack or bool(parts.synonyms),
        NO_SYNONYMS,
        from_pack=True,
        reads=frozenset({WORDNET, THESAURUS}),
    ),
    "paraphrase": BuiltInModule(
        "pa",
        _paraphrase,
        lambda parts: PARAPHRASES in parts.pack,
        "needs a paraphrase table, which the pack of language '{language}' does not have",
        from_pack=True,
        has_phrases=True,
    ),
    "porter-stem": BuiltInModule(
        "po",
        lambda s: PorterStem(porter.stems, s.identity, "porter-stem", equal_words=True),
        _is_english,
        ENGLISH_ONLY,
    ),
    "wn-stem": BuiltInModule(
        "ws",
        lambda s: WordNetStem(s.wordnet, s.identity, equal_words=True),
        _has_wordnet,
        NO_WORDNET,
        from_pack=True,
        reads=frozenset({WORDNET}),
    ),
    "wn-synonym": BuiltInModule(
        "wy",
        lambda s: WordNetSynonym(s.wordnet, "wn-synonym", equal_words=True),
        _has_wordnet,
        NO_WORDNET,
        from_pack=True,
        reads=frozenset({WORDNET}),
    ),
    "nltk-stem": BuiltInModule("ns", _nltk_stem, _is_english, ENGLISH_ONLY),
    "nltk-synonym": BuiltInModule(
        "ny",
        lambda s: NltkSynonym(s.wordnet, s.identity, "nltk-synonym"),
        lambda parts: WORDNET in parts.synonyms,
        NLTK_ONLY,
        reads=frozenset({WORDNET}),
    ),
    "word-synonym": BuiltInModule(
        "wn",
        lambda s: NltkSynonym(s.wordnet, s.identity, "word-synonym", stemmed=False),
        lambda parts: WORDNET in parts.synonyms,
        NLTK_ONLY,
        reads=frozenset({WORDNET}),
    ),
    "case": BuiltInModule("ca", lambda s: Case(s.identity)),
    "most-letters": BuiltInModule("ml", lambda s: Substring(80, "most-letters")),
    "half-letters": BuiltInModule("hl", lambda s: Substring(50, "half-letters")),
    "some-letters": BuiltInModule("sl", lambda s: Substring(25, "some-letters")),
    "letter-runs": BuiltInModule("lr", lambda s: LetterRuns(), counts_parts=True),
}


def check(name: str, parts: PackParts) -> None:
    """Raises an error, with remedies, if the module is not available."""
    module = MODULES[name]
    if module.is_available(parts):
        return
    remedies = _ways_to_a_table(parts.language) if name == "paraphrase" else {}
    problem = f"module '{name}' {module.lacks.format(language=parts.language.code)}"
    choices = tuple(each for each, module in MODULES.items() if module.is_available(parts))
    raise ModuleError(problem, choices, remedies)


def _ways_to_a_table(language: Language) -> dict[str, str]:
    """How to get paraphrases for a language whose pack has none."""
    code, install = language.code, f"bolide resources install {language.code}"
    ways = {}
    if code in catalogue.wheel().paraphrases:
        ways["fetch"] = f"fetch the table: {install} --force"
    if "paraphrases" in language.resources:
        ways["add"] = f"add the table: {install} --from PATH, a full Meteor 1.5"
    ways["learn"] = f"learn one: bolide learn language {code if code != 'other' else 'CODE'} SRC TGT"
    return ways

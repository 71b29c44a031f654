"""The language table: names, modules, and messages for names that are not in it."""

from __future__ import annotations

import pytest

from bolide.errors import ConfigurationError
from bolide.language import languages

# Code, the Java release's code and the name it prints, default modules.
LANGUAGES = [
    ("en", "en", "English", "exact stem synonym paraphrase"),
    ("cs", "cz", "Czech", "exact paraphrase"),
    ("de", "de", "German", "exact stem paraphrase"),
    ("es", "es", "Spanish", "exact stem paraphrase"),
    ("fr", "fr", "French", "exact stem paraphrase"),
    ("ru", "ru", "Russian", "exact stem paraphrase"),
    ("da", "da", "Danish", "exact stem"),
    ("fi", "fi", "Finnish", "exact stem"),
    ("hu", "hu", "Hungarian", "exact stem"),
    ("it", "it", "Italian", "exact stem"),
    ("nl", "nl", "Dutch", "exact stem"),
    ("no", "no", "Norwegian", "exact stem"),
    ("pt", "pt", "Portuguese", "exact stem"),
    ("ro", "ro", "Romanian", "exact stem"),
    ("sv", "se", "Swedish", "exact stem"),
    ("tr", "tr", "Turkish", "exact stem"),
    ("other", "other", "Other", "exact"),
]
UNSPACED = {"zh": "chinese", "ja": "japanese", "ko": "korean", "th": "thai"}
NORMALIZERS = {
    "en": "english",
    "fr": "french",
    "cs": "other_western",
    "de": "other_western",
    "es": "other_western",
    "ru": "other_western",
}


def test_the_table_has_the_languages_of_the_release() -> None:
    assert [
        (language.code, language.java_code, language.java_name, " ".join(language.modules))
        for language in languages.every()
        if language.spaces
    ] == LANGUAGES


def test_languages_without_spaces_are_not_those_of_the_release() -> None:
    found = {language.code: language.name for language in languages.every() if not language.spaces}
    assert found == UNSPACED
    for code, name in UNSPACED.items():
        assert languages.get(name.capitalize()).code == code
        with pytest.raises(ConfigurationError, match="pt, ro, sv, tr, other") as refusal:
            languages.get(code, released=True)
        assert f"mean '{code}'" not in str(refusal.value)


@pytest.mark.parametrize(("code", "java_code", "java_name", "modules"), LANGUAGES)
def test_every_name_of_a_language_finds_it(code: str, java_code: str, java_name: str, modules: str) -> None:
    for name in (code, java_code, java_name, code.upper(), java_name.upper(), f" {java_name.lower()} "):
        assert languages.get(name).code == code


@pytest.mark.parametrize(("name", "code"), [("nb", "no"), ("se", "sv")])
def test_aliases(name: str, code: str) -> None:
    assert languages.get(name).code == code


def test_no_name_belongs_to_two_languages() -> None:
    names = [
        name
        for language in languages.every()
        for name in {language.code, language.java_code, language.name, *language.aliases}
    ]
    assert len(names) == len(set(names))


def test_stem_is_a_module_where_there_is_a_stemmer() -> None:
    for language in languages.every():
        assert ("stem" in language.modules) == (language.stemmer is not None), language.code


def test_modules_have_their_resources() -> None:
    for language in languages.every():
        assert ("synonym" in language.modules) == ("synonyms" in language.resources), language.code
        assert ("paraphrase" in language.modules) == ("paraphrases" in language.resources), language.code


def test_normalizers_are_for_six_languages() -> None:
    assert {row.code: row.normalizer for row in languages.every() if row.normalizer} == NORMALIZERS


@pytest.mark.parametrize(
    ("name", "hint"),
    [
        ("swedis", "did you mean 'swedish'? Choose"),
        ("Portugese", "did you mean 'portuguese'? Choose"),
        ("en-US", "did you mean 'en'? Choose"),
        ("pt_BR", "did you mean 'pt'? Choose"),
        ("klingon", "choose"),
        ("", "choose"),
    ],
)
def test_unknown_languages_are_refused_with_the_choices(name: str, hint: str) -> None:
    with pytest.raises(ConfigurationError) as refusal:
        languages.get(name)
    assert str(refusal.value) == (
        f"unknown language '{name}'; {hint} one of: en, cs, de, es, fr, ru, da, fi, hu, it, nl, no, "
        "pt, ro, sv, tr, zh, ja, ko, th, other (any other)"
    )

"""The English stemmer of the core, compared with the library py-rust-stemmers."""

from __future__ import annotations

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st
from py_rust_stemmers import SnowballStemmer  # type: ignore[import-untyped]

from bolide import _core
from tests.support.examples import examples

LIBRARY = SnowballStemmer("english")

STEMS = {
    "short words": "a:a as:as is:is ':' '':'' 's:'s y':y'",
    "apostrophes": "'tis:tis dog's:dog dogs':dog dog's':dog o'clock:o'clock don't:don't 's's:s ''':'",
    "exceptions": "skis:ski skies:sky sky:sky dying:die lying:lie tying:tie idly:idl gently:gentl ugly:ugli "
    "early:earli only:onli singly:singl news:news howe:howe atlas:atlas cosmos:cosmos bias:bias andes:andes",
    "exceptions after step 1a": "innings:inning outings:outing canning:canning herrings:herring "
    "earring's:earring proceeds:proceed exceeds:exceed succeed:succeed",
    "beginnings before R1": "generous:generous general:general communities:communiti communal:communal "
    "arsenal:arsenal arsenic:arsenic",
    "y as consonant": "yes:yes yellow:yellow boys:boy enjoyed:enjoy playing:play employer:employ buys:buy "
    "sayings:say youths:youth",
    "step 1a": "classes:class businesses:busi pies:pie tied:tie flies:fli dried:dri gas:gas this:this "
    "cats:cat radios:radio us:us campus:campus chess:chess cosy's:cosi",
    "step 1b": "agreed:agre guaranteed:guarante feed:feed needly:need breeding:breed baking:bake "
    "stepping:step filed:file educated:educ timetabled:timet organized:organ grabbed:grab adding:ad "
    "sniffing:snif begged:beg humming:hum pinned:pin chopped:chop stirred:stir sitting:sit calling:call "
    "kissing:kiss buzzing:buzz allegedly:alleg seemingly:seem spring:spring sled:sled mixing:mix "
    "showed:show arsened:arsene",
    "step 1c": "fly:fli by:by pay:pay funny:funni y'y:y'i",
    "step 2": "optional:option educational:educ decency:decenc vacancy:vacanc remarkably:remark "
    "patiently:patient fluently:fluentli equalizer:equal modernization:modern decoration:decor "
    "calculator:calcul capitalism:capit originality:origin royally:royal skilfulness:skil furiously:furious "
    "nervousness:nervous cooperativeness:cooper productivity:product visibility:visibl nobly:nobli "
    "possibly:possibl zoology:zoolog pedagogy:pedagogi cheerfully:cheer carelessly:careless lonely:lone "
    "softly:soft",
    "step 3": "operationally:oper emotionally:emot eradicate:erad capitalize:capit elasticity:elast "
    "ironical:iron playful:play sadness:sad decorative:decor native:nativ",
    "step 4": "arrival:arriv elegance:eleg reference:refer gardener:garden organic:organ reliable:reliabl "
    "eligible:elig pollutant:pollut disagreement:disagr settlement:settlement government:govern "
    "resident:resid election:elect division:divis companion:companion optimism:optim translate:translat "
    "curiosity:curios enormous:enorm creative:creativ memorize:memor",
    "step 5": "candle:candl hate:hate peace:peac cancelled:cancel patrolled:patrol spelling:spell ale:ale "
    "excite:excit",
    "other characters": "RUNNING:RUNNING Running:Run saYs:saY sayYs:sayi 1980s:1980s 3ed:3ed x-rays:x-ray "
    "well-liked:well-lik e-mailing:e-mail",
}
SUFFIXES = """
    ' 's 's' sses ied ies s us ss eed eedly ed edly ing ingly at bl iz bb dd ff gg mm nn pp rr tt ll y Y e l
    tional enci anci abli entli izer ization ational ation ator alism aliti alli fulness ousli ousness iveness
    iviti biliti bli ogi logi fulli lessli li alize icate iciti ical ful ness ative al ance ence er ic able
    ible ant ement ment ent ism ate iti ous ive ize ion sion tion
"""
BEGINNINGS = "gener commun arsen y' 'y out in can her ear pro ex suc sk d l t hop use"
PAIRS = [pair.split(":") for pairs in STEMS.values() for pair in pairs.split()]

letters = st.sampled_from("aeiouybcdfghjklmnpqrstvwxz")
beginnings = st.sampled_from([*BEGINNINGS.split(), *(word for word, _ in PAIRS)]) | st.text(
    letters, max_size=6
)
endings = st.lists(st.sampled_from(SUFFIXES.split()) | letters, max_size=4).map("".join)
words = st.tuples(beginnings, endings).map("".join)


def check(words: list[str]) -> None:
    assert _core.english_stems(words) == LIBRARY.stem_words(words)


@pytest.mark.parametrize("rules", STEMS)
def test_stems(rules: str) -> None:
    stems = dict(pair.split(":") for pair in STEMS[rules].split())
    assert dict(zip(stems, _core.english_stems(list(stems)), strict=True)) == stems
    check(list(stems))


@settings(max_examples=examples(300))
@given(st.lists(words, min_size=10, max_size=40))
def test_words_with_suffixes(words: list[str]) -> None:
    check(words)


@given(st.lists(st.text(st.characters(max_codepoint=127)), max_size=20))
@example(["", "'", "'''", "''s", "'s's'", "\0sky", "sky\0", "\0inning"])
def test_any_characters_of_ascii(words: list[str]) -> None:
    check(words)


def test_long_words() -> None:
    check(["internationalization" * 20 + suffix for suffix in SUFFIXES.split()])


def test_only_text_has_a_stem() -> None:
    with pytest.raises(TypeError, match="expected str"):
        _core.english_stems([b"running"])  # type: ignore[list-item]

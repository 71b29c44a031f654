"""The PTB tokenizer. tests/parity/test_ptb.py compares it with the jar."""

from __future__ import annotations

import string
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from bolide.language.ptb import tokenize
from tests.support import core_testing, generate_ptb
from tests.support.examples import examples
from tests.support.oracle import ptb as oracle

DEAD, START = 1, 2  # states of the automaton
VISIBLE = string.ascii_letters + string.digits + string.punctuation


def test_the_example_of_each_rule() -> None:
    rules = core_testing.ptb_rules()
    assert len({name for name, *_ in rules}) == len(rules)
    for name, *_, example_, tokens in rules:
        assert (name, tokenize(example_)) == (name, tokens)
        assert name in core_testing.ptb_decisions(example_)[0], (name, example_)


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", ""),
        ("\n", "\n"),
        ("a\r\nb\rc\u2028d", "a\nb\nc\nd"),
        ("He left Acme Inc.\nThey wept.", "he left acme inc. .\nthey wept ."),
        ("He left Acme Inc.\nand wept.", "he left acme inc.\nand wept ."),
        ("the colour of grey theatres", "the colour of grey theatres"),
        ("a 😀 b👍🏽c", "a b c"),
        ("日本語 Привет ΟΔΟΣ", "日本語 привет οδος"),
        ("ΑΣ-7Α ΑΣ-Α ΑΣ7Α Α-Σ Α7-Σ ΑΣ中Α ΑΣאΑ Σ", "ας-7α ασ-α ασ7α α-ς α7-σ ας中α ασאα σ"),
        ("x \u00a0foo.com x\u00a0foo.com", "x foo.com x\u00a0foo.com"),
        ("-\u00ad7 #a\u00adb.com &eacute;.2a.pdf x", "-7 #a\u00adb.com &eacute;.2a.pdf x"),
        ("Ｆｕｌｌ １２", "ｆｕｌｌ １２"),
        ("ΟΣǅ bªΣ bΣ\u2011b bΣ’b a@b½Σ a@bΣ㐀b", "οσǆ bªς bσ\u2011b bς ' b a@b½ς a@bσ㐀b"),
        ("Acme Co. Ltd. and Inc. Ltd", "acme co. ltd. and inc. . ltd"),
        ("Acme Inc.\r\nand etc.\u0085", "acme inc. .\nand etc. . ..."),
        ("AT&Amp;T &QUOT; &Apos;", "at&t &quot; &apos;"),
        ("www.so\u00adft_a.xy http://a\vb", "www.so\u00adft_a.xy http://a\vb"),
        ("would\u00adn't wo\u00adn’t", "would n't wo n't"),
        ("C++., AT&T., x", "c++ . , at&t. , x"),
        ("Miſſ. Eıch Mıss. It'ſ", "miſſ. . eıch mıss. . it ' ſ"),
        ("she said \u201cno\u201d", "she said `` no ''"),
        ("a@1\ua69cΣ a@b\u4db6Σ", "a@1\ua69cσ a@b\u4db6ς"),
        ("Dunkin\u2019 Donuts, SOMETHIN\u2019.", "dunkin\u2019 donuts , somethin\u2019 ."),
        ("Dunkin's nothin' eatin'", "dunkin 's nothin ' eatin '"),
        ('<a b="A b\r\n.\n"> <a\nb="c">', "<a\u00a0b=\"a\u00a0b\r\n.\n\"> < a\nb = `` c '' >"),
    ],
)
def test_texts(text: str, tokens: str) -> None:
    assert tokenize(text) == tokens


def test_punctuation_is_removed_as_by_pycocoevalcap() -> None:
    text = "(\"It's\", he said); well-known -- 'no' ... yes?! - `x' [y]: 1. !!"
    assert tokenize(text, punctuation=False) == (
        "-lrb- it 's he said -rrb- well-known no yes ?! x -lsb- y -rsb- 1 !!"
    )
    assert tokenize("...\na.\n", punctuation=False) == "\na.\n"
    assert tokenize("<a b='x \n.\t\ny'>\n.", punctuation=False) == "<a\u00a0b='x\n\ny'>\n"


def test_surrogates() -> None:
    with pytest.raises(UnicodeEncodeError):
        tokenize("a \ud83d b")


@settings(max_examples=examples(150), deadline=None)
@given(st.lists(st.sampled_from(generate_ptb.PIECES), max_size=8).map("".join))
@example("Inc.😀")
@example("a.b.c. The x")
@example("<a b='c")
def test_against_the_oracle(text: str) -> None:
    assert tokenize(text) == oracle.tokenize(text)


# -----------------------------------------------------------------------------------------------------------
# Plain words, which are copied without a look at the rules

SPLIT = {"cannot", "gimme", "gonna", "gotta", "lemme", "wanna"}
GAPS = [" ", " ", " ", ", ", ". ", "  ", "\u00a0", " \u00a0", "\n"]


@settings(max_examples=100, deadline=None)
@given(
    st.lists(
        st.sampled_from(["a", "Dog", "theatre", *sorted(SPLIT), "CanNot", "foo.com", *generate_ptb.PIECES]),
        min_size=1,
        max_size=12,
    ),
    st.lists(st.sampled_from(GAPS), min_size=12, max_size=12),
)
@example(["x", "foo.com"], [" \u00a0"] * 12)
def test_plain_words_against_the_oracle(words: list[str], gaps: list[str]) -> None:
    text = "".join(map("".join, zip(words, gaps, strict=False)))
    long = "the words of a long sentence are read in blocks of bytes, and so are these two "
    assert tokenize(text + long) == oracle.tokenize(text + long)


def test_plain_words_are_the_others() -> None:
    """Goes through all states that are reached by letters. About a word with a gap behind it, the rule "word"
    decides, and no rule reads on, unless it is one of SPLIT."""
    first = (START, "")
    seen, todo = {first}, [first]
    while todo:
        state, word = todo.pop()
        for letter in string.ascii_letters:
            longer = word + letter.lower()
            beginning = longer if any(split.startswith(longer) for split in SPLIT) else "~"
            found, rule = core_testing.ptb_next(state, letter)
            comma, rule_with_comma = core_testing.ptb_next(found, ",")
            ends = {core_testing.ptb_next(found, " ")[0], core_testing.ptb_next(comma, " ")[0]}
            is_plain = rule == "word" and ends == {DEAD} and rule_with_comma == ""
            assert is_plain == (beginning not in SPLIT), longer
            if (found, beginning) not in seen:
                seen.add((found, beginning))
                todo.append((found, beginning))
    assert len(seen) > 500


@pytest.mark.parametrize(("mark", "rule", "ends"), [(",", "symbol", " "), (" ", "space", VISIBLE)])
def test_commas_and_spaces_are_tokens(mark: str, rule: str, ends: str) -> None:
    state, found = core_testing.ptb_next(START, mark)
    assert found == rule
    assert {core_testing.ptb_next(state, end)[0] for end in ends} == {DEAD}


def test_there_is_room_for_all_states() -> None:
    core_testing.ptb_build_all()


# -----------------------------------------------------------------------------------------------------------
# Linear time

# Each begins like a long token that never ends. A search from each character to the end of the text would
# take hours.
MARKS = ["<", "<a", "<!a", "<!", ".", "-", "&", "(", "'", "''", "A&", "&eacute;", "Σ", "😀", "é"]
WORDS = ["a.", "a@", "a-", "a-a-a-", "a'", "o'o'", "1/", "www.", "www.a.", "http://", "http://a."]
ENDLESS = [*MARKS, *WORDS]


@pytest.mark.parametrize("piece", [*ENDLESS, "<a ", ". ", "1 ", "U.S. ", "Inc. ", "Inc.\n", "A. <a ", "Σ "])
def test_a_megabyte(piece: str) -> None:
    text = piece * (1_000_000 // len(piece))
    tokens = tokenize(text)
    assert tokens == "" if piece == "😀" else len(tokens) > 100_000
    text = text[:100_000]
    assert core_testing.ptb_decisions(text)[1] < 8 * len(text.encode())


@settings(max_examples=200, deadline=None)
@given(st.lists(st.sampled_from([*generate_ptb.PIECES, *ENDLESS]), min_size=1, max_size=4).map("".join))
def test_each_byte_is_read_a_few_times(piece: str) -> None:
    text = piece * (8000 // max(len(piece), 1))
    assert core_testing.ptb_decisions(text)[1] <= 70 * len(text.encode())


def test_threads() -> None:
    texts = generate_ptb.lines(200, seed=5)
    expected = [tokenize(text) for text in texts]
    with ThreadPoolExecutor(8) as pool:
        for found in pool.map(lambda _: [tokenize(text) for text in texts], range(8)):
            assert found == expected

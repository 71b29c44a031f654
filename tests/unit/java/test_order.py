"""The iteration orders of Java's collections. Java printed the expected values."""

from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bolide.java.order import hash_set_order, hashtable_order, number_order, text_order

TEXT = """
uedin online-A online-B cu kit limsi rwth.1 rwth.2 jhu eu balagur cmu-stat zz S-10 S-9 a b c d e f g h i j
polygenelubricants é 漢字 😀
"""
NAMES = TEXT.split()
# The first N names in a table that grows at 9 and 18, and one that has grown twice.
HASHTABLE = {
    3: "online-B online-A uedin",
    8: "rwth.2 rwth.1 cu kit online-B online-A limsi uedin",
    9: "limsi cu online-B online-A kit jhu rwth.2 rwth.1 uedin",
    17: "zz limsi cu online-B cmu-stat online-A kit b a eu jhu rwth.2 rwth.1 balagur S-9 uedin S-10",
    18: "S-9 online-A cu cmu-stat kit limsi jhu rwth.2 rwth.1 c eu S-10 b a zz uedin balagur online-B",
    29: "S-9 online-A é cu cmu-stat kit limsi jhu 漢字 😀 j i h g f rwth.2 e rwth.1 d c eu S-10 b a zz uedin "
    "polygenelubricants balagur online-B",
}
HASH_SET = {
    3: "online-A uedin online-B",
    8: "online-A cu limsi rwth.2 kit rwth.1 uedin online-B",
    17: "zz a b cmu-stat limsi eu online-A cu rwth.2 jhu kit rwth.1 balagur uedin online-B S-9 S-10",
    29: "zz polygenelubricants limsi online-A kit balagur uedin online-B a b c cmu-stat d e f g h i é j eu "
    "cu rwth.2 jhu rwth.1 漢字 😀 S-9 S-10",
}

names = st.lists(st.text(max_size=4))


@pytest.mark.parametrize(("count", "expected"), HASHTABLE.items())
def test_hashtable(count: int, expected: str) -> None:
    assert hashtable_order(NAMES[:count]) == expected.split()


@pytest.mark.parametrize(("count", "expected"), HASH_SET.items())
def test_hash_set(count: int, expected: str) -> None:
    assert hash_set_order(NAMES[:count]) == expected.split()


def test_text_is_sorted_by_code_units() -> None:
    assert " ".join(text_order(["10", "9", "a", "B", "😀", "Ａ", "-1", "+2"])) == "+2 -1 10 9 B a 😀 Ａ"


def test_numbers_are_sorted_by_value() -> None:
    assert " ".join(number_order(["100", "b", "9", "10", "a", "1", "2"])) == "1 2 9 10 100 a b"


@given(names)
def test_every_order_has_each_key_once(keys: list[str]) -> None:
    for order in (hashtable_order, hash_set_order, text_order, number_order):
        assert sorted(order(keys)) == sorted(set(keys))

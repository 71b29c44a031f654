"""The accepted shapes of hypotheses and references."""

from __future__ import annotations

import pytest

from bolide.errors import InputError
from bolide.inputs.segments import many_segments, one_segment

H = ["a", "b", "c"]


@pytest.mark.parametrize(
    ("references", "layout", "expected", "counts"),
    [
        (["r", "s", "t"], None, ["r", "s", "t"], [1, 1, 1]),
        ([["r", "s", "t"]], None, ["r", "s", "t"], [1, 1, 1]),
        ([["r", "s", "t"], ["u", "v", "w"]], None, ["r", "u", "s", "v", "t", "w"], [2, 2, 2]),
        ([["r"], ["s", "t"], ["u", "v", "w"]], None, ["r", "s", "t", "u", "v", "w"], [1, 2, 3]),
        ([["1", "2", "3"], ["4", "5", "6"], ["7", "8", "9"]], "streams", [*"147258369"], [3, 3, 3]),
        ([["1", "2", "3"], ["4", "5", "6"], ["7", "8", "9"]], "segments", [*"123456789"], [3, 3, 3]),
    ],
)
def test_layouts(references: list[object], layout: object, expected: list[str], counts: list[int]) -> None:
    segments = many_segments(H, references, layout)  # type: ignore[arg-type]
    assert segments.references == expected
    assert segments.counts.tolist() == counts


@pytest.mark.parametrize(
    ("hypotheses", "references", "message"),
    [
        (H, ["r", "s"], "2 texts for 3 hypotheses"),
        (
            H,
            [["r", "s"], ["t", "u"]],
            "references are 2 lists of 2, which fit 3 hypotheses neither as streams",
        ),
        (H, [["r", "s"], ["t"]], "references are 2 lists of 1 to 2, which fit"),
        (
            ["a"],
            ["r", "s"],
            "2 texts for 1 hypothesis; give as many hypotheses as references, ",
        ),
        (H, [["1", "2", "3"], ["4", "5", "6"], ["7", "8", "9"]], "layout='streams'"),
        (H, [["r"], [], ["t"]], "segment 2 has no reference"),
        (H, ["r", ["s"], "t"], "mix strings and lists"),
        ("abc", ["r", "s", "t"], "must be a list of texts"),
        (H, "rst", "must be a list of texts"),
        ([["a", "b"], ["c d"]], [["a"], ["c"]], "token 'c d' is not a word"),
        ([["a", ""]], [["a"]], "token '' is not a word"),
        (["a", ["b"]], ["r", "s"], "all strings or all lists of tokens"),
        (H, {"r", "s", "t"}, "must be a list of texts, not set"),
        (H, {"r": 1, "s": 2, "t": 3}, "must be a list of texts, not dict"),
        (["a", None], ["r", "s"], "all strings or all lists of tokens"),
        ([["a"]], ["r"], "hypotheses come first, references second"),
        ([["r"], ["s", "t"]], ["a", "b"], "hypotheses come first, references second"),
        (None, ["r"], "hypotheses must be a list of texts, not None"),
        (H, None, "references must be a list of texts, not None"),
        (H, b"rst", "references must be a list of texts, not bytes"),
        (["a", 5, "c"], ["r", "s", "t"], "hypothesis 2 is int, not a text"),
        (H, ["r", None, "t"], "reference 2 is None, not a text"),
        (H, [["r"], ["s", 0.5], ["t"]], "reference of segment 2 is float, not a text"),
        ([None, "b"], ["r", "s"], "hypothesis 1 is None, not a text"),
    ],
)
def test_what_cannot_be_meant_is_refused(hypotheses: object, references: object, message: str) -> None:
    with pytest.raises(InputError, match=message.replace("(", r"\(")):
        many_segments(hypotheses, references)  # type: ignore[arg-type]


def test_tokens() -> None:
    tokens = many_segments([["a", "b"], ["c"]], [["r"], ["s", "t"]])
    assert (tokens.hypotheses, tokens.references, tokens.pretokenized) == (["a b", "c"], ["r", "s t"], True)
    streams = many_segments([["a"], ["b"]], [[["r"], ["s"]], [["t"], ["u"]]], "streams")
    assert streams.references == ["r", "t", "s", "u"]


@pytest.mark.parametrize(
    ("hypothesis", "references", "expected"),
    [
        ("a b", "r s", ["r s"]),
        ("a b", ["r", "s"], ["r", "s"]),
        (["a", "b"], ["r", "s"], ["r s"]),
        (["a", "b"], [["r"], ["s"]], ["r", "s"]),
    ],
)
def test_one_segment(hypothesis: object, references: object, expected: list[str]) -> None:
    assert one_segment(hypothesis, references).references == expected  # type: ignore[arg-type]


@pytest.mark.parametrize("references", [None, 5, b"r", [None], [["s"]]])
def test_what_is_no_reference(references: object) -> None:
    with pytest.raises(InputError):
        one_segment("a", references)  # type: ignore[arg-type]


def test_texts_are_numbered_through_batches() -> None:
    segments = many_segments([*"abc"], [["r"], ["s", "t"], ["u"]], first=11)
    assert list(segments.texts()) == [
        ("a", 11, 0), ("r", 11, 1), ("b", 12, 0), ("s", 12, 1), ("t", 12, 2), ("c", 13, 0), ("u", 13, 1),
    ]  # fmt: skip
    assert [found for batch in segments.batches(2) for found in batch.texts()] == list(segments.texts())


def test_batches_are_the_whole() -> None:
    segments = many_segments([*"abcdefg"], [["r"] * (k % 3 + 1) for k in range(7)])
    batches = segments.batches(3)
    assert [len(batch) for batch in batches] == [3, 3, 1]
    assert [text for batch in batches for text in batch.references] == segments.references


def test_an_unknown_layout_is_refused() -> None:
    with pytest.raises(InputError, match="layout must be 'streams' or 'segments'"):
        many_segments(H, ["r", "s", "t"], "streamz")  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("references", "layout", "remedy"),
    [
        ([["r", "s", "t"], ["u", "v", "w"]], "segments", "say layout='streams'"),
        ([["r", "u"], ["s", "v"], ["t", "w"]], "streams", "say layout='segments'"),
        ([["r"], ["s"], ["t"]], "streams", "say layout='segments'"),
        ([["r", "s", "t"]], "segments", "say layout='streams'"),
    ],
)
def test_transposed_references_are_refused_with_the_right_call(
    references: list[list[str]], layout: object, remedy: str
) -> None:
    with pytest.raises(InputError, match="references are transposed") as caught:
        many_segments(H, references, layout)  # type: ignore[arg-type]
    assert remedy in str(caught.value)
    many_segments(H, references, remedy.split("'")[1])  # type: ignore[arg-type]
    many_segments(H, list(zip(*references, strict=True)), layout)  # type: ignore[arg-type]


def test_documents_of_segments() -> None:
    segments = many_segments(H, H, first=5).of_documents(["d", "e", "d"])
    assert [batch.documents for batch in segments.batches(2)] == [["d", "e"], ["d"]]
    with pytest.raises(InputError, match="2 ids for 3 hypotheses"):
        segments.of_documents(["d", "e"])
    with pytest.raises(InputError, match="the document of segment 6 is int"):
        segments.of_documents(["d", 2, "e"])  # type: ignore[list-item]

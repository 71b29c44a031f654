"""Segmentation: what counts as a character, the real packages, and what no segmenter may do."""

from __future__ import annotations

import os
import pickle
import sys
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor

import pytest
from hypothesis import given
from hypothesis import strategies as st

from bolide import Meteor
from bolide.errors import BolideError, ConfigurationError, SegmentError
from bolide.language import characters, languages, segmentation
from bolide.language.segmentation import EVERY, METHODS
from bolide.resources import Pack

Make = Callable[..., Meteor]
PACKAGED = {name: method for name, method in METHODS.items() if method.packages}


def installed(name: str) -> segmentation.Segmenter:
    for module in METHODS[name].modules:
        pytest.importorskip(module)
    return segmentation.find(name)


@pytest.fixture(params=list(METHODS))
def segmenter(request: pytest.FixtureRequest) -> segmentation.Segmenter:
    return installed(request.param)


# ---- characters ----------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("text", "expected"),
    [
        ("我爱北京", "我 爱 北 京"),
        ("我用iPhone 15拍照。", "我 用 iPhone 15 拍 照 。"),
        ("价格是3.14元，don't!", "价 格 是 3.14 元 ， don't!"),
        ("ＡＢＣ１２３です", "ＡＢＣ１２３ で す"),  # wide letters and digits are words, too
        ("ｶﾞｷﾞ", "ｶﾞ ｷﾞ"),  # narrow letters with the mark of voiced sounds
        ("か\u3099き\u3099", "か\u3099 き\u3099"),
        ("葛\U000e0100飾", "葛\U000e0100 飾"),  # a variation selector
        ("한국어 문장", "한 국 어 문 장"),
        ("\u1112\u1161\u11ab\u1100\u116e\u11a8", "\u1112\u1161\u11ab \u1100\u116e\u11a8"),  # decomposed 한국
        ("กำลัง", "กำ ลั ง"),
        ("ที่นี่", "ที่ นี่"),  # a vowel and a tone above one letter
        ("เก่ง", "เ ก่ ง"),
        ("ราคา๑๒บาท", "ร า ค า ๑ ๒ บ า ท"),
        ("plain text, 3 words", "plain text, 3 words"),
        ("cafe\u0301 e\u0301t", "cafe\u0301 e\u0301t"),
        ("好😀好", "好 😀 好"),
        (" 一\u3000二\t三 ", " 一\u3000二\t三 "),
        ("", ""),
    ],
)
def test_characters(text: str, expected: str) -> None:
    assert segmentation.find("characters").segment(text) == expected


# Letters and marks of every set, other letters, digits, white space and emoji.
BLOCKS = [
    *[
        (0x0E01, 0x0E5B),
        (0x3000, 0x3200),
        (0xAC00, 0xAC60),
        (0x1100, 0x1112),
        (0x1161, 0x1175),
        (0x11A8, 0x11C2),
    ],
    *[
        (0xFF00, 0xFFE0),
        (0x4E00, 0x4E20),
        (0x20000, 0x20010),
        (0x0300, 0x0305),
        (0xFE00, 0xFE02),
        (0xE0100, 0xE0102),
    ],
]
ALPHABET = st.sampled_from([chr(code) for first, last in BLOCKS for code in range(first, last)])
LATIN = st.sampled_from("abcABC  \t\u3000\u00a0.,'-_123\u200d😀é")
TEXTS = st.text(ALPHABET | LATIN, max_size=12)


@given(TEXTS)
def test_characters_are_grapheme_clusters(text: str) -> None:
    """The definition of Unicode, by the package regex."""
    regex = pytest.importorskip("regex")
    assert characters.boundaries(text) <= {0, *(match.end() for match in regex.finditer(r"\X", text))}


@given(TEXTS)
def test_every_letter_is_within_a_character(text: str) -> None:
    inside = {k for start, end in characters.spans(text) for k in range(start, end)}
    letters = {k for k, letter in enumerate(text) if segmentation._kept().search(letter)}
    assert letters <= inside


# ---- all segmenters ------------------------------------------------------------------------------

SENTENCES = {
    "zh": "他昨天在北京大学用iPhone 15拍了三张照片，价格3.5元！",
    "ja": "昨日は東京都でiPhone 15を買いました。とても楽しかったです。",
    "ko": "어제 서울에서 iPhone 15를 샀어요. 정말 재미있었습니다!",
    "th": "เมื่อวานผมซื้อ iPhone 15 ที่กรุงเทพฯ ครับ สนุกมาก",
}


def without_spaces(text: str) -> str:
    return "".join(text.split())


@pytest.mark.parametrize("name", METHODS)
@given(text=st.one_of(TEXTS, st.sampled_from(list(SENTENCES.values())), st.text(max_size=8)))
def test_only_spaces_are_added(name: str, text: str) -> None:
    try:
        text.encode()
    except UnicodeEncodeError:
        return
    segmented = installed(name).segment(text)
    assert without_spaces(segmented) == without_spaces(text)
    # Words are made of whole characters, and other text is not divided.
    finest = segmentation.find("characters").segment(text)
    assert set(ends(segmented)) <= set(ends(finest))
    assert set(ends(text)) <= set(ends(segmented))


def ends(text: str) -> Iterator[int]:
    """Where words end, not counting white space."""
    position = 0
    for word in text.split():
        position += len(word)
        yield position


@pytest.mark.parametrize("name", METHODS)
@given(text=TEXTS, keep=st.booleans())
def test_the_normalizer_does_not_see_words(name: str, text: str, keep: bool) -> None:
    """Words stay as they are and in order. What is between them is normalized."""
    segmenter = installed(name)
    kept = [word for word in segmenter.segment(text).split() if segmentation._kept().search(word)]
    normalize = NORMALIZERS[keep]
    tokens = segmenter.tokenize(text, normalize).split()
    assert [token for token in tokens if segmentation._kept().search(token)] == kept
    rest = [token for token in tokens if not segmentation._kept().search(token)]
    assert all(token in normalize(token).split() for token in rest)


def _normalizer(keep: bool) -> Callable[[str], str]:
    from bolide import _core

    return _core.Tokenizer("other_western", [], [], keep).normalize


NORMALIZERS = {keep: _normalizer(keep) for keep in (True, False)}

WORDS = {
    "jieba": ("我来到北京清华大学。", "我 来到 北京 清华大学 。"),
    "mecab": ("私は東京都に住んでいます。", "私 は 東京 都 に 住ん で い ます 。"),
    "kiwi": ("나는 학교에 갔다.", "나 는 학교 에 갔 다 ."),
    "pythainlp": ("ผมรักประเทศไทย", "ผม รัก ประเทศ ไทย"),
    "unicode": ("私はカタカナを書く。", "私 は カタカナ を 書 く 。"),
}


@pytest.mark.parametrize("name", WORDS)
def test_words_of_packages(name: str) -> None:
    text, expected = WORDS[name]
    assert installed(name).segment(text) == expected


def test_every_package_has_an_example() -> None:
    assert list(WORDS) == list(PACKAGED)


def test_words_as_the_packages_find_them() -> None:
    """Word by word as the package itself, where there is no other text."""
    jieba = pytest.importorskip("jieba")
    for text in ("小明硕士毕业于中国科学院计算所", "今天天气很好我们去公园散步"):
        assert installed("jieba").segment(text) == " ".join(jieba.cut(text))


def test_jieba_needs_no_cache(monkeypatch: pytest.MonkeyPatch, capfd: pytest.CaptureFixture[str]) -> None:
    installed("jieba")
    # No folder can be made there.
    monkeypatch.setattr("platformdirs.user_cache_dir", lambda name: f"{os.devnull}/{name}")
    text = "我来到北京"
    assert {0, 1, 3} <= set(segmentation._jieba()(text))
    assert capfd.readouterr() == ("", "")


def test_null_characters_do_not_end_a_text() -> None:
    assert installed("mecab").segment("今日\0天気です") == "今日 \0 天気 です"


def test_one_segmenter_in_several_threads(segmenter: segmentation.Segmenter) -> None:
    texts = [f"{text}{k}" for k in range(40) for text in SENTENCES.values()]
    expected = [segmenter.segment(text) for text in texts]
    segmentation._segmented.cache_clear()
    with ThreadPoolExecutor(4) as pool:
        assert list(pool.map(segmenter.segment, texts)) == expected


@pytest.mark.skipif(not hasattr(os, "fork"), reason="there is no fork on this system")
@pytest.mark.filterwarnings("ignore:This process .* is multi-threaded:DeprecationWarning")
def test_after_a_fork(segmenter: segmentation.Segmenter) -> None:
    expected = segmenter.segment(SENTENCES["ko"])
    child = os.fork()
    if child == 0:
        segmentation._segmented.cache_clear()
        os._exit(0 if segmenter.segment(SENTENCES["ko"]) == expected else 1)
    assert os.waitstatus_to_exitcode(os.waitpid(child, 0)[1]) == 0


# ---- choices and errors --------------------------------------------------------------------------


@pytest.mark.parametrize("code", EVERY)
def test_a_language_without_spaces_explains_its_choices(code: str) -> None:
    with pytest.raises(ConfigurationError) as refusal:
        segmentation.choose(None, languages.get(code))
    first, *rows = str(refusal.value).splitlines()
    assert "is written without spaces" in first and "--segmentation NAME" in first
    assert [row.split()[0] for row in rows] == [n for n, m in METHODS.items() if code in m.languages]


def test_languages_in_the_table_are_those_without_spaces() -> None:
    assert {row.code for row in languages.every() if not row.spaces} == set(EVERY)


def test_a_segmenter_of_another_language() -> None:
    """Its package need not be installed for this message."""
    with pytest.raises(ConfigurationError, match=r"'jieba' is for Chinese \(zh\), not for English \(en\)"):
        Meteor(segmentation="jieba")


@pytest.mark.parametrize("name", ["jeiba", "", 3, ["jieba"]])
def test_unknown_segmenters(name: object) -> None:
    with pytest.raises(ConfigurationError, match=r"segmentation.*characters"):
        Meteor(language="other", segmentation=name)  # type: ignore[arg-type]


@pytest.mark.parametrize("name", PACKAGED)
def test_missing_packages_are_reported_before_anything_slow(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    method = METHODS[name]
    for module in method.modules:
        monkeypatch.setitem(sys.modules, module, None)
    monkeypatch.setattr("bolide.resources.open_pack", None)  # would be called for the pack
    monkeypatch.setattr("bolide._support.extras.find_spec", lambda name: None)
    with pytest.raises(BolideError, match=rf"not installed; run: pip install 'bolide\[{method.extra}\]'"):
        Meteor(language=method.languages[0], segmentation=name)


# ---- scorers -------------------------------------------------------------------------------------

HYPOTHESIS, REFERENCE = "我在北京大学学习，很好。", "我在北京大学读书，很好。"


def chinese(name: str, **options: object) -> Meteor:
    installed(name)
    return Meteor(language="zh", segmentation=name, resources=Pack("zh"), **options)  # type: ignore[arg-type]


def test_a_scorer_aligns_words() -> None:
    aligned = chinese("jieba").align(HYPOTHESIS, REFERENCE)
    assert aligned.hypothesis == ("我", "在", "北京大学", "学习", "，", "很", "好", "。")
    assert len(aligned.matches) == 7
    assert len(chinese("characters").align(HYPOTHESIS, REFERENCE).matches) == 10


@pytest.mark.parametrize("normalize", ["keep-punctuation", "keep-case", "no-punctuation", "lower", "none"])
def test_scores_are_those_of_the_words(segmenter: segmentation.Segmenter, normalize: str) -> None:
    """Tokens are not segmented, so that the words of a text have the score of the text."""
    code = METHODS[segmenter.name].languages[0]
    scorer = Meteor(language=code, segmentation=segmenter.name, normalize=normalize, resources=Pack(code))
    hypothesis, reference = SENTENCES[code], SENTENCES[code][2:]
    words = [scorer.normalized(text).split() for text in (hypothesis, reference)]
    assert scorer.sentence_score(*words) == scorer.sentence_score(hypothesis, reference)
    assert scorer.sentence_score(hypothesis, reference).score > 0.1
    assert scorer.explain(hypothesis, reference).alignment.hypothesis == tuple(words[0])
    corpus = scorer.corpus_score([hypothesis, "iPhone"], [[reference], ["iPhone"]], layout="segments")
    assert (
        corpus.segments is not None
        and corpus.segments[0] == scorer.sentence_score(hypothesis, reference).score
    )


def test_no_punctuation_keeps_words() -> None:
    assert chinese("characters", normalize="no-punctuation").normalized("天气，很好。OK!") == "天 气 很 好 ok"


def test_a_text_with_the_stand_in() -> None:
    stand_in = segmentation.STAND_IN
    assert chinese("characters").normalized(f"好{stand_in} x{stand_in}.") == f"好 {stand_in} x{stand_in}."


def test_lone_surrogates_name_their_segment() -> None:
    with pytest.raises(SegmentError, match="surrogate") as raised:
        chinese("characters").corpus_score(["好", "好\ud800"], ["好", "好"])
    assert raised.value.segment == 2


def test_pickled_scorers_segment() -> None:
    scorer = chinese("jieba")
    again = pickle.loads(pickle.dumps(scorer))
    assert again.settings == scorer.settings
    assert again.sentence_score(HYPOTHESIS, REFERENCE) == scorer.sentence_score(HYPOTHESIS, REFERENCE)


# ---- signatures ----------------------------------------------------------------------------------


@pytest.mark.parametrize("form", ["standard", "short", "long"])
def test_signatures_name_the_versions(segmenter: segmentation.Segmenter, form: str) -> None:
    code = METHODS[segmenter.name].languages[0]
    scorer = Meteor(language=code, segmentation=segmenter.name, resources=Pack(code))
    line = scorer.get_signature(form=form)
    assert f"|{'e' if form == 'short' else 'seg'}:{segmenter.label}|" in line
    assert Meteor.from_signature(line).settings == scorer.settings


def test_another_version_is_refused() -> None:
    line = chinese("jieba").get_signature().replace("jieba-0", "jieba-9")
    with pytest.raises(ConfigurationError, match=r"seg:jieba-9.*would have jieba-0.*same versions"):
        Meteor.from_signature(line)


def test_a_scorer_with_a_pack_of_the_language_needs_no_segmenter() -> None:
    """Packs of such languages can be learned, from text that the normalizer has split."""
    scorer = Meteor(language="zh", resources=Pack("zh"))
    assert "seg:" not in scorer.get_signature()
    assert Meteor.from_signature(scorer.get_signature()).settings == scorer.settings

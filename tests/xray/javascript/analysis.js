/* analysis.js, picks.js */

const picked = (values) => selected(smallReport(), {...firstState(smallReport()), ...values}).map((k) => k + 1);

test("the segments of a group, which may be another one for each system", () => {
  equal(picked({group: "domain: news"}), [1, 3]);
  equal(picked({group: "domain: a: b"}), [2]);
  equal(picked({group: "ratio: high"}), [2, 3]);
  equal(picked({group: "ratio: high", system: 1, against: 0}), [1]);
  equal(picked({group: "B ratio: high"}), [1]);
  equal(picked({group: "B ratio: high", against: null}), []);
  equal(picked({group: "B domain: news"}), []);
  equal(picked({group: "ratio: no"}), []);
});

test("the segments where a word is missed, over-generated, or found by a module", () => {
  equal(picked({pick: "missed word: cat"}), [1]); // each alignment has one match: the first words
  equal(picked({pick: "over word: the"}), [3]);
  equal(picked({pick: "stem word: sat"}), [2]);
  equal(picked({pick: "stem word: cat"}), []);
  equal(picked({pick: "missed function: content"}), [1, 2]);
  equal(picked({pick: "missed label 1: B"}), [1, 2]);
});

test("the segments where A and B differ in a word or an n-gram", () => {
  equal(picked({pick: "differ missed: cat"}), []);
  equal(picked({pick: "differ ngrams: the cat", against: null}), []);
});

test("the parts of a filter of words; what fits no part is nothing", () => {
  const report = smallReport();
  equal(parsedPick(report, "missed word: a: b"), {side: 0, outcome: "missed", type: "word", value: "a: b"});
  equal(parsedPick(report, "over label 1: A"), {side: 0, outcome: "over", type: "label 1", value: "A"});
  equal(parsedPick(report, "differ ngrams: of the"), {side: 0, outcome: "differ", type: "ngrams", value: "of the"});
  equal(parsedPick(report, "B over word: B x"), {side: 1, outcome: "over", type: "word", value: "B x"});
  for (const text of ["", "missed", "missed: x", "missed no: x", "differ word: x", "exact word: x", "B differ ngrams: of the"])
    equal(parsedPick(report, text), null);
});

test("the place of a pair of systems", () => {
  const report = {systems: Array(4)};
  const places = [];
  for (let a = 0; a < 4; a++) for (let b = a + 1; b < 4; b++) places.push(pairPlace(report, a, b).place);
  equal(places, [0, 1, 2, 3, 4, 5]);
  equal(pairPlace(report, 3, 1), {place: 4, turned: true});
});

test("the chunks that stay are the heaviest in order", () => {
  equal(staying([7, 0, 3], [2, 2, 2]), [1, 2]);
  equal(staying([7, 0, 3], [9, 2, 2]), [0]);
  equal(staying([], []), []);
});

test("the links of words and groups", () => {
  const report = smallReport();
  const back = (values) => {
    const state = {...firstState(report), ...values};
    equal(linked(report, link(report, state)), state);
  };
  back({view: "words", kind: "label 1", outcome: "moved", contrast: "ngrams"});
  back({view: "groups", grouping: "ratio"});
  back({view: "segments", pick: "missed word: <b>&=#", group: "domain: a: b"});
  back({view: "words", pick: "over word: words"});
  equal(linked(report, "#words&kind=no&pick=no&group=no").pick, null);
});

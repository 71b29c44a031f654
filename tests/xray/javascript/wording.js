/* wording.js */

const wordings = () => ({
  words: ["re", "election", "now", '"'],
  pieces: [[0, "Re", "-", "("], [1, "Election", " "], [2, "now", ")!"], [3, null, ""]],
  wordless: ["***"],
  references: [[[0, 1, 2]], [[-1]], [[3, 2]]],
});
const texts = () => {
  const report = smallReport(wordings());
  return [report, ...report.references.map(([text]) => text)];
};

test("a text in both forms", () => {
  const [report, text] = texts();
  equal(wording(report, text, "raw"), "(Re-Election now)!");
  equal(wording(report, text, "metric"), "re election now");
  equal(text.map((number) => spelling(report, number, "raw")), ["Re", "Election", "now"]);
});

test("a text without words is shown as it was written", () => {
  const [report, , bare] = texts();
  equal([wording(report, bare, "raw"), wording(report, bare, "metric"), bare], ["***", "", []]);
  equal(report.searchable(1).includes("***"), true);
});

test("a word that is not in the user's text is as the metric sees it", () => {
  const [report, , , odd] = texts();
  equal(wording(report, odd, "raw"), "now)!");
  equal(spelling(report, odd[0], "raw"), '"');
  equal(phrase(report, odd.slice(0, 1), "raw"), '"');
});

test("a phrase does not have what is around it", () => {
  const [report, text] = texts();
  equal(phrase(report, text, "raw"), "Re-Election now");
  equal(phrase(report, text.slice(0, 1), "raw"), "Re");
});

test("hits are found in the shown form, or word by word from the other", () => {
  const [report, text] = texts();
  equal(hits(report, text, "raw", "re-EL"), [[1, 6]]);
  equal(hits(report, text, "metric", "re-el"), [[0, 2], [3, 11]]);
  equal(hits(report, text, "raw", "re el"), [[1, 3], [4, 12]]);
  equal(hits(report, text, "raw", "zzz"), []);
  equal(hits(report, text, "raw", ""), []);
});

test("both forms can be searched", () => {
  const [report] = texts();
  equal(report.searchable(0).includes("(re-election now)!"), true);
  equal(report.searchable(0).includes("re election now"), true);
});

test("hits of a part of a text are marked in it", () => {
  const show = (nodes) => nodes.map((node) => (typeof node === "string" ? node : `[${node.textContent}]`)).join("");
  equal(show(marked("abcdef", [[1, 3], [4, 9]])), "a[bc]d[ef]");
  equal(show(marked("def", [[1, 4]], 3)), "[d]ef");
  equal(show(marked("abc", [])), "abc");
});

/* dom.js, arithmetic.js */

test("figures have four decimals, differences a sign, counts commas", () => {
  equal([figure(0.52225), figure(null), signed(-0.01), signed(0), signed(null)], ["0.5222", "–", "−0.0100", "+0.0000", "–"]);
  equal([counted(1, "segment"), counted(3003, "segment")], ["1 segment", "3,003 segments"]);
});

test("numbers are written as Python writes them", () => {
  equal([0, 1, 0.15, 1 - 0.85, 1e-5, 123456789012.5, 1e15].map(exact), ["0", "1", "0.15", "0.15", "1e-05", "123456789012", "1e+15"]);
  equal([3, 2 / 3, 1e-8 / 3, 1 - 1e-8, 0.5].map(shown), ["3", "0.666667", "3.33333e-09", "0.99999999", "0.5"]);
  equal([fixed(0.0078125, 6), fixed(0.0234375, 6), fixed(2.5, 0), fixed(-0.0078125, 6)], ["0.007812", "0.023438", "2", "-0.007812"]);
});

test("what has no matches has no score, and says why", () => {
  const report = smallReport();
  const row = [2, 3, 1, 1, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0];
  const none = {precision: 0, recall: 0, f1: null, fmean: null, penalty: null, score: 0};
  equal(arithmetic(report, row, none).at(-1), {name: "score", expressions: ["0"], note: "no words match"});
});

test("children may be lists, and nothing of them is markup", () => {
  const node = html("p", {class: "x", hidden: true, title: null}, [["<b>", 1], null, false], html("i", {}, "&amp;"));
  equal(node.outerHTML, '<p class="x" hidden="">&lt;b&gt;1<i>&amp;amp;</i></p>');
});

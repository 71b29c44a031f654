/* drawing.js, matrix.js, ribbons.js, plots.js, save.js */

function shownPair(changes = {}) {
  const report = smallReport(changes);
  const state = {...firstState(report), view: "segments", segment: 0};
  return [report, comparison(report, state, 0)];
}

test("right-to-left is left-to-right mirrored", () => {
  const at = mirror(100, true);
  equal([at(0), at(10, 20), mirror(100, false)(10, 20)], [100, 70, 10]);
});

test("long words are cut, spaces shown, by letters and not by halves of them", () => {
  equal(label("x".repeat(26)), "x".repeat(26));
  equal(label("😀".repeat(40)), "😀".repeat(25) + "…");
  equal(label("\u3000"), "␣");
});

test("a matrix has a cell a match, of both systems, and outlines", () => {
  const picture = drawMatrix(...shownPair());
  equal(picture.querySelectorAll(".match").length, 2);
  equal(picture.querySelectorAll(".chunk").length, 2);
  equal(picture.querySelectorAll(".chunk[stroke-dasharray]").length, 1);
  equal([...picture.querySelectorAll(".match")].map((match) => match.dataset.match), ["A0", "B0"]);
  equal(picture.querySelector(".match").getAttribute("aria-label"), "A, exact: The = The; equal words; chunk 1 of 1");
});

test("in right-to-left the first word of the reference stands at the right", () => {
  const x = (direction) => [...drawMatrix(...shownPair({direction})).querySelectorAll("text[transform]")].map((text) => Number(text.getAttribute("x")));
  const [ltr, rtl] = [x("ltr"), x("rtl")];
  equal([ltr[0] < ltr[1], rtl[0] > rtl[1]], [true, true]);
});

test("Chinese, Japanese and Korean words stand upright above the matrix", () => {
  const picture = drawMatrix(...shownPair({words: ["工程", "ねこ", "sat"], raw: false}));
  const heads = [...picture.querySelectorAll("text")].filter((text) => text.querySelector("tspan"));
  equal(heads.map((text) => text.querySelectorAll("tspan").length), [2, 2]);
  equal(heads[0].hasAttribute("transform"), false);
});

test("ribbons join each match's words; empty texts are drawn too", () => {
  equal(drawRibbons(...shownPair()).querySelectorAll(".ribbon").length, 2);
  const [report, shown] = shownPair();
  const empty = {...shown, words: [], sides: shown.sides.map((side) => ({...side, words: [], matches: []}))};
  equal(drawRibbons(report, empty).querySelectorAll(".match").length, 0);
  equal(drawMatrix(report, empty).querySelectorAll(".match").length, 0);
});

test("colours of the palette become variables, others stay", () => {
  const spec = {a: "#FF0000", b: [1, null, "#00ff00"], c: {d: "#ff0000"}};
  equal(themed(spec, {"#ff0000": "var(--x)"}), {a: "var(--x)", b: [1, null, "#00ff00"], c: {d: "var(--x)"}});
});

test("rows of a plot: a segment a system", () => {
  const rows = [...ROWS.segments(smallReport(), {}, new Set([0, 1]))];
  equal([rows.length, rows[0], rows[5]], [
    6,
    {system: "one", segment: 1, score: 0.2, length: 2},
    {system: "two & <b>", segment: 3, score: 0.1, length: 1},
  ]);
  const differences = [...ROWS.differences(smallReport(), {system: 1, against: 0})];
  equal([differences.length, differences[1].difference, differences[1].pair], [3, 0, "two & <b> − one"]);
});

test("a saved picture has colours instead of variables, and is XML whatever the words", () => {
  const picture = drawMatrix(...shownPair({words: ["<&>\"'", visible("\u0000"), "sat"]}));
  const {text} = svgFile(picture);
  equal([text.includes("var("), new DOMParser().parseFromString(text, "image/svg+xml").querySelector("parsererror")], [false, null]);
});

/* report.js, filters.js, matches.js */

test("a pair can be asked for from both sides", () => {
  const report = smallReport();
  equal(report.pair(0, 1).difference, 0.1);
  equal(report.pair(1, 0), {first: 1, second: 0, difference: -0.1, p_value: 0.04, wins: 1, ties: 1, losses: 1});
  equal(report.pair(0, 0), null);
});

test("a report of another format is refused", () => {
  let said = "";
  try {
    smallReport({format: 1});
  } catch (error) {
    said = error.message;
  }
  equal(said, "this page reads format 2, not 1");
});

test("matches are unpacked by sevens", () => {
  const [, second] = unpacked([0, 1, 2, 3, 4, 5, 6, 10, 11, 12, 13, 14, 15, 16]);
  equal(second, {
    referenceStart: 10, referenceLength: 11, hypothesisStart: 12, hypothesisLength: 13, module: 14, chunk: 15, reason: 16,
  }); // prettier-ignore
});

test("control characters and those that turn text around are spelled out", () => {
  equal(visible("a\u0000b\u001b[1m\u202ec\u2028\u2066"), "a\\x00b\\x1b[1m\\u202ec\\u2028\\u2066");
  equal(visible("é 漢 שלום 👩‍👧"), "é 漢 שלום 👩‍👧");
});

const select = (values) => selected(smallReport(), {...firstState(smallReport()), ...values}).map((k) => k + 1);

test("filters leave what passes all of them", () => {
  equal(select({}), [1, 2, 3]);
  equal(select({low: 0.5}), [2, 3]);
  equal(select({low: 0.5, high: 0.5}), [2]);
  equal(select({module: "stem"}), [2]);
  equal(select({shortest: 2}), [1, 2]);
  equal(select({longest: 1}), [3]);
  equal(select({text: "CAT"}), [1, 3]);
  equal(select({text: "zwei"}), [2]);
  equal(select({text: "nothing of it"}), []);
});

test("A beats B by more than nothing, and by the margin", () => {
  equal(select({margin: 0}), [3]);
  equal(select({margin: 0.9}), []);
  equal(select({margin: 0, system: 1, against: 0}), [1]);
  equal(select({margin: 0, against: null}), [1, 2, 3]);
});

test("orders, and their reverse; ties as in the files", () => {
  equal(select({order: "score"}), [1, 2, 3]);
  equal(select({order: "score", system: 1, against: 0}), [3, 1, 2]);
  equal(select({order: "difference"}), [3, 2, 1]);
  equal(select({order: "difference", reverse: true}), [1, 2, 3]);
  equal(select({order: "difference", against: null}), [3, 2, 1]);
  equal(select({order: "spread"}), [3, 1, 2]);
  equal(select({order: "length"}), [2, 1, 3]);
  equal(select({order: "segment", reverse: true}), [3, 2, 1]);
});

test("words know their match", () => {
  const matches = unpacked([1, 2, 0, 1, 0, 0, 0, 4, 1, 2, 2, 0, 1, 0]);
  equal(owners(6, matches, "referenceStart", "referenceLength"), [-1, 0, 0, -1, 1, -1]);
  equal(owners(4, matches, "hypothesisStart", "hypothesisLength"), [0, -1, 1, 1]);
});

test("chunks are boxes around their matches", () => {
  const matches = unpacked([0, 1, 3, 1, 0, 0, 0, 1, 2, 4, 1, 0, 0, 0, 5, 1, 0, 1, 0, 1, 0]);
  equal(chunkBoxes(matches), [
    {chunk: 0, left: 0, right: 3, top: 3, bottom: 5},
    {chunk: 1, left: 5, right: 6, top: 0, bottom: 1},
  ]);
});

test("two matches overlap if they share a cell", () => {
  const [one, two, three] = unpacked([0, 2, 0, 2, 0, 0, 0, 1, 1, 1, 1, 0, 0, 0, 1, 1, 2, 1, 0, 0, 0]);
  equal([overlap(one, two), overlap(one, three), overlap(two, three)], [true, false, false]);
});

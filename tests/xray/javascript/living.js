/* gestures.js, living.js */

test("a range is that of whole bars", () => {
  equal(bars(0.21, 0.21, 0.025), [0.2, 0.225]);
  equal(bars(0.31, 0.21, 0.025), [0.2, 0.325]);
  equal(bars(0.2, 0.225, 0.025), [0.2, 0.225]);
  equal(bars(0.004, 0.004, 0.02, 0.01), [-0.01, 0.01]);
  equal(bars(-0.02, 0.02, 0.02, 0.01), [-0.03, 0.03]);
});

test("ranges at the ends of a plot are open", () => {
  equal(LIVING.differences.snap(-0.3, -0.1), [null, -0.09]);
  equal(LIVING.differences.snap(0.3, 0.3), [0.29, null]);
  equal(LIVING.lengths.filter(LIVING.lengths.snap(0, 1)), {shortest: null, longest: 20});
  equal(LIVING.lengths.filter(LIVING.lengths.snap(6, 6)), {shortest: 61, longest: null});
  equal(LIVING.scores.snap(1, 1), [0.975, 1]);
});

test("filters are shown where they were chosen", () => {
  const chosen = LIVING.lengths.filter(LIVING.lengths.snap(2, 1));
  equal(chosen, {shortest: 11, longest: 30});
  equal(LIVING.lengths.range(chosen), {x: [1, 3]});
  const other = LIVING.scatter.filter([0.1, 0.2], [0.3, 0.4]);
  equal(LIVING.scatter.range(other), {x: [0.1, 0.2], y: [0.3, 0.4]});
});

test("the numbers of a note are those of the plot", () => {
  const report = smallReport();
  equal([0.2, 0.5, 0.8999, 0.9].map((score) => shareUpTo(report, 0, score)), [1 / 3, 2 / 3, 2 / 3, 1]);
  equal(histogram([0, 0.01, 0.5, 1], scoreGroup, SCORE_BARS).filter(Boolean), [2, 1, 1]);
  equal([-1, -0.3, 0, 0.009, 0.011, 1].map(differenceGroup), [0, 0, 15, 15, 16, 30]);
  equal([0, 1, 10, 11, 60, 61, 500].map(lengthGroup), [0, 0, 0, 1, 5, 6, 6]);
});

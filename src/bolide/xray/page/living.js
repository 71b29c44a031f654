/* What a plot does: what it tells at a place, and which filters a click or a drag sets. The numbers are those of
   bolide/xray/plots.py. */

const SCORE_BARS = 40;
const DIFFERENCE_STEP = 0.02;
const MOST_DIFFERENCE = 0.3;
const LENGTH_STEP = 10;
const GROUPS = 7; // of lengths
const MOST_TOLD = 14; // systems in a note
const NEAR = 14; // pixels

/** The range of the bars between two values: [low, high]. */
function bars(one, two, step, shift = 0) {
  const place = (value, round) => round((value + shift) / step) * step - shift;
  const [low, high] = [Math.min(one, two), Math.max(one, two)];
  const exact = (value) => Number(value.toFixed(6));
  const end = place(high, Math.ceil);
  const start = place(low, Math.floor);
  return [exact(start), exact(end > start ? end : start + step)];
}

function histogram(values, place, size) {
  const counts = new Array(size).fill(0);
  for (const value of values) counts[limited(place(value), 0, size - 1)]++;
  return counts;
}

const scoreGroup = (score) => Math.floor(score * SCORE_BARS);
const differenceGroup = (value) =>
  Math.round(limited(value, -MOST_DIFFERENCE, MOST_DIFFERENCE) / DIFFERENCE_STEP) +
  Math.round(MOST_DIFFERENCE / DIFFERENCE_STEP);
const lengthGroup = (words) => limited(Math.ceil(words / LENGTH_STEP) - 1, 0, GROUPS - 1);

/** The scores of a system in ascending order. */
function sortedScores(report, system) {
  return report.once(`sorted ${system}`, () => report.scores[system].slice().sort());
}

function shareUpTo(report, system, score) {
  const scores = sortedScores(report, system);
  let [low, high] = [0, scores.length];
  while (low < high) {
    const half = (low + high) >> 1;
    if (scores[half] <= score) low = half + 1;
    else high = half;
  }
  return low / Math.max(1, scores.length);
}

/** Number and mean score of the segments of each group of lengths. */
function lengthMeans(report, system) {
  return report.once(`lengths ${system}`, () => {
    const groups = Array.from({length: GROUPS}, () => ({segments: 0, sum: 0}));
    for (let k = 0; k < report.size; k++) {
      const group = groups[lengthGroup(report.length(system, k))];
      group.segments++;
      group.sum += report.scores[system][k];
    }
    return groups;
  });
}

/** A note: a title, and a value of each system, the highest first. */
function tellSystems(report, title, systems, value, write) {
  const rows = [...systems].map((s) => [s, value(s)]).filter(([, each]) => each !== null);
  rows.sort(([, one], [, two]) => two - one);
  return [
    html("p", {class: "about-head"}, html("b", {}, title)),
    html(
      "table",
      {class: "told"},
      rows
        .slice(0, MOST_TOLD)
        .map(([s, each]) =>
          html("tr", {}, html("th", {}, systemLabel(report, s)), html("td", {class: "number"}, write(each))),
        ),
    ),
    rows.length > MOST_TOLD && html("p", {class: "quiet"}, `and ${rows.length - MOST_TOLD} more`),
  ];
}

const ofScores = {
  axes: ["x"],
  range: ({low, high}) => ({x: [low, high]}),
  filter: (x) => ({low: x[0], high: x[1]}),
  snap: (one, two) => bars(limited(one, 0, 0.99999), limited(two, 0, 1), 1 / SCORE_BARS),
};

/** Plots by name. `axes` can be dragged over; `snap` rounds a range; `filter` gives the filters of a range, and
    `range` the range of the filters; `tell` makes the note of a place. */
const LIVING = {
  scores: {
    ...ofScores,
    tell(report, {x}, visible) {
      const bar = limited(scoreGroup(x), 0, SCORE_BARS - 1);
      const counts = (s) =>
        report.once(`bars ${s}`, () => histogram(report.scores[s], scoreGroup, SCORE_BARS))[bar];
      const title = `score ${(bar / SCORE_BARS).toFixed(3)} to ${((bar + 1) / SCORE_BARS).toFixed(3)}`;
      return tellSystems(report, title, visible, counts, (n) => counted(n, "segment"));
    },
  },
  cumulative: {
    ...ofScores,
    tell(report, {x}, visible) {
      const score = limited(x, 0, 1);
      const share = (s) => shareUpTo(report, s, score);
      const write = (value) => `${(100 * value).toFixed(1)}%`;
      return tellSystems(report, `up to ${score.toFixed(3)}`, visible, share, write);
    },
  },
  lengths: {
    axes: ["x"],
    range: ({shortest, longest}) => ({
      x: [
        shortest === null ? null : lengthGroup(shortest),
        longest === null ? null : lengthGroup(longest) + 1,
      ],
    }),
    snap: (one, two) => [Math.min(one, two), Math.max(one, two) + 1],
    filter: ([first, last]) => ({
      shortest: first > 0 ? first * LENGTH_STEP + 1 : null,
      longest: last < GROUPS ? last * LENGTH_STEP : null,
    }),
    tell(report, {x: group}, visible, names) {
      const of = (s) => lengthMeans(report, s)[group];
      const mean = (s) => (of(s).segments ? of(s).sum / of(s).segments : null);
      const title = `${names[group]} words: ${counted(of([...visible][0] ?? 0).segments, "segment")}`;
      return tellSystems(report, title, visible, mean, figure);
    },
  },
  differences: {
    axes: ["x"],
    pair: true,
    range: ({lead_low, lead_high}) => ({x: [lead_low, lead_high]}),
    snap(one, two) {
      const [low, high] = bars(one, two, DIFFERENCE_STEP, DIFFERENCE_STEP / 2);
      return [low <= -MOST_DIFFERENCE ? null : low, high >= MOST_DIFFERENCE ? null : high];
    },
    filter: (x) => ({lead_low: x[0], lead_high: x[1]}),
    tell(report, {x}, visible, names, {system, against}) {
      const counts = report.once(`differences ${system} ${against}`, () => {
        const all = Array.from({length: report.size}, (_, k) => report.difference(system, against, k));
        return histogram(all, differenceGroup, 2 * Math.round(MOST_DIFFERENCE / DIFFERENCE_STEP) + 1);
      });
      const bar = differenceGroup(x);
      const middle = bar * DIFFERENCE_STEP - MOST_DIFFERENCE;
      return [
        html("p", {class: "about-head"}, html("b", {}, `A − B about ${signedShort(middle)}`)),
        html("p", {}, counted(counts[bar], "segment")),
      ];
    },
  },
  scatter: {
    axes: ["x", "y"],
    pair: true,
    range: ({low, high, low_b, high_b}) => ({x: [low, high], y: [low_b, high_b]}),
    snap: (one, two) => bars(limited(one, 0, 0.99999), limited(two, 0, 1), 0.01),
    filter: (x, y) => ({low: x[0], high: x[1], low_b: y[0], high_b: y[1]}),
  },
};

/** The segment of the plot of both systems that is nearest to a place, if one is near. */
function nearest(report, {system, against}, places, at) {
  let [best, found] = [NEAR ** 2, null];
  for (let k = 0; k < report.size; k++) {
    const x = places.pixels("x", report.scores[system][k]) - at.x;
    const y = places.pixels("y", report.scores[against][k]) - at.y;
    if (x * x + y * y < best) [best, found] = [x * x + y * y, k];
  }
  return found;
}

function tellSegment(report, state, k) {
  const reference = report.references[k][report.best(state.system, k)];
  return [
    html("p", {class: "about-head"}, html("b", {}, `segment ${k + 1}`)),
    html("p", {class: "told-text", dir: report.direction}, wording(report, reference, state.form)),
    html(
      "table",
      {class: "told"},
      listedSystems(state).map((s) =>
        html(
          "tr",
          {},
          html("th", {}, systemLabel(report, s)),
          html("td", {class: "number"}, figure(report.scores[s][k])),
        ),
      ),
    ),
  ];
}

/** The values of a bar or a point of the other plots, as their specification names them. */
function tellValues(values) {
  return html(
    "table",
    {class: "told"},
    Object.entries(values).map(([name, value]) =>
      html("tr", {}, html("th", {}, name), html("td", {class: "number"}, value)),
    ),
  );
}

/* Filters and orders of segments, the same as in bolide/xray/filters.py. */

/** Each filter: does the segment pass? Called only if the state has a value for it. */
const FILTERS = {
  low: (report, state, k) => report.scores[state.system][k] >= state.low,
  high: (report, state, k) => report.scores[state.system][k] <= state.high,
  module: (report, state, k) =>
    hasModule(report.alignment(state.system, k), moduleNumber(report, state.module)),
  shortest: (report, state, k) => report.length(state.system, k) >= state.shortest,
  longest: (report, state, k) => report.length(state.system, k) <= state.longest,
  margin: (report, state, k) =>
    state.against === null || beats(report.difference(state.system, state.against, k), state.margin),
  text: (report, state, k) => report.searchable(k).includes(state.text.toLowerCase()),
};

/** Each order: the sort key of a segment; the lowest comes first. */
const ORDERS = {
  segment: () => 0,
  score: (report, state, k) => report.scores[state.system][k],
  difference: (report, state, k) => -lead(report, state, k),
  spread: (report, state, k) => -spread(report, k),
  length: (report, state, k) => -report.length(state.system, k),
};

function hasModule(alignment, module) {
  const flat = alignment?.matches ?? [];
  for (let k = 4; k < flat.length; k += MATCH) if (flat[k] === module) return true;
  return false;
}

function moduleNumber(report, name) {
  return report.modules.findIndex((module) => module.name === name);
}

function beats(difference, margin) {
  return difference > 0 && difference >= margin;
}

/** The lead of a system over another, or over the mean of all others. */
function lead(report, state, k) {
  if (state.against !== null) return report.difference(state.system, state.against, k);
  const others = report.scores.filter((_, system) => system !== state.system);
  if (!others.length) return 0;
  return report.scores[state.system][k] - others.reduce((sum, scores) => sum + scores[k], 0) / others.length;
}

function spread(report, k) {
  const all = report.scores.map((scores) => scores[k]);
  return Math.max(...all) - Math.min(...all);
}

/** The segments that pass all filters, in order; ties keep the order of the files. */
function selected(report, state) {
  const given = Object.keys(FILTERS).filter((name) => state[name] !== null && state[name] !== "");
  const found = [];
  for (let k = 0; k < report.size; k++) {
    if (given.every((name) => FILTERS[name](report, state, k))) found.push(k);
  }
  return ordered(report, state, found);
}

function ordered(report, state, segments) {
  if (state.order === "segment") return state.reverse ? segments.reverse() : segments;
  const keys = new Map(segments.map((k) => [k, ORDERS[state.order](report, state, k)]));
  const sign = state.reverse ? -1 : 1;
  return segments.sort((one, two) => sign * (keys.get(one) - keys.get(two)) || one - two);
}

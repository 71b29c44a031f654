/* Filters and orders of segments, the same as in bolide/xray/filters.py. A is the selected system, B the one it is
   compared with. */

/** Each filter: the kind of its value; whether it needs B; and whether a segment passes. `passes` is called only if
    the state has a value. */
const FILTERS = {
  text: {
    kind: "text",
    passes: (report, state, k) => report.searchable(k).includes(state.text.toLowerCase()),
  },
  unmatched: {kind: "text", passes: (report, state, k) => isUnmatched(report, state, k)},
  low: {kind: "number", passes: (report, state, k) => report.scores[state.system][k] >= state.low},
  high: {kind: "number", passes: (report, state, k) => report.scores[state.system][k] <= state.high},
  low_b: {
    kind: "number",
    pair: true,
    passes: (report, state, k) => report.scores[state.against][k] >= state.low_b,
  },
  high_b: {
    kind: "number",
    pair: true,
    passes: (report, state, k) => report.scores[state.against][k] <= state.high_b,
  },
  shortest: {kind: "number", passes: (report, state, k) => report.length(state.system, k) >= state.shortest},
  longest: {kind: "number", passes: (report, state, k) => report.length(state.system, k) <= state.longest},
  module: {
    kind: "choice",
    choices: (report) => report.modules.map((module) => module.name),
    passes: (report, state, k) =>
      hasModule(report.alignment(state.system, k), moduleNumber(report, state.module)),
  },
  margin: {
    kind: "number",
    pair: true,
    passes: (report, state, k) => beats(report.difference(state.system, state.against, k), state.margin),
  },
  behind: {
    kind: "number",
    pair: true,
    passes: (report, state, k) => beats(report.difference(state.against, state.system, k), state.behind),
  },
  lead_low: {
    kind: "number",
    pair: true,
    passes: (report, state, k) => report.difference(state.system, state.against, k) >= state.lead_low,
  },
  lead_high: {
    kind: "number",
    pair: true,
    passes: (report, state, k) => report.difference(state.system, state.against, k) <= state.lead_high,
  },
  metric: {
    kind: "choice",
    choices: (report) => report.others.map((metric) => metric.name),
    passes: (report, state, k) => otherScore(report, state, state.system, k) !== null,
  },
  metric_low: {
    kind: "number",
    passes: (report, state, k) => inRange(otherScore(report, state, state.system, k), state.metric_low, Infinity),
  },
  metric_high: {
    kind: "number",
    passes: (report, state, k) => inRange(otherScore(report, state, state.system, k), -Infinity, state.metric_high),
  },
  disagree: {
    kind: "choice",
    pair: true,
    choices: (report) => Object.keys(metricPairs(report)),
    passes: (report, state, k) => disagree(report, state, k),
  },
  left_out: {
    kind: "choice",
    choices: () => ["yes", "no"],
    passes: (report, state, k) =>
      Boolean(report.alignment(state.system, k)?.left_out) === (state.left_out === "yes"),
  },
  equal: {
    kind: "choice",
    pair: true,
    choices: () => ["yes", "no"],
    passes: (report, state, k) =>
      sameWords(report, state.system, state.against, k) === (state.equal === "yes"),
  },
  pick: {
    kind: "name",
    known: (report, text) => parsedPick(report, text) !== null,
    passes: (report, state, k) => passesPick(report, state, k),
  },
  group: {
    kind: "choice",
    choices: groupNames,
    passes: (report, state, k) => passesGroup(report, state, k),
  },
};

/** The chips of active filters: the names of filters that belong together, and their text. */
const CHIPS = [
  [["text"], (s) => `“${visible(s.text)}”`],
  [["unmatched"], (s) => `“${visible(s.unmatched)}” unmatched in A`],
  [["low", "high"], (s) => between("score of A", s.low, s.high)],
  [["low_b", "high_b"], (s) => between("score of B", s.low_b, s.high_b)],
  [["shortest", "longest"], (s) => between("words", s.shortest, s.longest)],
  [["metric", "metric_low", "metric_high"], metricChip],
  [["disagree"], (s) => `${visible(s.disagree)} disagree`],
  [["module"], (s) => `a match by ${s.module}`],
  [["margin"], (s) => `A beats B${s.margin ? ` by ${s.margin} or more` : ""}`],
  [["behind"], (s) => `B beats A${s.behind ? ` by ${s.behind} or more` : ""}`],
  [["lead_low", "lead_high"], (s) => between("A − B", s.lead_low, s.lead_high)],
  [["pick"], (s, report) => visible(pickText(report, s.pick))],
  [["group"], (s, report) => visible(groupText(report, s.group))],
  [["left_out"], (s) => (s.left_out === "yes" ? "A: a match is left out" : "A: no match is left out")],
  [["equal"], (s) => (s.equal === "yes" ? "A and B are equal" : "A and B differ")],
];

/** Each order: the sort key of a segment; the lowest comes first. */
const ORDERS = {
  segment: () => 0,
  score: (report, state, k) => report.scores[state.system][k],
  difference: (report, state, k) => -lead(report, state, k),
  contribution: (report, state, k) => -contribution(report, state, k),
  spread: (report, state, k) => -spread(report, k),
  length: (report, state, k) => -report.length(state.system, k),
  metric: (report, state, k) => otherKey(report, state, otherScore(report, state, state.system, k), 1),
  metric_difference: (report, state, k) => otherKey(report, state, otherDifference(report, state, k), -1),
};

/** The state without filters. */
function withoutFilters(names = Object.keys(FILTERS)) {
  return Object.fromEntries(names.map((name) => [name, FILTERS[name].kind === "text" ? "" : null]));
}

/** The names of the filters that have a value. Those of pairs need a B. */
function activeFilters(state) {
  return Object.keys(FILTERS).filter(
    (name) => state[name] !== null && state[name] !== "" && !(FILTERS[name].pair && state.against === null),
  );
}

/** “words: 5 to 10”, “words ≥ 5” or “words ≤ 10”. */
function between(what, low, high) {
  if (low === null) return `${what} ≤ ${signedShort(high)}`;
  if (high === null) return `${what} ≥ ${signedShort(low)}`;
  return `${what}: ${signedShort(low)} to ${signedShort(high)}`;
}

function signedShort(value) {
  return String(Number(value.toFixed(4))).replace("-", "−");
}

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

/** Whether A's alignment with its best reference leaves this word unmatched, on either side. */
function isUnmatched(report, {system, unmatched}, k) {
  const wanted = report.piecesOf(unmatched);
  const flat = report.alignment(system, k)?.matches ?? [];
  return [
    [report.references[k][report.best(system, k)], 0],
    [report.systems[system].hypotheses[k], 2],
  ].some(([text, column]) => text.some((number, place) => wanted.has(number) && !covers(flat, column, place)));
}

/** Whether a match covers the word at this place. */
function covers(flat, column, place) {
  for (let m = column; m < flat.length; m += MATCH)
    if (flat[m] <= place && place < flat[m] + flat[m + 1]) return true;
  return false;
}

/** Whether two systems have the same text, as the metric sees it. */
function sameWords(report, first, second, k) {
  const [one, two] = [first, second].map((system) => report.systems[system].hypotheses[k]);
  return (
    one.length === two.length && one.every((number, place) => report.words[number] === report.words[two[place]])
  );
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
  const given = activeFilters(state).map((name) => FILTERS[name].passes);
  const found = [];
  for (let k = 0; k < report.size; k++) {
    if (given.every((passes) => passes(report, state, k))) found.push(k);
  }
  return ordered(report, state, found);
}

function ordered(report, state, segments) {
  if (state.order === "segment") return state.reverse ? segments.reverse() : segments;
  const keys = new Map(segments.map((k) => [k, ORDERS[state.order](report, state, k)]));
  const sign = state.reverse ? -1 : 1;
  return segments.sort((one, two) => sign * (keys.get(one) - keys.get(two)) || one - two);
}

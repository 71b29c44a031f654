/* What a segment contributes to the difference of two corpus scores: how much the difference would change if A had
   B's translation of this segment, and if B had A's (the mean of both). So a short segment counts little. The same
   as in bolide/xray/contribution.py. */

const ROUNDED = 1e12; // so that the last digits of the arithmetic do not decide the order

function contribution(report, state, k) {
  const all = report.contributions(state.system, state.against);
  return Math.round(all[k] * ROUNDED) / ROUNDED;
}

/** The contribution of every segment. Without the statistics, or without B: the lead, weighted by length. */
function allContributions(report, system, against) {
  const segments = Array.from({length: report.size}, (_, k) => k);
  const leads = segments.map((k) => lead(report, {system, against}, k));
  if (against === null || !report.parameters) {
    const words = segments.reduce((sum, k) => sum + report.length(system, k), 0);
    return leads.map((each, k) => (each * report.length(system, k)) / Math.max(1, words));
  }
  if (!report.pooled) return leads.map((each) => each / report.size);
  const [ours, theirs] = [system, against].map((s) => report.systems[s].totals);
  const [A, B] = [ours, theirs].map((row) => pooledScore(report, row));
  return segments.map((k) => {
    const one = contributed(report, report.statistics(system, k));
    const two = contributed(report, report.statistics(against, k));
    const change = two.map((value, n) => value - one[n]);
    const without = pooledScore(report, ours.map((value, n) => value + change[n]));
    const instead = pooledScore(report, theirs.map((value, n) => value - change[n]));
    return (A - without + instead - B) / 2;
  });
}

/** What a segment adds to the statistics of the corpus: no chunk if it is matched completely, in one chunk. */
function contributed({parameters}, row) {
  const chunks = row.length - 3;
  if (parameters.whole !== "unpenalised" || parameters.fragments === "breaks") return row;
  if (row[chunks] !== 1 || !sides(row).every(isWhole)) return row;
  return row.with(chunks, 0);
}

/** The score of the statistics of a corpus: the formula of core/score/score.cpp, for large numbers of words. */
function pooledScore({parameters: p, modules}, row) {
  const weights = modules.map((module) => module.weight ?? 0);
  const [precision, recall] = sides(row).map((side) => {
    const matched = p.delta * weighted(weights, side.content) + (1 - p.delta) * weighted(weights, side.function);
    return matched / (p.delta * (side.length - side.functions) + (1 - p.delta) * side.functions);
  });
  const fmean =
    p.fmean === "ratio"
      ? (precision * recall) / (p.alpha * precision + (1 - p.alpha) * recall)
      : 1 / ((1 - p.alpha) / precision + p.alpha / recall);
  const [chunks, one, two] = row.slice(-3);
  const penalty = p.gamma * Math.pow(chunks / ((one + two) / 2), p.beta);
  const score = fmean * (1 - penalty);
  return score > 0 ? score : 0; // also if a number is not defined
}

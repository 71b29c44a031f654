/* Scores by other metrics than METEOR. A missing score is null. */

const UNSCORED = 1e300; // the sort key of segments without a score
const METEOR = "METEOR";

/** The metric of the filters and orders: the chosen one, or the first; undefined if there is none. */
function chosenMetric(report, state) {
  return report.others.find((metric) => metric.name === state.metric) ?? (state.metric ? undefined : report.others[0]);
}

function otherScore(report, state, system, k) {
  return chosenMetric(report, state)?.segments[system]?.[k] ?? null;
}

function inRange(value, low, high) {
  return value !== null && low <= value && value <= high;
}

/** How much A is better than B by a metric. */
function metricLead(metric, first, second, k) {
  const [one, two] = [metric.segments[first][k], metric.segments[second][k]];
  if (one === null || two === null) return null;
  return metric.higher ? one - two : two - one;
}

function otherDifference(report, {system, against, metric}, k) {
  const chosen = chosenMetric(report, {metric});
  return chosen && against !== null ? metricLead(chosen, system, against, k) : null;
}

/** The worst scores come first, or with the sign −1 the largest leads. */
function otherKey(report, state, value, sign) {
  if (value === null) return UNSCORED;
  const turned = sign === 1 && chosenMetric(report, state).higher === false ? -1 : 1;
  return sign * turned * value;
}

/** The pairs of METEOR and the other metrics, by their titles; METEOR is null. */
function metricPairs(report) {
  return report.once("metric pairs", () => {
    const all = [null, ...report.others];
    const name = (metric) => metric?.name ?? METEOR;
    const pairs = all.flatMap((one, k) => all.slice(k + 1).map((two) => [`${name(one)} and ${name(two)}`, [one, two]]));
    return Object.fromEntries(pairs);
  });
}

function leadBy(report, metric, first, second, k) {
  return metric ? metricLead(metric, first, second, k) : report.difference(first, second, k);
}

/** Whether one system is better by one metric of a pair, and worse by the other. */
function disagree(report, state, k) {
  const leads = metricPairs(report)[state.disagree]?.map((metric) =>
    leadBy(report, metric, state.system, state.against, k),
  );
  return Boolean(leads) && !leads.includes(null) && leads[0] * leads[1] < 0;
}

function metricChip({metric, metric_low, metric_high}) {
  const name = metric === null ? "other score" : visible(metric);
  if (metric_low === null && metric_high === null) return `A has a score by ${name}`;
  return between(`${name} of A`, metric_low, metric_high);
}

/** The name of a metric, with an arrow if low scores are good. */
function metricTitle(metric) {
  return visible(metric.name) + (metric.higher ? "" : " ↓");
}

/** The number of decimals that suits the scores of a metric. */
function decimals(metric) {
  const all = [...metric.corpus, ...metric.segments.flatMap((values) => values.slice(0, 100))];
  return all.some((value) => Math.abs(value ?? 0) >= 2) ? 2 : 4;
}

/** A score of a metric for display. */
function otherFigure(report, metric, value) {
  if (value === null || value === undefined) return "–";
  return value.toFixed(report.once(`decimals ${metric.name}`, () => decimals(metric))).replace("-", "−");
}

/** The columns of other metrics in the table of systems. */
function metricColumns(report) {
  return report.others.map((metric, m) => ({
    name: `metric-${m}`,
    title: metricTitle(metric),
    rising: !metric.higher,
    value: (system) => metric.corpus[report.systems.indexOf(system)],
    about:
      `The score of the whole test set by ${visible(metric.name)}. ` +
      `${metric.higher ? "Higher" : "Lower"} is better.${metric.signature ? ` ${visible(metric.signature)}` : ""}`,
    metric,
  }));
}

/** The scores of a segment by all metrics. */
function otherScores(report, shown) {
  if (!report.others.length) return null;
  const systems = shown.sides.map((side) => side.system);
  const several = systems.length > 1;
  const row = (title, about, values, lead, decimal) =>
    html(
      "tr",
      {},
      html("th", {scope: "row", title: about}, title),
      values.map((value) => html("td", {class: "number"}, value)),
      several && html("td", {class: "number"}, lead === null ? "–" : betterText(lead, decimal)),
    );
  const k = shown.segment;
  return html(
    "section",
    {"aria-labelledby": "about-metrics"},
    html("h3", {id: "about-metrics"}, "All metrics"),
    table(
      "Scores by all metrics",
      ["metric", ...shown.sides.map((side) => sideTitle(report, side, several)), ...(several ? ["better"] : [])],
      [
        row(
          METEOR,
          null,
          systems.map((system) => figure(report.scores[system][k])),
          several ? report.difference(...systems, k) : null,
          4,
        ),
        ...report.others.map((metric) =>
          row(
            metricTitle(metric),
            metric.higher ? null : "Lower is better",
            systems.map((system) => otherFigure(report, metric, metric.segments[system][k])),
            several ? metricLead(metric, ...systems, k) : null,
            report.once(`decimals ${metric.name}`, () => decimals(metric)),
          ),
        ),
      ],
      "metrics",
    ),
  );
}

function sideTitle(report, side, several) {
  const letter = SIDE_LETTERS[side.side];
  return html(
    "th",
    {scope: "col"},
    several && [html("b", {class: `side side-${letter}`}, letter), " "],
    systemName(report, side.system),
  );
}

/** Which system is better, and by how much. */
function betterText(lead, digits) {
  if (lead === 0) return "=";
  const letter = SIDE_LETTERS[lead > 0 ? 0 : 1];
  return [html("b", {class: `side side-${letter}`}, letter), ` by ${Math.abs(lead).toFixed(digits)}`];
}

/** A and B by all metrics: corpus scores, segments that one of them wins, and where a metric and METEOR disagree. */
function metricsCompared(report, state) {
  if (!report.others.length) return null;
  const {system, against} = state;
  const rows = [null, ...report.others].map((metric) => {
    const leads = Array.from({length: report.size}, (_, k) => leadBy(report, metric, system, against, k));
    const number = (wanted) => count(leads.filter((lead) => lead !== null && wanted(lead)).length);
    const corpus = (s) =>
      metric ? otherFigure(report, metric, metric.corpus[s]) : figure(report.systems[s].score);
    const pair = metric && `${METEOR} and ${metric.name}`;
    return html(
      "tr",
      {},
      html("th", {scope: "row"}, metric ? metricTitle(metric) : METEOR),
      [system, against].map((s) => html("td", {class: "number"}, corpus(s))),
      [(lead) => lead > 0, (lead) => lead === 0, (lead) => lead < 0].map((wanted) =>
        html("td", {class: "number"}, number(wanted)),
      ),
      html("td", {class: "number"}, pair ? disagreeLink(report, {...state, disagree: pair}) : ""),
    );
  });
  return html(
    "div",
    {},
    html("h3", {}, "By all metrics"),
    table(
      "A and B by all metrics",
      ["metric", "A", "B", "A better", "equal", "B better", "disagree with METEOR"],
      rows,
      "metrics",
    ),
    html(
      "p",
      {class: "quiet"},
      "The numbers of segments where A is better, both are equal, or B is better; and where one system is better by METEOR, but the other one by this metric. ↓ lower is better.",
    ),
  );
}

function disagreeLink(report, state) {
  let found = 0;
  for (let k = 0; k < report.size; k++) found += disagree(report, state, k);
  if (!found) return "0";
  const target = {...state, view: "segments", segment: null, ...withoutFilters(), disagree: state.disagree};
  return html("a", {href: link(report, target), title: `${state.disagree} disagree`}, count(found));
}

/* Plots: the Vega-Lite specifications of bolide/xray/plots.py, with rows made here. Vega is unpacked when the
   first plot comes into view, and works without eval. */

/** The rows of each data set. */
const ROWS = {
  *segments(report, state, visible) {
    for (const s of visible) {
      for (let k = 0; k < report.size; k++) {
        yield {system: report.labels[s], segment: k + 1, score: report.scores[s][k], length: report.length(s, k)};
      }
    }
  },
  *differences(report, state) {
    if (state.against === null) return;
    const pair = `${report.labels[state.system]} − ${report.labels[state.against]}`;
    for (let k = 0; k < report.size; k++)
      yield {pair, segment: k + 1, difference: report.difference(state.system, state.against, k)};
  },
  *pairs(report, state) {
    if (state.against === null) return;
    const [a, b] = [report.scores[state.system], report.scores[state.against]];
    const [first, second] = [state.system, state.against].map((s) => report.labels[s]);
    for (let k = 0; k < report.size; k++) {
      const ahead = a[k] > b[k] ? first : a[k] < b[k] ? second : EVEN;
      yield {segment: k + 1, a: a[k], b: b[k], ahead};
    }
  },
  *matches(report) {
    for (const row of matchCounts(report)) {
      for (const [module, words] of row.counts)
        yield {system: row.system, side: row.side, class: row.class, module, words};
    }
  },
  *systems(report) {
    for (const [s, {score, interval}] of report.systems.entries())
      yield {system: report.labels[s], score, low: interval?.[0] ?? score, high: interval?.[1] ?? score};
  },
};

const EVEN = "equal";
const UNMATCHED = "unmatched";

/** Words of the corpus by module, side and class; the rest is unmatched. */
function matchCounts(report) {
  const rows = [];
  for (const [number, system] of report.systems.entries()) {
    if (!system.matches) continue;
    const words = wordCounts(system);
    for (const side of ["hypothesis", "reference"]) {
      for (const kind of ["content", "function"]) {
        const counts = system.matches.map((module, k) => [report.modules[k].name, module[`${side}_${kind}`]]);
        const rest = words[`${side}_${kind}`] - counts.reduce((sum, [, number]) => sum + number, 0);
        rows.push({
          number,
          system: report.labels[number],
          side,
          class: `${kind} words`,
          counts: [...counts, [UNMATCHED, rest]],
        });
      }
    }
  }
  return rows;
}

/** Content and function words in the corpus of a system. */
function wordCounts({totals}) {
  return {
    hypothesis_content: totals[0] - totals[2],
    hypothesis_function: totals[2],
    reference_content: totals[1] - totals[3],
    reference_function: totals[3],
  };
}

/** Vega, loaded once. */
const vegaEmbedder = (() => {
  let made = null;
  return () =>
    (made ??= unzipped(document.getElementById("vega")).then((code) => {
      document.head.append(html("script", {}, code)); // its hash is in the policy of the page
      return globalThis.vegaEmbed;
    }));
})();

/** Replaces colours of bolide/_support/palette.py by CSS variables, so that plots follow the theme. */
function themed(value, variables) {
  if (typeof value === "string") return variables[value.toLowerCase()] ?? value;
  if (Array.isArray(value)) return value.map((each) => themed(each, variables));
  if (value === null || typeof value !== "object") return value;
  return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, themed(each, variables)]));
}

/** Replaces the list of all names by that of their labels. */
function relabelled(report, value) {
  if (value === null || typeof value !== "object") return value;
  if (!Array.isArray(value))
    return Object.fromEntries(Object.entries(value).map(([name, each]) => [name, relabelled(report, each)]));
  const {systems, labels} = report;
  if (value.length === systems.length && value.every((each, s) => each === systems[s].name)) return labels;
  return value.map((each) => relabelled(report, each));
}

const PLOT_CONFIG = {
  background: null,
  font: "system-ui, sans-serif",
  view: {stroke: null},
  axis: {
    labelColor: "var(--muted)",
    titleColor: "var(--muted)",
    gridColor: "var(--line)",
    domainColor: "var(--line-strong)",
    tickColor: "var(--line-strong)",
    labelFontSize: 11,
    titleFontSize: 11,
    titleFontWeight: "normal",
    titlePadding: 8,
    labelFont: "system-ui, sans-serif",
    titleFont: "system-ui, sans-serif",
  },
  axisX: {grid: false},
  axisY: {domain: false, ticks: false},
  legend: {
    labelColor: "var(--ink)",
    labelFontSize: 12,
    symbolType: "circle",
    labelFont: "system-ui, sans-serif",
    symbolSize: 90,
  },
  header: {labelColor: "var(--muted)", labelFontSize: 11.5, labelFont: "system-ui, sans-serif"},
  line: {strokeWidth: 1.75},
  rule: {color: "var(--line-strong)"},
};

/** A specification with the colours and fonts of the page, the rows of the visible systems, and a width that fits.
    The page has a legend of its own; only a picture that is saved has one inside. */
function specified(report, state, name, width, visible, legend = false) {
  const spec = relabelled(report, themed(structuredClone(report.plots[name]), report.colours));
  spec.config = {...PLOT_CONFIG, range: spec.config?.range};
  eachChannel(spec, (channel) => {
    if (channel.field === "system") onlyVisible(report, channel.scale, visible);
    if (!channel.legend || channel.field === "module") return;
    if (!legend || name === "differences") channel.legend = null;
    else if (width < NARROW) Object.assign(channel.legend, {columns: 1});
  });
  if (name === "scatter") ofPair(report, spec, state);
  if (name === "matches" && width < NARROW) stacked(spec);
  const used = Object.keys(ROWS).filter((data) => JSON.stringify(spec).includes(`"name":"${data}"`));
  spec.datasets = {
    ...spec.datasets,
    ...Object.fromEntries(used.map((data) => [data, [...ROWS[data](report, state, visible)]])),
  };
  return {
    ...spec,
    ...(PLOT_SIZES[name]?.(report, width) ?? {width, autosize: {type: "fit-x", contains: "padding"}}),
  };
}

/** Changes the colours, dashes and shapes of a specification. */
function eachChannel(spec, change) {
  for (const part of [spec, ...(spec.layer ?? [])]) {
    for (const name of ["color", "strokeDash", "shape"]) {
      if (part.encoding?.[name]?.field) change(part.encoding[name]);
    }
  }
}

/** Leaves only the visible systems in a scale. */
function onlyVisible(report, scale, visible) {
  if (scale?.domain?.length !== report.systems.length || !visible.size) return;
  const shown = [...report.systems.keys()].filter((s) => visible.has(s));
  scale.domain = shown.map((s) => scale.domain[s]);
  scale.range = shown.map((s) => scale.range[s]);
}

/** The names, colours and marks of A and B in the plot of both. */
function ofPair(report, spec, {system, against}) {
  const names = [system, against].map((s) => report.labels[s] ?? "");
  spec.layer.forEach(({encoding}) => {
    if (encoding.x?.field === "a") [encoding.x.title, encoding.y.title] = names.map((name) => `score of ${name}`);
    for (const channel of ["color", "shape"]) {
      if (!encoding[channel]) continue;
      const {domain, range} = encoding[channel].scale;
      const own = channel === "color" ? systemColour : (s) => VEGA_MARKS[markOf(s)];
      encoding[channel].scale = {
        domain: [...names, domain[2]],
        range: [...[system, against ?? system].map(own), range[2]],
      };
    }
  });
}

const VEGA_MARKS = ["circle", "square", "triangle-up", "diamond"];

const NARROW = 460; // pixels
const SIDE_NAMES = 110; // space for “hypothesis”, and between the columns

/** The plot of matches for a narrow screen: content and function words one above the other. */
function stacked(spec) {
  const {row, column, color} = spec.encoding;
  const parts = row.sort.flatMap((side) => column.sort.map((kind) => `${side}, ${kind}`));
  spec.transform.push({calculate: 'datum.side + ", " + datum.class', as: "part"});
  spec.encoding.row = {
    field: "part",
    type: "nominal",
    title: null,
    sort: parts,
    header: {labelOrient: "top", labelAnchor: "start", labelAngle: 0},
  };
  delete spec.encoding.column;
  color.legend.columns = 3;
}

/** Plots with one row per system. Vega-Lite cannot fit them, so space is left for the names. */
const PLOT_SIZES = {
  ranking: (report, width) => ({width: Math.max(100, width - namesWidth(report))}),
  matches: (report, width) => ({
    width: Math.max(80, width < NARROW ? width - namesWidth(report) : (width - namesWidth(report) - SIDE_NAMES) / 2),
  }),
};

function namesWidth(report) {
  return (
    24 +
    Math.min(
      180,
      Math.max(...report.labels.map((label) => textWidth(label, "11px system-ui, sans-serif"))),
    )
  );
}

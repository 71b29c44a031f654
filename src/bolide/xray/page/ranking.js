/* The table of systems: click on a column to sort by it. */

/** Each column: title, definition, and the value of a system, by which the table is sorted. The highest value is
    first, except where `rising` is set. */
const COLUMNS = [
  {
    name: "rank",
    title: "rank",
    rising: true,
    value: (system) => system.rank?.[0],
    about: "The range of ranks that the tests leave possible. Systems with the same range are not told apart.",
  },
  {name: "name", title: "system", rising: true, about: "The name of the system, from its file."},
  {
    name: "score",
    title: "METEOR",
    value: (system) => system.score,
    about: "The score of the whole test set: Fmean · (1 − penalty).",
  },
  {
    name: "interval",
    title: "95% interval",
    about: "Where the score would be for 95 of 100 test sets of this kind (bootstrap).",
  },
  {
    name: "precision",
    title: "P",
    value: (system) => system.precision,
    about: "Precision: the weighted share of the system’s words that match.",
  },
  {
    name: "recall",
    title: "R",
    value: (system) => system.recall,
    about: "Recall: the weighted share of the reference’s words that match.",
  },
  {
    name: "fmean",
    title: "Fmean",
    value: (system) => system.fmean,
    about: "The weighted harmonic mean of P and R.",
  },
  {
    name: "penalty",
    title: "penalty",
    rising: true,
    value: (system) => system.penalty,
    about: "What word order costs: it grows with the number of chunks per match.",
  },
  {
    name: "chunks",
    title: "chunks",
    rising: true,
    value: (system) => system.chunks,
    about: "Runs of matches in the same order on both sides. Fewer are better.",
  },
  {
    name: "length",
    title: "length",
    value: (system) => lengthShare(system.lengths),
    about: "The number of words, as a share of that of the references.",
  },
];

class SystemTable {
  constructor(report) {
    Object.assign(this, {report, by: "score", reverse: false});
    this.columns = [
      ...COLUMNS.filter(({name}) => name !== "rank" || isRanked(report)),
      ...metricColumns(report),
    ];
    this.scale = intervalScale(report.systems);
    this.best = Math.max(...report.systems.map((system) => system.score ?? -1));
    this.place = html("div", {});
    this.node = html("div", {}, this.place, this.definitions());
    this.paint();
  }

  paint() {
    const kept = focusPath(this.place);
    const head = this.columns.flatMap((column) => [
      this.head(column),
      ...(column.name === "interval" ? [html("span", {class: "hidden"}, "plot of the interval")] : []),
    ]);
    show(this.place, table("Systems", head, this.order().map((s) => this.row(s)), "systems"));
    if (kept) this.place.querySelector(kept).focus();
  }

  /** A heading with its definition; those that can be sorted by are buttons. */
  head({name, title, about, value}) {
    if (!value && name !== "name") return html("th", {scope: "col", title: about}, title);
    const sorted = name === this.by;
    const rising = Boolean(this.column(name).rising) !== this.reverse;
    const act = () => {
      this.reverse = sorted && !this.reverse;
      this.by = name;
      this.paint();
    };
    return html(
      "th",
      {scope: "col", "aria-sort": sorted ? (rising ? "ascending" : "descending") : null},
      button([title, sorted && html("span", {"aria-hidden": "true"}, rising ? " ▲" : " ▼")], act, {
        class: "plain heading",
        id: `sort-${name}`,
        title: about,
      }),
    );
  }

  column(wanted) {
    return this.columns.find(({name}) => name === wanted);
  }

  /** The systems in order; those without a value are last. */
  order() {
    const {name, value, rising} = this.column(this.by);
    const places = [...this.report.systems.keys()];
    const sign = Boolean(rising) !== this.reverse ? 1 : -1;
    if (name === "name") return places.sort((a, b) => sign * this.compareNames(a, b));
    const of = (s) => value(this.report.systems[s]) ?? null;
    return places.sort((a, b) => (of(a) === null) - (of(b) === null) || sign * (of(a) - of(b)) || a - b);
  }

  compareNames(a, b) {
    return this.report.systems[a].name.localeCompare(this.report.systems[b].name, "en", {numeric: true});
  }

  row(s) {
    const {report} = this;
    const system = report.systems[s];
    return html(
      "tr",
      {},
      isRanked(report) && html("td", {class: "rank"}, rankText(system.rank)),
      html("th", {scope: "row"}, systemLabel(report, s)),
      html("td", {class: system.score === this.best ? "number best" : "number"}, figure(system.score)),
      html(
        "td",
        {class: "number quiet"},
        system.interval ? `${figure(system.interval[0])} – ${figure(system.interval[1])}` : "–",
      ),
      html("td", {class: "whisker"}, whisker(system, s, this.scale)),
      ["precision", "recall", "fmean", "penalty"].map((name) =>
        html("td", {class: "number"}, figure(system[name])),
      ),
      html("td", {class: "number"}, count(system.chunks)),
      html("td", {class: "number"}, lengthRatio(system.lengths)),
      report.others.map((metric) =>
        html("td", {class: "number"}, otherFigure(report, metric, metric.corpus[s])),
      ),
    );
  }

  /** The definitions, for those who cannot point at a heading. */
  definitions() {
    return html(
      "details",
      {class: "definitions"},
      html("summary", {}, "What the columns mean"),
      html("dl", {}, this.columns.map(({title, about}) => [html("dt", {}, title), html("dd", {}, about)])),
    );
  }
}

function isRanked(report) {
  return report.systems.some((system) => system.rank) && report.systems.length > 1;
}

function rankText(rank) {
  if (!rank) return "–";
  return rank[0] === rank[1] ? String(rank[0]) : `${rank[0]}–${rank[1]}`;
}

function lengthShare(lengths) {
  return lengths?.hypothesis && lengths.reference ? lengths.hypothesis / lengths.reference : null;
}

function lengthRatio(lengths) {
  const share = lengthShare(lengths);
  return share === null ? "–" : `${(100 * share).toFixed(1)}%`;
}

const WHISKER = {width: 150, height: 20, pad: 6};

/** The common scale of all intervals. */
function intervalScale(systems) {
  const known = systems.filter((system) => system.score !== null);
  const low = Math.min(...known.map((system) => system.interval?.[0] ?? system.score));
  const high = Math.max(...known.map((system) => system.interval?.[1] ?? system.score));
  const size = high - low || 1;
  return (value) => WHISKER.pad + ((value - low) / size) * (WHISKER.width - 2 * WHISKER.pad);
}

function whisker(system, s, scale) {
  if (system.score === null) return null;
  const y = WHISKER.height / 2;
  const colour = systemColour(s);
  const [low, high] = (system.interval ?? [system.score, system.score]).map(scale);
  return svg(
    "svg",
    {
      width: WHISKER.width,
      height: WHISKER.height,
      viewBox: `0 0 ${WHISKER.width} ${WHISKER.height}`,
      "aria-hidden": "true",
    },
    svg("path", {d: `M0 ${y}H${WHISKER.width}`, stroke: "var(--line)"}),
    svg("path", {
      d: `M${low} ${y}H${high}M${low} ${y - 4}v8M${high} ${y - 4}v8`,
      stroke: colour,
      "stroke-width": 1.75,
      fill: "none",
    }),
    svg("path", {d: markPath(s, scale(system.score), y, 4), fill: colour}),
  );
}


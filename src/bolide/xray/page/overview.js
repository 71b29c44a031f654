/* The overview: systems, plots of their scores and matches, and the comparison of two systems. */

const LEGEND_PLOTS = ["scores", "cumulative", "lengths"]; // their systems can be hidden

class Overview {
  /** `found` gives the number of segments that pass the filters; `open` shows a segment. */
  constructor(report, change, found, open) {
    Object.assign(this, {report, change, found, open});
    this.node = document.getElementById("overview");
    this.compared = html("div", {});
    this.legend = new Legend(report, () => this.redraw());
    this.filtered = html("div", {class: "filtered", role: "status", "aria-label": "Active filters"});
    this.plots = {};
    const several = report.systems.length > 1;
    const drag = "Drag over a range, or click, to filter segments.";
    fill(this.node, [
      this.lede(),
      section("Systems", new SystemTable(report).node),
      section(
        "Scores",
        this.legend.node,
        html(
          "div",
          {class: "plots"},
          this.plot("scores", "Distribution of scores", `Number of segments by score. ${drag}`),
          this.plot(
            "cumulative",
            "Cumulative distribution",
            `Share of segments up to a score. A curve further to the right is better. ${drag}`,
          ),
          this.plot(
            "lengths",
            "Scores by sentence length",
            `Mean score of segments by number of words in the reference. ${drag}`,
          ),
          this.plot("ranking", "Corpus scores", "With their 95% intervals."),
        ),
      ),
      section(
        "Matches",
        this.plot("matches", "Words matched by module", "Content and function words of both sides."),
        matchTable(report),
      ),
      several && section("Systems compared", this.compared),
      this.filtered,
    ]);
    if (!several) return;
    this.pairPlots = [
      this.plot("differences", "Differences of scores", `Segments by score of A minus score of B. ${drag}`),
      this.plot(
        "scatter",
        "Score of A against score of B",
        "Each mark is a segment; click on it to open it. Drag over a part to filter segments.",
      ),
    ];
  }

  plot(name, title, summary) {
    if (!this.report.plots?.[name]) return null;
    const {change, open} = this;
    const all = new Set(this.report.systems.keys());
    const visible = () => (LEGEND_PLOTS.includes(name) ? this.legend.visible : all);
    this.plots[name] = new Plot(this.report, name, title, summary, {change, open, visible});
    return this.plots[name].node;
  }

  /** Draws the plots again whose systems can be hidden. */
  redraw() {
    for (const name of LEGEND_PLOTS) this.plots[name]?.draw(true);
  }

  update(state) {
    const {report} = this;
    this.legend.update(state);
    this.showFilters(state);
    const pair = `${state.system} ${state.against} ${state.form}`;
    if (this.pair !== pair && report.systems.length > 1) {
      this.pair = pair;
      show(this.compared, comparedSystems(report, state, this.change, this.pairPlots));
    }
    for (const plot of Object.values(this.plots)) {
      if (!plot.living?.pair || state.against !== null) plot.update(state);
    }
  }

  /** The active filters, and a way to the segments that pass them. */
  showFilters(state) {
    const kept = focusPath(this.filtered);
    const chips = activeChips(this.report, state, this.change);
    for (const chip of chips) chip.firstChild.id = `overview-${chip.firstChild.id}`;
    this.filtered.hidden = !chips.length;
    const found = chips.length ? this.found() : 0;
    show(
      this.filtered,
      chips.length > 0 && [
        html("ul", {class: "chips"}, chips),
        html("span", {class: "spring"}),
        html("span", {class: "total"}, `${count(found)} of ${counted(this.report.size, "segment")}`),
        button("Show them", () => this.change({view: "segments", segment: null}, true), {id: "overview-show"}),
      ],
    );
    if (kept) this.filtered.querySelector(kept)?.focus();
  }

  lede() {
    const report = this.report;
    return html(
      "header",
      {class: "lede"},
      html("h1", {tabindex: -1}, report.title || "X-ray"),
      html(
        "p",
        {class: "facts"},
        [
          counted(report.size, "segment"),
          counted(report.systems.length, "system"),
          referencesFact(report),
        ].join(" · "),
      ),
      report.notes?.map((note) => html("p", {class: "notice"}, note)),
      report.signature &&
        html(
          "p",
          {class: "signature"},
          html("span", {class: "quiet"}, "Signature "),
          html("code", {}, report.signature),
        ),
      report.eval_id &&
        html(
          "p",
          {class: "signature"},
          html("span", {class: "quiet"}, "Java Eval ID "),
          html("code", {}, report.eval_id),
        ),
    );
  }
}

function referencesFact(report) {
  const numbers = report.references.map((references) => references.length);
  const [least, most] = [
    numbers.reduce((a, b) => Math.min(a, b), Infinity),
    numbers.reduce((a, b) => Math.max(a, b), 0),
  ];
  return least === most || !numbers.length
    ? `${counted(most, "reference")} per segment`
    : `${least} to ${most} references per segment`;
}

function section(title, ...children) {
  const id = `about-${title.toLowerCase().replaceAll(" ", "-")}`;
  return html("section", {"aria-labelledby": id}, html("h2", {id}, title), children);
}

const WIDE = 12; // columns: a table with more is printed across the paper

/** A table that scrolls separately on narrow screens. */
function table(caption, head, rows, className = "") {
  const wide = head.length > WIDE && className !== "systems";
  const node = html(
    "div",
    {
      class: wide ? "scroller wide" : "scroller",
      tabindex: 0,
      role: "region",
      "aria-label": `Table: ${caption}`,
    },
    html(
      "table",
      {class: className},
      html("caption", {class: "hidden"}, caption),
      html(
        "thead",
        {},
        html(
          "tr",
          {},
          head.map((cell) => (cell.localName === "th" ? cell : html("th", {scope: "col"}, cell))),
        ),
      ),
      html("tbody", {}, rows),
    ),
  );
  node.style.setProperty("--columns", head.length);
  return node;
}

/** The numbers in the plot of matches. */
function matchTable(report) {
  const rows = matchCounts(report);
  if (!rows.length)
    return html("p", {class: "quiet"}, "The files do not contain the number of words matched by module.");
  const names = [...report.modules.map((module) => module.name), UNMATCHED];
  return html(
    "details",
    {},
    html("summary", {}, "Show numbers"),
    table(
      "Words matched by module",
      ["system", "side", "words", ...names],
      rows.map((row) =>
        html(
          "tr",
          {},
          html("th", {scope: "row"}, systemLabel(report, row.number)),
          html("td", {}, row.side),
          html("td", {}, row.class.split(" ")[0]),
          row.counts.map(([, number]) => html("td", {class: "number"}, count(number))),
        ),
      ),
    ),
  );
}

/* The overview: systems, plots of their scores and matches, and the comparison of two systems. */

class Overview {
  constructor(report, change) {
    Object.assign(this, {report, change});
    this.node = document.getElementById("overview");
    this.compared = html("div", {});
    this.plots = {};
    const several = report.systems.length > 1;
    fill(this.node, [
      this.lede(),
      section("Systems", new SystemTable(report).node),
      section(
        "Scores",
        html(
          "div",
          {class: "plots"},
          this.plot("scores", "Distribution of scores", "Number of segments by score."),
          this.plot(
            "cumulative",
            "Cumulative distribution",
            "Share of segments up to a score. A curve further to the right is better.",
          ),
          this.plot(
            "lengths",
            "Scores by sentence length",
            "Mean score of segments by number of words in the reference.",
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
    ]);
    this.difference =
      several && this.plot("differences", "Differences of scores", "Segments by score of A minus score of B.");
  }

  plot(name, title, summary) {
    if (!this.report.plots?.[name]) return null;
    this.plots[name] = new Plot(this.report, name, title, summary);
    return this.plots[name].node;
  }

  update(state) {
    for (const plot of Object.values(this.plots)) {
      if (plot.name !== "differences") plot.state ?? plot.update(state);
    }
    const pair = `${state.system} ${state.against} ${state.form}`;
    if (this.pair === pair || this.report.systems.length < 2) return;
    this.pair = pair;
    show(this.compared, comparedSystems(this.report, state, this.change, this.difference));
    if (state.against !== null) this.plots.differences?.update(state);
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

/** A table that scrolls separately on narrow screens. */
function table(caption, head, rows, className = "") {
  return html(
    "div",
    {class: "scroller", tabindex: 0, role: "region", "aria-label": `Table: ${caption}`},
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

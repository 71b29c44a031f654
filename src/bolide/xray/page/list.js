/* The list of segments. Only visible rows are in the page, so the list can have any length. */

const LINE = 21; // pixels
const ROW = 20; // pixels of a row, besides its lines
const LABEL = 11; // letters of a name
const MARGIN = 6; // number of rows kept above and below the view

class SegmentList {
  /** `open(segment, follow)` shows a segment; with `follow` the focus moves to it. */
  constructor(report, open, change) {
    Object.assign(this, {report, open, change, segments: [], state: null, active: -1, height: ROW});
    this.node = document.getElementById("list");
    this.space = html("div", {class: "list-space", role: "presentation"});
    this.nothing = html("div", {});
    this.node.append(this.space, this.nothing);
    this.node.addEventListener("scroll", () => this.paint());
    this.node.addEventListener("keydown", (event) => this.key(event));
    this.node.addEventListener("click", (event) => {
      const row = event.target.closest("[data-place]");
      if (row) this.activate(Number(row.dataset.place), true);
    });
    new ResizeObserver(() => this.paint()).observe(this.node);
  }

  /** Shows these segments; the open segment is active. At first no segment is. */
  update(segments, state) {
    const moved = this.segments !== segments;
    Object.assign(this, {segments, state, height: ROW + LINE * (state.against === null ? 2 : 3)});
    this.space.style.height = `${segments.length * this.height}px`;
    if (moved) this.node.scrollTop = 0;
    const place = state.segment === null ? -1 : segments.indexOf(state.segment);
    if (place >= 0) this.active = place;
    else if (moved) this.active = -1;
    if (place >= 0) this.reveal();
    attribute(this.node, {role: segments.length ? "listbox" : "presentation"});
    show(this.nothing, !segments.length && nothingFound(this.change));
    this.paint();
  }

  /** Renders the visible rows. */
  paint() {
    if (!this.state || !this.node.clientHeight) return;
    const first = Math.max(0, Math.floor(this.node.scrollTop / this.height) - MARGIN);
    const last = Math.min(
      this.segments.length,
      Math.ceil((this.node.scrollTop + this.node.clientHeight) / this.height) + MARGIN,
    );
    const rows = [];
    for (let place = first; place < last; place++) rows.push(this.row(place));
    show(this.space, rows);
    const active = this.space.querySelector(`[data-place="${this.active}"]`);
    if (active) this.node.setAttribute("aria-activedescendant", active.id);
    else this.node.removeAttribute("aria-activedescendant");
  }

  row(place) {
    const {report, state} = this;
    const segment = this.segments[place];
    const row = html(
      "div",
      {
        class: place === this.active ? "row active" : "row",
        role: "option",
        id: `row-${segment}`,
        "data-place": place,
        "aria-selected": String(segment === state.segment),
        "aria-posinset": place + 1,
        "aria-setsize": this.segments.length,
      },
      html("span", {class: "row-number"}, String(segment + 1)),
      html(
        "span",
        {class: "row-text"},
        this.line("reference", segment, "theirs", pickedSystem(state)),
        [state.system, state.against]
          .filter((system) => system !== null)
          .map((system) => this.line(systemLabel(report, system, LABEL), segment, "ours", system)),
      ),
      this.scores(segment),
    );
    row.style.top = `${place * this.height}px`;
    row.style.height = `${this.height}px`;
    return row;
  }

  /** A text with its label, on one line. */
  line(label, segment, side, system) {
    const {report, state} = this;
    const numbers = sidePieces(report, system, segment, side);
    return [
      html("span", {class: "line-label"}, label),
      html(
        "span",
        {class: "line", dir: report.direction, lang: report.lang},
        lineOf(report, numbers, state, pickedPlaces(report, state, segment, side, system)),
      ),
    ];
  }

  /** The score, or both scores and their difference, also as bars. */
  scores(segment) {
    const {report, state} = this;
    const systems = state.against === null ? [state.system] : [state.system, state.against];
    const metric = state.order.startsWith("metric") && chosenMetric(report, state);
    if (metric) return otherRow(report, metric, systems, segment);
    return html(
      "span",
      {class: "row-scores"},
      systems.map((system, side) =>
        scoreBar(report.scores[system][segment], SIDE_LETTERS[side], systems.length > 1),
      ),
      systems.length > 1 && differenceText(report.difference(...systems, segment)),
    );
  }

  reveal() {
    const [top, bottom] = [this.active * this.height, (this.active + 1) * this.height];
    if (top < this.node.scrollTop) this.node.scrollTop = top;
    else if (bottom > this.node.scrollTop + this.node.clientHeight)
      this.node.scrollTop = bottom - this.node.clientHeight;
  }

  activate(place, follow) {
    if (!this.segments.length) return;
    this.active = Math.max(0, Math.min(this.segments.length - 1, place));
    this.reveal();
    this.paint();
    this.open(this.segments[this.active], follow);
  }

  key(event) {
    const page = Math.max(1, Math.floor(this.node.clientHeight / this.height) - 1);
    const steps = {
      ArrowDown: 1,
      ArrowUp: -1,
      PageDown: page,
      PageUp: -page,
      Home: -Infinity,
      End: Infinity,
      Enter: 0,
      " ": 0,
    };
    if (!Object.hasOwn(steps, event.key) || event.ctrlKey || event.metaKey || event.altKey) return;
    event.preventDefault();
    const from = this.active < 0 && steps[event.key] < 1 ? 0 : this.active; // at first, any key goes to the first
    this.activate(from + steps[event.key], event.key === "Enter" || event.key === " ");
  }

  /** The segment before or after the open one. */
  neighbour(step) {
    const place = this.segments.indexOf(this.state.segment);
    if (place >= 0) return this.segments[place + step] ?? null;
    return this.segments[Math.max(0, this.active + step)] ?? null;
  }
}

/** The scores by another metric, if the list is sorted by it. */
function otherRow(report, metric, systems, segment) {
  return html(
    "span",
    {class: "row-scores", title: metricTitle(metric)},
    systems.map((system, side) =>
      html(
        "span",
        {class: "score"},
        systems.length > 1 && html("b", {class: `side side-${SIDE_LETTERS[side]}`}, SIDE_LETTERS[side]),
        html("span", {class: "number"}, otherFigure(report, metric, metric.segments[system][segment])),
      ),
    ),
    html("span", {class: "difference quiet"}, middle(metricTitle(metric), LABEL)),
  );
}

/** In place of an empty list. */
function nothingFound(change) {
  return html(
    "div",
    {class: "nothing"},
    html("p", {}, "No segment passes all filters."),
    html("p", {}, button("Clear all filters", () => change(withoutFilters()), {id: "nothing-clear"})),
  );
}

function scoreBar(score, letter, several) {
  const bar = html("span", {class: `bar bar-${letter}`, "aria-hidden": "true"}, html("span", {}));
  bar.firstChild.style.width = `${100 * Math.max(0, Math.min(1, score))}%`;
  return html(
    "span",
    {class: "score"},
    several && html("b", {class: `side side-${letter}`}, letter),
    bar,
    html("span", {class: "number"}, score.toFixed(3)),
  );
}

function differenceText(difference) {
  const sign = difference > 0 ? "▲" : difference < 0 ? "▼" : "=";
  return html(
    "span",
    {class: "difference number"},
    html("span", {class: "sign", "aria-hidden": "true"}, sign),
    (difference < 0 ? "−" : "+") + Math.abs(difference).toFixed(3),
  );
}

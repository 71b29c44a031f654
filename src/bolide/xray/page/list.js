/* The list of segments. Only visible rows are in the page, so the list can have any length. */

const ROW = 62; // pixels
const MARGIN = 6; // number of rows kept above and below the view

class SegmentList {
  /** `open(segment, follow)` shows a segment; with `follow` the focus moves to it. */
  constructor(report, open) {
    Object.assign(this, {report, open, segments: [], state: null, active: 0});
    this.node = document.getElementById("list");
    this.space = html("div", {class: "list-space", role: "presentation"});
    this.node.append(this.space);
    this.node.addEventListener("scroll", () => this.paint());
    this.node.addEventListener("keydown", (event) => this.key(event));
    this.node.addEventListener("click", (event) => {
      const row = event.target.closest("[data-place]");
      if (row) this.activate(Number(row.dataset.place), true);
    });
    new ResizeObserver(() => this.paint()).observe(this.node);
  }

  /** Shows these segments; the open segment is active. */
  update(segments, state) {
    const moved = this.segments !== segments;
    Object.assign(this, {segments, state});
    this.space.style.height = `${segments.length * ROW}px`;
    if (moved) this.node.scrollTop = 0;
    const place = state.segment === null ? -1 : segments.indexOf(state.segment);
    if (place >= 0) this.active = place;
    this.active = Math.max(0, Math.min(this.active, segments.length - 1));
    if (place >= 0) this.reveal();
    attribute(this.node, {role: segments.length ? "listbox" : "presentation"});
    this.paint();
  }

  /** Renders the visible rows. */
  paint() {
    if (!this.state || !this.node.clientHeight) return;
    const first = Math.max(0, Math.floor(this.node.scrollTop / ROW) - MARGIN);
    const last = Math.min(
      this.segments.length,
      Math.ceil((this.node.scrollTop + this.node.clientHeight) / ROW) + MARGIN,
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
        {class: "row-text", dir: report.direction, lang: report.lang},
        html(
          "span",
          {class: "line"},
          report.text(report.references[segment][report.best(state.system, segment)]),
        ),
        html(
          "span",
          {class: "line quiet"},
          report.text(report.systems[state.system].hypotheses[segment]) || "\u00a0",
        ),
      ),
      this.scores(segment),
    );
    row.style.top = `${place * ROW}px`;
    return row;
  }

  /** The score, or both scores and their difference, also as bars. */
  scores(segment) {
    const {report, state} = this;
    const systems = state.against === null ? [state.system] : [state.system, state.against];
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
    const top = this.active * ROW;
    if (top < this.node.scrollTop) this.node.scrollTop = top;
    else if (top + ROW > this.node.scrollTop + this.node.clientHeight)
      this.node.scrollTop = top + ROW - this.node.clientHeight;
  }

  activate(place, follow) {
    if (!this.segments.length) return;
    this.active = Math.max(0, Math.min(this.segments.length - 1, place));
    this.reveal();
    this.paint();
    this.open(this.segments[this.active], follow);
  }

  key(event) {
    const page = Math.max(1, Math.floor(this.node.clientHeight / ROW) - 1);
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
    this.activate(this.active + steps[event.key], event.key === "Enter" || event.key === " ");
  }

  /** The segment before or after the open one. */
  neighbour(step) {
    const place = this.segments.indexOf(this.state.segment);
    return this.segments[(place < 0 ? this.active : place) + step] ?? null;
  }
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

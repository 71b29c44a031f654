/* One segment: its texts, its alignment, and the arithmetic of its score. */

class SegmentView {
  constructor(report, change, step) {
    Object.assign(this, {report, change, step, infos: new Map()});
    this.node = document.getElementById("segment");
    const several = () => this.shown?.sides.length > 1;
    this.pointing = new Pointing(this.node, document.getElementById("note"), (key) =>
      matchNote(this.infos.get(key), several(), report.direction),
    );
  }

  update(state) {
    const {report} = this;
    this.pointing.leave();
    this.node.classList.toggle("empty", state.segment === null);
    if (state.segment === null) return void show(this.node, nothingOpen(report));
    const kept = focusPath(this.node);
    this.shown = comparison(report, state, state.segment);
    this.infos = explained(report, this.shown);
    show(
      this.node,
      this.head(state),
      segmentTexts(report, this.shown, state, this.change),
      this.drawing(state),
      leftOutNotice(report, this.shown),
      otherScores(report, this.shown),
      html(
        "section",
        {"aria-labelledby": "about-arithmetic"},
        html("h3", {id: "about-arithmetic"}, "The score"),
        html(
          "div",
          {class: "sums"},
          this.shown.sides.map((side) => scoreSum(report, this.shown, side)),
        ),
      ),
    );
    kept && this.node.querySelector(kept)?.focus();
  }

  head(state) {
    const about = this.report.about(state.segment);
    return html(
      "header",
      {class: "segment-head", "data-title": this.report.title},
      button("‹ Segments", () => this.change({segment: null}, true), {class: "back", id: "segment-back"}),
      html(
        "h2",
        {tabindex: -1, id: "segment-title"},
        `Segment ${count(state.segment + 1)}`,
        about && html("span", {class: "quiet"}, ` ${about}`),
      ),
      html("span", {class: "spring"}),
      html(
        "span",
        {class: "steps"},
        formSwitch(this.report, state, this.change, "segment-form"),
        button("Copy link", (event) => copyLink(event.target), {class: "small", id: "segment-link"}),
        button("↑", () => this.step(-1), {
          class: "small",
          id: "segment-before",
          "aria-label": "Previous segment",
        }),
        button("↓", () => this.step(1), {class: "small", id: "segment-behind", "aria-label": "Next segment"}),
      ),
    );
  }

  drawing(state) {
    const {report, shown} = this;
    const draw = {matrix: drawMatrix, ribbons: drawRibbons}[state.drawing];
    const missing = shown.sides.filter(
      (side) => !report.alignment(side.system, state.segment, shown.reference),
    );
    const picture = draw(report, shown);
    picture.querySelector(".match")?.setAttribute("tabindex", 0);
    const tabs = Object.keys(DRAWINGS).map((name) =>
      button(DRAWINGS[name], () => this.change({drawing: name}), {
        id: `drawing-${name}`,
        "aria-pressed": String(state.drawing === name),
      }),
    );
    return html(
      "section",
      {class: "alignment", "aria-label": "Alignment"},
      html(
        "div",
        {class: "toolbar"},
        html("div", {class: "segmented", role: "group", "aria-label": "Drawing"}, tabs),
        html("span", {class: "spring"}),
        saveButtons(
          "the alignment",
          () => `${fileTitle(report)}-segment-${state.segment + 1}-${state.drawing}`,
          () => this.node.querySelector("svg.drawing"),
        ),
      ),
      html(
        "div",
        {
          class: "scroller picture",
          dir: report.direction,
          tabindex: 0,
          role: "region",
          "aria-label": "Drawing of the alignment",
        },
        picture,
      ),
      missing.map((side) =>
        html(
          "p",
          {class: "notice"},
          `Java’s file has no alignment of ${report.labels[side.system]} with this reference.`,
        ),
      ),
      legend(report, shown),
    );
  }
}

/** Remembers the focused element by its id or class, so that redrawing keeps the focus. */
function focusPath(node) {
  const {activeElement: active} = document;
  if (!node.contains(active)) return null;
  if (active.id) return `#${CSS.escape(active.id)}`;
  return active.className && active.localName === "select" ? `select.${CSS.escape(active.className)}` : null;
}

function nothingOpen(report) {
  return html(
    "div",
    {class: "nothing"},
    html("p", {}, "Choose a segment to see its alignment."),
    html("p", {class: "quiet"}, "↓ and ↑ move in the list, / searches, ? shows all keys."),
  );
}

async function copyLink(button) {
  try {
    await navigator.clipboard.writeText(location.href);
    show(button, "Copied");
  } catch {
    show(button, "Copy the address bar"); // some browsers deny the clipboard to local files
  }
}

/** The modules in the drawing, with their colours and letters. */
function legend(report, shown) {
  const used = new Set(shown.sides.flatMap((side) => side.matches.map((match) => match.module)));
  const several = shown.sides.length > 1;
  return html(
    "ul",
    {class: "legend"},
    report.modules.map(
      (module, stage) =>
        used.has(stage) &&
        html(
          "li",
          {class: `stage-${stage % STAGES}`},
          html("span", {class: "chip"}, module.short),
          ` ${module.name}`,
        ),
    ),
    html("li", {class: "quiet"}, several ? "outlines: chunks (A solid, B dashed)" : "outlines: chunks"),
    several && html("li", {class: "quiet"}, "boxes: A, pills: B"),
    report.function.length > 0 && html("li", {class: "quiet"}, html("i", {}, "italic"), ": function words"),
  );
}

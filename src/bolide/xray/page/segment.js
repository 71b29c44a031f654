/* One segment: its texts, the alignment drawn, the arithmetic of the score. */

class SegmentView {
  constructor(report, change, step) {
    Object.assign(this, {report, change, step, infos: new Map()});
    this.node = document.getElementById("segment");
    const several = () => this.shown?.sides.length > 1;
    this.pointing = new Pointing(this.node, document.getElementById("note"), (key) => matchNote(this.infos.get(key), several(), report.direction));
  }

  update(state) {
    const {report} = this;
    this.pointing.leave();
    this.node.classList.toggle("empty", state.segment === null);
    if (state.segment === null) return void show(this.node, nothingOpen(report));
    const kept = focusPath(this.node);
    this.shown = comparison(report, state, state.segment);
    this.infos = explained(report, this.shown);
    show(this.node,
      this.head(state), this.texts(state), this.drawing(state),
      html("section", {"aria-labelledby": "about-arithmetic"}, html("h3", {id: "about-arithmetic"}, "The score"), html("div", {class: "sums"},
        this.shown.sides.map((side) => scoreSum(report, this.shown, side)))));
    kept && this.node.querySelector(kept)?.focus();
  }

  head(state) {
    const {report} = this;
    const about = report.title_of(state.segment);
    return html("header", {class: "segment-head"},
      html("button", {type: "button", class: "back", id: "segment-back", click: () => this.change({segment: null}, true)}, "‹ Segments"),
      html("h2", {tabindex: -1, id: "segment-title"}, `Segment ${count(state.segment + 1)}`, about && html("span", {class: "quiet"}, ` ${about}`)),
      html("span", {class: "spring"}),
      html("button", {type: "button", class: "small", id: "segment-link", title: "Copy a link to this segment", click: (event) => copyLink(event.target)}, "Copy link"),
      html("button", {type: "button", class: "small", id: "segment-before", "aria-label": "Segment before", title: "Segment before (k)", click: () => this.step(-1)}, "↑"),
      html("button", {type: "button", class: "small", id: "segment-behind", "aria-label": "Next segment", title: "Next segment (j)", click: () => this.step(1)}, "↓"));
  }

  /** Source, references, and all systems' translations, with their matches tinted. */
  texts(state) {
    const {report} = this;
    const source = report.sources?.[state.segment];
    return html("section", {class: "texts", "aria-label": "Texts"},
      source !== null && source !== undefined && html("div", {class: "text-row"}, html("span", {class: "text-title"}, "source"), html("p", {dir: "auto", class: "words"}, source)),
      referenceRows(report, this.shown, state, this.change),
      report.systems.map((system, s) => systemRow(report, this.shown, state, s, this.change)));
  }

  drawing(state) {
    const {report, shown} = this;
    const draw = {matrix: drawMatrix, ribbons: drawRibbons}[state.drawing];
    const missing = shown.sides.filter((side) => !report.alignment(side.system, state.segment, shown.reference));
    const picture = draw(report, shown);
    picture.querySelector(".match")?.setAttribute("tabindex", 0);
    const tabs = DRAWINGS.map((name) => html("button", {
      type: "button", id: `drawing-${name}`, "aria-pressed": String(state.drawing === name), click: () => this.change({drawing: name}),
    }, {matrix: "Matrix", ribbons: "Ribbons"}[name]));
    return html("section", {class: "alignment", "aria-label": "Alignment"},
      html("div", {class: "toolbar"}, html("div", {class: "segmented", role: "group", "aria-label": "Drawing"}, tabs), html("span", {class: "spring"}),
        saveButtons("the alignment", () => `${report.title || "xray"}-segment-${state.segment + 1}-${state.drawing}`, () => this.node.querySelector("svg.drawing"))),
      html("div", {class: "scroller picture", tabindex: 0, role: "region", "aria-label": "Alignment, drawn"}, picture),
      missing.map((side) => html("p", {class: "notice"}, `The alignment of ${report.systems[side.system].name} with this reference is not in Java’s file.`)),
      legend(report, shown));
  }
}

/** What the keyboard was on, so that drawing anew does not lose it. */
function focusPath(node) {
  const active = document.activeElement;
  return node.contains(active) && active.id ? `#${CSS.escape(active.id)}` : null;
}

function nothingOpen(report) {
  return html("div", {class: "nothing"}, html("p", {}, "Choose a segment to see its alignment."), html("p", {class: "quiet"}, "↓ and ↑ go through the list, / searches, ? lists all keys."));
}

async function copyLink(button) {
  try {
    await navigator.clipboard.writeText(location.href);
    show(button, "Copied");
  } catch {
    show(button, "It is in the address bar"); // pages from disk may not use the clipboard everywhere
  }
}

/** References; of several, one is chosen. */
function referenceRows(report, shown, state, change) {
  const all = report.references[shown.segment];
  const best = report.best(state.system, shown.segment);
  return all.map((words, r) => {
    const chosen = r === shown.reference;
    const score = report.alignment(state.system, shown.segment, r)?.values[5];
    const title = all.length === 1 ? html("span", {class: "text-title"}, "reference") : html("span", {class: "text-title"}, html("label", {},
      html("input", {type: "radio", name: "reference", id: `reference-${r}`, checked: chosen, change: () => change({reference: r === best ? null : r})}), ` reference ${r + 1}`));
    return html("div", {class: chosen ? "text-row reference chosen" : "text-row reference"}, title,
      html("p", {class: "words", dir: report.direction, lang: report.language}, chosen ? referenceWords(report, shown) : report.text(words)),
      all.length > 1 && html("span", {class: "text-figures"}, html("b", {class: "side side-A"}, "A"), html("span", {class: "number"}, figure(score)), r === best && html("span", {class: "tag"}, "best")));
  });
}

/** The reference's words; tinted by A's matches. */
function referenceWords(report, shown) {
  const found = shown.sides.map((side) => owners(shown.words.length, side.matches, "referenceStart", "referenceLength"));
  return tinted(report, shown.words, (k) => found[0][k] < 0 ? null : shown.sides[0].matches[found[0][k]],
    (k) => found.map((numbers, side) => (numbers[k] < 0 ? null : matchKey(side, numbers[k]))).filter(Boolean).join(" "));
}

function systemRow(report, shown, state, system, change) {
  const side = shown.sides.find((each) => each.system === system);
  const values = named(report.alignment(system, shown.segment, shown.reference)?.values);
  const words = report.systems[system].hypotheses[shown.segment];
  const matches = side?.matches ?? report.matches(system, shown.segment, shown.reference);
  const found = owners(words.length, matches, "hypothesisStart", "hypothesisLength");
  const toggle = (letter, field) => html("button", {
    type: "button", class: `side side-${letter}`, id: `choose-${letter}-${system}`, "aria-pressed": String(state[field] === system), title: `Show as ${letter}`, "aria-label": `Show ${report.systems[system].name} as ${letter}`,
    click: () => change(state[field] === system ? (field === "against" ? {against: null} : {}) : takePlace(state, field, system)),
  }, letter);
  return html("div", {class: side ? "text-row system chosen" : "text-row system"},
    html("span", {class: "text-title"}, report.systems.length > 1 && html("span", {class: "toggles"}, toggle("A", "system"), toggle("B", "against")), html("bdi", {title: report.systems[system].name}, report.systems[system].name)),
    html("p", {class: "words", dir: report.direction, lang: report.language},
      words.length ? tinted(report, words, (k) => matches[found[k]], (k) => (side && found[k] >= 0 ? matchKey(side.side, found[k]) : "")) : html("span", {class: "quiet"}, "(empty)")),
    html("span", {class: "text-figures"}, html("span", {class: "number strong"}, figure(values.score))));
}

/** A and B change places if one takes the other's. */
function takePlace(state, field, system) {
  const other = field === "system" ? "against" : "system";
  return state[other] === system ? {system: state.against, against: state.system, reference: null} : {[field]: system, ...(field === "system" ? {reference: null} : {})};
}

/** Words in a line; those matched have the ground of their module, and its letters unless they are equal words. */
function tinted(report, words, matchOf, keysOf) {
  return words.map((number, k) => {
    const match = matchOf(k);
    const last = match && matchOf(k + 1) !== match;
    const node = !match ? html("span", {class: "unmatched"}, report.words[number]) : html("span", {
      class: `tinted stage-${match.module % STAGES}`, "data-words": keysOf(k) || null,
      "data-letters": match.module > 0 && last ? report.modules[match.module].short : null,
    }, report.words[number]);
    return k ? [" ", node] : node;
  });
}

/** Modules that the drawing has, with their colours and letters. */
function legend(report, shown) {
  const used = new Set(shown.sides.flatMap((side) => side.matches.map((match) => match.module)));
  const several = shown.sides.length > 1;
  return html("ul", {class: "legend"},
    report.modules.map((module, stage) => used.has(stage) && html("li", {class: `stage-${stage % STAGES}`}, html("span", {class: "chip"}, module.short), ` ${module.name}`)),
    html("li", {class: "quiet"}, several ? "outlines: chunks, solid of A, dashed of B" : "outlines: chunks"),
    several && html("li", {class: "quiet"}, "boxes: A, pills: B"),
    report.function.length > 0 && html("li", {class: "quiet"}, html("i", {}, "italic"), ": function words"));
}

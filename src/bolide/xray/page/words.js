/* The view of words: what A and B do differently (contrasts.js), kinds of words, and single words. */

const FIRST_ROWS = 40;
const SOURCE_ROWS = 20;

class WordsView {
  constructor(report, change) {
    Object.assign(this, {report, change, rows: FIRST_ROWS, sourceRows: SOURCE_ROWS, contrastRows: CONTRAST_ROWS, search: ""});
    this.node = document.getElementById("words");
    this.state = null;
    this.body = html("div", {});
    this.matching = html("div", {});
    this.contrasts = html("div", {});
    this.sources = html("div", {});
    fill(this.node, [
      html(
        "header",
        {class: "view-head", "data-title": report.title},
        html("h1", {tabindex: -1}, "Words"),
        html("p", {}, WORDS_FACTS),
      ),
      this.body,
    ]);
  }

  update(state) {
    const key = JSON.stringify([state.system, state.against, ...ANALYSIS_NAMES.map((name) => state[name])]);
    if (this.key === key) return;
    if (this.state?.outcome !== state.outcome || this.state?.only !== state.only) this.rows = FIRST_ROWS;
    Object.assign(this, {key, state});
    inPlace(() => this.draw());
  }

  draw() {
    const {report, state, change} = this;
    this.list();
    this.differences();
    this.sourceWords();
    refill(
      this.body,
      pairChoosers(report, state, change),
      report.systems.length > 1 &&
        section("A against B", contrastControls(report, state, change), this.contrasts),
      section("Kinds of words", kindChooser(report, state, change), kindTable(report, state, change)),
      section("Single words", this.wordControls(), this.matching),
      this.sources,
    );
  }

  /** What A and B do differently. */
  differences() {
    const {report, state, change} = this;
    const more = () => {
      this.contrastRows = Infinity;
      this.differences();
    };
    refill(this.contrasts, contrasts(report, state, change, this.contrastRows, more));
  }

  sourceWords() {
    const {report, state, change} = this;
    const more = () => {
      this.sourceRows *= 4;
      this.sourceWords();
    };
    refill(this.sources, sourceSection(report, state, change, this.sourceRows, more));
  }

  wordControls() {
    const {report, state, change} = this;
    const options = Object.entries(outcomes(report)).map(([name, [title]]) => [name, title]);
    return html(
      "div",
      {class: "fields"},
      choice("outcome", "Words that are", options, state.outcome, (outcome) => change({outcome})),
      onlyChoice("only", report, state, change),
      html("input", {
        type: "search",
        id: "find-word",
        class: "find-word",
        placeholder: "Find a word",
        "aria-label": "Find a word",
        autocomplete: "off",
        spellcheck: "false",
        value: this.search,
        input: (event) => {
          this.search = event.target.value;
          this.list();
        },
      }),
    );
  }

  /** The table of words. */
  list() {
    const {report, state, change} = this;
    const found = listedWords(report, state, this.search);
    const shown = found.slice(0, this.rows);
    const left = report.analysis.words.left_out;
    refill(
      this.matching,
      html("p", {class: "quiet"}, outcomes(report)[state.outcome][1], left > 0 && ` ${leftOut(report, left)}`),
      shown.length ? wordTable(report, state, change, shown) : html("p", {class: "quiet"}, "No words."),
      found.length > shown.length &&
        button(
          `Show more (${count(found.length - shown.length)})`,
          () => {
            this.rows *= 4;
            this.list();
          },
          {class: "small", id: "more-words"},
        ),
    );
  }
}

const WORDS_FACTS =
  "Each system counts with its best reference of each segment. Press a number to see its segments.";

function leftOut(report, left) {
  return `The list has the ${count(report.analysis.words.list.length)} most frequent words; ${count(left)} are left out.`;
}

/** The choice of content words, function words or all words. */
function onlyChoice(id, report, state, change, name = "only") {
  const options = Object.entries(wordSets(report)).map(([value, [title]]) => [value, title]);
  return choice(id, "Show", options, state[name], (value) => change({[name]: value}));
}

/** A and, if there is one, B. */
function sideSystems(state) {
  return state.against === null ? [state.system] : [state.system, state.against];
}

function sideLetter(side) {
  return html("b", {class: `side side-${SIDE_LETTERS[side]}`}, SIDE_LETTERS[side]);
}

// ---- kinds of words ----

function kindChooser(report, state, change) {
  const options = report.analysis.kinds.map((kind) => [kind.name, visible(kind.title)]);
  return html(
    "div",
    {class: "fields"},
    choice("kind", "By", options, state.kind, (kind) => change({kind})),
  );
}

/** The classes of a kind, with one line for A and one for B. */
function kindTable(report, state, change) {
  const kind = report.analysis.kinds.find((each) => each.name === state.kind);
  const systems = sideSystems(state);
  const several = systems.length > 1;
  const pair = several && pairPlace(report, ...systems);
  const tests = several ? kind.tests[pair.place] : null;
  const head = [
    "class",
    "words",
    several && html("span", {class: "hidden"}, "system"),
    html("span", {class: "text-head"}, "matched"),
    "recall",
    "precision",
    "F1",
    "missed",
    several && "better, q",
    "over-generated",
    several && "better, q",
    "out of order",
  ].filter(Boolean);
  const rows = kind.classes.flatMap((name, c) =>
    systems.map((s, side) => {
      const counts = kind.systems[s];
      const pick = (outcome) => () =>
        change({...listView(), pick: `${ofSide(side)}${outcome} ${kind.name}: ${name}`}, true);
      const label = (outcome) =>
        `${visible(name)}, ${several ? SIDE_LETTERS[side] : "system"}, ${outcomes(report)[outcome][0]}`;
      const figures = shares(counts, c);
      const empty = counts.reference[c] === 0; // such words cannot be found
      const intervals = empty ? figures.flatMap(() => [null, null]) : kind.intervals[s][c];
      return html(
        "tr",
        {class: side ? "second" : null},
        side === 0 && html("th", {scope: "row", rowspan: systems.length}, html("bdi", {}, visible(name))),
        side === 0 && html("td", {class: "number", rowspan: systems.length}, empty ? "–" : count(counts.reference[c])),
        several && html("td", {}, sideLetter(side)),
        html("td", {class: "stack-cell"}, stack(report, counts, c)),
        figures.map((value, n) => shareCell(empty ? "–" : value, intervals.slice(2 * n, 2 * n + 2))),
        ["missed", "over", "moved"].map((outcome) => [
          html("td", {class: "number"}, opener(counts[outcome][c], label(outcome), pick(outcome))),
          tests?.[outcome] && side === 0 && spanned(testCell(tests[outcome], c, pair.turned), systems.length),
        ]),
      );
    }),
  );
  return [
    table(`Words by ${visible(kind.title)}`, head, rows, "kinds"),
    stackKey(report),
    several &&
      html(
        "p",
        {class: "quiet"},
        "Below each share: its 95% interval. Better, q: the system that has fewer such words in more segments, and the false-discovery rate of the sign test of these segments, among the tests of missed and over-generated words of all these classes; * q ≤ 0.05. A dash instead of q: fewer than six segments differ.",
      ),
  ];
}

/** A share with its 95% interval. */
function shareCell(value, [low, high]) {
  const known = low !== null && high !== null && value !== "–";
  const interval = known && `${(100 * low).toFixed(1)} – ${(100 * high).toFixed(1)}`;
  return html("td", {class: "number"}, value, known && html("span", {class: "within", title: "95% interval"}, interval));
}

function spanned(cell, rows) {
  cell.setAttribute("rowspan", rows);
  return cell;
}

/** Recall, precision and F1. */
function shares(counts, c) {
  const recalled = counts.reference[c] - counts.missed[c];
  const precise = counts.hypothesis[c] - counts.over[c];
  const recall = recalled / (counts.reference[c] || 1);
  const precision = precise / (counts.hypothesis[c] || 1);
  const sum = recall + precision;
  return [
    percent(recalled, counts.reference[c]),
    percent(precise, counts.hypothesis[c]),
    counts.reference[c] + counts.hypothesis[c]
      ? `${((200 * recall * precision) / (sum || 1)).toFixed(1)}%`
      : "–",
  ];
}

/** The words of a class by module, as a bar. */
function stack(report, counts, c) {
  const total = counts.reference[c];
  const parts = [...counts.found.map((row) => row[c]), counts.missed[c]];
  const names = [...report.modules.map((module) => module.name), UNMATCHED];
  const bar = html("span", {
    class: "stack",
    role: "img",
    "aria-label": names.map((name, k) => `${name} ${percent(parts[k], total)}`).join(", "),
    title: names.map((name, k) => `${name} ${count(parts[k])}`).join(", "),
  });
  parts.forEach((part, k) => {
    if (!part) return;
    const piece = html("span", {class: k < parts.length - 1 ? `stage-${k % STAGES}` : "unfound"});
    piece.style.flexGrow = part;
    bar.append(piece);
  });
  return bar;
}

function stackKey(report) {
  return html(
    "ul",
    {class: "stack-key"},
    report.modules.map((module, k) =>
      html("li", {}, html("span", {class: `swatch stage-${k % STAGES}`, "aria-hidden": "true"}), module.name),
    ),
    html("li", {}, html("span", {class: "swatch unfound", "aria-hidden": "true"}), UNMATCHED),
  );
}

// ---- single words ----

/** The words of the list with this outcome in A or B, the highest counts of A first; or those that contain the
    searched text. */
function listedWords(report, state, search) {
  const {list, systems} = report.analysis.words;
  const columns = sideSystems(state).map((s) => outcomeColumn(report, systems[s], state.outcome));
  const wanted = search.trim().toLowerCase();
  return [...list.keys()]
    .filter((k) =>
      wanted
        ? report.payloadWords[list[k]].toLowerCase().includes(wanted)
        : columns.some((column) => column[k] > 0) && isListed(report, state.only, [list[k]]),
    )
    .sort((one, two) => {
      const side = columns.findIndex((column) => column[one] !== column[two]);
      return side < 0 ? one - two : columns[side][two] - columns[side][one];
    });
}

function outcomeColumn(report, counts, outcome) {
  return counts[outcome] ?? counts.found[moduleNumber(report, outcome)];
}

function wordTable(report, state, change, rows) {
  const {list, systems} = report.analysis.words;
  const sides = sideSystems(state);
  const side = state.outcome === "over" ? "hypothesis" : "reference";
  const columns = sides.map((s) => outcomeColumn(report, systems[s], state.outcome));
  const functions = new Set(report.function);
  const [title] = outcomes(report)[state.outcome];
  const classed = state.only === "all";
  const head = [
    "word",
    classed && "class",
    ...sides.flatMap((_, place) => [
      html("span", {}, sides.length > 1 && [sideLetter(place), " "], title),
      side === "reference" ? "share" : "of its uses",
    ]),
  ].filter(Boolean);
  return table(
    `Words that are ${title}`,
    head,
    rows.map((k) => {
      const word = report.payloadWords[list[k]];
      return html(
        "tr",
        {},
        html("th", {scope: "row", dir: report.direction, lang: report.lang}, html("bdi", {}, visible(word))),
        classed && html("td", {class: "quiet"}, functions.has(list[k]) ? "function" : "content"),
        sides.map((s, place) => {
          const pick = () =>
            change({...listView(), pick: `${ofSide(place)}${state.outcome} word: ${word}`}, true);
          const label = `${visible(word)}, ${SIDE_LETTERS[place]}, ${title}`;
          return [
            html("td", {class: "number"}, opener(columns[place][k], label, pick)),
            html("td", {class: "number quiet"}, percent(columns[place][k], systems[s][side][k])),
          ];
        }),
      );
    }),
    "words",
  );
}

/** The change that shows the list, without other filters. */
function listView() {
  return {...withoutFilters(), order: "segment", reverse: false, view: "segments", segment: null, reference: null};
}

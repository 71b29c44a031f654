/* Words and groups: what the views of both share. Their filters of the list are in picks.js. */

/** The part of the state that the views of words and groups add. */
function analysisState(report) {
  const {kinds, groups} = report.analysis;
  return {
    kind: kinds[0]?.name ?? null,
    outcome: "missed",
    contrast: STRONGEST,
    contrast_only: "all",
    source_kind: report.analysis.source?.kinds[0].name ?? null,
    only: Object.keys(wordSets(report))[0],
    grouping: groups[0]?.name ?? null,
  };
}

const ANALYSIS_NAMES = ["kind", "outcome", "contrast", "contrast_only", "only", "grouping", "source_kind"];

/** These parts from a link. Invalid values are replaced by defaults. */
function analysisLinked(report, given) {
  const state = {...analysisState(report)};
  const known = {
    kind: report.analysis.kinds.map((kind) => kind.name),
    outcome: Object.keys(outcomes(report)),
    contrast: [STRONGEST, ...Object.keys(contrastsOf(report))],
    contrast_only: Object.keys(wordSets(report)),
    source_kind: report.analysis.source?.kinds.map((kind) => kind.name) ?? [],
    only: Object.keys(wordSets(report)),
    grouping: report.analysis.groups.map((grouping) => grouping.name),
  };
  for (const [name, choices] of Object.entries(known)) {
    if (choices.includes(given.get(name))) state[name] = given.get(name);
  }
  return state;
}

/** What can happen to a word, by name: its title, and a sentence about it. */
function outcomes(report) {
  const found = {
    missed: ["missed", "Words of the reference without a match."],
    over: ["over-generated", "Words of the system without a match."],
    moved: ["out of order", "Matched words that would have to move, so that no matches cross."],
  };
  report.modules.forEach((module, m) => {
    if (m > 0)
      found[module.name] = [`found by ${module.name}`, `Words of the reference that only ${module.name} matched.`];
  });
  return found;
}

const STRONGEST = "strongest"; // all of CONTRASTS in one table

/** What two systems are compared in: title, noun of the counts, and a sentence about it. */
const CONTRASTS = {
  missed: ["words missed", "missed", "Words of the reference without a match; the system that misses fewer is better."],
  over: ["words over-generated", "over", "Words of the system without a match; the system that has fewer is better."],
  ngrams: ["n-grams found", "found", "Two to four words that are in the reference and in the system; the system that has more is better."],
};

/** These, and what the labels and the alignment of the sources add. */
function contrastsOf(report) {
  return report.once("contrasts", () => {
    const found = {...CONTRASTS};
    for (const name of Object.keys(report.analysis.contrasts)) {
      const kind = report.analysis.kinds.find((each) => each.name === name);
      if (name === SOURCE)
        found[name] = ["source words missed", "missed", "Words of the source that the system misses; the system that misses fewer is better."];
      else if (kind)
        found[name] = [`n-grams of ${visible(kind.title)}`, "found", "N-grams of two to four words that are in the reference and in the system, by their labels; the system that has more is better."];
    }
    return found;
  });
}

/** A word or an n-gram of a contrast. */
function thingText(report, what, thing) {
  if (what === SOURCE) return report.analysis.source.words[thing[0]];
  if (Object.hasOwn(CONTRASTS, what)) return thing.map((word) => report.payloadWords[word]).join(" ");
  const kind = report.analysis.kinds.find((each) => each.name === what);
  return thing.map((place) => kind.classes[place]).join(LABEL_SPACE);
}

/** Which words the lists have, by name: the title, and a test of the number of a word. The first is the default. */
function wordSets(report) {
  const minor = (report.minor ??= new Set(report.analysis.minor));
  return {
    content: ["content words", (word) => !minor.has(word)],
    function: ["function words and punctuation", (word) => minor.has(word)],
    all: ["all words", () => true],
  };
}

/** Whether a list has a word or an n-gram. N-grams with a content word are content. */
function isListed(report, only, words) {
  const [, fits] = wordSets(report)[only];
  return only === "function" ? words.every(fits) : words.some(fits);
}

/** The place of a pair among all pairs, and whether the systems are in the other order. */
function pairPlace(report, first, second) {
  const [a, b] = first < second ? [first, second] : [second, first];
  const size = report.systems.length;
  return {place: a * size - (a * (a + 1)) / 2 + b - a - 1, turned: first > second};
}

/** A share as a percentage; a dash without a whole. */
function percent(part, whole) {
  return whole ? `${((100 * part) / whole).toFixed(1)}%` : "–";
}

/** A p-value or q-value. */
function chance(value) {
  if (value === null || value === undefined) return "–";
  return value < 0.001 ? "< 0.001" : value.toFixed(3);
}

function isSure(value) {
  return value !== null && value !== undefined && value <= SIGNIFICANT;
}

/** A q-value, marked if it is a discovery, after the letter of the better system if it is given. */
function rateCell(value, side = null) {
  const sure = isSure(value);
  const letter = side !== null && value !== null && [sideLetter(side), " "];
  return html("td", {class: sure ? "number strong" : "number quiet"}, letter, chance(value), sure ? "*" : "\u2007");
}

/** The test of a class: the better system of A and B, and the q-value. */
function testCell({ahead, q}, c, turned) {
  return rateCell(q[c], ahead[c] === 0 ? null : Number(ahead[c] > 0 === turned));
}

/** The choosers of A and B, above words and groups. */
function pairChoosers(report, state, change) {
  if (report.systems.length < 2) return null;
  return html(
    "div",
    {class: "choosers"},
    systemChooser(report, state, change, "system", "A"),
    systemChooser(report, state, change, "against", "B"),
    button("Swap A and B", () => change(swapped), {disabled: state.against === null}),
  );
}

/** A labelled select. */
function choice(id, title, options, value, choose) {
  return html(
    "span",
    {class: "field"},
    html("label", {for: id}, title),
    html(
      "select",
      {id, change: (event) => choose(event.target.value)},
      options.map(([name, text]) => html("option", {value: name, selected: name === value}, text)),
    ),
  );
}

/** Draws a view again. The page stays where it is scrolled to, though it is shorter in between. */
function inPlace(draw) {
  const {scrollingElement} = document;
  const top = scrollingElement.scrollTop;
  draw();
  scrollingElement.scrollTop = top;
}

/** Replaces the contents of a view, and gives the focus back to the control that had it. */
function refill(node, ...children) {
  const focused = node.contains(document.activeElement) ? document.activeElement : null;
  const id = focused?.id;
  const place = focused ? [...node.querySelectorAll("select, button, input")].indexOf(focused) : -1;
  show(node, ...children);
  if (!focused) return;
  const next = id ? document.getElementById(id) : node.querySelectorAll("select, button, input")[place];
  next?.focus({preventScroll: true});
}

/** A count that opens its segments. */
function opener(number, label, open) {
  if (!number) return html("span", {class: "quiet"}, "0");
  return button(count(number), open, {class: "plain opener", "aria-label": `${label}: show the segments`});
}

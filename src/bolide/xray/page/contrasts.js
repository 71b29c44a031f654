/* The words and n-grams that A and B do differently, in the view of words. */

const CONTRAST_ROWS = 12; // on each side, at first

function contrastControls(report, state, change) {
  if (state.against === null) return null;
  const options = [
    [STRONGEST, "words missed, over-generated, and n-grams"],
    ...Object.entries(contrastsOf(report)).map(([name, [title]]) => [name, title]),
  ];
  return html(
    "div",
    {class: "fields"},
    choice("contrast", "Compare", options, state.contrast, (contrast) => change({contrast})),
    hasWords(state.contrast) && onlyChoice("contrast-only", report, state, change, "contrast_only"),
  );
}

/** Whether a comparison is of words or of n-grams of words. */
function hasWords(contrast) {
  return contrast === STRONGEST || Object.hasOwn(CONTRASTS, contrast);
}

function thingsOf(contrast) {
  return ["missed", "over", SOURCE].includes(contrast) ? "words" : "n-grams";
}

/** What is counted, in a table of several comparisons. */
const COUNTED = {missed: "missed", over: "over-generated", ngrams: "found"};

const STRONGEST_FACTS =
  "The clearest differences come first: words that a system misses, words that it over-generates, and n-grams of two to four words that it finds.";

/** The rows of both systems: those that are better in A, and in B. `more` shows all of them. */
function contrasts(report, state, change, limit, more) {
  if (state.against === null) return html("p", {class: "quiet"}, "Choose a system B to compare A with.");
  const {families, rows} = contrastRows(report, state);
  const sides = [rows.filter((row) => row.won > row.lost), rows.filter((row) => row.lost > row.won)];
  const left = sides.reduce((sum, side) => sum + Math.max(0, side.length - limit), 0);
  const tested = families.map(({what, tested}) =>
    families.length > 1 ? `${count(tested)} ${contrastsOf(report)[what][0]}` : `${count(tested)} ${thingsOf(what)}`,
  );
  return [
    html("p", {class: "quiet"}, state.contrast === STRONGEST ? STRONGEST_FACTS : contrastsOf(report)[state.contrast][2]),
    html(
      "div",
      {class: "apart"},
      SIDE_LETTERS.map((letter, side) =>
        html(
          "div",
          {},
          html("h3", {}, "Better in ", sideLetter(side)),
          sides[side].length
            ? contrastTable(report, state, change, sides[side].slice(0, limit), letter)
            : html("p", {class: "quiet"}, "No differences in two segments or more."),
        ),
      ),
    ),
    left > 0 && button(`Show more (${count(left)})`, more, {class: "small", id: "more-contrasts"}),
    html(
      "p",
      {class: "quiet"},
      `Better in: segments where A, and where B, is better. p: sign test of these segments. q: false-discovery rate among the ${tested.join(", or the ")} that differ in six segments or more; * q ≤ 0.05.`,
    ),
  ];
}

/** The rows of A and B, those with the lowest p-values first; and how many were tested of each comparison. Among
    several comparisons, the lowest q-values are first. */
function contrastRows(report, state) {
  const {place, turned} = pairPlace(report, state.system, state.against);
  const whats = state.contrast === STRONGEST ? Object.keys(CONTRASTS) : [state.contrast];
  const families = whats.map((what) => ({what, tested: report.analysis.contrasts[what][place].tested}));
  const all = whats.flatMap((what) => {
    const found = report.analysis.contrasts[what][place];
    return found.things.map((thing, k) => {
      const [a, b] = [found.counts[2 * k], found.counts[2 * k + 1]];
      const [won, lost] = [found.wins[k], found.losses[k]];
      const both = turned ? {a: b, b: a, won: lost, lost: won} : {a, b, won, lost};
      return {what, thing, ...both, p: found.p[k], q: found.q[k]};
    });
  });
  const rows = hasWords(state.contrast)
    ? all.filter((row) => isListed(report, state.contrast_only, row.thing))
    : all;
  if (whats.length > 1) rows.sort((one, two) => (one.q ?? 2) - (two.q ?? 2) || one.p - two.p);
  return {families, rows};
}

function contrastTable(report, state, change, rows, letter) {
  const several = state.contrast === STRONGEST;
  const [title, noun] = several ? ["strongest differences", ""] : contrastsOf(report)[state.contrast];
  const head = [
    several ? "word or n-gram" : thingsOf(state.contrast) === "words" ? "word" : "n-gram",
    several && html("span", {class: "text-head"}, "outcome"),
    ...SIDE_LETTERS.map((_, side) => html("span", {}, sideLetter(side), ` ${noun}`)),
    html("span", {}, "better in ", sideLetter(0), " : ", sideLetter(1)),
    "p",
    "q",
  ].filter(Boolean);
  return table(
    `${title}, better in ${letter}`,
    head,
    rows.map((row) => {
      const text = thingText(report, row.what, row.thing);
      const about = several ? `${visible(text)}, ${COUNTED[row.what]}` : visible(text);
      // The segments begin with those where the better system leads most.
      const order = {order: "difference", reverse: row.lost > row.won};
      const pick = () => change({...listView(), ...order, pick: `${DIFFER} ${row.what}: ${text}`}, true);
      return html(
        "tr",
        {},
        html("th", {scope: "row", dir: report.direction, lang: report.lang}, html("bdi", {}, visible(text))),
        several && html("td", {class: "quiet"}, COUNTED[row.what]),
        html("td", {class: "number"}, count(row.a)),
        html("td", {class: "number"}, count(row.b)),
        html(
          "td",
          {class: "number"},
          button(`${count(row.won)} : ${count(row.lost)}`, pick, {
            class: "plain opener",
            "aria-label": `${about}: A better in ${row.won}, B in ${row.lost}; show the segments`,
          }),
        ),
        html("td", {class: "number quiet"}, chance(row.p)),
        rateCell(row.q),
      );
    }),
    "contrasts",
  );
}

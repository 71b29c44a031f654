/* The words and n-grams that A and B do differently, in the view of words. */

const CONTRAST_ROWS = 12; // on each side, at first

function contrastControls(report, state, change) {
  if (state.against === null) return null;
  const options = Object.entries(contrastsOf(report)).map(([name, [title]]) => [name, title]);
  return html(
    "div",
    {class: "fields"},
    choice("contrast", "Compare", options, state.contrast, (contrast) => change({contrast})),
    Object.hasOwn(CONTRASTS, state.contrast) && onlyChoice("contrast-only", report, state, change),
  );
}

function isNgrams(contrast) {
  return !["missed", "over", SOURCE].includes(contrast);
}

/** The rows of both systems: those that are better in A, and in B. `more` shows all of them. */
function contrasts(report, state, change, limit, more) {
  if (state.against === null) return html("p", {class: "quiet"}, "Choose a system B to compare A with.");
  const {tested, rows} = contrastRows(report, state);
  const sides = [rows.filter((row) => row.won > row.lost), rows.filter((row) => row.lost > row.won)];
  const left = sides.reduce((sum, side) => sum + Math.max(0, side.length - limit), 0);
  const things = isNgrams(state.contrast) ? "n-grams" : "words";
  return [
    html("p", {class: "quiet"}, contrastsOf(report)[state.contrast][2]),
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
      `Better in: segments where A, and where B, is better. p: sign test of these segments. q: false-discovery rate among the ${count(tested)} ${things} that differ in six segments or more; * q ≤ 0.05.`,
    ),
  ];
}

/** The rows of A and B, those with the lowest p-values first; and how many were tested. */
function contrastRows(report, state) {
  const {place, turned} = pairPlace(report, state.system, state.against);
  const found = report.analysis.contrasts[state.contrast][place];
  const rows = found.things.map((thing, k) => {
    const [a, b] = [found.counts[2 * k], found.counts[2 * k + 1]];
    const [won, lost] = [found.wins[k], found.losses[k]];
    const both = turned ? {a: b, b: a, won: lost, lost: won} : {a, b, won, lost};
    return {thing, ...both, p: found.p[k], q: found.q[k]};
  });
  return {tested: found.tested, rows: Object.hasOwn(CONTRASTS, state.contrast)
    ? rows.filter((row) => isListed(report, state.only, row.thing))
    : rows};
}

function contrastTable(report, state, change, rows, letter) {
  const [title, noun] = contrastsOf(report)[state.contrast];
  const head = [
    isNgrams(state.contrast) ? "n-gram" : "word",
    ...SIDE_LETTERS.map((_, side) => html("span", {}, sideLetter(side), ` ${noun}`)),
    html("span", {}, "better in ", sideLetter(0), " : ", sideLetter(1)),
    "p",
    "q",
  ];
  return table(
    `${title}, better in ${letter}`,
    head,
    rows.map((row) => {
      const text = thingText(report, state.contrast, row.thing);
      const pick = () => change({...listView(), pick: `${DIFFER} ${state.contrast}: ${text}`}, true);
      return html(
        "tr",
        {},
        html("th", {scope: "row", dir: report.direction, lang: report.lang}, html("bdi", {}, visible(text))),
        html("td", {class: "number"}, count(row.a)),
        html("td", {class: "number"}, count(row.b)),
        html(
          "td",
          {class: "number"},
          button(`${count(row.won)} : ${count(row.lost)}`, pick, {
            class: "plain opener",
            "aria-label": `${visible(text)}: A better in ${row.won}, B in ${row.lost}; show the segments`,
          }),
        ),
        html("td", {class: "number quiet"}, chance(row.p)),
        rateCell(row.q),
      );
    }),
    "contrasts",
  );
}

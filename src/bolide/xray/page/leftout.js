/* Matches that the search left out, although no other match has their words. */

/** Whether any alignment lacks such a match. */
function leavesOut(report) {
  return report.once("leaves out", () =>
    report.systems.some(({alignments}) => alignments.some((rows) => rows.some((row) => row?.left_out))),
  );
}

/** What the search left out of the shown alignments, why, and what counts it. */
function leftOutNotice(report, shown) {
  const several = shown.sides.length > 1;
  const part = (words, start, length) => phrase(report, words.slice(start, start + length), shown.form);
  const items = shown.sides.flatMap(({side, system, words}) =>
    report.leftOut(system, shown.segment, shown.reference).map((match) =>
      html(
        "li",
        {class: `stage-${match.module % STAGES}`},
        several && [html("b", {class: `side side-${SIDE_LETTERS[side]}`}, SIDE_LETTERS[side]), " "],
        html("span", {class: "chip", title: report.modules[match.module].name}, report.modules[match.module].short),
        " ",
        html("bdi", {lang: report.lang}, part(words, match.hypothesisStart, match.hypothesisLength)),
        " = ",
        html("bdi", {lang: report.lang}, part(shown.words, match.referenceStart, match.referenceLength)),
        html("span", {class: "quiet"}, report.reasons[match.reason] && ` (${report.reasons[match.reason]})`),
      ),
    ),
  );
  if (!items.length) return null;
  return html(
    "section",
    {class: "left-out", "aria-labelledby": "about-left-out"},
    html("h3", {id: "about-left-out"}, "Left out by the search"),
    html("ul", {}, items),
    html(
      "p",
      {class: "quiet"},
      "These words could match, and no other match has them. But the search of Java gives no value to a single word " +
        "that does not match exactly, and drops it if two matches compete for it. The option ",
      html("code", {}, "--aligner exact"),
      ", as in profile 1.3, counts every word.",
    ),
  );
}

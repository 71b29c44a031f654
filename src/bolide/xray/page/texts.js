/* The texts of a segment: the source, the references, and all translations, with coloured matches. */

const SHORT_NAME = 14; // letters

function segmentTexts(report, shown, state, change) {
  const source = report.sources?.[shown.segment] ?? null;
  return html(
    "section",
    {class: "texts", "aria-label": "Texts"},
    source !== null &&
      html(
        "div",
        {class: "text-row"},
        html("span", {class: "text-title"}, "source"),
        html("p", {dir: "auto", class: "words"}, sourceText(report, state, shown.segment)),
      ),
    mediaRow(report, shown.segment),
    referenceRows(report, shown, state, change),
    report.systems.map((_, system) => systemRow(report, shown, state, system, change)),
  );
}

/** The references, one of which is selected. */
function referenceRows(report, shown, state, change) {
  const all = report.references[shown.segment];
  const best = report.best(state.system, shown.segment);
  const own = ownReference(report, state, shown.segment);
  return all.map((words, r) => {
    const chosen = r === shown.reference;
    const score = report.alignment(state.system, shown.segment, r)?.values[5];
    const title =
      all.length === 1
        ? html("span", {class: "text-title"}, "reference")
        : html(
            "span",
            {class: "text-title"},
            html(
              "label",
              {},
              html("input", {
                type: "radio",
                name: "reference",
                id: `reference-${r}`,
                checked: chosen,
                change: () => change({reference: r === own ? null : r}),
              }),
              ` reference ${r + 1}`,
            ),
          );
    return html(
      "div",
      {class: chosen ? "text-row reference chosen" : "text-row reference"},
      title,
      html(
        "p",
        {class: "words", dir: report.direction, lang: report.lang},
        chosen
          ? referenceWords(report, shown, state, r === own)
          : marked(wording(report, words, state.form), hits(report, words, state.form, state.text)),
      ),
      all.length > 1 &&
        html(
          "span",
          {class: "text-figures"},
          html("b", {class: "side side-A"}, "A"),
          html("span", {class: "number"}, figure(score)),
          r === best && html("span", {class: "tag"}, "best"),
        ),
    );
  });
}

/** The words of the reference, coloured by the matches of A. Filters of words are about the best reference. */
function referenceWords(report, shown, state, best) {
  const found = shown.sides.map((side) =>
    owners(shown.words.length, side.matches, "referenceStart", "referenceLength"),
  );
  return tinted(
    report,
    shown.words,
    [shown.form, state.text, best ? pickedPlaces(report, state, shown.segment, "theirs") : []],
    (k) => (found[0][k] < 0 ? null : shown.sides[0].matches[found[0][k]]),
    (k) =>
      found
        .map((numbers, side) => (numbers[k] < 0 ? null : matchKey(side, numbers[k])))
        .filter(Boolean)
        .join(" "),
  );
}

function systemRow(report, shown, state, system, change) {
  const side = shown.sides.find((each) => each.system === system);
  const values = named(report.alignment(system, shown.segment, shown.reference)?.values);
  const words = report.systems[system].hypotheses[shown.segment];
  const matches = side?.matches ?? report.matches(system, shown.segment, shown.reference);
  const found = owners(words.length, matches, "hypothesisStart", "hypothesisLength");
  const name = report.labels[system];
  const toggle = (letter, field) =>
    button(
      letter,
      () => change(state[field] === system ? without(field) : withSystem(state, field, system)),
      {
        class: `side side-${letter}`,
        id: `choose-${letter}-${system}`,
        "aria-pressed": String(state[field] === system),
        "aria-label": `Show ${name} as ${letter}`,
      },
    );
  return html(
    "div",
    {class: side ? "text-row system chosen" : "text-row system"},
    html(
      "span",
      {class: "text-title"},
      report.systems.length > 1 &&
        html("span", {class: "toggles"}, toggle("A", "system"), toggle("B", "against")),
      systemLabel(report, system, SHORT_NAME),
    ),
    html(
      "p",
      {class: "words", dir: report.direction, lang: report.lang},
      words.length || report.bare.has(words)
        ? tinted(
            report,
            words,
            [shown.form, state.text, pickedPlaces(report, state, shown.segment, "ours", system)],
            (k) => matches[found[k]],
            (k) => (side && found[k] >= 0 ? matchKey(side.side, found[k]) : ""),
          )
        : html("span", {class: "quiet"}, "(empty)"),
    ),
    html("span", {class: "text-figures"}, html("span", {class: "number strong"}, figure(values.score))),
  );
}

/** Pressing the letter of B again removes B; there is always an A. */
function without(field) {
  return field === "against" ? {against: null} : {};
}

/** A text in a form, with its hits. Matched words have the colour of their module, and its letters unless the words
    are equal. Characters within a match, such as a hyphen, have its colour, too. */
function tinted(report, numbers, [form, wanted, places], matchOf, keysOf) {
  const found = hits(report, numbers, form, wanted, places);
  let before = -1; // the last word
  return ranged(textParts(report, numbers, form)).map(({text, word, first}) => {
    const contents = marked(text, found, first);
    if (word < 0) {
      const inside = text.trim() && matchOf(before) && matchOf(before) === matchOf(before + 1);
      return inside ? tint(report, matchOf(before), contents) : contents;
    }
    before = word;
    const match = matchOf(word);
    if (!match) return html("span", {class: "unmatched"}, contents);
    const last = matchOf(word + 1) !== match;
    const letters = match.module > 0 && last ? report.modules[match.module].short : null;
    return tint(report, match, contents, {"data-words": keysOf(word) || null, "data-letters": letters});
  });
}

function tint(report, match, contents, attributes = {}) {
  return html("span", {class: `tinted stage-${match.module % STAGES}`, ...attributes}, contents);
}

/* The arithmetic of the score of a segment: words by module, then line by line. */

function scoreSum(report, shown, side) {
  const several = shown.sides.length > 1;
  const united = report.systems[side.system].united;
  const values = united
    ? report.values(side.system, shown.segment)
    : named(report.alignment(side.system, shown.segment, shown.reference)?.values);
  const row = report.statistics(side.system, shown.segment, shown.reference);
  const flags = report.alignment(side.system, shown.segment, shown.reference)?.flags ?? 0;
  return html(
    "div",
    {class: "sum"},
    html(
      "h4",
      {},
      several && html("b", {class: `side side-${SIDE_LETTERS[side.side]}`}, SIDE_LETTERS[side.side]),
      systemLabel(report, side.system),
      html("span", {class: "spring"}),
      html("span", {class: "number"}, figure(values.score)),
    ),
    row && report.parameters
      ? [moduleTable(report, row), sumLines(arithmetic(report, row, values))]
      : figures(values),
    united &&
      html(
        "p",
        {class: "quiet"},
        "The counts are for all references together; the drawing shows one.",
      ),
    flags & 1 ? html("p", {class: "quiet"}, "The search reached its limit: the alignment is approximate.") : null,
    flags & 2 ? html("p", {class: "quiet"}, "The alignment is not proven optimal.") : null,
  );
}

/** Matched words by module, then all words: content and function words of both sides. */
function moduleTable(report, row) {
  const both = sides(row);
  const cells = (numbers) =>
    numbers.map((number) => html("td", {class: number ? "number" : "number none"}, count(number)));
  return html(
    "table",
    {class: "modules"},
    html("caption", {class: "hidden"}, "Words matched by module"),
    html(
      "thead",
      {},
      html(
        "tr",
        {},
        html("td", {colspan: 2}),
        both.map((side) => html("th", {scope: "colgroup", colspan: 2}, side.title)),
      ),
      html(
        "tr",
        {},
        html("th", {scope: "col"}, "module"),
        html("th", {scope: "col"}, "weight"),
        both.flatMap(() => ["content", "function"].map((kind) => html("th", {scope: "col"}, kind))),
      ),
    ),
    html(
      "tbody",
      {},
      report.modules.map((module, k) =>
        html(
          "tr",
          {class: `stage-${k % STAGES}`},
          html("th", {scope: "row"}, html("span", {class: "chip"}, module.short), ` ${module.name}`),
          html("td", {class: "number"}, module.weight ?? "–"),
          both.flatMap((side) => cells([side.content[k], side.function[k]])),
        ),
      ),
      html(
        "tr",
        {class: "all"},
        html("th", {scope: "row"}, `all ${report.unit}`),
        html("td", {}),
        both.flatMap((side) => cells([side.length - side.functions, side.functions])),
      ),
    ),
  );
}

function sumLines(lines) {
  return html(
    "dl",
    {class: "lines"},
    lines.flatMap(({name, expressions, note}) => [
      html("dt", {}, name),
      html(
        "dd",
        {},
        expressions.map((expression, k) =>
          html("span", {class: k === expressions.length - 1 ? "result" : "step"}, `= ${expression}`),
        ),
        note && html("span", {class: "quiet"}, `(${note})`),
      ),
    ]),
  );
}

/** Only the values, if the arithmetic is not known. */
function figures(values) {
  return html(
    "dl",
    {class: "lines"},
    [
      ["P", "precision"],
      ["R", "recall"],
      ["Fmean", "fmean"],
      ["penalty", "penalty"],
      ["score", "score"],
    ]
      .filter(([, name]) => values[name] !== null)
      .flatMap(([title, name]) => [
        html("dt", {}, title),
        html("dd", {}, html("span", {class: "result"}, `= ${shown(values[name])}`)),
      ]),
  );
}

/* Printing: the overview, the open segment, or the list as a table. */

const MOST_PRINTED = 500; // segments

/** Makes the table of the list before printing, and removes it afterwards. */
function preparePrinting(report, current) {
  const place = document.getElementById("printed");
  addEventListener("beforeprint", () => {
    const {state, segments} = current();
    const listed = state.view === "segments" && state.segment === null;
    show(place, listed && printedList(report, state, segments));
  });
  addEventListener("afterprint", () => show(place));
}

function printedList(report, state, segments) {
  const systems = state.against === null ? [state.system] : [state.system, state.against];
  const head = [
    "segment",
    "reference",
    ...systems.map((s, side) => `${SIDE_LETTERS[side]}: ${report.labels[s]}`),
    systems.length > 1 && "A − B",
  ].filter(Boolean);
  const rows = segments.slice(0, MOST_PRINTED).map((k) =>
    html(
      "tr",
      {},
      html("th", {scope: "row"}, String(k + 1)),
      html(
        "td",
        {dir: report.direction, lang: report.lang},
        wording(report, report.references[k][report.best(state.system, k)], state.form),
      ),
      systems.map((s) => html("td", {class: "number"}, figure(report.scores[s][k]))),
      systems.length > 1 && html("td", {class: "number"}, signed(report.difference(...systems, k))),
    ),
  );
  return [
    html("h1", {}, report.title || "X-ray"),
    html(
      "p",
      {},
      segments.length > MOST_PRINTED
        ? `The first ${count(MOST_PRINTED)} of ${counted(segments.length, "segment")}.`
        : `${counted(segments.length, "segment")}.`,
    ),
    table("Segments", head, rows, "printed-list"),
  ];
}

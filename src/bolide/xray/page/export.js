/* Saves the listed segments as TSV or JSONL. */

const FORMULA = /^[=+\-@]/; // a spreadsheet computes cells that begin like this
const ESCAPED = /^\\x(3d|2b|2d|40|5c)/; // a text may look like an escaped one

/** A text for a cell of TSV, escaped as in the tables of the command line. */
function cell(value) {
  const text = visible(String(value ?? ""));
  const escaped = (text.length > 1 && FORMULA.test(text)) || ESCAPED.test(text);
  return escaped ? `\\x${text.charCodeAt(0).toString(16)}${text.slice(1)}` : text;
}

/** The systems of a list: A, and B if there is one. */
function listedSystems(state) {
  return state.against === null ? [state.system] : [state.system, state.against];
}

/** Segments as rows of a table: a name and a value for each column. */
function exported(report, state, k) {
  const text = (numbers) => (report.raw ? report.plainRaw(numbers) : report.plain(numbers));
  return {
    segment: k + 1,
    document: report.documents?.[k] ?? null,
    name: report.names?.[k] ?? null,
    source: report.sources?.[k] ?? null,
    references: report.references[k].map(text),
    systems: listedSystems(state).map((system) => ({
      system: report.systems[system].name,
      text: text(report.systems[system].hypotheses[k]),
      score: report.scores[system][k],
      ...(report.others.length && {
        scores: Object.fromEntries(report.others.map((metric) => [metric.name, metric.segments[system][k]])),
      }),
    })),
  };
}

function jsonLines(report, state, segments) {
  return segments.map((k) => `${JSON.stringify(exported(report, state, k))}\n`).join("");
}

/** A table: one column for each reference, and for the text and the score of each system. */
function tabbed(report, state, segments) {
  const known = ["document", "name", "source"].filter((name) => report[`${name}s`]);
  const most = segments.reduce((number, k) => Math.max(number, report.references[k].length), 1);
  const references = Array.from({length: most}, (_, r) => (most > 1 ? `reference ${r + 1}` : "reference"));
  const names = listedSystems(state).map((system) => report.systems[system].name);
  const metrics = report.others.map((metric) => metric.name);
  const columns = (name) => [name, `score of ${name}`, ...metrics.map((metric) => `${metric} of ${name}`)];
  const head = ["segment", ...known, ...references, ...names.flatMap(columns)];
  const rows = segments.map((k) => {
    const row = exported(report, state, k);
    return [
      row.segment,
      ...known.map((name) => cell(row[name])),
      ...references.map((_, r) => cell(row.references[r])),
      ...row.systems.flatMap(({text, score, scores}) => [
        cell(text),
        score.toFixed(6),
        ...metrics.map((metric) => scores[metric] ?? ""),
      ]),
    ];
  });
  return [head.map(cell), ...rows].map((row) => `${row.join("\t")}\n`).join("");
}

const EXPORTS = {
  tsv: [tabbed, "text/tab-separated-values"],
  jsonl: [jsonLines, "application/jsonl"],
};

/** Two buttons that save the listed segments. `current` gives the state and the segments. */
function exportButtons(report, current) {
  return html(
    "span",
    {class: "save"},
    Object.entries(EXPORTS).map(([ending, [write, type]]) =>
      button(
        ending.toUpperCase(),
        () => {
          const {state, segments} = current();
          const text = write(report, state, segments);
          download(new Blob([text], {type}), `${fileTitle(report)}-segments.${ending}`);
        },
        {
          class: "small",
          id: `export-${ending}`,
          title: `Save the listed segments as ${ending.toUpperCase()}`,
          "aria-label": `Save the listed segments as ${ending.toUpperCase()}`,
        },
      ),
    ),
  );
}

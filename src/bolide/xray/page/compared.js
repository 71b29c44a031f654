/* The comparison of two systems: difference, significance, and the segments that differ most; and all pairs. */

const MOST_APART = 8; // number of segments in each list
const SIGNIFICANT = 0.05;

function comparedSystems(report, state, change, plots) {
  const chooser = html(
    "div",
    {class: "choosers"},
    systemChooser(report, state, change, "system", "A"),
    systemChooser(report, state, change, "against", "B"),
    button("Swap A and B", () => change(swapped), {disabled: state.against === null}),
  );
  if (state.against === null)
    return [chooser, html("p", {class: "quiet"}, "Choose a system B to compare A with.")];
  return [
    chooser,
    verdict(report, state),
    metricsCompared(report, state),
    html("div", {class: "plots"}, plots),
    html(
      "p",
      {class: "quiet"},
      "Below are the segments that add most to the difference of the corpus scores. So short segments do not come first.",
    ),
    html("div", {class: "apart"}, apart(report, state, "A", 1), apart(report, state, "B", -1)),
    report.systems.length > 2 && pairTable(report, state, change),
  ];
}

/** A select with all systems; for B, also none. */
function systemChooser(report, state, change, field, letter) {
  const options = report.systems.map((system, s) =>
    html("option", {value: s, selected: state[field] === s, title: fullName(system)}, report.labels[s]),
  );
  if (field === "against")
    options.unshift(html("option", {value: "", selected: state.against === null}, "none"));
  return html(
    "label",
    {class: "chooser"},
    html("b", {class: `side side-${letter}`}, letter),
    html("span", {class: "hidden"}, `System ${letter}`),
    html(
      "select",
      {
        class: `chooser-${field}`,
        change: (event) => change(withSystem(state, field, numbered(event.target.value))),
      },
      options,
    ),
  );
}

/** What a segment contributes to A's lead, with enough decimals. */
function added(report, state, k) {
  return contribution(report, state, k).toFixed(6).replace("-", "−");
}

function numbered(value) {
  return value === "" ? null : Number(value);
}

function verdict(report, state) {
  const pair = report.pair(state.system, state.against);
  const [a, b] = [state.system, state.against].map((s) => systemLabel(report, s));
  const total = pair.wins + pair.ties + pair.losses || 1;
  const share = (number) => `${((100 * number) / total).toFixed(1)}%`;
  const parts = [
    ["wins", "A better", pair.wins, "A"],
    ["ties", "ties", pair.ties, "tie"],
    ["losses", "B better", pair.losses, "B"],
  ];
  const bar = html(
    "div",
    {
      class: "outcome",
      role: "img",
      "aria-label": parts.map(([, title, number]) => `${title} ${number}`).join(", "),
    },
    parts.map(([, , number, side]) => {
      const piece = html("span", {class: `outcome-${side}`});
      piece.style.flexGrow = number;
      return number > 0 && piece;
    }),
  );
  return html(
    "div",
    {class: "verdict"},
    html("p", {class: "verdict-line"}, verdictText(pair, a, b)),
    bar,
    html(
      "ul",
      {class: "outcome-key"},
      parts.map(([, title, number, side]) =>
        html(
          "li",
          {class: `key-${side}`},
          html("b", {}, count(number)),
          ` ${title} `,
          html("span", {class: "quiet"}, share(number)),
        ),
      ),
    ),
  );
}

function verdictText(pair, a, b) {
  const parts = [];
  if (pair.difference !== null && pair.difference !== undefined) {
    parts.push(
      html("b", {}, signed(pair.difference)),
      " METEOR for A, ",
      a,
      ", over B, ",
      b,
    );
  }
  if (pair.p_value !== null && pair.p_value !== undefined) {
    parts.push(
      ": ",
      html("b", {}, pair.p_value < SIGNIFICANT ? "significant" : "not significant"),
      ` (p ${pair.p_value < 0.001 ? "< 0.001" : "= " + pair.p_value.toFixed(3)})`,
    );
  }
  return parts.length ? [...parts, "."] : "Segments where one system is better:";
}

/** The segments that contribute most to the lead of a system. */
function apart(report, state, letter, sign) {
  const ahead = (k) => sign * report.difference(state.system, state.against, k) > 0;
  const all = Array.from({length: report.size}, (_, k) => k).filter(ahead);
  const by = {...state, order: "contribution", reverse: sign < 0};
  const found = ordered(report, by, all).slice(0, MOST_APART);
  return html(
    "div",
    {},
    html("h3", {}, "Largest leads of ", html("b", {class: `side side-${letter}`}, letter)),
    found.length
      ? html(
          "ol",
          {class: "apart-list"},
          found.map((k) =>
            html(
              "li",
              {},
              html(
                "a",
                {href: link(report, {...state, view: "segments", segment: k, reference: null})},
                html("span", {class: "number"}, String(k + 1)),
                html(
                  "span",
                  {class: "line", dir: report.direction, lang: report.lang},
                  wording(report, report.references[k][report.best(state.system, k)], state.form),
                ),
                html(
                  "span",
                  {class: "number", title: `adds ${added(report, state, k)} to the lead of A`},
                  signed(report.difference(state.system, state.against, k)),
                ),
              ),
            ),
          ),
        )
      : html("p", {class: "quiet"}, "No segments."),
  );
}

/** All pairs: the score of the row minus that of the column; * if significant. */
function pairTable(report, state, change) {
  const names = report.labels;
  const cell = (first, second) => {
    if (first === second) return html("td", {class: "number quiet"}, "·");
    const pair = report.pair(first, second);
    const sure = pair.p_value !== null && pair.p_value < SIGNIFICANT;
    const p = pair.p_value === null ? "" : `, p = ${pair.p_value.toPrecision(2)}`;
    const about = `${names[first]} against ${names[second]}: ${pair.wins} wins, ${pair.ties} ties, ${pair.losses} losses${p}`;
    const content = [
      `${signed(pair.difference)}${sure ? "*" : "\u2007"}`,
      html("span", {class: "quiet"}, `${pair.wins}/${pair.ties}/${pair.losses}`),
    ];
    const choose = () => change({system: first, against: second, reference: null});
    const attributes = {class: "plain", title: about, "aria-label": `${about}; compare these`};
    return html("td", {class: "number"}, button(content, choose, attributes));
  };
  return html(
    "div",
    {},
    html("h3", {}, "All pairs"),
    table(
      "All pairs of systems",
      ["system", ...names.map((_, second) => systemName(report, second))],
      names.map((name, first) =>
        html(
          "tr",
          {},
          html("th", {scope: "row"}, systemLabel(report, first)),
          names.map((_, second) => cell(first, second)),
        ),
      ),
      "pairs",
    ),
    html(
      "p",
      {class: "quiet"},
      "Score of the row minus score of the column (* p < 0.05), and segments won/tied/lost by the row.",
    ),
  );
}

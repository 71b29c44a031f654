/* The view of groups: scores, intervals and tests in each group of segments. */

const MOST_MATRIX = 8; // systems whose scores are in one table beside A and B

class GroupsView {
  constructor(report, change) {
    Object.assign(this, {report, change});
    this.node = document.getElementById("groups");
    this.body = html("div", {});
    fill(this.node, [
      html(
        "header",
        {class: "view-head", "data-title": report.title},
        html("h1", {tabindex: -1}, "Groups"),
        html("p", {}, "Each group is scored like a test set of its own. Press a group to see its segments."),
      ),
      this.body,
    ]);
  }

  update(state) {
    const key = JSON.stringify([state.system, state.against, state.grouping]);
    if (this.key === key) return;
    this.key = key;
    inPlace(() => this.draw(state));
  }

  draw(state) {
    const {report, change} = this;
    const grouping = report.analysis.groups.find((each) => each.name === state.grouping);
    const options = report.analysis.groups.map(({name}) => [name, visible(name)]);
    refill(
      this.body,
      pairChoosers(report, state, change),
      html(
        "div",
        {class: "fields"},
        choice("grouping", "Groups by", options, state.grouping, (name) => change({grouping: name})),
      ),
      grouping.shared || state.against === null
        ? null
        : html("p", {class: "quiet"}, "Each system has its own segments in these groups, so they are not tested."),
      section("Scores", groupTable(report, state, change, grouping)),
      report.systems.length > 2 && section("All systems", groupMatrix(report, grouping)),
    );
  }
}

/** The change that shows the segments of a group; of a side, if each system has its own. */
function groupPick(grouping, group, side) {
  return {...listView(), group: `${grouping.shared ? "" : ofSide(side)}${grouping.name}: ${group.name}`};
}

/** The groups of a grouping, with the scores of A and B. */
function groupTable(report, state, change, grouping) {
  const systems = sideSystems(state);
  const several = systems.length > 1;
  const tested = several && grouping.shared;
  const scale = groupScale(grouping, systems);
  const head = [
    "group",
    ...(grouping.shared ? ["segments"] : []),
    ...systems.flatMap((_, side) => [
      ...(grouping.shared ? [] : ["segments"]),
      html("span", {}, several && [sideLetter(side), " "], "METEOR"),
      "95% interval",
    ]),
    html("span", {class: "hidden"}, "plot of the intervals"),
    several && "A − B",
    tested && "p",
    tested && "q",
    tested && "won/tied/lost by A",
  ].filter(Boolean);
  const {place, turned} = several ? pairPlace(report, ...systems) : {};
  const rows = grouping.groups.map((group) => {
    const scores = systems.map((s) => group.scores[s]);
    const open = (side) => () => change(groupPick(grouping, group, side), true);
    const outcome = tested && (turned ? [...group.outcomes[place]].reverse() : group.outcomes[place]);
    const known = scores.every((score) => score !== null);
    return html(
      "tr",
      {},
      html("th", {scope: "row", title: visible(group.name)}, html("bdi", {}, visible(group.name))),
      grouping.shared && html("td", {class: "number"}, opener(group.segments[0], visible(group.name), open(0))),
      systems.map((s, side) => [
        !grouping.shared &&
          html(
            "td",
            {class: "number"},
            opener(group.segments[s], `${visible(group.name)}, ${SIDE_LETTERS[side]}`, open(side)),
          ),
        html("td", {class: "number"}, figure(scores[side])),
        html("td", {class: "number quiet"}, intervalText(group.intervals[s])),
      ]),
      html("td", {class: "whisker"}, groupWhiskers(group, systems, scale)),
      several && html("td", {class: "number"}, known ? signed(scores[0] - scores[1]) : "–"),
      tested && html("td", {class: "number quiet"}, chance(group.p[place])),
      tested && rateCell(group.q[place]),
      tested && html("td", {class: "number quiet"}, outcome.join("/")),
    );
  });
  return [
    table(`Scores by ${visible(grouping.name)}`, head, rows, "grouped"),
    tested &&
      html(
        "p",
        {class: "quiet"},
        "p: paired bootstrap in the group. q: false-discovery rate among these groups; * q ≤ 0.05.",
      ),
  ];
}

function intervalText(interval) {
  return interval ? `${figure(interval[0])} – ${figure(interval[1])}` : "–";
}

/** The common scale of the intervals of these systems. */
function groupScale(grouping, systems) {
  const values = grouping.groups
    .flatMap((group) => systems.flatMap((s) => group.intervals[s] ?? [group.scores[s]]))
    .filter((value) => value !== null);
  const low = Math.min(...values);
  const size = Math.max(...values) - low || 1;
  return (value) => WHISKER.pad + ((value - low) / size) * (WHISKER.width - 2 * WHISKER.pad);
}

/** The intervals of A and B, one above the other. */
function groupWhiskers(group, systems, scale) {
  const height = 12 * systems.length + 8;
  return svg(
    "svg",
    {width: WHISKER.width, height, viewBox: `0 0 ${WHISKER.width} ${height}`, "aria-hidden": "true"},
    systems.map((s, side) => {
      if (group.scores[s] === null) return null;
      const y = 10 + 12 * side;
      const [low, high] = (group.intervals[s] ?? [group.scores[s], group.scores[s]]).map(scale);
      const colour = `var(--side-${SIDE_LETTERS[side]})`;
      return [
        svg("path", {d: `M${low} ${y}H${high}`, stroke: colour, "stroke-width": 1.75, fill: "none"}),
        svg("path", {d: markPath(s, scale(group.scores[s]), y, 4), fill: colour}),
      ];
    }),
  );
}

/** The scores of all systems, best first; the best of each group is bold. */
function groupMatrix(report, grouping) {
  const order = [...report.systems.keys()].sort(
    (one, two) => (report.systems[two].score ?? 0) - (report.systems[one].score ?? 0),
  );
  return table(
    `Scores of all systems by ${visible(grouping.name)}`,
    ["system", ...grouping.groups.map((group) => html("bdi", {title: visible(group.name)}, visible(group.name)))],
    order.map((s) =>
      html(
        "tr",
        {},
        html("th", {scope: "row"}, systemLabel(report, s)),
        grouping.groups.map((group) => {
          const best = Math.max(...group.scores.map((score) => score ?? -1));
          const own = group.scores[s] !== null && group.scores[s] === best;
          return html("td", {class: own ? "number best" : "number"}, figure(group.scores[s]));
        }),
      ),
    ),
    "matrix-of-groups",
  );
}

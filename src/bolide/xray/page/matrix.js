/* The matrix of Meteor X-ray: the reference above, the hypothesis at the left, a box for each match, and an outline
   around each chunk. The words of a second system are at the right, and its matches are pills. */

const CELL = {width: 28, height: 25};
const CELL_OF_TWO = {width: 38, height: 25};
const SLANT = 52; // angle of the words of the reference, in degrees
const GAP = 10;

function drawMatrix(report, shown) {
  const layout = matrixLayout(report, shown);
  const {cell, at} = layout;
  const root = drawingFrame(
    layout.width,
    layout.height,
    `Alignment matrix of segment ${shown.segment + 1}`,
    report.direction,
  );
  const infos = explained(report, shown);
  root.append(grid(layout), ...columnLabels(report, shown, layout));
  for (const side of shown.sides) root.append(...rowLabels(report, side, layout, shown.form));
  for (const {side, matches} of shown.sides) {
    const others = shown.sides.filter((each) => each.side !== side).flatMap((each) => each.matches);
    root.append(
      svg(
        "g",
        {},
        matches.map((match, number) => {
          const key = matchKey(side, number);
          return matrixMatch(
            infos.get(key),
            key,
            match,
            layout,
            others.some((other) => overlap(match, other)),
          );
        }),
      ),
    );
  }
  for (const {side, matches} of shown.sides) {
    root.append(
      svg(
        "g",
        {"pointer-events": "none"},
        chunkBoxes(matches).map((box) =>
          svg("rect", {
            class: "chunk",
            x: at(layout.left + box.left * cell.width, (box.right - box.left) * cell.width) + side * 2,
            y: layout.top + box.top * cell.height + side * 2,
            rx: 4,
            width: (box.right - box.left) * cell.width - side * 4,
            height: (box.bottom - box.top) * cell.height - side * 4,
            fill: "none",
            stroke: `var(--side-${SIDE_LETTERS[side]})`,
            "stroke-width": 1.75,
            "stroke-dasharray": side ? "4 3" : null,
          }),
        ),
      ),
    );
  }
  return root;
}

/** Positions in pixels. */
function matrixLayout(report, shown) {
  const several = shown.sides.length > 1;
  const cell = several ? CELL_OF_TWO : CELL;
  const columns = shown.words.length;
  const rows = Math.max(...shown.sides.map((side) => side.words.length));
  const widest = shown.sides.map((side) =>
    Math.max(0, ...side.words.map((word) => labelWidth(spelling(report, word, shown.form)))),
  );
  const turned = (SLANT * Math.PI) / 180;
  const heads = shown.words.map((number) => {
    const word = spelling(report, number, shown.form);
    if (isUpright(word)) return {up: [...label(word)].length * (LABEL_SIZE + 2), over: 0};
    return {
      up: labelWidth(word) * Math.sin(turned) + LABEL_SIZE,
      over: labelWidth(word) * Math.cos(turned) + LABEL_SIZE,
    };
  });
  const overhang = Math.max(0, ...heads.map((head, k) => head.over - (columns - k - 0.5) * cell.width));
  const left = widest[0] + GAP + 2;
  const top = Math.max(0, ...heads.map((head) => head.up)) + GAP + 4;
  const right = Math.max(several ? widest[1] + GAP + 2 : 2, overhang);
  const width = Math.ceil(left + columns * cell.width + right);
  return {
    cell,
    columns,
    rows,
    left,
    top,
    several,
    rtl: report.direction === "rtl",
    width,
    height: Math.ceil(top + rows * cell.height + 2),
    at: mirror(width, report.direction === "rtl"),
  };
}

/** Lines between cells, as one path. */
function grid({cell, columns, rows, left, top, at}) {
  const parts = [];
  for (let k = 0; k <= columns; k++) parts.push(`M${at(left + k * cell.width)} ${top}v${rows * cell.height}`);
  for (let k = 0; k <= rows; k++)
    parts.push(`M${at(left, columns * cell.width)} ${top + k * cell.height}h${columns * cell.width}`);
  return svg("path", {
    d: parts.join(""),
    stroke: "var(--line)",
    fill: "none",
    "shape-rendering": "crispEdges",
  });
}

/** The words of the reference: slanted, or vertical. */
function columnLabels(report, shown, {cell, left, top, at, rtl}) {
  const matched = shown.sides.map((side) =>
    owners(shown.words.length, side.matches, "referenceStart", "referenceLength"),
  );
  return shown.words.map((number, k) => {
    const word = spelling(report, number, shown.form);
    const x = at(left + (k + 0.5) * cell.width);
    const keys = matched
      .map((found, side) => (found[k] < 0 ? null : matchKey(side, found[k])))
      .filter(Boolean);
    const options = {
      matched: keys.length > 0,
      function: report.isFunction[number],
      attributes: {"data-words": keys.join(" ") || null},
    };
    if (isUpright(word)) return uprightText(word, x, top - GAP / 2, options);
    const y = top - GAP / 2 - 2;
    options.attributes.transform = `rotate(${rtl ? SLANT : -SLANT} ${x} ${y})`;
    return wordText(word, x, y, "start", options);
  });
}

function uprightText(word, x, bottom, options) {
  const letters = [...label(word)];
  const top = bottom - (letters.length - 0.5) * (LABEL_SIZE + 2);
  const text = wordText("", x, top, "middle", {...options, function: false});
  return show(
    text,
    letters.map((letter, k) => svg("tspan", {x, y: top + k * (LABEL_SIZE + 2)}, letter)),
  );
}

/** The words of a hypothesis beside its rows. */
function rowLabels(report, side, {cell, columns, left, top, at}, form) {
  const found = owners(side.words.length, side.matches, "hypothesisStart", "hypothesisLength");
  const x = at(side.side ? left + columns * cell.width + GAP : left - GAP);
  return side.words.map((number, k) =>
    wordText(spelling(report, number, form), x, top + (k + 0.5) * cell.height, side.side ? "start" : "end", {
      matched: found[k] >= 0,
      function: report.isFunction[number],
      attributes: {"data-words": found[k] < 0 ? null : matchKey(side.side, found[k])},
    }),
  );
}

/** Whether two matches share a cell. */
function overlap(one, two) {
  const meet = (start, size) => one[start] < two[start] + two[size] && two[start] < one[start] + one[size];
  return meet("referenceStart", "referenceLength") && meet("hypothesisStart", "hypothesisLength");
}

/** A box (A) or a pill (B) with the letters of the module; side by side if both are in the same place. */
function matrixMatch(info, key, match, {cell, left, top, at, several}, shared) {
  const inset = info.side ? 4.5 : 1.5;
  const width = match.referenceLength * cell.width;
  const height = match.hypothesisLength * cell.height;
  const x = at(left + match.referenceStart * cell.width, width);
  const y = top + match.hypothesisStart * cell.height;
  return svg(
    "g",
    matchAttributes(info, key, several),
    svg("rect", {
      x: x + inset,
      y: y + inset,
      width: width - 2 * inset,
      height: height - 2 * inset,
      rx: info.side ? 8 : 3,
      fill: info.side ? "none" : stageColour(info.stage, true),
      stroke: stageColour(info.stage),
      "stroke-width": info.side ? 2.25 : 1.25,
      "pointer-events": "all",
    }),
    moduleMark(info, x + width / 2 + (shared ? (info.side ? 6.5 : -6.5) : 0), y + height / 2),
  );
}

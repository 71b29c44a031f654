/* Two rows of words with ribbons between them: the hypothesis above, the reference below. A second system is below
   the reference. Brackets join the words of a chunk. */

const WORD = {height: 24, pad: 7, gap: 6};
const RIBBON = 84; // height
const BRACKET = 13;

function drawRibbons(report, shown) {
  const layout = ribbonLayout(report, shown);
  const root = drawingFrame(
    layout.width,
    layout.height,
    `Alignment of segment ${shown.segment + 1} with ribbons`,
    report.direction,
  );
  const infos = explained(report, shown);
  for (const side of shown.sides) {
    root.append(
      svg(
        "g",
        {},
        side.matches.map((match, number) =>
          ribbon(infos, matchKey(side.side, number), match, side.side, layout),
        ),
      ),
    );
  }
  for (const side of shown.sides) root.append(...wordBoxes(report, side, layout, shown.form), ...brackets(side, layout));
  root.append(...referenceBoxes(report, shown, layout), ...rowTitles(shown, layout));
  return root;
}

/** The rows: A, the reference, B. Shorter rows are centred. */
function ribbonLayout(report, shown) {
  const texts = [shown.sides[0].words, shown.words, ...(shown.sides[1] ? [shown.sides[1].words] : [])];
  const widths = texts.map((text) => text.map(
    (number) => labelWidth(spelling(report, number, shown.form)) + 2 * WORD.pad));
  const lengths = widths.map((row) => row.reduce((sum, width) => sum + width + WORD.gap, -WORD.gap));
  const widest = Math.max(0, ...lengths);
  const margin = 26; // for the letters of the rows
  const width = Math.ceil(widest + margin + 2);
  const at = mirror(width, report.direction === "rtl");
  const rows = widths.map((row, r) => {
    let x = margin + (widest - lengths[r]) / 2;
    const y = 1 + BRACKET + r * (WORD.height + RIBBON + 2 * BRACKET);
    const boxes = row.map((size) => {
      const box = {x: at(x, size), width: size, start: x, end: x + size};
      x += size + WORD.gap;
      return box;
    });
    return {y, boxes};
  });
  return {width, rows, at, height: Math.ceil(rows.at(-1).y + WORD.height + BRACKET + 1)};
}

/** The two rows of the ribbons of a side, the upper first, and the fields of a match with its words. */
function ends(side, rows) {
  const ours = {row: rows[side ? 2 : 0], start: "hypothesisStart", size: "hypothesisLength"};
  const theirs = {row: rows[1], start: "referenceStart", size: "referenceLength"};
  return side ? [theirs, ours] : [ours, theirs];
}

/** The left and right edge of some words of a row. */
function extent(boxes, start, size, at) {
  const [first, last] = [boxes[start].start, boxes[start + size - 1].end];
  return {left: at(first, last - first), right: at(first, last - first) + last - first};
}

function ribbon(infos, key, match, side, {rows, at}) {
  const info = infos.get(key);
  const [upper, lower] = ends(side, rows);
  const one = extent(upper.row.boxes, match[upper.start], match[upper.size], at);
  const two = extent(lower.row.boxes, match[lower.start], match[lower.size], at);
  const top = upper.row.y + WORD.height + BRACKET;
  const bottom = lower.row.y - BRACKET;
  const middle = (top + bottom) / 2;
  const path =
    `M${one.left} ${top}C${one.left} ${middle} ${two.left} ${middle} ${two.left} ${bottom}H${two.right}` +
    `C${two.right} ${middle} ${one.right} ${middle} ${one.right} ${top}Z`;
  const hypothesis = side ? two : one; // letters are at the end of the hypothesis, where ribbons rarely cross
  return svg(
    "g",
    matchAttributes(info, key, rows.length > 2),
    svg("path", {
      class: "ribbon",
      d: path,
      fill: stageColour(info.stage),
      "fill-opacity": 0.42,
      stroke: stageColour(info.stage),
      "stroke-width": 0.75,
    }),
    moduleMark(info, (hypothesis.left + hypothesis.right) / 2, side ? bottom - 8 : top + 8),
  );
}

function wordBoxes(report, side, {rows}, form) {
  const found = owners(side.words.length, side.matches, "hypothesisStart", "hypothesisLength");
  return side.words.map((number, k) =>
    wordBox(report, number, rows[side.side ? 2 : 0], k, [part(side, found[k])], form),
  );
}

/** The words of the reference: the upper half is for A, the lower half for B. */
function referenceBoxes(report, shown, {rows}) {
  const found = shown.sides.map((side) =>
    owners(shown.words.length, side.matches, "referenceStart", "referenceLength"),
  );
  return shown.words.map((number, k) =>
    wordBox(
      report,
      number,
      rows[1],
      k,
      shown.sides.map((side, s) => part(side, found[s][k])),
      shown.form,
    ),
  );
}

/** The key and the module of the match of a word; null if it is unmatched. */
function part(side, number) {
  return number < 0 ? null : {key: matchKey(side.side, number), stage: side.matches[number].module};
}

/** A word in its box: in the colour of the module, or with a dashed outline if unmatched. */
function wordBox(report, number, row, k, parts, form) {
  const {x, width} = row.boxes[k];
  const matched = parts.filter((each) => each !== null);
  const one = new Set(matched.map((each) => each.stage)).size === 1 && matched.length === parts.length;
  const height = (WORD.height - 1) / parts.length;
  return svg(
    "g",
    {"data-words": matched.map((each) => each.key).join(" ") || null},
    parts.map(
      (each, p) =>
        each &&
        svg("path", {
          d: roundedBox(
            x + 0.5,
            row.y + 0.5 + p * height,
            width - 1,
            height,
            p === 0,
            p === parts.length - 1,
          ),
          fill: stageColour(each.stage, true),
        }),
    ),
    svg("rect", {
      x: x + 0.5,
      y: row.y + 0.5,
      width: width - 1,
      height: WORD.height - 1,
      rx: 4,
      fill: "none",
      stroke: one ? stageColour(matched[0].stage) : "var(--line-strong)",
      "stroke-dasharray": matched.length ? null : "3 3",
    }),
    wordText(spelling(report, number, form), x + width / 2, row.y + WORD.height / 2 + 0.5, "middle", {
      matched: matched.length > 0,
      function: report.isFunction[number],
    }),
  );
}

/** A box with rounded corners at the top, at the bottom, or both. */
function roundedBox(x, y, width, height, above, below) {
  const [a, b] = [above ? 4 : 0, below ? 4 : 0];
  return `M${x + a} ${y}h${width - 2 * a}q${a} 0 ${a} ${a}v${height - a - b}q0 ${b} ${-b} ${b}h${2 * b - width}q${-b} 0 ${-b} ${-b}v${a + b - height}q0 ${-a} ${a} ${-a}Z`;
}

/** Brackets along the words of each chunk, on both rows, on the side of the ribbons. */
function brackets(side, {rows, at}) {
  const [upper, lower] = ends(side.side, rows);
  const [ours, theirs] = side.side ? [lower, upper] : [upper, lower];
  return chunkBoxes(side.matches).flatMap((box) => [
    bracket(extent(ours.row.boxes, box.top, box.bottom - box.top, at), ours.row.y, ours === upper, side.side),
    bracket(
      extent(theirs.row.boxes, box.left, box.right - box.left, at),
      theirs.row.y,
      theirs === upper,
      side.side,
    ),
  ]);
}

function bracket({left, right}, y, below, side) {
  const [start, line] = below ? [y + WORD.height + 3, y + WORD.height + 8] : [y - 3, y - 8];
  return svg("path", {
    class: "chunk",
    d: `M${left + 1} ${start}V${line}H${right - 1}V${start}`,
    fill: "none",
    stroke: `var(--side-${SIDE_LETTERS[side]})`,
    "stroke-width": 1.75,
    "stroke-dasharray": side ? "4 3" : null,
  });
}

/** Letters at the margin that name the rows. */
function rowTitles(shown, {rows, at}) {
  const letters = shown.sides.length > 1 ? ["A", "ref", "B"] : ["hyp", "ref"];
  return rows.map((row, r) =>
    svg(
      "text",
      {
        x: at(0),
        y: row.y + WORD.height / 2,
        "dominant-baseline": "central",
        "font-size": 11,
        "font-weight": 600,
        "text-anchor": "start",
        fill: letters[r].length === 1 ? `var(--side-${letters[r]})` : "var(--muted)",
      },
      letters[r],
    ),
  );
}

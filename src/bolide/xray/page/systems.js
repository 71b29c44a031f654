/* Systems: their names, colours and marks, the same in every view (see bolide/_support/palette.py). */

const SYSTEM_COLOURS = 12;
const MARKS = 4; // circle, square, triangle, diamond
const LONGEST_NAME = 28; // letters

/** The place of the mark of a system. */
function markOf(system) {
  return (system + Math.floor(system / SYSTEM_COLOURS)) % MARKS;
}

/** The colour of a system as a CSS variable. */
function systemColour(system) {
  return `var(--system-${system % SYSTEM_COLOURS})`;
}

/** A text without its middle, if it is long. */
function middle(text, most = LONGEST_NAME) {
  const letters = [...text];
  if (letters.length <= most) return text;
  const end = Math.floor((most - 1) / 2);
  return [...letters.slice(0, most - 1 - end), "…", ...letters.slice(letters.length - end)].join("");
}

/** Short names that are still different. */
function shortNames(names) {
  const shown = names.map(visible);
  const short = shown.map((name) => middle(name));
  return short.map((name, k) => (short.indexOf(name) === short.lastIndexOf(name) ? name : shown[k]));
}

/** The mark of a system in its colour. */
function systemDot(system) {
  return html("span", {
    class: `dot mark-${markOf(system)} system-${system % SYSTEM_COLOURS}`,
    "aria-hidden": "true",
  });
}

/** The name and the file of a system, for tooltips. */
function fullName({name, full}) {
  return visible(full && full !== name ? `${name} (${full})` : name);
}

/** The short name of a system; the full one is its tooltip. */
function systemName(report, system, most = LONGEST_NAME) {
  return html(
    "bdi",
    {class: "name", title: fullName(report.systems[system])},
    middle(report.labels[system], most),
  );
}

/** Mark and name. */
function systemLabel(report, system, most) {
  return [systemDot(system), systemName(report, system, most)];
}

/** The path of a mark of this size around a point. */
function markPath(system, x, y, size) {
  return [
    `M${x - size} ${y}a${size} ${size} 0 1 0 ${2 * size} 0a${size} ${size} 0 1 0 ${-2 * size} 0Z`,
    `M${x - size} ${y - size}h${2 * size}v${2 * size}h${-2 * size}Z`,
    `M${x} ${y - size}L${x + size} ${y + size}H${x - size}Z`,
    `M${x} ${y - 1.25 * size}L${x + 1.25 * size} ${y}L${x} ${y + 1.25 * size}L${x - 1.25 * size} ${y}Z`,
  ][markOf(system)];
}

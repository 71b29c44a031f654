/* Texts in two forms: "raw", as the user wrote them, and "metric", as the metric sees them. A text is a list of
   numbers of pieces (see bolide/xray/pieces.py). */

const FORMS = {raw: "as written", metric: "as the metric sees it"};
const SEPARATORS = /[\t\n\f\r]+/g;

/** The parts of a text, one after another: `text`, and the place of its word, or −1 for what is between words. */
function textParts(report, numbers, form) {
  const parts = [];
  const put = (text, word) => text && parts.push({text, word});
  if (form === "metric") {
    numbers.forEach((number, k) => (put(k ? " " : "", -1), put(report.words[number], k)));
    return parts;
  }
  put(report.bare.get(numbers), -1);
  numbers.forEach((number, k) => {
    put(report.befores.get(number), -1);
    put(report.spellings[number], k);
    put(report.gaps[number], -1);
  });
  return parts;
}

function joined(parts) {
  return parts.map((part) => part.text).join("");
}

/** A text for display, in a form. */
function wording(report, numbers, form) {
  return joined(textParts(report, numbers, form));
}

/** Some words of a text, without what is around them. If none is in the user's text, as the metric sees them. */
function phrase(report, numbers, form) {
  const parts = textParts(report, numbers, form);
  const words = parts.filter((part) => part.word >= 0);
  if (!words.length) return report.text(numbers);
  return joined(parts.slice(parts.indexOf(words[0]), parts.indexOf(words.at(-1)) + 1));
}

/** A word alone, for drawings. A word that is not in the user's text is as the metric sees it. */
function spelling(report, number, form) {
  return (form === "raw" && report.spellings[number]) || report.words[number];
}

/** Where a text occurs in another: [first, last) of each, without overlaps. */
function occurrences(text, wanted) {
  const [inside, part] = [text.toLowerCase(), wanted.toLowerCase()];
  if (!part || inside.length !== text.length) return [];
  const found = [];
  for (let at = inside.indexOf(part); at >= 0; at = inside.indexOf(part, at + part.length))
    found.push([at, at + part.length]);
  return found;
}

/** The hits of a search in a text of this form, and the words at these places. */
function hits(report, numbers, form, wanted, places = []) {
  const found = searched(report, numbers, form, wanted);
  if (!places.length) return found;
  const chosen = new Set(places);
  const words = ranged(textParts(report, numbers, form)).filter((part) => chosen.has(part.word));
  return merged([...found, ...words.map(({first, last}) => [first, last])]);
}

/** Ranges in their order, without overlaps. */
function merged(ranges) {
  const found = [];
  for (const [first, last] of ranges.sort((one, two) => one[0] - two[0])) {
    const before = found.at(-1);
    if (before && first <= before[1]) before[1] = Math.max(before[1], last);
    else found.push([first, last]);
  }
  return found;
}

/** What is found only in the other form is marked word by word. */
function searched(report, numbers, form, wanted) {
  if (!wanted) return [];
  const parts = textParts(report, numbers, form);
  const found = occurrences(joined(parts), wanted);
  if (found.length) return found;
  const others = textParts(report, numbers, form === "raw" ? "metric" : "raw");
  const words = new Set(
    ranged(others)
      .filter(({first, last}) => occurrences(joined(others), wanted).some(([a, b]) => first < b && a < last))
      .map((part) => part.word),
  );
  return ranged(parts)
    .filter((part) => part.word >= 0 && words.has(part.word))
    .map(({first, last}) => [first, last]);
}

/** Parts with their positions in the whole text. */
function ranged(parts) {
  let at = 0;
  return parts.map((part) => ({...part, first: at, last: (at += part.text.length)}));
}

/** A part of a text that begins at `first`, with its hits marked. */
function marked(text, found, first = 0) {
  const nodes = [];
  let at = 0;
  for (const [start, end] of found) {
    const [from, to] = [Math.max(0, start - first), Math.min(text.length, end - first)];
    if (from >= to) continue;
    nodes.push(text.slice(at, from), html("mark", {}, text.slice(from, to)));
    at = to;
  }
  return [...nodes, text.slice(at)];
}

function markedText(text, wanted) {
  return marked(text, wanted ? occurrences(text, wanted) : []);
}

const BEFORE_HIT = 8; // letters shown before the first hit of a line

/** One line of a text with its hits; its beginning is cut if the first hit would not be seen. */
function lineOf(report, numbers, state, places) {
  const text = wording(report, numbers, state.form);
  const found = hits(report, numbers, state.form, state.text, places);
  const start = found.length && found[0][0] > BEFORE_HIT ? wordStart(text, found[0][0]) : 0;
  return start ? ["…", marked(text.slice(start), found, start)] : marked(text, found);
}

/** Where a line begins whose first hit is at this place: at a word, if one begins shortly before the hit. */
function wordStart(text, hit) {
  const space = text.slice(hit - BEFORE_HIT, hit).indexOf(" ");
  return hit - BEFORE_HIT + space + 1;
}

/** The switch between both forms; nothing if only one is known. */
function formSwitch(report, state, change, id) {
  if (!report.raw) return null;
  const other = state.form === "raw" ? "metric" : "raw";
  return button("As the metric sees it", () => change({form: other}), {
    class: "small",
    id,
    "aria-pressed": String(state.form === "metric"),
    title: "Lower-cased and split into words, instead of as written (w)",
  });
}

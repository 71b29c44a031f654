/* What both drawings of an alignment share: labels of words, and the frame. Colours are CSS variables, so that
   a drawing follows the theme; save.js replaces them by their values. */

const LABEL_SIZE = 13;
const LABEL_FONT = `${LABEL_SIZE}px system-ui, sans-serif`;
const MARK_SIZE = 9.5;
const LONGEST_LABEL = 26; // letters; longer words are cut
const UPRIGHT = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\u3001-\u303f\uff01-\uffee]/u;

const SLANTED = /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Common}]+$/u; // scripts that have italics

/** A word as a label: white space is made visible, and long words are cut. */
function label(word) {
  const letters = [...word];
  if (!word.trim()) return "␣";
  return letters.length > LONGEST_LABEL ? letters.slice(0, LONGEST_LABEL - 1).join("") + "…" : word;
}

/** Whether a word is Chinese, Japanese or Korean, which is written vertically instead of rotated. */
function isUpright(word) {
  return UPRIGHT.test(word);
}

function labelWidth(word) {
  return textWidth(label(word), LABEL_FONT);
}

/** A drawing with a title for screen readers. */
function drawingFrame(width, height, title, direction) {
  const root = svg("svg", {
    class: "drawing",
    width,
    height,
    viewBox: `0 0 ${width} ${height}`,
    role: "group",
    "aria-label": title,
    direction,
    "font-size": LABEL_SIZE,
  });
  root.style.setProperty("--natural", `${width}px`);
  return root;
}

/** A word at a position; muted if it is unmatched. */
function wordText(word, x, y, anchor, options = {}) {
  return svg(
    "text",
    {
      x,
      y,
      "text-anchor": anchor,
      "dominant-baseline": "central",
      fill: options.matched === false ? "var(--muted)" : "var(--ink)",
      "font-style": options.function && SLANTED.test(word) ? "italic" : null,
      ...options.attributes,
    },
    label(word),
  );
}

/** The short name of a module, so that colour is not the only sign. */
function moduleMark(info, x, y) {
  return svg(
    "text",
    {
      x,
      y,
      "text-anchor": "middle",
      "dominant-baseline": "central",
      "font-size": MARK_SIZE,
      fill: "var(--ink)",
      "aria-hidden": "true",
      class: "mark",
      direction: "ltr",
    },
    info.module.short.slice(0, 3),
  );
}

/** Mirrors positions for right-to-left text. */
function mirror(width, rtl) {
  return (x, size = 0) => (rtl ? width - x - size : x);
}

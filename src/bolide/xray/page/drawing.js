/* What both drawings of an alignment share: words as labels, the frame. Colours are CSS variables, so that a
   drawing follows the theme; save.js puts their values in. */

const LABEL_SIZE = 13;
const LABEL_FONT = `${LABEL_SIZE}px system-ui, sans-serif`;
const MARK_SIZE = 9.5;
const LONGEST_LABEL = 26; // letters; the rest is an ellipsis
const UPRIGHT = /[\p{Script=Han}\p{Script=Hiragana}\p{Script=Katakana}\p{Script=Hangul}\p{Script=Bopomofo}\u3001-\u303f\uff01-\uffee]/u;

const SLANTED = /^[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{Script=Common}]+$/u; // scripts that have italics

/** A word as a label: what cannot be seen is shown, what is too long is cut. */
function label(word) {
  const letters = [...word];
  if (!word.trim()) return "␣";
  return letters.length > LONGEST_LABEL ? letters.slice(0, LONGEST_LABEL - 1).join("") + "…" : word;
}

/** Chinese, Japanese and Korean stand upright where other scripts are turned. */
function isUpright(word) {
  return UPRIGHT.test(word);
}

function labelWidth(word) {
  return textWidth(label(word), LABEL_FONT);
}

/** A drawing with a title for those who hear the page. */
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

/** A word at a place. `ink` is muted if nothing matches it. */
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

/** The letters of a module, so that colour is not the only sign. */
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

/** Reads from right to left what was laid out from left to right. */
function mirror(width, rtl) {
  return (x, size = 0) => (rtl ? width - x - size : x);
}

/* Elements and numbers. Text becomes text nodes and attributes, never markup. */

const SVG = "http://www.w3.org/2000/svg";

/** Appends nodes, strings, numbers, and lists of these; null and false are skipped. */
function fill(node, children) {
  for (const child of children.flat(Infinity)) {
    if (child !== null && child !== undefined && child !== false) node.append(child);
  }
  return node;
}

/** Sets attributes. Functions become listeners; null and false are skipped. */
function attribute(node, attributes) {
  for (const [name, value] of Object.entries(attributes)) {
    if (typeof value === "function") node.addEventListener(name, value);
    else if (value !== null && value !== undefined && value !== false)
      node.setAttribute(name, value === true ? "" : value);
  }
  return node;
}

/** An HTML element: `html("p", {class: "note"}, "text")`. */
function html(tag, attributes = {}, ...children) {
  return fill(attribute(document.createElement(tag), attributes), children);
}

function button(label, click, attributes = {}) {
  return html("button", {type: "button", click, ...attributes}, label);
}

/** An SVG element. */
function svg(tag, attributes = {}, ...children) {
  return fill(attribute(document.createElementNS(SVG, tag), attributes), children);
}

/** Replaces the contents of a node. */
function show(node, ...children) {
  node.replaceChildren();
  return fill(node, children);
}

const UNSEEN = /[\p{Cc}\p{Cs}\p{Zl}\p{Zp}\u202a-\u202e\u2066-\u2069]/gu;

/** Escapes control characters, like bolide/explanation/drawing.py. */
function visible(text) {
  return text.replace(UNSEEN, (letter) => {
    const code = letter.codePointAt(0).toString(16);
    return code.length > 2 ? `\\u${code.padStart(4, "0")}` : `\\x${code.padStart(2, "0")}`;
  });
}

/** A number between 0 and 1 with four decimals, like the tables of the command line; a dash if there is none. */
function figure(value) {
  return value === null || value === undefined ? "–" : value.toFixed(4);
}

/** A difference with its sign. */
function signed(value) {
  return value === null || value === undefined ? "–" : (value < 0 ? "−" : "+") + Math.abs(value).toFixed(4);
}

/** A count: 3,003. */
function count(value) {
  return value === null || value === undefined ? "–" : value.toLocaleString("en");
}

/** "1 segment", "2 segments". */
function counted(number, noun) {
  return `${count(number)} ${noun}${number === 1 ? "" : "s"}`;
}

/** The width of a text in pixels, measured with a shared canvas. */
const textWidth = (() => {
  let context = null;
  return (text, font) => {
    context ??= document.createElement("canvas").getContext("2d");
    context.font = font;
    return context.measureText(text).width;
  };
})();

/** Debounces: acts some milliseconds after the last call. */
function delayed(milliseconds, act) {
  let timer = 0;
  return (...values) => {
    clearTimeout(timer);
    timer = setTimeout(() => act(...values), milliseconds);
  };
}

/* What is shown, and its permanent link: #overview, #segments&low=0.2, #segment=17&against=system-2. */

const NUMBERS = ["low", "high", "shortest", "longest", "margin"];
const DRAWINGS = {matrix: "Matrix", ribbons: "Ribbons"};

/** The state of a page that nobody has touched: the first system beside the second. */
function firstState(report) {
  return {
    view: "overview",
    segment: null,
    reference: null,
    drawing: "matrix",
    system: 0,
    against: report.systems.length > 1 ? 1 : null,
    low: null,
    high: null,
    module: null,
    shortest: null,
    longest: null,
    margin: null,
    text: "",
    order: "segment",
    reverse: false,
  };
}

/** A state as a link; what is as at first is left out. */
function link(report, state) {
  const first = firstState(report);
  const parts =
    state.view === "overview"
      ? ["overview"]
      : state.segment === null
        ? ["segments"]
        : [`segment=${state.segment + 1}`];
  const put = (name, value) => parts.push(`${name}=${encodeURIComponent(value)}`);
  for (const name of ["system", "against"]) {
    if (state[name] !== first[name]) put(name, state[name] === null ? "" : report.systems[state[name]].name);
  }
  if (state.reference !== null && state.segment !== null) put("reference", state.reference + 1);
  for (const name of [...NUMBERS, "module", "text", "order", "drawing"]) {
    if (state[name] !== first[name]) put(name, state[name]);
  }
  if (state.reverse) parts.push("reverse");
  return `#${parts.join("&")}`;
}

/** The state that a link stands for; what it says wrongly is as at first. */
function linked(report, hash) {
  const state = firstState(report);
  const said = new URLSearchParams(hash.replace(/^#/, "").replaceAll("+", "%2B"));
  const number = (name) =>
    said.get(name) === null || said.get(name).trim() === "" || !isFinite(said.get(name))
      ? null
      : Number(said.get(name));
  for (const name of NUMBERS) state[name] = number(name);
  state.segment = within(number("segment"), report.size);
  state.view = said.has("segments") || state.segment !== null ? "segments" : "overview";
  for (const name of ["system", "against"]) state[name] = systemNamed(report, said.get(name), state[name]);
  if (said.get("against") === "" || state.against === state.system) state.against = null;
  if (state.segment !== null)
    state.reference = within(number("reference"), report.references[state.segment].length);
  state.text = said.get("text") ?? "";
  if (report.modules.some((module) => module.name === said.get("module"))) state.module = said.get("module");
  if (Object.hasOwn(ORDERS, said.get("order") ?? "")) state.order = said.get("order");
  if (Object.hasOwn(DRAWINGS, said.get("drawing") ?? "")) state.drawing = said.get("drawing");
  state.reverse = said.has("reverse");
  return state;
}

/** A number that people count from 1, from 0; null if there is no such thing. */
function within(number, size) {
  return Number.isInteger(number) && number >= 1 && number <= size ? number - 1 : null;
}

function systemNamed(report, name, otherwise) {
  const found = report.systems.findIndex((system) => system.name === name);
  return name === null || found < 0 ? otherwise : found;
}

/** The change that makes a system A (`system`) or B (`against`); A and B change places if it has the other's. */
function withSystem(state, field, system) {
  const other = field === "system" ? "against" : "system";
  if (system !== null && state[other] === system) {
    return swapped(state);
  }
  return field === "system" ? {system, reference: null} : {against: system};
}

/** The change that makes A of B and B of A. */
function swapped(state) {
  return state.against === null ? {} : {system: state.against, against: state.system, reference: null};
}

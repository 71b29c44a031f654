/* The state of the page, and its permanent link: #overview, #segments&low=0.2, #segment=17&against=system-2. */

const VIEWS = ["overview", "words", "groups", "segments"];
const DRAWINGS = {matrix: "Matrix", ribbons: "Ribbons"};

/** The initial state: the first system compared with the second. */
function firstState(report) {
  return {
    view: "overview",
    segment: null,
    reference: null,
    drawing: "matrix",
    form: report.raw ? "raw" : "metric",
    system: 0,
    against: report.systems.length > 1 ? 1 : null,
    ...withoutFilters(),
    order: "segment",
    reverse: false,
    ...analysisState(report),
  };
}

/** The link of a state, without default values. */
function link(report, state) {
  const first = firstState(report);
  const parts =
    state.view === "segments" && state.segment !== null
      ? [`segment=${state.segment + 1}`]
      : [state.view];
  const put = (name, value) => parts.push(`${name}=${encodeURIComponent(value)}`);
  for (const name of ["system", "against"]) {
    if (state[name] !== first[name]) put(name, state[name] === null ? "" : report.systems[state[name]].name);
  }
  if (state.reference !== null && state.segment !== null) put("reference", state.reference + 1);
  for (const name of [...Object.keys(FILTERS), "order", "drawing", "form", ...ANALYSIS_NAMES]) {
    if (state[name] !== first[name]) put(name, state[name]);
  }
  if (state.reverse) parts.push("reverse");
  return `#${parts.join("&")}`;
}

/** The state of a link. Invalid values are replaced by defaults. */
function linked(report, hash) {
  const state = firstState(report);
  const given = new URLSearchParams(hash.replace(/^#/, "").replaceAll("+", "%2B"));
  const number = (name) =>
    given.get(name) === null || given.get(name).trim() === "" || !isFinite(given.get(name))
      ? null
      : Number(given.get(name));
  for (const [name, {kind, choices}] of Object.entries(FILTERS)) {
    if (kind === "number") state[name] = number(name);
    else if (kind === "text") state[name] = given.get(name) ?? "";
    else if (kind === "name") state[name] = FILTERS[name].known(report, given.get(name)) ? given.get(name) : null;
    else if (choices(report).includes(given.get(name))) state[name] = given.get(name);
  }
  state.segment = within(number("segment"), report.size);
  state.view = given.has("segments") || state.segment !== null ? "segments" : viewOf(given);
  Object.assign(state, analysisLinked(report, given));
  for (const name of ["system", "against"]) state[name] = systemNamed(report, given.get(name), state[name]);
  if (given.get("against") === "" || state.against === state.system) state.against = null;
  if (state.segment !== null)
    state.reference = within(number("reference"), report.references[state.segment].length);
  if (Object.hasOwn(ORDERS, given.get("order") ?? "")) state.order = given.get("order");
  if (Object.hasOwn(DRAWINGS, given.get("drawing") ?? "")) state.drawing = given.get("drawing");
  if (report.raw && Object.hasOwn(FORMS, given.get("form") ?? "")) state.form = given.get("form");
  state.reverse = given.has("reverse");
  return state;
}

/** The view that a link begins with. */
function viewOf(given) {
  const [first] = given.keys();
  return VIEWS.includes(first) && given.get(first) === "" ? first : "overview";
}

/** Converts a number counted from 1 to one counted from 0; null if it is out of range. */
function within(number, size) {
  return Number.isInteger(number) && number >= 1 && number <= size ? number - 1 : null;
}

function systemNamed(report, name, otherwise) {
  const found = report.systems.findIndex((system) => system.name === name);
  return name === null || found < 0 ? otherwise : found;
}

/** The change that makes a system A (`system`) or B (`against`). If it is the other one, A and B are swapped. */
function withSystem(state, field, system) {
  const other = field === "system" ? "against" : "system";
  if (system !== null && state[other] === system) {
    return swapped(state);
  }
  return field === "system" ? {system, reference: null} : {against: system};
}

/** The change that swaps A and B. */
function swapped(state) {
  return state.against === null ? {} : {system: state.against, against: state.system, reference: null};
}

/* Search, filters and order above the list; and a chip for each active filter. */

const ORDER_TITLES = {
  segment: "as in the files",
  score: "score of A",
  difference: "lead of A",
  contribution: "contribution to A’s lead",
  spread: "spread of all systems",
  length: "length",
  metric: "other metric: worst of A",
  metric_difference: "other metric: lead of A",
};
const OF_SEVERAL = ["difference", "contribution", "spread", "metric_difference"]; // orders of at least two systems
const TYPING = 80; // milliseconds to wait for the next key

class FilterBar {
  /** `current` gives the segments of the list. */
  constructor(report, change, current) {
    Object.assign(this, {report, change, inputs: {}});
    this.typed = {}; // in several fields, if the keys come fast
    this.flush = delayed(TYPING, () => {
      const values = this.typed;
      this.typed = {};
      change(values);
    });
    this.node = document.getElementById("filters");
    this.choosers = html("div", {class: "choosers"});
    this.form = html("span", {});
    this.chips = html("ul", {class: "chips", "aria-label": "Active filters"});
    this.total = html("p", {class: "total", role: "status"});
    this.clear = button("Clear filters", () => change(withoutFilters()), {class: "small", id: "filter-clear"});
    this.reverse = button("⇅", () => change((state) => ({reverse: !state.reverse})), {
      class: "small",
      id: "filter-reverse",
      "aria-pressed": "false",
      "aria-label": "Reverse the order",
    });
    fill(this.node, [
      this.choosers,
      html("div", {class: "search"}, this.text("text", "Search in all texts", "search")),
      html(
        "details",
        {class: "more-filters", id: "more-filters"},
        html("summary", {}, "Filters"),
        html("div", {class: "fields"}, this.fields()),
      ),
      this.chips,
      html(
        "div",
        {class: "ordering"},
        html("label", {for: "filter-order"}, "Order"),
        this.orders(),
        this.reverse,
        this.form,
      ),
      html("div", {class: "ordering"}, this.total, this.clear, exportButtons(report, current)),
    ]);
  }

  fields() {
    const several = this.report.systems.length > 1;
    const score = (name, label) => this.number(name, label, {step: 0.05, max: 1});
    const margin = (name, label) => this.number(name, label, {step: 0.01, max: 1});
    const lead = (name, label) => this.number(name, label, {step: 0.05, min: -1, max: 1});
    const ofA = [score("low", "Lowest score of A"), score("high", "Highest score of A")];
    return [
      range(several ? "Score of A" : "Score", ...ofA),
      several && [
        range("Score of B", score("low_b", "Lowest score of B"), score("high_b", "Highest score of B")),
        field("A beats B by", "margin", margin("margin", "A beats B by at least")),
        field("B beats A by", "behind", margin("behind", "B beats A by at least")),
        range("A − B", lead("lead_low", "Lowest A − B"), lead("lead_high", "Highest A − B")),
      ],
      range(
        "Words",
        this.number("shortest", "Minimum words in the reference"),
        this.number("longest", "Maximum words in the reference"),
      ),
      this.ofMetrics(several),
      field("Module", "module", this.choice("module", {})),
      field("Group", "group", this.choice("group", {})),
      field("Unmatched", "unmatched", this.text("unmatched", "a word that A misses")),
      leavesOut(this.report) && field("Left out", "left_out", this.choice("left_out", {yes: "a match of A", no: "none"})),
      several && field("A and B", "equal", this.choice("equal", {yes: "are equal", no: "differ"})),
    ];
  }

  /** The filters of other metrics. */
  ofMetrics(several) {
    if (!this.report.others.length) return null;
    const score = (name, label) => this.number(name, label, {step: "any", min: null});
    return [
      field("Metric", "metric", this.choice("metric", {})),
      range(
        "Its score",
        score("metric_low", "Lowest score of A by this metric"),
        score("metric_high", "Highest score of A by this metric"),
      ),
      several && field("Disagree", "disagree", this.choice("disagree", {})),
    ];
  }

  later(values) {
    Object.assign(this.typed, values);
    this.flush();
  }

  number(name, label, {step = 1, min = 0, max = null} = {}) {
    const input = (event) =>
      this.later({[name]: event.target.value === "" ? null : event.target.valueAsNumber});
    const about = {type: "number", id: `filter-${name}`, "aria-label": label};
    return this.put(name, html("input", {...about, min, max, step, input}));
  }

  text(name, placeholder, type = "text") {
    const input = (event) => this.later({[name]: event.target.value});
    const about = {id: `filter-${name}`, "aria-label": placeholder, autocomplete: "off", spellcheck: "false"};
    return this.put(name, html("input", {type, placeholder, input, ...about}));
  }

  /** A select of the choices of a filter, or any. */
  choice(name, titles) {
    return this.put(
      name,
      html(
        "select",
        {id: `filter-${name}`, change: (event) => this.change({[name]: event.target.value || null})},
        html("option", {value: ""}, "any"),
        FILTERS[name].choices(this.report).map((value) => html("option", {value}, titles[value] ?? visible(value))),
      ),
    );
  }

  orders() {
    const several = this.report.systems.length > 1;
    return this.put(
      "order",
      html(
        "select",
        {id: "filter-order", change: (event) => this.change({order: event.target.value, reverse: false})},
        Object.keys(ORDERS)
          .filter((name) => several || !OF_SEVERAL.includes(name))
          .filter((name) => this.report.others.length || !name.startsWith("metric"))
          .map((name) => html("option", {value: name}, ORDER_TITLES[name])),
      ),
    );
  }

  put(name, input) {
    this.inputs[name] = input;
    return input;
  }

  update(state, found) {
    const {report} = this;
    const kept = focusPath(this.node);
    if (report.systems.length > 1) {
      show(
        this.choosers,
        systemChooser(report, state, this.change, "system", "A"),
        systemChooser(report, state, this.change, "against", "B"),
      );
    }
    for (const [name, input] of Object.entries(this.inputs)) {
      if (input !== document.activeElement) input.value = state[name] ?? "";
      if (FILTERS[name]?.pair) input.disabled = state.against === null;
    }
    show(this.form, formSwitch(report, state, this.change, "filter-form"));
    this.reverse.setAttribute("aria-pressed", String(state.reverse));
    const chips = activeChips(report, state, this.change);
    show(this.chips, chips);
    this.chips.hidden = this.clear.hidden = !chips.length;
    show(
      this.total,
      chips.length ? `${count(found)} of ${counted(report.size, "segment")}` : counted(report.size, "segment"),
    );
    if (kept) (this.node.querySelector(kept) ?? document.getElementById("filter-text")).focus();
  }
}

/** A button for each active filter, or pair of filters, that removes it. */
function activeChips(report, state, change) {
  const active = new Set(activeFilters(state));
  return CHIPS.filter(([names]) => names.some((name) => active.has(name))).map(([names, describe]) => {
    const label = [html("bdi", {}, describe(state, report)), html("span", {"aria-hidden": "true"}, " ✕")];
    const remove = button(label, () => change(withoutFilters(names)), {
      class: "small filter-chip",
      id: `chip-${names[0]}`,
      "aria-label": `Remove the filter: ${describe(state, report)}`,
    });
    return html("li", {}, remove);
  });
}

function field(title, name, input) {
  return html("span", {class: "field"}, html("label", {for: `filter-${name}`}, title), input);
}

function range(title, low, high) {
  return html(
    "span",
    {class: "field"},
    html("span", {class: "field-title"}, title),
    low,
    html("span", {class: "quiet"}, "to"),
    high,
  );
}

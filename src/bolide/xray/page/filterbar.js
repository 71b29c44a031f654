/* Search, filters and order above the list. */

const ORDER_TITLES = {
  segment: "as in the files",
  score: "score of A",
  difference: "lead of A",
  spread: "spread of all systems",
  length: "length",
};
const TYPING = 80; // milliseconds to wait for the next key

class FilterBar {
  constructor(report, change) {
    Object.assign(this, {report, change});
    this.node = document.getElementById("filters");
    this.choosers = html("div", {class: "choosers"});
    this.form = html("span", {});
    this.inputs = {};
    this.total = html("p", {class: "total", role: "status"});
    this.clear = button("Clear filters", () => change(emptied()), {class: "small"});
    const several = report.systems.length > 1;
    const later = delayed(TYPING, (values) => change(values));
    this.inputs.text = html("input", {
      type: "search",
      id: "filter-text",
      placeholder: "Search in all texts",
      "aria-label": "Search in all texts",
      autocomplete: "off",
      spellcheck: "false",
      input: (event) => later({text: event.target.value}),
    });
    const number = (name, label, step, most) => {
      this.inputs[name] = html("input", {
        type: "number",
        id: `filter-${name}`,
        min: 0,
        max: most,
        step,
        "aria-label": label,
        input: (event) => later({[name]: event.target.value === "" ? null : event.target.valueAsNumber}),
      });
      return this.inputs[name];
    };
    this.inputs.module = html(
      "select",
      {id: "filter-module", change: (event) => change({module: event.target.value || null})},
      html("option", {value: ""}, "any"),
      report.modules.map((module) => html("option", {value: module.name}, module.name)),
    );
    this.inputs.order = html(
      "select",
      {id: "filter-order", change: (event) => change({order: event.target.value, reverse: false})},
      Object.keys(ORDERS)
        .filter((name) => several || !["difference", "spread"].includes(name))
        .map((name) => html("option", {value: name}, ORDER_TITLES[name])),
    );
    this.reverse = button("⇅", () => change((state) => ({reverse: !state.reverse})), {
      class: "small",
      id: "filter-reverse",
      "aria-pressed": "false",
      "aria-label": "Reverse the order",
    });
    this.margin = html(
      "span",
      {class: "field"},
      html("label", {for: "filter-margin"}, "A beats B by"),
      number("margin", "A beats B by at least", 0.01, 1),
    );
    fill(this.node, [
      this.choosers,
      html("div", {class: "search"}, this.inputs.text),
      html(
        "details",
        {class: "more-filters", id: "more-filters"},
        html("summary", {}, "Filters"),
        html(
          "div",
          {class: "fields"},
          range("Score", number("low", "Lowest score", 0.05, 1), number("high", "Highest score", 0.05, 1)),
          range(
            "Words",
            number("shortest", "Minimum words in the reference", 1, null),
            number("longest", "Maximum words in the reference", 1, null),
          ),
          html("span", {class: "field"}, html("label", {for: "filter-module"}, "Module"), this.inputs.module),
          several && this.margin,
        ),
      ),
      html(
        "div",
        {class: "ordering"},
        html("label", {for: "filter-order"}, "Order"),
        this.inputs.order,
        this.reverse,
        this.form,
        this.total,
        this.clear,
      ),
    ]);
    this.details = this.node.querySelector("details");
  }

  update(state, found) {
    const {report} = this;
    if (report.systems.length > 1) {
      const focused = this.choosers.contains(document.activeElement)
        ? [...this.choosers.querySelectorAll("select")].indexOf(document.activeElement)
        : -1;
      show(
        this.choosers,
        systemChooser(report, state, this.change, "system", "A"),
        systemChooser(report, state, this.change, "against", "B"),
      );
      if (focused >= 0) this.choosers.querySelectorAll("select")[focused].focus();
    }
    for (const [name, input] of Object.entries(this.inputs)) {
      if (input !== document.activeElement) input.value = state[name] ?? "";
    }
    this.inputs.margin && (this.inputs.margin.disabled = state.against === null);
    const switched = this.form.contains(document.activeElement);
    show(this.form, formSwitch(report, state, this.change, "filter-form"));
    if (switched) this.form.firstChild.focus();
    this.reverse.setAttribute("aria-pressed", String(state.reverse));
    const filtered = isFiltered(state);
    if (filtered && Object.keys(FILTERS).some((name) => name !== "text" && state[name] !== null))
      this.details.open = true;
    this.clear.hidden = !filtered;
    show(
      this.total,
      filtered ? `${count(found)} of ${counted(report.size, "segment")}` : counted(report.size, "segment"),
    );
  }
}

function emptied() {
  return Object.fromEntries(Object.keys(FILTERS).map((name) => [name, name === "text" ? "" : null]));
}

function isFiltered(state) {
  return Object.keys(FILTERS).some((name) => state[name] !== null && state[name] !== "");
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

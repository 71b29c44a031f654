/* The legend of the plots with a line for each system: click on a system to show or hide it. */

const MANY_SYSTEMS = 8; // with more, only some are shown at first
const FIRST_SHOWN = 4; // the best ones, besides A and B

class Legend {
  /** `changed` is called when other systems are visible, in `visible`. */
  constructor(report, changed) {
    Object.assign(this, {report, changed, visible: new Set(report.systems.keys())});
    this.node = html("div", {class: "legend-bar", role: "group", "aria-label": "Systems in the plots"});
    this.node.hidden = report.systems.length < 2;
  }

  update(state) {
    const pair = listedSystems(state);
    if (!this.pair && this.report.systems.length > MANY_SYSTEMS)
      this.visible = new Set([...pair, ...this.best().slice(0, FIRST_SHOWN)]);
    const missing = this.pair && pair.some((system) => !this.visible.has(system) && !this.pair.includes(system));
    if (missing) pair.forEach((system) => this.visible.add(system));
    this.pair = pair;
    this.paint();
    if (missing) this.changed();
  }

  best() {
    const score = (system) => this.report.systems[system].score ?? 0;
    return [...this.report.systems.keys()].sort((one, two) => score(two) - score(one));
  }

  show(systems) {
    this.visible = new Set([...systems].sort((one, two) => one - two));
    this.paint();
    this.changed();
  }

  toggle(system) {
    const {visible} = this;
    this.show(visible.has(system) ? [...visible].filter((each) => each !== system) : [...visible, system]);
  }

  paint() {
    const kept = focusPath(this.node);
    const all = [...this.report.systems.keys()];
    show(
      this.node,
      all.map((system) =>
        button(systemLabel(this.report, system), () => this.toggle(system), {
          class: "small legend-system",
          id: `legend-${system}`,
          "aria-pressed": String(this.visible.has(system)),
        }),
      ),
      all.length > 2 && [
        button("All", () => this.show(all), {class: "small", id: "legend-all"}),
        button("Only A and B", () => this.show(this.pair), {class: "small", id: "legend-pair"}),
      ],
    );
    if (kept) this.node.querySelector(kept).focus();
  }
}

/* A plot: drawn when it comes into view, or when the page is idle; and what the pointer does in it. */

class Plot {
  /** `change` changes the state; `open` shows a segment. */
  constructor(report, name, title, summary, {change, open, visible}) {
    Object.assign(this, {report, name, change, open, visible, drawn: null, state: null, places: null});
    this.living = LIVING[name] ?? null;
    this.canvas = html("div", {class: "plot-canvas", role: "img", "aria-label": `${title}. ${summary}`});
    this.chosen = html("div", {class: "chosen-range", "aria-hidden": "true", hidden: true});
    const file = () => `${fileTitle(report)}-${name}`;
    this.node = html(
      "figure",
      {class: this.living ? "plot living" : "plot", id: `plot-${name}`},
      html(
        "figcaption",
        {},
        html("h3", {}, title),
        saveButtons(`the plot “${title}”`, file, () => this.picture()),
      ),
      html("div", {class: "plot-place"}, this.canvas, this.chosen),
      summary && html("p", {class: "quiet"}, summary),
    );
    if (this.living) this.listen();
    new IntersectionObserver((entries) => entries.some((entry) => entry.isIntersecting) && this.draw(), {
      rootMargin: "300px",
    }).observe(this.canvas);
    new ResizeObserver(() => this.mark()).observe(this.canvas);
  }

  /** Shows another state: draws again if the plot depends on it, else only marks the range of the filters. */
  update(state) {
    const before = this.state;
    this.state = state;
    const other = this.living?.pair && `${before?.system} ${before?.against}` !== `${state.system} ${state.against}`;
    if (this.drawn) return void (other ? this.draw(true) : this.mark());
    if ("requestIdleCallback" in globalThis) requestIdleCallback(() => this.draw(), {timeout: 4000});
  }

  draw(again = false) {
    if (this.drawn && !again) return this.drawn;
    if (!this.state || !this.canvas.clientWidth) return null;
    this.drawn = this.embed(this.canvas, this.canvas.clientWidth - 4, false).then((result) => {
      this.places = new Places(this.canvas, result.view);
      this.names = this.name === "lengths" ? result.view.scale("x").domain() : [];
      attribute(this.canvas.querySelector("svg"), {"aria-hidden": "true"});
      this.mark();
    });
    return this.drawn;
  }

  /** The picture to save, with its legend. */
  async picture() {
    const place = html("div", {});
    await this.embed(place, this.canvas.clientWidth - 4, true);
    return place.querySelector("svg");
  }

  async embed(place, width, legend) {
    const embed = await vegaEmbedder();
    const {report, state, name} = this;
    const result = await embed(place, specified(report, state, name, width, this.visible(), legend), {
      mode: "vega-lite",
      renderer: "svg",
      ast: true,
      actions: false,
      defaultStyle: false,
      tooltip: (handler, event, item, value) => this.tell(event, value),
      hover: false,
    });
    if (!this.living) result.view.addEventListener("click", (event, item) => this.pick(item?.datum));
    for (const part of place.querySelectorAll("svg, svg [role], svg [aria-label]")) {
      for (const each of ["role", "aria-label", "aria-roledescription"]) part.removeAttribute(each); // the figure's
    }
    return result;
  }

  // ---- the pointer -------------------------------------------------------------------------------

  listen() {
    const {living} = this;
    const values = (at) => Object.fromEntries(living.axes.map((axis) => [axis, this.places.value(axis, at[axis])]));
    listenToPointer(this.canvas, () => this.places, {
      hover: (at, event) => {
        const found = this.name === "scatter" ? this.nearest(at) : values(at);
        if (found === null) return hideNote();
        noteAt(
          event,
          this.name === "scatter"
            ? tellSegment(this.report, this.state, found)
            : living.tell(this.report, found, this.visible(), this.names, this.state),
        );
      },
      leave: () => {
        hideNote();
        this.mark();
      },
      click: (at) => {
        if (this.name !== "scatter") return this.choose(values(at), values(at));
        const found = this.nearest(at);
        if (found !== null) this.open(found);
      },
      drag: (from, to, done) => this.choose(values(from), values(to), done),
    });
  }

  nearest(at) {
    return this.state.against === null ? null : nearest(this.report, this.state, this.places, at);
  }

  /** Chooses the range between two places: sets its filters, or only shows it while the pointer is down. */
  choose(from, to, done = true) {
    const ranges = this.living.axes.map((axis) => this.living.snap(from[axis], to[axis]));
    if (done) return this.change(this.living.filter(...ranges));
    this.chosen.hidden = false;
    this.places.put(this.chosen, Object.fromEntries(this.living.axes.map((axis, k) => [axis, ranges[k]])));
  }

  /** Marks the range of the active filters. */
  mark() {
    if (!this.living || !this.places || !this.canvas.clientWidth) return;
    const range = this.living.range(this.state);
    const set = Object.values(range).flat().some((end) => end !== null);
    this.chosen.hidden = !set;
    if (set) this.places.put(this.chosen, range);
  }

  /** The values of a bar or point. */
  tell(event, value) {
    if (this.living) return;
    if (value && typeof value === "object") noteAt(event, tellValues(value));
    else hideNote();
  }

  /** A click on a bar or point chooses its system as A, and its module as filter. */
  pick(datum) {
    const system = this.report.labels.indexOf(datum?.system);
    if (system < 0) return;
    const module = this.report.modules.find(({name}) => name === datum.module)?.name;
    this.change((state) => ({...withSystem(state, "system", system), ...(module ? {module} : {})}));
  }
}

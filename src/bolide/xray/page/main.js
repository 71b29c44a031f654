/* The page: one state, its link in the address bar, and its views. */

class Page {
  constructor(report) {
    this.report = report;
    this.state = linked(report, location.hash);
    const change = (values, push) => this.change(values, push);
    this.overview = new Overview(
      report,
      change,
      () => (this.select(), this.segments.length),
      (segment) => this.open(segment, true),
    );
    this.words = new WordsView(report, change);
    this.groups = new GroupsView(report, change);
    this.bar = new FilterBar(report, change, () => this);
    this.list = new SegmentList(report, (segment, follow) => this.open(segment, follow), change);
    this.segment = new SegmentView(report, change, (step) => this.step(step));
    show(document.getElementById("browser-title"), `${report.title || "X-ray"}: segments`);
    this.segments = [];
    this.selection = "";
    this.trail = new Trail([document.scrollingElement, this.list.node, this.segment.node]);
    addEventListener("hashchange", () => {
      if (location.hash === this.hash) return;
      this.trail.arrive();
      this.go(linked(report, location.hash));
      this.trail.restore();
    });
    preparePrinting(report, () => this);
    this.listen();
    this.show();
  }

  /** Changes the state. With `push`, the Back button of the browser undoes the change. */
  change(values, push = false) {
    const given = typeof values === "function" ? values(this.state) : values;
    this.go({...this.state, ...given}, push);
  }

  go(state, push = false) {
    const turned = this.state.view !== state.view;
    this.state = state;
    this.trail.write(link(this.report, state), push);
    this.hash = location.hash;
    this.show();
    if (turned) scrollTo(0, 0);
  }

  show() {
    const {report, state} = this;
    document.body.dataset.view = state.view;
    document.body.dataset.opened = state.segment === null ? "no" : "yes";
    document.title = [
      state.view === "segments" && state.segment !== null && `Segment ${state.segment + 1}`,
      report.title || "X-ray",
    ]
      .filter(Boolean)
      .join(" · ");
    for (const [letter, system] of [
      ["A", state.system],
      ["B", state.against],
    ]) {
      document.documentElement.style.setProperty(
        `--side-${letter}`,
        systemColour(system ?? 1),
      );
    }
    for (const view of VIEWS) {
      document.getElementById(view).hidden = state.view !== view;
      const tab = document.getElementById(`to-${view}`);
      tab.setAttribute(
        "href",
        link(report, {...state, view, segment: view === "segments" ? state.segment : null}),
      );
      view === state.view ? tab.setAttribute("aria-current", "page") : tab.removeAttribute("aria-current");
    }
    if (state.view !== "segments") return this[state.view].update(state);
    this.select();
    this.bar.update(state, this.segments.length);
    this.list.update(this.segments, state);
    this.segment.update(state);
  }

  /** Filters and sorts again only if a filter or the order has changed. */
  select() {
    const {segment, reference, drawing, view, form, ...rest} = this.state;
    const selection = JSON.stringify(rest);
    if (selection === this.selection) return;
    this.selection = selection;
    this.segments = selected(this.report, this.state);
  }

  /** Opens a segment. In a wide window the list stays, and keeps the focus unless `follow` is set. */
  open(segment, follow) {
    const wide = matchMedia("(min-width: 70rem)").matches;
    if (!wide && !follow) return;
    this.change({view: "segments", segment, reference: null}, !wide);
    if (follow) document.getElementById("segment-title").focus();
  }

  step(by) {
    if (this.state.view !== "segments") this.change({view: "segments", segment: null, reference: null}, true);
    const next = this.list.neighbour(by);
    if (next !== null) this.change({view: "segments", segment: next, reference: null});
  }

  listen() {
    const {report} = this;
    let single = true;
    const help = document.getElementById("help");
    fillHelp(
      help,
      () => single,
      (value) => (single = value),
    );
    document.getElementById("to-help").addEventListener("click", () => help.showModal());
    document.getElementById("theme").addEventListener("click", nextTheme);
    document.getElementById("print").addEventListener("click", () => print());
    document
      .getElementById("skip")
      .addEventListener("click", () =>
        document.querySelector(`#${this.state.view} :is(h1, #filter-text)`).focus(),
      );
    document.addEventListener("click", (event) => this.follow(event));
    listenForKeys(
      {
        "?": () => help.showModal(),
        o: () => this.change({view: "overview", segment: null}, true),
        d: () => this.change({view: "words", segment: null}, true),
        g: () => this.change({view: "groups", segment: null}, true),
        s: () => (this.change({view: "segments"}, true), this.list.node.focus()),
        "/": () => (this.change({view: "segments"}), document.getElementById("filter-text").focus()),
        j: () => this.step(1),
        k: () => this.step(-1),
        m: () => this.change({drawing: "matrix"}),
        r: () => this.change({drawing: "ribbons"}),
        w: () => report.raw && this.change((state) => ({form: state.form === "raw" ? "metric" : "raw"})),
        x: () => this.change(swapped),
        c: () =>
          this.change((state) => ({against: state.against !== null ? null : otherSystem(report, state)})),
        n: () => this.change((state) => nextReference(report, state)),
        t: nextTheme,
        Escape: () => this.back(),
      },
      () => single,
    );
  }

  /** Follows links to views. A key that opens them in another tab or window does so. */
  follow(event) {
    const found = event.target.closest?.('a[href^="#"]');
    if (!found || event.defaultPrevented || event.ctrlKey || event.metaKey || event.shiftKey || event.altKey) return;
    event.preventDefault();
    this.go(linked(this.report, found.getAttribute("href")), true);
  }

  back() {
    if (this.state.view !== "segments") return;
    if (this.state.segment !== null && !matchMedia("(min-width: 70rem)").matches)
      this.change({segment: null}, true);
    this.list.node.focus();
  }
}

function otherSystem(report, state) {
  return report.systems.length < 2 ? null : state.system === 0 ? 1 : 0;
}

function nextReference(report, state) {
  if (state.segment === null) return {};
  const next = (shownReference(report, state, state.segment) + 1) % report.references[state.segment].length;
  return {reference: next === ownReference(report, state, state.segment) ? null : next};
}

const THEMES = ["", "light", "dark"];

/** Switches the theme: auto, light, dark. */
function nextTheme() {
  const root = document.documentElement;
  const next = THEMES[(THEMES.indexOf(root.dataset.theme ?? "") + 1) % THEMES.length];
  root.dataset.theme = next;
  show(document.getElementById("theme"), html("span", {class: "theme-word"}, "Theme: "), next || "auto");
}

async function start() {
  const message = document.getElementById("message");
  try {
    const payload = JSON.parse(await unzipped(document.getElementById("payload")));
    const report = new Report({
      ...payload,
      colours: JSON.parse(document.getElementById("colours").textContent),
    });
    globalThis.xray = new Page(report);
    message.remove();
    document.body.dataset.ready = "yes";
    xray.trail.restore();
    requestAnimationFrame(() =>
      setTimeout(() => {
        performance.mark("shown"); // the page is painted
        globalThis.requestIdleCallback?.(() => report.searchable(0)); // prepares the first search
      }),
    );
  } catch (error) {
    show(message, `The report cannot be shown: ${error.message}. It needs a browser from 2024 or later.`);
    throw error;
  }
}

start();

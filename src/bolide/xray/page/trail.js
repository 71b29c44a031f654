/* The history of the browser. Each of its entries remembers where the page and its lists were scrolled to. */

class Trail {
  /** `nodes` are the elements that scroll. */
  constructor(nodes) {
    this.nodes = nodes;
    this.places = new Map();
    this.count = 0;
    const {entry, places} = history.state ?? {};
    this.entry = entry ?? this.next();
    if (places) this.places.set(this.entry, places); // the page was loaded again
    history.scrollRestoration = "manual"; // views are drawn later than the browser would scroll
    this.note();
    addEventListener("pagehide", () => (this.leave(), this.note()));
  }

  /** The name of a new entry. Entries from before the page was loaded again have other names. */
  next() {
    return `${performance.timeOrigin} ${++this.count}`;
  }

  leave() {
    this.places.set(this.entry, this.nodes.map((node) => node.scrollTop));
  }

  note() {
    history.replaceState({entry: this.entry, places: this.places.get(this.entry)}, "");
  }

  /** Puts a link in the address bar. Unlike `location.hash = …`, this neither scrolls nor takes the focus away. */
  write(hash, push) {
    if (location.hash === hash) return;
    const address = location.href.replace(/#.*/, "") + hash;
    if (push) {
      this.leave();
      this.entry = this.next();
      history.pushState({entry: this.entry}, "", address);
    } else history.replaceState(history.state, "", address);
  }

  /** The reader went to another entry, or wrote a link in the address bar. */
  arrive() {
    this.leave();
    this.entry = history.state?.entry ?? this.next();
    this.note();
  }

  /** Scrolls to where this entry was left; a new one begins at the top. */
  restore() {
    const places = this.places.get(this.entry);
    this.nodes.forEach((node, k) => (node.scrollTop = places?.[k] ?? 0));
  }
}

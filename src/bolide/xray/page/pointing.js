/* Pointing at a match with the pointer or the keyboard: highlights all its parts, and shows a note with the reason. */

class Pointing {
  /** `area` contains the drawings; `describe(key)` makes the contents of the note. */
  constructor(area, note, describe) {
    Object.assign(this, {area, note, describe, keys: ""});
    area.addEventListener("pointerover", (event) => this.point(event.target));
    area.addEventListener("pointerleave", () => this.leave());
    area.addEventListener("focusin", (event) => this.point(event.target));
    area.addEventListener("focusout", () => this.leave());
    area.addEventListener("keydown", (event) => this.key(event));
    area.addEventListener("scroll", () => this.leave(), true);
  }

  point(target) {
    const part = target.closest?.("[data-match], [data-words]");
    const keys = part?.dataset.match ?? part?.dataset.words ?? "";
    if (keys === this.keys && keys) return;
    this.leave();
    if (!keys) return;
    this.keys = keys;
    const wanted = new Set(keys.split(" "));
    this.area.classList.add("pointing");
    for (const each of this.area.querySelectorAll("[data-match], [data-words]")) {
      const own = (each.dataset.match ?? each.dataset.words).split(" ");
      each.classList.toggle(
        "pointed",
        own.some((key) => wanted.has(key)),
      );
    }
    show(
      this.note,
      [...wanted].map((key) => this.describe(key)),
    );
    this.place(part);
  }

  leave() {
    if (!this.keys) return;
    this.keys = "";
    this.area.classList.remove("pointing");
    for (const each of this.area.querySelectorAll(".pointed")) each.classList.remove("pointed");
    this.note.hidden = true;
  }

  /** Places the note below its match, or above if there is no space; always within the window. */
  place(part) {
    this.note.hidden = false;
    const box = part.getBoundingClientRect();
    const size = this.note.getBoundingClientRect();
    const below = box.bottom + 8 + size.height < innerHeight;
    const middle = box.left + box.width / 2 - size.width / 2;
    this.note.style.left = `${Math.max(8, Math.min(middle, document.documentElement.clientWidth - size.width - 8))}px`;
    this.note.style.top = `${below ? box.bottom + 8 : Math.max(8, box.top - size.height - 8)}px`;
  }

  /** Tab reaches one match of a drawing; arrow keys move to its neighbours. */
  key(event) {
    const step = {ArrowRight: 1, ArrowDown: 1, ArrowLeft: -1, ArrowUp: -1, Home: -Infinity, End: Infinity}[
      event.key
    ];
    const drawing = event.target.closest?.("svg.drawing");
    if (event.key === "Escape") this.leave();
    if (step === undefined || !drawing || event.ctrlKey || event.metaKey || event.altKey) return;
    const matches = [...drawing.querySelectorAll(".match")];
    const turned =
      drawing.getAttribute("direction") === "rtl" && event.key.match(/Left|Right/) ? -step : step;
    const next = Math.max(0, Math.min(matches.length - 1, matches.indexOf(event.target) + turned));
    event.preventDefault();
    event.stopPropagation();
    for (const match of matches) match.setAttribute("tabindex", match === matches[next] ? 0 : -1);
    matches[next].focus();
  }
}

/** The note about a match. */
function matchNote(info, several, direction) {
  return html(
    "div",
    {class: `about stage-${info.stage % STAGES}`},
    html(
      "p",
      {class: "about-head"},
      several && html("b", {class: `side side-${SIDE_LETTERS[info.side]}`}, SIDE_LETTERS[info.side]),
      html("span", {class: "chip"}, info.module.short),
      " ",
      html("b", {}, info.module.name),
      info.module.weight !== null && html("span", {class: "quiet"}, ` weight ${info.module.weight}`),
    ),
    html(
      "p",
      {class: "about-words", dir: direction},
      html("bdi", {}, info.hypothesis),
      html("span", {class: "quiet"}, " = "),
      html("bdi", {}, info.reference),
    ),
    info.reason && html("p", {}, info.reason),
    html("p", {class: "quiet"}, `chunk ${info.chunk} of ${info.chunks}`),
  );
}

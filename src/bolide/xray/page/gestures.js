/* Plots: from pixels to values, and the gestures of the pointer: point, click, and drag over a range. The keyboard
   has the filters of the list, which do the same. */

const CLICK = 4; // pixels: a shorter drag is a click

/** The places of a drawn plot: pixels of the canvas to values of its scales, and back. */
class Places {
  constructor(canvas, view) {
    Object.assign(this, {canvas, view});
    const [x, y] = view.origin();
    const {left, top} = view.padding();
    this.origin = {x: x + left, y: y + top};
    this.size = {x: view.width(), y: view.height()};
  }

  /** How much the picture is scaled, because it may be wider than its place. */
  get zoom() {
    const picture = this.canvas.querySelector("svg");
    return picture.getBoundingClientRect().width / picture.viewBox.baseVal.width || 1;
  }

  /** The position of an event in the plot, in its own pixels; null if it is outside. */
  point(event, clamped = false) {
    const box = this.canvas.querySelector("svg").getBoundingClientRect();
    const at = {
      x: (event.clientX - box.left) / this.zoom - this.origin.x,
      y: (event.clientY - box.top) / this.zoom - this.origin.y,
    };
    const inside = (axis) => at[axis] >= -1 && at[axis] <= this.size[axis] + 1;
    if (!clamped) return inside("x") && inside("y") ? at : null;
    return {x: limited(at.x, 0, this.size.x), y: limited(at.y, 0, this.size.y)};
  }

  value(axis, pixels) {
    const scale = this.view.scale(axis);
    if (!scale.step) return scale.invert(pixels);
    return limited(Math.floor(pixels / scale.step()), 0, scale.domain().length - 1); // the place of a band
  }

  pixels(axis, value) {
    const scale = this.view.scale(axis);
    return scale.step ? value * scale.step() : scale(value);
  }

  /** Places a box over the plot; ends that are null are those of the plot. */
  put(box, {x = [null, null], y = [null, null]}) {
    const [left, right] = this.ends("x", x);
    const [top, bottom] = this.ends("y", y);
    const sizes = {
      left: this.origin.x + left,
      top: this.origin.y + top,
      width: right - left,
      height: bottom - top,
    };
    for (const [name, pixels] of Object.entries(sizes)) box.style[name] = `${pixels * this.zoom}px`;
  }

  ends(axis, [low, high]) {
    const first = axis === "x" ? 0 : this.size.y;
    const last = axis === "x" ? this.size.x : 0;
    const of = (value, end) =>
      value === null ? end : limited(this.pixels(axis, value), 0, this.size[axis]);
    return [of(low, first), of(high, last)].sort((one, two) => one - two);
  }
}

function limited(value, low, high) {
  return Math.max(low, Math.min(high, value));
}

/** Listens to the pointer over a plot. `act` has `hover(point, event)`, `leave()`, `click(point)` and
    `drag(from, to, done)`; a plot without `drag` can only be pointed at and clicked. */
function listenToPointer(canvas, places, act) {
  let start = null;
  const stop = () => {
    start = null;
    act.leave();
  };
  canvas.addEventListener("pointermove", (event) => {
    const now = places();
    if (!now) return;
    if (!start) {
      const at = now.point(event);
      return void (at ? act.hover(at, event) : act.leave());
    }
    const to = now.point(event, true);
    if (act.drag && Math.hypot(to.x - start.x, to.y - start.y) >= CLICK) act.drag(start, to, false);
  });
  canvas.addEventListener("pointerdown", (event) => {
    start = event.button === 0 ? (places()?.point(event) ?? null) : null;
    if (!start) return;
    canvas.setPointerCapture(event.pointerId);
    if (act.drag) event.preventDefault(); // no selection of text
  });
  canvas.addEventListener("pointerup", (event) => {
    if (!start) return;
    const [from, to] = [start, places().point(event, true)];
    stop();
    if (act.drag && Math.hypot(to.x - from.x, to.y - from.y) >= CLICK) act.drag(from, to, true);
    else act.click(from);
  });
  canvas.addEventListener("pointercancel", stop);
  canvas.addEventListener("pointerleave", () => !start && act.leave());
  addEventListener("keydown", (event) => event.key === "Escape" && start && stop());
}

/** Shows a note beside the pointer, within the window. */
function noteAt(event, ...contents) {
  const note = document.getElementById("note");
  show(note, ...contents);
  note.hidden = false;
  const {width, height} = note.getBoundingClientRect();
  const right = event.clientX + 16 + width < document.documentElement.clientWidth;
  const left = right ? event.clientX + 16 : Math.max(8, event.clientX - 16 - width);
  note.style.left = `${left}px`;
  note.style.top = `${limited(event.clientY + 12, 8, Math.max(8, innerHeight - height - 8))}px`;
}

function hideNote() {
  document.getElementById("note").hidden = true;
}

/* Keyboard shortcuts, and their help. */

const KEYS = [
  ["?", "this help"],
  ["o", "overview"],
  ["d", "words"],
  ["g", "groups"],
  ["s", "segments"],
  ["/", "search"],
  ["j", "next segment"],
  ["k", "previous segment"],
  ["m", "matrix"],
  ["r", "ribbons"],
  ["w", "words as the metric sees them, or as written"],
  ["x", "swap A and B"],
  ["c", "comparison with B on or off"],
  ["n", "next reference"],
  ["t", "theme: auto, light, dark"],
  ["Escape", "back to the list"],
];
const OTHER_KEYS = [
  ["↑ ↓ Home End", "in the list: move between segments; in a drawing: between matches"],
  ["Enter", "in the list: open the segment"],
  ["Tab", "move to other controls"],
];

/** Calls `actions[key]`, but not while the user types, and not with Ctrl, Meta or Alt. */
function listenForKeys(actions, enabled) {
  document.addEventListener("keydown", (event) => {
    const typing = event.target.closest?.("input:not([type=radio]):not([type=checkbox]), select, textarea");
    if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector("dialog[open]")) return;
    if (typing && event.key !== "Escape") return;
    if (!Object.hasOwn(actions, event.key) || (event.key !== "Escape" && !enabled())) return;
    event.preventDefault();
    actions[event.key](event);
  });
}

function fillHelp(dialog, enabled, enable) {
  const rows = [...KEYS, ...OTHER_KEYS].map(([keys, what]) =>
    html(
      "tr",
      {},
      html(
        "th",
        {scope: "row"},
        keys.split(" ").map((key) => [html("kbd", {}, key), " "]),
      ),
      html("td", {}, what),
    ),
  );
  fill(dialog, [
    html("h2", {id: "help-title"}, "Keys"),
    html("table", {class: "keys"}, html("tbody", {}, rows)),
    html(
      "label",
      {class: "switch"},
      html("input", {
        type: "checkbox",
        id: "help-single",
        checked: enabled(),
        change: (event) => enable(event.target.checked),
      }),
      " Enable single-key shortcuts",
    ),
    html("form", {method: "dialog"}, html("button", {}, "Close")),
  ]);
}

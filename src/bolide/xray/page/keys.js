/* Keys. Each has its line in the help, which this table makes. */

const KEYS = [
  ["?", "this help"],
  ["o", "overview"],
  ["s", "segments"],
  ["/", "search"],
  ["j", "next segment of the list"],
  ["k", "segment before"],
  ["m", "matrix"],
  ["r", "ribbons"],
  ["x", "swap A and B"],
  ["c", "compare with B, or not"],
  ["n", "next reference"],
  ["t", "theme: as the system’s, light, dark"],
  ["Escape", "back to the list"],
];
const OTHER_KEYS = [
  ["↑ ↓ Home End", "in the list: other segments; in a drawing: other matches"],
  ["Enter", "in the list: go to the segment"],
  ["Tab", "everything else"],
];

/** Calls `actions[key]`; not while someone types, and not with Ctrl and the like. */
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
      " Single keys act",
    ),
    html("form", {method: "dialog"}, html("button", {}, "Close")),
  ]);
}

/* The picture, sound or video of a segment. Nothing is loaded from the network: such addresses are links. */

function mediaRow(report, segment) {
  const [kind, address, title] = report.media?.[segment] ?? [];
  if (!kind) return null;
  const name = visible(title);
  const node =
    kind === "link"
      ? html("a", {href: safeAddress(address), rel: "noopener noreferrer", target: "_blank"}, name)
      : kind === "image"
        ? html("img", {src: address, alt: name})
        : html(kind, {src: address, controls: true, preload: "metadata", "aria-label": name, title: name});
  return html("div", {class: "text-row"}, html("span", {class: "text-title"}, "media"), html("p", {class: "media"}, node));
}

/** Addresses of other schemes, such as javascript:, are left out. */
function safeAddress(address) {
  return /^(https?:\/\/|\.\/)/.test(address) ? address : null;
}

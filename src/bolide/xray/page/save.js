/* Saves a picture as SVG or PNG on a white background. CSS variables are replaced by their light-theme values. */

/** The light-theme colours of all CSS variables in a text, as #rrggbb. */
function lightColours(text) {
  const probe = html("span", {class: "light-probe"});
  document.body.append(probe);
  const painter = document.createElement("canvas").getContext("2d", {willReadFrequently: true});
  const found = new Map();
  for (const [variable] of text.matchAll(/var\(--[\w-]+\)/g)) {
    if (found.has(variable)) continue;
    probe.style.color = variable;
    painter.fillStyle = getComputedStyle(probe).color;
    painter.fillRect(0, 0, 1, 1);
    const bytes = painter.getImageData(0, 0, 1, 1).data.slice(0, 3);
    found.set(variable, "#" + [...bytes].map((byte) => byte.toString(16).padStart(2, "0")).join(""));
  }
  probe.remove();
  return found;
}

/** A picture as a separate file. */
function svgFile(picture) {
  const copy = picture.cloneNode(true);
  const [, , width, height] = picture.getAttribute("viewBox").split(" ").map(Number);
  attribute(copy, {
    xmlns: SVG,
    width,
    height,
    "font-family": copy.getAttribute("font-family") ?? "system-ui, sans-serif",
  });
  for (const name of ["class", "style"]) copy.removeAttribute(name);
  for (const node of copy.querySelectorAll("[tabindex]")) node.removeAttribute("tabindex");
  copy.prepend(svg("rect", {width: "100%", height: "100%", fill: "#ffffff"}));
  const text = new XMLSerializer().serializeToString(copy);
  const colours = lightColours(text);
  return {width, height, text: text.replaceAll(/var\(--[\w-]+\)/g, (variable) => colours.get(variable))};
}

const SCALE = 2; // for sharp PNGs on high-density screens

async function pngFile({text, width, height}) {
  const image = new Image();
  image.src = URL.createObjectURL(new Blob([text], {type: "image/svg+xml"}));
  await image.decode();
  const canvas = html("canvas", {width: Math.ceil(width * SCALE), height: Math.ceil(height * SCALE)});
  const painter = canvas.getContext("2d");
  painter.drawImage(image, 0, 0, canvas.width, canvas.height);
  URL.revokeObjectURL(image.src);
  return new Promise((resolve) => canvas.toBlob(resolve, "image/png"));
}

const MOST_LETTERS = 60; // of a title in the name of a file

/** The beginning of the name of a file. */
function fileTitle(report) {
  return [...(report.title || "xray")].slice(0, MOST_LETTERS).join("");
}

function download(blob, name) {
  const anchor = html("a", {href: URL.createObjectURL(blob), download: name});
  anchor.click();
  setTimeout(() => URL.revokeObjectURL(anchor.href), 10_000);
}

/** Two buttons that save a picture, which may be a promise. */
function saveButtons(what, name, picture) {
  const save = async (kind) => {
    const file = svgFile(await picture());
    const blob = kind === "png" ? await pngFile(file) : new Blob([file.text], {type: "image/svg+xml"});
    download(blob, `${name()}.${kind}`);
  };
  return html(
    "span",
    {class: "save"},
    ["svg", "png"].map((kind) =>
      button(kind.toUpperCase(), () => save(kind), {
        class: "small",
        "aria-label": `Save ${what} as ${kind.toUpperCase()}`,
      }),
    ),
  );
}

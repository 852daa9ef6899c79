
// Buttons that save a chart with its heading, which stands above the view: as SVG, and as PNG of twice
// its size.
const save = (url, name) => Object.assign(document.createElement("a"), { href: url, download: name }).click();
const whole = (svg) => {
  const copy = svg.cloneNode(true);
  const drawn = svg.getBBox(), margin = 14;
  const [x, y] = [drawn.x - margin, drawn.y - margin];
  const [width, height] = [drawn.width + 2 * margin, drawn.height + 2 * margin];
  const ground = document.createElementNS(svg.namespaceURI, "rect");
  Object.entries({ x, y, width, height, fill: "#FFFFFF" }).forEach((pair) => ground.setAttribute(...pair));
  copy.prepend(ground);
  Object.entries({ viewBox: [x, y, width, height].join(" "), width, height })
    .forEach((pair) => copy.setAttribute(...pair));
  const text = new XMLSerializer().serializeToString(copy);
  return { width, height, url: URL.createObjectURL(new Blob([text], { type: "image/svg+xml" })) };
};
const saved = {
  SVG: (svg, name) => save(whole(svg).url, name + ".svg"),
  PNG: (svg, name) => {
    const { width, height, url } = whole(svg);
    const canvas = Object.assign(document.createElement("canvas"), { width: 2 * width, height: 2 * height });
    const image = new Image();
    image.onload = () => {
      canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
      save(canvas.toDataURL("image/png"), name + ".png");
    };
    image.src = url;
  },
};
for (const svg of document.querySelectorAll("figure svg")) {
  const figure = svg.closest("figure");
  const buttons = Object.assign(document.createElement("p"), { className: "saved" });
  for (const kind in saved) {
    const button = Object.assign(document.createElement("button"), { type: "button", textContent: kind });
    button.setAttribute("aria-label", `Save ${figure.id} as ${kind}`);
    button.onclick = () => saved[kind](svg, figure.id);
    buttons.append(button);
  }
  figure.querySelector("figcaption").append(buttons);
}


// Buttons that save a picture with its heading: as SVG, and as PNG of twice its size. A picture that is
// shown much reduced has a button for its full size.
const save = (url, name) => Object.assign(document.createElement("a"), { href: url, download: name }).click();
const whole = (svg) => {
  const copy = svg.cloneNode(true);
  const [x, y, width, height] = svg.dataset.whole.split(" ").map(Number);
  const ground = document.createElementNS(svg.namespaceURI, "rect");
  Object.entries({ x, y, width, height, fill: "#FFFFFF" }).forEach((pair) => ground.setAttribute(...pair));
  copy.prepend(ground);
  Object.entries({ viewBox: svg.dataset.whole, width, height }).forEach((pair) => copy.setAttribute(...pair));
  const text = new XMLSerializer().serializeToString(copy);
  return { width, height, url: URL.createObjectURL(new Blob([text], { type: "image/svg+xml" })) };
};
const saved = {
  SVG: (svg, name) => save(whole(svg).url, name + ".svg"),
  PNG: (svg, name) => {
    const { width, height, url } = whole(svg);
    const scale = Math.min(2, 12000 / Math.max(width, height));
    const canvas = Object.assign(document.createElement("canvas"), { width: width * scale, height: height * scale });
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
  if (svg.viewBox.baseVal.width > 1.5 * svg.getBoundingClientRect().width) {
    const button = Object.assign(document.createElement("button"), { type: "button", textContent: "Full size" });
    button.setAttribute("aria-pressed", false);
    button.onclick = () => button.setAttribute("aria-pressed", figure.classList.toggle("full"));
    buttons.append(button);
  }
  figure.querySelector("figcaption").append(buttons);
}

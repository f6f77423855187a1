// The text of a plot -> the plot. Our own backend has made it with all strings escaped; still only shapes and
// words of a drawing get through here, so that a slip there would not matter.

const PARTS = new Set(["svg", "g", "path", "rect", "line", "circle", "polyline", "polygon", "text", "tspan", "title", "desc"]);
const FORBIDDEN = /^(on|href$|xlink:|src$)/i;

export function drawFigure(text: string): Element | null {
  // As HTML, in which a drawing needs no namespace; what is parsed apart from a page never runs.
  const parsed = new DOMParser().parseFromString(text, "text/html").body.firstElementChild;
  if (parsed?.nodeName !== "svg") return null;
  for (const element of [parsed, ...parsed.querySelectorAll("*")]) {
    if (!PARTS.has(element.nodeName)) element.remove();
    for (const { name, value } of [...element.attributes]) {
      if (FORBIDDEN.test(name) || /url\(|javascript:/i.test(value)) element.removeAttribute(name);
    }
  }
  return document.importNode(parsed, true);
}

"""What to look at on any page: words for pictures and controls, contrast, and where the keyboard is."""

WITHOUT_ALTERNATIVE = """
[...document.querySelectorAll('article img')].filter(e => !e.hasAttribute('alt'))
  .concat([...document.querySelectorAll('article svg')].filter(e =>
    !e.closest('[aria-hidden=true], .twemoji, button')
    && !(e.getAttribute('aria-label') || e.querySelector(':scope > title')?.textContent)))
  .map(e => e.outerHTML.slice(0, 120))
"""

WITHOUT_NAME = """
[...document.querySelectorAll('a[href], button, input:not([type=hidden]), summary')]
  .filter(e => e.checkVisibility({visibilityProperty: true}))
  .filter(e => !(e.textContent.trim() || e.getAttribute('aria-label') || e.title || e.placeholder
    || e.labels?.length))
  .map(e => e.outerHTML.slice(0, 120))
"""

# The colours of all text that is seen, with the colour behind it, and the ratio that they need.
TOO_FAINT = """
(() => {
  const colours = new Map();
  const parse = text => {
    if (colours.has(text)) return colours.get(text);
    const canvas = parse.canvas ??= Object.assign(document.createElement('canvas'),
      {width: 1, height: 1}).getContext('2d', {willReadFrequently: true});
    canvas.clearRect(0, 0, 1, 1);
    canvas.fillStyle = text;
    canvas.fillRect(0, 0, 1, 1);
    const [r, g, b, a] = canvas.getImageData(0, 0, 1, 1).data;
    colours.set(text, [r, g, b, a / 255]);
    return colours.get(text);
  };
  const over = (top, below) => [0, 1, 2].map(i => top[i] * top[3] + below[i] * (1 - top[3]))
    .concat(1);
  const light = colour => {
    const [r, g, b] = colour.map(v => v / 255)
      .map(v => v <= 0.03928 ? v / 12.92 : ((v + 0.055) / 1.055) ** 2.4);
    return 0.2126 * r + 0.7152 * g + 0.0722 * b;
  };
  const ratio = (one, other) => {
    const [a, b] = [light(one), light(other)];
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
  };
  const grounds = new Map([[null, [255, 255, 255, 1]]]);
  const behind = element => {
    if (!grounds.has(element)) {
      const rect = ['g', 'svg'].includes(element.tagName) ? element.querySelector(':scope > rect:first-child') : null;
      const style = getComputedStyle(rect ?? element);
      const own = [...parse(rect ? (style.fill === 'none' ? '#0000' : style.fill) : style.backgroundColor)];
      if (rect) own[3] *= parseFloat(style.fillOpacity);
      grounds.set(element, over(own, behind(element.parentElement)));
    }
    return grounds.get(element);
  };
  const opacities = new Map([[null, 1]]);
  const opacity = element => {
    if (!opacities.has(element)) {
      opacities.set(element, getComputedStyle(element).opacity * opacity(element.parentElement));
    }
    return opacities.get(element);
  };
  const found = new Map();
  const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
  while (walker.nextNode()) {
    const element = walker.currentNode.parentElement;
    if (!walker.currentNode.textContent.trim() || !element
        || !element.checkVisibility({visibilityProperty: true, opacityProperty: true})
        || element.closest('.md-search__output, .headerlink, .md-top, .md-skip, title, noscript,'
          + ' script, style')) continue;
    const box = element.getBoundingClientRect();
    if (!box.width || !box.height) continue;
    const style = getComputedStyle(element);
    const ground = behind(element);
    let ink = parse(element instanceof SVGElement ? style.fill : style.color);
    ink = over([ink[0], ink[1], ink[2], ink[3] * opacity(element)], ground);
    const size = parseFloat(style.fontSize);
    const large = size >= 24 || (size >= 18.66 && style.fontWeight >= 700);
    const seen = ratio(ink, ground);
    if (seen < (large ? 3 : 4.5)) {
      found.set(`${element.tagName}.${element.getAttribute('class')}`,
        `${walker.currentNode.textContent.trim().slice(0, 30)}: ${seen.toFixed(2)}`);
    }
  }
  return [...found].map(each => each.join(' '));
})()
"""

OPEN_EVERYTHING = """
document.head.append(Object.assign(document.createElement('style'),
  {textContent: '* { transition: none !important }'}));
document.querySelectorAll('details').forEach(e => { e.open = true });
document.documentElement.dataset.formal = 'on';
"""

# The theme hides the control of its palette, and marks its label instead; an editor is marked as a whole.
FOCUSED = """
(e => {
  const style = getComputedStyle(e), box = e.getBoundingClientRect();
  return {
    what: e.outerHTML.slice(0, 100),
    outlined: style.outlineStyle !== 'none' && parseFloat(style.outlineWidth) > 0
      || style.boxShadow !== 'none',
    // The theme can be scrolled with the keys where results of a search will be.
    seen: e.matches('body, .md-search__scrollwrap') || box.width > 0 && box.height > 0 && box.right > 0 && box.bottom > 0,
    body: e === document.body,
  };
})((e => e.matches('.md-option') ? e.parentElement.querySelector('label:not([hidden])')
    : e.closest('.cm-editor') ?? e)(document.activeElement))
"""

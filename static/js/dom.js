// The few words in which the screens build the page. Nothing here parses markup.

const SVG = 'http://www.w3.org/2000/svg';

/** Make an element. `props`: attributes, `data` for data-*, `on` for listeners; null and false are left out. */
export function h(tag, props = {}, ...children) {
  const node = document.createElement(tag);
  const { on = {}, data = {}, ...attributes } = props;
  for (const [name, value] of Object.entries(attributes)) setAttr(node, name, value);
  for (const [name, value] of Object.entries(data)) setData(node, name, value);
  for (const [name, listener] of Object.entries(on)) node.addEventListener(name, listener);
  node.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return node;
}

/** Make a picture of a symbol of the page's sprite. */
export function picture(symbol, className) {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('class', className);
  svg.setAttribute('aria-hidden', 'true');
  svg.setAttribute('focusable', 'false');
  const use = document.createElementNS(SVG, 'use');
  use.setAttribute('href', `#${symbol}`);
  svg.append(use);
  return svg;
}

/** Set an attribute if it differs; true is the bare attribute, null and false take it away. */
export function setAttr(node, name, value) {
  if (value === null || value === undefined || value === false) {
    if (node.hasAttribute(name)) node.removeAttribute(name);
  } else {
    const text = value === true ? '' : String(value);
    if (node.getAttribute(name) !== text) node.setAttribute(name, text);
  }
}

export function setData(node, name, value) {
  if (value === null || value === undefined) delete node.dataset[name];
  else if (node.dataset[name] !== String(value)) node.dataset[name] = String(value);
}

export function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

/** Keep one child a key: reuse those there, make the new, drop the gone, in the given order. */
export function keyed(parent, keys, make) {
  const wanted = new Set(keys.map(String));
  const old = new Map();
  for (const child of [...parent.children]) {
    if (wanted.has(child.dataset.key)) old.set(child.dataset.key, child);
    else child.remove();
  }
  let next = parent.firstElementChild;
  return keys.map((key) => {
    const node = old.get(String(key)) || make(key);
    node.dataset.key = String(key);
    // A node that is where it belongs is not touched: moving it would take the focus from it.
    if (node === next) next = next.nextElementSibling;
    else parent.insertBefore(node, next);
    return node;
  });
}

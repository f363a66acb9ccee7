// A small window over the page with anything in it. It holds the focus while it is open and gives it back.

import { h, picture } from './dom.js';
import { t } from './i18n.js';

let serial = 0;
const stack = []; // the windows that are open, the last one on top
const REACHABLE = 'button:not([disabled]), input:not([disabled]), select, a[href]';

/** Open a window; gives {close}. Escape, its button and a click beside it close it. `back` gets the focus if who had it is gone. */
export function openWindow({ title, className = '', testid, back = 'main' }, ...content) {
  serial += 1;
  const before = document.activeElement;
  const id = `window-title-${serial}`;
  const out = h('button', { type: 'button', class: 'icon-button window-close', 'aria-label': t('window.close'), on: { click: () => close() } },
    picture('cross', 'icon'));
  const box = h('div', { class: `dialog paper window ${className}`, role: 'dialog', 'aria-modal': 'true', 'aria-labelledby': id, data: { testid } },
    h('div', { class: 'window-head' }, h('h2', { id }, title), out), ...content);
  const shade = h('div', { class: 'shade', on: { click: (event) => event.target === shade && close() } }, box);
  function close() {
    if (!shade.isConnected) return;
    shade.remove();
    stack.splice(stack.indexOf(box), 1);
    document.removeEventListener('keydown', guard, true);
    const heir = before && before.isConnected && before !== document.body ? before : document.querySelector(back);
    if (heir) heir.focus({ preventScroll: true });
  }
  shade.addEventListener('keydown', (event) => {
    event.stopPropagation();
    if (event.key === 'Escape') close();
    if (event.key === 'Tab') keepInside(event, box);
  });
  /** Should the focus have got out, as when the screen behind is made anew, no key acts there. */
  function guard(event) {
    if (box !== stack[stack.length - 1] || box.contains(event.target)) return;
    event.stopPropagation();
    if (event.key === 'Escape') close();
    if (event.key !== 'Tab') return;
    event.preventDefault();
    out.focus();
  }
  document.addEventListener('keydown', guard, true);
  document.body.append(shade);
  stack.push(box);
  out.focus();
  return { close };
}

/** The Tab key goes round within the box. */
function keepInside(event, box) {
  const stops = [...box.querySelectorAll(REACHABLE)].filter((node) => node.getClientRects().length);
  const at = stops.indexOf(document.activeElement);
  const next = event.shiftKey ? at - 1 : at + 1;
  if (at >= 0 && next >= 0 && next < stops.length) return;
  event.preventDefault();
  stops[event.shiftKey ? stops.length - 1 : 0].focus();
}

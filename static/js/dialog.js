// A small window that asks one question. It holds the focus while it is open and gives it back.

import { h } from './dom.js';

let serial = 0;

/** Ask; gives true for yes. Escape and a click beside it are no. */
export function confirm({ title, text, yes, no }) {
  serial += 1;
  const before = document.activeElement;
  return new Promise((resolve) => {
    const close = (answer) => {
      shade.remove();
      if (before && before.isConnected) before.focus();
      resolve(answer);
    };
    const stay = h('button', { type: 'button', class: 'quiet', on: { click: () => close(false) } }, no);
    const go = h('button', { type: 'button', class: 'danger', on: { click: () => close(true) } }, yes);
    const box = h('div', {
      class: 'dialog paper', role: 'dialog', 'aria-modal': 'true',
      'aria-labelledby': `dialog-title-${serial}`, 'aria-describedby': `dialog-text-${serial}`,
    },
    h('h2', { id: `dialog-title-${serial}` }, title),
    h('p', { id: `dialog-text-${serial}` }, text),
    h('div', { class: 'buttons' }, go, stay));
    const shade = h('div', { class: 'shade', on: { click: (event) => event.target === shade && close(false) } }, box);
    shade.addEventListener('keydown', (event) => {
      event.stopPropagation();
      if (event.key === 'Escape') close(false);
      if (event.key === 'Tab') {
        event.preventDefault(); // two buttons: Tab in either direction is the other one
        (document.activeElement === stay ? go : stay).focus();
      }
    });
    document.body.append(shade);
    stay.focus();
  });
}

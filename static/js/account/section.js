// The frame of each part of the account page.

import { h } from '../dom.js';
import { t } from '../i18n.js';

/** A panel under a heading, with a line about what it is for. */
export function section(name, title, hint, ...content) {
  return h('section', { class: 'panel', 'aria-labelledby': `account-${name}`, data: { testid: `account-${name}` } },
    h('h2', { id: `account-${name}` }, t(title)), hint ? h('p', { class: 'small' }, t(hint)) : null, ...content);
}

/** Where something that went wrong is said. */
export const troubleLine = () => h('p', { class: 'trouble', role: 'alert' });

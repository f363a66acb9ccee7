// Said by a tab whose seat another tab has taken: the newer one plays, this one may take the seat back.

import { h } from '../dom.js';
import { t } from '../i18n.js';

/** Make the veil over the screen. */
export function veil(onTakeBack) {
  return h('div', {
    class: 'shade', role: 'dialog', 'aria-labelledby': 'replaced-title', 'aria-describedby': 'replaced-text', data: { testid: 'replaced' },
  },
  h('div', { class: 'dialog paper' },
    h('h2', { id: 'replaced-title' }, t('replaced.title')),
    h('p', { id: 'replaced-text' }, t('replaced.text')),
    h('div', { class: 'buttons' },
      h('button', { type: 'button', class: 'primary', on: { click: onTakeBack } }, t('replaced.take_back')),
      h('a', { class: 'button quiet', href: '/' }, t('result.home')))));
}

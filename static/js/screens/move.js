// Arriving on this device as the player who made a code on another one.

import { troubleLine } from '../account/section.js';
import { accountRefusal } from '../account/words.js';
import { readTransfer } from '../code.js';
import { h } from '../dom.js';
import { t } from '../i18n.js';
import { languageCorner } from '../language.js';
import { post } from '../net/api.js';
import { guarded, labelled } from './parts.js';

export class Move {
  constructor({ store }) {
    const { me } = store.get();
    const trouble = troubleLine();
    const code = h('input', {
      type: 'text', name: 'transfer', dir: 'ltr', autocomplete: 'off', autocapitalize: 'characters', spellcheck: 'false', required: true, class: 'code-input',
      value: readTransfer(location.hash.slice(1)),
    });
    // The code serves once and belongs to nobody's history.
    history.replaceState(history.state, '', location.pathname);
    const submit = guarded(trouble, async () => {
      await post('/transfers', { code: readTransfer(code.value), session: true });
      location.assign('/');
    }, accountRefusal);
    this.title = h('h1', { class: 'display', tabindex: '-1' }, t('move.title'));
    this.node = h('section', { class: 'home players-page account-page' }, languageCorner(), this.title,
      h('form', { class: 'panel account-form', data: { testid: 'move' }, on: { submit } }, h('p', {}, t('move.text')),
        me ? h('p', { class: 'small' }, t('move.instead', { name: me.name })) : null, labelled(t('move.code'), code), trouble,
        h('button', { type: 'submit', class: 'primary' }, t('move.button')), h('a', { class: 'button quiet', href: '/' }, t('result.home'))));
  }

  update() {}

  destroy() {}
}

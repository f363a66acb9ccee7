// Taking along everything that is kept about me, and leaving for good.

import { h, setText } from '../dom.js';
import { t } from '../i18n.js';
import { ask, get } from '../net/api.js';
import { guarded } from '../screens/parts.js';
import { openWindow } from '../window.js';
import { passwordField } from './fields.js';
import { section, troubleLine } from './section.js';
import { accountRefusal } from './words.js';

/** The download of everything, and the end; `left()` hears of the latter. */
export function leaving(player, left) {
  const trouble = troubleLine();
  return section('leaving', 'account.yours', null,
    h('a', { class: 'button quiet', href: '/api/v1/players/me/export', download: 'basra.json' }, t('account.export')), h('p', { class: 'small' }, t('account.export_hint')), trouble,
    h('button', { type: 'button', class: 'danger', on: { click: guarded(trouble, async () => askWhether(player, await get('/players/me'), left), accountRefusal) } }, t('account.delete')));
}

function askWhether(player, { username }, left) {
  const trouble = troubleLine();
  const password = username === null ? null : passwordField('current-password');
  const submit = guarded(trouble, async () => {
    await ask('DELETE', '/players/me', password ? { password: password.read() } : {});
    setText(trouble, '');
    opened.close();
    left();
  }, accountRefusal);
  const stay = h('button', { type: 'button', class: 'quiet', on: { click: () => opened.close() } }, t('account.delete_no'));
  const opened = openWindow({ title: t('account.delete_title', { name: player.name }), className: 'report', testid: 'delete-window' },
    h('form', { class: 'report-form', on: { submit } }, h('p', {}, t('account.delete_text')), password ? password.node : null, trouble,
      h('div', { class: 'buttons' }, h('button', { type: 'submit', class: 'danger' }, t('account.delete_yes')), stay)));
}

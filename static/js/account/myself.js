// The name that others are shown, and the password.

import { h, setText } from '../dom.js';
import { t } from '../i18n.js';
import { ask } from '../net/api.js';
import { guarded, nameField, tick } from '../screens/parts.js';
import { remember } from '../session.js';
import { PASSWORD_LEAST, passwordField } from './fields.js';
import { section, troubleLine } from './section.js';
import { accountRefusal } from './words.js';

const done = (text) => h('p', { class: 'done', role: 'status', data: { testid: 'done' } }, text);

/** Changing one's name; `changed(player)` hears of it. */
export function renaming(player, changed) {
  const trouble = troubleLine();
  const name = nameField(player.name);
  const said = done('');
  const submit = guarded(trouble, async () => {
    setText(said, '');
    const renamed = await ask('PATCH', '/players/me', { name: name.read() });
    remember('name', renamed.name);
    setText(said, t('account.renamed'));
    changed(renamed);
  }, accountRefusal);
  return section('name', 'account.name', 'account.name_hint',
    h('form', { class: 'account-form', on: { submit } }, name.node, trouble, said, h('button', { type: 'submit', class: 'quiet' }, t('account.save'))));
}

/** Changing one's password, which signs out everywhere else and ends the tokens, too, if asked; `changed()` hears of it. */
export function newPassword(changed) {
  const trouble = troubleLine();
  const former = passwordField('current-password', t('account.password_now'));
  const next = passwordField('new-password', t('account.password_next'));
  const said = done('');
  let ends = false;
  const tokens = tick({ label: t('account.password_ends_tokens'), value: ends, onChange: (on) => { ends = on; } });
  const submit = guarded(trouble, async () => {
    setText(said, '');
    if ([...next.read()].length < PASSWORD_LEAST) {
      setText(trouble, t('account.trouble.password_short'));
      next.input.focus();
      return;
    }
    await ask('PUT', '/players/me/password', { password: former.read(), new_password: next.read(), end_tokens: ends });
    former.input.value = '';
    next.input.value = '';
    setText(said, t('account.password_changed'));
    changed();
  }, accountRefusal);
  return section('password', 'account.password_title', 'account.password_change_hint',
    h('form', { class: 'account-form', on: { submit } }, former.node, next.node, tokens, trouble, said, h('button', { type: 'submit', class: 'quiet' }, t('account.save'))));
}

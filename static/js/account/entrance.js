// Registering what a guest has, and signing in to what one has already.

import { h, setText } from '../dom.js';
import { t } from '../i18n.js';
import { post } from '../net/api.js';
import { guarded } from '../screens/parts.js';
import { PASSWORD_LEAST, passwordField, USERNAME_LEAST, usernameField } from './fields.js';
import { section, troubleLine } from './section.js';
import { accountRefusal } from './words.js';

/** A guest becomes a player with an account and stays who he is; `done(player)` hears of it. */
export function registration(done) {
  const trouble = troubleLine();
  const username = usernameField();
  const password = passwordField('new-password');
  const submit = guarded(trouble, async () => {
    const wrong = shortOf(username, password);
    if (wrong) {
      setText(trouble, t(wrong.text));
      wrong.field.input.focus();
      return;
    }
    done(await post('/players/me/account', { username: username.read(), password: password.read() }));
  }, accountRefusal);
  return section('register', 'account.register', 'account.register_hint',
    h('form', { class: 'account-form', on: { submit } }, username.node, password.node, h('p', { class: 'small' }, t('account.password_hint')), trouble,
      h('button', { type: 'submit', class: 'primary' }, t('account.register_button'))));
}

/** Someone with an account comes to another browser; `done()` hears of it. */
export function signingIn(done, hint = 'account.sign_in_hint') {
  const trouble = troubleLine();
  const username = usernameField();
  const password = passwordField('current-password');
  const submit = guarded(trouble, async () => {
    await post('/sessions', { username: username.read(), password: password.read(), session: true });
    done();
  }, accountRefusal);
  return section('sign-in', 'account.sign_in', hint,
    h('form', { class: 'account-form', on: { submit } }, username.node, password.node, trouble,
      h('button', { type: 'submit', class: 'quiet' }, t('account.sign_in_button'))));
}

function shortOf(username, password) {
  if ([...username.read()].length < USERNAME_LEAST) return { field: username, text: 'account.trouble.username_short' };
  if ([...password.read()].length < PASSWORD_LEAST) return { field: password, text: 'account.trouble.password_short' };
  return null;
}

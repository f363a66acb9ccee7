// The fields in which one says who one is.

import { h, setAttr, setText } from '../dom.js';
import { t } from '../i18n.js';
import { labelled } from '../screens/parts.js';

export const USERNAME_LEAST = 3;
const USERNAME_MOST = 24;
export const PASSWORD_LEAST = 8;
const PASSWORD_MOST = 128;

/** The name that one signs in with. */
export function usernameField() {
  const input = h('input', {
    type: 'text', name: 'username', autocomplete: 'username', autocapitalize: 'none', spellcheck: 'false', dir: 'auto', maxlength: USERNAME_MOST, required: true,
  });
  return { node: labelled(t('account.username'), input), input, read: () => input.value.trim() };
}

/** A password, which may be looked at. `kind` is "current-password" or "new-password". */
export function passwordField(kind, label = t('account.password')) {
  const input = h('input', { type: 'password', name: kind, autocomplete: kind, dir: 'ltr', maxlength: PASSWORD_MOST, required: true });
  const look = h('button', {
    type: 'button', class: 'link look', 'aria-pressed': 'false',
    on: { click: () => {
      const seen = input.type === 'password';
      input.type = seen ? 'text' : 'password';
      setAttr(look, 'aria-pressed', String(seen));
      setText(look, t(seen ? 'account.hide' : 'account.look'));
    } },
  }, t('account.look'));
  const node = labelled(label, input);
  node.classList.add('password');
  node.append(look);
  return { node, input, read: () => input.value };
}

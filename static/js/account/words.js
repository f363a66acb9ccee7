// What goes wrong with accounts, in words.

import { t } from '../i18n.js';
import { refusalText } from '../table/words.js';

const REFUSALS = {
  'account.username_taken': 'account.trouble.taken',
  'account.exists': 'account.trouble.exists',
  'account.needed': 'account.trouble.needed',
  'account.wrong_password': 'account.trouble.wrong_password',
  'auth.required': 'account.trouble.sign_in',
  'not_found': 'account.trouble.code',
  'request.invalid': 'account.trouble.invalid',
  'token.too_many': 'account.trouble.tokens',
};

/** Say in words why something about the account was refused. */
export const accountRefusal = (code) => (REFUSALS[code] ? t(REFUSALS[code]) : refusalText(code));

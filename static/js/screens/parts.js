// Pieces that several screens use: fields with their labels, and buttons that say what went wrong.

import { h, setText } from '../dom.js';
import { t } from '../i18n.js';
import { ApiError, NoAnswer } from '../net/api.js';
import { refusalText } from '../table/words.js';

const NAME_LENGTH = 24;
export const CODE_LENGTH = 6;
let serial = 0;

function field(label, attributes) {
  serial += 1;
  const input = h('input', { id: `field-${serial}`, type: 'text', ...attributes });
  const node = h('div', { class: 'field' }, h('label', { for: input.id }, label), input);
  return { node, input, read: () => input.value.trim(), focus: () => input.focus() };
}

/** The field for one's name; it may stay empty. */
export const nameField = (value) => field(t('field.name'), {
  name: 'name', maxlength: NAME_LENGTH, autocomplete: 'nickname', dir: 'auto', value, placeholder: t('field.name_hint'),
});

/** The field for a room's code, which also understands a pasted link. */
export function codeField() {
  const one = field(t('field.code'), {
    name: 'code', dir: 'ltr', autocomplete: 'off', autocapitalize: 'characters', spellcheck: 'false', class: 'code-input',
  });
  return { ...one, read: () => readCode(one.input.value) };
}

/** Take the code out of what was typed or pasted: "ktrmsa", "KTR MSA" or a link to the room. */
export function readCode(text) {
  const tail = text.trim().split(/[?#]/)[0].split('/').filter(Boolean).pop() || '';
  return tail.replace(/[\s-]/g, '').toUpperCase().slice(0, CODE_LENGTH);
}

const codeOf = (error) => (error instanceof ApiError ? error.code : 'no_answer');

/** Make a listener that does one thing at a time and writes into `trouble` why it failed. */
export function guarded(trouble, act) {
  let busy = false;
  return async (event) => {
    event.preventDefault();
    if (busy) return;
    busy = true;
    setText(trouble, '');
    try {
      await act(event);
    } catch (error) {
      if (!(error instanceof ApiError || error instanceof NoAnswer)) throw error;
      setText(trouble, refusalText(codeOf(error)));
    } finally {
      busy = false;
    }
  };
}

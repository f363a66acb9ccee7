// Pieces that several screens use: fields with their labels, choices, and buttons that say what went wrong.

import { h, setText } from '../dom.js';
import { t } from '../i18n.js';
import { ApiError, NoAnswer } from '../net/api.js';
import { isOfImport, rescue } from '../rescue.js';
import { remembered } from '../session.js';
import { refusalText } from '../table/words.js';

const NAME_LENGTH = 24;
const LEVELS = ['easy', 'medium'];
let serial = 0;

/** A control with its label above. */
export function labelled(label, control) {
  serial += 1;
  control.id = `field-${serial}`;
  return h('div', { class: 'field' }, h('label', { for: control.id }, label), control);
}

function field(label, attributes) {
  const input = h('input', { type: 'text', ...attributes });
  return { node: labelled(label, input), input, read: () => input.value.trim(), focus: () => input.focus() };
}

/** The field for one's name; it may stay empty. */
export const nameField = (value) => field(t('field.name'), {
  name: 'name', maxlength: NAME_LENGTH, autocomplete: 'nickname', dir: 'auto', value, placeholder: t('field.name_hint'),
});

/** The field for a room's code; it also takes a pasted link or a sentence with one. */
export const codeField = () => field(t('field.code'), {
  name: 'code', dir: 'ltr', autocomplete: 'off', autocapitalize: 'characters', spellcheck: 'false', class: 'code-input',
});

/** One of few values, all in sight: `options` are [value, label]. */
export function segments({ legend, options, value, onChange }) {
  serial += 1;
  const inputs = options.map(([each]) => h('input', {
    type: 'radio', name: `choice-${serial}`, value: each, checked: each === value, on: { change: () => onChange(each) },
  }));
  return h('fieldset', { class: 'segments' }, h('legend', {}, legend),
    h('div', { class: 'segment-row' }, ...options.map(([, label], index) => h('label', {}, inputs[index], h('span', {}, label)))));
}

/** The bots' level that was chosen last. */
export function rememberedLevel() {
  const level = remembered('level', LEVELS[0]);
  return LEVELS.includes(level) ? level : LEVELS[0];
}

/** The bots' levels, as a choice. */
export const levelChoice = (legend, value, onChange) => segments({
  legend, value, onChange, options: LEVELS.map((level) => [level, t(level === 'easy' ? 'level.easy' : 'level.medium')]),
});

/** The way from a guest's match to one that is rated. */
export const registerLink = () => h('a', { class: 'link', href: '/account', data: { testid: 'register-for-rating' } }, t('guest.register'));

/** One of several values, behind a label: `options` are [value, label]. */
export function dropdown({ label, options, value, onChange }) {
  const select = h('select', { on: { change: () => onChange(select.value) } });
  const fill = (all, chosen) => {
    select.replaceChildren(...all.map(([each, text]) => h('option', { value: each }, text)));
    select.value = chosen;
  };
  fill(options, value);
  return { node: labelled(label, select), select, fill };
}

/** Yes or no. */
export function tick({ label, value, onChange }) {
  const input = h('input', { type: 'checkbox', checked: value, on: { change: () => onChange(input.checked) } });
  return h('label', { class: 'tick' }, input, h('span', {}, label));
}

const codeOf = (error) => (error instanceof ApiError ? error.code : 'no_answer');

/** Make a listener that does one thing at a time and writes into `trouble` why it failed, as `say(code, error)` puts it. */
export function guarded(trouble, act, say = refusalText) {
  let busy = false;
  return async (event) => {
    if (event) event.preventDefault();
    if (busy) return;
    busy = true;
    setText(trouble, '');
    try {
      await act(event);
    } catch (error) {
      if (isOfImport(error)) {
        if (await rescue()) return;
      } else if (!(error instanceof ApiError || error instanceof NoAnswer)) throw error;
      setText(trouble, say(codeOf(error), error));
    } finally {
      busy = false;
    }
  };
}

// The switches for language and digits. They work everywhere, also in the middle of a match, and without a reload.

import { h } from './dom.js';
import { changeDigits, changeLanguage, digitsInUse, language, t } from './i18n.js';

/** A button that says the other language's own name and changes to it. */
export function languageSwitch() {
  const other = language() === 'ar' ? 'en' : 'ar';
  return h('button', {
    type: 'button', class: 'switch', lang: other, data: { testid: 'language' },
    // Without the texts nothing changes, and the button may be tried again.
    on: { click: () => changeLanguage(other).catch(() => {}) },
  }, t('lang.other'));
}

/** A button that changes between ٠-٩ and 0-9; null in a language that has only the latter. */
export function digitsSwitch() {
  if (language() !== 'ar') return null;
  const other = digitsInUse() === 'arab' ? 'latn' : 'arab';
  return h('button', {
    type: 'button', class: 'switch', data: { testid: 'digits' }, on: { click: () => changeDigits(other) },
  }, h('bdi', {}, t('digits.to', { sample: other === 'latn' ? '123' : '\u0661\u0662\u0663' })));
}

/** Both, for a corner of a screen. */
export const languageCorner = () => h('div', { class: 'language-corner' }, digitsSwitch(), languageSwitch());

// The settings of this device: one window, changes at once.

import { askToNotify, canNotify } from './away.js';
import { h, setAttr } from './dom.js';
import { canBuzz } from './haptics.js';
import { changeDigits, changeLanguage, digitsInUse, language, t } from './i18n.js';
import { choose, wants } from './settings.js';
import { help } from './table/letters.js';
import { openWindow } from './window.js';

const LANGUAGES = { ar: '\u0627\u0644\u0639\u0631\u0628\u064a\u0629', en: 'English' };
const OPENER = '[data-testid=open-settings]';
const WORDS = {
  sounds: 'settings.sounds', haptics: 'settings.haptics', fourColours: 'settings.fourColours', letters: 'settings.letters',
  marks: 'settings.marks', motion: 'settings.motion', keys: 'settings.keys', notify: 'settings.notify',
  language: 'settings.language', digits: 'settings.digits',
};
const DIGITS = { arab: '\u0661\u0662\u0663', latn: '123' };

/** A switch. `before()` may refuse that it is switched on; then `note` says why. */
function row(name, { note = null, before = async () => true } = {}) {
  const box = h('input', {
    type: 'checkbox', id: `setting-${name}`, role: 'switch', data: { setting: name },
    on: {
      change: async () => {
        const wanted = box.checked;
        const may = !wanted || await before();
        box.checked = wanted && may;
        choose(name, box.checked);
        if (note) setAttr(refused, 'hidden', may);
      },
    },
  });
  box.checked = wants(name);
  const refused = note ? h('p', { class: 'small', role: 'status', hidden: true }, note) : null;
  return h('div', { class: 'setting' }, h('label', { for: box.id }, t(WORDS[name])), box, refused);
}

function radios(name, options, current, change) {
  return h('div', { class: 'setting' }, h('span', { id: `setting-${name}` }, t(WORDS[name])),
    h('div', { class: 'pick', role: 'radiogroup', 'aria-labelledby': `setting-${name}` },
      ...Object.entries(options).map(([value, text]) => {
        const radio = h('input', { type: 'radio', id: `${name}-${value}`, name: `setting-${name}`, value, on: { change: () => change(value) } });
        radio.checked = value === current;
        return h('label', {}, radio, h('bdi', { lang: name === 'language' ? value : null }, text));
      })));
}

/** Open the settings. Another language, or other digits, open them anew in that language. */
export function openSettings() {
  const anew = async (change, focused) => {
    await change();
    close();
    openSettings();
    document.getElementById(focused).focus();
  };
  const { close } = openWindow({ title: t('settings.title'), className: 'settings', testid: 'settings', back: OPENER },
    radios('language', LANGUAGES, language(), (value) => anew(() => changeLanguage(value), `language-${value}`)),
    language() === 'ar' ? radios('digits', DIGITS, digitsInUse(), (value) => anew(() => changeDigits(value), `digits-${value}`)) : null,
    row('sounds'), canBuzz() ? row('haptics') : null,
    row('fourColours'), row('letters'), row('marks'), row('motion'), row('keys'),
    canNotify() ? row('notify', { note: t('settings.notify_refused'), before: askToNotify }) : null,
    h('button', { type: 'button', class: 'quiet', on: { click: () => { close(); help(); } } }, t('settings.help')),
    h('a', { class: 'button quiet', href: '/how-to-play', target: '_blank', rel: 'noopener', data: { testid: 'how' } }, t('rules.how')));
}

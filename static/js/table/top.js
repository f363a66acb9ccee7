// The bar over the table: the way out, the room, and the rules in short.

import { h, picture, setAttr, setText } from '../dom.js';
import { FairChip } from '../fair_chip.js';
import { noteDeal } from '../fair_memory.js';
import { t } from '../i18n.js';
import { choose, wants } from '../settings.js';
import { rulesText } from './words.js';

export class Top {
  /** `talk` is the button for talking. */
  constructor({ onLeave, talk }) {
    this.title = h('h1', { tabindex: '-1' });
    this.rules = h('a', { class: 'rules small', target: '_blank', rel: 'noopener', data: { testid: 'rules' } });
    this.seeded = h('span', { class: 'tag small', hidden: true }, t('rules.seeded'));
    this.watching = h('span', { class: 'tag small', hidden: true, data: { testid: 'watching' } }, t('table.hint.watching'));
    this.fair = new FairChip();
    this.out = h('button', { type: 'button', class: 'icon-button', on: { click: onLeave } }, picture('arrow', 'icon flips'));
    this.sound = h('button', {
      type: 'button', class: 'icon-button', 'aria-label': t('settings.sounds'), data: { testid: 'sound' },
      on: { click: () => { choose('sounds', !wants('sounds')); this.#showSound(); } },
    }, picture('sound', 'icon on'), picture('mute', 'icon off'));
    this.settings = h('button', {
      type: 'button', class: 'icon-button', 'aria-label': t('settings.title'), data: { testid: 'open-settings' },
      on: { click: async () => (await import('../settings_window.js')).openSettings() },
    }, picture('sliders', 'icon'));
    this.node = h('header', { class: 'top' }, this.out,
      h('div', { class: 'titles' }, this.title, h('span', { class: 'under' }, this.rules, this.seeded, this.watching, this.fair.node)),
      talk, this.sound, this.settings);
    this.#showSound();
  }

  #showSound() {
    setAttr(this.sound, 'aria-pressed', String(wants('sounds')));
  }

  update({ place, match }) {
    this.#showSound();
    setText(this.title, t('table.room', { code: place.code }));
    setText(this.rules, rulesText(match.rules));
    setAttr(this.rules, 'href', `/rules#${match.rules.profile}`);
    setAttr(this.rules, 'aria-label', t('rules.open', { rules: rulesText(match.rules) }));
    setAttr(this.seeded, 'hidden', !match.seeded);
    this.fair.update(match.fairness, match.you ? match.you.seat : null);
    noteDeal(match);
    setAttr(this.watching, 'hidden', Boolean(match.you));
    const plays = match.you && match.status === 'playing';
    setAttr(this.out, 'aria-label', plays ? t('leave.button') : t('result.home'));
  }
}

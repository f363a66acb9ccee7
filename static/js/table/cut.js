// The cut of the pack, where the rule set lets the dealer's neighbour do it.

import { h, setAttr, setText } from '../dom.js';
import { t } from '../i18n.js';
import { back } from './cards.js';
import { nameOf } from './words.js';

const FIRST = 1;
const LAST = 51;
const MIDDLE = 26;

export class Cut {
  constructor(onCut) {
    this.count = h('output', { class: 'cut-count' });
    this.slider = h('input', {
      type: 'range', id: 'cut-at', min: FIRST, max: LAST, value: MIDDLE, 'aria-label': t('cut.where'),
      on: { input: () => this.#show() },
    });
    this.button = h('button', {
      type: 'button', class: 'primary', on: { click: () => onCut(Number(this.slider.value)) },
    }, t('cut.here'));
    this.title = h('p', { class: 'cut-title' });
    this.mine = h('div', { class: 'cut-mine' }, this.slider, h('div', { class: 'cut-row' }, this.count, this.button));
    this.node = h('div', { class: 'cut', data: { testid: 'cut' } }, h('span', { class: 'pack' }, back(), back()), this.title, this.mine);
    this.#show();
  }

  #show() {
    setText(this.count, t('cut.count', { count: Number(this.slider.value) }));
    setAttr(this.slider, 'aria-valuetext', t('cut.count', { count: Number(this.slider.value) }));
    this.node.style.setProperty('--cut', String(Number(this.slider.value) / LAST));
  }

  update(view) {
    const due = view.round.phase === 'cut' && view.status === 'playing';
    setAttr(this.node, 'hidden', !due);
    if (!due) return;
    const mine = Boolean(view.you && view.you.seat === view.to_act);
    setAttr(this.mine, 'hidden', !mine);
    setText(this.title, mine ? t('cut.yours') : t('table.turn.cuts', { name: nameOf(view.seats, view.to_act) }));
  }
}

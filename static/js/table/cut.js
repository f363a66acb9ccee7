// The cut of the pack, where the rule set lets the dealer's neighbour do it. The two parts grow and shrink with the
// slider; the others see the pack and whose hand is on it.

import { h, setAttr, setData, setText } from '../dom.js';
import { number, t } from '../i18n.js';
import { back } from './cards.js';
import { nameOf } from './words.js';

const PACK = 52;
const FIRST = 1;
const LAST = PACK - 1;
const MIDDLE = PACK / 2;

export class Cut {
  #isMine = false;

  constructor(onCut) {
    this.parts = [0, 1].map(() => h('span', { class: 'part' }, h('span', { class: 'stack' }, back()), h('b')));
    this.slider = h('input', {
      type: 'range', id: 'cut-at', min: FIRST, max: LAST, value: MIDDLE, 'aria-label': t('cut.where'),
      on: {
        input: () => this.#show(),
        keydown: (event) => { if (event.key === 'Enter') onCut(Number(this.slider.value)); },
      },
    });
    this.button = h('button', {
      type: 'button', class: 'primary', on: { click: () => onCut(Number(this.slider.value)) },
    }, t('cut.here'));
    this.title = h('p', { class: 'cut-title' });
    this.note = h('p', { class: 'small' }, t('cut.goes_on'));
    this.mine = h('div', { class: 'cut-mine' }, this.slider, this.button);
    this.node = h('div', { class: 'cut', data: { testid: 'cut' } },
      this.title, h('div', { class: 'deck', 'aria-hidden': 'true' }, ...this.parts), this.mine, this.note);
    this.#show();
  }

  #show() {
    const at = this.#isMine ? Number(this.slider.value) : 0;
    setAttr(this.slider, 'aria-valuetext', t('cut.count', { count: Number(this.slider.value) }));
    setData(this.node, 'at', this.#isMine ? at : null);
    [at, PACK - at].forEach((cards, index) => {
      const part = this.parts[index];
      setAttr(part, 'hidden', cards === 0);
      part.style.setProperty('--cards', String(cards));
      setText(part.lastChild, this.#isMine ? number(cards) : '');
    });
  }

  update(view) {
    const due = view.round.phase === 'cut' && view.status === 'playing';
    const wasDue = !this.node.hidden && this.#isMine;
    setAttr(this.node, 'hidden', !due);
    this.#isMine = due && Boolean(view.you && view.you.seat === view.to_act);
    if (!due) return;
    setData(this.node, 'mine', this.#isMine);
    setAttr(this.mine, 'hidden', !this.#isMine);
    setText(this.title, this.#isMine ? t('cut.yours') : t('cut.theirs', { name: nameOf(view.seats, view.to_act) }));
    this.#show();
    if (this.#isMine && !wasDue && !document.querySelector('[role=dialog]')) this.focus();
  }

  /** Put the focus on the slider, if the cut is mine; gives whether it is. */
  focus() {
    if (this.#isMine) this.slider.focus({ preventScroll: true });
    return this.#isMine;
  }
}

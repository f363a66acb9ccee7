// My hand: four places, one button a card; one of them is in the order of the Tab key, the arrows move between them.

import { h, keyed, setAttr, setData } from '../dom.js';
import { t } from '../i18n.js';
import { takesOf } from './preview.js';
import { handSlots } from './slots.js';
import { handCardLabel } from './words.js';

export class Hand {
  #faceOf;
  #near = 0; // the place that had the focus last

  constructor(faceOf) {
    this.#faceOf = faceOf;
    this.node = h('div', {
      class: 'hand', id: 'hand', role: 'group', tabindex: '-1', 'aria-label': t('table.hand.label'), data: { testid: 'hand' },
      on: { focusin: (event) => { this.#near = Number(event.target.dataset.slot ?? this.#near); } },
    });
  }

  update(state) {
    const { match, lifted, pending, dealt } = state;
    const hand = match.you ? match.you.hand : [];
    const slots = handSlots(dealt, hand);
    const buttons = keyed(this.node, hand, (card) => h('button', {
      type: 'button', class: 'hand-card', data: { testid: 'hand-card', card },
    }));
    buttons.forEach((button, index) => {
      const card = hand[index];
      const face = this.#faceOf(card);
      if (face.parentNode !== button) button.append(face);
      setData(button, 'slot', slots[index]);
      setData(button, 'takes', takesOf(match, card).join(' '));
      setData(button, 'pending', Boolean(pending && pending.card === card));
      setAttr(button, 'aria-pressed', String(Boolean(lifted && lifted.card === card)));
      setAttr(button, 'aria-label', handCardLabel(card, match.you.plays.find((play) => play.card === card)));
    });
    const next = this.#nearest();
    for (const button of buttons) setAttr(button, 'tabindex', button === next ? '0' : '-1');
  }

  #nearest() {
    const away = (button) => Math.abs(Number(button.dataset.slot) - this.#near);
    return [...this.node.children].sort((a, b) => away(a) - away(b))[0] || null;
  }

  /** Put the focus on the card nearest to where it was, or on the empty hand. */
  focus() {
    (this.#nearest() || this.node).focus({ preventScroll: true });
  }
}

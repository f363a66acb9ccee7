// The small sign that the deal can be checked: on the room and on the table, before the first card and during the match;
// and the button that checks it when the match is over.

import { h, picture, setData } from './dom.js';
import { t } from './i18n.js';

export class FairChip {
  #fairness = null;
  #seat = null;

  constructor() {
    // A link, so that it leads somewhere also when the window does not come.
    this.node = h('a', {
      class: 'fair-chip small', href: '/fair-deal', target: '_blank', rel: 'noopener', 'aria-haspopup': 'dialog', 'aria-label': t('fair.chip'), data: { testid: 'fair-chip' },
      on: { click: (event) => this.#open(event) },
    }, picture('fair', 'icon'), h('span', {}, t('fair.chip')));
  }

  /** `fairness` of a room (its next match) or of a match; `seat` is mine there, or null. */
  update(fairness, seat) {
    this.#fairness = fairness;
    this.#seat = seat;
    setData(this.node, 'commitment', fairness ? fairness.commitment : null);
  }

  async #open(event) {
    if (!this.#fairness || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    const { openPromise } = await import('./fair_window.js');
    openPromise(this.#fairness, this.#seat);
  }
}

/** The button that deals a finished match again. */
export const checkButton = (matchId) => h('button', {
  type: 'button', class: 'quiet', data: { testid: 'check-deal' }, on: { click: async () => (await import('./fair_window.js')).openCheck(matchId) },
}, picture('fair', 'icon'), t('fair.check'));

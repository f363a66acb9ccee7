// The plays of this round in words, newest first, beside the table where there is room for them.

import { h, keyed, setText } from '../dom.js';
import { t } from '../i18n.js';
import { playShort } from './words.js';

const SHOWN = 30;

export class Story {
  #told = null; // the log that is written down

  constructor() {
    this.list = h('ol', { class: 'plays', reversed: true });
    this.title = h('h2', {});
    this.node = h('aside', { class: 'story' }, this.title, this.list);
    setText(this.title, t('table.story'));
  }

  update(state) {
    if (state.log === this.#told) return;
    this.#told = state.log;
    const plays = thisRound(state.log).slice(-SHOWN).reverse();
    const events = new Map(plays.map((event) => [event.turn, event]));
    keyed(this.list, plays.map(({ turn }) => turn), (turn) => {
      const { who, what } = playShort(state.match, events.get(turn));
      return h('li', { data: { seat: events.get(turn).seat } }, h('bdi', { class: 'name' }, who), h('span', {}, what));
    });
  }
}

/** The plays since the last round began. */
export function thisRound(log) {
  const start = log.map(({ type }) => type).lastIndexOf('cut');
  return log.slice(start + 1).filter(({ type }) => type === 'played');
}

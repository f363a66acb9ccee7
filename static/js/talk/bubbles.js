// What was said just now, in a bubble at the seat of whoever said it. It is a picture and catches no tap; the words are
// announced once.

import { play } from '../audio.js';
import { h } from '../dom.js';
import { t } from '../i18n.js';
import { announce } from '../table/announce.js';
import { lookOf, phrases, wordsOf } from './phrases.js';

export const SHOWN_MS = 4000;

export class Bubbles {
  #placeOf;
  #nameOf;
  #named;
  #heard;
  #timers = new Map(); // by seat
  #shown = new Map();
  #isGone = false;

  /** `placeOf(seat)` gives the node that the bubble hangs on, or null; `nameOf(seat)` a name, null for me; `named`: it says whose it is. */
  constructor({ said, placeOf, nameOf, named = false }) {
    this.#named = named;
    this.#placeOf = placeOf;
    this.#nameOf = nameOf;
    this.#heard = said.length ? said[said.length - 1].serial : 0;
  }

  /** Show what has not been shown yet; gives when all of it is. */
  update({ said }) {
    const fresh = said.filter(({ serial }) => serial > this.#heard);
    if (!fresh.length) return null;
    this.#heard = fresh[fresh.length - 1].serial;
    return this.#say(fresh);
  }

  async #say(fresh) {
    const known = await phrases().catch(() => []);
    if (this.#isGone) return;
    for (const { seat, phrase } of fresh) {
      const found = known.find(({ id }) => id === phrase);
      if (found) this.#show(seat, found);
    }
  }

  #show(seat, phrase) {
    const name = this.#nameOf(seat);
    const words = wordsOf(phrase.id);
    announce(name === null ? t('talk.you_said', { words }) : t('talk.said', { name, words }));
    play('pop');
    const place = this.#placeOf(seat);
    if (!place) return;
    this.#hide(seat);
    const data = { testid: 'bubble', seat, phrase: phrase.id, kind: phrase.kind, mine: name === null };
    const bubble = h('span', { class: 'bubble', 'aria-hidden': 'true', data }, this.#named && name !== null ? h('bdi', {}, name) : null, lookOf(phrase));
    place.append(bubble);
    this.#shown.set(seat, bubble);
    this.#timers.set(seat, setTimeout(() => this.#hide(seat), SHOWN_MS));
  }

  #hide(seat) {
    clearTimeout(this.#timers.get(seat));
    this.#shown.get(seat)?.remove();
    this.#shown.delete(seat);
  }

  destroy() {
    this.#isGone = true;
    for (const seat of [...this.#shown.keys()]) this.#hide(seat);
  }
}

// Waiting for a quick match: how long already, a way out, and after a while a bot, for those who would rather play.

import { h, picture, setAttr, setText } from '../dom.js';
import { t } from '../i18n.js';
import { languageCorner } from '../language.js';
import { playBots } from '../rooms.js';
import { announce } from '../table/announce.js';
import { clockText } from '../table/clock.js';
import { rulesName } from '../table/words.js';
import { guarded, rememberedLevel } from './parts.js';

export const OFFER_AFTER_MS = 20_000;
const TICK_MS = 250;

export class Seek {
  #store;
  #timer;

  constructor({ store, sync, go }) {
    this.#store = store;
    const { seats, rules } = store.get().seek;
    this.title = h('h1', { class: 'display', tabindex: '-1' }, t('seek.title', { count: seats - 1 }));
    this.time = h('p', { class: 'seek-time display', role: 'timer', data: { testid: 'seek-time' } });
    this.trouble = h('p', { class: 'trouble', role: 'alert' });
    this.offer = h('div', { class: 'panel bot-offer', hidden: true, data: { testid: 'bot-offer' } },
      h('p', {}, t('seek.offer')),
      h('button', {
        type: 'button', class: 'primary wide',
        on: { click: guarded(this.trouble, async () => {
          await sync.seeker.cancel();
          go((await playBots(store, '', rememberedLevel(), { seats, rules })).code);
        }) },
      }, t('seek.bot')));
    this.node = h('section', { class: 'seek' }, languageCorner(),
      h('div', { class: 'seek-star' }, picture('star', 'poster-star')), this.title,
      h('p', { class: 'small' }, t('seek.what', { rules: rulesName(rules), players: t(seats === 2 ? 'setup.two' : 'setup.four') })),
      this.time, this.trouble, this.offer,
      h('button', { type: 'button', class: 'quiet', on: { click: () => sync.seeker.cancel() } }, t('seek.cancel')));
    this.#timer = setInterval(() => this.#tick(), TICK_MS);
  }

  update() {
    this.#tick();
  }

  #tick() {
    const { seek } = this.#store.get();
    if (!seek) return;
    const waited_ms = Date.now() - seek.since_ms;
    setText(this.time, clockText(Math.floor(waited_ms / 1000)));
    if (this.offer.hidden && waited_ms >= OFFER_AFTER_MS) {
      setAttr(this.offer, 'hidden', false);
      announce(t('seek.offer'));
    }
  }

  destroy() {
    clearInterval(this.#timer);
  }
}

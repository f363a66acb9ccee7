// What went wrong with the whole page, and the way on.

import { h } from '../dom.js';
import { t } from '../i18n.js';
import { languageCorner } from '../language.js';
import { momentText } from '../players/words.js';
import { back } from '../table/cards.js';

const WORDS = {
  room_missing: ['error.room_missing.title', 'error.room_missing.text'],
  room_full: ['error.room_full.title', 'error.room_full.text'],
  room_closed: ['error.room_closed.title', 'error.room_closed.text'],
  room_removed: ['error.room_removed.title', 'error.room_removed.text'],
  room_blocked: ['error.room_blocked.title', 'error.room_blocked.text'],
  room_crowded: ['error.room_crowded.title', 'error.room_crowded.text'],
  room_playing: ['error.room_playing.title', 'error.room_playing.text'],
  room_finished: ['error.room_finished.title', 'error.room_finished.text'],
  banned: ['error.banned.title', 'error.banned.text'],
  rate_limited: ['error.rate_limited.title', 'error.rate_limited.text'],
  failed: ['error.failed.title', 'error.failed.text'],
};

const AGAIN = new Set(['banned', 'failed', 'rate_limited', 'room_crowded', 'room_removed']);

const PLAYED = new Set(['room_finished', 'room_closed']); // there may be a match to look back on

export class Trouble {
  constructor({ store }) {
    const { error: { kind }, room, banned } = store.get();
    const [title, text] = WORDS[kind] || WORDS.failed;
    const again = AGAIN.has(kind);
    this.title = h('h1', { class: 'display', tabindex: '-1' }, t(title));
    this.node = h('section', { class: 'trouble-page' }, languageCorner(),
      h('span', { class: 'lone-cards' }, back(), back(), back()),
      this.title, h('p', {}, t(text, { until: banned ? momentText(banned) : '' })),
      again ? h('button', { type: 'button', class: 'primary', on: { click: () => location.reload() } }, t(kind === 'room_removed' ? 'error.back_to_room' : 'error.again')) : null,
      PLAYED.has(kind) && room && room.match_id ? h('a', { class: 'button primary', href: `/replay/${room.match_id}` }, t('result.replay')) : null,
      h('a', { class: 'button quiet', href: '/' }, t('result.home')));
  }

  update() {}

  destroy() {}
}

// The public rooms that wait, as a list that keeps itself up to date.

import { h, keyed, setAttr, setData, setText } from '../dom.js';
import { t } from '../i18n.js';
import { seatIn } from '../state.js';
import { initialOf, nameOf, rulesText, secondsShort } from '../table/words.js';

const isFree = ({ player, bot }) => !player && !bot;

export class OpenTables {
  #onJoin;

  /** `onJoin(code)` gives the listener of a Join button. */
  constructor(onJoin) {
    this.#onJoin = onJoin;
    this.list = h('ul', { class: 'tables' });
    this.none = h('p', { class: 'small', data: { testid: 'no-tables' } }, t('lobby.none'));
    this.lost = h('p', { class: 'small', data: { testid: 'tables-lost' } }, t('lobby.lost'));
    this.node = h('section', { class: 'panel', 'aria-labelledby': 'tables-title' },
      h('h2', { id: 'tables-title' }, t('lobby.title')), this.list, this.none, this.lost);
  }

  update({ lobby, lobbyLost, me }) {
    const rooms = new Map((lobby || []).map((room) => [room.code, room]));
    const nodes = keyed(this.list, [...rooms.keys()], (code) => this.#make(code));
    for (const node of nodes) this.#show(node, rooms.get(node.dataset.code), me);
    setAttr(this.none, 'hidden', rooms.size > 0 || lobby === null);
    setAttr(this.lost, 'hidden', !lobbyLost);
  }

  #make(code) {
    return h('li', { data: { testid: 'open-table', code } },
      h('span', { class: 'avatar', 'aria-hidden': 'true' }),
      h('span', { class: 'about' }, h('bdi', { class: 'name' }), h('span', { class: 'small' }), h('span', { class: 'small free' })),
      h('button', { type: 'button', class: 'quiet', on: { click: this.#onJoin(code) } }, t('lobby.join')),
      h('a', { class: 'button quiet', href: `/r/${code}` }, t('lobby.back')));
  }

  #show(node, room, me) {
    const [avatar, about, join, back] = node.children;
    const host = room.seating.findIndex(({ player }) => player && player.id === room.host);
    const name = host >= 0 ? nameOf(room.seating, host) : t('room.somebody');
    const free = room.seating.filter(isFree).length;
    const isMine = seatIn(room, me) !== null;
    setData(node, 'seats', room.seats);
    setData(node, 'free', free);
    setText(avatar, initialOf(name));
    setText(about.children[0], name);
    setText(about.children[1], t('lobby.about', { rules: rulesText(room.rules), clock: secondsShort(room.turn_seconds) }));
    setText(about.children[2], t('lobby.free', { count: free, seats: room.seats }));
    setAttr(join, 'aria-label', t('room.join', { name }));
    setAttr(join, 'hidden', isMine);
    setAttr(back, 'hidden', !isMine);
  }
}

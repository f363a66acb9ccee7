// The seats of a room that waits, as they stand around the table, and what may be done with each.

import { h, keyed, picture, setAttr, setData, setText } from '../dom.js';
import { t } from '../i18n.js';
import { seatIn } from '../state.js';
import { placeAt } from '../table/places.js';
import { initialOf, isProgram, nameOf } from '../table/words.js';
import { PersonButton } from '../talk/person.js';

export class RoomSeats {
  #does;
  #store;
  #people = new Map(); // the buttons for who sits there, by seat

  /** `does`: {sit(seat), addBot(seat), remove(seat)}, each gives the listener of a button. */
  constructor(does, store) {
    this.#does = does;
    this.#store = store;
    this.list = h('ul', { class: 'seats' });
    this.node = this.list;
  }

  update(room, me) {
    setData(this.list, 'count', room.seats);
    const mine = seatIn(room, me);
    const seen = { room, me, mine, from: mine ?? 0, isHost: Boolean(me) && room.host === me.id };
    const nodes = keyed(this.list, room.seating.map(({ seat }) => seat), (seat) => this.#make(seat));
    nodes.forEach((node, seat) => this.#show(node, room.seating[seat], seen));
  }

  /** The node of a seat. */
  at(seat) {
    return this.list.querySelector(`[data-seat="${seat}"]`);
  }

  #make(seat) {
    const button = (act, className, key) => h('button', { type: 'button', class: className, on: { click: act(seat) } }, t(key));
    const person = new PersonButton(this.#store);
    this.#people.set(seat, person);
    return h('li', { data: { testid: 'seat', seat } },
      h('span', { class: 'avatar' }, h('span', { class: 'initial', 'aria-hidden': 'true' }), picture('bot', 'bot-face')),
      h('span', { class: 'about' }, h('bdi', { class: 'name' }), h('span', { class: 'small' })),
      h('span', { class: 'seat-buttons' },
        button(this.#does.sit, 'small-button', 'room.sit'),
        button(this.#does.addBot, 'small-button', 'room.add_bot'),
        button(this.#does.remove, 'small-button plain', 'room.remove')), person.node);
  }

  #show(node, place, seen) {
    const { room, mine, isHost } = seen;
    const isFixed = room.status === 'dealing' || room.status === 'playing';
    const { player, bot, connected, side, seat } = place;
    const taken = Boolean(player || bot);
    const isMe = seat === mine;
    const data = {
      taken, connected, side, me: isMe, us: side === (mine ?? 0) % 2, bot: bot || '',
      host: Boolean(player) && player.id === room.host, place: placeAt(room.seats, seen.from, seat),
    };
    for (const [name, value] of Object.entries(data)) setData(node, name, value);
    const name = taken ? nameOf(room.seating, seat) : t('room.free_seat');
    const [avatar, about, buttons] = node.children;
    setText(avatar.firstChild, taken && !isProgram(place) ? initialOf(name) : '');
    this.#people.get(seat).update(player, seen.me);
    setAttr(avatar.lastChild, 'class', isProgram(place) ? 'bot-face' : 'bot-face off');
    setText(about.firstChild, name);
    setText(about.lastChild, notes(place, data, seen).join(t('room.and')));
    const shown = [!taken && room.seats === 4, !taken && isHost && mine !== null, taken && isHost && !isMe].map((may) => may && !isFixed);
    const label = partnerWord(place, seen);
    [...buttons.children].forEach((button, index) => {
      setAttr(button, 'hidden', !shown[index]);
      const what = button.textContent;
      setAttr(button, 'aria-label', index === 2 ? t('room.remove_who', { name }) : t('room.seat_button', { what, number: seat + 1, who: label }));
    });
    setAttr(buttons, 'hidden', !shown.some(Boolean));
  }
}

/** Whose side a seat is on, in a word; nothing with two seats. */
function partnerWord({ side, seat }, { room, mine }) {
  if (room.seats === 2 || mine === null || seat === mine) return '';
  return side === mine % 2 ? t('room.partner') : t('room.opponent');
}

function notes(place, { me, host, taken }, seen) {
  const { player, connected } = place;
  const words = [];
  if (me) words.push(t('room.you'));
  if (player && player.bot) words.push(t('bot.other'));
  if (host) words.push(t('room.host'));
  if (player && !me && !connected) words.push(t('table.doing.away'));
  const partner = partnerWord(place, seen);
  if (partner && (!taken || partner === t('room.partner'))) words.push(partner);
  if (!taken && !partner) words.push(t('room.waiting'));
  return words;
}

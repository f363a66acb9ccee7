// Another match with the same people: who asked, who agreed, who would rather not, and what I can say to it.

import { h, keyed, setAttr, setData, setText } from '../dom.js';
import { list, t } from '../i18n.js';
import { ApiError } from '../net/api.js';
import { askRematch, dropRematch } from '../rooms.js';
import { hasMovedOn } from '../state.js';
import { announce } from '../table/announce.js';
import { nameOf } from '../table/words.js';
import { guarded } from './parts.js';

const SAID = { asked: 'rematch.said_asked', agreed: 'rematch.said_agreed', declined: 'rematch.declined', withdrawn: 'rematch.withdrawn' };

/**
 * How the talk about a rematch stands for me: {state, waiting, asking, gone}, each of the last three a list of seats.
 * `state` is none, asked (by me), invited, dealing (all agreed), declined, withdrawn, gone (somebody left) or closed.
 */
export function rematchOf({ match, room, rematch, me }) {
  const people = match.seats.filter(({ player }) => player);
  const here = (seat) => room.seating[seat].player?.id === match.seats[seat].player?.id;
  const gone = people.map(({ seat }) => seat).filter((seat) => !here(seat));
  const asking = gone.length ? [] : room.rematch || [];
  const waiting = people.map(({ seat }) => seat).filter((seat) => !asking.includes(seat));
  const stand = { asking, waiting, gone };
  if (room.status === 'closed') return { state: 'closed', ...stand };
  if (room.status !== 'waiting' && hasMovedOn({ room, match })) return { state: 'dealing', ...stand };
  if (gone.length) return { state: 'gone', ...stand };
  const mine = people.find(({ player }) => player.id === me.id).seat;
  if (asking.includes(mine)) return { state: 'asked', ...stand };
  if (asking.length) return { state: 'invited', ...stand };
  const said = rematch && ['declined', 'withdrawn'].includes(rematch.state) ? rematch.state : 'none';
  return { state: said, ...stand };
}

export class Rematch {
  #heard = 0;

  constructor({ store, onBack }) {
    const { code } = store.get().place;
    this.trouble = h('p', { class: 'trouble', role: 'alert' });
    const button = (className, key, act) => h('button', {
      type: 'button', class: className, on: { click: guarded(this.trouble, act) },
    }, t(key));
    const ask = () => unlessRunning(askRematch(store, code));
    const drop = () => unlessRunning(dropRematch(code));
    this.text = h('p', { class: 'rematch-text' });
    this.seats = h('ul', { class: 'rematch-seats' });
    this.buttons = {
      ask: button('primary wide', 'rematch.ask', ask),
      agree: button('primary', 'rematch.agree', ask),
      decline: button('quiet', 'rematch.decline', drop),
      withdraw: button('quiet', 'rematch.withdraw', drop),
      back: button('quiet', 'rematch.back', async () => onBack()),
    };
    this.node = h('section', { class: 'rematch', data: { testid: 'rematch' } },
      this.text, this.seats, h('div', { class: 'buttons' }, ...Object.values(this.buttons)), this.trouble);
  }

  update(state) {
    const { match, room, rematch } = state;
    setAttr(this.node, 'hidden', !match.you && !this.#played(state));
    if (this.node.hidden || !room) return;
    const stand = rematchOf(state);
    setData(this.node, 'state', stand.state);
    const shown = {
      ask: ['none', 'declined', 'withdrawn'], agree: ['invited'], decline: ['invited'], withdraw: ['asked'],
      back: room.status === 'waiting' ? ['gone'] : [],
    };
    for (const [name, states] of Object.entries(shown)) setAttr(this.buttons[name], 'hidden', !states.includes(stand.state));
    setText(this.text, this.#words(match, rematch, stand));
    setAttr(this.text, 'hidden', !this.text.textContent);
    this.#showSeats(match, stand);
    this.#tell(match, rematch);
  }

  #played({ match, me }) {
    return Boolean(me) && match.seats.some(({ player }) => player && player.id === me.id);
  }

  /** With four people it has to be seen whom one waits for. */
  #showSeats(match, { state, asking, waiting }) {
    const due = state === 'asked' || state === 'invited';
    const seats = due && asking.length + waiting.length > 2 ? [...asking, ...waiting].sort() : [];
    keyed(this.seats, seats, (seat) => h('li', { data: { testid: 'rematch-seat', seat } }, h('bdi', {}, nameOf(match.seats, seat))))
      .forEach((node, index) => {
        const agreed = asking.includes(seats[index]);
        const name = nameOf(match.seats, seats[index]);
        setData(node, 'agreed', agreed);
        setAttr(node, 'aria-label', agreed ? t('rematch.seat_agreed', { name }) : t('rematch.seat_waits', { name }));
      });
  }

  #words(match, rematch, { state, asking, waiting, gone }) {
    const names = (seats) => list(seats.map((seat) => nameOf(match.seats, seat)));
    if (state === 'asked') return t('rematch.asked', { names: names(waiting) });
    if (state === 'invited') return t('rematch.invited', { names: names(asking), count: asking.length });
    if (state === 'gone') return t('rematch.gone', { names: names(gone) });
    if (state === 'closed') return t('rematch.closed');
    if (state === 'dealing') return t('room.dealing');
    if (state === 'none') return '';
    const mine = match.you?.seat === rematch.seat;
    if (mine) return t(state === 'declined' ? 'rematch.declined_you' : 'rematch.withdrawn_you');
    return t(SAID[state], { name: nameOf(match.seats, rematch.seat) });
  }

  #tell(match, rematch) {
    if (!rematch || rematch.serial === this.#heard) return;
    this.#heard = rematch.serial;
    if (rematch.seat !== match.you?.seat) announce(t(SAID[rematch.state], { name: nameOf(match.seats, rematch.seat) }), 'assertive');
  }
}

/** Said too late is said in vain: the match that all wanted runs already, and its events are under way. */
async function unlessRunning(asked) {
  try {
    await asked;
  } catch (error) {
    if (!(error instanceof ApiError) || error.code !== 'room.started') throw error;
  }
}

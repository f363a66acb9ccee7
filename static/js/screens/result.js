// How the match ended, why, and what to do next.

import { h, keyed, picture, setAttr, setData, setText } from '../dom.js';
import { number, t } from '../i18n.js';
import { languageCorner } from '../language.js';
import { leaveRoom, makeRoom } from '../rooms.js';
import { sheetTable } from '../sheet.js';
import { announce } from '../table/announce.js';
import { nameOf, peopleOf, sideName, sidesOf } from '../table/words.js';
import * as change from '../state.js';
import { ConnectionBar } from '../table/connection.js';
import { guarded } from './parts.js';
import { Rematch } from './rematch.js';

/** won, lost or draw for me; watched for one who had no seat; abandoned when nobody won and nobody played. */
export function outcomeOf({ result, you }) {
  if (result.reason === 'abandoned') return 'abandoned';
  if (result.winner === null) return 'draw';
  if (!you) return 'watched';
  return result.winner === you.side ? 'won' : 'lost';
}

const TITLES = {
  won: 'result.won', lost: 'result.lost', draw: 'result.draw', watched: 'result.watched', abandoned: 'result.abandoned',
};

/** The reason in words. */
export function reasonText(view) {
  const { reason, seat, winner } = view.result;
  const name = winner === null ? '' : peopleOf(view, winner);
  if (reason === 'target') return t('result.reason.target', { target: view.rules.target });
  if (reason === 'round') return t('result.reason.round');
  if (reason === 'abandoned') return t('result.reason.abandoned');
  const mine = view.you && view.you.seat === seat;
  if (reason === 'timeout') return mine ? t('result.reason.timeout_you') : t('result.reason.timeout', { name: nameOf(view.seats, seat) });
  if (mine) return t('result.reason.forfeit_you', { name });
  const partner = view.you && view.you.side === view.seats[seat].side;
  return t(partner ? 'result.reason.forfeit_partner' : 'result.reason.forfeit', { name: nameOf(view.seats, seat) });
}

/** A new room like the one that was played in, for people: the patient clock of a practice is not for them. */
export function roomLike({ match, room }) {
  const { profile, target } = match.rules;
  const alone = match.seats.filter(({ player }) => player).length < 2;
  return { seats: match.seats.length, rules: profile, target, turn_seconds: room && !alone ? room.turn_seconds : undefined };
}

export class Result {
  #told = false;

  constructor({ store, go }) {
    this.title = h('h1', { class: 'display shout', tabindex: '-1' });
    this.reason = h('p', { class: 'reason' });
    this.scores = h('div', { class: 'final' });
    this.rounds = h('div', { class: 'rounds' });
    this.trouble = h('p', { class: 'trouble', role: 'alert' });
    this.again = h('button', {
      type: 'button', class: 'quiet',
      on: { click: guarded(this.trouble, async () => {
        const wishes = roomLike(store.get());
        this.#giveUpSeat(store.get());
        go((await makeRoom(store, '', wishes)).code);
      }) },
    }, t('result.again'));
    const home = h('a', { class: 'button quiet', href: '/', on: { click: () => this.#giveUpSeat(store.get()) } }, t('result.home'));
    this.rematch = new Rematch({ code: store.get().place.code, onBack: () => store.change(change.backToRoom) });
    this.tally = h('p', { class: 'tally', data: { testid: 'tally' } });
    this.connection = new ConnectionBar();
    this.box = h('div', { class: 'paper result-paper', data: { testid: 'result' } },
      this.title, this.reason, this.scores, this.tally);
    this.node = h('section', { class: 'result' }, this.connection.node, languageCorner(), picture('star', 'poster-star'), this.box,
      this.rematch.node, h('div', { class: 'buttons' }, this.again, home), this.trouble, this.rounds);
  }

  /** Who goes says so: the others shall not wait for an answer to a rematch. */
  #giveUpSeat({ room, me }) {
    if (change.seatIn(room, me) !== null && room.status === 'finished') leaveRoom(room.code).catch(() => {});
  }


  update(state) {
    const { match, log, room, conn } = state;
    this.connection.update(conn);
    this.rematch.update(state);
    this.#showTally(match, room);
    const outcome = outcomeOf(match);
    setData(this.box, 'winner', match.result.winner ?? 'none');
    setData(this.box, 'reason', match.result.reason);
    setData(this.box, 'outcome', outcome);
    const winner = match.result.winner === null ? '' : peopleOf(match, match.result.winner);
    setText(this.title, t(TITLES[outcome], { name: winner }));
    setText(this.reason, reasonText(match));
    this.#showScores(match);
    keyed(this.rounds, match.rounds.map(({ round }) => round), (round) => this.#round(match, log, round));
    if (!this.#told) announce(`${this.title.textContent} ${this.reason.textContent}`, 'assertive');
    this.#told = true;
  }

  #showScores(match) {
    this.scores.replaceChildren(...sidesOf(match).map((side, index) => h('div', {
      class: 'score', data: { testid: 'score', side, value: match.result.scores[side], us: index === 0 },
    }, h('b', {}, number(match.result.scores[side])), h('bdi', { class: 'small' }, sideName(match, side)))));
    setAttr(this.scores, 'aria-label', t('result.scores'));
    setAttr(this.scores, 'role', 'group');
  }

  /** The matches won in this room, once there has been more than one. */
  #showTally(match, room) {
    const tally = room ? room.tally : [0, 0];
    setAttr(this.tally, 'hidden', tally[0] + tally[1] < 2);
    this.tally.replaceChildren(h('span', { class: 'small' }, t('result.tally')), ...sidesOf(match).map((side, index) => h('span', {
      class: 'chip', data: { side, value: tally[side], us: index === 0 },
    }, h('bdi', {}, sideName(match, side)), ' ', h('b', {}, number(tally[side])))));
  }

  #round(match, log, round) {
    const sheet = match.rounds.find((one) => one.round === round);
    const [one, two] = sidesOf(match).map((side) => sheet.points[side]);
    // Of a match of one round these are the points that stand above already.
    const title = match.rounds.length === 1 ? t('result.sheet') : t('result.round', { number: round, one, two });
    return h('details', { class: 'paper' }, h('summary', {}, title),
      sheetTable(match, log, sheet));
  }

  destroy() {
    this.connection.destroy();
  }
}

// How the match ended, why, and what to do next.

import { h, keyed, picture, setAttr, setData, setText } from '../dom.js';
import { checkButton } from '../fair_chip.js';
import { number, t } from '../i18n.js';
import { languageCorner } from '../language.js';
import { leaveRoom, makeRoom } from '../rooms.js';
import { sheetTable } from '../sheet.js';
import { play } from '../audio.js';
import { showSettings } from '../settings.js';
import { announce } from '../table/announce.js';
import { endSound } from '../table/effects.js';
import { outcomeOf, reasonText, titleOf } from '../outcome.js';
import { sideName, sidesOf } from '../table/words.js';
import * as change from '../state.js';
import { PersonButton } from '../talk/person.js';
import { Talk } from '../talk/talk.js';
import { ConnectionBar } from '../table/connection.js';
import { guarded, registerLink } from './parts.js';
import { Rematch } from './rematch.js';

/** A new room like the one that was played in, for people: the patient clock of a practice is not for them. */
export function roomLike({ match, room }) {
  const { profile, target } = match.rules;
  const alone = match.seats.filter(({ player }) => player).length < 2;
  return { seats: match.seats.length, rules: profile, target, turn_seconds: room && !alone ? room.turn_seconds : undefined };
}

const LONG = 24; // letters of a title, from where they are smaller

export class Result {
  #told = false;

  constructor({ store, go }) {
    showSettings(); // the deck's colours, also for who comes here without a table
    this.title = h('h1', { class: 'display shout', tabindex: '-1' });
    this.reason = h('p', { class: 'reason' });
    this.voided = h('p', { class: 'reason', hidden: true, data: { testid: 'voided' } }, t('result.voided'));
    this.scores = h('div', { class: 'final' });
    this.register = h('p', { hidden: true }, registerLink());
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
    const { id } = store.get().match;
    const replay = h('a', { class: 'button quiet', href: `/replay/${id}`, data: { testid: 'replay-link' } }, t('result.replay'));
    const home = h('a', { class: 'button quiet', href: '/', on: { click: () => this.#giveUpSeat(store.get()) } }, t('result.home'));
    this.rematch = new Rematch({ store, onBack: () => store.change(change.backToRoom) });
    this.said = h('div', { class: 'said-line' });
    this.talk = new Talk({ store, named: true, placeOf: () => this.said });
    this.people = store.get().match.seats.map(() => new PersonButton(store));
    this.tally = h('p', { class: 'tally', data: { testid: 'tally' } });
    this.connection = new ConnectionBar();
    this.box = h('div', { class: 'paper result-paper', data: { testid: 'result' } },
      this.title, this.reason, this.voided, this.scores, this.register, this.tally);
    this.node = h('section', { class: 'result' }, this.connection.node, languageCorner(), picture('star', 'poster-star'), this.box,
      this.said, h('div', { class: 'table-people' }, this.talk.button, ...this.people.map(({ node }) => node)), this.talk.node,
      this.rematch.node, h('div', { class: 'buttons' }, replay, checkButton(id), this.again, home), this.trouble, this.rounds);
  }

  /** Who goes says so: the others shall not wait for an answer to a rematch. */
  #giveUpSeat({ room, me }) {
    if (change.seatIn(room, me) !== null && room.status === 'finished') leaveRoom(room.code).catch(() => {});
  }

  update(state) {
    const { match, log, room, conn } = state;
    this.connection.update(conn);
    this.rematch.update(state);
    this.talk.update(state);
    this.people.forEach((button, seat) => {
      const { player } = match.seats[seat];
      button.update(player, state.me);
      setText(button.node, player ? player.name : '');
    });
    this.#showTally(match, room);
    const outcome = outcomeOf(match);
    setData(this.box, 'winner', match.result.winner ?? 'none');
    setData(this.box, 'reason', match.result.reason);
    setData(this.box, 'outcome', outcome);
    const title = titleOf(match);
    setText(this.title, title);
    setData(this.title, 'long', title.length > LONG);
    setText(this.reason, reasonText(match));
    setAttr(this.voided, 'hidden', !match.result.voided_at);
    setAttr(this.register, 'hidden', !(match.you && state.me?.guest));
    this.#showScores(match);
    keyed(this.rounds, match.rounds.map(({ round }) => round), (round) => this.#round(match, log, round));
    if (!this.#told) this.#tell(state);
    this.#told = true;
  }

  /** Say it; one who left, or whose time ran out, ends the match without a last play, so its sound is heard here. */
  #tell(state) {
    announce(`${this.title.textContent} ${this.reason.textContent}`, 'assertive');
    const sound = endSound(state);
    if (sound) play(sound);
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
    this.talk.destroy();
    this.connection.destroy();
  }
}

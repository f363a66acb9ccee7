// How the match ended, why, and what to do next.

import { h, keyed, picture, setAttr, setData, setText } from '../dom.js';
import { number, t } from '../i18n.js';
import { makeRoom } from '../session.js';
import { progress, sheetTable } from '../sheet.js';
import { announce } from '../table/announce.js';
import { nameOf, sideName } from '../table/words.js';
import { guarded } from './parts.js';

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
  const name = winner === null ? '' : sideName(view, winner);
  if (reason === 'target') return t('result.reason.target', { target: view.rules.target });
  if (reason === 'round') return t('result.reason.round');
  if (reason === 'abandoned') return t('result.reason.abandoned');
  const mine = view.you && view.you.seat === seat;
  if (reason === 'timeout') return mine ? t('result.reason.timeout_you') : t('result.reason.timeout', { name: nameOf(view.seats, seat) });
  return mine ? t('result.reason.forfeit_you', { name }) : t('result.reason.forfeit', { name: nameOf(view.seats, seat) });
}

export class Result {
  #told = false;

  constructor({ store, go }) {
    this.title = h('h1', { class: 'display shout', tabindex: '-1' });
    this.reason = h('p', { class: 'reason' });
    this.scores = h('div', { class: 'final' });
    this.bars = h('div');
    this.rounds = h('div', { class: 'rounds' });
    this.trouble = h('p', { class: 'trouble', role: 'alert' });
    const again = h('button', {
      type: 'button', class: 'primary wide',
      on: { click: guarded(this.trouble, async () => go((await makeRoom(store, '', this.#wishes(store.get()))).code)) },
    }, t('result.again'));
    this.box = h('div', { class: 'paper result-paper', data: { testid: 'result' } }, this.title, this.reason, this.scores, this.bars);
    this.node = h('section', { class: 'result' }, picture('star', 'poster-star'), this.box,
      h('div', { class: 'buttons' }, again, h('a', { class: 'button quiet', href: '/' }, t('result.home'))),
      this.trouble, this.rounds);
  }

  /** A new room like the one that was played in. */
  #wishes({ match, room }) {
    const { profile, target } = match.rules;
    return { seats: match.seats.length, rules: profile, target, turn_seconds: room ? room.turn_seconds : undefined };
  }

  update({ match, log }) {
    const outcome = outcomeOf(match);
    setData(this.box, 'winner', match.result.winner ?? 'none');
    setData(this.box, 'reason', match.result.reason);
    setData(this.box, 'outcome', outcome);
    const winner = match.result.winner === null ? '' : sideName(match, match.result.winner);
    setText(this.title, t(TITLES[outcome], { name: winner }));
    setText(this.reason, reasonText(match));
    this.#showScores(match);
    this.bars.replaceChildren(progress(match));
    keyed(this.rounds, match.rounds.map(({ round }) => round), (round) => this.#round(match, log, round));
    if (!this.#told) announce(`${this.title.textContent} ${this.reason.textContent}`, 'assertive');
    this.#told = true;
  }

  #showScores(match) {
    const sides = match.you && match.you.side === 1 ? [1, 0] : [0, 1];
    this.scores.replaceChildren(...sides.map((side, index) => h('div', {
      class: 'score', data: { testid: 'score', side, value: match.result.scores[side], us: index === 0 },
    }, h('b', {}, number(match.result.scores[side])), h('bdi', { class: 'small' }, sideName(match, side)))));
    setAttr(this.scores, 'aria-label', t('result.scores'));
    setAttr(this.scores, 'role', 'group');
  }

  #round(match, log, round) {
    const sheet = match.rounds.find((one) => one.round === round);
    return h('details', { class: 'paper' },
      h('summary', {}, t('result.round', { number: round, one: sheet.points[0], two: sheet.points[1] })),
      sheetTable(match, log, sheet));
  }

  destroy() {}
}

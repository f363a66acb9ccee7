// Decides what the live regions say about the match: one sentence a play, and at once what needs me.

import { t } from '../i18n.js';
import { isMyTurn } from '../state.js';
import { announce } from './announce.js';
import { cutSpoken, playSpoken, refusalText, sideName, sidesOf, turnSpoken } from './words.js';

export class Speech {
  #turn = null;
  #refusal = 0;
  #conn = 'open';
  #away = new Set();
  #kept = null;

  update(state) {
    const { match } = state;
    this.#plays(state);
    this.#connection(state.conn, match);
    this.#presence(match);
    if (state.refusal && state.refusal.serial !== this.#refusal) {
      this.#refusal = state.refusal.serial;
      announce(refusalText(state.refusal.code), 'assertive');
    }
    const kept = state.pending?.kept ? state.pending.turn : null;
    if (kept !== null && kept !== this.#kept) announce(t('table.hint.kept'), 'assertive');
    this.#kept = kept;
    const turn = isMyTurn(state) ? `${match.turn} ${match.round.phase}` : null;
    if (turn !== null && turn !== this.#turn) announce(turnSpoken(match), 'assertive');
    if (turn !== null || match.to_act === null || match.to_act !== match.you?.seat) this.#turn = turn;
  }

  #plays({ match, news }) {
    const said = [];
    for (const event of news || []) {
      if (event.type === 'played') said.push(playSpoken(match, event));
      if (event.type === 'cut' && event.by !== 'auto') said.push(cutSpoken(match, event));
      if (event.type === 'round_scored') said.push(this.#score(match, event));
    }
    if (!said.length) return;
    if (match.to_act !== null && match.to_act !== match.you?.seat) said.push(turnSpoken(match));
    announce(said.join(' '));
  }

  #score(match, { sheet, scores }) {
    const [mine, other] = sidesOf(match);
    return t('spoken.score', {
      number: sheet.round, first: sideName(match, mine), one: scores[mine], second: sideName(match, other), two: scores[other],
    });
  }

  #connection(conn, match) {
    if (conn === 'open' && this.#conn !== 'open') announce(t('spoken.back', { turn: turnSpoken(match) }));
    this.#conn = conn === 'connecting' ? this.#conn : conn;
  }

  #presence(match) {
    for (const { seat, connected, player } of match.seats) {
      if (!player || seat === match.you?.seat || match.status !== 'playing') continue;
      if (!connected && !this.#away.has(seat)) announce(t('spoken.away', { name: player.name }));
      if (connected && this.#away.has(seat)) announce(t('spoken.returned', { name: player.name }));
      if (connected) this.#away.delete(seat);
      else this.#away.add(seat);
    }
  }

  /** Say how long is left of my turn, and what follows when it is gone. */
  warn(match, seconds) {
    const two = match.seats.length === 2;
    announce(two ? t('spoken.hurry_two', { count: seconds }) : t('spoken.hurry_four', { count: seconds }), 'assertive');
  }
}

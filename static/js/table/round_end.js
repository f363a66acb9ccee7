// The score sheet as it lies over the table after a round: goes on by itself, or by its button.

import { h, setText } from '../dom.js';
import { number, t } from '../i18n.js';
import { moves } from '../settings.js';
import { countUp, progress, roundOf, sheetTable } from '../sheet.js';
import { face } from './cards.js';
import { playShort, sideName } from './words.js';

const GO_ON_AFTER_S = 12;
const RISE_MS = 260;
const GO_ON_TO_CUT_AFTER_S = 4; // a cut is due within 10 s, and the sheet lies over the pack on a phone

export class RoundEnd {
  #timer = null;
  #round = null;
  #text = null; // what the sheet's button says
  #onDone;

  /** `onDone()` closes the sheet. */
  constructor(onDone) {
    this.#onDone = onDone;
    this.node = h('div', { class: 'sheet-place' });
  }

  /** `wait_ms`: the last play of the round is still to be seen that long. */
  update(state, wait_ms = 0) {
    const sheet = state.match.rounds.find(({ round }) => round === state.sheet) || null;
    const round = sheet ? sheet.round : null;
    if (round === this.#round) {
      // While the sheet lies there somebody may leave, and the match is over.
      if (round !== null && state.match.status === 'finished') setText(this.#text, t('sheet.see_result'));
      return;
    }
    this.close();
    this.#round = round;
    if (sheet) this.#show(state, sheet, wait_ms);
  }

  #show({ match, log }, sheet, wait_ms) {
    const cuts = match.round.phase === 'cut' && match.you?.seat === match.to_act;
    let left_s = cuts ? GO_ON_TO_CUT_AFTER_S : GO_ON_AFTER_S;
    const count = h('span', { 'aria-hidden': 'true', class: 'countdown' });
    this.#text = h('span', {}, this.#next(match, cuts));
    const button = h('button', { type: 'button', class: 'primary', on: { click: () => this.#onDone() } }, this.#text, count);
    const tick = () => {
      setText(count, number(left_s));
      if (left_s <= 0) this.#onDone();
      left_s -= 1;
    };
    const paper = h('section', {
      class: 'sheet paper', role: 'dialog', 'aria-labelledby': 'sheet-title', data: { testid: 'sheet', round: sheet.round },
      on: { keydown: (event) => { if (event.key === 'Escape') this.#onDone(); } },
    },
    h('h2', { id: 'sheet-title', class: 'display' }, t('sheet.title', { number: sheet.round })),
    sheetTable(match, log, sheet), progress(match), button);
    this.node.replaceChildren(lastCatch(match, log, sheet), paper);
    this.#rise(paper, wait_ms);
    tick();
    this.#timer = setInterval(tick, 1000);
    button.focus({ preventScroll: true });
  }

  #rise(paper, wait_ms) {
    countUp(paper, wait_ms + RISE_MS);
    if (!moves()) return;
    const timing = { duration: RISE_MS, delay: wait_ms, easing: 'ease-out', fill: 'backwards' };
    for (const node of this.node.children) node.animate([{ transform: 'translateY(40px)', opacity: 0 }, { transform: 'none', opacity: 1 }], timing);
  }

  #next(match, cuts) {
    if (match.status === 'finished') return t('sheet.see_result');
    return cuts ? t('cut.yours') : t('sheet.go_on');
  }

  close() {
    clearInterval(this.#timer);
    this.#round = null;
    this.node.replaceChildren();
  }
}

/** The last catch of the round, and who got what was left: it stays to be seen above the sheet. */
function lastCatch(match, log, sheet) {
  const last = roundOf(log, sheet.round).filter(({ captured }) => captured.length).pop();
  const line = (cards, text) => h('p', {}, h('span', { class: 'minis' }, ...cards.map(face)), h('span', { class: 'said' }, text));
  const left = sheet.leftover.length && sheet.leftover_side !== null
    ? line(sheet.leftover, t('sheet.leftover', { name: sideName(match, sheet.leftover_side) })) : null;
  const caught = last && line([last.card, ...last.captured], t('sheet.last_catch', { name: playShort(match, last).who }));
  return h('div', { class: 'last-catch', data: { testid: 'last-catch' } }, caught, left);
}

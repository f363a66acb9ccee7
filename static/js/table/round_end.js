// The score sheet as it lies over the table after a round: goes on by itself, or by its button.

import { h, setText } from '../dom.js';
import { number, t } from '../i18n.js';
import { progress, sheetTable } from '../sheet.js';

const GO_ON_AFTER_S = 12;
const GO_ON_TO_CUT_AFTER_S = 4; // a cut is due within 10 s, and the sheet lies over the pack on a phone

export class RoundEnd {
  #timer = null;
  #round = null;
  #onDone;

  /** `onDone()` closes the sheet. */
  constructor(onDone) {
    this.#onDone = onDone;
    this.node = h('div', { class: 'sheet-place' });
  }

  update(state) {
    const sheet = state.match.rounds.find(({ round }) => round === state.sheet) || null;
    const round = sheet ? sheet.round : null;
    if (round === this.#round) return;
    this.close();
    this.#round = round;
    if (sheet) this.#show(state, sheet);
  }

  #show({ match, log }, sheet) {
    const cuts = match.round.phase === 'cut' && match.you?.seat === match.to_act;
    let left_s = cuts ? GO_ON_TO_CUT_AFTER_S : GO_ON_AFTER_S;
    const count = h('span', { 'aria-hidden': 'true', class: 'countdown' });
    const text = h('span', {}, this.#next(match, cuts));
    const button = h('button', { type: 'button', class: 'primary', on: { click: () => this.#onDone() } }, text, count);
    const tick = () => {
      setText(count, number(left_s));
      if (left_s <= 0) this.#onDone();
      left_s -= 1;
    };
    this.node.replaceChildren(h('section', {
      class: 'sheet paper', role: 'dialog', 'aria-labelledby': 'sheet-title', data: { testid: 'sheet', round: sheet.round },
      on: { keydown: (event) => { if (event.key === 'Escape') this.#onDone(); } },
    },
    h('h2', { id: 'sheet-title', class: 'display' }, t('sheet.title', { number: sheet.round })),
    sheetTable(match, log, sheet), progress(match), button));
    tick();
    this.#timer = setInterval(tick, 1000);
    button.focus({ preventScroll: true });
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

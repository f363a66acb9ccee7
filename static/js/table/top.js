// The bar over the table: the way out, the room, the rules in short, and how the line to the server is.

import { h, picture, setAttr, setData, setText } from '../dom.js';
import { t } from '../i18n.js';

const SLOW_TO_SHOW_MS = 1500;
const CONNECTIONS = {
  connecting: 'conn.connecting',
  reconnecting: 'conn.reconnecting',
  offline: 'conn.offline',
  restarting: 'conn.restarting',
  replaced: 'conn.replaced',
};
const PROFILES = {
  classic: 'rules.classic', traditional: 'rules.traditional', komi: 'rules.komi', casual: 'rules.casual',
};

/** The rule set in a few words: "Classic · to 121". */
export function rulesText(rules) {
  const profile = rules.profile in PROFILES ? t(PROFILES[rules.profile]) : rules.profile;
  return rules.target === null
    ? t('rules.one_round', { profile })
    : t('rules.to_target', { profile, target: rules.target });
}

/** The bar itself, and the strip about the line, which the table lays under its banner. */
export class Top {
  #shownAfter = null;

  constructor({ onLeave, onTakeBack }) {
    this.title = h('h1', { tabindex: '-1' });
    this.rules = h('span', { class: 'rules small', data: { testid: 'rules' } });
    this.text = h('span');
    this.takeBack = h('button', { type: 'button', class: 'small-button', on: { click: onTakeBack } }, t('conn.take_back'));
    this.bar = h('div', { class: 'connection', dir: 'auto', data: { testid: 'connection' }, hidden: true }, this.text, this.takeBack);
    this.seeded = h('span', { class: 'tag small', hidden: true }, t('rules.seeded'));
    this.node = h('header', { class: 'top' },
      h('button', { type: 'button', class: 'icon-button', 'aria-label': t('leave.button'), on: { click: onLeave } }, picture('arrow', 'icon flips')),
      h('div', { class: 'titles' }, this.title, h('span', { class: 'under' }, this.rules, this.seeded)));
  }

  update(state) {
    setText(this.title, t('table.room', { code: state.place.code }));
    setText(this.rules, rulesText(state.match.rules));
    setAttr(this.seeded, 'hidden', !state.match.seeded);
    this.#connection(state.conn);
  }

  /** A short break is not worth a word; a line that stays away is. */
  #connection(conn) {
    if (this.bar.dataset.conn === conn) return;
    setData(this.bar, 'conn', conn);
    clearTimeout(this.#shownAfter);
    const show = () => {
      setAttr(this.bar, 'hidden', conn === 'open');
      if (conn in CONNECTIONS) setText(this.text, t(CONNECTIONS[conn]));
      setAttr(this.takeBack, 'hidden', conn !== 'replaced');
    };
    const patient = conn === 'connecting' || conn === 'reconnecting' || conn === 'restarting';
    if (patient) this.#shownAfter = setTimeout(show, SLOW_TO_SHOW_MS);
    else show();
  }
}

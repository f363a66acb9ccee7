// The strip that says how the line to the server is, when it is not well.

import { h, setAttr, setData, setText } from '../dom.js';
import { t } from '../i18n.js';

const SLOW_TO_SHOW_MS = 1500;
const WORDS = {
  connecting: 'conn.connecting',
  reconnecting: 'conn.reconnecting',
  offline: 'conn.offline',
  restarting: 'conn.restarting',
  replaced: 'conn.replaced',
};
const PATIENT = new Set(['connecting', 'reconnecting', 'restarting']);

export class ConnectionBar {
  #shownAfter = null;

  constructor() {
    this.node = h('div', { class: 'connection', dir: 'auto', data: { testid: 'connection' }, hidden: true });
  }

  /** A short break is not worth a word; a line that stays away is. */
  update(conn) {
    if (this.node.dataset.conn === conn) return;
    setData(this.node, 'conn', conn);
    clearTimeout(this.#shownAfter);
    const show = () => {
      setAttr(this.node, 'hidden', conn === 'open');
      if (conn in WORDS) setText(this.node, t(WORDS[conn]));
    };
    if (PATIENT.has(conn)) this.#shownAfter = setTimeout(show, SLOW_TO_SHOW_MS);
    else show();
  }

  destroy() {
    clearTimeout(this.#shownAfter);
  }
}

// What I may do about another player: hear no more of him, keep him away, report him.

import { h, setAttr, setText } from '../dom.js';
import { t } from '../i18n.js';
import { ask, get, post, remove } from '../net/api.js';
import { dropdown, guarded } from '../screens/parts.js';
import { announce } from '../table/announce.js';
import { openWindow } from '../window.js';

const MOST = 500; // letters of a report, and entries of a list
const REASONS = [['insult', 'report.insult'], ['cheating', 'report.cheating'], ['name', 'report.name'], ['other', 'report.other']];
const SAID = { block: 'relation.blocked', mute: 'relation.muted' };
const KINDS = [['mute', 'relation.mute'], ['block', 'relation.block']];

export class Relations {
  #player;
  #kind = null; // "block", "mute" or null
  #onChange;
  #room;

  /** `onChange()` hears that it is otherwise now; with the `room` where we sit a report keeps what was written there. */
  constructor(player, onChange = () => {}, room = null) {
    this.#player = player;
    this.#room = room;
    this.#onChange = onChange;
    this.trouble = h('p', { class: 'trouble', role: 'alert' });
    this.buttons = new Map(KINDS.map(([kind, text]) => [kind, h('button', {
      type: 'button', class: 'quiet', 'aria-pressed': 'false', data: { testid: kind }, on: { click: guarded(this.trouble, () => this.#toggle(kind)) },
    }, t(text))]));
    const report = h('button', { type: 'button', class: 'quiet', data: { testid: 'report' }, on: { click: () => this.#report() } }, t('relation.report'));
    this.hint = h('p', { class: 'small' }, t('relation.hint'));
    this.node = h('section', { class: 'panel relations', 'aria-label': t('relation.title') },
      h('div', { class: 'buttons' }, ...this.buttons.values(), report), this.hint, this.trouble);
    this.#look();
  }

  async #look() {
    try {
      const { items } = await get(`/blocks?limit=${MOST}`);
      const known = items.find(({ player }) => player.id === this.#player.id);
      this.#show(known ? known.kind : null);
    } catch {
      // The buttons stand as they are: pressing one says what is the matter.
    }
  }

  async #toggle(kind) {
    const path = `/blocks/${encodeURIComponent(this.#player.id)}`;
    const off = this.#kind === kind;
    if (off) await remove(path);
    else await ask('PUT', path, { kind });
    this.#show(off ? null : kind);
    this.#onChange();
    announce(off ? t('relation.let_be', { name: this.#player.name }) : t(SAID[kind], { name: this.#player.name }));
  }

  #show(kind) {
    this.#kind = kind;
    for (const [each, button] of this.buttons) setAttr(button, 'aria-pressed', String(each === kind));
    setText(this.hint, kind ? t(SAID[kind], { name: this.#player.name }) : t('relation.hint'));
  }

  #report() {
    const trouble = h('p', { class: 'trouble', role: 'alert' });
    let reason = REASONS[0][0];
    const why = dropdown({ label: t('report.why'), value: reason, options: REASONS.map(([value, text]) => [value, t(text)]), onChange: (value) => { reason = value; } });
    const text = h('textarea', { rows: '4', maxlength: String(MOST), dir: 'auto', id: 'report-text' });
    const form = h('form', {
      class: 'report-form',
      on: { submit: guarded(trouble, async () => {
        await post('/reports', { player: this.#player.id, room: this.#room, reason, text: text.value.trim() });
        form.replaceChildren(h('p', { role: 'status', data: { testid: 'reported' } }, t('report.sent')));
        announce(t('report.sent'));
      }) },
    }, why.node, h('div', { class: 'field' }, h('label', { for: 'report-text' }, t('report.text')), text), trouble,
    h('button', { type: 'submit', class: 'primary' }, t('report.send')));
    openWindow({ title: t('report.title', { name: this.#player.name }), className: 'report', testid: 'report-window' }, form);
  }
}

// What people write to one another where the host lets them: a list and a line to write on. All of it is text and
// nothing but text.

import { h, keyed, setAttr, setData, setText } from '../dom.js';
import { t } from '../i18n.js';
import { refusalText } from '../table/words.js';
import * as change from './changes.js';

const LENGTH = 200;
const NEAR_THE_END_PX = 40;

export class Chat {
  #store;
  #outbox;

  constructor(store, outbox) {
    this.#store = store;
    this.#outbox = outbox;
    this.list = h('ol', { class: 'messages' });
    this.none = h('p', { class: 'small' }, t('talk.none'));
    // What is new is announced by one voice of the page, so this list itself keeps silent.
    this.log = h('div', { class: 'log', role: 'log', 'aria-live': 'off', 'aria-label': t('talk.log'), tabindex: '0', data: { testid: 'messages' } }, this.none, this.list);
    this.input = h('input', {
      type: 'text', name: 'message', maxlength: LENGTH, dir: 'auto', autocomplete: 'off', enterkeyhint: 'send', 'aria-label': t('talk.write'), placeholder: t('talk.write'),
    });
    this.form = h('form', { class: 'write', on: { submit: (event) => this.#send(event) } },
      this.input, h('button', { type: 'submit', class: 'primary' }, t('talk.send')));
    this.node = h('div', { class: 'chat', data: { testid: 'chat' } }, this.log, this.form);
  }

  #send(event) {
    event.preventDefault();
    const text = this.input.value.trim();
    if (!text) return;
    this.input.value = '';
    this.#outbox.send(text);
    this.log.scrollTop = this.log.scrollHeight;
  }

  update(state) {
    const { items, sending } = change.chatOf(state);
    const all = [...items, ...sending];
    setAttr(this.none, 'hidden', all.length > 0);
    const wasAtEnd = this.log.scrollHeight - this.log.scrollTop - this.log.clientHeight < NEAR_THE_END_PX;
    const byKey = new Map(all.map((one) => [one.id || one.key, one]));
    keyed(this.list, [...byKey.keys()], (key) => this.#make(byKey.get(key), state.me))
      .forEach((node, index) => this.#show(node, all[index]));
    if (wasAtEnd) this.toEnd();
  }

  toEnd() {
    this.log.scrollTop = this.log.scrollHeight;
  }

  #make({ player, text }, me) {
    const mine = !player || player.id === me.id;
    return h('li', { data: { testid: 'message', mine } },
      h('bdi', { class: 'small writer' }, mine ? t('room.you') : player.name), h('p', { dir: 'auto' }, text));
  }

  /** One of mine is on its way, or was not taken: then I may try again. */
  #show(node, one) {
    const stands = one.id ? 'there' : one.failed ? 'failed' : 'pending';
    if (node.dataset.state === stands) return;
    setData(node, 'state', stands);
    for (const extra of [...node.children].slice(2)) extra.remove();
    if (stands === 'pending') node.append(h('span', { class: 'small' }, t('talk.sending')));
    if (stands === 'failed') node.append(...this.#ways(one));
  }

  #ways(one) {
    const button = (key, act) => h('button', { type: 'button', class: 'link', on: { click: () => { act(); this.input.focus(); } } }, t(key));
    return [h('span', { class: 'small not-sent', role: 'alert' }, t('talk.failed', { why: refusalText(one.failed) })),
      button('talk.again', () => this.#outbox.again(one)), button('talk.drop', () => this.#store.change(change.giveUp, one.key))];
  }
}

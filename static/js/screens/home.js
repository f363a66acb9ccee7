// The first page: who I am, a room for me and a friend, a code that a friend told me, and a match that still runs.

import { h, picture, setAttr, setText } from '../dom.js';
import { list, t } from '../i18n.js';
import { makeRoom, rememberedName } from '../session.js';
import { nameOf } from '../table/words.js';
import { CODE_LENGTH, codeField, guarded, nameField } from './parts.js';

export class Home {
  #wantsOther = false;

  constructor({ store, go }) {
    const name = nameField(rememberedName());
    this.name = name;
    this.trouble = h('p', { class: 'trouble', role: 'alert' });
    this.who = h('p', { class: 'who-am-i' });
    this.me = h('div', { class: 'me', hidden: true }, this.who, h('button', {
      type: 'button', class: 'link', on: { click: () => this.#askName() },
    }, t('home.other_name')));
    this.matches = h('div', { class: 'resume' });
    const make = h('form', {
      class: 'card-form',
      on: { submit: guarded(this.trouble, async () => go((await makeRoom(store, this.#typedName())).code)) },
    },
    this.me, name.node,
    h('button', { type: 'submit', class: 'primary wide' }, t('home.play_friend')),
    h('p', { class: 'small' }, t('home.play_friend_hint')));
    const code = codeField();
    const enter = h('form', {
      class: 'card-form enter',
      on: { submit: guarded(this.trouble, () => this.#enter(code, go)) },
    }, code.node, h('button', { type: 'submit', class: 'quiet' }, t('home.enter')));
    this.title = h('h1', { class: 'display shout', tabindex: '-1' }, t('home.title'));
    this.node = h('section', { class: 'home' },
      h('header', { class: 'poster' }, picture('star', 'poster-star'), this.title, h('p', {}, t('home.subtitle'))),
      this.matches, this.trouble, make, enter,
      h('p', { class: 'small footnote' }, t('home.footnote')));
  }

  #enter(code, go) {
    if (code.read().length === CODE_LENGTH) return go(code.read());
    setText(this.trouble, t('home.code_wrong'));
    code.focus();
    return null;
  }

  #typedName() {
    return this.name.node.hidden ? '' : this.name.read();
  }

  #askName() {
    this.#wantsOther = true;
    this.#showName(null);
    this.name.focus();
  }

  /** Either says who I am, or asks. */
  #showName(me) {
    setAttr(this.name.node, 'hidden', Boolean(me));
    setAttr(this.me, 'hidden', !me);
    if (me) setText(this.who, t('home.you_are', { name: me.name }));
  }

  update({ me, mine }) {
    this.#showName(this.#wantsOther ? null : me);
    this.matches.replaceChildren(...mine.map((match) => this.#resume(match, me)));
  }

  #resume(match, me) {
    const others = match.seats.filter(({ player }) => !player || player.id !== me.id);
    const names = list(others.map(({ seat }) => nameOf(match.seats, seat)));
    return h('a', { class: 'resume-card', href: `/r/${match.room}`, data: { testid: 'resume' } },
      h('strong', {}, t('home.resume')), h('span', { class: 'small' }, t('home.resume_with', { names })));
  }

  destroy() {}
}

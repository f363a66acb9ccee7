// A room that waits: its code and link, the seats as they fill, and for one who came by the link the button to sit down.

import { h, keyed, setAttr, setData, setText } from '../dom.js';
import { t } from '../i18n.js';
import { joinRoom, leaveRoom, rememberedName } from '../session.js';
import { announce } from '../table/announce.js';
import { rulesText } from '../table/top.js';
import { nameOf } from '../table/words.js';
import * as change from '../state.js';
import { guarded, nameField } from './parts.js';

const COPIED_FOR_MS = 2500;

export class Room {
  #store;
  #joined = null;

  constructor({ store, go, onSeated }) {
    this.#store = store;
    const { code } = store.get().place;
    this.trouble = h('p', { class: 'trouble', role: 'alert' });
    this.title = h('h1', { class: 'display', tabindex: '-1' }, t('room.title'));
    this.rules = h('p', { class: 'small' });
    this.seats = h('ul', { class: 'seats' });
    this.share = this.#share(code);
    this.name = nameField(rememberedName());
    this.invite = h('p', { class: 'invite', data: { testid: 'invite' } });
    this.joinButton = h('button', { type: 'submit', class: 'primary wide' });
    this.join = h('form', {
      class: 'card-form', hidden: true,
      on: {
        submit: guarded(this.trouble, async () => {
          const room = await joinRoom(store, code, this.name.node.hidden ? '' : this.name.read());
          store.change(change.withRoom, room);
          onSeated();
        }),
      },
    }, this.invite, this.name.node, this.joinButton);
    this.leave = h('button', {
      type: 'button', class: 'quiet',
      on: { click: guarded(this.trouble, async () => { await leaveRoom(code); go(null); }) },
    }, t('room.leave'));
    this.home = h('a', { class: 'button quiet', href: '/' }, t('result.home'));
    this.node = h('section', { class: 'room' }, this.title, this.rules, this.trouble, this.join, this.share, this.seats, this.leave, this.home);
  }

  #share(code) {
    this.link = h('input', {
      type: 'text', readonly: true, dir: 'ltr', 'aria-label': t('room.link'), data: { testid: 'room-link' },
      on: { focus: () => this.link.select() },
    });
    this.copy = h('button', { type: 'button', class: 'primary', on: { click: () => this.#copy() } }, t('room.copy'));
    return h('div', { class: 'share paper' },
      h('p', { class: 'small' }, t('room.share_hint')),
      h('p', { class: 'code display', dir: 'ltr', data: { testid: 'room-code' } }, code),
      h('div', { class: 'link-row' }, this.link, this.copy));
  }

  async #copy() {
    this.link.focus();
    try {
      await navigator.clipboard.writeText(this.link.value);
    } catch {
      // Without https there is no clipboard to write to; the old way works on the selected text.
      if (!document.execCommand('copy')) return;
    }
    this.copy.focus();
    setText(this.copy, t('room.copied'));
    announce(t('room.copied'));
    setTimeout(() => setText(this.copy, t('room.copy')), COPIED_FOR_MS);
  }

  update({ room, me }) {
    setAttr(this.node, 'hidden', !room);
    if (!room) return;
    const seated = room.seating.some(({ player }) => player && player.id === me?.id);
    const host = room.seating.find(({ player }) => player && player.id === room.host);
    const hostName = host ? host.player.name : t('room.somebody');
    setText(this.title, seated ? t('room.title') : t('room.title_invited'));
    setText(this.rules, t('room.rules', { rules: rulesText(room.rules), seconds: room.turn_seconds }));
    for (const [node, shown] of [[this.join, !seated], [this.share, seated], [this.leave, seated], [this.home, !seated]]) {
      setAttr(node, 'hidden', !shown);
    }
    setText(this.invite, t('room.invites', { name: hostName }));
    setText(this.joinButton, t('room.join', { name: hostName }));
    setAttr(this.name.node, 'hidden', Boolean(me));
    if (this.link.value !== room.url) this.link.value = room.url;
    const nodes = keyed(this.seats, room.seating.map(({ seat }) => seat), (seat) => h('li', { data: { testid: 'seat', seat } },
      h('span', { class: 'avatar' }, h('span', { class: 'initial', 'aria-hidden': 'true' })),
      h('bdi', { class: 'name' }), h('span', { class: 'small' })));
    nodes.forEach((node, index) => this.#seat(node, room, index, me));
    this.#tell(room, me);
  }

  #seat(node, room, seat, me) {
    const { player, bot, connected, side } = room.seating[seat];
    const taken = Boolean(player || bot);
    setData(node, 'taken', taken);
    setData(node, 'connected', connected);
    setData(node, 'us', side === 0);
    const name = taken ? nameOf(room.seating, seat) : t('room.free_seat');
    const [avatar, nameNode, note] = node.children;
    setText(avatar.firstChild, taken ? [...name][0] : '');
    setText(nameNode, name);
    let about = '';
    if (player && player.id === me?.id) about = t('room.you');
    else if (player && !connected) about = t('table.doing.away');
    else if (!taken) about = t('room.waiting');
    setText(note, about);
  }

  #tell(room, me) {
    const now = new Map(room.seating.filter(({ player }) => player).map(({ player }) => [player.id, player.name]));
    for (const [id, name] of now) {
      if (this.#joined && !this.#joined.has(id) && id !== me?.id) announce(t('room.came', { name }));
    }
    this.#joined = now;
  }

  destroy() {}
}

// A room that waits: its code and link, the seats as they fill, and for one who came by the link the way to sit down.

import { h, setAttr, setData, setText } from '../dom.js';
import { FairChip } from '../fair_chip.js';
import { partIn } from '../fair_notes.js';
import { t } from '../i18n.js';
import { languageCorner } from '../language.js';
import { closeRoom, joinRoom, leaveRoom, moveTo, seatBot, unseat } from '../rooms.js';
import { remember, rememberedName } from '../session.js';
import * as change from '../state.js';
import { Talk } from '../talk/talk.js';
import { announce } from '../table/announce.js';
import { ConnectionBar } from '../table/connection.js';
import { nameOf, rulesText, secondsText } from '../table/words.js';
import { guarded, levelChoice, nameField, registerLink, rememberedLevel } from './parts.js';
import { RoomSeats } from './room_seats.js';
import { Share } from './share.js';

const LOST = new Set(['reconnecting', 'offline', 'restarting']);
const STARTS = new Set(['dealing', 'playing']);
const PARTS = { elsewhere: 'fair.elsewhere', unable: 'fair.unable' };

export class Room {
  #store;
  #code;
  #onSeated;
  #before = null; // the room as it was told of last
  #deals = false; // whether the cards are dealt before my eyes
  #level = rememberedLevel();

  constructor({ store, onSeated, onQuit }) {
    this.#store = store;
    this.#onSeated = onSeated;
    this.#code = store.get().place.code;
    this.trouble = h('p', { class: 'trouble', role: 'alert' });
    this.title = h('h1', { class: 'display', tabindex: '-1' }, t('room.title'));
    this.rules = h('a', { href: '/rules', target: '_blank', rel: 'noopener', class: 'link small', data: { testid: 'rules' } });
    this.how = h('a', { target: '_blank', rel: 'noopener', class: 'link small', data: { testid: 'how' } }, t('rules.how'));
    this.about = h('span', { class: 'small' });
    this.fair = new FairChip();
    this.part = h('p', { class: 'small', data: { testid: 'deal-part' } });
    this.connection = new ConnectionBar();
    this.share = new Share(this.#code).node;
    this.seats = new RoomSeats({
      sit: (seat) => guarded(this.trouble, () => this.#sit(seat)),
      addBot: (seat) => guarded(this.trouble, () => this.#act(seatBot(this.#store, this.#code, seat, this.#level))),
      remove: (seat) => guarded(this.trouble, () => this.#remove(seat)),
    }, store);
    this.talk = new Talk({ store, placeOf: (seat) => this.seats.at(seat) });
    this.join = this.#joinForm();
    this.levels = h('div', { class: 'levels' }, levelChoice(t('room.level'), this.#level, (level) => {
      this.#level = level;
      remember('level', level);
    }));
    this.leave = h('button', {
      type: 'button', class: 'quiet', on: { click: guarded(this.trouble, () => onQuit(() => leaveRoom(this.#code))) },
    }, t('room.leave'));
    this.close = h('button', {
      type: 'button', class: 'quiet', on: { click: guarded(this.trouble, () => this.#close(onQuit)) },
    }, t('room.close'));
    this.home = h('a', { class: 'button quiet', href: '/' }, t('result.home'));
    this.body = h('div', { class: 'room-body' },
      h('p', { class: 'room-rules' }, this.rules, this.about, t('room.and'), this.how, ' ', this.fair.node), this.part, this.trouble, this.join, this.share,
      this.seats.node, this.talk.button, this.levels, h('div', { class: 'buttons' }, this.leave, this.close, this.home));
    this.node = h('section', { class: 'room' }, this.connection.node, languageCorner(), this.title, this.body, this.talk.node);
  }

  #joinForm() {
    this.name = nameField(rememberedName());
    this.invite = h('p', { class: 'invite', data: { testid: 'invite' } });
    this.joinButton = h('button', { type: 'submit', class: 'primary wide' });
    this.unrated = h('p', { class: 'small', hidden: true, data: { testid: 'guest-unrated' } }, t('room.guest_unrated'), ' ', registerLink());
    return h('form', { class: 'panel', hidden: true, on: { submit: guarded(this.trouble, () => this.#sit(null)) } },
      this.invite, this.unrated, this.name.node, this.joinButton);
  }

  /** Sit down, or move to another seat. */
  async #sit(seat) {
    const { room, me } = this.#store.get();
    if (change.seatIn(room, me) !== null) await this.#act(moveTo(this.#code, seat));
    else {
      const name = this.name.node.hidden ? '' : this.name.read();
      await this.#act(joinRoom(this.#store, this.#code, name, seat));
      if (!this.#store.get().error) await this.#onSeated();
    }
  }

  async #act(asked) {
    try {
      this.#store.change(change.withRoom, await asked);
    } catch (error) {
      // Nothing here can be done about it, so the whole page says so.
      if (error.code !== 'room.blocked') throw error;
      this.#store.change(change.withError, 'room_blocked');
    }
  }

  async #remove(seat) {
    const { seating } = this.#store.get().room;
    const { bot } = seating[seat];
    if (!bot) {
      const { confirm } = await import('../dialog.js');
      const name = nameOf(seating, seat);
      const sure = await confirm({
        title: t('room.remove_title', { name }), text: t('room.remove_text'), yes: t('room.remove'), no: t('room.keep'),
      });
      if (!sure) return;
    }
    await unseat(this.#code, seat, Boolean(bot));
  }

  async #close(onQuit) {
    const { confirm } = await import('../dialog.js');
    const sure = await confirm({
      title: t('room.close_title'), text: t('room.close_text'), yes: t('room.close_yes'), no: t('leave.no'),
    });
    if (sure) await onQuit(() => closeRoom(this.#code));
  }

  update(state) {
    const { room, me, conn } = state;
    this.talk.update(state);
    // A visitor who is nobody yet has no line that could be well or not; one who has sits down when it is there again.
    this.connection.update(me ? conn : 'open');
    setAttr(this.joinButton, 'disabled', Boolean(me) && LOST.has(conn));
    // A room in which a match runs is shown as its table as soon as that is here; until then who saw the deal goes on seeing it.
    const starts = Boolean(room) && STARTS.has(room.status);
    const deals = starts && (this.#deals || room.status === 'dealing');
    setAttr(this.body, 'hidden', !room || (starts && !deals));
    setData(this.node, 'status', room ? room.status : null);
    if (this.body.hidden) setText(this.title, t('room.moment'));
    else if (deals) this.#showDealing(room, me);
    else this.#show(room, me);
  }

  /** Everybody sits, and nobody can do anything but wait for a moment. */
  #showDealing(room, me) {
    for (const node of [this.join, this.share, this.levels, this.leave, this.close, this.home]) setAttr(node, 'hidden', true);
    setText(this.title, t('room.dealing'));
    if (room.status === 'dealing') this.#showRules(room, me); // then it promises the match after this one
    this.seats.update(room, me);
    this.#tell(room, me);
    if (!this.#deals) announce(t('room.dealing'));
    this.#deals = true;
  }

  #showRules(room, me) {
    setText(this.rules, rulesText(room.rules));
    setAttr(this.how, 'href', `/how-to-play?profile=${room.rules.profile}`);
    setText(this.about, t('room.about', {
      clock: secondsText(room.turn_seconds), who: room.visibility === 'public' ? t('setup.is_public') : t('setup.is_private'),
    }));
    const seat = change.seatIn(room, me);
    this.fair.update(room.fairness, seat);
    const part = partIn(room.fairness, seat);
    setAttr(this.part, 'hidden', !(part in PARTS));
    setData(this.part, 'part', part);
    if (part in PARTS) setText(this.part, t(PARTS[part]));
  }

  #show(room, me) {
    const seated = change.seatIn(room, me) !== null;
    const isHost = seated && room.host === me.id;
    const host = room.seating.find(({ player }) => player && player.id === room.host);
    const name = host ? host.player.name : t('room.somebody');
    const shown = [
      [this.join, !seated], [this.share, seated], [this.levels, isHost], [this.leave, seated], [this.close, isHost],
      [this.home, !seated], [this.name.node, !me], [this.unrated, room.rated && (!me || me.guest)],
    ];
    for (const [node, isShown] of shown) setAttr(node, 'hidden', !isShown);
    setText(this.title, seated ? t('room.title', { count: room.seats - 1 }) : t('room.title_invited'));
    this.#showRules(room, me);
    setText(this.invite, t('room.invites', { name }));
    setText(this.joinButton, t('room.join', { name }));
    this.seats.update(room, me);
    this.#tell(room, me);
  }

  /** Say who came and went, and who is the host when that has changed. */
  #tell(room, me) {
    const people = new Map(room.seating.filter(({ player }) => player).map(({ player }) => [player.id, player.name]));
    const before = this.#before;
    this.#before = { people, host: room.host };
    if (!before) return;
    const said = [];
    for (const [id, name] of people) if (!before.people.has(id) && id !== me?.id) said.push(t('room.came', { name }));
    for (const [id, name] of before.people) if (!people.has(id) && id !== me?.id) said.push(t('room.went', { name }));
    if (room.host !== before.host && people.has(room.host)) {
      said.push(room.host === me?.id ? t('room.you_host') : t('room.other_host', { name: people.get(room.host) }));
    }
    if (said.length) announce(said.join(' '));
  }

  destroy() {
    this.talk.destroy();
    this.connection.destroy();
  }
}

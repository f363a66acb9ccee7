// Talking at the table: the button, the sheet with what can be said and what was written, and the bubbles at the seats.
// Where there is room beside the table the sheet always lies there, and the button is not needed.

import { play, unlockByGesture } from '../audio.js';
import { h, picture, setAttr, setData, setText } from '../dom.js';
import { number, t } from '../i18n.js';
import { remember, remembered } from '../session.js';
import { announce } from '../table/announce.js';
import { nameOf } from '../table/words.js';
import { Bubbles } from './bubbles.js';
import * as change from './changes.js';
import { Chat } from './chat.js';
import { Outbox } from './outbox.js';
import { phrases } from './phrases.js';
import { Speaking } from './speaking.js';

const BESIDE = matchMedia('(min-width: 900px) and (min-height: 560px)');
const READ = 'chat_read';

/** Do I sit here, and is there anybody to hear me? */
export function maySpeak({ room, me, match }) {
  const places = room ? room.seating : match ? match.seats : [];
  const mine = places.some(({ player }) => player && me && player.id === me.id);
  return mine && room?.status !== 'closed' && (places.filter(({ player }) => player).length > 1 || Boolean(room?.spectators));
}

export class Talk {
  #store;
  #code;
  #isOpen = false;
  #wasShown = false;
  #canBeside;
  #mark = null; // the last message that was told of
  #undo = [];

  /**
   * `placeOf(seat)` gives the node on which a bubble hangs; `beside`: there is a place beside the screen for the sheet;
   * `named`: bubbles do not hang at seats, so they say whose they are.
   */
  constructor({ store, placeOf, beside = false, named = false }) {
    this.#store = store;
    this.#code = store.get().place.code;
    this.#canBeside = beside;
    this.count = h('span', { class: 'unread', 'aria-hidden': 'true' });
    this.button = h('button', {
      type: 'button', class: 'icon-button talk-button', 'aria-expanded': 'false', 'aria-haspopup': 'dialog', hidden: true, data: { testid: 'talk-button' },
      on: { click: () => (this.#isOpen ? this.close() : this.open()) },
    }, picture('talk', 'icon'), h('span', { class: 'talk-word', 'aria-hidden': 'true' }, t('talk.open')), this.count);
    this.speaking = new Speaking(this.#code, () => this.close());
    this.outbox = new Outbox(store, this.#code, (seconds) => this.speaking.rest(seconds));
    this.chat = null;
    this.node = h('section', { class: 'talk', hidden: true, 'aria-label': t('talk.title'), data: { testid: 'talk' } },
      h('div', { class: 'talk-head' }, h('h2', {}, t('talk.title')), h('button', {
        type: 'button', class: 'icon-button', 'aria-label': t('window.close'), on: { click: () => this.close() },
      }, picture('cross', 'icon'))), this.speaking.node);
    this.bubbles = new Bubbles({ said: store.get().said, placeOf, named, nameOf: (seat) => this.#nameOf(seat) });
    this.#mark = lastOf(store.get());
    this.#listen();
  }

  #listen() {
    const on = (target, type, act, capture = false) => {
      target.addEventListener(type, act, capture);
      this.#undo.push(() => target.removeEventListener(type, act, capture));
    };
    const inside = (node) => this.node.contains(node) || this.button.contains(node);
    on(BESIDE, 'change', () => this.update(this.#store.get()));
    on(document, 'visibilitychange', () => this.update(this.#store.get()));
    on(document, 'click', ({ target }) => this.#isOpen && target.isConnected && !inside(target) && this.close(), true);
    on(this.node, 'keydown', (event) => {
      if (!this.#isSheet()) return;
      event.stopPropagation();
      if (event.key === 'Escape') this.close();
    });
    on(this.node, 'focusout', ({ relatedTarget }) => this.#isOpen && relatedTarget && !inside(relatedTarget) && this.close(false));
    if (window.visualViewport) on(window.visualViewport, 'resize', () => this.#keepAboveKeyboard());
    this.#undo.push(unlockByGesture());
  }

  #nameOf(seat) {
    const { room, match, me } = this.#store.get();
    const places = room ? room.seating : match.seats;
    return places[seat]?.player?.id === me?.id ? null : nameOf(places, seat);
  }

  /** Does it come over the screen when it is asked for? Else it lies beside it. */
  #isSheet() {
    return !this.#canBeside || !BESIDE.matches;
  }

  /** A keyboard on the screen covers what lies at its lower edge. */
  #keepAboveKeyboard() {
    const { height, offsetTop, scale } = window.visualViewport;
    const covered = scale === 1 ? Math.max(0, window.innerHeight - height - offsetTop) : 0;
    this.node.style.setProperty('--keyboard', `${Math.round(covered)}px`);
  }

  async open() {
    this.#isOpen = true;
    this.update(this.#store.get());
    this.node.querySelector('.talk-head button').focus({ preventScroll: true });
    await this.speaking.fill();
    if (this.#isOpen && this.node.querySelector('.talk-head').contains(document.activeElement)) this.speaking.focus();
  }

  /** Put the sheet away; the focus goes back to the button. */
  close(withFocus = true) {
    if (!this.#isOpen) return;
    this.#isOpen = false;
    const had = this.node.contains(document.activeElement);
    this.update(this.#store.get());
    if (withFocus && had) this.button.focus({ preventScroll: true });
  }

  update(state) {
    const may = maySpeak(state);
    const sheet = this.#isSheet();
    if (!may || !sheet) this.#isOpen = false;
    const shown = may && (this.#isOpen || !sheet);
    if (may) phrases().catch(() => {}); // who wants them soon, asks again
    this.#showChat(state, shown);
    setAttr(this.node, 'hidden', !shown);
    setAttr(this.node, 'role', sheet ? 'dialog' : null);
    setData(this.node, 'sheet', sheet);
    setAttr(this.button, 'hidden', !may || !sheet);
    setAttr(this.button, 'aria-expanded', String(this.#isOpen));
    if (shown && !this.#wasShown) this.#begin();
    this.#wasShown = shown;
    this.bubbles.update(state);
    this.#tell(state);
  }

  /** It comes in sight: with its list, and with what was written last. */
  async #begin() {
    await this.speaking.fill();
    if (this.chat) this.chat.toEnd();
  }

  #showChat(state, shown) {
    const due = change.mayChat(state);
    setData(this.node, 'chat', due);
    if (due && !this.chat) {
      this.chat = new Chat(this.#store, this.outbox);
      this.speaking.node.before(this.chat.node);
      this.#recall(state);
    }
    if (!due && this.chat) this.chat.node.remove();
    if (!due) this.chat = null;
    else this.chat.update(state);
    if (due && shown && !document.hidden) this.#read(state);
    const unread = change.unread(this.#store.get());
    setData(this.button, 'unread', unread);
    setText(this.count, unread ? number(unread) : '');
    setAttr(this.button, 'aria-label', unread ? t('talk.open_unread', { count: unread }) : t('talk.open'));
  }

  /** What I had read before the page was loaded anew is read. */
  #recall({ chatRead }) {
    const known = remembered(READ, {});
    if (chatRead === null && known.code === this.#code) this.#store.change(change.readTo, known.id);
  }

  #read(state) {
    const id = lastOf(state);
    if (!id || id === state.chatRead) return;
    this.#store.change(change.readTo, id);
    remember(READ, { code: this.#code, id });
  }

  /** Say aloud what somebody has written since; of several, the last. */
  #tell(state) {
    const { items } = change.chatOf(state);
    const before = this.#mark;
    this.#mark = lastOf(state);
    // A list that is first heard of is history; one without what came last before has lost it, as by a mute.
    const isNew = items.length && (before === '' || items.slice(0, -1).some(({ id }) => id === before));
    if (!isNew) return;
    const { player, text } = items[items.length - 1];
    if (player.id === state.me?.id) return;
    announce(t('talk.wrote', { name: player.name, text }));
    play('pop');
  }

  destroy() {
    this.#undo.forEach((undo) => undo());
    this.bubbles.destroy();
    this.speaking.destroy();
    this.outbox.close();
  }
}

/** The last message; "" where nobody has written, null where nothing is known yet. */
function lastOf({ chat }) {
  return chat && (chat.items.length ? chat.items[chat.items.length - 1].id : '');
}

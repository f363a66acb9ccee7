// Shows the screen that fits the state, and follows the address: home, or a room by its code.

import { confirm } from './dialog.js';
import { setData } from './dom.js';
import { t } from './i18n.js';
import { ApiError } from './net/api.js';
import { RoomSync } from './net/sync.js';
import { Home } from './screens/home.js';
import { Result } from './screens/result.js';
import { Room } from './screens/room.js';
import { Trouble } from './screens/error.js';
import { findRoom, myMatches } from './session.js';
import * as change from './state.js';
import { Table } from './table/view.js';

const LOOK_AGAIN_MS = 4000;
const SCREENS = { home: Home, room: Room, table: Table, result: Result, error: Trouble };

/** Where an address points. */
export function placeOf(path) {
  const [, code] = path.match(/^\/r\/([A-Za-z]{6})\/?$/) || [];
  return code ? { name: 'room', code: code.toUpperCase() } : { name: 'home' };
}

export class Router {
  #store;
  #main;
  #sync = null;
  #screen = null;
  #shown = null; // what the present screen was made for
  #looking = null;

  constructor(store, main) {
    this.#store = store;
    this.#main = main;
    store.subscribe((state) => this.#render(state));
    window.addEventListener('popstate', () => this.open(placeOf(location.pathname)));
    document.addEventListener('click', (event) => this.#followLink(event));
  }

  /** Go to a room by its code, or home with null. */
  go(code) {
    const path = code ? `/r/${code}` : '/';
    history.pushState(null, '', path);
    return this.open(placeOf(path));
  }

  async open(place) {
    this.#closeRoom();
    this.#store.change(change.goTo, place);
    document.title = place.code ? t('page.room_title', { code: place.code }) : t('page.title');
    await this.#load(place);
  }

  async #load(place) {
    try {
      if (place.code) await this.#openRoom(place);
      else if (this.#store.get().me) this.#store.change(change.withMine, await myMatches());
    } catch (error) {
      if (this.#store.get().place === place) this.#store.change(change.withError, troubleOf(error));
    }
  }

  async #openRoom(place) {
    const { code } = place;
    const room = await findRoom(code);
    if (this.#store.get().place !== place || this.#sync) return;
    this.#store.change(change.withRoom, room);
    const { me } = this.#store.get();
    if (room.seating.some(({ player }) => player && player.id === me?.id)) this.#follow(code);
    else this.#look(room);
  }

  /** A stranger sees a waiting room as it was when asked; so it is asked again while he looks at it. */
  #look(room) {
    const { spectators, status, seating } = room;
    const free = seating.some(({ player, bot }) => !player && !bot);
    if (status !== 'waiting' && spectators && this.#store.get().me) this.#follow(room.code);
    else if (status === 'closed') this.#store.change(change.withError, 'room_closed');
    else if (status === 'playing') this.#store.change(change.withError, 'room_playing');
    else if (!free) this.#store.change(change.withError, 'room_full');
    else this.#looking = setTimeout(() => this.#load(this.#store.get().place), LOOK_AGAIN_MS);
  }

  #follow(code) {
    clearTimeout(this.#looking);
    this.#sync = new RoomSync(this.#store, code);
    this.#sync.open();
  }

  #closeRoom() {
    clearTimeout(this.#looking);
    if (this.#sync) this.#sync.close();
    this.#sync = null;
  }

  #followLink(event) {
    const link = event.target.closest('a[href]');
    if (!link || link.origin !== location.origin || event.ctrlKey || event.metaKey || event.shiftKey) return;
    event.preventDefault();
    this.go(placeOf(link.pathname).code || null);
  }

  #render(state) {
    const name = change.screenOf(state);
    const made = `${name} ${state.place.code || ''} ${name === 'table' ? state.match.id : ''} ${state.error ? state.error.kind : ''}`;
    if (made !== this.#shown) this.#show(name, made);
    this.#screen.update(state);
    // What has been moved and spoken once is not news any more.
    this.#store.change(change.heard);
  }

  #show(name, made) {
    const first = this.#shown === null;
    if (this.#screen) this.#screen.destroy();
    this.#shown = made;
    const { code } = this.#store.get().place;
    this.#screen = new SCREENS[name]({
      store: this.#store,
      sync: this.#sync,
      go: (target) => this.go(target),
      onSeated: () => this.#follow(code),
      onLeave: () => this.#leave(),
      onTakeBack: () => this.#sync.takeBack(),
    });
    this.#main.dataset.screen = name;
    setData(this.#main, 'error', name === 'error' ? this.#store.get().error.kind : null);
    this.#main.replaceChildren(this.#screen.node);
    const target = name === 'table' ? this.#screen.hand : this.#screen.title;
    if (!first) target.focus({ preventScroll: true });
  }

  async #leave() {
    const { match } = this.#store.get();
    if (match.status === 'finished' || !match.you) {
      this.go(null);
      return;
    }
    const two = match.seats.length === 2;
    const sure = await confirm({
      title: t('leave.title'), text: two ? t('leave.text_two') : t('leave.text_four'), yes: t('leave.yes'), no: t('leave.no'),
    });
    if (sure && this.#sync) this.#sync.forfeit();
  }
}

function troubleOf(error) {
  if (!(error instanceof ApiError)) return 'failed';
  if (error.status === 404) return 'room_missing';
  return error.code === 'rate_limited' ? 'rate_limited' : 'failed';
}

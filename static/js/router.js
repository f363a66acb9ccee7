// Shows the screen that fits the state, and follows the address: home, a room by its code, and the pages beside the game.

import { setData } from './dom.js';
import { inUse, t } from './i18n.js';
import { ApiError } from './net/api.js';
import { HomeSync } from './net/home_sync.js';
import { isOfImport, rescue } from './rescue.js';
import { findRoom } from './rooms.js';
import { loadScreen, screenReady } from './screens.js';
import { ensureGuest } from './session.js';
import * as change from './state.js';

const LOOK_AGAIN_MS = 4000;
const LATE_MS = 6000; // as the document itself gives its own scripts, in screens.css
const CLOSED_TO_STRANGERS = { dealing: 'room_playing', playing: 'room_playing', finished: 'room_finished' };
const SOON = { seek: ['table'], room: ['table'], table: ['result'] }; // what is likely to come next

const PLACES = [
  [/^\/$/, () => ({ name: 'home' })],
  [/^\/r\/([A-Za-z]{6})\/?$/, (code) => ({ name: 'room', code: code.toUpperCase() })],
  [/^\/replay\/([\w-]+)\/?$/, (id) => ({ name: 'replay', id })],
  [/^\/history\/?$/, () => ({ name: 'history' })],
  [/^\/profile\/?$/, () => ({ name: 'profile', id: 'me' })],
  [/^\/account\/?$/, () => ({ name: 'account' })],
  [/^\/move\/?$/, () => ({ name: 'move' })],
  [/^\/players\/([\w-]+)\/?$/, (id) => ({ name: 'profile', id })],
];

/** Where an address points; null for a page that is none of the client's. */
export function placeOf(path) {
  for (const [pattern, place] of PLACES) {
    const found = path.match(pattern);
    if (found) return place(found[1]);
  }
  return null;
}

const address = () => location.pathname + location.search;

export class Router {
  #store;
  #main;
  #sync = null; // with the room, or with what the first page shows
  #screen = null;
  #shown = null; // what the present screen was made for
  #looking = null;
  #veil = null;
  #path = null; // of the place that is open
  #late; // what the document says when its scripts stay away

  constructor(store, main) {
    this.#store = store;
    this.#main = main;
    this.#late = main.querySelector('.late');
    store.subscribe((state) => this.#render(state));
    window.addEventListener('popstate', () => {
      // A step within a page, by what stands behind the #, is that page's own matter.
      if (address() !== this.#path) this.open(placeOf(location.pathname));
    });
    document.addEventListener('click', (event) => this.#followLink(event));
  }

  /** Go to a room by its code, or home with null. */
  go(code) {
    return this.#visit(code ? `/r/${code}` : '/');
  }

  #visit(link) {
    history.pushState(null, '', link);
    return this.open(placeOf(location.pathname));
  }

  async open(place) {
    this.#path = address();
    this.#endSync();
    this.#shown &&= ''; // a screen speaks to the sync of its place
    this.#store.change(change.goTo, place);
    this.#nameDocument(place);
    if (place.name === 'home') this.#openHome();
    if (place.name === 'room') await this.#load(place);
  }

  #nameDocument({ code }) {
    document.title = code ? t('page.room_title', { code }) : t('page.title');
  }

  /** Show everything again, in the language that is in use now. */
  retell() {
    const { place } = this.#store.get();
    if (!place) return;
    this.#nameDocument(place);
    if (this.#veil) this.#veil.remove();
    this.#veil = null;
    const typed = [...this.#main.querySelectorAll('input[name]:not([type=radio])')].map(({ name, value }) => [name, value]);
    const held = document.activeElement.dataset.testid;
    this.#render(this.#store.get());
    for (const [name, value] of typed) {
      const field = this.#main.querySelector(`input[name="${name}"]`);
      if (field) field.value = value;
    }
    const again = held && this.#main.querySelector(`button[data-testid="${held}"]`);
    if (again) again.focus();
  }

  #openHome() {
    this.#sync = new HomeSync(this.#store, (code) => this.go(code));
    this.#sync.open();
  }

  async #load(place) {
    try {
      await this.#openRoom(place);
    } catch (error) {
      if (isOfImport(error) && await rescue()) return;
      if (this.#store.get().place === place) this.#store.change(change.withError, troubleOf(error));
    }
  }

  async #openRoom(place) {
    const room = await findRoom(place.code);
    if (this.#store.get().place !== place || this.#sync) return;
    this.#store.change(change.withRoom, room);
    if (this.#store.get().error) return;
    if (change.seatIn(room, this.#store.get().me) !== null) await this.#follow(room.code);
    else await this.#look(room);
  }

  /** A stranger may follow a room that waits or that allows spectators, if he is a player at all. */
  async #look({ code, spectators, status, seating }) {
    const { place } = this.#store.get();
    const free = seating.some(({ player, bot }) => !player && !bot);
    if (status === 'waiting' && !this.#store.get().me) this.#looking = setTimeout(() => this.#load(place), LOOK_AGAIN_MS);
    else if (status === 'waiting' && free) await this.#follow(code);
    else if (spectators) {
      await ensureGuest(this.#store);
      await this.#follow(code);
    } else this.#store.change(change.withError, CLOSED_TO_STRANGERS[status] || 'room_full');
  }

  async #follow(code) {
    clearTimeout(this.#looking);
    const { RoomSync } = await this.#arriving(import('./net/sync.js'));
    if (this.#sync || this.#store.get().place.code !== code) return;
    this.#sync = new RoomSync(this.#store, code);
    this.#sync.open();
    if (this.#shown === '') this.#render(this.#store.get()); // it came late, and nothing else may have changed
  }

  #endSync() {
    clearTimeout(this.#looking);
    if (this.#sync) this.#sync.close();
    this.#sync = null;
  }

  #followLink(event) {
    const link = event.target.closest('a[href]');
    if (!link || link.origin !== location.origin || link.target || link.download || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const isHere = link.pathname === location.pathname && link.hash;
    if (isHere || link.closest('.late') || !placeOf(link.pathname)) return;
    event.preventDefault();
    this.#visit(link.pathname + link.search + link.hash);
  }

  #render(state) {
    const name = change.screenOf(state);
    const made = `${inUse()} ${name} ${state.place.code || state.place.id || ''} ${name === 'table' ? state.match.id : ''} ${state.error ? state.error.kind : ''}`;
    if (made !== this.#shown) {
      if (!screenReady(name)) {
        this.#fetch(name);
        return;
      }
      this.#show(name, made);
    }
    this.#screen.update(state);
    this.#showVeil(state);
    // What has been moved and spoken once is not news any more.
    this.#store.change(change.heard);
  }

  async #fetch(name) {
    try {
      await this.#arriving(loadScreen(name));
    } catch {
      if (await rescue()) return;
      // Without the screen for troubles there is nothing to show it with; what is on the page stays.
      if (name !== 'error') this.#store.change(change.withError, 'failed');
      return;
    }
    this.#render(this.#store.get());
  }

  /** Wait for a part of the client; when it stays away for long, say what the document says of all of them. */
  async #arriving(part) {
    const late = setTimeout(() => this.#showLate(), LATE_MS);
    try {
      return await part;
    } finally {
      clearTimeout(late);
    }
  }

  #showLate() {
    if (!this.#late) return;
    const [title, text, again] = this.#late.querySelectorAll('h2, p, a');
    title.textContent = t('page.late.title');
    text.textContent = t('page.late.text');
    again.textContent = t('error.again');
    this.#late.classList.add('now');
    this.#shown = ''; // the screen is made anew when what it waits for has come
    this.#main.dataset.screen = 'late';
    this.#main.replaceChildren(this.#late);
  }

  #show(name, made) {
    const first = this.#shown === null;
    if (this.#screen) this.#screen.destroy();
    this.#shown = made;
    const Screen = screenReady(name);
    const { code } = this.#store.get().place;
    this.#screen = new Screen({
      store: this.#store,
      sync: this.#sync,
      go: (target) => this.go(target),
      onSeated: () => this.#follow(code),
      onLeave: () => this.#leave(),
      onQuit: (act) => this.#quit(code, act),
    });
    this.#main.dataset.screen = name;
    setData(this.#main, 'error', name === 'error' ? this.#store.get().error.kind : null);
    this.#main.replaceChildren(this.#screen.node);
    if (!first) this.#screen.title.focus({ preventScroll: true });
    window.scrollTo(0, 0);
    for (const next of SOON[name] || []) loadScreen(next).catch(() => {}); // it will be asked for again when needed
  }

  /** Another tab has the seat now: this one says so, and offers to take it back. */
  async #showVeil({ conn }) {
    const due = conn === 'replaced';
    if (due === Boolean(this.#veil)) return;
    if (this.#veil) {
      this.#veil.remove();
      this.#veil = null;
      return;
    }
    const { veil } = await import('./screens/replaced.js');
    if (this.#veil || this.#store.get().conn !== 'replaced') return;
    this.#veil = veil(() => this.#sync.takeBack());
    this.#main.append(this.#veil);
    this.#veil.querySelector('button').focus();
  }

  /** Give a room up, and go home. The channel goes first, or it would tell me that I have lost my seat. */
  async #quit(code, act) {
    this.#endSync();
    try {
      await act();
    } catch (error) {
      this.#follow(code);
      throw error;
    }
    this.go(null);
  }

  async #leave() {
    const { match } = this.#store.get();
    if (match.status === 'finished' || !match.you) {
      this.go(null);
      return;
    }
    const two = match.seats.length === 2;
    const { confirm } = await import('./dialog.js');
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

// Keeps what the first page shows up to date: my matches, the open tables, my quick match. A player has a channel of
// his own for that; a visitor, and a player whose channel is down, asks now and then.

import * as change from '../state.js';
import { myMatches, openTables } from '../rooms.js';
import { Channel, channelAddress } from './channel.js';
import { Seeker } from './seeker.js';

export const ASK_EVERY_MS = 10_000;

export class HomeSync {
  #store;
  #channel = null;
  #playerId = null; // whose channel it is
  #conn = 'connecting';
  #timer = null;
  #unsubscribe = null;
  #closed = false;

  /** `onPaired(code)` is called when my quick match has found its room. */
  constructor(store, onPaired) {
    this.#store = store;
    this.seeker = new Seeker(store, (code) => {
      if (!this.#closed) onPaired(code);
    });
  }

  open() {
    this.#unsubscribe = this.#store.subscribe(() => this.#openChannel());
    this.#openChannel();
    if (this.#channel) this.#askMatches();
    else this.#askTables();
    this.#timer = setInterval(() => {
      if (this.#conn !== 'open') this.#askTables();
    }, ASK_EVERY_MS);
  }

  close() {
    this.#closed = true;
    this.#unsubscribe();
    clearInterval(this.#timer);
    if (this.#channel) this.#channel.close();
    this.seeker.close();
  }

  /** A player has a channel. */
  #openChannel() {
    const { me } = this.#store.get();
    if (!me || me.id === this.#playerId) return;
    this.#playerId = me.id;
    if (this.#channel) this.#channel.close();
    this.#channel = new Channel({
      address: () => channelAddress('/channel'),
      onMessage: (message) => this.#hear(message),
      onState: (conn) => { this.#conn = conn; },
    });
    this.#channel.open();
  }

  #hear(message) {
    const act = {
      lobby: () => this.#store.change(change.withLobby, message.items),
      seeks: () => this.seeker.resume(message.items),
      seek: () => this.seeker.take(message.seek),
      matches: () => this.#hearMatches(message.items, true),
      match: () => this.#hearMatches([message.match], false),
      ping: () => this.seeker.keepAlive(),
    }[message.type];
    if (act) act();
  }

  #hearMatches(items, isAll) {
    this.#store.change(change.withTurns, items);
    const { mine } = this.#store.get();
    const running = items.filter(({ status }) => status !== 'finished');
    const isNew = running.some(({ id }) => !mine.some((match) => match.id === id));
    const isGone = isAll && mine.some(({ id }) => !items.some((item) => item.id === id));
    if (isNew || isGone) this.#askMatches(items);
  }

  async #askMatches(turns = []) {
    const mine = await myMatches().catch(() => null); // the channel tells, or the next visit asks again
    if (!mine || this.#closed) return;
    this.#store.change(change.withMine, mine);
    this.#store.change(change.withTurns, turns);
  }

  /** Look at the open tables now. */
  async refresh() {
    await this.#askTables();
  }

  async #askTables() {
    const items = await openTables().catch(() => null);
    if (this.#closed) return;
    if (items) this.#store.change(change.withLobby, items);
    else this.#store.change(change.withoutLobby);
  }
}

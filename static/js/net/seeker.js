// Quick match: a seek that is kept alive until it is paired or given up.

import * as change from '../state.js';
import { ApiError, bring, get, leaveWord, post, remove } from './api.js';

export const KEEP_ALIVE_MS = 10_000;

export class Seeker {
  #store;
  #onPaired;
  #timer = null;
  #wishes = null;
  #notes = null; // the script that notes it
  #own = null; // the fingerprint of my part of the deal that is sought
  #leaving = () => this.#leaveWord();

  constructor(store, onPaired) {
    this.#store = store;
    this.#onPaired = onPaired;
  }

  /** Begin to look for others who want the same. */
  async start(wishes) {
    this.#wishes = wishes;
    this.#begin(await this.#seek());
  }

  async #seek() {
    import('./sync.js').catch(() => {}); // when a room is found, there are seconds to open my part of the deal
    this.#notes = await bring(import('../fair_notes.js'));
    this.#own = await this.#notes.takePart();
    return post('/seeks', this.#own ? { ...this.#wishes, client_commitment: this.#own } : this.#wishes);
  }

  /** Go on with a seek that the server still knows of: the page was loaded anew. */
  resume([seek]) {
    if (!seek || this.#store.get().seek) return;
    this.#wishes = { seats: seek.seats, rules: seek.rules };
    this.#begin(seek);
  }

  /** Hear what became of my seek. */
  take(seek) {
    const { seek: mine } = this.#store.get();
    if (!seek.room) return;
    if (this.#own) this.#notes.noteTaken(this.#own, seek.room);
    if (mine) this.#end();
    this.#onPaired(seek.room);
  }

  async cancel() {
    const { seek } = this.#store.get();
    this.#end();
    if (!seek) return;
    try {
      await remove(`/seeks/${seek.id}`);
      this.#own = null;
    } catch (error) {
      // No answer does no harm, a seek that is not heard of ends by itself. But it may have been paired just before.
      if (error instanceof ApiError && error.code === 'room.started') this.take(await get(`/seeks/${seek.id}`));
    }
  }

  close() {
    if (this.#store.get().seek) this.cancel();
  }

  #begin(seek) {
    this.#store.change(change.withSeek, { ...seek, since_ms: Date.now() });
    window.addEventListener('pagehide', this.#leaving);
    clearInterval(this.#timer);
    this.#timer = setInterval(() => this.keepAlive(), KEEP_ALIVE_MS);
    if (seek.room) this.take(seek);
  }

  #end() {
    clearInterval(this.#timer);
    this.#timer = null;
    window.removeEventListener('pagehide', this.#leaving);
    this.#store.change(change.withSeek, null);
  }

  /** Ask for the seek, which keeps it alive; a hidden tab's timers are too slow for that, so others call this, too. */
  async keepAlive() {
    const { seek } = this.#store.get();
    if (!seek) return;
    try {
      this.#hearAgain(seek, await get(`/seeks/${seek.id}`));
    } catch (error) {
      if (!(error instanceof ApiError) || error.status !== 404) return; // the next time, then
      // The device slept for longer than the server waits: look again, at the end of the queue.
      const anew = await this.#seek().catch(() => null);
      if (anew) this.#hearAgain(seek, anew);
    }
  }

  #hearAgain(before, seek) {
    const { seek: now } = this.#store.get();
    if (!now || now.id !== before.id) return;
    this.#store.change(change.withSeek, { ...seek, since_ms: now.since_ms });
    this.take(seek);
  }

  /** Who closes the page is not to be seated with somebody who waits. */
  #leaveWord() {
    const { seek } = this.#store.get();
    if (seek) leaveWord('DELETE', `/seeks/${seek.id}`);
  }
}

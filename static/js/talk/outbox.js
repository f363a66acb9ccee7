// What I write goes out one message after the other. One that was refused because I write fast goes again by itself; one
// without an answer may have arrived, so only its writer sends it again.

import { ApiError, NoAnswer } from '../net/api.js';
import * as change from './changes.js';
import { write } from './phrases.js';

export class Outbox {
  #store;
  #code;
  #rest;
  #serial = 0;
  #last = Promise.resolve();
  #closed = false;

  /** `rest(seconds)` hears how long I have to wait. */
  constructor(store, code, rest) {
    this.#store = store;
    this.#code = code;
    this.#rest = rest;
  }

  send(text) {
    this.#serial += 1;
    return this.again({ key: `${Date.now()}-${this.#serial}`, text });
  }

  again({ key, text }) {
    this.#store.change(change.send, key, text);
    this.#last = this.#last.then(() => this.#deliver(key, text));
    return this.#last;
  }

  async #deliver(key, text) {
    try {
      const message = await this.#patiently(text);
      if (message && this.#isHere()) this.#store.change(change.withMessage, message);
    } catch (error) {
      if (!(error instanceof ApiError || error instanceof NoAnswer)) throw error;
      if (this.#isHere()) this.#store.change(change.fail, key, error.code || 'no_answer');
    }
  }

  async #patiently(text) {
    while (!this.#closed) {
      try {
        return await write(this.#code, text);
      } catch (error) {
        if (error.code !== 'rate_limited') throw error;
        this.#rest(error.retry_s);
        await new Promise((done) => setTimeout(done, error.retry_s * 1000));
      }
    }
    return null;
  }

  #isHere() {
    return this.#store.get().place.code === this.#code;
  }

  close() {
    this.#closed = true;
  }
}

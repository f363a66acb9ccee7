// The phrases and emotes to choose from. Who says too much in a short time is told when it goes on, and nothing else.

import { h, keyed, setAttr, setData, setText } from '../dom.js';
import { t } from '../i18n.js';
import { ApiError, NoAnswer } from '../net/api.js';
import { refusalText } from '../table/words.js';
import { lookOf, phrases, say, wordsOf } from './phrases.js';

export class Speaking {
  #code;
  #onSaid;
  #timer = null;
  #busy = false;

  /** `onSaid()` hears that something was said. */
  constructor(code, onSaid) {
    this.#code = code;
    this.#onSaid = onSaid;
    this.emotes = h('div', { class: 'emotes' });
    this.phrases = h('div', { class: 'phrases' });
    this.note = h('p', { class: 'small talk-note', role: 'status', data: { testid: 'talk-note' } });
    this.node = h('div', { class: 'speaking', role: 'group', 'aria-label': t('talk.phrases') }, this.emotes, this.phrases, this.note);
  }

  /** Show the list, fetched if need be. */
  async fill() {
    if (this.phrases.childElementCount) return;
    try {
      const all = await phrases();
      this.#show(this.emotes, all.filter(({ kind }) => kind === 'emote'));
      this.#show(this.phrases, all.filter(({ kind }) => kind !== 'emote'));
      setText(this.note, '');
    } catch (error) {
      this.#tell(error);
    }
  }

  #show(box, all) {
    const byId = new Map(all.map((phrase) => [phrase.id, phrase]));
    keyed(box, [...byId.keys()], (id) => h('button', {
      type: 'button', class: 'say', 'aria-label': wordsOf(id), title: byId.get(id).kind === 'emote' ? wordsOf(id) : null,
      data: { testid: 'phrase', phrase: id }, on: { click: () => this.#say(id) },
    }, lookOf(byId.get(id))));
  }

  focus() {
    const first = this.node.querySelector('button');
    if (first) first.focus({ preventScroll: true });
    return Boolean(first);
  }

  async #say(phrase) {
    if (this.#busy || this.#timer) return;
    this.#busy = true;
    try {
      await say(this.#code, phrase);
      setText(this.note, '');
      this.#onSaid();
    } catch (error) {
      this.#tell(error);
    } finally {
      this.#busy = false;
    }
  }

  #tell(error) {
    if (!(error instanceof ApiError || error instanceof NoAnswer)) throw error;
    if (error.code === 'rate_limited') this.rest(error.retry_s);
    else setText(this.note, refusalText(error.code || 'no_answer'));
  }

  /** For so many seconds nothing more is taken. */
  rest(seconds) {
    clearTimeout(this.#timer);
    this.#mark(true);
    setText(this.note, t('talk.rest', { count: seconds }));
    this.#timer = setTimeout(() => {
      this.#timer = null;
      this.#mark(false);
      setText(this.note, '');
    }, seconds * 1000);
  }

  #mark(rests) {
    setData(this.node, 'rests', rests);
    for (const button of this.node.querySelectorAll('button')) setAttr(button, 'aria-disabled', rests ? 'true' : null);
  }

  destroy() {
    clearTimeout(this.#timer);
  }
}

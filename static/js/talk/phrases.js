// The fixed list of what can be said at any table, and how each of it looks in my language.

import { h } from '../dom.js';
import { knows, t } from '../i18n.js';
import { get, post } from '../net/api.js';
import { faceOf } from './faces.js';

const MOST = 100;
let asked = null;

/** The list, as the service has it, without what this page has no words for. It is asked for once. */
export function phrases() {
  asked ??= get(`/phrases?limit=${MOST}`).then(({ items }) => items.filter(({ id }) => knows(`phrase.${id}`)));
  asked.catch(() => { asked = null; }); // the next one asks again
  return asked;
}

/** A phrase in words. */
export const wordsOf = (id) => t(`phrase.${id}`);

/** A phrase as it is seen: its words, or the emote's face. */
export const lookOf = (phrase) => (phrase.kind === 'emote' ? faceOf(phrase) : h('span', { dir: 'auto' }, wordsOf(phrase.id)));

export const say = (code, phrase) => post(`/rooms/${encodeURIComponent(code)}/phrases`, { phrase });
export const write = (code, text) => post(`/rooms/${encodeURIComponent(code)}/messages`, { text });

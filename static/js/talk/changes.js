// What is said and written at the table, and every way in which that changes. Pure, as state.js is.

const SAID_KEPT = 12;
const EMPTY = Object.freeze({ items: [], sending: [] });

const merge = (state, part) => ({ ...state, ...part });
const serialOf = (list) => (list.length ? list[list.length - 1].serial : 0) + 1;

/** Somebody said one of the phrases. */
export function withPhrase(state, seat, phrase) {
  const said = [...state.said, { seat, phrase, serial: serialOf(state.said) }];
  return merge(state, { said: said.slice(-SAID_KEPT) });
}

/** The chat of this room: {items, sending}, items oldest first; empty where nobody has written. */
export const chatOf = (state) => state.chat || EMPTY;

/** May I write in this room, and read what others write? */
export function mayChat({ room, me }) {
  return Boolean(room && room.chat && room.status !== 'closed' && me && room.seating.some(({ player }) => player && player.id === me.id));
}

const isMine = (state, { player }) => Boolean(state.me) && player.id === state.me.id;
const plain = (text) => text.normalize('NFC').trim();

/** Of what I am sending, all but what has arrived; each message arrives for one of the same words. */
function stillSending(state, arrived) {
  const texts = arrived.filter((message) => isMine(state, message)).map(({ text }) => text);
  return chatOf(state).sending.filter(({ text }) => {
    const at = texts.indexOf(plain(text));
    if (at >= 0) texts.splice(at, 1);
    return at < 0;
  });
}

/** What was written lately, newest first, told on opening and whenever something was lost: it takes the place of what was known. */
export function withMessages(state, newestFirst) {
  const items = [...newestFirst].reverse();
  const known = new Set(chatOf(state).items.map(({ id }) => id));
  const sending = state.chat ? stillSending(state, items.filter(({ id }) => !known.has(id))) : [];
  return merge(state, { chat: { items, sending } });
}

/** Somebody wrote; perhaps I, and then it is on its way no more. */
export function withMessage(state, message) {
  const { items } = chatOf(state);
  if (items.some(({ id }) => id === message.id)) return state;
  return merge(state, { chat: { items: [...items, message], sending: stillSending(state, [message]) } });
}

/** Show what I write at once. */
export function send(state, key, text) {
  const { items, sending } = chatOf(state);
  return merge(state, { chat: { items, sending: [...sending.filter((one) => one.key !== key), { key, text, failed: null }] } });
}

/** It was not taken: say why, and let me try again. */
export function fail(state, key, code) {
  const { items, sending } = chatOf(state);
  return merge(state, { chat: { items, sending: sending.map((one) => (one.key === key ? { ...one, failed: code } : one)) } });
}

/** Give it up. */
export function giveUp(state, key) {
  const { items, sending } = chatOf(state);
  return merge(state, { chat: { items, sending: sending.filter((one) => one.key !== key) } });
}

/** I have read as far as this message, by its id. */
export const readTo = (state, id) => (state.chatRead === id ? state : merge(state, { chatRead: id }));

/** How many messages of others I have not read. */
export function unread(state) {
  if (!mayChat(state)) return 0;
  const { items } = chatOf(state);
  const read = items.findIndex(({ id }) => id === state.chatRead);
  return items.slice(read + 1).filter((one) => !isMine(state, one)).length;
}

/** The room is closed: what was written there is gone. */
export const endChat = (state) => (state.chat ? merge(state, { chat: null }) : state);

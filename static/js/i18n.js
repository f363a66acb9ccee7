// Texts by key. A text with a number in it is an object of plural forms and takes `count`.

let texts = {};
let locale = 'en';
let plurals = new Intl.PluralRules(locale);
let numbers = new Intl.NumberFormat(locale);
let lists = new Intl.ListFormat(locale, { type: 'conjunction' });

/** Fetch a language's texts and use them. */
export async function load(lang) {
  const answer = await fetch(new URL(`../i18n/${lang}.json`, import.meta.url));
  if (!answer.ok) throw new Error(`no texts for ${lang}`);
  use(lang, await answer.json());
}

/** Use these texts from now on. */
export function use(lang, table) {
  texts = table;
  locale = lang;
  plurals = new Intl.PluralRules(locale);
  numbers = new Intl.NumberFormat(locale);
  lists = new Intl.ListFormat(locale, { type: 'conjunction' });
}

/** Give the text of a key with its `{slots}` filled in; numbers are written in the language's own way. */
export function t(key, params = {}) {
  let text = texts[key];
  if (text === undefined) throw new Error(`no text for ${key}`);
  if (typeof text !== 'string') text = text[plurals.select(params.count)] ?? text.other;
  return text.replace(/\{(\w+)\}/g, (_, name) => {
    const value = params[name];
    return typeof value === 'number' ? number(value) : String(value);
  });
}

export const number = (value) => numbers.format(value);

/** Join texts as the language lists things: "a, b and c". */
export const list = (items) => lists.format(items);

const RANKS = {
  A: 'card.rank.ace', J: 'card.rank.jack', Q: 'card.rank.queen', K: 'card.rank.king',
};
const SUITS = {
  C: 'card.suit.clubs', D: 'card.suit.diamonds', H: 'card.suit.hearts', S: 'card.suit.spades',
};
const GLYPHS = { C: '\u2663\ufe0e', D: '\u2666\ufe0e', H: '\u2665\ufe0e', S: '\u2660\ufe0e' };

/** A card's rank as its face has it: the ten is written out. */
export const rankOf = (card) => (card[0] === 'T' ? '10' : card[0]);
export const suitOf = (card) => card[1];

/** A card in few signs, for eyes: 8♥. */
export const cardShort = (card) => rankOf(card) + GLYPHS[suitOf(card)];

/** A card in words, for ears: 8 of hearts. */
export function cardName(card) {
  const rank = card[0] in RANKS ? t(RANKS[card[0]]) : rankOf(card);
  return t('card.name', { rank, suit: t(SUITS[suitOf(card)]) });
}

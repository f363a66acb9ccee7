// Texts by key, in one language at a time, and all that follows from the language: plural forms, digits, lists and the
// isolation of what is put into a sentence. A text with a number in it is an object of plural forms and takes `count`.

const LANGUAGES = {
  // `strange` is what a slot's value must not lean on its neighbours with: names of the other direction, signs, digits.
  ar: { region: 'ar-EG', dir: 'rtl', strange: /[^\u0600-\u06ff\s]/ },
  en: { region: 'en', dir: 'ltr', strange: /[\u0590-\u08ff\ufb1d-\ufdff\ufe70-\ufefc]/ },
};
const ISOLATE = '\u2068';
const END = '\u2069';
const ARABIC_ZERO = 0x660;
const PERSIAN_ZERO = 0x6f0;
const YEAR_S = 31536000;
const GROUPED_FROM = 1000; // below it a number is its digits

const tables = new Map(); // by family and language: "replay.ar"; the family of the texts that every page needs has no name
const families = [''];
const listeners = new Set();
let lang = 'en';
let digits = 'latn';
let texts = {};
let plurals;
let numbers = null;
let lists = null;

/** Fetch a language's texts once, and use them. */
export async function load(wanted, wantedDigits) {
  const found = await Promise.all(families.map((family) => fetched(family + wanted)));
  use(wanted, Object.assign({}, ...found), wantedDigits);
}

/** Fetch the texts of screens that few people see, and use them from now on with the others. */
export async function loadFamily(name) {
  const family = `${name}.`;
  if (families.includes(family)) return;
  await fetched(family + lang);
  if (!families.includes(family)) families.push(family);
  await load(lang, rememberedDigits());
}

async function fetched(name) {
  if (!tables.has(name)) {
    const answer = await fetch(new URL(`../i18n/${name}.json`, import.meta.url));
    if (!answer.ok) throw new Error(`no texts for ${name}`);
    tables.set(name, await answer.json());
  }
  return tables.get(name);
}

/** Use these texts from now on. `digits` is "arab" or "latn"; English has only the latter. */
export function use(wanted, table, wantedDigits = 'arab') {
  lang = wanted;
  digits = lang === 'ar' ? wantedDigits : 'latn';
  texts = table;
  plurals = new Intl.PluralRules(LANGUAGES[lang].region);
  numbers = null;
  lists = null;
}

/** Make what writes numbers and lists; the first time that takes as long as a few frames, so no screen begins with it. */
export function makeFormats() {
  numbers ??= new Intl.NumberFormat(locale());
  lists ??= new Intl.ListFormat(LANGUAGES[lang].region, { type: 'conjunction' });
}

/** The language and the digits in use, as one word: whoever has shown texts looks whether it is still the same. */
export const inUse = () => `${lang}-${digits}`;
export const language = () => lang;
export const digitsInUse = () => digits;

/** Call `listener()` after the language or the digits have changed. */
export const onLanguage = (listener) => listeners.add(listener);

/** Change the language, the page's direction and what the next page will come in; no reload. */
export async function changeLanguage(wanted) {
  await load(wanted, rememberedDigits());
  document.documentElement.lang = wanted;
  document.documentElement.dir = LANGUAGES[wanted].dir;
  keepCookie('basra_lang', wanted);
  listeners.forEach((listener) => listener());
}

/** Write numbers in Arabic texts with ٠-٩ ("arab") or 0-9 ("latn"). */
export function changeDigits(wanted) {
  use(lang, texts, wanted);
  document.documentElement.dataset.digits = wanted;
  keepCookie('basra_digits', wanted);
  listeners.forEach((listener) => listener());
}

/** The digits that the page came with or that were chosen since. */
export const rememberedDigits = () => document.documentElement.dataset.digits || 'arab';

function keepCookie(name, value) {
  document.cookie = `${name}=${value}; Path=/; Max-Age=${YEAR_S}; SameSite=Lax`;
}

/** Give the text of a key with its `{slots}` filled in; numbers are written in the language's own way. */
export function t(key, params = {}) {
  let text = texts[key];
  if (text === undefined) throw new Error(`no text for ${key}`);
  if (typeof text !== 'string') text = text[plurals.select(params.count)] ?? text.other;
  return text.split(/\{(\w+)\}/).map((part, index) => (index % 2 ? filled(params[part]) : inDigits(part))).join('');
}

/** Is there a text of this key? */
export const knows = (key) => key in texts;

const filled = (value) => (typeof value === 'number' ? number(value) : isolated(String(value)));

/** Write a number in the language's own way. */
export function number(value) {
  if (Number.isInteger(value) && value >= 0 && value < GROUPED_FROM) return inDigits(String(value));
  makeFormats();
  return numbers.format(value);
}

/** The locale of the language and the digits in use, for what Intl can write besides numbers. */
export const locale = () => `${LANGUAGES[lang].region}-u-nu-${digits}`;

/** Shield a text of the other direction, so that the sentence around it keeps its order. */
export function isolated(text) {
  return LANGUAGES[lang].strange.test(text) && !text.startsWith(ISOLATE) ? ISOLATE + text + END : text;
}

/** The same text with the digits in use. */
export function inDigits(text) {
  if (lang !== 'ar') return text;
  return digits === 'arab'
    ? text.replace(/\d/g, (one) => String.fromCharCode(ARABIC_ZERO + Number(one)))
    : latinDigits(text);
}

/** What was typed, with 0-9 for the digits of any Arabic keyboard. */
export const latinDigits = (text) => text
  .replace(/[\u0660-\u0669]/g, (one) => String(one.charCodeAt(0) - ARABIC_ZERO))
  .replace(/[\u06f0-\u06f9]/g, (one) => String(one.charCodeAt(0) - PERSIAN_ZERO));

/** Join texts as the language lists things: "a, b and c". */
export function list(items) {
  const parts = items.map(isolated);
  if (parts.length < 2) return parts.join('');
  makeFormats();
  return lists.format(parts);
}

const RANKS = { A: 'card.rank.ace', T: 'card.rank.10', J: 'card.rank.jack', Q: 'card.rank.queen', K: 'card.rank.king' };
const SUITS = {
  C: 'card.suit.clubs', D: 'card.suit.diamonds', H: 'card.suit.hearts', S: 'card.suit.spades',
};
const GLYPHS = { C: '\u2663\ufe0e', D: '\u2666\ufe0e', H: '\u2665\ufe0e', S: '\u2660\ufe0e' };

/** A card's rank as its face has it, the same in all languages: the ten is written out. */
export const rankOf = (card) => (card[0] === 'T' ? '10' : card[0]);
export const suitOf = (card) => card[1];

/** A card in few signs, for eyes: 8♥. */
export const cardShort = (card) => isolated(inDigits(rankOf(card)) + GLYPHS[suitOf(card)]);

/** A card in words, for ears: 8 of hearts. */
export const cardName = (card) => t('card.name', {
  rank: t(RANKS[card[0]] || `card.rank.${card[0]}`), suit: t(SUITS[suitOf(card)]),
});

use('en', {});

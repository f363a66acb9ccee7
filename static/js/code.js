// Takes a code out of what was typed or pasted. The server reads addresses by the same rule (app/api/links.py);
// tests/js/codes.json holds both to it.

const LETTERS = 'A-HJKMNPR-TW-Z'; // those that a code is made of
const LATIN = 'A-Za-z0-9\u00c0-\u024f';
const PERCENT = /(?:%[0-9a-f]{2})+/gi;
const SPACES = /[\t\n\v\f\r\u0085]/g;
// Nothing is to be seen of these: what Unicode calls controls and formats, joiners, fillers, variation selectors.
const UNSEEN = /[\p{Cc}\p{Cf}\u034f\u115f\u1160\u17b4\u17b5\u180b-\u180d\u180f\u3164\ufe00-\ufe0f\uffa0\u{e0100}-\u{e01ef}]/gu;
const LINK = new RegExp(`/r/+([A-Z]{6})(?![${LATIN}])`, 'i');
const WORD = new RegExp(`[${LATIN}]+`, 'g');
const SIX_LETTERS = /^[A-Z]{6}$/i;
const CODE = new RegExp(`^[${LETTERS}]{6}$`, 'i');
const TRANSFER = new RegExp(`(?<![${LATIN}])(?:[${LETTERS}]{4}[-\\s]*){2}[${LETTERS}]{4}(?![${LATIN}])`, 'i');

function decoded(bytes) {
  return new TextDecoder().decode(Uint8Array.from(bytes.slice(1).split('%'), (hex) => parseInt(hex, 16)));
}

/** A text as it is seen: no percent signs, no marks that nobody sees, wide and ornate letters as plain ones. */
const seen = (text) => text.replace(PERCENT, decoded).normalize('NFKC').replace(SPACES, ' ').replace(UNSEEN, '');

const wordsOf = (text) => text.match(WORD) || [];

/** The code, if there is nothing else to read; a single word of six letters may be one that was typed wrongly. */
function only(text) {
  const words = wordsOf(text);
  if (words.length === 1 && SIX_LETTERS.test(words[0])) return words[0];
  return CODE.test(words.join('')) ? words.join('') : null;
}

/** The only word that can be a code; one in capitals goes before others. */
function oneOf(words) {
  const codes = [...new Set(words.filter((word) => CODE.test(word)))];
  const capitals = codes.filter((code) => code === code.toUpperCase());
  const found = capitals.length ? capitals : codes;
  return found.length === 1 ? found[0] : null;
}

/** The room's code in a code, a link, or a sentence with either; null if none is clear. */
export function readCode(text) {
  const shown = seen(text);
  const link = shown.match(LINK);
  const code = link ? link[1] : only(shown) || only(shown.split(':').pop()) || oneOf(wordsOf(shown));
  return code && code.toUpperCase();
}

/** The code of another device in what was typed or pasted, as it is written; else the text itself. */
export function readTransfer(text) {
  const shown = seen(text);
  const found = shown.match(TRANSFER);
  return found ? found[0].replace(/[-\s]/g, '').toUpperCase().match(/.{4}/g).join('-') : shown.trim();
}

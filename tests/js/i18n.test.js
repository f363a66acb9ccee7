import { equal, ok, test, throws } from './harness.js';
import { cardName, cardShort, inDigits, isolated, latinDigits, list, number, t, use } from '/static/js/i18n.js';
import { clockText } from '/static/js/table/clock.js';

const english = await (await fetch('/static/i18n/en.json')).json();
const arabic = await (await fetch('/static/i18n/ar.json')).json();
const bare = (text) => text.replace(/[\ufe0e\u2066-\u2069]/g, '');

/** The same with texts of its own. */
function inArabic(digits, act, texts = arabic) {
  use('ar', texts, digits);
  try {
    return act();
  } finally {
    use('en', english);
  }
}

use('en', english);

test('slots are filled, numbers in the language\'s way', () => {
  equal(t('table.room', { code: 'KTRMSA' }), 'Room KTRMSA');
  equal(t('result.reason.target', { target: 1210 }), '1,210 points reached.');
  equal(inArabic('arab', () => number(1210.5)), '١٬٢١٠٫٥');
  equal(inArabic('latn', () => number(1210.5)), '1,210.5');
});

test('a small number is written as the language writes any number', () => {
  const all = Array.from({ length: 1001 }, (_, value) => value);
  const written = (format) => all.map((value) => format.format(value)).join();
  const ours = () => all.map(number).join();
  equal(ours(), written(new Intl.NumberFormat('en')));
  for (const digits of ['arab', 'latn']) equal(inArabic(digits, ours), written(new Intl.NumberFormat(`ar-EG-u-nu-${digits}`)));
});

test('plural forms follow the count', () => {
  equal([1, 2].map((count) => t('table.cards', { count })), ['1 card in hand', '2 cards in hand']);
});

test('Arabic has six plural forms', () => {
  const texts = { n: { zero: '0', one: '1', two: '2', few: 'few', many: 'many', other: 'other' } };
  const forms = [0, 1, 2, 3, 10, 11, 36, 99, 100, 102, 103, 111].map((count) => inArabic('latn', () => t('n', { count }), texts));
  equal(forms, ['0', '1', '2', 'few', 'few', 'many', 'many', 'many', 'other', 'other', 'few', 'many']);
  equal(inArabic('arab', () => [1, 2, 3, 36, 100].map((count) => bare(t('table.play.many', { count })))),
    ['ورقة واحدة', 'ورقتين', '٣ ورقات', '٣٦ ورقة', '١٠٠ ورقة']);
});

test('the digits can be chosen, also those that a text has of its own', () => {
  equal(inArabic('arab', () => t('sheet.tied')), 'الأغلبية، تعادل ٢٦–٢٦');
  equal(inArabic('latn', () => t('sheet.tied')), 'الأغلبية، تعادل 26–26');
  equal(inArabic('arab', () => inDigits('3+5')), '٣+٥');
  equal(inDigits('3+5'), '3+5');
});

test('digits of any Arabic keyboard are understood', () => {
  equal(latinDigits('٠١٢٣٤٥٦٧٨٩ ۰۱۲۳۴۵۶۷۸۹ 42'), '0123456789 0123456789 42');
});

test('a name of the other direction is shielded from its sentence', () => {
  equal(t('table.turn.other', { name: 'Mona' }), 'Mona\'s turn');
  equal(t('table.turn.other', { name: 'منى' }), '\u2068منى\u2069\'s turn');
  equal(inArabic('arab', () => t('table.turn.other', { name: 'Mona' })), 'دور \u2068Mona\u2069');
  equal(inArabic('arab', () => t('table.turn.other', { name: 'منى' })), 'دور منى');
  equal(inArabic('arab', () => isolated(isolated('Mona'))), '\u2068Mona\u2069');
});

test('a clock is read from left to right in both languages', () => {
  equal(clockText(84), '1:24');
  equal(inArabic('arab', () => clockText(64)), '\u2066١:٠٤\u2069');
  equal(bare(inArabic('latn', () => clockText(64))), '1:04');
});

test('an unknown key is a fault, not a blank', () => {
  throws(() => t('no.such.key'), 'no.such.key');
});

test('cards in signs and in words', () => {
  equal(bare(cardShort('TD')), '10\u2666');
  equal([cardName('8H'), cardName('QS'), cardName('AC')], ['8 of hearts', 'queen of spades', 'ace of clubs']);
  equal(inArabic('arab', () => ['8H', 'TD', 'JC', 'KS'].map(cardName)),
    ['تمانية القلب', 'عشرة الديناري', 'ولد السباتي', 'شايب البستوني']);
  equal(inArabic('arab', () => bare(cardShort('8H'))), '٨\u2665');
  ok(inArabic('arab', () => cardShort('8H')).startsWith('\u2068'), 'a card is one piece in a sentence');
});

test('lists are joined as the language does', () => {
  equal(list(['a', 'b', 'c']), 'a, b, and c');
  equal(inArabic('arab', () => bare(list(['منى', 'Kim']))), 'منى وKim');
});

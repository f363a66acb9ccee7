import { equal, test, throws } from './harness.js';
import { cardName, cardShort, list, t, use } from '/static/js/i18n.js';

const table = await (await fetch('/static/i18n/en.json')).json();
use('en', table);

test('slots are filled, numbers in the language\'s way', () => {
  equal(t('table.room', { code: 'KTRMSA' }), 'Room KTRMSA');
  equal(t('result.reason.target', { target: 1210 }), '1,210 points reached.');
});

test('plural forms follow the count', () => {
  equal([1, 2].map((count) => t('table.cards', { count })), ['1 card in hand', '2 cards in hand']);
});

test('an unknown key is a fault, not a blank', () => {
  throws(() => t('no.such.key'), 'no.such.key');
});

test('cards in signs and in words', () => {
  equal(cardShort('TD').replace('\ufe0e', ''), '10\u2666');
  equal([cardName('8H'), cardName('QS'), cardName('AC')], ['8 of hearts', 'queen of spades', 'ace of clubs']);
});

test('lists are joined as the language does', () => {
  equal(list(['a', 'b', 'c']), 'a, b, and c');
});

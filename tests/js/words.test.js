import { equal, test } from './harness.js';
import { use } from '/static/js/i18n.js';
import { outcomeOf, reasonText } from '/static/js/outcome.js';
import { roomLike } from '/static/js/screens/result.js';
import { placeOf } from '/static/js/router.js';
import { previewOf } from '/static/js/table/preview.js';
import { othersInOrder, placeAt } from '/static/js/table/places.js';
import { actionText, cutShort, cutSpoken, nameOf, playShort, playSpoken, refusalText, secondsShort, secondsText, shortNameOf, shownName } from '/static/js/table/words.js';
import { played, room, view, viewOfFour } from './samples.js';

use('en', await (await fetch('/static/i18n/en.json')).json());
const plain = (text) => text.replaceAll('\ufe0e', '');
const action = (card, myTurn, waitFor = null) => plain(actionText(previewOf(view(), { card, choice: 0 }, myTurn), waitFor));

test('the action says what the lifted card will do', () => {
  equal(action('8H', true), 'Play 8\u2665 \u00b7 take 8\u2660 and 3\u2663 + 5\u2666');
  equal(action('7D', true), 'Play 7\u2666 \u00b7 sweep 4 cards');
  equal(action('QS', true), 'Leave Q\u2660 on the floor');
  equal(action('QS', false, 'Mona'), 'Wait for Mona');
});

test('a play is one sentence, with what it leaves', () => {
  const shown = view({ round: { floor: ['KC'] } });
  equal(playSpoken(shown, played(4, 0, 1, '8C', ['8S'])), 'Mona played 8 of clubs and took 8 of spades. On the floor: king of clubs.');
});

test('who has deleted himself is called so in the language of the page', async () => {
  equal(shownName({ name: 'Mona' }), 'Mona');
  use('ar', await (await fetch('/static/i18n/ar.json')).json());
  equal(shownName({ name: 'Deleted player' }), '\u0644\u0627\u0639\u0628 \u0645\u0645\u0633\u0648\u062d');
  use('en', await (await fetch('/static/i18n/en.json')).json());
  equal(shownName({ name: 'Deleted player' }), 'Deleted player');
});

test('the others sit left to right as they sit at the table', () => {
  equal(othersInOrder(4, 1), [0, 3, 2]);
  equal(othersInOrder(2, 0), [1]);
});

test('play goes to the right: the next seat is on the right of every seat', () => {
  equal([0, 1, 2, 3].map((seat) => placeAt(4, 0, seat)), ['near', 'right', 'across', 'left']);
  equal([0, 1, 2, 3].map((seat) => placeAt(4, 3, seat)), ['right', 'across', 'left', 'near']);
  equal([0, 1].map((seat) => placeAt(2, 1, seat)), ['across', 'near']);
});

test('bots of one kind are told apart, a lone one needs no number', () => {
  const { seating } = room([0, 'easy', 'medium', 'easy']);
  equal([1, 2, 3].map((seat) => nameOf(seating, seat)), ['Easy bot 1', 'Medium bot', 'Easy bot 2']);
  equal([0, 1, 2, 3].map((seat) => shortNameOf(seating, seat)), ['Karim', 'Easy 1', 'Medium', 'Easy 2']);
});

test('what the clock did is put down to the clock', () => {
  const byClock = (event) => ({ ...event, by: 'clock' });
  const late = byClock(played(4, 0, 1, '8C', ['8S']));
  equal(playShort(viewOfFour(), late).who, 'Clock for Mona');
  equal(playShort(viewOfFour(), { ...late, seat: 0 }).who, 'Clock for you');
  equal(playSpoken(viewOfFour({ round: { floor: [] } }), late), 'The clock, for Mona, played 8 of clubs and took 8 of spades. The floor is empty.');
  const cut = { type: 'cut', round: 1, seat: 1, cut: 13, by: 'player' };
  equal(cutShort(view(), cut), { who: 'Mona', what: 'cut after 13 cards' });
  equal(cutSpoken(view(), byClock(cut)), 'The clock, for Mona, cut the pack after 13 cards.');
});

test('a time is said in the unit that fits', () => {
  equal([30, 60, 120, 90].map(secondsText), ['30 seconds', '1 minute', '2 minutes', '90 seconds']);
  equal([30, 120].map(secondsShort), ['30 s', '2 min']);
});

test('a result is told from my side', () => {
  const over = (result) => view({ status: 'finished', result: { scores: [0, 0], scored: true, seat: null, ...result } });
  equal(outcomeOf(over({ winner: 0, reason: 'target' })), 'won');
  equal(outcomeOf(over({ winner: 1, reason: 'forfeit' })), 'lost');
  equal(outcomeOf(over({ winner: null, reason: 'round' })), 'draw');
  equal(outcomeOf(over({ winner: null, reason: 'abandoned' })), 'abandoned');
  equal(outcomeOf({ ...over({ winner: 0, reason: 'target' }), you: null }), 'watched');
  equal(reasonText(over({ winner: 0, reason: 'timeout', seat: 1 })), 'Mona ran out of time.');
  equal(reasonText(over({ winner: 1, reason: 'forfeit', seat: 0 })), 'You left the match, so Mona won.');
});

test('an address points home or to a room', () => {
  equal([placeOf('/'), placeOf('/r/ktrmsa')], [{ name: 'home' }, { name: 'room', code: 'KTRMSA' }]);
  equal(placeOf('/rules'), null); // a page of its own, not the client's
});

test('with four the winners are named, and whose partner left', () => {
  const left = (seat) => viewOfFour({ status: 'finished', result: { winner: 1, reason: 'forfeit', seat, scores: [0, 0], scored: true } });
  equal(reasonText(left(0)), 'You left the match, so Mona and Easy bot won.');
  equal(reasonText(left(2)), 'Your partner Laila left the match, so you lost it together.');
  equal(reasonText(left(1)), 'Mona left the match.');
});

test('a new room is like the last one, but a practice\'s patient clock is not for people', () => {
  const like = (match, seconds) => roomLike({ match, room: room([0, 1], { turn_seconds: seconds }) });
  equal(like(view(), 30), { seats: 2, rules: 'classic', target: 121, turn_seconds: 30 });
  const practice = view();
  practice.seats[1] = { ...practice.seats[1], player: null, bot: 'easy' };
  equal(like(practice, 600).turn_seconds, undefined);
  equal(like(viewOfFour(), 300).turn_seconds, 300);
});

test('every refusal has words, also one that is not known yet', () => {
  equal(refusalText('match.not_your_turn'), 'It is not your turn.');
  equal(refusalText('something.new'), 'That did not work. Try again.');
});

import { equal, ok, test } from './harness.js';
import { keyed } from '/static/js/dom.js';
import { use } from '/static/js/i18n.js';
import * as change from '/static/js/state.js';
import { createStore } from '/static/js/store.js';
import { Table } from '/static/js/table/view.js';
import { OPENING, played, view, viewOfFour } from './samples.js';
import { texts } from './texts.js';

use('en', await texts('en', 'talk'));
const NOW = Date.parse('2026-01-01T00:00:00Z');
const news = (events, shown) => ({ events, view: shown, live: true, now_ms: NOW });

/** A table on the page, with a record of what it sent. */
function laid(shown = view({ version: 3 })) {
  const sent = [];
  const place = { name: 'room', code: 'KTRMSA' };
  const store = createStore(change.heard(change.withNews({ ...change.INITIAL, place, conn: 'open' }, news(OPENING, shown))));
  const sync = { play: (card, capture) => sent.push([card, capture]), cut: (at) => sent.push(['cut', at]) };
  const table = new Table({ store, sync, onLeave() {}, onTakeBack() {} });
  document.body.replaceChildren(table.node);
  store.subscribe((state) => table.update(state));
  table.update(store.get());
  const one = (selector) => table.node.querySelector(selector);
  const all = (selector) => [...table.node.querySelectorAll(selector)];
  const hand = (card) => one(`[data-testid=hand-card][data-card="${card}"]`);
  const tap = async (node) => {
    node.focus();
    node.click();
    await Promise.resolve();
  };
  const key = async (name) => {
    document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: name, bubbles: true }));
    await Promise.resolve();
  };
  const change_ = async (...args) => {
    store.change(...args);
    await Promise.resolve();
  };
  return { store, table, sent, one, all, hand, tap, key, change: change_ };
}

const caught = (all) => all('[data-caught=true]').map(({ dataset }) => dataset.card);

test('the first tap lifts and shows the catch, the second plays', async () => {
  const { hand, tap, all, one, sent } = laid();
  await tap(hand('8H'));
  equal(caught(all), ['3C', '5D', '8S']);
  equal(one('[data-slot="1"] .badge').textContent, '3+5');
  equal([hand('8H').getAttribute('aria-pressed'), sent], ['true', []]);
  await tap(hand('8H'));
  equal(sent, [['8H', ['3C', '5D', '8S']]]);
});

test('a tap on the floor plays the lifted card, and nothing without one', async () => {
  const { hand, tap, one, sent } = laid();
  await tap(one('[data-testid=floor]'));
  equal(sent, []);
  await tap(hand('QS'));
  equal(one('[data-testid=play]').dataset.kind, 'trail');
  await tap(one('[data-testid=floor]'));
  equal(sent, [['QS', []]]);
});

test('the button plays, and the choice shows the other capture first', async () => {
  const { hand, tap, one, all, sent } = laid();
  await tap(hand('8H'));
  await tap(one('[data-testid=choice]'));
  equal(caught(all), ['8S']);
  await tap(one('[data-testid=play]'));
  equal(sent, [['8H', ['8S']]]);
});

test('keys: numbers lift, arrows move, Escape lowers', async () => {
  const { key, one, all, hand } = laid();
  hand('8H').focus();
  await key('3');
  equal(document.activeElement, hand('QS'));
  equal(hand('QS').getAttribute('aria-pressed'), 'true');
  await key('ArrowRight');
  equal(document.activeElement, hand('AC'));
  await key('Escape');
  ok(one('[data-testid=play]').hidden);
  equal(all('[data-testid=hand-card][tabindex="0"]').length, 1);
});

test('out of turn a card is lifted to study it, and a second tap lowers it', async () => {
  const { hand, tap, one, sent } = laid(view({ version: 3, to_act: 1 }));
  await tap(hand('8H'));
  equal([one('[data-testid=play]').dataset.kind, one('[data-testid=play]').textContent], ['wait', 'Wait for Mona']);
  await tap(hand('8H'));
  equal([one('[data-testid=play]').hidden, sent], [true, []]);
});

test('after a play the focus is on the next card, and faces are the same nodes', async () => {
  const { hand, tap, change: act, one } = laid();
  const face = hand('QS').querySelector('.card');
  await tap(hand('QS'));
  const you = { ...view().you, hand: ['8H', '7D', 'AC'] };
  await act(change.withNews, news([played(4, 0, 0, 'QS')], view({
    version: 4, turn: 1, to_act: 1, you, round: { floor: ['KC', '3C', '5D', '8S', 'QS'] },
  })));
  equal(one('[data-testid=floor-card][data-card=QS] .card') === face, true);
  ok(document.activeElement.matches('[data-testid=hand-card]'), 'the focus was lost');
  equal(hand('AC').dataset.slot, '3');
});

test('a refused move is said on the table', async () => {
  const { change: act, one } = laid();
  await act(change.refuse, 'match.not_your_turn');
  equal(one('[data-testid=hint]').textContent, 'It is not your turn.');
});

test('the contract of data attributes', async () => {
  const { one } = laid();
  const { phase, turn, toAct, mySeat, myTurn, busy, conn, version, round } = one('[data-testid=floor]').closest('#table').dataset;
  equal([phase, turn, toAct, mySeat, myTurn, busy, conn, version, round], ['play', '0', '0', '0', 'true', 'false', 'open', '3', '1']);
  equal(one('[data-testid=score][data-side="1"]').dataset.value, '0');
});

test('the score sheet takes the focus and closes by Escape', async () => {
  const { change: act, one, key } = laid();
  const sheet = {
    round: 1, cards: [30, 22], leftover: [], leftover_side: null, majority: [30, 0], card_points: [0, 0], basras: [0, 0], points: [30, 0], carry: 0,
  };
  document.querySelector('#hand').focus();
  await act(change.withNews, news(
    [{ version: 4, type: 'round_scored', sheet, scores: [30, 0] }],
    view({ version: 4, rounds: [sheet], scores: [30, 0], round: { number: 2 } })));
  equal(one('[data-testid=sheet]').dataset.round, '1');
  ok(one('[data-testid=sheet]').contains(document.activeElement));
  await key('Escape');
  equal(one('[data-testid=sheet]'), null);
});

test('a neighbour cuts the pack with the slider', async () => {
  const { one, tap, sent } = laid(view({ version: 3, round: { phase: 'cut', floor: [] }, you: { ...view().you, hand: [], plays: [] } }));
  ok(!one('[data-testid=cut]').hidden);
  one('#cut-at').value = '13';
  await tap(one('.cut-mine button'));
  equal(sent, [['cut', 13]]);
});

test('keyed rendering keeps, orders and drops nodes', () => {
  const list = document.createElement('ul');
  const make = () => document.createElement('li');
  const [a, b] = keyed(list, ['a', 'b'], make);
  const [b2, c, a2] = keyed(list, ['b', 'c', 'a'], make);
  equal([a === a2, b === b2, list.children.length], [true, true, 3]);
  equal([...list.children].map(({ dataset }) => dataset.key), ['b', 'c', 'a']);
  ok(c !== a);
  keyed(list, ['c'], make);
  equal(list.children.length, 1);
});

test('four seats: who sits where, whose partner he is, who deals', () => {
  const { all, one } = laid(viewOfFour({ version: 3, to_act: 1, round: { dealer: 3 } }));
  const seats = all('[data-testid=opponent]');
  equal(seats.map(({ dataset }) => [dataset.seat, dataset.place]), [['3', 'left'], ['2', 'across'], ['1', 'right']]);
  equal(seats.map(({ dataset }) => dataset.partner), ['false', 'true', 'false']);
  equal(seats.map(({ dataset }) => dataset.dealer), ['true', 'false', 'false']);
  equal(seats[0].dataset.bot, 'easy');
  equal(seats[0].getAttribute('aria-label'), 'Easy bot, 4 cards in hand, dealer');
  equal(seats[1].getAttribute('aria-label'), 'Laila, 4 cards in hand, your partner');
  equal(all('[data-testid=score]').length, 2);
  equal(one('#hand').parentNode.classList.contains('board'), true);
});

test("somebody's own program is shown as one", () => {
  const seats = view().seats.map((seat) => (seat.seat === 1 ? { ...seat, player: { ...seat.player, bot: true } } : seat));
  const opponent = laid(view({ version: 3, seats })).one('[data-testid=opponent]');
  ok(opponent.querySelector('.bot-face'), 'no face of a bot');
  equal(opponent.getAttribute('aria-label'), 'Mona, 4 cards in hand, Bot, dealer');
});

test('who is away and due has the time left, and what follows is said', async () => {
  const away = (seats) => seats.map((seat) => (seat.seat === 1 ? { ...seat, connected: false } : seat));
  const deadline = new Date(Date.now() + 90_000).toISOString();
  const two = laid(view({ version: 3, to_act: 1, deadline, seats: away(view().seats) }));
  ok(/^away 1:\d\d$/.test(two.one('[data-testid=away]').textContent), two.one('[data-testid=away]').textContent);
  equal(two.one('[data-testid=hint]').textContent, 'If the clock runs out, Mona loses the match');
  const four = laid(viewOfFour({ version: 3, to_act: 1, deadline, seats: away(viewOfFour().seats) }));
  equal(four.one('[data-testid=hint]').textContent, 'If the clock runs out, the bot plays one card for Mona');
  const idle = laid(view({ version: 3, deadline, seats: away(view().seats) }));
  equal(idle.one('[data-testid=away]').textContent, 'away');
});

test('a pile says what its basras will add when the round is counted', () => {
  const basras = [[{ card: '8H', points: 10 }, { card: 'JD', points: 30 }], []];
  const { one } = laid(view({ version: 3, round: { piles: [12, 8], basras } }));
  const mine = one('[data-testid=pile][data-side="0"]');
  equal(mine.querySelector('.stars').textContent, '+40');
  equal(mine.getAttribute('aria-label'), 'You: pile 12, 2 basras: +40 at the end of the round');
  equal(one('[data-testid=pile][data-side="1"] .stars').textContent, '');
});

test('with four, bots are told apart in few letters, and their moments run no clock', () => {
  const bot = (seat) => ({ ...viewOfFour().seats[seat], player: null, bot: 'medium' });
  const seats = [viewOfFour().seats[0], bot(1), bot(2), bot(3)];
  const { all, one } = laid(viewOfFour({ version: 3, to_act: 1, seats, deadline: new Date(Date.now() + 900).toISOString() }));
  equal(all('.opponent .name').map((node) => node.textContent), ['Medium 3', 'Medium 2', 'Medium 1']);
  ok(one('[data-testid=clock]').hidden, 'a clock for a bot');
  equal(all('.doing').map((node) => node.textContent), ['', 'your partner', 'thinking\u2026']);
  equal(one('[data-testid=turn]').textContent, "Medium 1's turn");
});

test('one who watches sees everybody, and no hand', () => {
  for (const [shown, seats] of [[view({ version: 3, you: null }), 2], [viewOfFour({ version: 3, you: null }), 4]]) {
    const { all, one } = laid(shown);
    equal([all('[data-testid=opponent]').length, all('[data-testid=hand-card]').length], [seats, 0]);
    equal(all('.backs .back').length, 4 * seats);
    equal(document.getElementById('table').dataset.mySeat, '');
    ok(!one('[data-testid=watching]').hidden);
    equal(one('header button').getAttribute('aria-label'), 'Home');
  }
});

test('the two parts of the pack follow the slider, and the others see who cuts', () => {
  const cutting = (part) => view({ version: 3, round: { phase: 'cut', floor: [] }, ...part });
  const mine = laid(cutting({ you: { ...view().you, hand: [], plays: [] } }));
  const slider = mine.one('#cut-at');
  slider.value = '13';
  slider.dispatchEvent(new Event('input'));
  equal(mine.all('.part').map((part) => part.textContent), ['13', '39']);
  equal([mine.one('[data-testid=cut]').dataset.at, slider.getAttribute('aria-valuetext')], ['13', 'after 13 cards']);
  const theirs = laid(cutting({ to_act: 1 }));
  equal(theirs.one('[data-testid=cut]').dataset.mine, 'false');
  ok(theirs.one('#cut-at').closest('[hidden]'));
  equal(theirs.one('.cut-title').textContent, 'Mona cuts the pack');
});

test('a cut that somebody made is the last that happened, until a card is played', async () => {
  const { store, one, change: put } = laid(view({ version: 3 }));
  const cut = { version: 4, type: 'cut', round: 2, seat: 1, cut: 20, by: 'clock' };
  await put(change.withNews, news([cut], view({ version: 4, round: { number: 2 } })));
  equal([one('[data-testid=last-play]').dataset.by, one('[data-testid=last-play]').textContent], ['clock', 'Clock for Monacut after 20 cards']);
  ok(store.get().match.version === 4);
});

test('a mouse over a card shows its catch without lifting it, a lifted card comes first', async () => {
  const { hand, tap, all, one, sent } = laid();
  const over = async (node, pointerType = 'mouse') => {
    node.dispatchEvent(new PointerEvent('pointerover', { bubbles: true, pointerType }));
    await Promise.resolve();
  };
  await over(hand('8H'), 'touch');
  equal(caught(all), []);
  await over(hand('8H').querySelector('.card'));
  equal([caught(all), hand('8H').getAttribute('aria-pressed'), one('[data-testid=play]').hidden], [['3C', '5D', '8S'], 'false', true]);
  ok(one('[data-testid=hint]').textContent.includes('8\u2665'), one('[data-testid=hint]').textContent);
  await tap(hand('7D'));
  await over(hand('8H'));
  equal(caught(all), ['KC', '3C', '5D', '8S']);
  document.activeElement.dispatchEvent(new KeyboardEvent('keydown', { key: 'Escape', bubbles: true }));
  await Promise.resolve();
  equal(caught(all), []);
  await over(hand('8H'));
  one('#hand').dispatchEvent(new PointerEvent('pointerleave'));
  await Promise.resolve();
  equal([caught(all), sent], [[], []]);
});

test('the focus shows a catch where the keyboard has brought it, not where it only was put', async () => {
  const { hand, all, key } = laid();
  hand('8H').focus();
  await Promise.resolve();
  equal(caught(all), []);
  await key('ArrowRight');
  equal([document.activeElement.dataset.card, caught(all)], ['7D', ['KC', '3C', '5D', '8S']]);
  await key('ArrowRight');
  equal(caught(all), []);
  await key('ArrowLeft');
  document.activeElement.blur();
  await Promise.resolve();
  equal(caught(all), []);
});

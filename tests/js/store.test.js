import { equal, ok, test } from './harness.js';
import * as change from '/static/js/state.js';
import { createStore } from '/static/js/store.js';
import { OPENING, played, view } from './samples.js';

const NOW = Date.parse('2026-01-01T00:00:00Z');
const news = (events, shown, live = true) => ({ events, view: shown, live, now_ms: NOW });
const seated = (live = false) => change.withNews(change.INITIAL, news(OPENING, view({ version: 3 }), live));

test('many changes at once are told once', async () => {
  const store = createStore({ n: 0 });
  let told = 0;
  store.subscribe(() => { told += 1; });
  store.change((state) => ({ n: state.n + 1 }));
  store.change((state) => ({ n: state.n + 1 }));
  await Promise.resolve();
  equal([store.get().n, told], [2, 1]);
});

test('a change that changes nothing is not told', async () => {
  const store = createStore({ n: 0 });
  store.subscribe(() => { throw new Error('told'); });
  store.change((state) => state);
  await Promise.resolve();
});

test('the same events twice count once, whichever way they came', () => {
  const shown = view({ version: 4, turn: 1, to_act: 1, you: { ...view().you, hand: ['7D', 'QS', 'AC'] }, round: { floor: ['KC', '3C', '5D', '8S'] } });
  const once = change.withNews(seated(), news([played(4, 0, 0, '8H', [])], shown));
  const twice = change.withNews(once, news([played(4, 0, 0, '8H', [])], shown));
  equal(twice.log.length, 4);
  equal(twice.match.version, 4);
});

test('an older view does not replace a newer one', () => {
  const newer = change.withNews(seated(), news([], view({ version: 9 })));
  equal(change.withNews(newer, news([], view({ version: 5 }))).match.version, 9);
});

test('a gap in the versions is noticed, and another match starts at one', () => {
  ok(change.hasGap(seated(), 'm1', [played(5, 1, 1, '2H')]));
  ok(!change.hasGap(seated(), 'm1', [played(4, 0, 0, '2H')]));
  ok(!change.hasGap(seated(), 'm2', OPENING));
});

test('a move lands: the lifted card and the pending mark go', () => {
  let state = change.pend(change.lift(seated(), '8H'), 0, '8H');
  ok(!change.isMyTurn(state), 'a second move while the first is in flight');
  const after = view({ version: 4, turn: 1, to_act: 1, you: { ...view().you, hand: ['7D', 'QS', 'AC'] } });
  state = change.withNews(state, news([played(4, 0, 0, '8H', ['8S'])], after));
  equal([state.pending, state.lifted], [null, null]);
});

test('a refused move puts the card back and says why', () => {
  const state = change.refuse(change.pend(change.lift(seated(), '8H'), 0, '8H'), 'match.stale_turn');
  equal([state.pending, state.lifted, state.refusal.code], [null, null, 'match.stale_turn']);
});

test('the score sheet opens for a round that ends before my eyes, not for one long past', () => {
  const scored = [{ version: 4, type: 'round_scored', sheet: { round: 1 }, scores: [40, 13] }];
  equal(change.withNews(seated(), news(scored, view({ version: 4 }))).sheet, 1);
  equal(change.withNews(seated(), news(scored, view({ version: 4 }), false)).sheet, null);
});

test('only live news is moved and spoken, and only until it is heard', () => {
  equal(seated(false).news, null);
  equal(seated(true).news.length, 3);
  equal(change.heard(seated(true)).news, null);
});

test('the screen follows from the state', () => {
  const room = { ...change.INITIAL, place: { name: 'room', code: 'KTRMSA' } };
  equal(change.screenOf(change.INITIAL), 'home');
  equal(change.screenOf(room), 'room');
  const table = change.withNews(room, news(OPENING, view({ version: 3 })));
  equal(change.screenOf(table), 'table');
  const over = change.withNews(table, news([], view({ version: 9, status: 'finished' })));
  equal(change.screenOf(over), 'result');
  equal(change.screenOf({ ...over, sheet: 2 }), 'table');
  equal(change.screenOf(change.withError(over, 'failed')), 'error');
});

test('presence changes the seat in room and match', () => {
  equal(change.withPresence(seated(), 1, false).match.seats[1].connected, false);
});

test('a new match in the room starts from nothing', () => {
  const state = change.withNews(change.lift(seated(), '8H'), news(OPENING, view({ id: 'm2', version: 3 })));
  equal([state.match.id, state.log.length, state.lifted], ['m2', 3, null]);
});

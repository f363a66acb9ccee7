import { equal, ok, test } from './harness.js';
import * as change from '/static/js/state.js';
import { createStore } from '/static/js/store.js';
import { OPENING, PEOPLE, played, room, view } from './samples.js';

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

test('who is shut out sees only that, wherever they go', () => {
  const until = '2031-05-01T12:00:00.000Z';
  const banned = change.withBan(change.withError(seated(), 'failed'), until);
  for (const state of [banned, change.withError(banned, 'room_missing'), change.withError(banned, null), change.goTo(banned, { name: 'home' })]) {
    equal([change.screenOf(state), state.error.kind, state.banned], ['error', 'banned', until]);
  }
  ok(change.withBan(banned, until) === banned);
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
  let state = change.pend(change.lift(seated(), '8H'), 0, '8H', ['8S']);
  ok(!change.isMyTurn(state), 'a second move while the first is in flight');
  const after = view({ version: 4, turn: 1, to_act: 1, you: { ...view().you, hand: ['7D', 'QS', 'AC'] } });
  state = change.withNews(state, news([played(4, 0, 0, '8H', ['8S'])], after));
  equal([state.pending, state.lifted], [null, null]);
});

test('a refused move puts the card back and says why', () => {
  const state = change.refuse(change.pend(change.lift(seated(), '8H'), 0, '8H', ['8S']), 'match.stale_turn');
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

test('my matches: those that wait for me come first, and one that ends goes', () => {
  let state = change.withMe(change.INITIAL, PEOPLE[0]);
  state = change.withMine(state, [{ id: 'a', your_turn: false }, { id: 'b', your_turn: true }]);
  equal(state.mine.map(({ id }) => id), ['b', 'a']);
  state = change.withTurns(state, [{ id: 'a', your_turn: true }, { id: 'b', your_turn: false }]);
  equal(state.mine.map(({ id }) => id), ['a', 'b']);
  state = change.withTurns(state, [{ id: 'a', your_turn: false, status: 'finished' }]);
  equal(state.mine.map(({ id }) => id), ['b']);
  equal(change.withMe(state, PEOPLE[1]).mine, []);
});

test('the screens: home, waiting for a quick match, room, table, result', () => {
  const { screenOf } = change;
  equal(screenOf(change.INITIAL), 'home');
  equal(screenOf(change.withSeek(change.INITIAL, { id: 's' })), 'seek');
  let state = change.withRoom(change.goTo(change.INITIAL, { name: 'room', code: 'KTRMSA' }), room([0, null]));
  equal(screenOf(state), 'room');
  state = change.withNews(change.withRoom(state, room([0, 1], { status: 'playing', match_id: 'm1' })), news(OPENING, view({ version: 3 })));
  equal(screenOf(state), 'table');
  state = change.withNews(state, news([], view({ version: 9, status: 'finished' })));
  equal(screenOf(state), 'result');
});

test('a rematch is dealt beside the result, and a match with somebody else in the room', () => {
  const finished = news(OPENING, view({ version: 9, status: 'finished' }), false);
  const there = change.goTo(change.INITIAL, { name: 'room', code: 'KTRMSA' });
  const over = change.withRoom(change.withNews(there, finished), room([0, 1], { status: 'finished', match_id: 'm1' }));
  const steps = (state) => [{ status: 'dealing' }, { status: 'playing', match_id: 'm2' }].map((part) => change.screenOf(change.withRoom(state, room([0, 1], part))));
  equal(steps(over), ['result', 'result']);
  equal(steps(change.backToRoom(change.withRoom(over, room([0, null], { match_id: 'm1' })))), ['room', 'room']);
});

test('what was promised first for the next deal is kept, until there is another deal', () => {
  const promised = (commitment, part) => room([0, 1], { fairness: { ...room([0, 1]).fairness, commitment }, ...part });
  const there = change.goTo(change.INITIAL, { name: 'room', code: 'KTRMSA' });
  const kept = (...rooms) => rooms.reduce(change.withRoom, there).promise;
  const first = { commitment: 'c0', after: null };
  equal(kept(promised('c0'), promised('c1')), first);
  equal(kept(promised('c0'), promised('c1', { status: 'dealing' })), first);
  equal(kept(promised('c0'), promised('c1', { status: 'playing', match_id: 'm1' })), null);
  equal(kept(promised('c0'), promised('c1', { status: 'finished', match_id: 'm1' })), { commitment: 'c1', after: 'm1' });
});

test('the result stays when the other leaves, until I go back to the room that waits again', () => {
  const finished = news(OPENING, view({ version: 9, status: 'finished' }), false);
  const there = change.goTo(change.INITIAL, { name: 'room', code: 'KTRMSA' });
  let state = change.withRoom(change.withNews(there, finished), room([0, 1], { status: 'finished' }));
  state = change.withRoom(state, room([0, null]));
  equal(change.screenOf(state), 'result');
  equal(change.screenOf(change.backToRoom(state)), 'room');
  // Who comes to the link later never saw the match end.
  equal(change.screenOf(change.withNews(change.withRoom(there, room([0, null])), finished)), 'room');
});

test('another match in the room starts from nothing', () => {
  const over = change.withRematch(change.withNews(change.INITIAL, news(OPENING, view({ version: 9, status: 'finished' }))), 1, 'asked');
  const next = change.withNews(over, news(OPENING, view({ id: 'm2', version: 3 })));
  equal([next.match.id, next.log.length, next.rematch, next.sheet], ['m2', 3, null, null]);
});

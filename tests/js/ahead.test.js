import { equal, ok, test } from './harness.js';
import { use } from '/static/js/i18n.js';
import { choose } from '/static/js/settings.js';
import * as change from '/static/js/state.js';
import { createStore } from '/static/js/store.js';
import { moveAhead, withAhead } from '/static/js/table/ahead.js';
import { Table } from '/static/js/table/view.js';
import { OPENING, played, view } from './samples.js';
import { texts } from './texts.js';

use('en', await texts('en', 'talk'));
const TAKE = ['KC', '3C', '5D', '8S'];
const hand = (...cards) => ({ ...view().you, hand: cards, plays: view().you.plays.filter(({ card }) => cards.includes(card)) });
const tookAll = (part = {}) => view({ version: 4, turn: 1, to_act: 1, you: hand('8H', 'QS', 'AC'), round: { floor: [], piles: [5, 0], ...part } });
const laidDown = () => view({ version: 4, turn: 1, to_act: 1, you: hand('8H', '7D', 'AC'), round: { floor: [...TAKE, 'QS'] } });

/** A table whose moves leave at once and are answered when the test says so. */
function laid() {
  const place = { name: 'room', code: 'KTRMSA' };
  const first = { events: OPENING, view: view({ version: 3 }), live: true, now_ms: 0 };
  const store = createStore(change.heard(change.withNews({ ...change.INITIAL, place, conn: 'open' }, first)));
  const sync = { play: (card, capture) => store.change(change.pend, store.get().match.turn, card, capture) };
  const table = new Table({ store, sync, onLeave() {} });
  const live = document.createElement('div');
  live.id = 'live-assertive';
  document.body.replaceChildren(table.node, live);
  store.subscribe((state) => {
    table.update(state);
    store.change(change.heard);
  });
  table.update(store.get());
  const act = async (...args) => {
    store.change(...args);
    await Promise.resolve();
  };
  const news = (events, shown, isLive = true) => act(change.withNews, { events, view: shown, live: isLive, now_ms: 0 });
  const one = (selector) => table.node.querySelector(selector);
  const play = async (card) => {
    one(`[data-testid=hand-card][data-card="${card}"]`).click();
    await Promise.resolve();
    one('[data-testid=play]').click();
    await Promise.resolve();
  };
  const cards = (what) => [...table.node.querySelectorAll(`[data-testid=${what}]`)].map(({ dataset }) => dataset.card);
  const ghosts = () => [...table.node.querySelectorAll('.fx .ghost')];
  return { store, table, act, news, one, play, cards, ghosts, said: () => live.textContent };
}

test('a card that is laid down flies at once, with a ring until the answer', async () => {
  const { play, news, one, cards, table } = laid();
  const face = one('[data-card=QS] .card');
  await play('QS');
  equal([cards('hand-card'), cards('floor-card')], [['8H', '7D', 'AC'], [...TAKE, 'QS']]);
  equal([one('[data-card=QS]').dataset.pending, one('[data-card=QS]').dataset.slot], ['true', '4']);
  equal([table.node.dataset.busy, table.node.dataset.turn, table.node.dataset.myTurn], ['true', '0', 'false']);
  ok(one('[data-card=QS] .card') === face && face.getAnimations().length === 1, 'nothing flies');
  await news([played(4, 0, 0, 'QS')], laidDown());
  equal([one('[data-card=QS]').dataset.pending, table.node.dataset.turn], ['false', '1']);
  equal(face.getAnimations().length, 1);
  ok(face.getAnimations()[0].playState === 'running', 'the answer does not end the flight');
  table.destroy();
});

test('a catch goes to my pile as the preview showed it, and the answer doubles nothing', async () => {
  const { play, news, one, cards, ghosts, table } = laid();
  await play('7D');
  equal([cards('floor-card'), ghosts().length, one('[data-testid=pile][data-side="0"]').dataset.value], [[], 5, '5']);
  equal(one('[data-testid=pile][data-side="0"]').dataset.pending, 'true');
  const flying = ghosts();
  await news([played(4, 0, 0, '7D', TAKE)], tookAll());
  equal([ghosts().every((node, at) => node === flying[at]), ghosts().length], [true, 5]);
  equal([one('[data-testid=pile][data-side="0"]').dataset.value, one('[data-testid=pile][data-side="0"]').dataset.pending], ['5', 'false']);
  await news([played(4, 0, 0, '7D', TAKE)], tookAll());
  equal(ghosts().length, 5);
  table.destroy();
});

test('a deal that comes with the answer begins when the catch lies on the pile', async () => {
  const { play, news, one, table } = laid();
  await play('7D');
  const fresh = { version: 5, type: 'dealt', round: 1, deal: 2, hand: ['9H', '9D', '9S', '9C'] };
  await news([played(4, 0, 0, '7D', TAKE), fresh], view({ version: 5, turn: 1, to_act: 1, you: hand('9H', '9D', '9S', '9C'), round: { floor: [] } }));
  const [dealt] = one('[data-card="9H"] .card').getAnimations();
  ok(dealt.effect.getTiming().delay > 300, `dealt after ${dealt.effect.getTiming().delay} ms`);
  table.destroy();
});

test('a newer play ends what flies', async () => {
  const { play, news, ghosts, table } = laid();
  await play('7D');
  await news([played(4, 0, 0, '7D', TAKE)], tookAll());
  await news([played(5, 1, 1, '9H')], view({ version: 5, turn: 2, to_act: 0, you: hand('8H', 'QS', 'AC'), round: { floor: ['9H'] } }));
  equal(ghosts(), []);
  table.destroy();
});

test('a refused move flies back, and the reason is said', async () => {
  const { play, act, one, cards, said, table } = laid();
  await play('7D');
  await act(change.refuse, 'match.illegal_capture');
  equal([cards('hand-card'), cards('floor-card')], [['8H', '7D', 'QS', 'AC'], TAKE]);
  for (const card of ['7D', ...TAKE]) equal(one(`[data-card="${card}"] .card`).getAnimations().length, 1);
  equal([said(), one('[data-testid=hint]').textContent].map((text) => text.startsWith('That card cannot take those')), [true, true]);
  equal(one('[data-testid=pile][data-side="0"]').dataset.value, '0');
  table.destroy();
});

test('without a line it flies back too, stays marked, and lands by itself later', async () => {
  const { play, act, news, one, cards, said, store, table } = laid();
  await play('QS');
  await act(change.keep, 0);
  equal([cards('hand-card'), cards('floor-card')], [['8H', '7D', 'QS', 'AC'], TAKE]);
  equal([one('[data-card=QS]').dataset.pending, table.node.dataset.busy, said()], ['true', 'true', 'No line: your move waits for it']);
  one('[data-card=QS]').click();
  await Promise.resolve();
  equal(store.get().lifted, null);
  await news([played(4, 0, 0, 'QS')], laidDown());
  equal(cards('floor-card'), [...TAKE, 'QS']);
  equal(one('[data-card=QS] .card').getAnimations().filter(({ playState }) => playState === 'running').length, 1);
  table.destroy();
});

test('when the clock has played another card for me, mine comes back', async () => {
  const { play, news, cards, one, table } = laid();
  await play('QS');
  const other = { ...played(4, 0, 0, 'AC'), by: 'clock' };
  await news([other], view({ version: 4, turn: 1, to_act: 1, you: hand('8H', '7D', 'QS'), round: { floor: [...TAKE, 'AC'] } }));
  equal([cards('hand-card'), cards('floor-card')], [['8H', '7D', 'QS'], [...TAKE, 'AC']]);
  equal([one('[data-card=QS] .card'), one('[data-card=AC] .card')].map((face) => face.getAnimations().length), [1, 1]);
  table.destroy();
});

test('a move that a resync brings has landed, whatever was missed', async () => {
  const { play, news, cards, table } = laid();
  await play('QS');
  await news([played(4, 0, 0, 'QS')], laidDown(), false);
  equal([cards('floor-card'), cards('hand-card')], [[...TAKE, 'QS'], ['8H', '7D', 'AC']]);
  table.destroy();
});

test('while a move is on its way the next card can be looked at, not played', async () => {
  const { play, one, store, table } = laid();
  await play('QS');
  await play('AC');
  equal([store.get().pending.card, store.get().lifted.card, one('[data-testid=play]').dataset.kind], ['QS', 'AC', 'wait']);
  table.destroy();
});

test('without motion the table shows the move at once, too', async () => {
  choose('motion', false);
  const { play, cards, ghosts, act, table } = laid();
  await play('7D');
  equal([cards('floor-card'), ghosts()], [[], []]);
  await act(change.refuse, 'unavailable');
  equal([cards('floor-card'), table.node.dataset.busy], [TAKE, 'false']);
  choose('motion', true);
  table.destroy();
});

test('ahead of the answer nothing is guessed but my own catch', () => {
  const base = change.withNews({ ...change.INITIAL }, { events: OPENING, view: view({ version: 3 }), live: true, now_ms: 0 });
  const state = change.pend(base, 0, '8H', ['3C', '5D', '8S']);
  equal(moveAhead(state), { type: 'played', turn: 0, seat: 0, card: '8H', captured: ['3C', '5D', '8S'], basra: 0 });
  const { match } = withAhead(state);
  equal([match.turn, match.to_act, match.last_play, match.round.floor, match.round.piles], [0, 0, null, ['KC'], [4, 0]]);
  equal(withAhead(base) === base, true);
});

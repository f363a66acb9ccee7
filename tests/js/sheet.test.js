import { equal, test } from './harness.js';
import { use } from '/static/js/i18n.js';
import { Result } from '/static/js/screens/result.js';
import { progress, sheetRows, sheetTable } from '/static/js/sheet.js';
import * as change from '/static/js/state.js';
import { createStore } from '/static/js/store.js';
import { OPENING, PEOPLE, played, room, view } from './samples.js';
import { texts } from './texts.js';

use('en', await texts('en', 'talk'));

const LOG = [...OPENING, played(4, 0, 0, 'JS', ['2C', 'AD']), played(5, 1, 1, 'TD', ['TC'], 10)];
const SHEET = {
  round: 1, cards: [29, 23], leftover: ['AS'], leftover_side: 1, majority: [30, 0], card_points: [4, 4], basras: [0, 10],
  points: [34, 14], carry: 0,
};
const cells = (rows) => Object.fromEntries(rows.map(({ row, cells: pair }) => [row, pair]));

test('a sheet is itemised from what everyone saw being taken', () => {
  const rows = sheetRows(view().rules, LOG, SHEET);
  equal(cells(rows), {
    cards: [29, 23], majority: [30, 0], A: [1, 1], J: [1, 0], '2C': [2, 0], TD: [0, 3], basra: [0, 10], points: [34, 14],
  });
  equal(rows.find(({ row }) => row === 'basra').cards, ['TD', 'TC']);
});

test('where the events do not explain the card points, only their sum is shown', () => {
  const rows = sheetRows(view().rules, [], SHEET);
  equal(rows.map(({ row }) => row), ['cards', 'majority', 'card_points', 'basras', 'points']);
});

test('a tied majority goes over to the next round, and is lost in the last one', () => {
  const tied = { ...SHEET, cards: [26, 26], majority: [0, 0], carry: 30 };
  const said = (status) => sheetTable(view({ status, rounds: [tied] }), LOG, tied).querySelector('[data-row=majority] th').textContent;
  equal(said('playing'), 'Tied 26\u201326: 30 carried over');
  equal(said('finished'), 'Tied 26\u201326: 30 lost');
});

test('my side stands first, wherever points are shown', () => {
  const scores = [34, 14];
  const mine = view({ you: { ...view().you, seat: 1, side: 1 }, scores, rounds: [SHEET, { ...SHEET, round: 2 }] });
  const texts = (root, selector) => [...root.querySelectorAll(selector)].map((node) => node.textContent);
  equal(texts(progress(mine), '.small'), ['You: 14 of 121', 'Karim: 34 of 121']);
  equal(progress(view({ rules: { ...view().rules, target: null }, scores })), null);
  const state = {
    ...change.INITIAL, place: { name: 'room', code: 'KTRMSA' }, me: PEOPLE[1], log: LOG, room: room([0, 1], { status: 'finished' }),
    match: { ...mine, status: 'finished', result: { winner: 0, reason: 'target', seat: null, scores, scored: true } },
  };
  const result = new Result({ store: createStore(state), go() {} });
  result.update(state);
  equal(texts(result.scores, 'b'), ['14', '34']);
  equal(texts(result.rounds, 'summary'), ['Round 1: 14 \u2013 34', 'Round 2: 14 \u2013 34']);
  result.destroy();
});

test('the end of a match tells a guest how to play for rating, and everybody that it was voided', () => {
  const shown = (me, part = {}, result = {}) => {
    const match = view({ ...part, status: 'finished', result: { winner: 0, reason: 'target', seat: null, scores: [121, 9], scored: true, ...result } });
    const state = { ...change.INITIAL, place: { name: 'room', code: 'KTRMSA' }, me, room: room([0, 1], { status: 'finished' }), match };
    const screen = new Result({ store: createStore(state), go() {} });
    screen.update(state);
    const seen = ['register-for-rating', 'voided'].map((testid) => {
      const node = screen.node.querySelector(`[data-testid=${testid}]`);
      return node.closest('[hidden]') ? null : node.textContent;
    });
    screen.destroy();
    return seen;
  };
  const way = 'Register to play for rating';
  const voided = 'This match was voided. Its points and rating changes were taken back.';
  equal(shown(PEOPLE[0]), [way, null]);
  equal(shown({ ...PEOPLE[0], guest: false }), [null, null]);
  equal(shown(PEOPLE[0], { you: null }), [null, null]);
  equal(shown({ ...PEOPLE[0], guest: false }, {}, { scored: false, voided_at: '2026-01-01T00:00:00Z' }), [null, voided]);
});

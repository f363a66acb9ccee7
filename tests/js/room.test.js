import { equal, ok, test } from './harness.js';
import { use } from '/static/js/i18n.js';
import { Room } from '/static/js/screens/room.js';
import { Rematch, rematchOf } from '/static/js/screens/rematch.js';
import { RoomSeats } from '/static/js/screens/room_seats.js';
import * as change from '/static/js/state.js';
import { createStore } from '/static/js/store.js';
import { PEOPLE, room, view, viewOfFour } from './samples.js';
import { endService, service, until } from './service.js';
import { texts } from './texts.js';

use('en', await texts('en', 'talk'));

/** The seats as one of the people sees them; `log` has what was asked for. */
function seatsOf(shown, me) {
  const log = [];
  const does = (name) => (seat) => () => log.push([name, seat]);
  const seats = new RoomSeats({ sit: does('sit'), addBot: does('addBot'), remove: does('remove') });
  document.body.replaceChildren(seats.node);
  seats.update(shown, me);
  const seat = (number) => seats.node.querySelector(`[data-seat="${number}"]`);
  const buttons = (number) => [...seat(number).querySelectorAll('.seat-buttons button')].filter((one) => !one.hidden);
  return { log, seat, buttons, names: (number) => buttons(number).map((one) => one.textContent) };
}

test('the seats stand as at the table, the partner across', () => {
  const { seat } = seatsOf(room([0, 1, null, 'easy']), PEOPLE[1]);
  equal([0, 1, 2, 3].map((number) => seat(number).dataset.place), ['left', 'near', 'right', 'across']);
  equal([0, 1, 2, 3].map((number) => seat(number).dataset.us), ['false', 'true', 'false', 'true']);
  equal(seat(0).querySelector('.about .small').textContent, 'host');
  equal(seat(1).querySelector('.about .small').textContent, 'you');
  equal(seat(3).dataset.bot, 'easy');
});

test("somebody's own program is shown as one", () => {
  const shown = room([0, 1]);
  shown.seating[1].player = { ...PEOPLE[1], bot: true };
  const { seat } = seatsOf(shown, PEOPLE[0]);
  const faces = (number) => [seat(number).querySelector('.initial').textContent, seat(number).querySelector('.bot-face').classList.contains('off')];
  equal([0, 1].map(faces), [['K', true], ['', false]]);
  equal(seat(1).querySelector('.about .small').textContent, 'Bot');
});

test('the host seats bots and makes seats free, and nobody else does', () => {
  const shown = room([0, 1, null, 'easy']);
  const host = seatsOf(shown, PEOPLE[0]);
  equal([0, 1, 2, 3].map(host.names), [[], ['Remove'], ['Sit here', 'Add a bot'], ['Remove']]);
  host.buttons(2)[1].click();
  host.buttons(3)[0].click();
  equal(host.log, [['addBot', 2], ['remove', 3]]);
  const guest = seatsOf(shown, PEOPLE[1]);
  equal([0, 1, 2, 3].map(guest.names), [[], [], ['Sit here'], []]);
});

test('a seat for two is not chosen: there is but one other', () => {
  equal(seatsOf(room([0, null]), PEOPLE[0]).names(1), ['Add a bot']);
});

test('an invitation cannot be taken while the line is lost, and a visitor without one hears of none', () => {
  const base = { ...change.INITIAL, place: { name: 'room', code: 'KTRMSA' }, room: room([0, null]) };
  const shown = new Room({ store: createStore(base), onSeated() {}, onQuit() {} });
  const stands = (me, conn) => {
    shown.update({ ...base, me, conn });
    return [shown.joinButton.disabled, shown.connection.node.dataset.conn];
  };
  equal(stands(null, 'connecting'), [false, 'open']);
  equal(stands(PEOPLE[1], 'open'), [false, 'open']);
  equal(stands(PEOPLE[1], 'reconnecting'), [true, 'reconnecting']);
  shown.destroy();
});

/** The room on the page as a person sees it, through one state after the other. */
function shownRoom(me) {
  const base = { ...change.INITIAL, place: { name: 'room', code: 'KTRMSA' }, me, conn: 'open' };
  const shown = new Room({ store: createStore(base), onSeated() {}, onQuit() {} });
  document.body.replaceChildren(shown.node);
  const visible = (selector) => [...shown.node.querySelectorAll(selector)].filter((one) => one.checkVisibility());
  return {
    shown,
    as: (part, status) => shown.update({ ...base, room: room([0, 1], { status, ...part }) }),
    stands: () => [shown.title.textContent, visible('.seat-buttons button, form button, .share, .levels, .buttons > *').length, visible('[data-testid=seat]').length],
  };
}

test('while the cards are dealt the seats stay, and nothing can be done; until the table is there nothing changes', () => {
  const { shown, as, stands } = shownRoom(PEOPLE[1]);
  as({ seating: room([0, null]).seating }, 'waiting');
  as({}, 'dealing');
  equal(stands(), ['Dealing the cards…', 0, 2]);
  as({ match_id: 'm1' }, 'playing');
  equal([stands(), shown.node.dataset.status], [['Dealing the cards…', 0, 2], 'playing']);
  shown.destroy();
});

test('who comes to a match that runs waits for its table', () => {
  const { shown, as, stands } = shownRoom(PEOPLE[1]);
  as({ match_id: 'm1' }, 'playing');
  equal(stands(), ['One moment…', 0, 0]);
  shown.destroy();
});

test('it is said when another device takes part in the deal, or when this page cannot', () => {
  const { shown, as } = shownRoom(PEOPLE[0]);
  const fairness = { scheme: 'basra-deal/2', commitment: 'c0', client_commitments: ['e'.repeat(64), ''] };
  as({}, 'waiting');
  ok(shown.part.hidden, 'said without reason');
  as({ fairness }, 'waiting');
  ok(shown.part.textContent.startsWith('Another device of yours'), shown.part.textContent);
  Object.defineProperty(crypto, 'subtle', { value: undefined, configurable: true });
  as({ fairness }, 'waiting');
  delete crypto.subtle;
  ok(shown.part.textContent.startsWith("The deal can't be checked from here"), shown.part.textContent);
  shown.destroy();
});

test('a guest is told before sitting down that with a guest a match is not rated, and where to register', () => {
  const base = { ...change.INITIAL, place: { name: 'room', code: 'KTRMSA' } };
  const told = (me, part) => {
    const shown = new Room({ store: createStore({ ...base, room: room([0, null], part) }), onSeated() {}, onQuit() {} });
    shown.update({ ...base, me, conn: 'open', room: room([0, null], part) });
    const line = shown.node.querySelector('[data-testid=guest-unrated]');
    shown.destroy();
    return line.hidden ? null : [line.textContent, line.querySelector('a').getAttribute('href')];
  };
  const words = ["You're a guest, so this match won't be rated. Register to play for rating", '/account'];
  equal(told(PEOPLE[1], { rated: true }), words);
  equal(told(null, { rated: true }), words);
  equal(told({ ...PEOPLE[1], guest: false }, { rated: true }), null);
  equal(told(PEOPLE[1], { rated: false }), null);
});

const over = (part) => view({ status: 'finished', result: { winner: 0, reason: 'target', seat: null, scores: [121, 90], scored: true }, ...part });
const talk = (part = {}, rematch = null) => ({
  match: over(), me: PEOPLE[0], rematch, room: room([0, 1], { status: 'finished', ...part }),
});
const said = (seat, state, serial = 1) => ({ seat, state, serial });

test('how the talk about a rematch stands', () => {
  equal(rematchOf(talk()).state, 'none');
  equal(rematchOf(talk({ rematch: [0] })).state, 'asked');
  equal(rematchOf(talk({ rematch: [1] })).state, 'invited');
  equal(rematchOf(talk({}, said(1, 'declined'))).state, 'declined');
  equal(rematchOf(talk({}, said(1, 'withdrawn'))).state, 'withdrawn');
  equal(rematchOf(talk({ status: 'closed' })).state, 'closed');
  equal(rematchOf(talk({ status: 'dealing' })).state, 'dealing');
  equal(rematchOf(talk({ status: 'playing', match_id: 'm2' })).state, 'dealing');
  equal(rematchOf({ ...talk(), room: room([0, null]) }).state, 'gone');
  equal(rematchOf({ ...talk(), room: room([0, 3]) }).gone, [1]);
});

/** The talk on the page. */
function shownTalk(state) {
  const store = createStore({ ...change.goTo(change.INITIAL, { name: 'room', code: 'KTRMSA' }), ...state });
  const rematch = new Rematch({ store, onBack() {} });
  document.body.replaceChildren(rematch.node);
  rematch.update(state);
  const buttons = () => [...rematch.node.querySelectorAll('button')].filter((one) => !one.hidden).map((one) => one.textContent);
  return { rematch, buttons, text: () => rematch.text.textContent };
}

test('each stand has its words and its answers', () => {
  const { rematch, buttons, text } = shownTalk(talk());
  equal([text(), buttons()], ['', ['Rematch']]);
  rematch.update(talk({ rematch: [0] }, said(0, 'asked')));
  equal([text(), buttons()], ['You asked for a rematch. Waiting for Mona.', ['Withdraw']]);
  rematch.update(talk({ rematch: [1] }, said(1, 'asked', 2)));
  equal([text(), buttons()], ['Mona wants a rematch.', ['Agree', 'Decline']]);
  rematch.update(talk({}, said(1, 'withdrawn', 3)));
  equal([text(), buttons()], ['Mona does not want a rematch any more.', ['Rematch']]);
  rematch.update(talk({}, said(0, 'declined', 4)));
  equal(text(), 'You declined the rematch.');
  rematch.update(talk({ status: 'dealing' }));
  equal([text(), buttons()], ['Dealing the cards…', []]);
  rematch.update({ ...talk(), room: room([0, null]) });
  equal([text(), buttons()], ['Mona left, so there is no rematch.', ['Wait for somebody else']]);
});

test('with four it is seen who agreed', () => {
  const match = viewOfFour({ status: 'finished', result: over().result });
  const shown = room([0, 1, 2, 'easy'], { status: 'finished', rematch: [1, 2] });
  const { rematch, text } = shownTalk({ match, me: PEOPLE[0], rematch: null, room: shown });
  equal(text(), 'Mona and Laila want a rematch.');
  const agreed = [...rematch.seats.children].map(({ dataset }) => [dataset.seat, dataset.agreed]);
  equal(agreed, [['0', 'false'], ['1', 'true'], ['2', 'true']]);
});

test('who only watched has no say', () => {
  const { rematch } = shownTalk({ ...talk(), match: over({ you: null }), me: PEOPLE[3] });
  ok(rematch.node.hidden);
});

test('asking sends the fingerprint of a seed of my own; asked too late is no trouble', async () => {
  const bodies = [];
  service({ 'POST /rooms/KTRMSA/rematches': (body) => { bodies.push(body); return { http: 409, code: 'room.started' }; } });
  const { rematch } = shownTalk(talk());
  rematch.buttons.ask.click();
  await until(() => bodies.length === 1);
  endService();
  ok(/^[0-9a-f]{64}$/.test(bodies[0].client_commitment), 'no fingerprint');
  equal(rematch.trouble.textContent, '');
});

import { equal, ok, test } from './harness.js';
import { load, loadFamily } from '/static/js/i18n.js';
import * as change from '/static/js/state.js';
import { createStore } from '/static/js/store.js';
import * as talk from '/static/js/talk/changes.js';
import { PersonButton, openPerson } from '/static/js/talk/person.js';
import { Talk, maySpeak } from '/static/js/talk/talk.js';
import { PEOPLE, room } from './samples.js';
import { endService, service, until } from './service.js';

await load('en');
await loadFamily('talk');

const LIST = { items: [
  { id: 'hello', kind: 'phrase', symbol: null }, { id: 'well_played', kind: 'phrase', symbol: null },
  { id: 'laughter', kind: 'emote', symbol: '\u{1f604}' }, { id: 'of_a_later_page', kind: 'phrase', symbol: null },
], next: null };
const message = (id, who, text) => ({ id, seat: who, player: PEOPLE[who], text, at: '2026-11-30T08:00:00Z' });
const inRoom = (part = {}) => ({
  ...change.INITIAL, me: PEOPLE[0], place: { name: 'room', code: 'KTRMSA' }, room: room([0, 1], { status: 'playing', chat: true, ...part }),
});

/** Talk on the page, with a service behind it. */
async function talking(act, { answers = {}, state = inRoom() } = {}) {
  localStorage.clear();
  const world = service({ 'GET /phrases': LIST, ...answers });
  const store = createStore(state);
  const seats = [document.createElement('div'), document.createElement('div')];
  const shown = new Talk({ store, placeOf: (seat) => seats[seat] });
  const region = (id) => Object.assign(document.createElement('div'), { id });
  document.body.replaceChildren(region('live-polite'), region('live-assertive'), shown.button, shown.node, ...seats);
  store.subscribe((next) => shown.update(next));
  shown.update(state);
  const all = (testid) => [...document.querySelectorAll(`[data-testid=${testid}]`)];
  const said = () => document.getElementById('live-polite').textContent.trim();
  try {
    await act({ ...world, store, shown, seats, all, said });
  } finally {
    shown.destroy();
    endService();
  }
}

const phrasesOf = async (shown, all) => {
  shown.button.click();
  await until(() => all('phrase').length);
  return Object.fromEntries(all('phrase').map((one) => [one.dataset.phrase, one]));
};

test('who sits with somebody may speak, who watches or sits alone may not', () => {
  equal(maySpeak(inRoom()), true);
  equal(maySpeak({ ...inRoom(), me: PEOPLE[3] }), false);
  equal(maySpeak({ ...inRoom(), room: room([0, 'easy']) }), false);
  equal(maySpeak({ ...inRoom(), room: room([0, 'easy'], { spectators: true }) }), true);
  equal(maySpeak(inRoom({ status: 'closed' })), false);
});

test('the list has what this page has words for; one tap says it, and the sheet is gone', () => talking(async ({ shown, all, asked }) => {
  const buttons = await phrasesOf(shown, all);
  equal(Object.keys(buttons).sort(), ['hello', 'laughter', 'well_played']);
  equal(buttons.laughter.getAttribute('aria-label'), 'Laughter');
  equal([shown.node.getAttribute('role'), shown.button.getAttribute('aria-expanded')], ['dialog', 'true']);
  await until(() => document.activeElement === buttons.laughter);
  buttons.well_played.click();
  await until(() => shown.node.hidden);
  ok(asked.includes('POST /rooms/KTRMSA/phrases'));
  equal(document.activeElement, shown.button);
}, { answers: { 'POST /rooms/KTRMSA/phrases': { http: 201 } } }));

test('who says too much is told when it goes on, calmly, and nothing is sent before', () => {
  let tries = 0;
  const refuse = () => { tries += 1; return { http: 429, code: 'rate_limited' }; };
  return talking(async ({ shown, all }) => {
    const buttons = await phrasesOf(shown, all);
    buttons.hello.click();
    await until(() => buttons.hello.getAttribute('aria-disabled') === 'true');
    equal(all('talk-note')[0].textContent, 'Slowly: there is more in 1 second.');
    buttons.hello.click();
    equal([tries, shown.node.hidden], [1, false]);
    await until(() => buttons.hello.getAttribute('aria-disabled') === null);
    equal(all('talk-note')[0].textContent, '');
  }, { answers: { 'POST /rooms/KTRMSA/phrases': refuse } });
});

test('what is said hangs at the seat of its speaker and is announced once', () => talking(async ({ store, seats, said, all }) => {
  store.change(talk.withPhrase, 1, 'well_played');
  await until(() => seats[1].querySelector('[data-testid=bubble]'));
  equal(said(), 'Mona: Well played');
  equal(seats[1].querySelector('[data-testid=bubble]').getAttribute('aria-hidden'), 'true');
  store.change(talk.withPhrase, 1, 'laughter');
  await until(() => seats[1].querySelector('[data-phrase=laughter]'));
  equal([all('bubble').length, seats[1].querySelectorAll('svg.emote').length], [1, 1]);
  store.change(talk.withPhrase, 0, 'hello');
  await until(() => seats[0].querySelector('[data-mine=true]'));
  equal(said(), 'You: Ahlan!');
  store.change(talk.withPhrase, 1, 'of_a_later_page');
  await new Promise((done) => setTimeout(done, 30));
  equal([all('bubble').length, said()], [2, 'You: Ahlan!']);
}));

test('what was said before a screen came is not said again', () => talking(async ({ all }) => {
  await new Promise((done) => setTimeout(done, 30));
  equal(all('bubble').length, 0);
}, { state: talk.withPhrase(inRoom(), 1, 'hello') }));

test('a message is text and nothing else, and waits unread until the list is seen', () => talking(async ({ store, shown, all, said }) => {
  store.change(talk.withMessages, [message('2', 1, 'two'), message('1', 1, 'one')]);
  await until(() => shown.button.dataset.unread === '2');
  equal(said(), '', 'history is not announced');
  store.change(talk.withMessage, message('3', 1, '<b>three</b>'));
  await until(() => shown.button.dataset.unread === '3');
  equal(shown.button.getAttribute('aria-label'), 'Talk, 3 unread messages');
  equal(said(), 'Mona writes: <b>three</b>');
  shown.button.click();
  await until(() => shown.button.dataset.unread === '0');
  equal(all('message').map((one) => one.querySelector('p').textContent), ['one', 'two', '<b>three</b>']);
  equal([document.querySelectorAll('b').length, all('message')[2].querySelector('p').dir], [0, 'auto']);
}));

test('mine is there at once, then it is the service\'s, told once', () => {
  let answer = null;
  const held = ({ text }) => new Promise((done) => { answer = () => done({ http: 201, ...message('7', 0, text) }); });
  return talking(async ({ store, shown, all }) => {
    shown.button.click();
    const { chat } = shown;
    chat.input.value = '  good evening ';
    chat.form.requestSubmit();
    await until(() => answer && all('message').length);
    equal([all('message')[0].dataset.state, all('message')[0].querySelector('p').textContent, chat.input.value], ['pending', 'good evening', '']);
    store.change(talk.withMessage, message('7', 0, 'good evening'));
    await until(() => all('message')[0].dataset.state === 'there');
    answer();
    shown.outbox.send('and another'); // it goes out when the answer to the first has been heard
    await until(() => all('message').length === 2);
    equal(all('message').map((one) => one.dataset.state), ['there', 'pending']);
  }, { answers: { 'POST /rooms/KTRMSA/messages': held } });
});

test('what had no answer can be sent again or dropped, what was refused for haste goes by itself', () => {
  const waits = [new TypeError('network'), { http: 429, code: 'rate_limited' }, { http: 201, ...message('8', 0, 'hey') }];
  return talking(async ({ store, shown, all }) => {
    shown.button.click();
    shown.outbox.send('hey');
    await until(() => all('message').some((one) => one.dataset.state === 'failed'));
    all('message')[0].querySelector('button').click();
    await until(() => all('message').some((one) => one.dataset.state === 'there'));
    equal([all('message').length, waits.length, store.get().chat.sending.length], [1, 0, 0]);
  }, { answers: { 'POST /rooms/KTRMSA/messages': () => waits.shift() } });
});

test('a message that arrived although nobody answered is not shown twice', () => {
  let state = talk.withMessages(inRoom(), []);
  state = talk.fail(talk.send(state, 'k1', 'hey'), 'k1', 'no_answer');
  state = talk.withMessages(state, [message('9', 0, 'hey')]);
  equal([talk.chatOf(state).items.length, talk.chatOf(state).sending.length], [1, 0]);
  state = talk.withMessages(talk.send(state, 'k2', 'hey'), [message('9', 0, 'hey')]);
  equal(talk.chatOf(state).sending.length, 1, 'the same words again are another message');
  equal(talk.chatOf(talk.giveUp(state, 'k2')).sending.length, 0);
});

test('the chat goes with the room, and there is none for who only watches', () => {
  const state = talk.withMessages(inRoom(), [message('1', 1, 'one')]);
  equal([talk.mayChat(state), talk.mayChat({ ...state, me: PEOPLE[3] }), talk.mayChat(inRoom({ chat: false }))], [true, false, false]);
  equal([talk.endChat(state).chat, talk.mayChat(inRoom({ status: 'closed' }))], [null, false]);
});

test('about a player: his page, and mute, block and report; windows may lie on one another', async () => {
  let blocked = 0;
  service({ 'GET /blocks': { items: [] }, 'PUT /blocks/p1': () => { blocked += 1; return {}; } });
  let changes = 0;
  document.body.replaceChildren();
  await openPerson(PEOPLE[1], () => { changes += 1; });
  const one = (testid) => document.querySelector(`[data-testid=${testid}]`);
  equal([one('profile-link').getAttribute('href'), one('profile-link').target], ['/players/p1', '_blank']);
  one('mute').click();
  await until(() => one('mute').getAttribute('aria-pressed') === 'true');
  equal([blocked, changes], [1, 1]);
  one('report').click();
  const field = document.getElementById('report-text');
  field.focus();
  const key = new KeyboardEvent('keydown', { key: 'Escape', bubbles: true, cancelable: true });
  field.dispatchEvent(key);
  equal([Boolean(one('report-window')), Boolean(one('person'))], [false, true], 'only the upper one closes');
  endService();
  one('person').parentNode.remove();
});

test('a report from the table where I sit says which one it is, and what was written there goes with it', async () => {
  const sent = [];
  service({ 'GET /blocks': { items: [] }, 'POST /reports': (body) => { sent.push([body.player, body.room]); return { id: 'r1' }; } });
  document.body.replaceChildren();
  for (const me of [PEOPLE[0], PEOPLE[3]]) {
    const about = new PersonButton(createStore({ ...inRoom(), me }));
    about.update(PEOPLE[1], me);
    about.node.click();
    await until(() => document.querySelector('[data-testid=report]'));
    document.querySelector('[data-testid=report]').click();
    document.querySelector('[data-testid=report-window] form').requestSubmit();
    await until(() => document.querySelector('[data-testid=reported]'));
    for (const out of [...document.querySelectorAll('.window-close')].reverse()) out.click();
  }
  equal(sent, [['p1', 'KTRMSA'], ['p1', null]], 'who only watches has no table to tell of');
  endService();
});

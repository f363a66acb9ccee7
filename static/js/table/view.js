// The table: view = f(state). It is built once for a match and then only patched; a card's face is one node that
// moves between hand and floor.

import { h, setAttr, setData, setText } from '../dom.js';
import { t } from '../i18n.js';
import { unlockByGesture } from '../audio.js';
import { Away } from '../away.js';
import { showSettings } from '../settings.js';
import * as change from '../state.js';
import { PersonButton } from '../talk/person.js';
import { Talk } from '../talk/talk.js';
import { Actions } from './actions.js';
import { Ahead, withAhead } from './ahead.js';
import { face } from './cards.js';
import { clockText, secondsLeft, urgency, warningDue } from './clock.js';
import { ConnectionBar } from './connection.js';
import { Cut } from './cut.js';
import { Drag } from './drag.js';
import { Effects } from './effects.js';
import { Flip } from './flip.js';
import { Floor } from './floor.js';
import { Hand } from './hand.js';
import { intents, listen } from './input.js';
import { Moments } from './moments.js';
import { previewOf } from './preview.js';
import { RoundEnd } from './round_end.js';
import { othersInOrder } from './places.js';
import { rectsOf } from './rects.js';
import { Banner, Opponent } from './seats.js';
import { rowsFor } from './slots.js';
import { Speech } from './speech.js';
import { Story } from './story.js';
import { Top } from './top.js';

const TICK_MS = 250;

export class Table {
  #store;
  #faces = new Map();
  #left_s = null;
  #ahead = new Ahead();
  #landsAt_ms = 0; // when my move that flies will have landed, by performance.now()
  #undo = [];

  constructor({ store, sync, onLeave }) {
    this.#store = store;
    const state = store.get();
    const view = state.match;
    const wants = intents(store, sync);
    const faceOf = (card) => this.#faceOf(card);
    const mySeat = view.you ? view.you.seat : 0;
    this.matchId = view.id;
    this.talk = new Talk({ store, beside: true, placeOf: (seat) => this.#bubblePlace(seat) });
    this.top = new Top({ onLeave, talk: this.talk.button });
    this.connection = new ConnectionBar();
    this.opponents = othersInOrder(view.seats.length, mySeat).map((seat) => new Opponent(seat, view));
    this.near = view.you ? null : new Opponent(mySeat, view); // who watches sees everybody, one of them in my place
    this.people = new Map(this.#others().map((one) => [one, new PersonButton(store)]));
    for (const [one, button] of this.people) one.who.append(button.node);
    this.banner = new Banner();
    this.floor = new Floor(faceOf);
    this.cut = new Cut((at) => sync.cut(at));
    this.actions = new Actions(view, wants);
    this.clocks = [this.actions.node, ...this.#others().map(({ avatar }) => avatar)];
    this.hand = new Hand(faceOf);
    this.title = view.you ? this.hand : this.top.title; // where the focus goes when the table appears
    this.story = new Story();
    this.roundEnd = new RoundEnd(() => this.#closeSheet());
    this.speech = new Speech();
    this.layer = h('div', { class: 'fx', 'aria-hidden': 'true' });
    this.floor.node.append(this.cut.node);
    this.node = this.#build(view.seats.length);
    this.flip = new Flip({ layer: this.layer, faces: () => this.#faces, onIdle: () => this.#showBusy() });
    this.moments = new Moments({ flip: this.flip, places: this.#rects() });
    this.drag = new Drag(this.hand.node, wants);
    this.effects = new Effects();
    this.away = new Away();
    showSettings();
    this.#undo.push(listen({ root: this.node, hand: this.hand.node, floor: this.floor.node, state: () => store.get() }, wants));
    this.#undo.push(unlockByGesture(), () => this.away.destroy());
    const timer = setInterval(() => this.#tick(), TICK_MS);
    this.#undo.push(() => this.talk.destroy(), () => clearInterval(timer), () => this.roundEnd.close(), () => this.connection.destroy());
  }

  #build(seats) {
    const watched = !this.#store.get().match.you;
    return h('section', { id: 'table', class: 'table', data: { seats, watched } },
      this.#skipLink(), this.top.node,
      h('div', { class: 'board', dir: 'ltr' },
        h('div', { class: 'opponents' }, ...this.opponents.map(({ node }) => node)),
        this.banner.node, h('div', { class: 'under-banner' }, this.connection.node),
        this.floor.node, this.actions.node, this.near ? this.near.node : this.hand.node),
      this.story.node, this.talk.node, this.roundEnd.node, this.layer);
  }

  /** The first stop of the Tab key leads past the bar to the cards. */
  #skipLink() {
    const skip = (event) => {
      event.preventDefault();
      event.stopPropagation();
      this.hand.focus();
    };
    return h('a', { class: 'skip', href: '#hand', hidden: Boolean(this.near), on: { click: skip } }, t('table.skip'));
  }

  /** What I say myself stands at the edge of the floor above my points. */
  #bubblePlace(seat) {
    const other = this.#others().find((one) => one.seat === seat);
    return other ? other.who : this.floor.node;
  }

  #others() {
    return this.near ? [...this.opponents, this.near] : this.opponents;
  }

  #faceOf(card) {
    if (!this.#faces.has(card)) this.#faces.set(card, face(card));
    return this.#faces.get(card);
  }

  /** Where the cards of the seats are; mine lie in my hand. */
  #rects() {
    const seatNode = (number) => this.#others().find((one) => one.seat === number)?.backs || this.hand.node;
    return rectsOf({ node: this.node, banner: this.banner.node, floor: this.floor.node, seatNode });
  }

  update(state) {
    const { match } = state;
    const step = this.#ahead.step(state);
    const before = this.#measure(step);
    const focused = document.activeElement;
    const hadFocus = this.node.contains(focused);
    const myTurn = change.isMyTurn(state);
    this.#draw(withAhead(state), myTurn);
    if (hadFocus) this.#keepFocus(focused); // before the flights: both need the new layout, and a flight makes it old
    const wait_ms = step.lands && this.flip.busy ? Math.max(0, this.#landsAt_ms - performance.now()) : 0;
    const takes_ms = this.#move(before, step, wait_ms);
    this.roundEnd.update(state, takes_ms);
    this.#showData(state, myTurn);
    this.speech.update(state);
    this.talk.update(state);
    this.effects.update(state, step.events, wait_ms);
    this.away.update({ mine: myTurn, turn: match.turn, code: match.room });
    this.#tick();
  }

  /** Everything that only shows how it is now. */
  #draw(shown, myTurn) {
    const { match } = shown;
    const preview = previewOf(match, shown.lifted, myTurn);
    const look = preview || previewOf(match, shown.glanced && { card: shown.glanced, choice: 0 }, myTurn);
    this.top.update(shown);
    this.connection.update(shown.conn);
    for (const part of [...this.#others(), this.banner, this.cut]) part.update(match);
    this.floor.update(shown, look);
    this.hand.update(shown);
    this.drag.update();
    this.story.update(shown);
    for (const [one, button] of this.people) button.update(match.seats[one.seat].player, shown.me);
    this.actions.update(shown, preview, look); // last: to hide the button that has the focus lays the page out
  }

  /** Where the cards are before they move; null when none will. */
  #measure({ events, lands, back }) {
    if (!events.length && !back) return null;
    const aloft = back ? this.flip.aloft() : [];
    return new Map([...this.flip.measure({ flyOn: lands }), ...aloft]);
  }

  /** Let the cards fly to where they are now; gives when the last one lies. */
  #move(before, { events, begun, back }, wait_ms) {
    if (!before) return wait_ms;
    if (back) this.moments.back(before, back);
    const takes_ms = this.moments.run(before, events, wait_ms);
    if (begun) this.#landsAt_ms = performance.now() + takes_ms;
    return takes_ms;
  }

  /** When what had the focus is gone and nothing took it over, it goes to the hand, never to nowhere; in it to a card. */
  #keepFocus(focused) {
    const lost = !focused.isConnected || focused.hidden;
    if (lost && [focused, document.body].includes(document.activeElement)) this.title.focus();
    // New cards for one who waits at the empty hand.
    if (document.activeElement === this.hand.node) this.hand.focus();
  }

  #showData(state, myTurn) {
    const { match } = state;
    const phase = match.status === 'finished' ? 'over' : match.round.phase;
    const data = {
      phase, turn: match.turn, toAct: match.to_act ?? '', mySeat: match.you ? match.you.seat : '', myTurn,
      conn: state.conn, version: match.version, round: match.round.number, dealer: match.round.dealer,
      rows: rowsFor(state.slots),
    };
    for (const [name, value] of Object.entries(data)) setData(this.node, name, value);
    this.#showBusy();
  }

  #showBusy() {
    setData(this.node, 'busy', Boolean(this.#store.get().pending) || this.flip.busy);
  }

  #closeSheet() {
    const had = this.roundEnd.node.contains(document.activeElement);
    this.#store.change(change.closeSheet);
    this.roundEnd.close();
    if (had && !this.cut.focus()) this.title.focus();
  }

  #tick() {
    const state = this.#store.get();
    if (!state.match || state.match.id !== this.matchId) return;
    const { seats, to_act: toAct, deadline } = state.match;
    // A bot's moment is no clock to watch: it runs out with each of its plays.
    const left_s = seats[toAct]?.bot ? null : secondsLeft(deadline, Date.now(), state.offset_ms);
    const clock = this.banner.clock;
    setAttr(clock, 'hidden', left_s === null);
    setData(clock, 'urgency', urgency(left_s));
    this.actions.tick(urgency(left_s));
    for (const one of this.#others()) one.tick(state.match, left_s);
    if (left_s !== null) setText(clock, clockText(left_s));
    const whole_s = state.room ? state.room.turn_seconds : 120;
    const share = String(Math.min(1, (left_s ?? 0) / whole_s));
    // On those that draw it: on the table it would be every card's too, and style all of them anew each second.
    for (const node of this.clocks) node.style.setProperty('--clock', share);
    setData(this.node, 'urgency', urgency(left_s));
    const mine = Boolean(state.match.you) && state.match.you.seat === state.match.to_act;
    const due = mine ? warningDue(this.#left_s, left_s) : null;
    if (due !== null) {
      this.speech.warn(state.match, due);
      this.effects.hurry(due);
    }
    this.#left_s = left_s;
  }

  destroy() {
    this.flip.finish();
    this.#undo.forEach((undo) => undo());
  }
}

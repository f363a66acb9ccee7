// Keeps the state equal to the room as the server has it: the channel brings news, a gap is filled by asking, and
// commands are sent until they are answered.

import { ApiError, eventsAfter, get, insist } from './api.js';
import { Channel, channelAddress } from './channel.js';
import { hearDeal } from './dealing.js';
import { holdsPart, lacksPart } from '../fair_notes.js';
import { noteTable } from '../fair_table.js';
import { joinDeal } from '../rooms.js';
import * as change from '../state.js';
import * as talk from '../talk/changes.js';

const ROUNDS_OF_ASKING = 4;
const LOOK_MS = 2000; // at a room that nobody tells of any more
const REFUSALS_TO_BELIEVE = 3; // a channel that never opens although the room is there

export class RoomSync {
  #store;
  #code;
  #channel;
  #asking = null;
  #askAgain = false;
  #closed = false;
  #refusals = 0;
  #looking = null;
  #partAsked = null; // after which match I have asked for a part in the next deal

  constructor(store, code) {
    this.#store = store;
    this.#code = code;
    this.#channel = new Channel({
      address: () => this.#address(),
      onMessage: (message) => this.#hear(message),
      onState: (conn) => this.#onState(conn),
    });
  }

  open() {
    this.#hearDeal();
    this.#channel.open();
  }

  close() {
    this.#closed = true;
    clearInterval(this.#looking);
    this.#channel.close();
  }

  takeBack() {
    this.#channel.takeBack();
  }

  /** Play a card; the server refuses a wrong one and counts a repeated one once. */
  play(card, capture) {
    const { match } = this.#store.get();
    const { turn } = match;
    this.#store.change(change.pend, turn, card, capture);
    const wanted = () => !this.#closed && this.#store.get().pending?.turn === turn;
    return this.#command('moves', { turn, card, capture }, wanted, () => this.#store.change(change.keep, turn));
  }

  cut(at) {
    const { match } = this.#store.get();
    const wanted = () => !this.#closed && this.#store.get().match.round.phase === 'cut';
    return this.#command('cuts', { round: match.round.number, at }, wanted);
  }

  forfeit() {
    return this.#command('forfeits', {}, () => !this.#closed && this.#store.get().match.status === 'playing');
  }

  async #command(name, body, wanted, onSilence) {
    const id = this.#store.get().match.id;
    try {
      const answer = await insist('POST', `/matches/${encodeURIComponent(id)}/${name}`, body, wanted, onSilence);
      if (answer) this.#take(id, answer.events, answer.view);
    } catch (error) {
      if (!(error instanceof ApiError)) throw error;
      if (this.#closed) return;
      this.#store.change(change.refuse, error.code);
      this.#resync(id);
    }
  }

  #address() {
    const { match } = this.#store.get();
    const known = match ? `?match=${encodeURIComponent(match.id)}&after=${change.versionOf(this.#store.get())}` : '';
    return channelAddress(`/rooms/${this.#code}/channel${known}`);
  }

  #onState(conn) {
    if (this.#closed) return;
    this.#store.change(change.withConn, conn);
    if (conn === 'open') this.#refusals = 0;
    if (conn === 'reconnecting') this.#checkRoom();
    clearInterval(this.#looking);
    if (conn === 'replaced') this.#looking = setInterval(() => this.#lookAtDeal(), LOOK_MS);
  }

  /** A browser does not say why a channel was refused, so ask whether the room is still there for us. */
  async #checkRoom() {
    this.#refusals += 1;
    try {
      const room = await get(`/rooms/${this.#code}`);
      const { me, match } = this.#store.get();
      if (this.#closed) return;
      this.#store.change(change.withRoom, room);
      this.#hearDeal();
      const stranger = change.seatIn(room, me) === null && room.status !== 'waiting';
      if (stranger && !room.spectators && !match?.you) this.#store.change(change.withError, 'room_playing');
      else if (stranger && !match && this.#refusals >= REFUSALS_TO_BELIEVE) this.#store.change(change.withError, 'room_crowded');
    } catch (error) {
      const gone = error instanceof ApiError && error.status === 404;
      if (gone && !this.#closed) this.#store.change(change.withError, 'room_missing');
    }
    this.#stopIfOver();
  }

  #hear(message) {
    const act = {
      room: () => this.#hearRoom(message.room),
      phrase: () => this.#store.change(talk.withPhrase, message.seat, message.phrase),
      messages: () => this.#store.change(talk.withMessages, message.items),
      message: () => this.#store.change(talk.withMessage, message.message),
      rematch: () => this.#store.change(change.withRematch, message.seat, message.state),
      view: () => this.#hearView(message.view),
      events: () => this.#take(message.match, message.events, message.view),
      presence: () => this.#store.change(change.withPresence, message.seat, message.connected),
      ping: () => this.#hearVersion(message.match, message.version),
    }[message.type];
    if (act) act(); // what a later server may say besides is not for this client
  }

  #hearRoom(room) {
    if (this.#closed) return;
    this.#store.change(change.withRoom, room);
    this.#hearDeal();
    if (room.status === 'closed') this.#store.change(talk.endChat);
    this.#stopIfOver();
  }

  /** Note what the room shows of its deal, and open my part when it is time. */
  #hearDeal() {
    const { room, me } = this.#store.get();
    if (!room) return;
    hearDeal(room, me);
    const due = `${room.match_id}`;
    if (due === this.#partAsked || !lacksPart(room, change.seatIn(room, me))) return;
    this.#partAsked = due;
    joinDeal(this.#store, room.code).catch(() => { this.#partAsked = null; }); // what is not there in time is missing in the deal, no more
  }

  /** Another device has my place now, but not my part of the deal: that can be opened from here alone. */
  async #lookAtDeal() {
    const { room, me } = this.#store.get();
    if (!room || !holdsPart(room, change.seatIn(room, me))) {
      clearInterval(this.#looking);
      return;
    }
    const now = await get(`/rooms/${this.#code}`).catch(() => null); // the next look, then
    if (!now || this.#closed) return;
    this.#store.change(change.withRoom, now);
    this.#hearDeal();
    this.#stopIfOver();
  }

  /** What cannot be shown any more need not be followed. */
  #stopIfOver() {
    if (!this.#closed && this.#store.get().error) this.close();
  }

  #hearView(view) {
    const state = this.#store.get();
    if (state.match?.id === view.id && change.versionOf(state) === view.version) this.#put([], view, false);
    else this.#resync(view.id);
  }

  #hearVersion(matchId, version) {
    const state = this.#store.get();
    const known = state.match?.id === matchId ? change.versionOf(state) : 0;
    if (matchId !== null && version > known) this.#resync(matchId);
  }

  #take(matchId, events, view) {
    if (this.#closed) return;
    if (change.hasGap(this.#store.get(), matchId, events)) this.#resync(matchId);
    else this.#put(events, view, true);
  }

  #put(events, view, live) {
    noteTable(view, events);
    this.#store.change(change.withNews, { events, view, live, now_ms: Date.now() });
  }

  /** Ask for what is missing; asked again while asking, it looks once more afterwards. */
  #resync(matchId) {
    this.#askAgain = true;
    this.#asking ??= this.#ask(matchId).finally(() => { this.#asking = null; });
  }

  async #ask(matchId) {
    for (let round = 0; round < ROUNDS_OF_ASKING && this.#askAgain && !this.#closed; round += 1) {
      this.#askAgain = false;
      try {
        const state = this.#store.get();
        const after = state.match?.id === matchId ? change.versionOf(state) : 0;
        const events = await eventsAfter(matchId, after);
        const view = await get(`/matches/${encodeURIComponent(matchId)}`);
        if (this.#closed) return;
        this.#put(events, view, false);
        // Something happened between the two answers: the events must reach as far as the view.
        if (change.versionOf(this.#store.get()) < view.version) this.#askAgain = true;
      } catch (error) {
        return; // the next ping's version, or the next channel, asks again
      }
    }
  }
}

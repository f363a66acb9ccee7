// Keeps the state equal to the room as the server has it: the channel brings news, a gap is filled by asking, and
// commands are sent until they are answered.

import { ApiError, eventsAfter, get, insist } from './api.js';
import { Channel } from './channel.js';
import * as change from '../state.js';

const ROUNDS_OF_ASKING = 4;

export class RoomSync {
  #store;
  #code;
  #channel;
  #asking = null;
  #askAgain = false;
  #closed = false;

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
    this.#channel.open();
  }

  close() {
    this.#closed = true;
    this.#channel.close();
  }

  takeBack() {
    this.#channel.takeBack();
  }

  /** Play a card; the server refuses a wrong one and counts a repeated one once. */
  play(card, capture) {
    const { match } = this.#store.get();
    this.#store.change(change.pend, match.turn, card);
    const wanted = () => !this.#closed && this.#store.get().pending?.turn === match.turn;
    return this.#command('moves', { turn: match.turn, card, capture }, wanted);
  }

  cut(at) {
    const { match } = this.#store.get();
    const wanted = () => !this.#closed && this.#store.get().match.round.phase === 'cut';
    return this.#command('cuts', { round: match.round.number, at }, wanted);
  }

  forfeit() {
    return this.#command('forfeits', {}, () => !this.#closed && this.#store.get().match.status === 'playing');
  }

  async #command(name, body, wanted) {
    const id = this.#store.get().match.id;
    try {
      const answer = await insist('POST', `/matches/${encodeURIComponent(id)}/${name}`, body, wanted);
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
    const scheme = location.protocol === 'https:' ? 'wss:' : 'ws:';
    return `${scheme}//${location.host}/api/v1/rooms/${this.#code}/channel${known}`;
  }

  #onState(conn) {
    if (this.#closed) return;
    this.#store.change(change.withConn, conn);
    if (conn === 'reconnecting') this.#checkRoom();
  }

  /** A browser does not say why a channel was refused, so ask whether the room is still there for us. */
  async #checkRoom() {
    try {
      const room = await get(`/rooms/${this.#code}`);
      const { me } = this.#store.get();
      const seated = room.seating.some(({ player }) => player && player.id === me?.id);
      if (this.#closed) return;
      this.#store.change(change.withRoom, room);
      if (!seated && room.status !== 'waiting' && !room.spectators) this.#store.change(change.withError, 'room_playing');
    } catch (error) {
      const gone = error instanceof ApiError && error.status === 404;
      if (gone && !this.#closed) this.#store.change(change.withError, 'room_missing');
    }
  }

  #hear(message) {
    const act = {
      room: () => this.#store.change(change.withRoom, message.room),
      view: () => this.#hearView(message.view),
      events: () => this.#take(message.match, message.events, message.view),
      presence: () => this.#store.change(change.withPresence, message.seat, message.connected),
      ping: () => this.#hearVersion(message.match, message.version),
    }[message.type];
    if (act) act(); // what a later server may say besides is not for this client
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

// A channel, of a room or of a player: one WebSocket that is opened again whenever it is lost. The server pings every 10 s, so long
// silence means that the line is dead although nothing closed it: the phone that walked out of the network.

export const SILENCE_MS = 25_000;
const LOOK_EVERY_MS = 1000;
const BACKOFF_FIRST_MS = 300;
const BACKOFF_MOST_MS = 8000;
const TOO_MANY_MS = 5000;
const RESTARTING = 1012;
const TOO_MANY = 1013;
const REPLACED = 4000;

/** The URL of a channel of this site. */
export function channelAddress(path) {
  const scheme = location.protocol === 'https:' ? 'wss:' : 'ws:';
  return `${scheme}//${location.host}/api/v1${path}`;
}

export class Channel {
  #env;
  #address;
  #onMessage;
  #onState;
  #socket = null;
  #failures = 0;
  #lastHeard_ms = 0;
  #retry = null;
  #look = null;
  #undo = [];

  /**
   * `address()` gives the URL to open, `onMessage(message)` gets each message, `onState(state)` one of connecting,
   * open, reconnecting, offline, restarting, replaced. `env` is the browser, or what a test puts in its place.
   */
  constructor({ address, onMessage, onState, env = window }) {
    this.#env = env;
    this.#address = address;
    this.#onMessage = onMessage;
    this.#onState = onState;
  }

  open() {
    const listen = (target, type, listener) => {
      target.addEventListener(type, listener);
      this.#undo.push(() => target.removeEventListener(type, listener));
    };
    listen(this.#env, 'offline', () => this.#lose('offline'));
    listen(this.#env, 'online', () => this.#connectNow());
    // A device that slept missed its timers; the first look after it wakes must not wait for the next one.
    listen(this.#env.document, 'visibilitychange', () => this.#checkSilence());
    this.#look = this.#env.setInterval(() => this.#checkSilence(), LOOK_EVERY_MS);
    this.#onState('connecting');
    this.#connect();
  }

  close() {
    this.#undo.forEach((undo) => undo());
    this.#undo = [];
    this.#env.clearInterval(this.#look);
    this.#env.clearTimeout(this.#retry);
    this.#drop();
  }

  /** Open again after another tab took the seat over. */
  takeBack() {
    this.#failures = 0;
    this.#onState('reconnecting');
    this.#connect();
  }

  #connect() {
    this.#env.clearTimeout(this.#retry);
    this.#retry = null;
    this.#drop();
    const socket = new this.#env.WebSocket(this.#address());
    this.#socket = socket;
    this.#lastHeard_ms = this.#env.Date.now();
    // Whatever an abandoned socket still delivers is old: only the present one is listened to.
    const current = (act) => (event) => { if (socket === this.#socket) act(event); };
    socket.onmessage = current((event) => this.#hear(event));
    socket.onclose = current((event) => this.#lost(event.code));
  }

  #hear(event) {
    this.#lastHeard_ms = this.#env.Date.now();
    this.#failures = 0;
    this.#onState('open');
    this.#onMessage(JSON.parse(event.data));
  }

  #lost(code) {
    this.#socket = null;
    if (code === REPLACED) {
      this.#onState('replaced');
      return;
    }
    this.#lose(code === RESTARTING ? 'restarting' : 'reconnecting', code === TOO_MANY ? TOO_MANY_MS : 0);
  }

  #lose(state, least_ms = 0) {
    this.#drop();
    this.#onState(this.#env.navigator.onLine === false ? 'offline' : state);
    const wait_ms = Math.min(BACKOFF_FIRST_MS * 2 ** this.#failures, BACKOFF_MOST_MS);
    this.#failures += 1;
    this.#env.clearTimeout(this.#retry);
    // Many clients lose a restarting server at once; chance keeps them from coming back at once.
    const jittered_ms = wait_ms * (0.75 + this.#env.Math.random() / 2);
    this.#retry = this.#env.setTimeout(() => this.#connect(), Math.max(jittered_ms, least_ms));
  }

  #connectNow() {
    if (this.#socket || this.#retry === null) return;
    this.#failures = 0;
    this.#connect();
  }

  #checkSilence() {
    if (this.#socket && this.#env.Date.now() - this.#lastHeard_ms > SILENCE_MS) this.#lose('reconnecting');
  }

  #drop() {
    const socket = this.#socket;
    this.#socket = null;
    if (socket) socket.close();
  }
}

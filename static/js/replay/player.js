// Where a replay stands, and its clock: one position after the other, faster or slower. No page in here.

export const SPEEDS = [0.5, 1, 2, 4];
const PAUSE_MS = { cut: 700, dealt: 900, played: 1200, caught: 1600, basra: 2200, round_scored: 4500, match_finished: 0 };

/** How long a position is looked at, at the usual speed. */
export function pauseOf({ type, captured = [], basra = 0 }) {
  if (basra) return PAUSE_MS.basra;
  return captured.length ? PAUSE_MS.caught : PAUSE_MS[type];
}

export class Player {
  #events;
  #onChange;
  #timer = null;

  /** `onChange(from)` hears of every change of the position, and of the clock's. */
  constructor(events, index, onChange) {
    this.#events = events;
    this.#onChange = onChange;
    this.index = index;
    this.speed = 1;
  }

  get playing() {
    return this.#timer !== null;
  }

  get isAtEnd() {
    return this.index === this.#events.length - 1;
  }

  /** Go to a position; the clock goes on from there if it runs. */
  go(index) {
    const from = this.index;
    this.index = Math.max(0, Math.min(this.#events.length - 1, index));
    if (this.playing) this.#wind();
    if (this.index !== from) this.#onChange(from);
  }

  /** Go on, or stop; from the end it begins anew. */
  toggle() {
    const from = this.index;
    if (this.playing) this.#stop();
    else {
      if (this.isAtEnd) this.index = 0;
      this.#wind();
    }
    this.#onChange(from);
  }

  pause() {
    if (this.playing) this.toggle();
  }

  /** The next of the speeds, and after the fastest the slowest. */
  faster() {
    this.speed = SPEEDS[(SPEEDS.indexOf(this.speed) + 1) % SPEEDS.length];
    if (this.playing) this.#wind();
    this.#onChange(this.index);
  }

  #wind() {
    clearTimeout(this.#timer);
    this.#timer = setTimeout(() => this.#tick(), pauseOf(this.#events[this.index]) / this.speed);
  }

  #tick() {
    const from = this.index;
    this.index = Math.min(this.index + 1, this.#events.length - 1);
    if (this.isAtEnd) this.#stop();
    else this.#wind();
    this.#onChange(from);
  }

  #stop() {
    clearTimeout(this.#timer);
    this.#timer = null;
  }

  destroy() {
    this.#stop();
  }
}

// Moves cards from where they were to where the new state has put them. The state is already true when a flight
// starts, and a new state ends every flight: nothing waits for it.

import { moves } from '../settings.js';
import { face } from './cards.js';

export const EASE = 'cubic-bezier(.2,.8,.2,1)';

/** From one rectangle to another, as a transform of what lies at the second. */
export function shift(from, to) {
  const scale = to.width ? from.width / to.width : 1;
  return `translate(${from.left - to.left}px, ${from.top - to.top}px) scale(${scale})`;
}

export class Flip {
  #faces;
  #onIdle;
  #running = new Set();

  /** `faces()` gives card -> face node; `layer` is where copies fly. */
  constructor({ layer, faces, onIdle }) {
    this.layer = layer;
    this.#faces = faces;
    this.#onIdle = onIdle;
  }

  get busy() {
    return this.#running.size > 0;
  }

  /**
   * Remember where every card is before the state changes; of one that flies, its goal. What still flies is brought
   * there, or flies on while the rest begins.
   */
  measure({ flyOn = false } = {}) {
    const rects = new Map();
    for (const [card, node] of moves() ? this.#faces() : []) {
      // A face fills what carries it, and only the face flies: so nothing has to be laid out anew before it is measured.
      if (node.isConnected) rects.set(card, node.parentNode.getBoundingClientRect());
    }
    if (!flyOn) this.finish();
    return rects;
  }

  /** Where the copies are that fly just now, by card. */
  aloft() {
    return new Map([...this.layer.querySelectorAll('.ghost')].map((node) => [node.dataset.face, node.getBoundingClientRect()]));
  }

  /** The face of a card that is on the table now, or null. */
  faceOf(card) {
    const node = this.#faces().get(card);
    return node && node.isConnected ? node : null;
  }

  finish() {
    for (const animation of [...this.#running]) animation.finish();
    this.#running.clear();
    this.layer.replaceChildren();
  }

  /** Animate a node; `after` is called at the end, also when a new state cuts it short. */
  fly(node, frames, { duration, delay = 0, after = null }) {
    const animation = node.animate(frames, { duration, delay, easing: EASE, fill: 'backwards' });
    this.#running.add(animation);
    animation.onfinish = () => {
      if (after) after();
      this.#running.delete(animation);
      if (!this.busy) this.#onIdle();
    };
  }

  /** Fly something that is there only for the flight. */
  flyCopy(node, frames, timing) {
    this.layer.append(node);
    this.fly(node, frames, { ...timing, after: () => node.remove() });
  }

  /** A copy of a card at a place of the window: the card itself has left the table already. */
  ghost(card, at) {
    const copy = face(card);
    copy.classList.add('ghost');
    copy.style.setProperty('left', `${at.left}px`);
    copy.style.setProperty('top', `${at.top}px`);
    copy.style.setProperty('--card-w', `${at.width}px`);
    return copy;
  }
}

// Dragging, as a second way to play: the card follows the finger with the same preview; over the floor, or far enough
// up, it is played, anywhere else it springs back. A tap stays a tap.

import { moves } from '../settings.js';

const STARTS_PX = 8;
const PLAYS_PX = 24;
const SPRING_MS = 180;

export class Drag {
  #hand;
  #wants;
  #held = null; // {card, button, id, x, y, far, was}
  #dropped = null; // the face that was played by a drop, until the state shows it where it went
  #swallow = false;

  /** `wants.raise(card)` lifts, `wants.play()` gives whether something was played, `wants.lower()`. */
  constructor(hand, wants) {
    this.#hand = hand;
    this.#wants = wants;
    hand.addEventListener('pointerdown', (event) => this.#down(event));
    hand.addEventListener('pointermove', (event) => this.#move(event));
    hand.addEventListener('pointerup', (event) => this.#up(event));
    hand.addEventListener('pointercancel', () => this.#cancel());
    hand.addEventListener('lostpointercapture', () => this.#cancel());
    hand.addEventListener('click', (event) => this.#click(event), true);
    hand.addEventListener('dragstart', (event) => event.preventDefault());
  }

  #down(event) {
    this.#swallow = false;
    const button = event.target.closest('[data-testid=hand-card]');
    if (!button || !event.isPrimary || event.button !== 0 || this.#held) return;
    const { clientX: x, clientY: y, pointerId: id } = event;
    this.#held = { card: button.dataset.card, button, id, x, y, far: false, was: button.getAttribute('aria-pressed') === 'true' };
  }

  #move(event) {
    const held = this.#held;
    if (!held || event.pointerId !== held.id) return;
    const [dx, dy] = [event.clientX - held.x, event.clientY - held.y];
    if (!held.far) {
      if (Math.hypot(dx, dy) < STARTS_PX || !held.button.isConnected) return;
      held.far = true;
      held.button.setPointerCapture(held.id);
      held.button.classList.add('dragged');
      this.#wants.raise(held.card);
    }
    faceIn(held.button)?.style.setProperty('transform', `translate(${dx}px, ${dy}px)`);
  }

  #up(event) {
    const held = this.#held;
    if (!held || event.pointerId !== held.id) return;
    this.#held = null;
    if (!held.far) return;
    this.#swallow = true; // the click that the browser makes of this
    held.button.classList.remove('dragged');
    const overFloor = document.elementsFromPoint(event.clientX, event.clientY).some((node) => node.matches('[data-testid=floor]'));
    const plays = overFloor || held.y - event.clientY > PLAYS_PX;
    if (plays && held.button.isConnected && this.#wants.play()) this.#dropped = faceIn(held.button);
    else this.#back(held);
  }

  #cancel() {
    const held = this.#held;
    this.#held = null;
    if (!held || !held.far) return;
    held.button.classList.remove('dragged');
    this.#back(held);
  }

  #back({ button, was }) {
    spring(faceIn(button));
    if (!was) this.#wants.lower();
  }

  #click(event) {
    if (!this.#swallow) return;
    this.#swallow = false;
    event.stopPropagation();
    event.preventDefault();
  }

  /** The state has changed: a card that was dropped lies elsewhere now, or springs back into the hand. */
  update() {
    if (this.#held && !this.#held.button.isConnected) this.#held = null;
    const face = this.#dropped;
    this.#dropped = null;
    if (face && this.#hand.contains(face)) spring(face);
    else if (face) face.style.removeProperty('transform');
  }
}

const faceIn = (button) => button.querySelector('.card');

function spring(face) {
  if (!face) return;
  const from = face.style.transform;
  face.style.removeProperty('transform');
  if (from && moves()) face.animate([{ transform: from }, { transform: 'none' }], { duration: SPRING_MS, easing: 'ease-out' });
}

// Taps, clicks and keys of the table, turned into what the player wants. No rule is known here.

import { wants as likes } from '../settings.js';
import * as change from '../state.js';
import { answer, letterOf } from './letters.js';
import { previewOf } from './preview.js';

const hasMouse = matchMedia('(hover: hover)');

/** What a player can want at the table; each does nothing where it makes no sense. */
export function intents(store, sync) {
  const preview = () => {
    const state = store.get();
    return previewOf(state.match, state.lifted, change.isMyTurn(state));
  };
  const self = {
    /** Play the lifted card; gives whether there was one to play. */
    play() {
      const now = preview();
      const may = Boolean(now) && now.kind !== 'wait';
      if (may) sync.play(now.card, now.takes);
      return may;
    },
    raise(card) {
      const { lifted, pending } = store.get();
      if (pending?.card !== card && lifted?.card !== card) store.change(change.lift, card);
    },
    /** The first tap lifts a card, the second plays it. */
    tap(card) {
      const { lifted, pending } = store.get();
      if (pending?.card === card) return; // it is on its way, or waits for the line
      if (lifted?.card !== card) store.change(change.lift, card);
      else if (preview().kind === 'wait') store.change(change.lower);
      else self.play();
    },
    lower: () => store.change(change.lower),
    glance: (card) => store.change(change.glance, card),
    choose() {
      if (store.get().lifted) store.change(change.chooseNext);
    },
  };
  return self;
}

/** Listen to the pointer and the keys of the table; gives the function that ends it. */
export function listen({ root, hand, floor, state }, wants) {
  const onClick = (event) => {
    const card = event.target.closest('[data-testid=hand-card]');
    if (card) wants.tap(card.dataset.card);
    else if (floor.contains(event.target)) wants.play();
    else if (!event.target.closest('button, input, a, [role=dialog]')) wants.lower();
  };
  const onKey = (event) => {
    if (event.altKey || event.ctrlKey || event.metaKey || event.target.closest('input, [role=dialog]')) return;
    const act = keys(hand, wants)[digitOf(event) || event.key];
    if (act) {
      if (act() !== false) event.preventDefault();
    } else if (likes('keys') && root.contains(document.activeElement) && answer(letterOf(event), state())) event.preventDefault();
  };
  root.addEventListener('click', onClick);
  document.addEventListener('keydown', onKey);
  const stop = listenToGlances(hand, wants);
  return () => {
    root.removeEventListener('click', onClick);
    document.removeEventListener('keydown', onKey);
    stop();
  };
}

/** Where there is a mouse, a card under it shows its catch, and one that the keyboard has come to. */
function listenToGlances(hand, wants) {
  const cardOf = ({ target }) => target.closest('[data-testid=hand-card]')?.dataset.card ?? null;
  let byKeys = false; // a focus that only was put here, as when the table appears, asks for nothing
  const all = [
    [document, 'keydown', () => { byKeys = true; }],
    [document, 'pointerdown', () => { byKeys = false; }],
    [hand, 'pointerover', (event) => event.pointerType === 'mouse' && wants.glance(cardOf(event))],
    [hand, 'pointerleave', () => wants.glance(null)],
    [hand, 'focusin', (event) => byKeys && wants.glance(cardOf(event))],
    [hand, 'focusout', () => wants.glance(null)],
  ];
  if (!hasMouse.matches) return () => {};
  for (const [target, type, listener] of all) target.addEventListener(type, listener, target === document);
  return () => all.forEach(([target, type, listener]) => target.removeEventListener(type, listener, target === document));
}

/** 1 to 4, also from a keyboard that writes them in Arabic. */
const digitOf = ({ code }) => (/^(?:Digit|Numpad)[1-4]$/.test(code || '') ? code.slice(-1) : '');

function keys(hand, wants) {
  const liftSlot = (slot) => () => {
    const button = hand.querySelector(`[data-slot="${slot}"]`);
    if (!button) return false;
    button.focus();
    wants.tap(button.dataset.card);
    return true;
  };
  const inHand = (move) => () => (hand.contains(document.activeElement) ? move() : false);
  return {
    1: liftSlot(0),
    2: liftSlot(1),
    3: liftSlot(2),
    4: liftSlot(3),
    Escape: wants.lower,
    // The hand lies from left to right in every language, so the arrows move as they point.
    ArrowLeft: inHand(() => moveFocus(hand, -1)),
    ArrowRight: inHand(() => moveFocus(hand, 1)),
  };
}

function moveFocus(hand, step) {
  const buttons = [...hand.querySelectorAll('[data-testid=hand-card]')];
  const next = buttons[buttons.indexOf(document.activeElement) + step];
  if (next) next.focus();
}

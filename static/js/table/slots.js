// Where a floor card lies. The floor has fixed places: a captured card leaves a gap, and the next card that is laid
// down takes the lowest free one. Every client folds the same events, so all see the same picture.

const COLUMNS = 5;
export const SLOTS = 15;

function lowestFree(slots) {
  const used = new Set(Object.values(slots));
  let slot = 0;
  while (used.has(slot)) slot += 1;
  return slot;
}

const lay = (slots, card) => ({ ...slots, [card]: lowestFree(slots) });

function clear(slots, cards) {
  const rest = { ...slots };
  for (const card of cards) delete rest[card];
  return rest;
}

/** Give the slots after one event. */
export function afterEvent(slots, event) {
  if (event.type === 'dealt' && event.floor) return event.floor.reduce(lay, {});
  if (event.type === 'round_scored') return {};
  if (event.type !== 'played') return slots;
  return event.captured.length ? clear(slots, event.captured) : lay(slots, event.card);
}

/** Make the slots agree with the floor that the view shows, which is right whatever events were missed. */
export function reconcile(slots, floor) {
  const gone = Object.keys(slots).filter((card) => !floor.includes(card));
  return floor.filter((card) => !(card in slots)).reduce(lay, clear(slots, gone));
}

/** How many rows the floor needs: two at full size, a third when the eleventh place is taken. */
export const rowsFor = (slots) => (Object.values(slots).some((slot) => slot >= 2 * COLUMNS) ? 3 : 2);

/** Give each card of my hand the place that it was dealt to. */
export function handSlots(dealt, hand) {
  const places = hand.every((card) => dealt.includes(card)) ? dealt : hand;
  return hand.map((card) => places.indexOf(card));
}

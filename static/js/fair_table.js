// What this device saw at the table of a deal by basra-deal/2: the rules, my hands, the floors and who played what. It lies
// here, out of the service's reach: a record that was made up afterwards may fit every seed, but not this.

import { forget, remember, remembered, rememberedNames } from './session.js';

const SCHEME = 'basra-deal/2';
const PREFIX = 'table.';
const KEPT = 20; // matches; the oldest make room

/** Note what events and the view after them show of my match; what was noted first stays. */
export function noteTable({ id, status, rules, fairness, seeded, you }, events) {
  if (!you || seeded || fairness?.scheme !== SCHEME) return;
  const known = remembered(PREFIX + id, null);
  if (!known && status !== 'playing') return; // what is first told after the end proves nothing
  const table = known ?? begin({ seat: you.seat, rules });
  const before = table.hands.length + table.plays.length;
  for (const event of events) add(table, event);
  if (!known || table.hands.length + table.plays.length > before) remember(PREFIX + id, table);
}

/** What was seen at the table of a match, as notes have it; null where nothing was. */
export function tableOf(id) {
  const table = remembered(PREFIX + id, null);
  if (!table) return null;
  const { at, ...seen } = table;
  return seen;
}

function begin(table) {
  const age = (name) => remembered(name, {}).at ?? 0;
  const old = rememberedNames(PREFIX).sort((one, other) => age(one) - age(other));
  old.slice(0, Math.max(0, old.length - KEPT + 1)).forEach(forget);
  return { at: Date.now(), ...table, hands: [], floors: [], plays: [] };
}

function add({ hands, floors, plays }, event) {
  if (event.type === 'dealt' && !hands.some(({ round, deal }) => round === event.round && deal === event.deal)) {
    hands.push({ round: event.round, deal: event.deal, cards: event.hand });
    if (event.deal === 1) floors.push({ round: event.round, cards: event.floor });
  }
  if (event.type === 'played' && !plays.some(({ turn }) => turn === event.turn)) {
    plays.push({ turn: event.turn, seat: event.seat, card: event.card });
  }
}

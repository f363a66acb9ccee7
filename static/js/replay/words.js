// What a replay says about its positions, one template a sentence.

import { cardName, cardShort, list, t } from '../i18n.js';
import { cutShort, nameOf, playShort, playSpoken, sideName, sidesOf } from '../table/words.js';

/** Both sides of a match, as the title of its replay: "Mona – Karim". */
export function matchNames(view) {
  const [one, two] = sidesOf(view).map((side) => (
    list(view.seats.filter((seat) => seat.side === side).map(({ seat }) => nameOf(view.seats, seat)))));
  return t('replay.versus', { one, two });
}

/** A short line about the position, in the middle of the table. */
export function statusText(view, { event }) {
  if (event.type === 'cut') return t('replay.cut', { count: event.cut });
  if (event.type === 'dealt') return t('replay.deal', { deal: event.deal, deals: view.round.deals });
  if (event.type === 'round_scored') return t('replay.counted', { number: event.sheet.round });
  return event.type === 'played' ? t('replay.round_turn', { number: view.round.number, turn: view.turn }) : t('replay.over');
}

/** What happened to bring a position about: {who, what}, `who` null where it was nobody. */
export function happened(view, { event, scores }) {
  if (event.type === 'played') return playShort(view, event);
  if (event.type === 'cut') return event.by === 'auto' ? { who: null, what: t('replay.cut', { count: event.cut }) } : cutShort(view, event);
  if (event.type === 'dealt') return { who: null, what: dealText(view, event) };
  if (event.type === 'round_scored') return { who: null, what: scoreText(view, event.sheet.round, scores) };
  return { who: null, what: t('replay.over') };
}

function dealText(view, { deal, floor, buried }) {
  const said = [t('replay.deal', { deal, deals: view.round.deals })];
  if (floor) said.push(t('replay.floor', { cards: list(floor.map(cardShort)) }));
  if (floor && buried.length) said.push(t('replay.buried', { cards: list(buried.map(({ card }) => cardShort(card))) }));
  return said.join(t('room.and'));
}

function scoreText(view, number, scores) {
  const [one, two] = sidesOf(view);
  return t('replay.scored', { number, first: sideName(view, one), one: scores[one], second: sideName(view, two), two: scores[two] });
}

/** The same for the ear, where it is a play with what it leaves on the floor. */
export function happenedSpoken(view, position) {
  const { event } = position;
  if (event.type === 'played') return playSpoken(view, event);
  if (event.type === 'dealt' && event.floor) return `${t('replay.deal', { deal: event.deal, deals: view.round.deals })} ${t('spoken.floor', { cards: list(event.floor.map(cardName)) })}`;
  const { who, what } = happened(view, position);
  return who === null ? what : `${who}: ${what}`;
}

// Sentences about the match, one template each; shown on the table and spoken by the live regions.

import { cardName, cardShort, list, t } from '../i18n.js';

const MANY = 3;
const DELETED = /^Deleted player$/; // what the service calls everybody who has deleted himself
const BOTS = { easy: 'bot.easy', medium: 'bot.medium', random: 'bot.random' };
const LEVELS = { easy: 'level.easy', medium: 'level.medium' };
const PROFILES = {
  classic: 'rules.classic', traditional: 'rules.traditional', komi: 'rules.komi', casual: 'rules.casual',
};

/** The name of who sits on a seat; `seats` of a view or the seating of a room. Bots of one kind are numbered. */
export function nameOf(seats, seat) {
  const { player, bot } = seats[seat];
  if (player) return shownName(player);
  const name = bot in BOTS ? t(BOTS[bot]) : t('bot.other');
  const alike = seats.filter((one) => one.bot === bot);
  return alike.length > 1 ? t('bot.numbered', { name, number: alike.indexOf(seats[seat]) + 1 }) : name;
}

/** The same in short for a seat on the table, where the face says that it is a bot: "Medium 3". */
export function shortNameOf(seats, seat) {
  const { bot } = seats[seat];
  if (!(bot in LEVELS)) return nameOf(seats, seat);
  const alike = seats.filter((one) => one.bot === bot);
  const name = t(LEVELS[bot]);
  return alike.length > 1 ? t('bot.numbered', { name, number: alike.indexOf(seats[seat]) + 1 }) : name;
}

/** Is it a program that sits there: a bot of the house, or somebody's own? */
export const isProgram = ({ player, bot }) => Boolean(bot || (player && player.bot));

/** A player's name; who has deleted himself is called so in the language of the page. */
export const shownName = ({ name }) => (DELETED.test(name) ? t('player.deleted') : name);

/** What stands in the place of a face. */
export const initialOf = (name) => [...name][0] ?? '';

/** A rule set's name. */
export const rulesName = (profile) => (profile in PROFILES ? t(PROFILES[profile]) : profile);

/** The rule set in a few words: "Classic · to 121". */
export function rulesText({ profile, target }) {
  return target === null
    ? t('rules.one_round', { profile: rulesName(profile) })
    : t('rules.to_target', { profile: rulesName(profile), target });
}

/** The same where there is little room: "30 s", "2 min". */
export const secondsShort = (seconds) => (seconds % 60 === 0
  ? t('time.min', { count: seconds / 60 }) : t('time.s', { count: seconds }));

/** A turn's time: "30 seconds", "2 minutes". */
export const secondsText = (seconds) => (seconds % 60 === 0
  ? t('time.minutes', { count: seconds / 60 }) : t('time.seconds', { count: seconds }));

/** Group by group: "3♣ + 5♦ and 8♠"; `say` writes one card. */
function groupsText(groups, say) {
  return list(groups.map((group) => group.map(say).join(t('card.plus'))));
}

/** What the action button does. */
export function actionText(preview, waitFor) {
  const card = cardShort(preview.card);
  if (preview.kind === 'wait') return waitFor === null ? t('table.play.moment') : t('table.play.wait', { name: waitFor });
  if (preview.kind === 'trail') return t('table.play.trail', { card });
  const what = preview.takes.length > MANY
    ? t('table.play.many', { count: preview.takes.length })
    : groupsText(preview.groups, cardShort);
  if (preview.basra) return t('table.play.basra', { card, what });
  return preview.sweep ? t('table.play.sweep', { card, what }) : t('table.play.take', { card, what });
}

/** The name of a card of my hand for those who hear it. */
export function handCardLabel(card, play) {
  const name = cardName(card);
  if (!play || !play.captures[0].cards.length) return t('table.hand.trails', { name });
  const { groups, basra } = play.captures[0];
  const what = groupsText(groups, cardName);
  return basra ? t('table.hand.basra', { name, what }) : t('table.hand.takes', { name, what });
}

/** Who a play or a cut is put down to: the clock is named where it acted for somebody. */
function whoActed(view, { seat, by }) {
  const mine = view.you && view.you.seat === seat;
  if (by === 'clock') return mine ? t('table.clock_for_you') : t('table.clock_for', { name: nameOf(view.seats, seat) });
  return mine ? t('table.you') : nameOf(view.seats, seat);
}

/** A cut in short, for the eye: {who, what}. */
export const cutShort = (view, event) => ({ who: whoActed(view, event), what: t('cut.done', { count: event.cut }) });

/** A cut in one sentence, for the ear. */
export const cutSpoken = (view, event) => t('spoken.cut', { name: spokenName(view, event), count: event.cut });

function spokenName(view, { seat, by }) {
  const name = view.you && view.you.seat === seat ? t('table.you') : nameOf(view.seats, seat);
  return by === 'clock' ? t('spoken.clock_for', { name }) : name;
}

/** A play in short, for the eye: {who, what}. */
export function playShort(view, event) {
  const card = cardShort(event.card);
  const who = whoActed(view, event);
  const taken = event.captured.length > MANY
    ? t('table.play.many', { count: event.captured.length })
    : list(event.captured.map(cardShort));
  let what = t('table.last.trail', { card });
  if (event.captured.length) what = t('table.last.take', { card, what: taken });
  if (event.basra) what = t('table.last.basra', { card, what: taken, points: event.basra });
  return { who, what };
}

/** A play in one sentence, for the ear, with what it leaves and whose turn follows. */
export function playSpoken(view, event, withFloor = true) {
  const name = spokenName(view, event);
  const card = cardName(event.card);
  const what = list(event.captured.map(cardName));
  let sentence = t('spoken.trail', { name, card });
  if (event.captured.length) sentence = t('spoken.take', { name, card, what });
  if (event.basra) sentence = t('spoken.basra', { name, card, what, points: event.basra });
  return withFloor ? `${sentence} ${floorSpoken(view.round.floor)}` : sentence;
}

function floorSpoken(floor) {
  if (!floor.length) return t('spoken.floor_empty');
  if (floor.length > 4) return t('spoken.floor_count', { count: floor.length });
  return t('spoken.floor', { cards: list(floor.map(cardName)) });
}

/** Whose turn it is, or who cuts, where there is little room. */
export function turnText(view) {
  if (view.to_act === null) return t('table.turn.over');
  const mine = view.you && view.you.seat === view.to_act;
  const name = view.seats.length === 4 ? shortNameOf(view.seats, view.to_act) : nameOf(view.seats, view.to_act);
  if (view.round.phase === 'cut') return mine ? t('table.turn.you_cut') : t('table.turn.cuts', { name });
  return mine ? t('table.turn.you') : t('table.turn.other', { name });
}

/** The same as a sentence, for the ear. */
export function turnSpoken(view) {
  if (view.to_act === null) return t('spoken.over');
  const mine = view.you && view.you.seat === view.to_act;
  const name = nameOf(view.seats, view.to_act);
  if (view.round.phase === 'cut') return mine ? t('spoken.you_cut') : t('spoken.cuts', { name });
  return mine ? t('spoken.your_turn') : t('spoken.turn', { name });
}

/** The sides in the order in which they are always shown and said: mine first. */
export const sidesOf = (view) => (view.you && view.you.side === 1 ? [1, 0] : [0, 1]);

/** The name of a side as I see it: me or us, the other's name, or them. */
export function sideName(view, side) {
  const mine = view.you && view.you.side === side;
  if (view.seats.length === 2) return mine ? t('table.you') : nameOf(view.seats, side);
  if (view.you) return mine ? t('side.us') : t('side.them');
  return peopleOf(view, side);
}

/** The names of those who are a side. */
export const peopleOf = (view, side) => (
  list(view.seats.filter((one) => one.side === side).map((one) => nameOf(view.seats, one.seat))));

/** What a side's basras of this round are worth. */
export const basrasWorth = (view, side) => view.round.basras[side].reduce((sum, { points }) => sum + points, 0);

/** The basras of a side so far; their points come when the round is counted. */
export function basrasText(view, side) {
  const basras = t('table.basras', { count: view.round.basras[side].length });
  const points = basrasWorth(view, side);
  return points ? t('table.basras_worth', { basras, points }) : basras;
}

/** A side's pile in words. */
export const pileSpoken = (view, side) => t('table.pile_label', {
  name: sideName(view, side), cards: view.round.piles[side], basras: basrasText(view, side),
});

const REFUSALS = {
  'match.stale_turn': 'refusal.stale_turn',
  'match.not_your_turn': 'refusal.not_your_turn',
  'match.wrong_phase': 'refusal.wrong_phase',
  'match.over': 'refusal.over',
  'match.running': 'refusal.running',
  'match.card_not_in_hand': 'refusal.card_not_in_hand',
  'match.illegal_capture': 'refusal.illegal_capture',
  'room.full': 'refusal.room_full',
  'room.seat_taken': 'refusal.seat_taken',
  'room.started': 'refusal.room_started',
  'room.not_dealing': 'refusal.room_not_dealing',
  'room.closed': 'refusal.room_closed',
  'room.too_many': 'refusal.room_too_many',
  'room.blocked': 'refusal.room_blocked',
  'chat.off': 'refusal.chat_off',
  'chat.muted': 'refusal.muted',
  'auth.banned': 'refusal.banned',
  'account.username_taken': 'refusal.username_taken',
  'account.exists': 'refusal.account_exists',
  'account.needed': 'refusal.account_needed',
  'account.wrong_password': 'refusal.wrong_password',
  'bot.too_late': 'refusal.bot_too_late',
  'token.too_many': 'refusal.too_many_tokens',
  'request.invalid': 'refusal.invalid',
  rate_limited: 'refusal.rate_limited',
  unavailable: 'refusal.unavailable',
  no_answer: 'refusal.no_answer',
  not_found: 'refusal.not_found',
  internal: 'refusal.failed',
  'auth.required': 'refusal.unknown',
  'auth.forbidden': 'refusal.forbidden',
  'auth.scope_missing': 'refusal.forbidden',
  'request.malformed': 'refusal.other',
  'request.media_type': 'refusal.other',
  'request.too_large': 'refusal.other',
  'request.method': 'refusal.other',
  'request.timeout': 'refusal.other',
  'request.uri_too_long': 'refusal.other',
  'request.headers_too_large': 'refusal.other',
};

/** Why the service refused, in words. */
export const refusalText = (code) => t(REFUSALS[code] || 'refusal.other');

// What a lifted card would do, in a form that the table draws. It only reads what the view says of each play.

import { inDigits, rankOf } from '../i18n.js';

export const TICK = '\u2713';

/** Is this group a sum, or cards that are taken together for another reason? Only decides what its badge says. */
function isSum(card, group) {
  const worth = (one) => (one[0] === 'A' ? 1 : Number(rankOf(one)));
  return group.length > 1 && group.reduce((total, one) => total + worth(one), 0) === worth(card);
}

/** The sign under a floor card that would be taken: "3+5" for a sum, a tick otherwise. */
function badges(card, groups) {
  const signs = {};
  for (const group of groups) {
    const sign = isSum(card, group) ? inDigits(group.map(rankOf).join('+')) : TICK;
    for (const one of group) signs[one] ??= sign;
  }
  return signs;
}

/**
 * Give what is lifted: {card, takes, groups, badges, basra, sweep, choices, kind}, or null. `kind` is take, trail or
 * wait (it is not my turn).
 */
export function previewOf(view, lifted, myTurn) {
  if (!lifted || !view.you) return null;
  const play = view.you.plays.find(({ card }) => card === lifted.card);
  if (!play) return null;
  const capture = play.captures[lifted.choice] || play.captures[0];
  const acts = capture.cards.length ? 'take' : 'trail';
  return {
    card: lifted.card,
    takes: capture.cards,
    groups: capture.groups,
    badges: badges(lifted.card, capture.groups),
    basra: capture.basra,
    sweep: capture.cards.length > 1 && capture.groups.length === 1 && !isSum(lifted.card, capture.groups[0]),
    choices: play.captures.length,
    kind: myTurn ? acts : 'wait',
    acts,
  };
}

/** The cards that a card of my hand takes at best. */
export function takesOf(view, card) {
  const play = view.you.plays.find((one) => one.card === card);
  return play ? play.captures[0].cards : [];
}

// How a match ended and why, in words, as its result and its replay say it.

import { t } from './i18n.js';
import { nameOf, peopleOf } from './table/words.js';

const TITLES = {
  won: 'result.won', lost: 'result.lost', draw: 'result.draw', watched: 'result.watched', abandoned: 'result.abandoned',
};

/** won, lost or draw for me; watched for one who had no seat; abandoned when nobody won and nobody played. */
export function outcomeOf({ result, you }) {
  if (result.reason === 'abandoned') return 'abandoned';
  if (result.winner === null) return 'draw';
  if (!you) return 'watched';
  return result.winner === you.side ? 'won' : 'lost';
}

const winnerOf = (view) => (view.result.winner === null ? '' : peopleOf(view, view.result.winner));

/** The word that shouts it. */
export const titleOf = (view) => t(TITLES[outcomeOf(view)], { name: winnerOf(view) });

/** The reason in words. */
export function reasonText(view) {
  const { reason, seat } = view.result;
  if (reason === 'target') return t('result.reason.target', { target: view.rules.target });
  if (reason === 'round') return t('result.reason.round');
  if (reason === 'abandoned') return t('result.reason.abandoned');
  const mine = view.you && view.you.seat === seat;
  if (reason === 'timeout') return mine ? t('result.reason.timeout_you') : t('result.reason.timeout', { name: nameOf(view.seats, seat) });
  if (mine) return t('result.reason.forfeit_you', { name: winnerOf(view) });
  const partner = view.you && view.you.side === view.seats[seat].side;
  return t(partner ? 'result.reason.forfeit_partner' : 'result.reason.forfeit', { name: nameOf(view.seats, seat) });
}

// Matches that somebody has played, a line each: against whom, how it ended, what it brought, and the way to its replay.

import { h } from '../dom.js';
import { number, t } from '../i18n.js';
import { nameOf, rulesText } from '../table/words.js';
import { momentText, outcomeLetter, outcomeText, reasonShort, signed } from './words.js';

/** The line of a match, as one of its players sees it; `playerId` is whose list it is. */
export function matchLine(match, playerId) {
  const own = match.seats.find(({ player }) => player && player.id === playerId) || match.seats[0];
  const others = match.seats.filter(({ side }) => side !== own.side);
  const partners = match.seats.filter(({ side, seat }) => side === own.side && seat !== own.seat);
  const isOver = match.status === 'finished';
  const outcome = isOver ? match.outcome || 'none' : 'running';
  return h('li', { class: 'match-line', data: { testid: 'match', match: match.id, outcome } },
    h('span', { class: 'outcome', 'aria-hidden': 'true' }, outcomeLetter(outcome)),
    h('span', { class: 'about' },
      h('span', { class: 'people' }, people(match, others, 'players.against'), partners.length ? people(match, partners, 'players.with') : null),
      h('span', { class: 'small' }, ...aboutMatch(match).flatMap((part, index) => (index ? [t('room.and'), part] : [part])))),
    h('span', { class: 'brought' }, scoresOf(match, own.side), change(match)),
    cover(match, isOver, outcome));
}

const aboutMatch = ({ rules, result, finished_at: finished, started_at: started }) => (
  [result?.voided_at ? t('players.voided') : null, reasonShort(result), rulesText(rules), momentText(finished || started)].filter(Boolean));

function people(match, seats, label) {
  const names = seats.map(({ seat, player }) => {
    const name = h('bdi', {}, nameOf(match.seats, seat));
    return player ? h('a', { class: 'player-link', href: `/players/${player.id}` }, name) : h('span', {}, name);
  });
  return h('span', {}, h('span', { class: 'small' }, t(label)), ' ', ...names.flatMap((name, index) => (index ? [t('table.and'), name] : [name])));
}

const scoresOf = ({ scores }, side) => h('b', { class: 'scores', dir: 'ltr', data: { testid: 'scores' } },
  h('bdi', {}, number(scores[side])), ' – ', h('bdi', {}, number(scores[1 - side])));

function change({ rating_change: rating, points }) {
  if (rating !== null && rating !== undefined) {
    return h('span', { class: 'change', data: { testid: 'rating-change', value: rating, up: rating > 0 } },
      h('span', { class: 'hidden' }, t('players.rating')), ' ', h('bdi', {}, signed(rating)));
  }
  return points ? h('span', { class: 'change small' }, t('players.points_brought', { count: points })) : null;
}

/** The link that lies over the whole line. */
function cover({ id, room }, isOver, outcome) {
  const words = isOver ? `${outcomeText(outcome)}. ${t('players.replay')}` : t('players.go_back');
  return h('a', { class: 'cover', href: isOver ? `/replay/${id}` : `/r/${room}`, data: { testid: 'open-match' } }, h('span', { class: 'hidden' }, words));
}

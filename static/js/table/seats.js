// Who sits where, what each side has, and the banner: all that surrounds the cards.

import { h, keyed, picture, setAttr, setData, setText } from '../dom.js';
import { number, t } from '../i18n.js';
import { back } from './cards.js';
import { clockText, urgency } from './clock.js';
import { placeAt } from './places.js';
import { basrasText, basrasWorth, initialOf, isProgram, nameOf, pileSpoken, shortNameOf, sideName, turnText } from './words.js';

/** A side's points, as a filled chip. */
export class Score {
  constructor(side) {
    this.value = h('b');
    this.label = h('span', { class: 'small' });
    this.node = h('div', { class: 'score', data: { testid: 'score', side } }, this.value, this.label);
    this.side = side;
  }

  update(view) {
    const points = view.scores[this.side];
    setData(this.node, 'value', points);
    setData(this.node, 'us', view.you ? view.you.side === this.side : this.side === 0);
    setText(this.value, number(points));
    setText(this.label, t('table.points', { count: points }));
    setAttr(this.node, 'aria-label', t('table.score_label', { name: sideName(view, this.side), points }));
    setAttr(this.node, 'role', 'group');
  }
}

/** A side's pile in this round, with what its basras will add to the points when the round is counted. */
export class Pile {
  constructor(side) {
    this.value = h('b');
    this.label = h('span', { class: 'small' });
    this.stars = h('span', { class: 'stars', 'aria-hidden': 'true' });
    this.node = h('div', { class: 'pile', role: 'group', data: { testid: 'pile', side } }, h('span', { class: 'amount' }, this.value, this.stars), this.label);
    this.side = side;
  }

  update(view) {
    const cards = view.round.piles[this.side];
    const basras = view.round.basras[this.side];
    setData(this.node, 'value', cards);
    setData(this.node, 'basras', basras.length);
    setText(this.value, number(cards));
    setText(this.label, t('table.pile', { count: cards }));
    this.#showStars(basrasWorth(view, this.side));
    setAttr(this.node, 'aria-label', pileSpoken(view, this.side));
    setAttr(this.node, 'title', basras.length ? basrasText(view, this.side) : null);
  }

  #showStars(points) {
    if (Number(this.stars.dataset.points || 0) === points) return;
    setData(this.stars, 'points', points);
    this.stars.replaceChildren(...(points ? [picture('small-star', 'star'), h('span', {}, t('table.burst_points', { points }))] : []));
  }
}

/** One of the others: face with the clock's ring, name, what he does, his cards' backs. */
export class Opponent {
  constructor(seat, view) {
    this.seat = seat;
    this.initial = h('span', { class: 'initial', 'aria-hidden': 'true' });
    this.avatar = h('span', { class: 'avatar' }, this.initial, dealerMark());
    this.name = h('bdi', { class: 'name' });
    this.doing = h('span', { class: 'doing small' });
    this.backs = h('span', { class: 'backs' });
    this.who = h('span', { class: 'who' }, this.name, this.doing);
    this.node = h('div', { class: 'opponent', role: 'group', data: { testid: 'opponent', seat } },
      this.avatar, this.who, this.backs, picture('arrow', 'way'));
    if (view.seats.length === 2) {
      this.pile = new Pile(seat);
      this.score = new Score(seat);
      this.node.append(this.pile.node, this.score.node);
    }
  }

  update(view) {
    const one = view.seats[this.seat];
    const name = nameOf(view.seats, this.seat);
    const { you } = view;
    const data = {
      cards: one.cards, connected: one.connected, bot: one.bot || '', acts: view.to_act === this.seat,
      us: you ? you.side === one.side : one.side === 0, dealer: view.round.dealer === this.seat,
      partner: isPartner(view, one), place: placeAt(view.seats.length, you ? you.seat : 0, this.seat),
    };
    for (const [key, value] of Object.entries(data)) setData(this.node, key, value);
    setText(this.name, view.seats.length === 4 ? shortNameOf(view.seats, this.seat) : name);
    this.#face(one, name);
    keyed(this.backs, Array.from({ length: one.cards }, (_, index) => index), back);
    this.tick(view, null);
    const cards = t('table.cards', { count: one.cards });
    const words = [...this.#marks(view, one), doingOf(view, one)].filter(Boolean).join(t('table.and'));
    setAttr(this.node, 'aria-label', words
      ? t('table.opponent_doing', { name, cards, doing: words }) : t('table.opponent_label', { name, cards }));
    if (this.pile) {
      this.pile.update(view);
      this.score.update(view);
    }
  }

  #face(one, name) {
    const wanted = isProgram(one) ? 'bot' : initialOf(name);
    if (this.initial.dataset.face === wanted) return;
    setData(this.initial, 'face', wanted);
    this.initial.replaceChildren(isProgram(one) ? picture('bot', 'bot-face') : wanted);
  }

  #marks(view, one) {
    return [
      isProgram(one) && !one.bot ? t('bot.other') : '', // the name of ours says it already
      isPartner(view, one) ? t('table.doing.partner') : '',
      view.round.dealer === this.seat ? t('table.doing.deals') : '',
    ];
  }

  /** Say what he does; one who is away and due has the server's time left beside it. */
  tick(view, left_s) {
    const one = view.seats[this.seat];
    const away = isAway(view, one);
    const due = view.to_act === this.seat && left_s !== null;
    const hurries = due && !away && !one.bot && urgency(left_s) !== 'calm'; // a bot's few moments alarm nobody
    const counts = away && due;
    setData(this.doing, 'testid', away ? 'away' : null);
    setData(this.doing, 'clock', hurries);
    setText(this.doing, hurries ? clockText(left_s) : counts ? t('table.doing.away_clock', { clock: clockText(left_s) })
      : doingOf(view, one) || (isPartner(view, one) ? t('table.doing.partner') : ''));
  }
}

/** The puck that lies before the dealer. */
export const dealerMark = () => h('span', { class: 'puck', 'aria-hidden': 'true' }, picture('dealer', 'icon'));

const isPartner = (view, one) => view.seats.length === 4 && Boolean(view.you) && view.you.side === one.side;
const isAway = (view, one) => !one.connected && !one.bot && view.status === 'playing';

function doingOf(view, one) {
  if (isAway(view, one)) return t('table.doing.away');
  if (view.to_act !== one.seat) return '';
  return view.round.phase === 'cut' ? t('table.doing.cuts') : t('table.doing.thinks');
}

/** Cards left, the majority's worth, whose turn, the clock. */
export class Banner {
  constructor() {
    this.deals = h('span', { class: 'deals', role: 'img', data: { testid: 'deals' } });
    this.left = h('span', { data: { testid: 'left' } });
    this.worth = h('span');
    this.carries = h('span', { class: 'carries' }, t('table.carries'));
    this.majority = h('span', { data: { testid: 'majority' } }, this.worth, this.carries);
    this.turn = h('span', { class: 'whose', data: { testid: 'turn' } });
    this.clock = h('span', { class: 'clock', role: 'timer', data: { testid: 'clock' } });
    this.node = h('div', { class: 'banner', data: { testid: 'banner' } },
      h('span', { class: 'left' }, this.deals, this.left), this.majority, h('span', { class: 'turn' }, picture('way', 'way'), this.turn, this.clock));
  }

  /** A mark a deal; those that are done are filled. */
  #showDeals({ deal, deals }) {
    const marks = keyed(this.deals, Array.from({ length: deals }, (_, index) => index), () => h('i'));
    marks.forEach((mark, index) => setData(mark, 'done', index < deal));
    setAttr(this.deals, 'aria-label', t('table.deals_left', { count: deals - deal }));
  }

  update(view) {
    const { undealt, majority, carried } = view.round;
    this.#showDeals(view.round);
    setData(this.left, 'value', undealt);
    setText(this.left, undealt === 0 ? t('table.last_deal') : t('table.left', { count: undealt }));
    setData(this.majority, 'value', majority);
    setData(this.majority, 'carried', carried);
    setText(this.worth, t('table.majority', { points: majority }));
    setAttr(this.carries, 'hidden', !view.rules.carry || view.rules.target === null);
    setAttr(this.majority, 'title', carried ? t('table.carried', { points: carried }) : null);
    setText(this.turn, turnText(view));
    setData(this.node, 'mine', Boolean(view.you && view.you.seat === view.to_act));
  }
}

// The row between floor and hand, always there: what each side has, and in the middle the verb of the lifted card or
// what is awaited.

import { h, picture, setAttr, setData, setText } from '../dom.js';
import { t } from '../i18n.js';
import { isMyTurn } from '../state.js';
import { Pile, Score, dealerMark } from './seats.js';
import { actionText, nameOf, refusalText } from './words.js';

const LONG = 30; // letters that are too many for the row at its usual size

function say(node, text) {
  setText(node, text);
  setData(node, 'long', text.length > LONG);
}

export class Actions {
  #shown = null; // [state, preview, look]
  #urgency = 'calm';

  constructor(view, wants) {
    const mine = view.you ? view.you.side : 0;
    const four = view.seats.length === 4;
    const ours = four || view.you ? [new Score(mine), new Pile(mine)] : [];
    const theirs = four ? [new Pile(1 - mine), new Score(1 - mine)] : [];
    this.parts = [...ours, ...theirs];
    if (view.you) ours[0].node.append(dealerMark());
    this.play = h('button', {
      type: 'button', class: 'play primary', data: { testid: 'play' }, on: { click: () => wants.play() },
    });
    this.choiceText = h('span');
    this.choice = h('button', {
      type: 'button', class: 'choice', data: { testid: 'choice' }, on: { click: () => wants.choose() },
    }, picture('other', 'icon'), this.choiceText);
    this.hint = h('p', { class: 'hint', data: { testid: 'hint' } });
    const nodes = this.parts.map((part) => part.node);
    const atStart = four ? 2 : 1; // with two seats the other's points stand in his own strip
    this.node = h('div', { class: 'actions' },
      h('div', { class: 'side' }, ...nodes.slice(0, atStart)),
      h('div', { class: 'middle' }, this.play, this.choice, this.hint),
      h('div', { class: 'side' }, ...nodes.slice(atStart)));
  }

  /** `preview` is of the lifted card, `look` of that or of one that is only glanced at. */
  update(state, preview, look = preview) {
    const { match } = state;
    this.#shown = [state, preview, look];
    for (const part of this.parts) part.update(match);
    this.#showPending(state.pending);
    setData(this.node, 'dealer', Boolean(match.you) && match.round.dealer === match.you.seat);
    setData(this.node, 'lifted', Boolean(preview));
    setAttr(this.hint, 'hidden', Boolean(preview));
    if (preview) this.#showVerb(state, preview);
    else this.#showHint(state, look);
    setAttr(this.choice, 'hidden', !preview || preview.choices < 2);
    setAttr(this.play, 'hidden', !preview);
  }

  /** What I took lies on my pile already, with a ring until the server has said so. */
  #showPending(pending) {
    const due = Boolean(pending && !pending.kept && pending.capture.length);
    const mine = this.parts.find((part) => part instanceof Pile);
    if (mine) setData(mine.node, 'pending', due);
  }

  #showVerb({ match, lifted }, preview) {
    const waitFor = match.to_act === null || (match.you && match.to_act === match.you.seat)
      ? null : nameOf(match.seats, match.to_act);
    say(this.play, actionText(preview, waitFor));
    setData(this.play, 'kind', preview.kind);
    setData(this.play, 'basra', preview.basra > 0);
    setAttr(this.play, 'aria-disabled', preview.kind === 'wait' ? 'true' : null);
    const counted = { number: lifted.choice + 1, all: preview.choices };
    setText(this.choiceText, t('table.play.other_short', counted));
    setAttr(this.choice, 'aria-label', t('table.play.other', counted));
  }

  /** The less time there is, the plainer is said what follows. */
  tick(urgency) {
    if (urgency === this.#urgency) return;
    this.#urgency = urgency;
    if (this.#shown && !this.#shown[1]) this.#showHint(this.#shown[0], this.#shown[2]);
  }

  #showHint(state, look) {
    const { match, refusal, pending } = state;
    setData(this.hint, 'refused', Boolean(refusal || pending?.kept));
    if (pending) say(this.hint, pending.kept ? t('table.hint.kept') : t('table.hint.sending'));
    else if (refusal) say(this.hint, refusalText(refusal.code));
    else if (look && look.kind !== 'wait') say(this.hint, actionText(look, null));
    else say(this.hint, isMyTurn(state) ? this.#mine(match) : this.#waiting(match));
  }

  #mine(match) {
    if (match.round.phase === 'cut') return t('table.hint.cut');
    if (this.#urgency === 'calm') return t('table.hint.lift');
    return match.seats.length === 2 ? t('table.hint.hurry_two') : t('table.hint.hurry_four');
  }

  #waiting(match) {
    if (match.status === 'finished') return '';
    if (match.to_act === null || match.to_act === match.you?.seat) return t('table.hint.moment');
    const { connected, bot } = match.seats[match.to_act];
    const name = nameOf(match.seats, match.to_act);
    if (match.round.phase === 'cut') return t('table.turn.cuts', { name });
    if (bot || (connected && this.#urgency === 'calm')) return t('table.hint.thinks', { name });
    return match.seats.length === 2 ? t('table.hint.away_two', { name }) : t('table.hint.away_four', { name });
  }
}

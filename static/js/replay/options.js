// What one may choose about a replay, and take away from it.

import { copyButton } from '../copy.js';
import { h } from '../dom.js';
import { checkButton } from '../fair_chip.js';
import { t } from '../i18n.js';
import { dropdown } from '../screens/parts.js';
import { nameOf } from '../table/words.js';

const ALL = 'all';
const KEYS = [
  ['← →', 'replay.key.step'], ['Space', 'replay.key.run'], ['Home End', 'replay.key.ends'], ['B', 'replay.key.basra'], ['R', 'replay.key.round'],
  ['⇧ B R', 'replay.key.before'],
];

export class Options {
  /** `onSeat(seat, open)` hears of another view; `linkNow()` gives the link to the present position. */
  constructor({ match, seat, open, onSeat, linkNow }) {
    this.mine = match.you ? match.you.seat : null;
    this.seen = dropdown({
      label: t('replay.seen_from'), value: this.#value(seat, open), options: this.#choices(match),
      onChange: (value) => (value === ALL ? onSeat(this.mine ?? 0, true) : onSeat(Number(value), false)),
    });
    this.seen.select.dataset.testid = 'seen-from';
    this.copy = copyButton(t('replay.copy'), linkNow, { data: { testid: 'copy-link' } });
    const path = `/api/v1/matches/${encodeURIComponent(match.id)}/transcript`;
    this.download = h('a', {
      class: 'button quiet', href: path, download: `basra-${match.id}.json`, data: { testid: 'download' },
    }, t('replay.download'));
    this.node = h('section', { class: 'options-panel', 'aria-label': t('replay.options') },
      this.seen.node, h('div', { class: 'buttons' }, checkButton(match.id), this.copy, this.download), keysList());
  }

  #choices({ seats }) {
    const others = seats.filter(({ seat }) => seat !== this.mine)
      .map(({ seat }) => [String(seat), t('replay.seat_of', { name: nameOf(seats, seat) })]);
    const own = this.mine === null ? [] : [[String(this.mine), t('replay.seat_mine')]];
    return [...own, ...others, [ALL, t('replay.all_open')]];
  }

  #value = (seat, open) => (open ? ALL : String(seat));

  update(seat, open) {
    this.seen.select.value = this.#value(seat, open);
  }
}

const keysList = () => h('details', { class: 'keys-list' }, h('summary', {}, t('replay.keys')),
  h('dl', { class: 'keys' }, ...KEYS.flatMap(([key, text]) => [h('dt', {}, h('kbd', { dir: 'ltr' }, key)), h('dd', {}, t(text))])));

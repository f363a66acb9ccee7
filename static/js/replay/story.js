// The whole match in words, a line a position, each a link to it.

import { h, setAttr } from '../dom.js';
import { t } from '../i18n.js';
import { addressOf } from './frames.js';
import { happened } from './words.js';

export class MatchStory {
  #now = null;

  /** `viewOf(frame)` gives the view at a position. */
  constructor(frames, viewOf) {
    this.links = frames.map((frame) => {
      const { who, what } = happened(viewOf(frame), frame);
      return h('a', {
        href: `#t=${addressOf(frames, frame.index)}`,
        data: { testid: 'story-link', type: frame.event.type, basra: frame.event.basra > 0, seat: frame.event.seat },
      }, who === null ? null : h('bdi', { class: 'name' }, who), h('span', {}, what));
    });
    this.list = h('div', { class: 'rounds-in-words', tabindex: '-1' }, ...this.#byRound(frames));
    this.node = h('section', { class: 'match-in-words', 'aria-labelledby': 'match-in-words' },
      h('h2', { id: 'match-in-words' }, t('replay.story')), this.list);
  }

  #byRound(frames) {
    const numbers = [...new Set(frames.map(({ round }) => round.number))];
    return numbers.map((number) => h('div', {},
      h('h3', {}, t('replay.round', { number })),
      h('ol', { class: 'plays' }, ...frames.filter(({ round }) => round.number === number).map(({ index }) => h('li', {}, this.links[index])))));
  }

  update(index) {
    const link = this.links[index];
    if (link === this.#now) return;
    if (this.#now) setAttr(this.#now, 'aria-current', null);
    this.#now = link;
    setAttr(link, 'aria-current', 'step');
    this.#bringIntoView(link);
  }

  /** Within the list only: the page itself stays where it is. */
  #bringIntoView(link) {
    const { list } = this;
    if (list.scrollHeight <= list.clientHeight) return;
    const top = link.getBoundingClientRect().top - list.getBoundingClientRect().top;
    if (top < 0 || top > list.clientHeight - link.offsetHeight) list.scrollTop += top - list.clientHeight / 2;
  }
}

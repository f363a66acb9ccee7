// The buttons of a replay: the scrubber, the steps, the jumps, the speed. They know a player and nothing of cards.

import { h, setAttr, setData, setText } from '../dom.js';
import { t } from '../i18n.js';
import { icon } from './icons.js';

const button = (testid, label, picture, act) => h('button', {
  type: 'button', class: 'icon-button', 'aria-label': label, title: label, data: { testid }, on: { click: act },
}, icon(picture));

export class Controls {
  #acts;

  /** `acts`: step(1|-1), toggle(), faster(), jump(kind, 1|-1), go(index). */
  constructor(acts, last) {
    this.#acts = acts;
    this.scrubber = h('input', {
      type: 'range', min: '0', max: String(last), value: '0', 'aria-label': t('replay.scrub'), data: { testid: 'scrubber' },
      on: { input: () => acts.go(Number(this.scrubber.value)) },
    });
    this.speed = h('button', { type: 'button', class: 'speed', data: { testid: 'speed' }, on: { click: () => acts.faster() } });
    this.at = h('span', { class: 'at small', 'aria-hidden': 'true' });
    this.run = h('button', { type: 'button', class: 'icon-button primary run', data: { testid: 'run' }, on: { click: () => acts.toggle() } });
    this.back = button('back', t('replay.back'), 'back', () => acts.step(-1));
    this.forward = button('forward', t('replay.forward'), 'forward', () => acts.step(1));
    this.jumps = [
      this.#jump('round', -1, 'replay.round_before', 'round_before'), this.#jump('basra', -1, 'replay.basra_before', 'basra_before'),
      this.#jump('basra', 1, 'replay.basra_next', 'basra_next'), this.#jump('round', 1, 'replay.round_next', 'round_next'),
    ];
    const [roundBefore, basraBefore, basraNext, roundNext] = this.jumps.map(({ node }) => node);
    this.node = h('div', { class: 'controls', role: 'group', 'aria-label': t('replay.controls') },
      h('div', { class: 'scrub' }, this.speed, this.scrubber, this.at),
      h('div', { class: 'steps-row' }, roundBefore, basraBefore, this.back, this.run, this.forward, basraNext, roundNext));
  }

  #jump(kind, step, label, picture) {
    return { kind, step, node: button(`${kind}-${step > 0 ? 'next' : 'before'}`, t(label), picture, () => this.#acts.jump(kind, step)) };
  }

  /** `can(kind, step)` tells whether there is somewhere to jump to; `spoken` is the position in words. */
  update({ index, last, turn, turns, playing, speed, can, spoken }) {
    if (Number(this.scrubber.value) !== index) this.scrubber.value = String(index);
    setAttr(this.scrubber, 'aria-valuetext', spoken);
    this.scrubber.style.setProperty('--part', String(last ? index / last : 1));
    setText(this.at, t('replay.at', { turn, turns }));
    setText(this.speed, t('replay.times', { speed }));
    setAttr(this.speed, 'aria-label', t('replay.speed', { speed }));
    if (this.run.dataset.playing !== String(playing)) {
      setData(this.run, 'playing', playing);
      setAttr(this.run, 'aria-label', t(playing ? 'replay.pause' : 'replay.run'));
      this.run.replaceChildren(icon(playing ? 'pause' : 'play'));
    }
    setAttr(this.back, 'aria-disabled', index === 0);
    setAttr(this.forward, 'aria-disabled', index === last);
    for (const { kind, step, node } of this.jumps) setAttr(node, 'aria-disabled', !can(kind, step));
  }
}

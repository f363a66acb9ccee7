// What table I want: seats, rules, target, clock, who may see it. Sane from the start, remembered from then on.

import { h, setAttr, setText } from '../dom.js';
import { t } from '../i18n.js';
import { remember, remembered } from '../session.js';
import { rulesName, secondsText } from '../table/words.js';
import { dropdown, segments, tick } from './parts.js';

const DEFAULTS = { seats: 2, rules: 'classic', target: 'own', turn_seconds: 120, isPublic: false, spectators: false, chat: false };
const CLOCKS_S = [30, 60, 120, 300, 600];
const TARGETS = [51, 101, 121, 151, 201];
const HINTS = {
  classic: 'rules.classic_hint', traditional: 'rules.traditional_hint', komi: 'rules.komi_hint', casual: 'rules.casual_hint',
};

/** Make what was remembered fit the rule sets that there are. */
export function fitting(profiles, chosen) {
  const wish = { ...DEFAULTS, ...chosen };
  const profile = profiles.find((one) => one.profile === wish.rules && one.seats.includes(wish.seats));
  return { ...wish, rules: profile ? wish.rules : DEFAULTS.rules };
}

/** The body that makes such a room. */
export function roomWish({ seats, rules, target, turn_seconds, isPublic, spectators, chat }) {
  const points = target === 'none' ? null : Number(target);
  return {
    seats, rules, turn_seconds, spectators, visibility: isPublic ? 'public' : 'private', chat: chat && !isPublic,
    ...(target === 'own' ? {} : { target: points }),
  };
}

export class Setup {
  #profiles;
  #wish;

  /** `profiles`: the rule sets that there are, as {profile, target, seats}. */
  constructor(profiles) {
    this.#profiles = profiles;
    this.#wish = fitting(profiles, remembered('setup', {}));
    const wish = this.#wish;
    this.seats = segments({
      legend: t('setup.players'), value: wish.seats, onChange: (seats) => this.#change({ seats }),
      options: [[2, t('setup.two')], [4, t('setup.four')]],
    });
    this.rules = dropdown({ label: t('setup.rules'), options: [], value: wish.rules, onChange: (rules) => this.#change({ rules, target: 'own' }) });
    this.rulesHint = h('p', { class: 'small' });
    this.target = dropdown({ label: t('setup.target'), options: [], value: wish.target, onChange: (target) => this.#change({ target }) });
    this.clock = dropdown({
      label: t('setup.clock'), value: wish.turn_seconds, onChange: (seconds) => this.#change({ turn_seconds: Number(seconds) }),
      options: CLOCKS_S.map((seconds) => [seconds, secondsText(seconds)]),
    });
    this.short = h('span', { class: 'small' });
    this.chat = tick({ label: t('setup.chat'), value: wish.chat, onChange: (chat) => this.#change({ chat }) });
    this.noChat = h('p', { class: 'small', id: 'no-chat' }, t('setup.no_chat'));
    this.more = h('details', { class: 'options', data: { testid: 'options' } },
      h('summary', {}, h('span', {}, t('setup.more')), this.short),
      h('div', { class: 'option-row' }, this.target.node, this.clock.node),
      tick({ label: t('setup.public'), value: wish.isPublic, onChange: (isPublic) => this.#change({ isPublic }) }),
      tick({ label: t('setup.spectators'), value: wish.spectators, onChange: (spectators) => this.#change({ spectators }) }),
      this.chat, this.noChat);
    this.node = h('div', { class: 'setup' }, this.seats, this.rules.node, this.rulesHint);
    this.#show();
  }

  room() {
    return roomWish(this.#wish);
  }

  seek() {
    return { seats: this.#wish.seats, rules: this.#wish.rules };
  }

  #change(part) {
    this.#wish = fitting(this.#profiles, { ...this.#wish, ...part });
    remember('setup', this.#wish);
    this.#show();
  }

  #show() {
    const { seats, rules, target, turn_seconds, isPublic } = this.#wish;
    const fit = this.#profiles.filter((one) => one.seats.includes(seats));
    this.rules.fill(fit.map(({ profile }) => [profile, rulesName(profile)]), rules);
    setText(this.rulesHint, rules in HINTS ? t(HINTS[rules]) : '');
    setAttr(this.rulesHint, 'hidden', !(rules in HINTS));
    const own = fit.find(({ profile }) => profile === rules).target;
    const others = TARGETS.filter((points) => points !== own).map((points) => [String(points), t('setup.points', { count: points })]);
    this.target.fill([['own', t('setup.points', { count: own })], ...others, ['none', t('setup.one_round')]], target);
    const goal = target === 'none' ? t('setup.one_round') : t('setup.to', { target: target === 'own' ? own : Number(target) });
    this.#showChat();
    setText(this.short, t('setup.short', { goal, clock: secondsText(turn_seconds), who: isPublic ? t('setup.is_public') : t('setup.is_private') }));
  }
  /** People who do not know one another have the phrases; there this choice rests, and says why. */
  #showChat() {
    const { isPublic, chat } = this.#wish;
    const box = this.chat.querySelector('input');
    box.checked = chat && !isPublic;
    box.disabled = isPublic;
    setAttr(box, 'aria-describedby', isPublic ? this.noChat.id : null);
    setAttr(this.noChat, 'hidden', !isPublic);
  }
}

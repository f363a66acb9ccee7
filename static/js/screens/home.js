// The first page: my running matches, a table of my own, a stranger, a bot, the open tables, a code that a friend told.

import { h, picture, setAttr, setData, setText } from '../dom.js';
import { list, t } from '../i18n.js';
import { languageCorner } from '../language.js';
import { joinRoom, makeRoom, playBots } from '../rooms.js';
import { ensureGuest, remember, rememberedName } from '../session.js';
import { initialOf, nameOf, refusalText, secondsText } from '../table/words.js';
import { OpenTables } from './lobby.js';
import { codeField, guarded, levelChoice, nameField, rememberedLevel } from './parts.js';
import { Setup } from './setup.js';

const STEP_S = 10;

/** Why nobody is looked for: often the limit of all requests; with an end, because I let others down. */
export const seekRefusal = (code, error) => (code === 'rate_limited' && error.problem.until
  ? t('seek.wait', { time: secondsText(Math.ceil(error.retry_s / STEP_S) * STEP_S) }) : refusalText(code));

/** The rule sets that the service has; the page says them. */
const profilesOfPage = () => JSON.parse(document.getElementById('app').dataset.profiles);

export class Home {
  #wantsOther = false;
  #store;
  #go;
  #level = rememberedLevel();

  constructor({ store, sync, go, profiles = profilesOfPage() }) {
    this.#store = store;
    this.#go = go;
    this.name = nameField(rememberedName());
    this.trouble = h('p', { class: 'trouble', role: 'alert' });
    this.who = h('p', { class: 'who-am-i' });
    this.otherName = h('button', { type: 'button', class: 'link', on: { click: () => this.#askName() } }, t('home.other_name'));
    this.me = h('div', { class: 'me', hidden: true }, this.who, this.otherName);
    this.matches = h('div', { class: 'resume' });
    this.setup = new Setup(profiles);
    this.tables = new OpenTables((code) => guarded(this.trouble, () => this.#join(code, sync)));
    this.title = h('h1', { class: 'display shout', tabindex: '-1' }, t('home.title'));
    this.myName = h('bdi');
    this.myFace = h('span', { class: 'avatar', 'aria-hidden': 'true' });
    this.myPage = h('a', { class: 'my-page', href: '/profile', hidden: true, data: { testid: 'my-page', us: true } }, this.myFace, this.myName);
    this.node = h('section', { class: 'home' }, h('div', { class: 'home-top' }, this.myPage, languageCorner()),
      h('header', { class: 'poster' }, picture('star', 'poster-star'), this.title, h('p', {}, t('home.subtitle'))),
      h('div', { class: 'home-columns' },
        h('div', { class: 'column' }, this.matches, this.trouble, this.#newTable(sync)),
        h('div', { class: 'column' }, this.#practice(), this.tables.node, this.#byCode(),
          h('p', { class: 'small footnote' }, t('home.footnote'), ' ',
            h('a', { class: 'link', href: '/how-to-play' }, t('rules.how')), ' ', h('a', { class: 'link', href: '/rules' }, t('rules.link')), ' ',
            h('a', { class: 'link', href: '/leaderboard' }, t('home.leaderboard')), ' ', h('a', { class: 'link', href: '/privacy' }, t('home.privacy'))))));
  }

  #newTable(sync) {
    return h('form', {
      class: 'panel',
      on: { submit: guarded(this.trouble, async () => this.#go((await makeRoom(this.#store, this.#typedName(), this.setup.room())).code)) },
    },
    this.me, this.name.node, this.setup.node,
    h('button', { type: 'submit', class: 'primary wide' }, t('home.play_friend')),
    this.setup.more,
    h('p', { class: 'or small', 'aria-hidden': 'true' }, t('home.or')),
    h('button', {
      type: 'button', class: 'quiet wide',
      on: { click: guarded(this.trouble, async () => {
        await ensureGuest(this.#store, this.#typedName());
        await sync.seeker.start(this.setup.seek());
      }, seekRefusal) },
    }, t('home.quick')),
    h('p', { class: 'small' }, t('home.quick_hint')));
  }

  #practice() {
    return h('section', { class: 'panel practice' },
      levelChoice(t('home.bot'), this.#level, (level) => {
        this.#level = level;
        remember('level', level);
      }),
      h('button', {
        type: 'button', class: 'quiet',
        on: { click: guarded(this.trouble, async () => this.#go((await playBots(this.#store, this.#typedName(), this.#level)).code)) },
      }, t('home.practice')));
  }

  #byCode() {
    const code = codeField();
    return h('form', { class: 'panel enter', on: { submit: guarded(this.trouble, () => this.#enter(code)) } },
      code.node, h('button', { type: 'submit', class: 'quiet' }, t('home.enter')));
  }

  async #enter(field) {
    const { readCode } = await import('../code.js');
    const code = readCode(field.read());
    if (code) return this.#go(code);
    setText(this.trouble, t('home.code_wrong'));
    field.focus();
    return null;
  }

  async #join(code, sync) {
    try {
      await joinRoom(this.#store, code, this.#typedName());
    } catch (error) {
      sync.refresh(); // somebody was faster: the list that I chose from is old
      this.trouble.scrollIntoView({ block: 'center' });
      throw error;
    }
    this.#go(code);
  }

  #typedName() {
    return this.name.node.hidden ? '' : this.name.read();
  }

  #askName() {
    this.#wantsOther = true;
    this.#showName(null);
    this.name.focus();
  }

  /** Either says who I am, or asks. */
  #showName(me) {
    setAttr(this.name.node, 'hidden', Boolean(me));
    setAttr(this.me, 'hidden', !me);
    if (me) setText(this.who, t('home.you_are', { name: me.name }));
  }

  #showMyPage(me) {
    setAttr(this.myPage, 'hidden', !me);
    if (!me) return;
    setText(this.myName, me.name);
    setText(this.myFace, initialOf(me.name));
    setAttr(this.myPage, 'aria-label', t('home.me', { name: me.name }));
  }

  update(state) {
    const { me, mine } = state;
    setAttr(this.otherName, 'hidden', mine.length > 0); // a table that plays keeps the name of before
    this.#showMyPage(me);
    this.#showName(this.#wantsOther && !mine.length ? null : me);
    this.matches.replaceChildren(...mine.map((match) => this.#resume(match, me)));
    this.tables.update(state);
  }

  #resume(match, me) {
    const others = match.seats.filter(({ player }) => !player || player.id !== me.id);
    const names = list(others.map(({ seat }) => nameOf(match.seats, seat)));
    const isDue = Boolean(match.your_turn);
    const card = h('a', { class: 'resume-card', href: `/r/${match.room}`, data: { testid: 'resume' } },
      h('strong', {}, isDue ? t('home.resume_due') : t('home.resume')), h('span', { class: 'small' }, t('home.resume_with', { names })));
    setData(card, 'yourTurn', isDue);
    return card;
  }

  destroy() {}
}

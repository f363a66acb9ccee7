// The replay of a finished match: its table, its buttons, and all of it in words.

import { h, picture, setAttr, setData, setText } from '../dom.js';
import { play, unlockByGesture } from '../audio.js';
import { checkButton } from '../fair_chip.js';
import { t } from '../i18n.js';
import { languageCorner } from '../language.js';
import { Controls } from '../replay/controls.js';
import { addressOf, indexOf, seek, viewAt } from '../replay/frames.js';
import { listenToKeys } from '../replay/keys.js';
import { loadMatch, troubleOf } from '../replay/load.js';
import { Options } from '../replay/options.js';
import { icon } from '../replay/icons.js';
import { paperOf } from '../replay/paper.js';
import { Player } from '../replay/player.js';
import { MatchStory } from '../replay/story.js';
import { ReplayTable } from '../replay/table.js';
import { happenedSpoken, matchNames } from '../replay/words.js';
import { showSettings } from '../settings.js';
import { announce } from '../table/announce.js';
import { soundOf } from '../table/effects.js';
import { rowsFor } from '../table/slots.js';
import { rulesText } from '../table/words.js';
import { notice } from './notice.js';

const NOTICES = {
  loading: ['replay.loading', null],
  missing: ['replay.missing.title', 'replay.missing.text'],
  running: ['replay.running.title', 'replay.running.text'],
  rate_limited: ['error.rate_limited.title', 'error.rate_limited.text'],
  failed: ['error.failed.title', 'error.failed.text'],
};
const AGAIN = new Set(['failed', 'rate_limited']);

export class Replay {
  #id;
  #undo = [];
  #gone = false;
  #player = null;

  constructor({ store }) {
    this.#id = store.get().place.id;
    this.title = h('h1', { tabindex: '-1' }, t('replay.title'));
    this.under = h('span', { class: 'under small' });
    this.tools = h('div', { class: 'tools' });
    this.top = h('header', { class: 'top' },
      h('a', { class: 'button icon-button', href: '/', 'aria-label': t('result.home') }, picture('arrow', 'icon flips')),
      h('div', { class: 'titles' }, this.title, this.under), this.tools);
    this.node = h('section', { class: 'replay' }, this.top);
    showSettings();
    this.#load();
  }

  async #load() {
    this.#notice('loading');
    try {
      const found = await loadMatch(this.#id);
      if (this.#gone) return;
      if (found.frames) this.#show(found);
      else this.#notice('running', h('a', { class: 'button primary', href: `/r/${found.match.room}` }, t('replay.to_table')));
    } catch (error) {
      if (!this.#gone) this.#notice(troubleOf(error));
    }
  }

  #notice(kind, way = null) {
    const [title, text] = NOTICES[kind];
    const again = AGAIN.has(kind) ? h('button', { type: 'button', class: 'primary', on: { click: () => this.#load() } }, t('error.again')) : null;
    const home = kind === 'loading' ? null : h('a', { class: 'button quiet', href: '/' }, t('result.home'));
    setData(this.node, 'state', kind);
    this.node.replaceChildren(this.top, languageCorner(), notice({ title: t(title), text: text && t(text), testid: `replay-${kind}` }, way, again, home));
  }

  #show({ match, transcript, frames }) {
    this.match = match;
    this.frames = frames;
    this.events = frames.map(({ event }) => event);
    this.seat = match.you ? match.you.seat : 0;
    this.open = !match.you;
    const last = frames.length - 1;
    const start = indexOf(frames, hashAddress()) ?? indexOf(frames, '0');
    this.#player = new Player(this.events, start, (from) => this.#moved(from));
    this.controls = new Controls(this.#acts(), last);
    this.story = new MatchStory(frames, (frame) => viewAt(match, frame));
    this.options = new Options({
      match, seat: this.seat, open: this.open, transcript,
      onSeat: (seat, open) => this.#seeFrom(seat, open), linkNow: () => this.#link(),
    });
    this.eye = h('button', {
      type: 'button', class: 'icon-button', 'aria-label': t('replay.all_open'), title: t('replay.all_open'), data: { testid: 'all-open' },
      on: { click: () => this.#seeFrom(this.seat, !this.open) },
    }, icon('open', 'icon'));
    this.over = h('div', { class: 'sheet-place' });
    this.tools.replaceChildren(this.eye, this.#settings());
    setText(this.title, matchNames(match));
    setText(this.under, `${t('replay.title')} · ${rulesText(match.rules)}`);
    document.title = t('replay.page_title', { names: matchNames(match) });
    this.stage = h('div', { class: 'table stage', data: { testid: 'replay', seats: match.seats.length } });
    this.node.replaceChildren(this.stage, h('aside', { class: 'beside' }, this.options.node, this.story.node));
    setData(this.node, 'state', 'ready');
    this.#seeFrom(this.seat, this.open);
    this.#listen();
  }

  #settings() {
    return h('button', {
      type: 'button', class: 'icon-button', 'aria-label': t('settings.title'), data: { testid: 'open-settings' },
      on: { click: async () => (await import('../settings_window.js')).openSettings() },
    }, picture('sliders', 'icon'));
  }

  #listen() {
    const onHash = () => {
      const index = indexOf(this.frames, hashAddress());
      if (index !== null) this.#player.go(index);
    };
    window.addEventListener('hashchange', onHash);
    this.#undo.push(() => window.removeEventListener('hashchange', onHash), listenToKeys(this.#acts()), unlockByGesture());
  }

  #acts() {
    const go = (index) => index !== null && this.#player.go(index);
    return {
      step: (by) => {
        this.#player.pause();
        go(this.#player.index + by);
      },
      toggle: () => this.#player.toggle(),
      faster: () => this.#player.faster(),
      jump: (kind, by) => go(seek(this.frames, this.#player.index, kind, by)),
      go,
      start: () => go(0),
      end: () => go(this.frames.length - 1),
    };
  }

  /** Sit somewhere else, or look into all hands. */
  #seeFrom(seat, open) {
    this.seat = seat;
    this.open = open;
    if (this.table) this.table.destroy();
    this.table = new ReplayTable(this.match, seat, open);
    this.stage.replaceChildren(this.top, this.table.node, this.over, this.controls.node);
    setAttr(this.eye, 'aria-pressed', String(open));
    this.options.update(seat, open);
    this.#draw(null, null);
  }

  /** The player went from one position to another, or its clock was set going or stopped. */
  #moved(from) {
    const by = this.#player.index - from;
    const moved = { 1: 'on', '-1': 'back' }[by] || null;
    this.#draw(moved, this.frames[from]);
    if (!by) return;
    const position = this.frames[this.#player.index];
    const loud = position.event.basra || position.event.type === 'round_scored';
    if (!this.#player.playing || loud) announce(happenedSpoken(viewAt(this.match, position), position));
    if (moved === 'on' && soundOf(position.event)) play(soundOf(position.event));
  }

  #draw(moved, former) {
    const { index, playing, speed } = this.#player;
    const position = this.frames[index];
    const view = viewAt(this.match, position);
    const events = this.events.slice(0, index + 1);
    const near = view.to_act === this.seat;
    setData(this.stage, 'rows', rowsFor(position.slots));
    setData(this.stage, 'myTurn', near);
    this.table.update({ position, view, events }, moved, former);
    this.over.replaceChildren(...[paperOf(view, position, events, [checkButton(this.#id)])].filter(Boolean));
    this.story.update(index);
    this.controls.update({
      index, last: this.frames.length - 1, turn: position.turn, turns: this.frames[this.frames.length - 1].turn, playing, speed,
      can: (kind, step) => seek(this.frames, index, kind, step) !== null, spoken: happenedSpoken(view, position),
    });
    const shown = {
      index, turn: position.turn, round: position.round.number, event: position.event.type, playing, seat: this.seat, open: this.open,
    };
    for (const [name, value] of Object.entries(shown)) setData(this.stage, name, value);
    if (!playing) this.#noteAddress();
  }

  #address = () => addressOf(this.frames, this.#player.index);

  #link() {
    return `${location.origin}/replay/${encodeURIComponent(this.#id)}#t=${this.#address()}`;
  }

  /** The address bar has the place, so that reload, language and bookmark keep it. */
  #noteAddress() {
    const hash = `#t=${this.#address()}`;
    if (location.hash !== hash) history.replaceState(history.state, '', hash);
  }

  update() {}

  destroy() {
    this.#gone = true;
    if (!this.#player) return;
    this.#noteAddress();
    this.#player.destroy();
    this.table.destroy();
    this.#undo.forEach((undo) => undo());
  }
}

const hashAddress = () => (location.hash.startsWith('#t=') ? location.hash.slice(3) : '');

// The small floors of the page that teaches the game. The page has all the words and says what each card takes; here
// the cards only learn to move: a tap lifts, a second tap plays.

const FLIGHT = { duration: 220, easing: 'cubic-bezier(.2, .8, .2, 1)' };
const calm = window.matchMedia('(prefers-reduced-motion: reduce)');

class Lesson {
  #lifted = null;

  constructor(node) {
    this.node = node;
    this.floor = [...node.querySelectorAll('[data-testid=lesson-floor-card]')];
    this.hand = [...node.querySelectorAll('[data-testid=lesson-card]')];
    this.said = node.querySelector('.lesson-said');
    this.again = node.querySelector('.lesson-again');
    this.list = node.querySelector('.lesson-floor');
    for (const card of this.hand) {
      card.disabled = false;
      card.addEventListener('click', () => this.#tap(card));
    }
    this.again.addEventListener('click', () => this.#restart());
    node.addEventListener('keydown', ({ key }) => key === 'Escape' && this.#lift(null));
    node.dataset.state = 'ready';
  }

  #taken(card) {
    const takes = card.dataset.takes.split(' ');
    return this.floor.filter(({ dataset }) => takes.includes(dataset.card));
  }

  #tap(card) {
    if (this.node.dataset.state === 'played') return;
    if (this.#lifted === card) this.#play(card);
    else this.#lift(card);
  }

  #lift(card) {
    if (this.node.dataset.state === 'played') return;
    this.#lifted = card;
    const taken = card ? this.#taken(card) : [];
    for (const one of this.hand) one.setAttribute('aria-pressed', String(one === card));
    for (const one of this.floor) one.dataset.taken = taken.includes(one);
    this.node.dataset.state = card ? 'lifted' : 'ready';
    this.said.textContent = card ? this.#sentence(card, taken) : '';
  }

  #sentence({ dataset: { name } }, taken) {
    const { takes, nothing } = this.node.dataset;
    const names = taken.map(({ dataset }) => dataset.name);
    const list = new Intl.ListFormat(document.documentElement.lang, { type: 'conjunction' });
    return names.length ? `${name}: ${takes} ${list.format(names)}` : `${name}: ${nothing}`;
  }

  #play(card) {
    const taken = this.#taken(card);
    this.node.dataset.state = 'played';
    if (Number(card.dataset.basra)) this.said.textContent = this.node.dataset.basra;
    for (const one of taken) {
      const box = one.getBoundingClientRect();
      const from = card.getBoundingClientRect();
      if (!calm.matches) one.animate([{}, { transform: `translate(${from.left - box.left}px, ${from.top - box.top}px)`, opacity: 0 }], FLIGHT);
      one.classList.add('gone');
    }
    if (!taken.length) this.#layDown(card);
    card.classList.add('gone');
    this.again.hidden = false;
    this.again.focus({ preventScroll: true });
  }

  /** A card that takes nothing stays on the floor. */
  #layDown(card) {
    const place = document.createElement('li');
    place.className = 'laid';
    place.append(card.firstElementChild.cloneNode(true));
    this.list.append(place);
  }

  #restart() {
    for (const one of [...this.floor, ...this.hand]) one.classList.remove('gone');
    for (const one of this.list.querySelectorAll('.laid')) one.remove();
    this.again.hidden = true;
    this.node.dataset.state = 'ready';
    this.#lift(null);
    this.hand[0].focus({ preventScroll: true });
  }
}

for (const hint of document.querySelectorAll('.needs-script')) hint.dataset.ready = 'true';
for (const node of document.querySelectorAll('[data-testid=lesson]')) new Lesson(node);

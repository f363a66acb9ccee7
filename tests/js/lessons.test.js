import { equal, ok, test } from './harness.js';

function lesson() {
  const node = document.createElement('div');
  Object.assign(node.dataset, { testid: 'lesson', takes: 'takes', nothing: 'takes nothing', basra: 'Basra! 10 points.' });
  const floor = document.createElement('ul');
  floor.className = 'lesson-floor';
  for (const [card, name] of [['2H', '2 of hearts'], ['7C', '7 of clubs']]) {
    const item = document.createElement('li');
    Object.assign(item.dataset, { testid: 'lesson-floor-card', card, name });
    floor.append(item);
  }
  const cards = [['9D', '9 of diamonds', '2H 7C', 10], ['KS', 'king of spades', '', 0]].map(([card, name, takes, basra]) => {
    const button = document.createElement('button');
    button.disabled = true;
    Object.assign(button.dataset, { testid: 'lesson-card', card, name, takes, basra });
    button.append(document.createElement('span'));
    return button;
  });
  const said = document.createElement('p');
  said.className = 'lesson-said';
  const again = document.createElement('button');
  again.className = 'lesson-again';
  again.hidden = true;
  node.append(floor, ...cards, said, again);
  return { node, floor, cards, said, again };
}

document.documentElement.lang = 'en';
const shown = lesson();
document.body.replaceChildren(shown.node);
await import('/static/js/lessons.js');
const { node, floor, cards: [nine, king], said, again } = shown;

test('a tap shows what a card takes, a second one plays it', () => {
  ok(!nine.disabled, 'with the script the cards can be tapped');
  nine.click();
  equal(nine.getAttribute('aria-pressed'), 'true');
  equal([...floor.children].map(({ dataset }) => dataset.taken), ['true', 'true']);
  equal(said.textContent, '9 of diamonds: takes 2 of hearts and 7 of clubs');
  nine.click();
  equal(node.dataset.state, 'played');
  equal(said.textContent, 'Basra! 10 points.');
  ok(!again.hidden, 'it can be tried again');
});

test('a lesson starts again as it was', () => {
  again.click();
  equal([node.dataset.state, said.textContent, again.hidden], ['ready', '', true]);
  equal([...floor.children].filter((one) => one.classList.contains('gone')).length, 0);
});

test('a card that takes nothing stays on the floor', () => {
  king.click();
  equal(said.textContent, 'king of spades: takes nothing');
  king.click();
  equal(floor.children.length, 3);
  again.click();
  equal(floor.children.length, 2);
});

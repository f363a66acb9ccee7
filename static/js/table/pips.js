// The pips of a numeral card in the usual order, for cards that are large enough to show them.

const SVG = 'http://www.w3.org/2000/svg';
const [LEFT, MIDDLE, RIGHT] = [38, 59, 80];
const [TOP, LOW] = [24, 116];
const SIZE = 19;

const at = (part) => TOP + (LOW - TOP) * part;
const row = (part, ...columns) => columns.map((x) => [x, at(part)]);
const four = (...parts) => parts.flatMap((part) => row(part, LEFT, RIGHT));
const THIRD = 1 / 3;

const PLACES = {
  A: row(0.5, MIDDLE),
  2: [...row(0, MIDDLE), ...row(1, MIDDLE)],
  3: [...row(0, MIDDLE), ...row(0.5, MIDDLE), ...row(1, MIDDLE)],
  4: four(0, 1),
  5: [...four(0, 1), ...row(0.5, MIDDLE)],
  6: four(0, 0.5, 1),
  7: [...four(0, 0.5, 1), ...row(0.25, MIDDLE)],
  8: [...four(0, 0.5, 1), ...row(0.25, MIDDLE), ...row(0.75, MIDDLE)],
  9: [...four(0, THIRD, 2 * THIRD, 1), ...row(0.5, MIDDLE)],
  T: [...four(0, THIRD, 2 * THIRD, 1), ...row(THIRD / 2, MIDDLE), ...row(1 - THIRD / 2, MIDDLE)],
};

/** Where the pips of a card stand, on a card of 100 by 140: [x, y] of each centre. */
export const placesOf = (card) => PLACES[card[0]];

/** Draw the pips; those of the lower half stand on their heads. */
export function pips(card, symbol) {
  const svg = document.createElementNS(SVG, 'svg');
  svg.setAttribute('class', 'pips');
  svg.setAttribute('viewBox', '0 0 100 140');
  svg.setAttribute('focusable', 'false');
  const size = card[0] === 'A' ? 2.4 * SIZE : SIZE;
  for (const [x, y] of placesOf(card)) {
    const use = document.createElementNS(SVG, 'use');
    use.setAttribute('href', `#${symbol}`);
    for (const [name, value] of Object.entries({ x: x - size / 2, y: y - size / 2, width: size, height: size })) use.setAttribute(name, value);
    if (y > at(0.5)) use.setAttribute('transform', `rotate(180 ${x} ${y})`);
    svg.append(use);
  }
  return svg;
}

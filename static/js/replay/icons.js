// The pictures on the replay's buttons. They are drawn here and not in the page's sprite, which every visit pays for.

const SVG = 'http://www.w3.org/2000/svg';
const STAR = 'M9 6l1.800 3.800 4.200.6-3 2.900.7 4.100L9 15.400';

const SHAPES = {
  forward: ['M9 5l7 7-7 7'],
  back: ['M15 5l-7 7 7 7'],
  play: ['M8 5l11 7-11 7z'],
  pause: ['M8 5v14M16 5v14'],
  basra_next: [`${STAR}l-3.700 2 .7-4.100-3-2.900 4.200-.6z`, 'M18 7l4 5-4 5'],
  basra_before: [`${STAR}l-3.700 2 .7-4.100-3-2.900 4.200-.6z`, 'M18 7l4 5-4 5'],
  round_next: ['M5 5l7 7-7 7', 'M18 5v14'],
  round_before: ['M19 5l-7 7 7 7', 'M6 5v14'],
  open: ['M2 12c3-5 6.500-7 10-7s7 2 10 7c-3 5-6.500 7-10 7s-7-2-10-7z', 'M12 9a3 3 0 1 0 0 6 3 3 0 0 0 0-6z'],
};
const TURNED = new Set(['basra_before']);

/** Draw a picture; those that point somewhere turn with the language's direction. */
export function icon(name, className = 'icon flips') {
  const svg = document.createElementNS(SVG, 'svg');
  for (const [key, value] of Object.entries({ class: className, viewBox: '0 0 24 24', 'aria-hidden': 'true', focusable: 'false' })) {
    svg.setAttribute(key, value);
  }
  const group = document.createElementNS(SVG, 'g');
  if (TURNED.has(name)) group.setAttribute('transform', 'matrix(-1 0 0 1 24 0)');
  for (const shape of SHAPES[name]) {
    const path = document.createElementNS(SVG, 'path');
    path.setAttribute('class', 'stroke');
    path.setAttribute('d', shape);
    group.append(path);
  }
  svg.append(group);
  return svg;
}

// The emotes, drawn in our own hand: the same on every device.

const SVG = 'http://www.w3.org/2000/svg';
const HEAD = ['circle', { class: 'face', cx: 16, cy: 16, r: 13 }];
const path = (d, name = 'line') => ['path', { class: name, d }];
const dot = (cx, cy, r = 1.8) => ['circle', { class: 'ink-dot', cx, cy, r }];

const DRAWN = {
  laughter: [HEAD, path('M8.500 13.500q2.500-3.500 5 0M18.500 13.500q2.500-3.500 5 0'), path('M8.500 18h15q-1 7.500-7.500 7.500T8.500 18z', 'mouth-open'), path('M11.500 24q4.500-3 9 0-2 1.500-4.500 1.500T11.500 24z', 'tongue')],
  applause: [
    path('M9 27l-4-9q-.8-2.200 1-2.800t2.600 1.200l1.400 2.800L7.500 8.500Q7 6.500 8.700 6t2.400 1.400l2.600 8-1.300-9.700q-.2-1.900 1.500-2.100t2 1.700l1.700 10.400.6-7.300q.2-1.700 1.800-1.500t1.500 1.900L21 20q-.5 5-4.500 7.500z', 'face edge'),
    path('M23.500 6.500l2-3M26 10.500l3.500-1.500M26.500 15h3.500', 'spark'),
  ],
  wonder: [HEAD, dot(11.500, 13), dot(20.500, 13), path('M8.500 8.500q2.500-2 5-.5M18.500 8q2.500-1.500 5 .5'), ['ellipse', { class: 'mouth-open', cx: 16, cy: 21.500, rx: 3.200, ry: 4 }]],
  thinking: [HEAD, dot(12, 14), dot(21, 14), path('M9 10q2.500-2 5.500-.5M18.500 8.500q2.500-2 5-.5'), path('M12.500 21.500q4-2 8-.5'), path('M7 29q-1-6 3.500-6.500l5.500-1.500q1.500 1-.5 2l-2.500 1.200 3.500.3q1.500 3.500-2.500 4.500z', 'face edge')],
  sadness: [HEAD, dot(11.500, 14), dot(20.500, 14), path('M8.500 10.500l4.500-2M23.500 10.500l-4.500-2'), path('M11 23.500q5-4.500 10 0'), path('M22.500 17q3 4 0 5.500-3-1.500 0-5.500z', 'tear')],
  tea: [path('M9 10h14l-1.500 15q-.2 2-2.200 2h-6.600q-2 0-2.200-2z', 'glass'), path('M9.700 15h12.600l-1 10q-.2 2-2.200 2h-6.200q-2 0-2.200-2z', 'tea'), path('M12.500 7q-2-2 0-4M16.500 7q-2-2 0-4M20.500 7q-2-2 0-4', 'steam'), path('M6.500 28.500h19', 'saucer')],
};

/** Draw an emote; one that this page does not know yet is written as the service has it. */
export function faceOf({ id, symbol }) {
  const node = document.createElementNS(SVG, 'svg');
  for (const [name, value] of Object.entries({ class: 'emote', viewBox: '0 0 32 32', 'aria-hidden': 'true', focusable: 'false' })) node.setAttribute(name, value);
  if (!(id in DRAWN)) {
    const sign = document.createElement('span');
    sign.textContent = symbol;
    return sign;
  }
  for (const [tag, attributes] of DRAWN[id]) {
    const part = document.createElementNS(SVG, tag);
    for (const [name, value] of Object.entries(attributes)) part.setAttribute(name, value);
    node.append(part);
  }
  return node;
}

// The two live regions of the page: what happened, politely; what needs me, at once. One function speaks.

const regions = { polite: null, assertive: null };
const last = { polite: '', assertive: '' };

/** Find the regions; they are in the document from the start, or a screen reader would not watch them. */
export function startAnnouncing(root = document) {
  regions.polite = root.getElementById('live-polite');
  regions.assertive = root.getElementById('live-assertive');
}

/** Say one sentence; the same again is made different by a space, or it would not be read. */
export function announce(sentence, manner = 'polite') {
  const text = sentence === last[manner] ? `${sentence}\u00a0` : sentence;
  last[manner] = text;
  if (regions[manner]) regions[manner].textContent = text;
}

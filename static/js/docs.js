// The docs page's practice room: a guest, a seeded room and a bot; and the reference below, which gets that guest's token.

const BASE = '/api/v1';
const SEED = 'practice';
// The reference is a big script, and a phone works on it for seconds: it comes when somebody comes near it.
const NEAR = '800px';

const operations = document.getElementById('operations');
let token = null; // of the last practice room

async function ask(path, body, bearer) {
  const answer = await fetch(BASE + path, {
    method: 'POST',
    credentials: 'omit',
    headers: { 'Content-Type': 'application/json', ...(bearer ? { Authorization: `Bearer ${bearer}` } : {}) },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return answer.json();
}

async function makeRoom() {
  const guest = await ask('/players', {});
  const { code } = await ask('/rooms', { seed: SEED, target: null, turn_seconds: 600 }, guest.token);
  const room = await ask(`/rooms/${code}/bots`, { seat: 1, level: 'easy' }, guest.token);
  return { token: guest.token, room: code, match: room.match_id };
}

/** Let the reference try things out as the guest of the practice room; it can be told once it has read the document. */
function useToken() {
  if (token && operations.resolvedSpec?.securitySchemes) operations.setApiKey('token', token);
}

function show(practice, made) {
  for (const [name, value] of Object.entries(made)) {
    practice.querySelector(`[data-testid="practice-${name}"]`).textContent = value;
  }
  practice.querySelector('dl').hidden = false;
  token = made.token;
  useToken();
}

function mount(practice) {
  const button = practice.querySelector('button');
  const status = practice.querySelector('[role="status"]');
  practice.hidden = false;
  button.addEventListener('click', async () => {
    button.disabled = true;
    practice.dataset.state = 'busy';
    status.textContent = practice.dataset.busy;
    try {
      show(practice, await makeRoom());
      status.textContent = '';
      button.textContent = practice.dataset.again;
      practice.dataset.state = 'made';
    } catch {
      status.textContent = practice.dataset.failed;
      practice.dataset.state = 'failed';
    }
    button.disabled = false;
  });
}

mount(document.getElementById('practice'));
document.getElementById('scriptless').hidden = true;
operations.addEventListener('spec-loaded', useToken);
new IntersectionObserver(([{ isIntersecting }], watch) => {
  if (!isIntersecting) return;
  watch.disconnect();
  import('../vendor/rapidoc/rapidoc-min.js');
}, { rootMargin: NEAR }).observe(operations);

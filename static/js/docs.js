// The docs page's practice room: a guest, a seeded room and a bot, and the reference's own token.

const BASE = '/api/v1';
const SEED = 'practice';

async function ask(path, body, token) {
  const answer = await fetch(BASE + path, {
    method: 'POST',
    credentials: 'omit',
    headers: { 'Content-Type': 'application/json', ...(token ? { Authorization: `Bearer ${token}` } : {}) },
    body: JSON.stringify(body),
  });
  if (!answer.ok) throw new Error(`${path}: ${answer.status}`);
  return answer.json();
}

async function makeRoom() {
  const { token } = await ask('/players', {});
  const { code } = await ask('/rooms', { seed: SEED, target: null, turn_seconds: 600 }, token);
  const room = await ask(`/rooms/${code}/bots`, { seat: 1, level: 'easy' }, token);
  return { token, room: code, match: room.match_id };
}

function show(practice, made) {
  for (const [name, value] of Object.entries(made)) {
    practice.querySelector(`[data-testid="practice-${name}"]`).textContent = value;
  }
  practice.querySelector('dl').hidden = false;
  document.getElementById('operations').setApiKey('token', made.token);
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

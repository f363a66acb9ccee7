// A bot for Basra in one file: it makes a room, seats an easy bot, and plays one round.
//
//     node bot.mjs http://127.0.0.1:8000
//
// It runs in Node, in browsers and wherever else there is `fetch`. Where there is no WebSocket (Node before 22) it asks
// again and again instead, which costs next to nothing as long as nothing is new.

const LEVEL = 'easy';
const SILENCE_MS = 25_000; // there is a ping every 10 s: who hears nothing so long has no line any more
const wait = (ms) => new Promise((resolve) => setTimeout(resolve, ms));

/** Plays one round at a server, and gives its result. */
export async function playOneRound(server, token = null) {
  const base = `${server.replace(/\/$/, '')}/api/v1`;

  // Asks the API, one request at a time; who is asked to wait waits as long as he is told.
  async function call(method, path, body, headers = {}) {
    for (;;) {
      const answer = await fetch(base + path, {
        method,
        credentials: 'omit',
        headers: { 'Content-Type': 'application/json', ...(token && { Authorization: `Bearer ${token}` }), ...headers },
        body: body && JSON.stringify(body),
      });
      if (answer.ok || answer.status === 304) return answer;
      if (answer.status !== 429 && answer.status !== 503) throw new Error(`${method} ${path}: ${await answer.text()}`);
      await wait(1000 * (Number(answer.headers.get('Retry-After')) || 1));
    }
  }
  const ask = async (...request) => (await call(...request)).json();

  // The match as it goes on, asked for twice a second: 304 and no body while it is the same.
  async function* polled(match) {
    for (let tag = '""'; ; await wait(500)) {
      const answer = await call('GET', `/matches/${match}`, undefined, { 'If-None-Match': tag });
      tag = answer.headers.get('ETag');
      if (answer.status === 200) yield await answer.json();
    }
  }

  // The match as it goes on, from the channel, and read anew whenever something was missed.
  async function* followed(match, code) {
    for (let version = 0; ; await wait(1000)) {
      const channel = new WebSocket(`${base.replace('http', 'ws')}/rooms/${code}/channel`);
      const heard = [];
      let wake = () => {};
      const hear = (message) => { heard.push(message); wake(); };
      channel.onopen = () => channel.send(JSON.stringify({ type: 'hello', token }));
      channel.onmessage = ({ data }) => hear(JSON.parse(data));
      channel.onclose = () => hear({ type: 'closed' });
      try {
        for (;;) {
          const silence = setTimeout(() => hear({ type: 'closed' }), SILENCE_MS);
          while (heard.length === 0) await new Promise((resolve) => { wake = resolve; });
          clearTimeout(silence);
          const message = heard.shift();
          if (message.type === 'closed') break; // the server restarts, or the network was lost: come back
          const missed = message.type === 'ping' && message.version !== version;
          const view = missed ? await ask('GET', `/matches/${match}`) : message.view;
          if (view && view.version > version) {
            version = view.version;
            yield view;
          }
        }
      } finally {
        channel.onclose = null;
        channel.close();
      }
    }
  }

  if (!token) {
    token = (await ask('POST', '/players', { name: 'Tea bot' })).token;
    await call('POST', '/players/me/bot'); // be honest, before the first match: programs are shown as bots
  }
  const { code } = await ask('POST', '/rooms', { target: null });
  const { match_id: match } = await ask('POST', `/rooms/${code}/bots`, { seat: 1, level: LEVEL });
  for await (const view of typeof WebSocket === 'undefined' ? polled(match) : followed(match, code)) {
    if (view.status === 'finished') return view.result;
    if (view.to_act === view.you.seat) {
      await call('POST', `/matches/${match}/moves`, { turn: view.turn, card: choose(view) });
    }
  }
}

/** The card that takes most, else the first one: put something better here. */
function choose({ you }) {
  const worth = ({ captures }) => captures[0].cards.length;
  return you.plays.reduce((best, play) => (worth(play) > worth(best) ? play : best)).card;
}

if (globalThis.process?.argv[1]?.endsWith('bot.mjs')) {
  console.log(JSON.stringify(await playOneRound(process.argv[2] ?? 'http://127.0.0.1:8000')));
}

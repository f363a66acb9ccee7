// A bot for Basra in one file: it makes a room, seats an easy bot, and plays one round.
//
//     node bot.mjs http://127.0.0.1:8000 classic
//
// It runs in Node, in browsers and wherever else there is `fetch`. Where there is no WebSocket (Node before 22) it asks
// again and again instead, which costs next to nothing as long as nothing is new.

const SILENCE_MS = 25_000; // there is a ping every 10 s: who hears nothing so long has no line any more
const wait = (seconds) => new Promise((resolve) => setTimeout(resolve, 1000 * seconds));
const longer = (pause) => Math.min(2 * pause, 16);

/** Plays one round at a server, and gives its result. */
export async function playOneRound(server, { rules = 'classic', token = null } = {}) {
  const base = `${server.replace(/\/$/, '')}/api/v1`;

  // Asks the API, one request at a time; what got lost is asked again, which is safe: a move counts once.
  async function call(method, path, body, headers = {}) {
    for (let pause = 1; ; pause = longer(pause)) {
      const lost = (error) => console.error(`${method} ${path}: ${error.message}, again in ${pause} s`);
      const answer = await fetch(base + path, {
        method,
        credentials: 'omit',
        headers: { 'Content-Type': 'application/json', ...(token && { Authorization: `Bearer ${token}` }), ...headers },
        body: body && JSON.stringify(body),
        signal: AbortSignal.timeout(10_000),
      }).catch(lost);
      const text = await answer?.text().catch(lost);
      if (text !== undefined && ![429, 502, 503, 504].includes(answer.status)) {
        // 304: nothing new. 409: things have moved on without this request, and the next view says where they are.
        if (!answer.ok && ![304, 409].includes(answer.status)) throw new Error(`${method} ${path}: ${text}`);
        return { tag: answer.headers.get('ETag'), body: text && JSON.parse(text) };
      }
      await wait(answer?.headers.get('Retry-After') ?? pause);
    }
  }
  const ask = async (...request) => (await call(...request)).body;

  // The room's match, as soon as there is one: where somebody takes part in the deal, that is a few seconds later.
  async function matchIn(code) {
    for (;; await wait(0.5)) {
      const { match_id: match } = await ask('GET', `/rooms/${code}`);
      if (match) return match;
    }
  }

  // The match as it goes on, asked for twice a second: 304 and no body while it is the same.
  async function* polled(match) {
    for (let last = '""'; ; await wait(0.5)) {
      const { tag, body } = await call('GET', `/matches/${match}`, undefined, { 'If-None-Match': last });
      last = tag;
      if (body) yield body;
    }
  }

  // The messages of one channel, until it ends.
  async function* messages(code) {
    const channel = new WebSocket(`${base.replace('http', 'ws')}/rooms/${code}/channel`);
    const heard = [];
    let wake = () => {};
    const hear = (message) => { heard.push(message); wake(); };
    channel.onopen = () => channel.send(JSON.stringify({ type: 'hello', token }));
    channel.onmessage = ({ data }) => hear(JSON.parse(data));
    channel.onerror = () => hear({ type: 'closed', code: 1006 });
    channel.onclose = (end) => hear({ type: 'closed', code: end.code, reason: end.reason });
    try {
      for (;;) {
        const silence = setTimeout(() => hear({ type: 'closed', code: 1006 }), SILENCE_MS);
        while (heard.length === 0) await new Promise((resolve) => { wake = resolve; });
        clearTimeout(silence);
        const message = heard.shift();
        yield message;
        if (message.type === 'closed') return;
      }
    } finally {
      channel.onclose = null;
      channel.close();
    }
  }

  // The match as it goes on, from the channel, and read anew whenever something was missed.
  async function* followed(match, code) {
    let version = 0;
    for (let pause = 1; ; pause = longer(pause)) {
      for await (const message of messages(code)) {
        const { type } = message;
        if (type === 'closed') {
          // Not allowed, or another channel has the seat: stay away. Else the server restarts, or the network was lost.
          const unwanted = [1008, 4000].includes(message.code);
          if (unwanted) throw new Error(`the channel was closed: ${message.code} ${message.reason}`);
          await wait(message.code === 1013 ? Math.max(pause, 5) : pause); // 1013: too many channels
        } else pause = 1;
        // A browser does not say why a channel was refused: the answer to this does.
        const missed = type === 'closed' || (type === 'ping' && message.version !== version);
        const view = missed ? await ask('GET', `/matches/${match}`) : message.view;
        if (view && view.version > version) {
          version = view.version;
          yield view;
        }
      }
    }
  }

  if (!token) {
    token = (await ask('POST', '/players', { name: 'Tea bot' })).token;
    await call('POST', '/players/me/bot'); // be honest, before the first match: programs are shown as bots
  }
  const { code } = await ask('POST', '/rooms', { target: null, rules });
  await call('POST', `/rooms/${code}/bots`, { seat: 1, level: 'easy' });
  const match = await matchIn(code);
  for await (const view of typeof WebSocket === 'undefined' ? polled(match) : followed(match, code)) {
    if (view.status === 'finished') return view.result;
    if (view.to_act !== view.you.seat) continue;
    const cut = { round: view.round.number, at: 26 }; // in the middle of the pack
    if (view.round.phase === 'cut') await call('POST', `/matches/${match}/cuts`, cut);
    else await call('POST', `/matches/${match}/moves`, { turn: view.turn, ...choose(view) });
  }
}

/** The play that takes most, else the first one: put something better here. */
function choose({ you }) {
  const taken = ({ captures }) => captures[0].cards;
  const best = you.plays.reduce((most, play) => (taken(play).length > taken(most).length ? play : most));
  return { card: best.card, capture: taken(best) };
}

if (globalThis.process?.argv[1]?.endsWith('bot.mjs')) {
  const [server = 'http://127.0.0.1:8000', rules] = process.argv.slice(2);
  try {
    console.log(JSON.stringify(await playOneRound(server, { rules })));
  } catch (error) {
    console.error(error.message);
    process.exit(1);
  }
}

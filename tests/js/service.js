// A service whose answers the test gives, in the place of the network.

const realFetch = window.fetch;
const RealSocket = window.WebSocket;

/**
 * `answers` is "METHOD /path" -> JSON, or a function of the body that gives it, perhaps later; `http` in it is the status, an Error is
 * a network that fails. Gives what was asked and the sockets that were opened.
 */
export function service(answers) {
  const asked = [];
  const sockets = [];
  window.fetch = async (url, init) => {
    if (!String(url).startsWith('/api/')) return realFetch(url, init); // a file of the page
    const { method, body } = init;
    const path = url.replace('/api/v1', '');
    asked.push(`${method} ${path}`);
    const given = answers[`${method} ${path.split('?')[0]}`];
    const answer = await (typeof given === 'function' ? given(body && JSON.parse(body)) : given);
    if (answer instanceof Error) throw answer;
    const { http = 200, ...json } = answer;
    return new Response(http === 204 ? null : JSON.stringify(json), { status: http });
  };
  window.WebSocket = class {
    constructor(url) {
      this.url = url;
      sockets.push(this);
    }

    close() {}

    hear(message) { this.onmessage({ data: JSON.stringify(message) }); }
  };
  return { asked, sockets };
}

export function endService() {
  window.fetch = realFetch;
  window.WebSocket = RealSocket;
}

export async function until(what, tries = 200) {
  for (let n = 0; n < tries; n += 1) {
    if (what()) return;
    await new Promise((done) => setTimeout(done, 10));
  }
  throw new Error(`never came: ${what}`);
}

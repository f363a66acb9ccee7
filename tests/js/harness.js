// A tiny test harness: test(name, act) registers, run() gives what failed. No dependency, no build step.

const tests = [];

/** Register a test; `act` may be async. */
export function test(name, act) {
  tests.push({ name, act });
}

/** Run everything that was registered; gives [{name, error}], error null for what passed. */
export async function run() {
  const results = [];
  for (const { name, act } of tests) {
    try {
      await act();
      results.push({ name, error: null });
    } catch (error) {
      results.push({ name, error: `${error.message}\n${error.stack}` });
    }
  }
  return results;
}

const show = (value) => JSON.stringify(value, (_, part) => (part instanceof Set ? [...part] : part));

/** The two are the same, seen as JSON. */
export function equal(actual, expected) {
  if (show(actual) !== show(expected)) throw new Error(`got ${show(actual)}, expected ${show(expected)}`);
}

export function ok(value, why = 'not true') {
  if (!value) throw new Error(why);
}

/** `act` throws an error whose message has `part` in it. */
export function throws(act, part) {
  try {
    act();
  } catch (error) {
    ok(error.message.includes(part), `threw ${error.message}`);
    return;
  }
  throw new Error('did not throw');
}

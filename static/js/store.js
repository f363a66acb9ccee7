// One state object. Changes are pure functions of it (state.js); listeners hear once after any number of changes.

export function createStore(initial) {
  let state = initial;
  let waiting = false;
  const listeners = new Set();

  function tell() {
    waiting = false;
    for (const listener of [...listeners]) listener(state);
  }

  return {
    get: () => state,

    /** Put `change(state, ...args)` in the place of the state. */
    change(change, ...args) {
      const next = change(state, ...args);
      if (next === state) return state;
      state = next;
      if (!waiting) {
        waiting = true;
        queueMicrotask(tell);
      }
      return state;
    },

    /** Call `listener(state)` after changes; gives the function that ends it. */
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

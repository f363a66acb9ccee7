import { equal, ok, test } from './harness.js';
import { workerAddress } from '/static/js/worker.js';

test('the policy gives one address, whatever it is asked for', () => {
  const made = [];
  const trustedTypes = {
    createPolicy: (name, rules) => {
      made.push(name);
      return { createScriptURL: () => rules.createScriptURL('https://evil.example/x.js') };
    },
  };
  equal([workerAddress({ trustedTypes }), made], ['/sw.js', ['basra']]);
  equal(workerAddress({}), '/sw.js');
});

test('the browser takes what the policy makes', () => {
  const address = workerAddress(window);
  ok(!window.trustedTypes || window.trustedTypes.isScriptURL(address));
  equal(String(address), '/sw.js');
});

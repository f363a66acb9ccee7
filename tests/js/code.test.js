import { equal, test } from './harness.js';
import { readCode, readTransfer } from '/static/js/code.js';

const cases = await (await fetch('/tests/codes.json')).json();

test('a code is read out of what people paste, as the server reads it', () => {
  equal(cases.map(([text]) => [text, readCode(text)]), cases);
});

test('a code of another device is read out of what people paste', () => {
  const code = 'ABCD-EFGH-JKMN';
  const pasted = ['abcdefghjkmn', 'ABCD EFGH JKMN', `Code: ${code}.`, `https://basra.example/move#${code}%D8%8C`, `\u200f${code}\u200e`, 'ＡＢＣＤ－ＥＦＧＨ－ＪＫＭＮ'];
  equal(pasted.map(readTransfer), pasted.map(() => code));
  equal([' abcd-ef ', '%', 'ABCD-EFGH-JKMNP'].map(readTransfer), ['abcd-ef', '%', 'ABCD-EFGH-JKMNP']);
});

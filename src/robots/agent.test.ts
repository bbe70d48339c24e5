import assert from 'node:assert/strict';
import { test } from 'node:test';
import { lineTokens, productToken } from './agent.ts';

test('product token: found in every usual form of a User-Agent', () => {
  const table = {
    Orbweaver: 'orbweaver',
    'Orbweaver/0.1': 'orbweaver',
    'Orbweaver/0.1 (+https://a.example)': 'orbweaver',
    'Mozilla/5.0 (compatible; Orbweaver/0.1; +https://a.example)': 'orbweaver',
    'Mozilla/5.0 AppleWebKit/537.36 (KHTML, like Gecko; compatible; x) Chrome/1 Safari/2 Own-Bot/3':
      'own-bot',
    'Mozilla/5.0 (Linux) AppleWebKit/5 (KHTML) Chrome/9 (compatible; Googlebot/2.1)': 'googlebot',
    'Mozilla/5.0 (X11; Linux) Gecko/20100101 Firefox/1.0': 'mozilla',
    Mozilla: 'mozilla',
    MJ12bot: 'mj12bot',
    '*': '*',
    '': '',
    '(?)': '',
  };
  for (const [agent, token] of Object.entries(table)) assert.equal(productToken(agent), token);
});

test('User-agent line: one name, several names, a version, everybody', () => {
  assert.deepEqual(lineTokens('FooBot/2.1'), ['foobot']);
  assert.deepEqual(lineTokens('One, Two Three'), ['one', 'two', 'three']);
  assert.deepEqual(lineTokens('*'), ['*']);
  assert.deepEqual(lineTokens(''), []);
  assert.deepEqual(lineTokens('Mozilla/5.0 (compatible; Orbweaver/1; x)'), ['orbweaver']);
});

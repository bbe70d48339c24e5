import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '../../adapters/node/index.ts';
import { TokenBook } from './token-book.ts';
import { newTokenEntry, writeTokens } from './tokens.ts';

const entry = (name: string) => newTokenEntry(name, ['read'], `secret ${name}`, '2026-01-01');

test('token book: who is taken out of the file is out, who is put in is in, without a restart', async () => {
  let text: string | undefined = writeTokens([entry('ann'), entry('bob')]);
  const problems: string[] = [];
  const book = await TokenBook.open({
    ...{ path: 'tokens.json', clock: systemClock(), read: async () => text },
    onProblem: (error) => problems.push((error as Error).message),
  });
  const list = book.entries;
  const names = () => list.map(({ name }) => name);
  assert.deepEqual(names(), ['ann', 'bob']);
  text = writeTokens([entry('bob'), entry('eve')]);
  await book.look();
  assert.deepEqual(names(), ['bob', 'eve'], 'the list that others hold has changed');
  text = '{"tokens": [{"name"';
  await book.look();
  await book.look();
  assert.deepEqual([names(), problems.length], [['bob', 'eve'], 1], 'a slip changes nothing');
  text = undefined;
  await book.look();
  assert.deepEqual(names(), [], 'a file that is gone takes all of them with it');
});

test('token book: a file that is none of tokens: not opened', async () => {
  const parts = { path: 'tokens.json', clock: systemClock(), onProblem: () => undefined };
  await assert.rejects(TokenBook.open({ ...parts, read: async () => 'nonsense' }), {
    code: 'E_CONFIG',
  });
});

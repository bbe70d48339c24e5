import assert from 'node:assert/strict';
import { test } from 'node:test';
import { dueIndexContract, dueTruthContract } from '../../ports/due-index.contract.ts';
import { urlKeyOf } from '../../record/index.ts';
import { arcOf } from '../../url/index.ts';
import { MemoryDueServer } from './due-index.ts';
import { MemoryShardStore } from './shard-store.ts';

dueIndexContract('memory', async () => {
  const server = new MemoryDueServer();
  const [one, two] = [server.connect('1'), server.connect('2')];
  return { one, two, forget: async () => server.flush() };
});

dueTruthContract('memory', async () => {
  return { store: new MemoryShardStore(), close: async () => undefined };
});

test('memory due-index: promise 6: away, all is lost and cannot be filled; back, it knows', async () => {
  const server = new MemoryDueServer();
  const index = server.connect('1');
  const key = urlKeyOf('http://a.example/');
  const [range, arc] = [{ from: 0, until: 1e13, limit: 10 }, arcOf(key)];
  const [found] = (await index.due(range, [arc])).lost;
  assert.ok(found !== undefined && (await index.fill(found, [], true)));
  server.isAway = true;
  index.note([{ key, at: 7 }]);
  const away = { rows: [], lost: [{ arc, loss: undefined }] };
  assert.deepEqual(await index.due(range, [arc]), away);
  assert.equal(await index.fill(found, [], true), false);
  server.isAway = false;
  assert.deepEqual(await index.due(range, [arc]), { rows: [{ at: 7, key }], lost: [] });
});

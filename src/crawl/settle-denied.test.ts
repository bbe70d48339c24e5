/** A page that is denied while its visit is being written (G1). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  MemoryBlobStore,
  MemoryEventLog,
  MemoryNearIndex,
  MemoryShardStore,
  openMemoryFilter,
} from '../adapters/memory/index.ts';
import { localOwnership } from '../adapters/memory/ownership.ts';
import { Rules } from '../comply/index.ts';
import { Frontier, POLITE } from '../frontier/index.ts';
import { NO_TOTALS } from '../ports/shard-store.ts';
import { queuedRecord } from '../record/index.ts';
import { seedMention, waitingFrom } from './admit.ts';
import { Settling } from './settle.ts';

const NOW = Date.UTC(2026, 10, 15);

test('denied while it is settled: its own body is not taken for one that another page needs', async () => {
  const denials = new Rules();
  let letGo = (): void => undefined;
  const blobs = new MemoryBlobStore();
  const slow = {
    ...{ get: blobs.get.bind(blobs), sync: blobs.sync.bind(blobs), close: blobs.close.bind(blobs) },
    put: async (bodies: Parameters<MemoryBlobStore['put']>[0]) => {
      await new Promise<void>((done) => {
        letGo = done;
      });
      return blobs.put(bodies);
    },
  };
  const settling = new Settling(
    {
      clock: { now: () => NOW, sleepUntil: async () => undefined },
      ...{ store: new MemoryShardStore(), blobs: slow, near: new MemoryNearIndex() },
      ...{ events: new MemoryEventLog(), denials, ownership: localOwnership() },
      filter: openMemoryFilter({ expectedKeys: 1_000, falsePositiveRate: 0.01, complete: true }),
    },
    new Frontier(POLITE, 70_000, () => 0.5),
    NO_TOTALS,
  );
  const endingOf = (url: string, text: string) => {
    const waiting = waitingFrom(seedMention(url, 'page', 0.5), 0, NOW);
    const hash = Buffer.alloc(32, text);
    const record = { ...queuedRecord(waiting), state: 'indexed' as const, contentHash: hash };
    const body = { hash, bytes: Buffer.from(text) };
    return { settled: { waiting, record }, body, candidates: [], change: {} };
  };
  const written = [
    settling.add(endingOf('http://a.example/gone', 'mine')),
    settling.add(endingOf('http://a.example/other', 'other')),
  ];
  await new Promise(setImmediate);
  const said = { reason: 'r', by: 'b', at: new Date(NOW).toISOString(), erases: true };
  denials.add({ kind: 'url', value: 'http://a.example/gone', ...said });
  const watch = settling.watch();
  letGo();
  await Promise.all(written);
  assert.deepEqual([...watch.seen.hashes], [Buffer.alloc(32, 'other').toString('hex')]);
});

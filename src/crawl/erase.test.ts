/** Pages of an app: one shell for all of them, and of each what a browser made of it (J1, G2). */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import {
  MemoryBlobStore,
  MemoryComplyStore,
  MemoryEventLog,
  MemoryNearIndex,
  MemoryShardStore,
} from '../adapters/memory/index.ts';
import { DAY_MS } from '../base/instant.ts';
import { Rules } from '../comply/index.ts';
import type { FetchEvent } from '../events/index.ts';
import { NOTHING } from '../ports/shard-store.ts';
import { encodeTrace, FLAGS, queuedRecord, withRendering } from '../record/index.ts';
import { formatUrlHash } from '../url/index.ts';
import { seedMention, waitingFrom } from './admit.ts';
import { Compliance } from './comply.ts';
import { quietDesk } from './comply-desk.ts';
import { Watch } from './watch.ts';

const NOW = Date.UTC(2026, 10, 15);
const WHY = { reason: 'ticket 4711', by: 'anna', erase: true };
const [ONE, TWO, PLAIN] = ['one', 'two', 'plain'].map((path) => `http://app.example/${path}`);
const [SHELL, PICTURE] = ['<div id=app></div>', 'the same picture'];

const hashOf = (text: string) => createHash('sha256').update(text).digest();

async function app() {
  const ports = {
    ...{ store: new MemoryShardStore(), blobs: new MemoryBlobStore(), near: new MemoryNearIndex() },
    ...{ events: new MemoryEventLog(), comply: new MemoryComplyStore() },
    clock: { now: () => NOW, sleepUntil: async () => undefined },
    purge: async () => undefined,
    canonical: { stripWww: false },
  };
  const compliance = await Compliance.open(
    { ...ports, records: ports.store },
    quietDesk(ports.store),
  );
  const has = async (text: string) => (await ports.blobs.get(hashOf(text))) !== undefined;
  return { ...ports, compliance, has };
}

type Ports = Awaited<ReturnType<typeof app>>;

/** A page whose record names what was read; `others` are what it is kept as besides. */
async function addPage(ports: Ports, url = '', read: string, others: string[] = [], at = NOW) {
  const { store, blobs, events } = ports;
  const settled = settledOf(url, read, others, at);
  const texts = [read, ...others];
  await blobs.put(texts.map((text) => ({ hash: hashOf(text), bytes: Buffer.from(text) })));
  await store.commit({
    ...NOTHING,
    admitted: [{ waiting: settled.waiting, maybeKnown: true }],
  });
  await store.commit({ ...NOTHING, settled: [settled], change: { waiting: -1, fetched: 1 } });
  const told = { v: 1, id: url, kind: 'page', url, host: 'app.example', endedAt: at };
  const [contentHash, ...otherHashes] = texts.map((text) => formatUrlHash(hashOf(text)));
  await events.publish([{ ...told, contentHash, otherHashes } as unknown as FetchEvent]);
}

function settledOf(url: string, read: string, others: string[], at = NOW) {
  const waiting = waitingFrom(seedMention(url, 'page', 0.5), 0, NOW);
  const [sent = '', screenshot] = others.map((text) => hashOf(text).toString('hex'));
  const plain = encodeTrace({}, { targets: [], texts: '', rels: {}, kinds: {} });
  const rendering = { sent, requests: 1, ms: 1, ...(screenshot && { screenshot }) };
  const isRendered = others.length > 0;
  const record = {
    ...queuedRecord(waiting),
    ...{ state: 'indexed' as const, contentHash: hashOf(read), lastFetchedAt: at },
    flags: isRendered ? FLAGS.rendered : 0,
  };
  return { waiting, record, trace: isRendered ? withRendering(plain, {}, rendering) : plain };
}

test('erase: the shell and the picture of an app page stay while another page has them', async () => {
  const all = await app();
  await addPage(all, ONE, 'one, rendered', [SHELL, PICTURE]);
  await addPage(all, TWO, 'two, rendered', [SHELL, PICTURE]);
  const first = await all.compliance.takeDown({ ...WHY, url: ONE as string });
  assert.equal(first.removed.bodies, 1);
  assert.match(first.kept.join('; '), /2 bodies, because other URLs have the same content/);
  assert.deepEqual(
    await Promise.all(['one, rendered', 'two, rendered', SHELL, PICTURE].map(all.has)),
    [false, true, true, true],
  );
  const last = await all.compliance.takeDown({ ...WHY, url: TWO as string });
  assert.equal(last.removed.bodies, 3, 'the last one takes everything along');
});

test('erase: a page that was read as it was sent keeps the shell of an app, and the other way', async () => {
  for (const [gone, left] of [
    [ONE, PLAIN],
    [PLAIN, ONE],
  ]) {
    const all = await app();
    await addPage(all, ONE, 'one, rendered', [SHELL]);
    await addPage(all, PLAIN, SHELL);
    await all.compliance.takeDown({ ...WHY, url: gone as string });
    assert.ok(await all.has(SHELL), `${left} needs it`);
    await all.compliance.takeDown({ ...WHY, url: left as string });
    assert.ok(!(await all.has(SHELL)));
  }
});

test('erase: what a browser made of a page goes, also when the log has forgotten it', async () => {
  const all = await app();
  await addPage(all, ONE, 'one, rendered', [SHELL, PICTURE]);
  await all.events.scrub(
    () => true,
    (event) => ({ ...event, contentHash: '', otherHashes: [] }),
  );
  const { removed } = await all.compliance.takeDown({ ...WHY, url: ONE as string });
  assert.equal(removed.bodies, 3);
});

test('retention: a shell stays while a page that is not due has it', async () => {
  const all = await app();
  await addPage(all, ONE, 'one, rendered', [SHELL], NOW - 10 * DAY_MS);
  await addPage(all, TWO, 'two, rendered', [SHELL], NOW - DAY_MS);
  const policy = { bodiesMs: 5 * DAY_MS, headersMs: 0, eventsMs: 0 };
  assert.equal((await all.compliance.retain(policy)).bodies, 1);
  assert.ok(await all.has(SHELL));
});

test('watch: a page that is rendered meanwhile needs its shell and its picture, too', () => {
  const watch = new Watch();
  watch.note([settledOf(TWO as string, 'two, rendered', [SHELL, PICTURE])], new Rules());
  const names = ['two, rendered', SHELL, PICTURE].map((text) => hashOf(text).toString('hex'));
  assert.deepEqual([...watch.hashes], names);
});

/** Erasing by several nodes, on engines in memory: each its own arcs, whoever dies or joins. */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import {
  MemoryBlobStore,
  MemoryComplyStore,
  MemoryEraseLedger,
  MemoryEventLog,
  MemoryNearIndex,
  MemoryShardStore,
} from '../adapters/memory/index.ts';
import { DAY_MS } from '../base/instant.ts';
import type { AuditLine, RetentionPolicy } from '../comply/index.ts';
import { NOTHING } from '../ports/shard-store.ts';
import { NotOurs } from '../ports/tenures.ts';
import { encodeTrace, FLAGS, queuedRecord, type UrlRecord, urlKeyOf } from '../record/index.ts';
import { ARCS, arcOf, covers } from '../url/index.ts';
import { seedMention, waitingFrom } from './admit.ts';
import { Compliance } from './comply.ts';
import { quietDesk } from './comply-desk.ts';
import type { EraseDesk } from './erase.ts';
import { eraseByAll } from './erase-asked.ts';
import { ClusterErasing } from './erase-cluster.ts';

const NOW = Date.UTC(2026, 10, 16);
const WHY = { reason: 'ticket 4711', by: 'anna', erase: true };
const ALL = Array.from({ length: ARCS }, (_, arc) => arc);
const [LOW, HIGH] = [ALL.slice(0, ARCS / 2), ALL.slice(ARCS / 2)] as [number[], number[]];
const KEPT: RetentionPolicy = { bodiesMs: 0, headersMs: 0, eventsMs: 0 };

const hashOf = (text: string) => createHash('sha256').update(text).digest();

/** One engine of each kind, and nodes that share them. */
function cluster(policy = KEPT) {
  const ports = {
    ...{ store: new MemoryShardStore(), blobs: new MemoryBlobStore(), near: new MemoryNearIndex() },
    ...{ comply: new MemoryComplyStore(), purge: async () => undefined },
    clock: { now: () => NOW, sleepUntil: () => new Promise<void>((done) => setImmediate(done)) },
    canonical: { stripWww: false },
  };
  const log = new MemoryEventLog();
  // A topic: nothing in it can be changed.
  const events = {
    publish: (told: Parameters<typeof log.publish>[0]) => log.publish(told),
    ...{ read: () => log.read(), close: async () => undefined },
  };
  const whole = { ...ports, events, records: ports.store, isShared: true };
  const ledger = new MemoryEraseLedger();
  const join = async (arcs: number[], more: Partial<EraseDesk> = {}) => {
    const held = { arcs, holds: (arc: number) => held.arcs.includes(arc) };
    const isOurs = (key: Uint8Array) => held.arcs.some((arc) => covers(arc, key));
    const quiet = quietDesk(ports.store);
    const commit: EraseDesk['commit'] = async (erased) => {
      const lost = erased.filter(({ key }) => !isOurs(key));
      if (lost.length > 0) throw new NotOurs(lost.map(({ key }) => arcOf(key)));
      await quiet.commit(erased);
    };
    const desk = { ...quiet, commit, ...more };
    const compliance = await Compliance.open(whole, desk);
    const erasing = new ClusterErasing({
      ...{ compliance, ledger, desk, arcs: held, policy, clock: ports.clock },
      portsFor: () => whole,
      onTrouble: () => undefined,
    });
    const look = async () => {
      await compliance.refresh();
      erasing.wake();
    };
    return { compliance, erasing, held, look, ledger, clock: ports.clock };
  };
  return {
    ...ports,
    events,
    ledger,
    join,
    add: (url: string, text: string) => add(ports, url, text),
  };
}

type Ports = Pick<ReturnType<typeof cluster>, 'store' | 'blobs'>;

async function add({ store, blobs }: Ports, url: string, text: string, at = NOW) {
  const waiting = waitingFrom(seedMention(url, 'page', 0.5), 0, NOW);
  await store.commit({ ...NOTHING, admitted: [{ waiting, maybeKnown: true }] });
  await blobs.put([{ hash: hashOf(text), bytes: Buffer.from(text) }]);
  const more = { state: 'indexed', title: text, contentHash: hashOf(text), lastFetchedAt: at };
  const record = { ...queuedRecord(waiting), ...more } as UrlRecord;
  const trace = encodeTrace({}, { targets: [], texts: '', rels: {}, kinds: {} });
  const change = { waiting: -1, fetched: 1 };
  await store.commit({ ...NOTHING, settled: [{ waiting, record, trace }], change });
}

/** Hosts of a site in both halves of the circle. */
function hostsOf(arcs: readonly number[], count: number): string[] {
  const names = Array.from({ length: 200 }, (_, i) => `h${i}.a.example`);
  const isThere = (host: string) => arcs.includes(arcOf(urlKeyOf(`http://${host}/`)));
  return names.filter(isThere).slice(0, count);
}

async function trailOf(compliance: Compliance): Promise<AuditLine[]> {
  const lines: AuditLine[] = [];
  for await (const line of compliance.trail()) lines.push(line);
  return lines;
}

async function turns(count = 50): Promise<void> {
  for (let i = 0; i < count; i++) await new Promise((done) => setImmediate(done));
}

test('erase by two nodes: nothing before both have seen it; each its own part; one line for all', async () => {
  const all = cluster();
  const urls = [...hostsOf(LOW, 2), ...hostsOf(HIGH, 3)].map((host) => `http://${host}/page`);
  for (const url of urls) await all.add(url, `says ${url}`);
  await all.add('http://other.example/', 'of another');
  await all.add('http://copy.example/', `says ${urls[0]}`);
  const [one, two] = [await all.join(LOW), await all.join(HIGH)];
  const asked = eraseByAll(one, { ...WHY, host: 'a.example', subdomains: true });
  await turns();
  await one.look();
  await turns();
  const [first] = await all.store.urls([urlKeyOf(urls[0] as string)]);
  assert.equal(first?.title, `says ${urls[0]}`, 'the other node does not know of it yet');
  await two.look();
  const report = await asked;
  assert.deepEqual(report.removed, { records: 5, bodies: 4, events: 0 });
  assert.match(report.kept.join('; '), /1 bodies, because other URLs have the same content/);
  for (const record of await all.store.urls(urls.map(urlKeyOf))) {
    assert.deepEqual([record?.title, (record?.flags ?? 0) & FLAGS.erased], ['', FLAGS.erased]);
  }
  assert.ok(await all.blobs.get(hashOf('of another')));
  assert.ok(await all.blobs.get(hashOf(`says ${urls[0]}`)), 'its copy has it');
  assert.equal(await all.blobs.get(hashOf(`says ${urls[1]}`)), undefined);
  const trail = await trailOf(two.compliance);
  assert.deepEqual(
    trail.map(({ phase, of, outcome }) => [phase, of, outcome]),
    [
      ['intent', undefined, undefined],
      ['done', 1, 'erased 5 records, 4 bodies, 0 events; never asked again'],
    ],
  );
  await Promise.all([one.erasing.stop(), two.erasing.stop()]);
});

test('erase: a node dies in the middle: what it had is ended by whoever has its arcs', async () => {
  const all = cluster();
  const urls = hostsOf(HIGH, 4).map((host) => `http://${host}/page`);
  for (const url of urls) await all.add(url, `says ${url}`);
  const one = await all.join(LOW);
  const dead = await all.join(HIGH, { commit: () => new Promise(() => undefined) });
  const asked = eraseByAll(one, { ...WHY, pattern: 'http://h*.a.example/*' });
  await turns();
  await Promise.all([one.look(), dead.look()]);
  await turns();
  assert.equal(await all.blobs.get(hashOf(`says ${urls[0]}`)), undefined, 'it had begun');
  one.held.arcs = ALL;
  dead.held.arcs = [];
  const report = await asked;
  assert.equal(report.removed.records, 4);
  for (const record of await all.store.urls(urls.map(urlKeyOf))) assert.equal(record?.title, '');
  await one.erasing.stop();
});

test('erase: a node that starts goes on with what nobody ended', async () => {
  const all = cluster();
  const [host = ''] = hostsOf(LOW, 1);
  await all.add(`http://${host}/1`, 'one');
  const command = await all.join([]);
  await command.compliance.begin({ ...WHY, host });
  const node = await all.join(ALL);
  await node.look();
  await turns();
  assert.deepEqual(node.compliance.deeds, []);
  assert.equal((await all.store.urls([urlKeyOf(`http://${host}/1`)]))[0]?.title, '');
  await node.erasing.stop();
});

test('erase: a page of another node gets the same body meanwhile: it is put back', async () => {
  const all = cluster();
  const [host = ''] = hostsOf(LOW, 1);
  await all.add(`http://${host}/1`, 'the same');
  const remove = all.blobs.remove.bind(all.blobs);
  all.blobs.remove = async (hashes) => {
    await all.add('http://late.example/', 'the same');
    return remove(hashes);
  };
  const node = await all.join(ALL);
  const asked = eraseByAll(node, { ...WHY, url: `http://${host}/1` });
  await turns();
  await node.look();
  assert.deepEqual((await asked).removed, { records: 1, bodies: 0, events: 0 });
  assert.equal((await all.blobs.get(hashOf('the same')))?.toString(), 'the same');
  await node.erasing.stop();
});

test('erase: what is being erased is not lifted; what is held, or a region, is refused', async () => {
  const all = cluster();
  const node = await all.join([]);
  const host = 'a.example';
  await node.compliance.begin({ ...WHY, host });
  const lifted = await node.compliance.lift({ ...WHY, host });
  assert.equal(lifted.refused, 'it is being erased');
  await node.compliance.hold({ ...WHY, host: 'b.example', release: false });
  assert.match((await eraseByAll(node, { ...WHY, host: 'b.example' })).refused ?? '', /legal hold/);
  await assert.rejects(eraseByAll(node, { ...WHY, region: 'eu' }), /region cannot be erased/);
});

test('retention by two nodes: begun once, each its own part, said in one line', async () => {
  const all = cluster({ bodiesMs: DAY_MS, headersMs: DAY_MS, eventsMs: 0 });
  const [low = '', high = ''] = [...hostsOf(LOW, 1), ...hostsOf(HIGH, 1)];
  const old = NOW - 2 * DAY_MS;
  await add(all, `http://${low}/old`, 'old one', old);
  await add(all, `http://${high}/old`, 'old two', old);
  await add(all, `http://${high}/new`, 'new', NOW);
  const [one, two] = [await all.join(LOW), await all.join(HIGH)];
  const begun = await Promise.all([one, two].map((n) => n.compliance.beginRetention()));
  assert.equal(begun.filter((line) => line !== undefined).length, 1);
  await Promise.all([one.look(), two.look()]);
  await turns();
  const outcomes = (await trailOf(one.compliance)).map(({ outcome }) => outcome);
  assert.deepEqual(outcomes, [undefined, 'let go of 2 bodies, headers of 2 pages']);
  assert.equal(await all.blobs.get(hashOf('old two')), undefined);
  assert.ok(await all.blobs.get(hashOf('new')));
  await Promise.all([one.erasing.stop(), two.erasing.stop()]);
});

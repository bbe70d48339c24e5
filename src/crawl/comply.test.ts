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
import { CHAIN_START, lineOf } from '../comply/index.ts';
import type { FetchEvent } from '../events/index.ts';
import { NOTHING } from '../ports/shard-store.ts';
import { encodeTrace, FLAGS, type UrlRecord, urlKeyOf } from '../record/index.ts';
import { formatUrlHash } from '../url/index.ts';
import { seedMention, waitingFrom } from './admit.ts';
import { Compliance } from './comply.ts';
import type { TakedownQuery } from './comply-answers.ts';
import { quietDesk } from './comply-desk.ts';

const NOW = Date.UTC(2026, 10, 15);
const WHY = { reason: 'ticket 4711', by: 'anna' };

const PAGES: Readonly<Record<string, string>> = {
  'http://a.example/1': 'only here',
  'http://a.example/2': 'at two places',
  'http://b.example/2': 'at two places',
  'http://a.example:8080/3': 'another port',
  'http://sub.a.example/4': 'below it',
};

async function folder() {
  const ports = {
    ...{ store: new MemoryShardStore(), blobs: new MemoryBlobStore(), near: new MemoryNearIndex() },
    ...{ events: new MemoryEventLog(), comply: new MemoryComplyStore() },
    clock: { now: () => NOW, sleepUntil: async () => undefined },
    purged: [] as string[],
    purge: async () => undefined,
    canonical: { stripWww: false },
  };
  for (const [url, text] of Object.entries(PAGES)) await addPage(ports, url, text);
  const whole = { ...ports, records: ports.store };
  const desk = quietDesk(ports.store);
  const open = () => Compliance.open(whole, desk);
  return { ...whole, desk, open, compliance: await open() };
}

type Ports = Pick<Awaited<ReturnType<typeof folder>>, 'store' | 'blobs' | 'near' | 'events'>;

async function addPage({ store, blobs, near, events }: Ports, url: string, text: string) {
  const waiting = waitingFrom(seedMention(url, 'page', 0.5), 0, NOW);
  await store.commit({ ...NOTHING, admitted: [{ waiting, maybeKnown: true }] });
  const [known] = await store.urls([waiting.key]);
  const bytes = Buffer.from(text);
  const contentHash = createHash('sha256').update(bytes).digest();
  const [isNew] = await blobs.put([{ hash: contentHash, bytes }]);
  const simhash = contentHash.readBigUInt64BE(0);
  const more = { state: 'indexed', title: `title of ${text}`, contentHash, simhash, pairs: 1n };
  const record = { ...known, ...more, flags: isNew ? 0 : FLAGS.alias } as UrlRecord;
  const columns = { targets: ['http://c.example/'], texts: 'link', rels: {}, kinds: {} };
  const trace = encodeTrace({}, columns);
  const change = { waiting: -1, fetched: 1, copies: isNew ? 0 : 1 };
  await store.commit({ ...NOTHING, settled: [{ waiting, record, trace }], change });
  await near.write([{ key: waiting.key, simhash, pairs: 1n }], []);
  const told = { v: 1, id: url, kind: 'page', url, host: 'a.example', title: text };
  await events.publish([{ ...told, contentHash: formatUrlHash(contentHash) } as FetchEvent]);
}

function erasing(subject: Partial<TakedownQuery>): TakedownQuery {
  return { ...WHY, ...subject, erase: true };
}

async function recordOf({ store }: Ports, url: string): Promise<UrlRecord> {
  return (await store.urls([urlKeyOf(url)]))[0] as UrlRecord;
}

function bodyOf({ blobs }: Ports, url: string): Promise<Uint8Array | undefined> {
  return blobs.get(
    createHash('sha256')
      .update(PAGES[url] as string)
      .digest(),
  );
}

test('erase: record, body, links, fingerprint and events of a URL, and nothing of another', async () => {
  const all = await folder();
  const [url, other] = ['http://a.example/1', 'http://a.example/2'];
  const { simhash } = await recordOf(all, url);
  const report = await all.compliance.takeDown(erasing({ url }));
  assert.deepEqual(report.removed, { records: 1, bodies: 1, events: 1 });
  assert.equal((await recordOf(all, url)).title, '');
  assert.equal(await bodyOf(all, url), undefined);
  assert.equal(await all.store.trace(urlKeyOf(url)), undefined);
  const probe = { key: urlKeyOf('http://x.example/'), simhash, pairs: 1n };
  assert.deepEqual(await all.near.find([probe]), [undefined]);
  for await (const { event } of all.events.read()) assert.notEqual(event.title, PAGES[url]);
  assert.ok((await recordOf(all, other)).title);
  assert.ok(await bodyOf(all, other));
  assert.equal(all.compliance.denials.meets(url)?.by, 'anna');
  const { totals } = await all.store.commit(NOTHING);
  assert.deepEqual([totals.fetched, totals.skipped, totals.waiting], [4, 1, 0]);
});

test('erase: bodies of earlier visits, which only the log names, go as well', async () => {
  const all = await folder();
  const url = 'http://a.example/1';
  const earlier = Buffer.from('what it said before');
  const hash = createHash('sha256').update(earlier).digest();
  await all.blobs.put([{ hash, bytes: earlier }]);
  const told = { v: 1, id: 'before', kind: 'page', url, host: 'a.example' };
  await all.events.publish([{ ...told, contentHash: formatUrlHash(hash) } as FetchEvent]);
  const record = { ...(await recordOf(all, url)), changes: 1 };
  const waiting = waitingFrom(seedMention(url, 'page', 0.5), 0, NOW);
  await all.store.commit({ ...NOTHING, settled: [{ waiting, record }] });
  const { removed } = await all.compliance.takeDown(erasing({ url }));
  assert.deepEqual(removed, { records: 1, bodies: 2, events: 2 });
  assert.equal(await all.blobs.get(hash), undefined);
});

test('erase: a body that another URL has stays, and the report says so, until that goes, too', async () => {
  const all = await folder();
  const [first, second] = ['http://a.example/2', 'http://b.example/2'];
  const report = await all.compliance.takeDown(erasing({ url: first }));
  assert.equal(report.removed.bodies, 0);
  assert.match(report.kept.join('; '), /1 bodies, because other URLs have the same content/);
  assert.ok(await bodyOf(all, first));
  const last = await all.compliance.takeDown(erasing({ url: second }));
  assert.equal(last.removed.bodies, 1);
  assert.equal(await bodyOf(all, second), undefined);
});

test('erase: by host with all ports, with those below it, and by pattern', async () => {
  const counted = async (subject: Partial<TakedownQuery>) =>
    (await (await folder()).compliance.takeDown(erasing(subject))).removed.records;
  assert.equal(await counted({ host: 'a.example' }), 3);
  assert.equal(await counted({ host: 'a.example:8080' }), 1);
  assert.equal(await counted({ host: 'a.example', subdomains: true }), 4);
  assert.equal(await counted({ pattern: 'http://*.example/2' }), 2);
  assert.equal(await counted({ url: 'http://nowhere.example/' }), 0);
});

test('hold: an erasure of what is held is refused and audited; released, it is done', async () => {
  const all = await folder();
  const { compliance } = all;
  const url = 'http://a.example/1';
  await compliance.hold({ host: 'a.example', reason: 'case 12', by: 'judge', release: false });
  const refused = await compliance.takeDown(erasing({ url }));
  assert.match(refused.refused ?? '', /under legal hold by judge since 2026-11-15: case 12/);
  assert.ok((await recordOf(all, url)).title);
  assert.equal(compliance.denials.meets(url), undefined);
  const wide = await compliance.takeDown(erasing({ host: 'a.example', subdomains: true }));
  assert.equal(wide.removed.records, 1, 'what is below the host is not held');
  assert.match(wide.kept.join('; '), /3 records, because they are under legal hold/);
  const part = await compliance.takeDown(erasing({ pattern: '*.example/*' }));
  assert.deepEqual(part.removed.records, 1, 'what is neither held nor gone already');
  assert.match(part.kept.join('; '), /2 records, because they are under legal hold/);
  const end = { host: 'a.example', reason: 'closed', by: 'judge', release: true };
  await compliance.hold(end);
  assert.match((await compliance.hold(end)).refused ?? '', /no such hold/);
  assert.equal((await compliance.takeDown(erasing({ url }))).removed.records, 1);
  const phases: string[] = [];
  for await (const { action, phase } of compliance.trail()) phases.push(`${action} ${phase}`);
  assert.deepEqual(phases.slice(0, 3), ['hold done', 'erase refused', 'erase intent']);
  assert.deepEqual(await compliance.verify(), { lines: 10, pending: 0 });
});

test('killed after the intent: denied at the next start, and ended by it', async () => {
  const all = await folder();
  const url = 'http://a.example/1';
  const subject = { kind: 'url', value: url } as const;
  const entry = { ...WHY, at: '2026-11-15T00:00:00.000Z', action: 'erase', subject } as const;
  const [line] = lineOf({ ...entry, phase: 'intent' }, CHAIN_START);
  await all.comply.append(line, 1);
  const next = await all.open();
  assert.ok(next.denials.meets(url), 'denied before it is erased');
  assert.equal((await next.verify()).pending, 1);
  assert.equal(await next.finish(), 1);
  assert.equal((await recordOf(all, url)).title, '');
  assert.deepEqual(await next.verify(), { lines: 2, pending: 0 });
  assert.equal(await (await all.open()).finish(), 0);
});

test('verify: lines changed, removed, moved, added or cut from the end are named', async () => {
  const all = await folder();
  const { compliance } = all;
  for (const host of ['x.example', 'y.example', 'z.example']) {
    await compliance.complain({ host, text: 'too fast', by: 'them', optOut: false });
  }
  const { lines } = all.comply;
  const whole = [...lines];
  const [one, two, three] = whole as [string, string, string];
  const forged = lineOf(
    { ...WHY, at: '', action: 'release', phase: 'done', subject: { kind: 'host', value: 'q' } },
    { seq: 3, hash: JSON.parse(three).hash },
  )[0];
  const cases: readonly (readonly [string[], number | undefined])[] = [
    [whole, undefined],
    [[one, two.replace('y.example', 'q.example'), three], 2],
    [[one, three], 2],
    [[one, three, two], 2],
    [[one, two], 3],
    [[], 1],
    [[one, two, three, forged], 4],
  ];
  for (const [given, bad] of cases) {
    lines.splice(0, lines.length, ...given);
    assert.equal((await compliance.verify()).bad?.line, bad, JSON.stringify(given).slice(0, 80));
  }
});

test('complaints: recorded and counted; with an opt-out the host is denied for ever', async () => {
  const all = await folder();
  const ask = { host: 'a.example', text: 'stop\n=HYPERLINK("x")', by: 'owner', optOut: true };
  const report = await all.compliance.complain(ask);
  assert.deepEqual([report.total, report.optedOut], [1, true]);
  assert.equal(all.comply.lines.length, 3);
  for (const line of all.comply.lines) assert.doesNotMatch(line, /[\r\n]/);
  const again = await all.open();
  assert.ok(again.denials.meets('https://www.a.example:8443/'));
  assert.equal(again.answer().complaints, 1);
  assert.ok((await recordOf(all, 'http://a.example/1')).title, 'nothing is erased');
});

test('bad input: no reason, no subject, two subjects, a pattern that means everything', async () => {
  const { compliance, comply } = await folder();
  const url = 'http://a.example/';
  const bad: readonly Partial<TakedownQuery>[] = [
    ...[{ url, reason: ' ' }, {}, { url, host: 'a.example' }, { url: 'ftp://x/' }, { host: 'a/b' }],
    ...[{ pattern: '*' }, { pattern: 'http://*/*' }, { url: 'nonsense' }],
  ];
  for (const query of bad) {
    await assert.rejects(compliance.takeDown(erasing(query)), { code: 'E_USAGE' });
  }
  assert.deepEqual(comply.lines, [], 'nothing was decided');
});

test('retention: what was last fetched too long ago goes, class by class, but for holds', async () => {
  const all = await folder();
  const { compliance, store } = all;
  const age = async (url: string, lastFetchedAt: number) => {
    const record = { ...(await recordOf(all, url)), lastFetchedAt };
    const waiting = waitingFrom(seedMention(url, 'page', 0.5), 0, NOW);
    await store.commit({ ...NOTHING, settled: [{ waiting, record }] });
  };
  const [old, young, held] = ['http://a.example/1', 'http://a.example/2', 'http://sub.a.example/4'];
  await age(old, NOW - 10_000);
  await age('http://b.example/2', NOW - 10_000);
  await age(young, NOW - 10);
  await age(held, NOW - 10_000);
  await compliance.hold({ url: held, reason: 'case', by: 'judge', release: false });
  const policy = { bodiesMs: 5_000, headersMs: 5_000, eventsMs: 0 };
  assert.deepEqual(await compliance.retain(policy), { bodies: 1, headers: 2, events: 0 });
  assert.equal(await bodyOf(all, old), undefined);
  assert.ok(await bodyOf(all, young), 'the copy of an old page is needed by a young one');
  assert.ok(await bodyOf(all, held));
  assert.equal(await store.trace(urlKeyOf(old)), undefined);
  assert.ok((await recordOf(all, old)).title, 'the record itself stays');
  assert.ok(await store.trace(urlKeyOf(young)));
  assert.deepEqual(await compliance.retain(policy), { bodies: 0, headers: 0, events: 0 });
  assert.equal((await compliance.verify()).lines, 2, 'audited when something went, and only then');
});

test('retention: old events forget their page; for ever is for ever', async () => {
  const all = await folder();
  const event = { v: 1, id: 'e', kind: 'page', url: 'http://o.example/', endedAt: NOW - 9_000 };
  await all.events.publish([event as FetchEvent]);
  const none = { bodiesMs: 0, headersMs: 0, eventsMs: 0 };
  assert.deepEqual(await all.compliance.retain(none), { bodies: 0, headers: 0, events: 0 });
  const gone = await all.compliance.retain({ ...none, eventsMs: 5_000 });
  assert.equal(gone.events, 1);
  for await (const { event: told } of all.events.read()) assert.notEqual(told.url, event.url);
  assert.equal((await all.compliance.retain({ ...none, eventsMs: 5_000 })).events, 0);
});

test('lift: what was denied may be asked again, also after a restart; audited, and refused twice', async () => {
  const all = await folder();
  const subject = { host: 'a.example' };
  const url = 'http://a.example/1';
  await all.compliance.takeDown({ ...WHY, ...subject, erase: false });
  assert.match((await all.compliance.lift({ ...WHY, url })).refused ?? '', /no such denial/);
  assert.ok(all.compliance.denials.meets(url), 'a part of it is not what was decided');
  assert.equal((await all.compliance.lift({ ...WHY, ...subject })).refused, undefined);
  assert.equal(all.compliance.denials.meets(url), undefined);
  const again = await all.open();
  assert.equal(again.denials.meets(url), undefined);
  assert.match((await again.lift({ ...WHY, ...subject })).refused ?? '', /no such denial/);
  assert.deepEqual(await again.verify(), { lines: 5, pending: 0 });
  const phases: string[] = [];
  for await (const { action, phase } of again.trail()) phases.push(`${action} ${phase}`);
  const lifted = ['unblock refused', 'unblock done', 'unblock refused'];
  assert.deepEqual(phases, ['block intent', 'block done', ...lifted]);
});

test('hold: a part of what is erased is denied with it, and a visit does not erase it', async () => {
  const all = await folder();
  const held = 'http://a.example/2';
  await all.compliance.hold({ url: held, reason: 'case', by: 'judge', release: false });
  await all.compliance.takeDown(erasing({ host: 'a.example' }));
  const { denials } = all.compliance;
  assert.equal(denials.meets(held)?.erases, false, 'its turn ends, its record stays');
  assert.equal(denials.meets('http://a.example/1')?.erases, true);
  await all.compliance.hold({ url: held, reason: 'over', by: 'judge', release: true });
  assert.equal(denials.meets(held)?.erases, true);
});

test('retention: a body that only a forgotten event named goes with it; one that is named stays', async () => {
  const all = await folder();
  const [old, newer] = ['old version', 'newer version'].map((text) => Buffer.from(text));
  const hashes = [old, newer].map((bytes) =>
    createHash('sha256')
      .update(bytes as Buffer)
      .digest(),
  );
  await all.blobs.put(hashes.map((hash, i) => ({ hash, bytes: [old, newer][i] as Buffer })));
  const told = { v: 1, id: 'v', kind: 'page', url: 'http://a.example/1', host: 'a.example' };
  const events = hashes.map((hash, i) => ({
    ...{ ...told, contentHash: formatUrlHash(hash), endedAt: i === 0 ? NOW - 9 * DAY_MS : NOW },
  }));
  await all.events.publish(events as unknown as FetchEvent[]);
  await all.compliance.retain({ bodiesMs: 0, headersMs: 0, eventsMs: 5 * DAY_MS });
  assert.equal(await all.blobs.get(hashes[0] as Buffer), undefined);
  assert.ok(await all.blobs.get(hashes[1] as Buffer));
});

test('pattern: capitals in its host mean the host; those in its path are kept', async () => {
  const { compliance } = await folder();
  const pattern = 'HTTP://A.Example/People/*';
  const { subject } = await compliance.takeDown(erasing({ pattern }));
  assert.equal(subject.value, 'http://a.example/People/*');
});

test('two nodes decide at the same instant: one chain, and both know all of it', async () => {
  const all = await folder();
  const nodes = await Promise.all(
    [1, 2, 3].map(() => Compliance.open({ ...all, isShared: true }, all.desk)),
  );
  const hosts = Array.from({ length: 12 }, (_, n) => `h${n}.example`);
  await Promise.all(
    hosts.map((host, n) =>
      nodes[n % 3]?.complain({ host, text: 'too fast', by: 'them', optOut: n < 6 }),
    ),
  );
  for (const node of nodes) {
    assert.deepEqual(await node.verify(), { lines: 12 + 2 * 6, pending: 0 });
    assert.equal(node.answer().complaints, 12);
    assert.equal(node.answer().denials.length, 6);
  }
});

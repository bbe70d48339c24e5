/**
 * What may happen to records in Cassandra (B5, K1, P5): a commit of a node that lost its arc, one
 * that nobody finished, clocks that disagree, a server that is killed or hangs, bad input.
 */
import assert from 'node:assert/strict';
import { randomUUID } from 'node:crypto';
import { after, before, describe, it } from 'node:test';
import { Draft } from '../../src/adapters/cassandra/draft.ts';
import { type CassandraShardStore, CassandraTenures } from '../../src/adapters/cassandra/index.ts';
import { Link } from '../../src/adapters/cassandra/link.ts';
import { WriterLog } from '../../src/adapters/cassandra/log.ts';
import { openLink } from '../../src/adapters/cassandra/open.ts';
import { isMissing } from '../../src/adapters/cassandra/problems.ts';
import { STEPS } from '../../src/adapters/cassandra/schema.ts';
import type { CrawlError } from '../../src/base/errors.ts';
import { killAfter } from '../../src/ports/crash.contract.ts';
import {
  admitting,
  busyHost,
  HOST,
  HOST_KEY,
  NOW,
  settling,
  traceOf,
  urlOf,
  waitingFor,
} from '../../src/ports/shard-store.contract.rows.ts';
import { type Commit, NOTHING } from '../../src/ports/shard-store.ts';
import { NotOurs } from '../../src/ports/tenures.ts';
import { urlKeyOf } from '../../src/record/index.ts';
import { arcOf } from '../../src/url/index.ts';
import { cassandra } from '../../tools/engines/index.ts';
import { Line } from '../kit/line.ts';
import { breakable } from '../kit/live.ts';
import { URLS_PER_COMMIT } from './cassandra-killed.child.ts';
import { address, clock, KEYSPACE, open, place, skip } from './cassandra-place.ts';

const ARC = arcOf(HOST_KEY);
const TERM_MS = 400;
const opened: { close(): Promise<void> }[] = [];

async function kept<T extends { close(): Promise<void> }>(opening: Promise<T>): Promise<T> {
  const one = await opening;
  opened.push(one);
  return one;
}

const tenures = (crawl: string) => kept(CassandraTenures.open(place({ crawl })));
const pass = (ms: number) => clock.sleepUntil(clock.now() + ms);

/** The commit as its writer would have it in its log. */
function intentOf(commit: Commit, at = clock.now() * 1_000) {
  const draft = new Draft({ states: new Map(), known: new Set() });
  draft.make(commit);
  return { at: Math.round(at), changes: draft.changes() };
}

describe('cassandra faults', { skip }, () => {
  before(async () => {
    await (await open()).close();
  });
  after(async () => {
    for (const one of opened) await one.close();
  });

  fenced();
  unfinished();
  outages();
  badInput();
});

function fenced(): void {
  it('promise 15: a commit under no tenure is refused by its arcs, and nothing of it is seen', async () => {
    const crawl = randomUUID();
    const [store, holders] = [await kept(open({ crawl, holder: 'a' })), await tenures(crawl)];
    const [ours, other] = [waitingFor(urlOf(1)), waitingFor('http://other.example/')];
    await holders.take([ARC], 'a', 60_000);
    assert.deepEqual((await store.commit(admitting([ours]))).fresh, [true]);
    const both = { ...admitting([waitingFor(urlOf(2)), other]), hosts: [busyHost(HOST)] };
    await assert.rejects(store.commit(both), (error: NotOurs) => {
      assert.ok(error instanceof NotOurs);
      assert.deepEqual(error.arcs, [arcOf(other.key)]);
      return true;
    });
    assert.equal((await store.waiting(HOST_KEY, undefined, 10)).length, 1);
    assert.equal(await store.host(HOST_KEY), undefined);
    assert.equal((await store.totals()).known, 1);
    await holders.release([ARC], 'a');
    await assert.rejects(store.commit(admitting([waitingFor(urlOf(3))])), NotOurs);
    await holders.take([ARC], 'a', 60_000);
    assert.deepEqual((await store.commit(admitting([waitingFor(urlOf(3))]))).fresh, [true]);
  });

  it('promise 15: a term that has ended: refused, although nobody else has the arc', async () => {
    const crawl = randomUUID();
    const [store, holders] = [await kept(open({ crawl, holder: 'a' })), await tenures(crawl)];
    await holders.take([ARC], 'a', TERM_MS);
    await pass(TERM_MS + 100);
    await assert.rejects(store.commit(admitting([waitingFor(urlOf(1))])), NotOurs);
    assert.equal((await store.totals()).known, 0);
  });

  it('a node that sleeps between its question and its decision: sealed, it decides nothing', async () => {
    const crawl = randomUUID();
    const link = await kept(openLink(place()));
    const sleeper = await WriterLog.open(link, crawl, 'a');
    const holders = await tenures(crawl);
    const epochs = await holders.take([ARC], 'a', TERM_MS);
    await pass(TERM_MS + 100);
    assert.equal((await holders.take([ARC], 'b', 60_000)).size, 1);
    const late = intentOf(admitting([waitingFor(urlOf(1))]));
    await assert.rejects(sleeper.decide(sleeper.next(), late, epochs), NotOurs);
    const elsewhere = new Map([[(ARC + 1) % 64, 1]]);
    await sleeper.decide(sleeper.next(), intentOf(NOTHING), elsewhere);
    const next = await kept(open({ crawl, holder: 'b' }));
    assert.deepEqual((await next.commit(admitting([waitingFor(urlOf(1))]))).fresh, [true]);
  });

  it('clocks an hour apart: who comes later writes later', async () => {
    const crawl = randomUUID();
    const ahead = { ...clock, now: () => clock.now() + 3_600_000 };
    const holders = await tenures(crawl);
    await holders.take([ARC], 'a', 60_000);
    const early = await kept(open({ crawl, holder: 'a', clock: ahead }));
    const late = await kept(open({ crawl, holder: 'b' }));
    const url = waitingFor(urlOf(1));
    await early.commit(admitting([url]));
    await holders.release([ARC], 'a');
    await holders.take([ARC], 'b', 60_000);
    await late.commit({ ...NOTHING, settled: [settling(url)] });
    assert.deepEqual(await late.waiting(HOST_KEY, undefined, 10), []);
    assert.equal((await late.urls([url.key]))[0]?.state, 'indexed');
  });
}

function unfinished(): void {
  const many = Array.from({ length: 200 }, (_, n) => waitingFor(`http://u${n}.example/`));

  it('decided, and its node died: whoever takes the arc finds it done', async () => {
    const crawl = randomUUID();
    const link = await kept(openLink(place()));
    const dead = await WriterLog.open(link, crawl, 'a');
    const holders = await tenures(crawl);
    const epochs = await holders.take([ARC], 'a', TERM_MS);
    const reader = await kept(open({ crawl }));
    await dead.decide(dead.next(), intentOf(admitting([waitingFor(urlOf(1))])), epochs);
    await pass(TERM_MS + 100);
    await holders.take([ARC], 'b', 60_000);
    assert.equal((await reader.waiting(HOST_KEY, undefined, 10)).length, 1);
  });

  it('decided in parts, because it is large: the next to open the store does it, whole', async () => {
    const crawl = randomUUID();
    const link = await kept(openLink(place()));
    const dead = await WriterLog.open(link, crawl, 'dead');
    const trace = traceOf(`http://to.example/${'x'.repeat(6_000)}`);
    const settled = many.map((url) => settling(url, { nextCrawlAt: NOW + 5 }, trace));
    await dead.decide(dead.next(), intentOf({ ...NOTHING, settled }), new Map());
    const store = await kept(open({ crawl }));
    const visited = await store.visited(undefined, 1_000);
    assert.equal(visited.length, many.length);
    assert.ok(visited.every(({ links }) => links[0]?.target.length === 6_018));
    assert.equal((await store.due(NOW + 5, 1_000)).length, many.length);
  });

  it('done again after what came later: changes nothing', async () => {
    const crawl = randomUUID();
    const store = await kept(open({ crawl }));
    const [log, url] = [await WriterLog.open(await kept(openLink(place())), crawl, 'x'), many[0]];
    assert.ok(url !== undefined);
    const first = intentOf(admitting([url]), NOW * 1_000);
    await log.apply(first);
    await store.commit({ ...NOTHING, settled: [settling(url)] });
    await log.apply(first);
    assert.equal((await store.urls([url.key]))[0]?.state, 'indexed');
    assert.deepEqual(
      await store.waiting(Buffer.concat([url.key.subarray(0, 8), Buffer.alloc(2)]), undefined, 9),
      [],
    );
  });

  it('kill -9 of a node that commits: each commit is whole or not there, and what it told is there', async () => {
    const crawl = randomUUID();
    const child = new URL('cassandra-killed.child.ts', import.meta.url);
    const told = await killAfter(6, child, [crawl]);
    const store = await kept(open({ crawl }));
    const { known, waiting } = await store.totals();
    assert.ok(known >= told * URLS_PER_COMMIT, `${known} of ${told} commits`);
    assert.deepEqual([known % URLS_PER_COMMIT, waiting], [0, known]);
    const keys = await store.keys(undefined, 100_000);
    assert.equal(keys.length / urlKeyOf(urlOf(1)).length, known);
  });
}

function outages(): void {
  it('a connection that is cut: the commit is done when it is back, once, and says so', async () => {
    const way = await kept(Line.to(address));
    const store = await kept(open({ url: way.url, patienceMs: 20_000 }));
    await store.commit(admitting([waitingFor(urlOf(0))]));
    way.cut();
    const done = store.commit(admitting([waitingFor(urlOf(1))], false));
    way.mend();
    assert.deepEqual((await done).fresh, [true]);
    assert.equal((await store.totals()).known, 2);
  });

  it('kill -9 of the server, and one that hangs: what was answered is there, once', async (t) => {
    const server = await breakable(t, cassandra);
    const store = await kept(open({ url: server.address, patienceMs: 90_000, answerMs: 2_000 }));
    let answered = 0;
    const commit = async () => {
      const { fresh } = await store.commit(admitting([waitingFor(urlOf(answered))], false));
      assert.deepEqual(fresh, [true]);
      answered++;
    };
    for (let nth = 0; nth < 10; nth++) await commit();
    const during = commit();
    await server.kill();
    await server.restart();
    await during;
    for (let nth = 0; nth < 10; nth++) await commit();
    server.signal('SIGSTOP');
    const slow = commit();
    await pass(3_000);
    server.signal('SIGCONT');
    await slow;
    assert.equal((await store.waiting(HOST_KEY, undefined, 1_000)).length, answered);
    assert.equal((await store.totals()).known, answered);
  });
}

function badInput(): void {
  const refused = (more: Parameters<typeof open>[0], code: string, words: RegExp) =>
    assert.rejects(open({ patienceMs: 300, ...more }), (error: CrawlError) => {
      assert.equal(error.code, code, error.message);
      assert.match(error.message, words);
      assert.doesNotMatch(error.message, /not-it/, 'no password is shown');
      assert.ok(error.hint.length > 0);
      return true;
    });

  it('a wrong password: told at once, without the password', () =>
    refused({ url: address.replace(/:cassandra@/, ':not-it@') }, 'E_CONFIG', /refuses us/));

  it('nobody listens there: told after the patience', () =>
    refused({ url: 'cassandra://127.0.0.1:1/?dc=datacenter1' }, 'E_STORE_DOWN', /127\.0\.0\.1:1/));

  it('a data centre that is not there: told, and where to name it', () =>
    refused({ url: address.replace(/dc=\w+/, 'dc=nowhere') }, 'E_CONFIG', /data centre/));

  it('a URL or a name that is none: refused before anything is asked', async () => {
    await refused({ url: 'cassandra://' }, 'E_CONFIG', /cannot be read/);
    await refused({ url: `${address}&retires=1` }, 'E_CONFIG', /unknown option, retires/);
    await refused({ keyspace: 'a; DROP TABLE x' }, 'E_CONFIG', /is no name for a keyspace/);
  });

  it('a keyspace with tables of somebody else: refused, and left as it is', () =>
    refused({ keyspace: 'system_auth' }, 'E_CONFIG', /tables of somebody else/));

  it('an old schema: made by two nodes at once, taken forward; a newer one: refused', async () => {
    const keyspace = 'orb_steps';
    const link = await kept(Link.open(place({ keyspace: KEYSPACE })));
    await link.run(`DROP KEYSPACE IF EXISTS ${keyspace}`);
    const oldest = STEPS.slice(0, 1);
    await Promise.all([1, 2].map(() => kept(openLink(place({ keyspace }), oldest))));
    const store: CassandraShardStore = await kept(open({ keyspace }));
    assert.deepEqual((await store.commit(admitting([waitingFor(urlOf(1))]))).fresh, [true]);
    await link.run(`INSERT INTO ${keyspace}.schema_step (one, step) VALUES (1, 999)`);
    await refused({ keyspace }, 'E_STORE_NEWER', /orb_steps at .* is at step 999/);
    await link.run(`DROP KEYSPACE ${keyspace}`);
  });

  it('a table in the moment in which somebody makes it: not there, then there, never an error', async () => {
    const links = await Promise.all(Array.from({ length: 8 }, () => kept(Link.open(place()))));
    const [maker] = links as [Link, ...Link[]];
    for (const table of ['@made_1', '@made_2', '@made_3']) {
      const looks = links.map(async (link) => {
        for (let found: unknown; found === undefined; ) {
          found = await link.run(`SELECT a FROM ${table} WHERE a = 1`).catch(unlessMissing);
        }
      });
      await Promise.all([...looks, maker.run(`CREATE TABLE ${table} (a int PRIMARY KEY)`)]);
      await maker.run(`DROP TABLE ${table}`);
    }
  });
}

function unlessMissing(error: CrawlError): undefined {
  if (!isMissing(error.cause)) throw error;
}

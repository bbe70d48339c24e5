/**
 * Commits to a real PostgreSQL while connections are cut, the server is killed, and its disk is
 * full: each is done once or not at all, and never by a node that is not the holder any more.
 */
import assert from 'node:assert/strict';
import { chown, stat } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import { PostgresShardStore, PostgresTenures } from '../../src/adapters/postgres/index.ts';
import type { CrawlError } from '../../src/base/errors.ts';
import { isNotOurs } from '../../src/ports/shard-store.contract.fence.ts';
import {
  admitting,
  HOST_KEY,
  settling,
  urlOf,
  waitingFor,
} from '../../src/ports/shard-store.contract.rows.ts';
import { NOTHING } from '../../src/ports/shard-store.ts';
import { arcOf } from '../../src/url/index.ts';
import { postgres, type RunningEngine } from '../../tools/engines/index.ts';
import { smallDisk } from '../kit/disk.ts';
import { breakable } from '../kit/live.ts';
import { clock, type Place, pass, place, skip, sql } from './postgres-place.ts';

const ARC = arcOf(HOST_KEY);
const LONG_MS = 60_000;
const isDown = (error: CrawlError) => error.code === 'E_STORE_DOWN';

describe('postgres: outages', { skip }, () => {
  cutLines(place('outages'));
  deadServer();
});

function cutLines(here: Place): void {
  it('a connection that is cut: the commit is done when it is back, once, and says so', async () => {
    await here.emptied();
    const way = await here.line();
    const store = await here.open({ url: way.url, patienceMs: LONG_MS });
    way.cut();
    const done = store.commit(admitting([waitingFor(urlOf(1))]));
    way.mend();
    assert.deepEqual((await done).fresh, [true]);
    assert.equal((await store.totals()).known, 1);
    await store.close();
  });

  it('an answer to COMMIT that is lost: was done, is not done again, and says what it was', async () => {
    await here.emptied();
    const way = await here.line();
    const store = await here.open({ url: way.url, patienceMs: LONG_MS });
    await store.commit(admitting([waitingFor(urlOf(1))]));
    const cut = way.cutAfter('COMMIT');
    const settled = [settling(waitingFor(urlOf(1)))];
    const { admitted } = admitting([waitingFor(urlOf(1)), waitingFor(urlOf(2))]);
    const change = { waiting: -1, fetched: 1, bytes: 70 };
    const done = store.commit({ ...NOTHING, settled, admitted, change });
    await cut;
    const { fresh, totals } = await done;
    assert.deepEqual(fresh, [false, true]);
    assert.deepEqual([totals.known, totals.fetched, totals.bytes], [2, 1, 70]);
    assert.deepEqual(await store.totals(), totals);
    await store.close();
  });

  it('an answer to COMMIT that is lost for good: an error, and the counts still fit the rows', async () => {
    await here.emptied();
    const way = await here.line();
    const store = await here.open({ url: way.url });
    await store.commit(admitting([waitingFor(urlOf(1))]));
    const cut = way.cutAfter('COMMIT').then(() => way.refuse());
    const lost = store.commit(admitting([waitingFor(urlOf(2), 0.5, { job: 3 })]));
    await cut;
    await assert.rejects(lost, isDown);
    way.mend();
    const { totals, jobs } = await store.commit(admitting([waitingFor(urlOf(3))]));
    assert.deepEqual([totals.known, jobs.get(3)?.named], [3, 1]);
    assert.deepEqual(await store.totals(), totals);
    await store.close();
    const [counted] = await here.sql('SELECT count(*) AS rows FROM url');
    assert.equal(Number(counted?.rows), totals.known);
  });

  it('statements that never reach their end: nothing of them is seen, and they are sent again', async () => {
    await here.emptied();
    const way = await here.line();
    const store = await here.open({ url: way.url, patienceMs: LONG_MS });
    await store.commit(admitting([waitingFor(urlOf(0))]));
    const cut = way.cutAfter('BEGIN');
    const done = store.commit(admitting([waitingFor(urlOf(1))]));
    await cut;
    assert.deepEqual((await done).fresh, [true]);
    assert.equal((await store.totals()).known, 2);
    await store.close();
  });

  it('a server that is silent: its connection is given up, and the commit is done once', async () => {
    await here.emptied();
    const way = await here.line();
    const store = await here.open({ url: way.url, patienceMs: LONG_MS, answerMs: 500 });
    await store.commit(admitting([waitingFor(urlOf(0))]));
    const silent = way.hangAfter('COMMIT');
    const done = store.commit(admitting([waitingFor(urlOf(1))]));
    await silent;
    assert.deepEqual((await done).fresh, [true]);
    assert.equal((await store.totals()).known, 2);
    await store.close();
  });

  heldMeanwhile(here);
}

function heldMeanwhile(here: Place): void {
  it('a cut while the arc is held: the commit is done once; after its term: refused', async () => {
    await here.emptied();
    const way = await here.line();
    const tenures = here.keep(await PostgresTenures.open(here.options()));
    const store = await here.open({ url: way.url, patienceMs: LONG_MS, holder: 'a' });
    await tenures.take([ARC], 'a', LONG_MS);
    const cut = way.cutAfter('BEGIN');
    const held = store.commit(admitting([waitingFor(urlOf(1))]));
    await cut;
    assert.deepEqual((await held).fresh, [true]);
    const cutAgain = way.cutAfter('BEGIN').then(() => way.refuse());
    const late = store.commit(admitting([waitingFor(urlOf(2))]));
    await cutAgain;
    await tenures.release([ARC], 'a');
    way.mend();
    await assert.rejects(late, isNotOurs(ARC));
    assert.equal((await store.totals()).known, 1);
    await store.close();
  });

  it('the answer to COMMIT is lost and the term ends: it was done, and says so', async () => {
    await here.emptied();
    const way = await here.line();
    const tenures = here.keep(await PostgresTenures.open(here.options()));
    const store = await here.open({ url: way.url, patienceMs: LONG_MS, holder: 'a' });
    await tenures.take([ARC], 'a', LONG_MS);
    await store.commit(admitting([waitingFor(urlOf(1))]));
    const cut = way.cutAfter('COMMIT').then(() => way.refuse());
    const done = store.commit(admitting([waitingFor(urlOf(2))]));
    await cut;
    await tenures.release([ARC], 'a');
    await tenures.take([ARC], 'b', LONG_MS);
    way.mend();
    assert.deepEqual((await done).fresh, [true]);
    await store.close();
  });

  it('tenures: an outage is told at once, and the next word goes through', async () => {
    await here.emptied();
    const way = await here.line();
    const options = here.options({ url: way.url, patienceMs: LONG_MS });
    const tenures = here.keep(await PostgresTenures.open(options));
    await tenures.take([ARC], 'a', LONG_MS);
    way.cut();
    await assert.rejects(tenures.renew([ARC], 'a', LONG_MS), isDown);
    await assert.rejects(tenures.renew([ARC], 'a', LONG_MS), isDown);
    way.mend();
    assert.deepEqual(await tenures.renew([ARC], 'a', LONG_MS), [ARC]);
  });
}

/** One server for all of them: to start it takes longer than each. */
function deadServer(): void {
  const ends: (() => unknown)[] = [];
  let server: RunningEngine;
  const open = (more: { readonly patienceMs?: number; readonly holder?: string } = {}) =>
    PostgresShardStore.open({ url: server.address, schema: 'crawl', clock, ...more });
  before(async () => {
    server = await breakable({ after: (end) => ends.push(end) }, postgres);
  });
  after(async () => {
    for (const end of ends) await end();
  });

  it('kill -9 of the server between writes: what was answered is there, and the store goes on', async () => {
    const tenures = await PostgresTenures.open({ url: server.address, schema: 'crawl', clock });
    await tenures.take([ARC], 'a', 600_000);
    const store = await open({ holder: 'a' });
    const urls = Array.from({ length: 40 }, (_, n) => waitingFor(urlOf(n)));
    for (const url of urls) {
      const isLast = url === urls[20];
      if (isLast) await server.kill();
      if (isLast) await assert.rejects(tenures.renew([ARC], 'a', 600_000), isDown);
      const done = store.commit(admitting([url]));
      if (isLast) await server.restart();
      assert.deepEqual((await done).fresh, [true]);
    }
    assert.equal((await store.waiting(HOST_KEY, undefined, 1_000)).length, urls.length);
    assert.equal((await store.totals()).known, urls.length);
    await store.close();
    assert.deepEqual(await tenures.renew([ARC], 'a', 600_000), [ARC], 'kept over the crash');
    await tenures.close();
  });

  it('a restart in which the term ends: the commit is refused, and nothing of it is seen', async () => {
    const tenures = await PostgresTenures.open({ url: server.address, schema: 'crawl', clock });
    await tenures.take([ARC], 'a', 300);
    const store = await open({ holder: 'a' });
    const { known } = await store.totals();
    await server.kill();
    const late = store.commit(admitting([waitingFor(urlOf('late'))]));
    await Promise.all([server.restart(), pass(300)]);
    await assert.rejects(late, isNotOurs(ARC));
    assert.equal((await store.totals()).known, known);
    await store.close();
    await tenures.close();
  });

  it('a full disk: told, nothing of the commit is seen, and it is done once there is room', async (t) => {
    const disk = await smallDisk(t, '12m');
    if (disk === undefined) return t.skip('only root can mount a small disk here');
    const [home] = await sql('SHOW data_directory', server.address);
    const { uid, gid } = await stat(String(home?.data_directory));
    await chown(disk.dir, uid, gid);
    await sql(`CREATE TABLESPACE small LOCATION '${disk.dir}'`, server.address);
    await sql('ALTER ROLE orb SET default_tablespace = small', server.address);
    const options = { url: server.address, schema: 'small', clock, patienceMs: 300 };
    const store = await PostgresShardStore.open(options);
    const batch = (nth: number) =>
      Array.from({ length: 1_000 }, (_, n) => waitingFor(`http://d${nth}-${n}.example/`));
    let nth = 0;
    const fill = async () => {
      for (; nth < 200; nth++) await store.commit(admitting(batch(nth)));
    };
    await assert.rejects(fill(), (error: CrawlError) => error.code === 'E_DISK_FULL');
    assert.ok(nth < 200);
    assert.equal((await store.totals()).known, nth * 1_000);
    await disk.grow('200m');
    assert.deepEqual(new Set((await store.commit(admitting(batch(nth)))).fresh), new Set([true]));
    assert.equal((await store.totals()).known, (nth + 1) * 1_000);
    await store.close();
  });
}

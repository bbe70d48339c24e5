/** The shard store on a real PostgreSQL (B5): its contract, lost connections, kill -9, bad input. */
import assert from 'node:assert/strict';
import { chown, stat } from 'node:fs/promises';
import { after, before, describe, it } from 'node:test';
import pg from 'pg';
import { systemClock } from '../../src/adapters/node/clock.ts';
import { PostgresComplyStore, PostgresShardStore } from '../../src/adapters/postgres/index.ts';
import { Link } from '../../src/adapters/postgres/link.ts';
import { MIGRATIONS, migrate } from '../../src/adapters/postgres/schema.ts';
import type { CrawlError } from '../../src/base/errors.ts';
import { complyStoreContract } from '../../src/ports/comply-store.contract.ts';
import {
  admitting,
  busyHost,
  HOST,
  HOST_KEY,
  NOW,
  settling,
  urlOf,
  waitingFor,
} from '../../src/ports/shard-store.contract.rows.ts';
import { shardStoreContract } from '../../src/ports/shard-store.contract.ts';
import { NOTHING } from '../../src/ports/shard-store.ts';
import { postgres } from '../../tools/engines/index.ts';
import { smallDisk } from '../kit/disk.ts';
import { Line } from '../kit/line.ts';
import { breakable, liveEngine } from '../kit/live.ts';

const { address, skip } = liveEngine(postgres);
const clock = systemClock();
const SCHEMA = 'contract';

async function sql(text: string, url = address): Promise<Record<string, unknown>[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  try {
    return (await client.query(text)).rows;
  } finally {
    await client.end();
  }
}

/** Making a schema takes longer than any case: all use one, emptied for each. */
async function emptied(schema = SCHEMA): Promise<void> {
  const tables = ['url', 'host', 'robots', 'sketch', 'writer', 'job_count'];
  tables.push('audit', 'rule', 'pending', 'comply');
  await sql(tables.map((table) => `DELETE FROM ${schema}.${table}`).join(';'));
}

const open = (url = address, schema = SCHEMA, patienceMs = 300) =>
  PostgresShardStore.open({ url, schema, clock, patienceMs });

const lines: Line[] = [];
const complies: PostgresComplyStore[] = [];

async function line(): Promise<Line & { readonly url: string }> {
  const one = await Line.to(address);
  lines.push(one);
  return one;
}

describe('postgres', { skip }, () => {
  before(async () => {
    await (await open()).close();
  });
  after(async () => {
    for (const one of [...complies, ...lines]) await one.close();
    await sql(`DROP SCHEMA ${SCHEMA} CASCADE`);
  });

  shardStoreContract('postgres', async () => {
    await emptied();
    const way = await line();
    let store = await open(way.url);
    return {
      store,
      reopen: async () => {
        await store.close();
        store = await open(way.url);
        return store;
      },
      breakDown: async () => {
        way.cut();
        return async () => way.mend();
      },
    };
  });

  complyStoreContract('postgres', async () => {
    await emptied();
    const options = { url: address, schema: SCHEMA, clock };
    let store = await PostgresComplyStore.open(options);
    complies.push(store);
    return {
      store,
      reopen: async () => {
        await store.close();
        store = await PostgresComplyStore.open(options);
        complies.push(store);
        return store;
      },
    };
  });

  outages();
  fullDisk();
  severalNodes();
  people();
  badInput();
});

function outages(): void {
  it('a connection that is cut: the commit is done when it is back, once, and says so', async () => {
    await emptied();
    const way = await line();
    const store = await open(way.url, SCHEMA, 20_000);
    way.cut();
    const done = store.commit(admitting([waitingFor(urlOf(1))]));
    way.mend();
    assert.deepEqual((await done).fresh, [true]);
    assert.equal((await store.totals()).known, 1);
    await store.close();
  });

  it('an answer to COMMIT that is lost: was done, is not done again, and says what it was', async () => {
    await emptied();
    const way = await line();
    const store = await open(way.url, SCHEMA, 20_000);
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
    await emptied();
    const way = await line();
    const store = await open(way.url);
    await store.commit(admitting([waitingFor(urlOf(1))]));
    const cut = way.cutAfter('COMMIT').then(() => way.refuse());
    const lost = store.commit(admitting([waitingFor(urlOf(2), 0.5, { job: 3 })]));
    await cut;
    await assert.rejects(lost, (error: CrawlError) => error.code === 'E_STORE_DOWN');
    way.mend();
    const { totals, jobs } = await store.commit(admitting([waitingFor(urlOf(3))]));
    assert.deepEqual([totals.known, jobs.get(3)?.named], [3, 1]);
    assert.deepEqual(await store.totals(), totals);
    await store.close();
    const [counted] = await sql(`SELECT count(*) AS rows FROM ${SCHEMA}.url`);
    assert.equal(Number(counted?.rows), totals.known);
  });

  it('statements that never reach their end: nothing of them is seen, and they are sent again', async () => {
    await emptied();
    const way = await line();
    const store = await open(way.url, SCHEMA, 20_000);
    await store.commit(admitting([waitingFor(urlOf(0))]));
    const cut = way.cutAfter('BEGIN');
    const done = store.commit(admitting([waitingFor(urlOf(1))]));
    await cut;
    assert.deepEqual((await done).fresh, [true]);
    assert.equal((await store.totals()).known, 2);
    await store.close();
  });

  it('kill -9 of the server between writes: what was answered is there, and the store goes on', async (t) => {
    const server = await breakable(t, postgres);
    const store = await open(server.address, SCHEMA, 60_000);
    let answered = 0;
    for (let round = 0; round < 3; round++) {
      const urls = Array.from({ length: 50 }, (_, n) => waitingFor(urlOf(`${round}-${n}`)));
      for (const url of urls) {
        if (url === urls[25]) await server.kill();
        const done = store.commit(admitting([url]));
        if (url === urls[25]) await server.restart();
        assert.deepEqual((await done).fresh, [true]);
        answered++;
      }
    }
    assert.equal((await store.waiting(HOST_KEY, undefined, 1_000)).length, answered);
    assert.equal((await store.totals()).known, answered);
    await store.close();
    const again = await open(server.address);
    assert.equal((await again.totals()).waiting, answered);
    await again.close();
  });
}

function fullDisk(): void {
  it('a full disk: told, nothing of the commit is seen, and it is done once there is room', async (t) => {
    const server = await breakable(t, postgres);
    const disk = await smallDisk(t, '12m');
    if (disk === undefined) return t.skip('only root can mount a small disk here');
    const [home] = await sql('SHOW data_directory', server.address);
    const { uid, gid } = await stat(String(home?.data_directory));
    await chown(disk.dir, uid, gid);
    await sql(`CREATE TABLESPACE small LOCATION '${disk.dir}'`, server.address);
    await sql('ALTER ROLE orb SET default_tablespace = small', server.address);
    const store = await open(server.address);
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

function severalNodes(): void {
  it('two nodes that name the same URLs at once: each is new to one of them', async () => {
    await emptied();
    const nodes = [await open(), await open()];
    const urls = Array.from({ length: 400 }, (_, n) =>
      waitingFor(`http://n${n % 40}.example/${n}`),
    );
    const batches = [urls, [...urls].reverse()];
    const rounds = Array.from({ length: 8 }, (_, nth) => nth * 50);
    const ends = await Promise.all(
      nodes.flatMap((node, i) =>
        rounds.map((from) =>
          node.commit(admitting(batches[i]?.slice(from, from + 50) ?? [], false)),
        ),
      ),
    );
    const fresh = ends.flatMap((end) => end.fresh).filter(Boolean).length;
    assert.equal(fresh, urls.length);
    for (const node of nodes) assert.equal((await node.totals()).known, urls.length);
    for (const node of nodes) await node.close();
  });

  it('counts of jobs: the sum of what all nodes have done', async () => {
    await emptied();
    const [one, two] = [await open(), await open()];
    await one.commit(admitting([waitingFor(urlOf(1), 0.5, { job: 3 })]));
    await two.commit(admitting([waitingFor(urlOf(2), 0.5, { job: 3 })]));
    assert.equal((await one.jobs()).get(3)?.named, 2);
    const three = await open();
    assert.equal((await three.jobs()).get(3)?.waiting, 2);
    for (const node of [one, two, three]) await node.close();
  });

  it('two nodes that start at once on nothing: one makes the schema, the other waits', async () => {
    const nodes = await Promise.all([open(address, 'begun'), open(address, 'begun')]);
    for (const node of nodes) await node.close();
    await sql('DROP SCHEMA begun CASCADE');
  });
}

function people(): void {
  it('views: pages and domains say in plain SQL what was crawled', async () => {
    await emptied();
    const store = await open();
    const [page, queued] = [waitingFor(urlOf('page')), waitingFor(urlOf('queued'))];
    await store.commit(admitting([page, queued]));
    const record = { lastFetchedAt: NOW, nextCrawlAt: NOW + 5, title: 'a\0b — ü', bodyBytes: 70 };
    await store.commit({ ...NOTHING, settled: [settling(page, record)], hosts: [busyHost(HOST)] });
    const pages = await sql(
      `SELECT url, state, http_status, title, fetched_at, is_waiting FROM ${SCHEMA}.pages ORDER BY url`,
    );
    const visited = { state: 'indexed', http_status: 200, title: 'ab — ü', is_waiting: false };
    const waits = { state: 'queued', http_status: null, title: null, is_waiting: true };
    assert.deepEqual(pages, [
      { url: page.url, ...visited, fetched_at: new Date(NOW) },
      { url: queued.url, ...waits, fetched_at: null },
    ]);
    assert.equal((await store.urls([page.key]))[0]?.title, 'a\0b — ü', 'the record is whole');
    const domains = await sql(`SELECT domain, fetched, class FROM ${SCHEMA}.domains`);
    assert.deepEqual(domains, [{ domain: HOST, fetched: '56', class: 'news' }]);
    const known = await sql(`SELECT value FROM ${SCHEMA}.totals WHERE name = 'known'`);
    assert.deepEqual(known, [{ value: '2' }]);
    await store.close();
  });
}

function badInput(): void {
  const refused = (url: string, code: string, words: RegExp, schema = SCHEMA) =>
    assert.rejects(open(url, schema), (error: CrawlError) => {
      assert.equal(error.code, code, error.message);
      assert.match(error.message, words);
      assert.doesNotMatch(error.message, /orb-live|not-it/, 'no password is shown');
      assert.ok(error.hint.length > 0);
      return true;
    });
  const changed = (change: (url: URL) => void) => {
    const url = new URL(address);
    change(url);
    return url.href;
  };

  it('a wrong password: told at once, without the password', () =>
    refused(
      changed((url) => {
        url.password = 'not-it';
      }),
      'E_CONFIG',
      /refuses us.*password authentication failed/,
    ));

  it('a database that does not exist: told at once, by its name', () =>
    refused(
      changed((url) => {
        url.pathname = '/nowhere';
      }),
      'E_CONFIG',
      /no such database.*"nowhere" does not exist/,
    ));

  it('nobody listens there: told after the patience', () =>
    refused(
      changed((url) => {
        url.port = '1';
      }),
      'E_STORE_DOWN',
      /127\.0\.0\.1:1.*ECONNREFUSED/,
    ));

  it('a name that is no schema: refused before anything is asked', () =>
    refused(address, 'E_CONFIG', /is no name for a schema/, 'a; DROP TABLE x'));

  it('a schema of a newer version: refused, and left as it is', async () => {
    await (await open(address, 'newer')).close();
    await sql('INSERT INTO newer.schema_step VALUES (999, now())');
    await refused(address, 'E_STORE_NEWER', /newer at .* is at step 999/, 'newer');
    assert.equal((await sql('SELECT max(step) AS at FROM newer.schema_step'))[0]?.at, 999);
    await sql('DROP SCHEMA newer CASCADE');
  });

  it('a schema of an older version: taken forward, with what is in it', async () => {
    const link = await Link.open({ url: address, schema: 'older', clock });
    await link.run((send) => migrate(send, 'older', link.where, MIGRATIONS.slice(0, 1)));
    await link.close();
    await sql(`INSERT INTO older.url (key, url) VALUES ('\\x00', 'http://old.example/')`);
    await (await open(address, 'older')).close();
    assert.deepEqual(await sql('SELECT url FROM older.pages'), [{ url: 'http://old.example/' }]);
    await sql('DROP SCHEMA older CASCADE');
  });
}

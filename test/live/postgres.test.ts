/** PostgreSQL as the records of a crawl (B5): every port's contract, what people read, bad input. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  PostgresComplyStore,
  PostgresEraseLedger,
  PostgresJobBook,
  PostgresNearIndex,
  PostgresShardStore,
  PostgresTenures,
} from '../../src/adapters/postgres/index.ts';
import { Link } from '../../src/adapters/postgres/link.ts';
import { migrate } from '../../src/adapters/postgres/schema.ts';
import { MIGRATIONS } from '../../src/adapters/postgres/steps.ts';
import type { CrawlError } from '../../src/base/errors.ts';
import { complyStoreContract } from '../../src/ports/comply-store.contract.ts';
import { killAfter } from '../../src/ports/crash.contract.ts';
import { dueTruthContract } from '../../src/ports/due-index.contract.ts';
import { eraseLedgerContract } from '../../src/ports/erase-ledger.contract.ts';
import { jobBookContract } from '../../src/ports/job-book.contract.ts';
import { nearIndexContract } from '../../src/ports/near-index.contract.ts';
import { shardStoreFence } from '../../src/ports/shard-store.contract.fence.ts';
import {
  admitting,
  busyHost,
  HOST,
  NOW,
  settling,
  urlOf,
  waitingFor,
} from '../../src/ports/shard-store.contract.rows.ts';
import { shardStoreContract } from '../../src/ports/shard-store.contract.ts';
import { NOTHING } from '../../src/ports/shard-store.ts';
import { tenuresContract } from '../../src/ports/tenures.contract.ts';
import { address, clock, type Place, pass, place, skip, sql } from './postgres-place.ts';

const KILLED = new URL('./postgres-killed.child.ts', import.meta.url);
const WRITES_BEFORE_KILL = 60;

describe('postgres', { skip }, () => {
  const here = place('contract');
  shards(here);
  smallPorts(here);
  near(here);
  people(here);
  versions();
  badInput(here);
});

function shards(here: Place): void {
  dueTruthContract('postgres', async () => {
    await here.emptied();
    const store = await here.open();
    return { store, close: () => store.close() };
  });
  shardStoreContract('postgres', async () => {
    await here.emptied();
    const way = await here.line();
    let store = await here.open({ url: way.url });
    return {
      store,
      reopen: async () => {
        await store.close();
        store = await here.open({ url: way.url });
        return store;
      },
      breakDown: async () => {
        way.cut();
        return async () => way.mend();
      },
    };
  });
}

function smallPorts(here: Place): void {
  complyStoreContract('postgres', async () => {
    await here.emptied();
    const open = async () => here.keep(await PostgresComplyStore.open(here.options()));
    return { store: await open(), reopen: open, another: open };
  });

  eraseLedgerContract('postgres', async () => {
    await here.emptied();
    const another = async () => here.keep(await PostgresEraseLedger.open(here.options()));
    return { ledger: await another(), another };
  });

  jobBookContract('postgres', async () => {
    await here.emptied();
    const open = async () => here.keep(await PostgresJobBook.open(here.options()));
    return { book: await open(), reopen: open };
  });

  shardStoreFence('postgres', async () => {
    await here.emptied();
    const tenures = here.keep(await PostgresTenures.open(here.options()));
    const stores: PostgresShardStore[] = [];
    const storeOf = async (holder: string) => {
      const store = await here.open({ holder });
      stores.push(store);
      return store;
    };
    const close = async () => void (await Promise.all(stores.map((store) => store.close())));
    return { tenures, storeOf, pass, close };
  });

  tenuresContract('postgres', async () => {
    await here.emptied();
    const open = async () => here.keep(await PostgresTenures.open(here.options()));
    return { tenures: await open(), other: open, pass };
  });
}

function near(here: Place): void {
  nearIndexContract('postgres', async () => {
    await here.sql('DELETE FROM near');
    const open = () => PostgresNearIndex.open(here.options());
    return {
      index: await open(),
      killed: async () => {
        const writes = await killAfter(WRITES_BEFORE_KILL, KILLED, [address, here.schema]);
        return { index: await open(), writes };
      },
    };
  });
}

function people(here: Place): void {
  it('views: pages and domains say in plain SQL what was crawled', async () => {
    await here.emptied();
    const store = await here.open();
    const [page, queued] = [waitingFor(urlOf('page')), waitingFor(urlOf('queued'))];
    await store.commit(admitting([page, queued]));
    const record = { lastFetchedAt: NOW, nextCrawlAt: NOW + 5, title: 'a\0b — ü', bodyBytes: 70 };
    await store.commit({ ...NOTHING, settled: [settling(page, record)], hosts: [busyHost(HOST)] });
    const pages = await here.sql(
      'SELECT url, state, http_status, title, fetched_at, is_waiting FROM pages ORDER BY url',
    );
    const visited = { state: 'indexed', http_status: 200, title: 'ab — ü', is_waiting: false };
    const waits = { state: 'queued', http_status: null, title: null, is_waiting: true };
    assert.deepEqual(pages, [
      { url: page.url, ...visited, fetched_at: new Date(NOW) },
      { url: queued.url, ...waits, fetched_at: null },
    ]);
    assert.equal((await store.urls([page.key]))[0]?.title, 'a\0b — ü', 'the record is whole');
    const domains = await here.sql('SELECT domain, fetched, class FROM domains');
    assert.deepEqual(domains, [{ domain: HOST, fetched: '56', class: 'news' }]);
    const known = await here.sql(`SELECT value FROM totals WHERE name = 'known'`);
    assert.deepEqual(known, [{ value: '2' }]);
    await store.close();
  });
}

async function refused(url: string, code: string, words: RegExp, schema: string): Promise<void> {
  const open = PostgresShardStore.open({ url, schema, clock, patienceMs: 300 });
  await assert.rejects(open, (error: CrawlError) => {
    assert.equal(error.code, code, error.message);
    assert.match(error.message, words);
    assert.doesNotMatch(error.message, /orb-live|not-it/, 'no password is shown');
    assert.ok(error.hint.length > 0);
    return true;
  });
}

function versions(): void {
  const schema = `versions_${process.pid}`;
  const options = { url: address, schema, clock };

  it('rows are compressed with lz4, where the server has it', async () => {
    const link = await Link.open(options);
    const [row] = await link.run((send) =>
      send<{ setting: string; has_lz4: boolean }>({
        name: '',
        text: `SELECT setting, 'lz4' = ANY (enumvals) AS has_lz4 FROM pg_settings
          WHERE name = 'default_toast_compression'`,
      }),
    );
    await link.close();
    assert.equal(row?.setting, row?.has_lz4 ? 'lz4' : 'pglz');
  });

  it('an older version: taken forward with what is in it, by one of two that start at once', async () => {
    const link = await Link.open(options);
    await link.run((send) => migrate(send, schema, link.where, MIGRATIONS.slice(0, 1)));
    await link.close();
    await sql(`INSERT INTO ${schema}.url (key, url) VALUES ('\\x00', 'http://old.example/')`);
    const nodes = [PostgresShardStore.open(options), PostgresShardStore.open(options)];
    for (const node of await Promise.all(nodes)) await node.close();
    const pages = await sql(`SELECT url FROM ${schema}.pages`);
    assert.deepEqual(pages, [{ url: 'http://old.example/' }]);
  });

  it('a newer version: refused, and left as it is', async () => {
    await sql(`INSERT INTO ${schema}.schema_step VALUES (999, now())`);
    await refused(address, 'E_STORE_NEWER', /versions_\d+ at .* is at step 999/, schema);
    const [row] = await sql(`SELECT max(step) AS at FROM ${schema}.schema_step`);
    assert.equal(row?.at, 999);
    await sql(`DROP SCHEMA ${schema} CASCADE`);
  });

  it('two nodes that start at once on nothing: one makes the schema, the other waits', async () => {
    const nodes = [PostgresShardStore.open(options), PostgresShardStore.open(options)];
    for (const node of await Promise.all(nodes)) await node.close();
    await sql(`DROP SCHEMA ${schema} CASCADE`);
  });
}

function badInput({ schema }: Place): void {
  const changed = (change: (url: URL) => void) => {
    const url = new URL(address);
    change(url);
    return url.href;
  };

  it('a wrong password: told at once, without the password', () => {
    const url = changed((way) => {
      way.password = 'not-it';
    });
    return refused(url, 'E_CONFIG', /refuses us.*password authentication failed/, schema);
  });

  it('a database that does not exist: told at once, by its name', () => {
    const url = changed((way) => {
      way.pathname = '/nowhere';
    });
    return refused(url, 'E_CONFIG', /no such database.*"nowhere" does not exist/, schema);
  });

  it('nobody listens there: told after the patience', () => {
    const url = changed((way) => {
      way.port = '1';
    });
    return refused(url, 'E_STORE_DOWN', /127\.0\.0\.1:1.*ECONNREFUSED/, schema);
  });

  it('a name that is no schema: refused before anything is asked', () =>
    refused(address, 'E_CONFIG', /is no name for a schema/, 'a; DROP TABLE x'));
}

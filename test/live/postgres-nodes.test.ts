/**
 * Several nodes on one PostgreSQL: who writes what (promise 15), that nobody slips in between,
 * that one which was stopped keeps nobody waiting, and that all see what all have done.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import {
  openPostgres,
  PostgresNearIndex,
  PostgresTenures,
} from '../../src/adapters/postgres/index.ts';
import { isNotOurs } from '../../src/ports/shard-store.contract.fence.ts';
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
import { type Commit, NOTHING } from '../../src/ports/shard-store.ts';
import { NotOurs } from '../../src/ports/tenures.ts';
import { urlKeyOf } from '../../src/record/index.ts';
import { arcOf } from '../../src/url/index.ts';
import { clock, type Place, pass, place, skip } from './postgres-place.ts';

const ARC = arcOf(HOST_KEY);
const LONG_MS = 60_000;

describe('postgres: several nodes', { skip }, () => {
  const here = place('nodes');
  fence(here);
  stopped(here);
  contended(here);
  sameRows(here);
  shared(here);
  dueByArc(here);
  crowdedHalf(here);
});

/** A host of another arc than HOST's. */
function elsewhere(): string {
  for (let n = 0; ; n++) {
    const url = `http://e${n}.example/`;
    if (arcOf(urlKeyOf(url)) !== ARC) return url;
  }
}

async function holding(here: Place, holder: string, arcs: readonly number[], termMs = LONG_MS) {
  const tenures = here.keep(await PostgresTenures.open(here.options()));
  if (arcs.length > 0) await tenures.take(arcs, holder, termMs);
  return tenures;
}

function fence(here: Place): void {
  it('promise 15: an arc that is held: done; one that is not: refused by name, nothing is seen', async () => {
    await here.emptied();
    await holding(here, 'a', [ARC]);
    const store = await here.open({ holder: 'a' });
    const [mine, strange] = [waitingFor(urlOf(1)), waitingFor(elsewhere())];
    assert.deepEqual((await store.commit(admitting([mine]))).fresh, [true]);
    const both = { ...admitting([waitingFor(urlOf(2)), strange]), hosts: [busyHost(HOST)] };
    await assert.rejects(store.commit(both), isNotOurs(arcOf(strange.key)));
    assert.equal(await store.host(HOST_KEY), undefined);
    assert.equal((await store.waiting(HOST_KEY, undefined, 9)).length, 1);
    const { totals } = await store.commit(admitting([waitingFor(urlOf(3))]));
    assert.equal(totals.known, 2);
    assert.deepEqual(await store.totals(), totals);
    await store.close();
  });

  it('promise 15: another holds it, or the term has ended and nobody has it: refused', async () => {
    await here.emptied();
    const tenures = await holding(here, 'b', [ARC], 200);
    const store = await here.open({ holder: 'a' });
    const late = () => store.commit(admitting([waitingFor(urlOf(1))]));
    await assert.rejects(late(), NotOurs);
    await tenures.release([ARC], 'b');
    await tenures.take([ARC], 'a', 100);
    assert.deepEqual((await late()).fresh, [true]);
    await pass(110);
    await assert.rejects(late(), NotOurs);
    await store.close();
  });

  it('promise 15: a commit of no arc, and a store of nobody: not refused', async () => {
    await here.emptied();
    const [store, reader] = [await here.open({ holder: 'a' }), await here.open()];
    assert.equal((await store.commit({ ...NOTHING, change: { skipped: 3 } })).totals.skipped, 3);
    assert.deepEqual((await reader.commit(admitting([waitingFor(urlOf(1))]))).fresh, [true]);
    await store.close();
    await reader.close();
  });
}

/** Is somebody waiting for a row lock that this statement asks for? */
async function untilWaits(here: Place, words: string): Promise<void> {
  const asked = `SELECT 1 FROM pg_stat_activity
    WHERE wait_event_type = 'Lock' AND query LIKE '%${words}%' AND pid <> pg_backend_pid()`;
  for (let looks = 0; (await here.sql(asked)).length === 0; looks++) {
    assert.ok(looks < 100, 'nobody waits');
    await pass(20);
  }
}

function stopped(here: Place): void {
  it('a node that is stopped in a commit: renewed meanwhile; who comes next waits until it is undone', async () => {
    await here.emptied();
    const way = await here.line();
    const tenures = await holding(here, 'a', [ARC]);
    const rival = await holding(here, 'b', []);
    const store = await here.open({ url: way.url, holder: 'a', patienceMs: LONG_MS });
    await store.commit(admitting([waitingFor(urlOf(0))]));
    const hung = way.hangAfter('BEGIN');
    const late = store.commit(admitting([waitingFor(urlOf(1))]));
    await hung;
    assert.deepEqual(await tenures.renew([ARC], 'a', LONG_MS), [ARC], 'it waits for no commit');
    await tenures.release([ARC], 'a');
    let isTaken = false;
    const taken = rival.take([ARC], 'b', LONG_MS).finally(() => {
      isTaken = true;
    });
    await untilWaits(here, 'FOR UPDATE');
    assert.equal(isTaken, false, 'the commit may still be done');
    assert.deepEqual([...(await taken).keys()], [ARC], 'the server has ended it');
    await assert.rejects(late, NotOurs);
    assert.equal((await store.totals()).known, 1);
    await store.close();
  });
}

const EPOCHS = 12;
/** Commits dawdle between being checked and writing; a write of an older tenure is noted. */
const SLIPS = `CREATE TABLE slip (was int8, came int8);
  CREATE FUNCTION dawdle() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    PERFORM pg_sleep(random() * 0.02); RETURN NULL; END $$;
  CREATE FUNCTION note_slip() RETURNS trigger LANGUAGE plpgsql AS $$ BEGIN
    IF new.fetched < old.fetched THEN
      INSERT INTO slip VALUES (old.fetched, new.fetched);
    END IF; RETURN new; END $$;
  CREATE TRIGGER dawdles BEFORE INSERT ON host FOR EACH STATEMENT EXECUTE FUNCTION dawdle();
  CREATE TRIGGER slips BEFORE UPDATE ON host FOR EACH ROW EXECUTE FUNCTION note_slip();`;

/** Each visit of the host says in which tenure it was made. */
const visitIn = (epoch: number): Commit => ({
  ...NOTHING,
  hosts: [{ ...busyHost(HOST), fetched: epoch }],
});

async function contend(here: Place, holder: string): Promise<number> {
  const tenures = await holding(here, holder, []);
  const store = await here.open({ holder });
  let refused = 0;
  for (let had = 0; had < EPOCHS; ) {
    const epoch = (await tenures.take([ARC], holder, 25)).get(ARC);
    if (epoch === undefined) continue;
    had++;
    // Goes on as if it had not heard that its term ends.
    for (let isOurs = true; isOurs; ) {
      isOurs = await store.commit(visitIn(epoch)).then(
        () => true,
        (error) => {
          assert.ok(error instanceof NotOurs, error);
          return false;
        },
      );
    }
    refused++;
  }
  await store.close();
  return refused;
}

function contended(here: Place): void {
  it('two nodes that take one arc from each other: no write of an ended tenure comes after a newer', async () => {
    await here.emptied();
    await here.sql(SLIPS);
    const refused = await Promise.all([contend(here, 'a'), contend(here, 'b')]);
    assert.deepEqual(refused, [EPOCHS, EPOCHS]);
    assert.deepEqual(await here.sql('SELECT * FROM slip'), []);
    const [host] = await here.sql('SELECT fetched FROM host');
    assert.ok(Number(host?.fetched) >= EPOCHS);
    await here.sql('DROP TABLE slip; DROP FUNCTION note_slip, dawdle CASCADE');
  });
}

function sameRows(here: Place): void {
  it('two nodes that name the same URLs in opposite orders: each is new to one of them', async () => {
    await here.emptied();
    const nodes = [await here.open(), await here.open()];
    const urls = Array.from({ length: 400 }, (_, n) =>
      waitingFor(`http://n${n % 40}.example/${n}`),
    );
    const hosts = Array.from({ length: 40 }, (_, n) => busyHost(`n${n}.example`));
    const batches = [urls, [...urls].reverse()];
    const owners = [hosts, [...hosts].reverse()];
    const rounds = Array.from({ length: 4 }, (_, nth) => nth * 100);
    const ends = await Promise.all(
      nodes.flatMap((node, i) =>
        rounds.map((from) => {
          const named = admitting(batches[i]?.slice(from, from + 100) ?? [], false);
          return node.commit({ ...named, hosts: owners[i] ?? [] });
        }),
      ),
    );
    const fresh = ends.flatMap((end) => end.fresh).filter(Boolean).length;
    assert.equal(fresh, urls.length);
    for (const node of nodes) assert.equal((await node.totals()).known, urls.length);
    for (const node of nodes) await node.close();
  });
}

function shared(here: Place): void {
  it('counts: the sum of what all nodes have done, at once when asked, in commits within a second', async () => {
    await here.emptied();
    let ahead = 0;
    const later = { ...clock, now: () => clock.now() + ahead };
    const [one, two] = [await here.open(), await here.open({ clock: later })];
    await two.commit(admitting([waitingFor(urlOf(1), 0.5, { job: 3 })]));
    await one.commit(admitting([waitingFor(urlOf(2), 0.5, { job: 3 })]));
    assert.equal((await one.jobs()).get(3)?.named, 2);
    ahead = 1_001;
    const { totals, jobs } = await two.commit(admitting([waitingFor(urlOf(3), 0.5, { job: 3 })]));
    assert.deepEqual([totals.known, jobs.get(3)?.named], [3, 3]);
    const three = await here.open();
    assert.equal((await three.jobs()).get(3)?.waiting, 3);
    for (const node of [one, two, three]) await node.close();
    assert.equal((await here.sql('SELECT id FROM writer')).length, 2, 'a reader leaves no row');
  });

  it('openPostgres: all of a node at once; what one node puts, another reads', async () => {
    await here.emptied();
    const [one, two] = [
      await openPostgres(here.options({ holder: 'a' })),
      await openPostgres(here.options()),
    ];
    await one.tenures.take([ARC], 'a', LONG_MS);
    await one.store.commit(admitting([waitingFor(urlOf(1))]));
    const page = { key: waitingFor(urlOf(1)).key, simhash: 7n, pairs: 9n };
    await one.near.write([page], []);
    await one.jobs.addSeeds(4, [urlOf(1)]);
    await one.comply.append('{}', 1);
    assert.equal((await two.store.totals()).known, 1);
    const copy = { ...page, key: waitingFor(urlOf(2)).key };
    assert.deepEqual((await two.near.find([copy]))[0]?.key, page.key);
    assert.deepEqual(await two.jobs.seeds(4), [urlOf(1)]);
    for (const engine of [one, two]) await engine.close();
  });
}

function dueByArc(here: Place): void {
  it('due: of these arcs alone, earliest first, by their own indexes', async () => {
    await here.emptied();
    const store = await here.open();
    const urls = Array.from({ length: 60 }, (_, n) => waitingFor(`http://d${n}.example/`));
    const at = (n: number) => NOW + ((n * 37) % 60);
    await store.commit({
      ...NOTHING,
      settled: urls.map((url, n) => settling(url, { nextCrawlAt: at(n) })),
    });
    const arcs = [...new Set(urls.map(({ key }) => arcOf(key)))].slice(0, 3);
    const wanted = urls
      .map(({ key }, n) => ({ at: at(n), key }))
      .filter(({ key }) => arcs.includes(arcOf(key)))
      .sort((a, b) => a.at - b.at);
    assert.deepEqual(await store.due(NOW + 60, 100, 0, arcs), wanted);
    assert.deepEqual(await store.due(NOW + 60, 2, 0, arcs), wanted.slice(0, 2));
    assert.deepEqual(await store.due(NOW + 60, 9, 0, []), []);
    const all = Array.from({ length: 64 }, (_, arc) => arc);
    assert.deepEqual(await store.due(NOW + 60, 100, 0, all), await store.due(NOW + 60, 100));
    await store.close();
  });
}

function crowdedHalf(here: Place): void {
  it('near: thousands of originals that share a half: the question stays short, others are found', async () => {
    await here.emptied();
    const near = await PostgresNearIndex.open(here.options());
    const page = (n: number, simhash: bigint) => ({
      ...{ key: urlKeyOf(`http://c.example/${n}`), simhash, pairs: BigInt(n) },
    });
    const crowd = Array.from({ length: 5_000 }, (_, n) => page(n, (5n << 32n) | BigInt(n * 977)));
    const other = page(-1, 0x1234_5678_9abc_def0n);
    await near.write([...crowd, { ...other, pairs: 1n }], []);
    const [found] = await near.find([{ ...page(-2, other.simhash ^ 6n), pairs: 1n }]);
    assert.deepEqual(found?.key, other.key);
    const asked = { ...page(-3, (5n << 32n) | 0xffff_0000n), pairs: 0n };
    assert.deepEqual(await near.find([asked]), [undefined]);
    await near.close();
  });
}

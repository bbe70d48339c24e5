/**
 * Traps in virtual time (Q1, C3, C4): a whole crawl, polite, with every port in memory, over the
 * test web's quarters. The scenario tests do the same over sockets; here every count is exact.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { WHOLE_CIRCLE } from '../../src/ports/shard-store.ts';
import { decodeSketch } from '../../src/quality/index.ts';
import { FLAGS, HOST_FLAGS, type HostRecord, hostKeyOf } from '../../src/record/index.ts';
import { judge, judgeQuarters, openWeb, type Quarters } from '../../testweb/index.ts';
import { simulate } from './local-crawl.ts';

const SIZE = { hosts: 12, pages: 300, skew: 0.4, bodyBytes: 2_000 } as const;
/** What docs/traps.md says that a trap costs at most. */
const ALLOWANCE = 800;

async function crawlOf(quarters: Quarters, options = {}) {
  const web = openWeb({ seed: 41, ...SIZE, quarters });
  const sim = await simulate({ web, options: { scope: 'any', ...options } });
  const hosts: HostRecord[] = [];
  for await (const batch of sim.store.hosts(WHOLE_CIRCLE)) hosts.push(...batch);
  const { missing } = judge(web, sim.log, web.truth({ scope: 'any' }));
  return { ...sim, web, hosts, missing, places: judgeQuarters(web, sim.log) };
}

test('simulation: a trap at one request a second is cut off, and says why for ever', async () => {
  const quarters = { session: {}, 'pager-filler': {} };
  const found = await crawlOf(quarters, { depth: 10_000, maxTime: '2d' });
  assert.deepEqual(found.missing, []);
  for (const { host, trap, missed } of found.places) {
    assert.ok(trap > 0 && trap <= ALLOWANCE, `${host}: ${trap} pages of a trap`);
    assert.deepEqual(missed, [], `${host} lost honest pages`);
  }
  const names = new Set(found.places.map(({ host }) => host));
  for (const { host, flags } of found.hosts) {
    assert.equal((flags & HOST_FLAGS.trap) !== 0, names.has(host.split(':')[0] as string), host);
  }
  const skipped = (await found.store.scan(undefined, 100_000)).filter(
    ({ record }) => (record.flags & FLAGS.trap_suspected) !== 0,
  );
  assert.ok(skipped.length > 0, 'what waited when it was found is skipped');
  for (const { record } of skipped) {
    assert.equal(record.state, 'skipped');
    assert.match(record.reason, /left out as a trap: /);
  }
});

test('simulation: --no-traps asks on, an allowed shape too', async () => {
  const quarters = { session: {} };
  const limit = { depth: 10_000, limit: 1_500 };
  for (const overrule of [
    { traps: false },
    { allowShape: ['/list/*?visit=*', '/list/*?', '?visit='] },
  ]) {
    const { end, places } = await crawlOf(quarters, { ...limit, ...overrule });
    assert.equal(end, 'pages');
    assert.ok((places[0]?.trap ?? 0) > ALLOWANCE, `${places[0]?.trap} pages`);
  }
});

test('simulation: an encyclopaedia over its budget is read whole, and is no trap', async () => {
  const quarters = { encyclopaedia: { pages: 2_000 } };
  const found = await crawlOf(quarters, { domainBudget: 500, maxTime: '10d' });
  const [place] = found.places;
  assert.deepEqual(place?.missed, []);
  assert.deepEqual(found.missing, []);
  assert.ok(found.hosts.every(({ flags }) => (flags & HOST_FLAGS.trap) === 0));
});

test('simulation: a host of soft 404s is asked for an impossible page once, and it is no page', async () => {
  const quarters = { 'soft-404': { pages: 20 } };
  const found = await crawlOf(quarters);
  const soft = found.hosts.find(({ host }) => host.includes('soft-404'));
  assert.ok(soft && (soft.flags & HOST_FLAGS.soft_404) !== 0);
  const rows = await found.store.scan(undefined, 100_000);
  assert.ok(rows.every(({ record }) => !record.url.includes('/no-such-page-')));
  const stored = await found.store.host(hostKeyOf(soft.host));
  const sketch = decodeSketch(stored?.sketch ?? new Uint8Array(0));
  assert.ok(sketch.probe !== undefined && sketch.probe.hash !== 0, 'it was asked, and answered');
  assert.match(sketch.soft404?.reason ?? '', /one body stands behind \d+% of its pages/);
});

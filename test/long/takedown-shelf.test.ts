/**
 * A page is taken down while it lies on the shelf of a paused job (G1, A1): by the service, by
 * `orb erase` in the folder at rest, and by a pattern after a restart. It never comes back, not
 * with the resumed job either, whose counts still come out even.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { urlKeyOf } from '../../src/record/index.ts';
import { inventoryOf, orb, scratch } from '../kit/index.ts';
import { openService, type TestService } from '../kit/service.ts';
import { openWebFor, pageRequests } from '../kit/web.ts';

const WEB = { seed: 3, hosts: 1, pages: 30, bodyBytes: 300, features: 'plain' } as const;
const PACED = ['--rate', '25', '--ip-rate', '1000'];
const reason = 'ticket 4711';

// biome-ignore lint/suspicious/noExplicitAny: what it is, is checked against the document.
async function until(api: TestService, isSo: (job: any) => boolean) {
  for (;;) {
    const { json } = await api.ask('/jobs/1');
    if (isSo(json)) return json;
  }
}

test('takedown of a URL on the shelf: gone with the shelf, over restarts and a resumed job', async (t) => {
  const web = await openWebFor(t, WEB);
  const dir = join(await scratch(t), 'crawl');
  const urls = Array.from({ length: WEB.pages }, (_, n) => web.web.urlOf(0, n));
  let api = await openService(t, web, { flags: PACED, dir });
  const seeds = { urls, crawl_depth: 0 };
  assert.equal((await api.post('/crawl/seeds', seeds)).status, 202);
  await until(api, ({ counts }) => counts.fetched >= 2);
  await api.ask('/jobs/1/pause', { method: 'POST' });
  const paused = await until(api, ({ counts }) => counts.waiting === 0 && counts.held > 5);
  const held = urls.filter((url) => !pageRequests(web).some((row) => row.url === url));
  assert.equal(held.length, paused.counts.held);
  const [one, two, three, four, ...rest] = held as [string, string, string, string, ...string[]];

  const path = `/pages/${urlKeyOf(one).toString('hex')}`;
  const deleted = await api.ask(`${path}?reason=x`, { method: 'DELETE' });
  assert.deepEqual([deleted.status, deleted.json.removed.records], [200, 1], deleted.text);
  assert.equal((await until(api, () => true)).counts.held, held.length - 1);
  assert.match((await api.ask(`/why?url=${encodeURIComponent(one)}`)).text, /taken down by/);
  await api.close();
  await inventoryOf(t, dir);

  const erased = await orb(t, ['erase', '--url', two, '--reason', reason, '--dir', dir]);
  assert.equal(erased.code, 0, erased.stderr);
  const blocked = await orb(t, ['block', '--url', four, '--reason', reason, '--dir', dir]);
  assert.equal(blocked.code, 0, blocked.stderr);

  api = await openService(t, web, { flags: PACED, dir });
  assert.equal((await until(api, () => true)).counts.held, held.length - 2);
  await api.post('/takedowns', { pattern: `${three}*`, reason });
  await api.post('/crawl/seeds', { urls: [one, two, three], recrawl_ttl_hours: 0 });
  await api.post('/crawl/recrawl', { what: [one, two, three] });
  await api.ask('/jobs/1/resume', { method: 'POST' });
  const job = await until(api, ({ state }) => state === 'done');
  assert.deepEqual([job.counts.held, job.counts.waiting, job.ended_by], [0, 0, 'finished']);
  const asked = pageRequests(web).map(({ url }) => url);
  assert.deepEqual([...new Set(asked)].length, asked.length, 'nothing is asked twice');
  const gone = urls.filter((url) => !asked.includes(url)).sort();
  const taken = held.filter((url) => url.startsWith(three));
  assert.deepEqual(gone, [...new Set([one, two, four, ...taken])].sort());
  assert.ok(
    rest.some((url) => asked.includes(url)),
    'the resumed job went on',
  );
  await api.close();
  await inventoryOf(t, dir);
});

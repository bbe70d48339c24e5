/** The judges of crawls by many nodes can say no. */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { judgeFound, judgeTurns } from './judged.ts';
import { startOrb } from './orb.ts';
import { scratch } from './place.ts';
import { openWebFor, type TestWeb } from './web.ts';

const DELAY_MS = 100;

async function world(t: TestContext) {
  const web = await openWebFor(t, { hosts: 4, pages: 16, skew: 0, features: 'plain' });
  const dir = await scratch(t);
  const crawl = async (name: string, ...more: string[]) => {
    const pace = ['--delay', `${DELAY_MS}ms`, '--scope', 'any', '--workers', '0'];
    const flags = ['--dir', join(dir, name), ...web.flags, ...pace, ...more];
    const { code, stderr } = await startOrb(t, ['crawl', web.start, ...flags]).ended;
    assert.equal(code, 0, stderr);
  };
  return { web, crawl };
}

const judges = (web: TestWeb, again: number) => ({
  found: () => judgeFound(web, () => again),
  turns: () => judgeTurns(web, DELAY_MS),
});

test('judged: one crawl found all and kept its turns; two at once did not', async (t) => {
  const { web, crawl } = await world(t);
  await crawl('one');
  const { found, turns } = judges(web, 0);
  assert.match(found(), /^16 requests, 0 again$/);
  assert.match(turns(), /^4 hosts, none at once/);
  web.server.reset();
  await Promise.all([crawl('two'), crawl('three')]);
  assert.throws(found, /16 asked again/);
  assert.match(judges(web, 16).found(), /^32 requests, 16 again$/);
  assert.throws(turns);
});

test('judged: a crawl that ended early has not found all', async (t) => {
  const { web, crawl } = await world(t);
  await crawl('one', '--limit', '10');
  assert.throws(judges(web, 0).found, /missing/);
  assert.throws(() => judgeTurns(web, DELAY_MS * 100), /smallestMs/);
});

/** The judges of crawls by many nodes can say no. */
import assert from 'node:assert/strict';
import { once } from 'node:events';
import { get } from 'node:http';
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

test('judged: one crawl found all and kept its turns; a second asked all of it again', async (t) => {
  const { web, crawl } = await world(t);
  await crawl('one');
  const { found, turns } = judges(web, 0);
  assert.match(found(), /^16 requests, 0 again$/);
  assert.match(turns(), /^4 hosts, none at once/);
  await crawl('two');
  assert.throws(found, /16 asked again/);
  assert.match(judges(web, 16).found(), /^32 requests, 16 again$/);
});

test('judged: two at one host at once did not keep their turns', async (t) => {
  const web = await openWebFor(t, { hosts: 1, pages: 1, features: 'plain' }, { latencyMs: 500 });
  const [host] = web.web.hosts;
  assert.ok(host);
  const { address, name } = host;
  const { port } = web.server;
  const ask = async () => {
    const asked = get({ host: address, port, headers: { host: `${name}:${port}` } });
    const [answer] = await once(asked, 'response');
    await once(answer.resume(), 'end');
  };
  await ask();
  assert.match(judgeTurns(web, 0), /none at once/);
  await Promise.all([ask(), ask()]);
  assert.throws(() => judgeTurns(web, 0), /never two at one of them at once/);
});

test('judged: a crawl that ended early has not found all', async (t) => {
  const { web, crawl } = await world(t);
  await crawl('one', '--limit', '10');
  assert.throws(judges(web, 0).found, /missing/);
  assert.throws(() => judgeTurns(web, DELAY_MS * 100), /smallestMs/);
});

/**
 * A crawl that had to judge tells its stories (A4, and every number behind them): one web with
 * copies, traps, soft 404s and a farm, crawled once, then asked by command line.
 */
import assert from 'node:assert/strict';
import { join } from 'node:path';
import { test } from 'node:test';
import { openWebFor, orb, scratch } from '../kit/index.ts';

const QUARTERS = {
  ...{ calendar: {}, printer: { pages: 30 }, 'soft-404': { pages: 40 } },
  farm: { hosts: 1, pages: 300 },
};
const FLAGS = ['--scope', 'any', '--depth', '10000', '--allow-private', '--rate', 'max'];
const LIMIT = 4_000;

test('why: each story of a crawl that had to judge, and the counts of status', async (t) => {
  const size = { seed: 31, hosts: 6, pages: 120, bodyBytes: 2_000 };
  const web = await openWebFor(t, { ...size, features: ['redirects'], quarters: QUARTERS });
  const dir = join(await scratch(t), 'crawl');
  const limit = ['--limit', String(LIMIT)];
  const end = await orb(t, ['crawl', web.start, '--dir', dir, ...web.flags, ...FLAGS, ...limit]);
  assert.equal(end.code, 0, end.stderr);
  const ask = async (...args: string[]) => (await orb(t, [...args, '--dir', dir])).stdout;
  const one = async (flag: string) => {
    const [line = ''] = (await ask('pages', '--flag', flag, '--json', '--max-rows', '1')).split(
      '\n',
    );
    assert.notEqual(line, '', `a page with the flag ${flag}`);
    return JSON.parse(line) as { url: string; original?: string };
  };

  const near = await one('near_duplicate');
  assert.ok(near.original);
  const nearStory = await ask('why', near.url);
  assert.ok(nearStory.includes(`It says nearly the same as ${near.original}`), nearStory);
  assert.match(nearStory, /so its text is not kept twice; its links are\./);
  assert.match(nearStory, /Asked .*: status 200, [1-9]\d* bytes in \d+ ms\./);

  const soft = await ask('why', (await one('soft_404')).url);
  assert.match(soft, /It answered as if it were a page, but with what this site shows for missing/);
  assert.match(soft, /answers 200 for pages that do not exist \(one body stands behind \d+% of/);

  const calendar = await one('trap_suspected');
  const trap = await ask('why', calendar.url);
  assert.match(trap, /: trap\n/);
  assert.match(trap, /So addresses like \S+ are left alone since 20.*, after \d+ such pages?[;.]/);
  assert.match(
    trap,
    /If these are pages that people read, --allow-shape '\S+' takes them in again/,
  );

  const farm = web.web.specials.find(({ hostName }) => hostName.includes('farm'));
  const farmStory = await ask('why', farm?.root ?? '');
  assert.match(farmStory, /is asked for a tenth of what it would be otherwise: \d+% of its pages/);

  const json = JSON.parse(await ask('status', '--json'));
  const { judged } = json;
  for (const name of ['nearDuplicates', 'soft404s', 'soft404Hosts', 'trapHosts', 'farmHosts']) {
    assert.ok(judged[name] > 0, `${name}: ${JSON.stringify(judged)}`);
  }
  assert.ok(judged.trapShapes >= judged.trapHosts, JSON.stringify(judged));
  const status = await ask('status');
  for (const row of ['copies', 'soft 404', 'traps', 'farms']) assert.match(status, new RegExp(row));

  const home = await ask('why', web.start);
  assert.match(home, /Its priority is \d\.\d\d of 1, as seeds have it\./);
  assert.match(home, /It is asked again 20.*: such a page is looked at every/);
});

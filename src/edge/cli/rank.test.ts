import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RankQuery } from '../../crawl/rank.ts';
import { fakeWorld, NO_RANK } from './fake-world.test.ts';
import { runCli } from './run.ts';

const TOP = { host: 'www.example.com', rank: 12.5, authority: 0.77, quality: 0.8 };
const REPORT = {
  ...{ ...NO_RANK, hosts: 2, edges: 1, renewed: 1, pages: 1_200, rated: 2, moved: 40 },
  ...{ movedHosts: 1, top: [{ ...TOP, inDomains: 3, pages: 70 }] },
};

async function orb(argv: readonly string[], report = REPORT) {
  const asked: RankQuery[] = [];
  const rank = async (query: RankQuery) => {
    asked.push(query);
    return report;
  };
  const world = fakeWorld({ argv, crawls: ['.orb/x'], answers: { rank } });
  const code = await runCli(world);
  return { code, asked, out: world.out(), err: world.err() };
}

test('rank: what came of it, then the best hosts', async () => {
  const { code, out } = await orb(['rank']);
  assert.equal(code, 0);
  assert.match(out, /^2 hosts, 1 link between them\n1,200 pages of 1 host read/);
  assert.match(out, /2 hosts rated anew, 40 URLs of 1 host moved/);
  assert.match(out, /www\.example\.com +13 × +0\.77 +0\.80 +3 +70\n$/);
});

test('rank: spam is named only when there is some', async () => {
  assert.doesNotMatch((await orb(['rank'])).out, /spam/);
  const { out } = await orb(['rank'], { ...REPORT, starved: 3, denied: 2 });
  assert.match(out, /3 hosts starved as spam, 2 of them denied/);
});

test('rank: --top, --trust-host and --no-deny-spam reach the job', async () => {
  const argv = ['rank', '--top', '5', '--trust-host', 'm.example', '--no-deny-spam'];
  const { asked } = await orb(argv);
  assert.deepEqual(asked, [{ top: 5, trusted: ['m.example'], denies: false }]);
});

test('rank: as JSON the whole report, as CSV the hosts', async () => {
  assert.deepEqual(JSON.parse((await orb(['rank', '--json'])).out), REPORT);
  const lines = (await orb(['rank', '--format', 'csv'])).out.split('\n');
  assert.deepEqual(lines.slice(0, 2), [
    'host,rank,authority,quality,in_domains,pages',
    'www.example.com,12.5,0.77,0.8,3,70',
  ]);
});

test('rank: a host name with control characters does no harm', async () => {
  const evil = '\u001b[2Jx\u202e.test';
  const report = { ...REPORT, top: [{ ...TOP, inDomains: 0, pages: 0, host: evil }] };
  for (const format of ['text', 'json', 'csv']) {
    const { out } = await orb(['rank', '--format', format], report);
    assert.doesNotMatch(out.replaceAll('\n', ''), /[\p{C}\p{Zl}\p{Zp}]/u, format);
  }
});

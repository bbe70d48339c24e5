/**
 * A ring of three `orb ring` processes on a web whose hosts share addresses (P4): whoever owns a host,
 * its address is asked with one pause, by the web's own log; also when the node that keeps some of
 * the turns is killed.
 */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { perAddressGaps } from '../../testweb/index.ts';
import { startOrb } from '../kit/orb.ts';
import { TestRing } from '../kit/ring.ts';
import { openWebFor, waitForRequests } from '../kit/web.ts';

const PAUSE_MS = 200;
const WEB = {
  ...{ seed: 7, hosts: 12, pages: 90, skew: 0.3, hostsPerAddress: 6 },
  ...{ bodyBytes: 600, features: 'plain' as const },
} as const;
const KILLED_AT = 30;

test('ring: hosts of three nodes behind two addresses, one node is killed: one pause for each', async (t) => {
  const web = await openWebFor(t, WEB);
  const pace = ['--rate', '20', '--ip-rate', `${1_000 / PAUSE_MS}`, '--connect-timeout', '2s'];
  const flags = [...web.flags, ...pace, '--ring-term', '3s'];
  const ring = await TestRing.open(t, { nodes: 3, flags, isDirect: true });
  const [first, , last] = ring.nodes;
  assert.ok(first && last);
  const run = startOrb(t, ['crawl', web.start, '--scope', 'any', '--ring', `${first.at}/`]);
  assert.ok(await waitForRequests(web, KILLED_AT, () => run.isOver), run.stderr);
  await ring.kill(last);
  const { code, stderr } = await run.ended;
  assert.equal(code, 0, stderr);
  const gaps = perAddressGaps(web.server.log);
  t.diagnostic(gaps.map(({ requests, smallestMs }) => `${requests}: ${smallestMs} ms`).join(', '));
  assert.equal(gaps.length, 2);
  for (const { of, overlaps, smallestMs } of gaps) {
    assert.equal(overlaps, 0, of);
    assert.ok(smallestMs >= PAUSE_MS - 1, `${of}: ${smallestMs} ms`);
  }
});

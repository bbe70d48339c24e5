/** A robots.txt that redirects to a host of another node (R1, K1). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RobotsRecord } from '../record/index.ts';
import type { Walk } from './context.ts';
import { robotsElsewhere } from './robots-elsewhere.ts';

const NOW = Date.UTC(2026, 0, 2, 12);
const ORIGIN = 'https://two.example';
const RECORD: RobotsRecord = {
  ...{ origin: ORIGIN, fetchedAt: NOW - 1_000, expiresAt: NOW + 1_000, status: 200 },
  ...{ body: Buffer.from('User-agent: *'), tries: 0, problem: '' },
};

/** All that is looked at of a walk: the arcs, the clock, and the stored host. */
function look(to: string, robots: readonly RobotsRecord[], isMine = false) {
  const store = { host: async () => ({ robots }) };
  const ports = { store, clock: { now: () => NOW } };
  const walk = { arcs: { isMine: () => isMine }, ports } as unknown as Walk;
  return robotsElsewhere(`${ORIGIN}${to}`, 7, walk);
}

test('robots elsewhere: what its owner read is taken, and nobody asks', async () => {
  const found = await look('/robots.txt', [RECORD]);
  assert.ok(found?.read.kind === 'answered');
  assert.deepEqual([found.read.status, found.read.body], [200, RECORD.body]);
  assert.deepEqual([found.isUnread, found.named], [false, []]);
  assert.equal(await look('/robots.txt', [], true), undefined, 'our own is asked');
});

test('robots elsewhere: not read yet is looked for again; what failed or is no robots.txt is not', async () => {
  const failed = { ...RECORD, status: 0 };
  const cases = [
    ['/robots.txt', [], true, /has not read it yet$/],
    ['/robots.txt', [{ ...RECORD, expiresAt: NOW }], true, /has not read it yet$/],
    ['/robots.txt', [failed], false, /got no answer$/],
    ['/other.txt', [RECORD], false, /asks for \/robots\.txt only$/],
  ] as const;
  for (const [to, robots, isUnread, why] of cases) {
    const found = await look(to, robots);
    assert.ok(found?.read.kind === 'failed');
    assert.equal(found.isUnread, isUnread);
    assert.match(found.read.detail, why);
    assert.deepEqual(
      found.named.map(({ url, depth }) => [url, depth]),
      [[`${ORIGIN}/`, 1]],
    );
  }
});

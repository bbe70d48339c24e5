import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { FetchEvent } from '../../events/index.ts';
import { openFolderEvents } from './event-log.ts';
import { scratchFolder } from './scratch.testkit.ts';

function event(nth: number, host: string, title = ''): FetchEvent {
  return {
    ...{ v: 1, id: String(nth), kind: 'page', url: `https://${host}/${nth}`, host },
    ...{ address: '127.0.0.1', startedAt: nth, answeredAt: nth, endedAt: nth, delayMs: 0 },
    ...{ status: 200, bytes: 1, urlHash: 'ab', title },
  };
}

async function found(bytesMax: number, segmentBytesMax: number) {
  const log = await openFolderEvents({ folder: await scratchFolder(), segmentBytesMax });
  for (let nth = 1; nth <= 300; nth++) {
    const title = nth % 50 === 0 ? 'é'.repeat(700_000) : `"host":"a.test" ${nth}`;
    await log.publish([event(nth, nth % 3 === 0 ? 'a.test' : 'b.test', title)]);
  }
  const ids: number[] = [];
  const answer = await log.search('"host":"a.test"', bytesMax, ({ id }) => ids.push(Number(id)));
  await log.close();
  return { ids, ...answer };
}

const THIRDS = Array.from({ length: 100 }, (_, i) => 3 * (i + 1));

it('event search: a text in one file or in many: each event that says it, once, in order', async () => {
  for (const segmentBytesMax of [2_000, 2_000_000, 2 ** 30]) {
    const { ids, since, isWhole } = await found(2 ** 30, segmentBytesMax);
    assert.deepEqual(ids, THIRDS);
    assert.deepEqual([since, isWhole], [1, true]);
  }
});

it('event search: the last bytes of a log: from a whole line on, and when that was', async () => {
  const { ids, since, isWhole } = await found(3_000, 2 ** 30);
  assert.deepEqual([ids, since, isWhole], [[], undefined, false], 'within one long line');
  const more = await found(1_405_000, 2_000);
  assert.ok(more.ids.length > 2 && more.ids.length < 100);
  assert.deepEqual(more.ids, THIRDS.slice(-more.ids.length));
  assert.ok((more.since as number) > 1 && (more.since as number) <= (more.ids[0] as number));
});

it('event search: an empty log: nothing, and all of it', async () => {
  const log = await openFolderEvents({ folder: await scratchFolder() });
  const answer = await log.search('x', 1_000, () => assert.fail());
  assert.deepEqual(answer, { since: undefined, isWhole: true });
  await log.close();
});

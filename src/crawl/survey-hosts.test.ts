import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { blankHost, type HostRecord } from '../record/index.ts';
import type { AnswerSources } from './ask-sources.ts';
import { type HostPlace, type HostsWanted, orderedHosts } from './survey-hosts.ts';

function storeOf(hosts: readonly HostRecord[]): Pick<AnswerSources, 'store'> {
  async function* chunks() {
    for (let at = 0; at < hosts.length; at += 3) yield hosts.slice(at, at + 3);
  }
  return { store: { hosts: chunks } } as unknown as Pick<AnswerSources, 'store'>;
}

async function slices(hosts: readonly HostRecord[], wanted: Omit<HostsWanted, 'after'>) {
  const rows: HostRecord[] = [];
  for (let after: HostPlace | undefined; ; ) {
    const slice = await orderedHosts(storeOf(hosts), { ...wanted, ...(after && { after }) });
    assert.ok(slice.rows.length <= wanted.limit);
    rows.push(...slice.rows);
    if (slice.next === undefined) return { rows, count: slice.count };
    after = slice.next;
  }
}

test('hosts in an order: any slices together are the whole list, sorted, each host once', async () => {
  const host = fc.record({ nth: fc.nat(40), fetched: fc.nat(4) });
  const list = fc.uniqueArray(host, { selector: ({ nth }) => nth, maxLength: 30 });
  await fc.assert(
    fc.asyncProperty(
      list,
      fc.boolean(),
      fc.integer({ min: 1, max: 7 }),
      async (drawn, isDown, limit) => {
        const hosts = drawn.map(({ nth, fetched }) => ({ ...blankHost(`h${nth}.test`), fetched }));
        const wanted = { order: 'fetched', isDescending: isDown, search: '1', limit } as const;
        const { rows, count } = await slices(hosts, wanted);
        const way = isDown ? -1 : 1;
        const sorted = hosts
          .filter((one) => one.host.includes('1'))
          .sort((a, b) => way * (a.fetched - b.fetched) || (a.host < b.host ? -1 : 1));
        assert.deepEqual(rows, sorted);
        assert.equal(count, sorted.length);
      },
    ),
  );
});

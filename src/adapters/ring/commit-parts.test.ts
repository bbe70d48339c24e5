/** Counts of a ring's node: each arc has its own, whatever is committed together. */
import assert from 'node:assert/strict';
import { after, describe, test } from 'node:test';
import { admitting, settling, waitingFor } from '../../ports/shard-store.contract.rows.ts';
import { hostKeyOf } from '../../record/index.ts';
import { arcOf } from '../../url/index.ts';
import { OneNodeLog, openNode, tempFolders } from './one-node.testkit.ts';

const folders = tempFolders();
after(folders.remove);

const HOSTS = Array.from({ length: 12 }, (_, i) => `h${i}.example`);
const arcAt = (host: string) => arcOf(hostKeyOf(host));

describe('counts by arc', () => {
  test('pages of many arcs settled at once: each arc counts its own, and none below zero', async () => {
    const node = await openNode(await folders.make());
    const urls = HOSTS.map((host) => waitingFor(`http://${host}/`));
    await node.store.commit(admitting(urls));
    const settled = urls.slice(0, 8).map((waiting) => settling(waiting));
    const change = { waiting: -8, fetched: 8, copies: 3 };
    const commit = { ...admitting([]), settled, change };
    const { totals } = await node.store.commit(commit);
    assert.deepEqual([totals.known, totals.waiting, totals.fetched, totals.copies], [12, 4, 8, 3]);
    for (const { arc, totals: own } of await node.store.countsByArc()) {
      const [named, done] = [HOSTS, HOSTS.slice(0, 8)].map(
        (hosts) => hosts.filter((host) => arcAt(host) === arc).length,
      ) as [number, number];
      assert.deepEqual([own.known, own.waiting, own.fetched], [named, named - done, done]);
    }
    await node.close();
  });

  test('an arc that goes takes its own counts with it', async () => {
    let lost = -1;
    const log = new OneNodeLog((arc) => (arc === lost ? undefined : 1));
    const node = await openNode(await folders.make(), log);
    await node.store.commit(admitting(HOSTS.map((host) => waitingFor(`http://${host}/`))));
    lost = arcAt('h0.example');
    const left = HOSTS.filter((host) => arcAt(host) !== lost);
    const totals = (await node.store.countsByArc()).map((one) => one.totals);
    assert.equal(
      totals.reduce((sum, { waiting }) => sum + waiting, 0),
      left.length,
    );
    await node.close();
  });
});

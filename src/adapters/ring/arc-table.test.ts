/** Tables of arcs on the embedded engine; the log gives each write to the copy at once. */
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';
import type { SavedArc } from '../../ports/arc-copies.ts';
import type { ArcLog } from '../../ports/arc-log.ts';
import { arcTableContract } from '../../ports/arc-table.contract.ts';
import { NotOurs } from '../../ports/tenures.ts';
import { Lsm } from '../embedded/lsm.ts';
import { ArcQueue, LsmArcCopies, LsmArcTable, RingRows } from './index.ts';

const folders: string[] = [];
after(() => Promise.all(folders.map((dir) => rm(dir, { recursive: true, force: true }))));

const SAVED: SavedArc = {
  ...{ promised: 1, votedFor: undefined, at: { epoch: 1, index: 1 }, isChartered: true },
  charter: { at: { epoch: 1, index: 1 }, seats: [] },
};

async function openNode() {
  const dir = await mkdtemp(join(tmpdir(), 'orb-table-'));
  folders.push(dir);
  const lsm = await Lsm.open({ dir, syncAlways: false });
  const queue = new ArcQueue();
  return { lsm, queue, copies: new LsmArcCopies(lsm, queue) };
}

arcTableContract('embedded', async () => {
  const [one, two] = [await openNode(), await openNode()];
  let owner = one;
  const logOf = (node: typeof one): ArcLog => ({
    epochOf: () => (owner === node ? 1 : undefined),
    write(arc, bodies) {
      if (owner !== node) throw new NotOurs([arc]);
      const other = node === one ? two : one;
      const kept = other.copies.save(arc, SAVED, { kind: 'entries', bodies });
      return { saved: SAVED, isDurable: () => undefined, kept };
    },
  });
  const rowsOf = (node: typeof one) => new RingRows(node.lsm, logOf(node), node.queue);
  return {
    table: new LsmArcTable(rowsOf(one), 'inbox'),
    beside: new LsmArcTable(rowsOf(one), 'book'),
    moveOn: async () => {
      owner = two;
      return new LsmArcTable(rowsOf(two), 'inbox');
    },
    close: async () => {
      await Promise.all([one.lsm.close(), two.lsm.close()]);
    },
  };
});

/** The group of a ring on the simplest ring there is; on a real one: test/sim/ring-nodes.test.ts. */
import assert from 'node:assert/strict';
import { systemClock } from '../adapters/node/index.ts';
import type { Mention } from '../events/index.ts';
import { arcGroupContract } from '../ports/arc-group.contract.ts';
import type { ArcGroup } from '../ports/arc-group.ts';
import { ToyRing } from './ring.testkit.ts';
import { RingGroup } from './ring-group.ts';

const clock = systemClock();

arcGroupContract('toy ring', async () => {
  const ring = new ToyRing();
  let joined = 0;
  return {
    keepsWhole: true,
    async connect(): Promise<ArcGroup<Mention>> {
      const node = ring.join();
      const inbox = node.table('i');
      const holder = `node ${++joined}`;
      const group = new RingGroup({ arcs: node, calls: node, inbox, clock, holder });
      return {
        open: (member) => group.open(member),
        hand: (mentions) => group.hand(mentions),
        follow: (arcs) => group.follow(arcs),
        close: async () => {
          await group.close();
          ring.part(node);
        },
      };
    },
    async litter() {
      const node = ring.nodes[0];
      for (let arc = 0; arc < 64; arc++) {
        const key = Buffer.alloc(12);
        await node?.table('i').put(arc, [{ key, value: Buffer.from('{"v":9') }]);
        const answer = await node?.askOwner(arc, 'mentions', Buffer.from('these are not mentions'));
        assert.deepEqual(answer, Uint8Array.of(3), 'it is refused');
      }
    },
  };
});

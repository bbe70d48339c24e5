/** The promises of a group, kept by nodes of a real ring in virtual time. */
import { ArcQueue, LsmArcCopies, LsmArcTable, RingRows } from '../../src/adapters/ring/index.ts';
import { seededRandom } from '../../src/base/random.ts';
import { RingGroup } from '../../src/crawl/index.ts';
import { RingNode } from '../../src/crawl/ring-node.ts';
import type { Mention } from '../../src/events/index.ts';
import { arcGroupContract } from '../../src/ports/arc-group.contract.ts';
import type { ArcGroup } from '../../src/ports/arc-group.ts';
import { VirtualClock } from './clock.ts';
import { type MemoryDisk, memoryDisk } from './memory-disk.ts';
import { Process } from './process.ts';
import { PeerNet } from './ring-peers.ts';

interface Begun {
  readonly name: string;
  readonly disk: MemoryDisk;
  readonly ring: RingNode;
}

/** The last to close goes without a word, and is the first to come back: nobody else has its arcs. */
arcGroupContract('ring', async () => {
  const clock = new VirtualClock();
  const net = new PeerNet(clock);
  const alive: Begun[] = [];
  let last: Begun | undefined;
  let joined = 0;

  const begin = async ({ name, disk }: Pick<Begun, 'name' | 'disk'>) => {
    const queue = new ArcQueue();
    const copies = new LsmArcCopies(disk.lsm, queue);
    const peers = net.open(name, new Process());
    const ring = new RingNode({ peers, clock, random: seededRandom(++joined), copies });
    const [first] = alive;
    if (first === undefined) await ring.start();
    else await ring.join([first.ring.me.at]);
    return { ring, inbox: new LsmArcTable(new RingRows(disk.lsm, ring, queue), 'inbox') };
  };

  return {
    keepsWhole: true,
    async connect(): Promise<ArcGroup<Mention>> {
      const again = alive.length === 0 ? last : undefined;
      const { name, disk } = again ?? { name: `node-${joined + 1}`, disk: memoryDisk() };
      const { ring, inbox } = await begin({ name, disk });
      const one = { name, disk, ring };
      alive.push(one);
      const group = new RingGroup({ arcs: ring, calls: ring, inbox, clock, holder: `${joined}` });
      return {
        open: (member) => group.open(member),
        hand: (mentions) => group.hand(mentions),
        follow: (arcs) => group.follow(arcs),
        close: async () => {
          await group.close();
          last = one;
          alive.splice(alive.indexOf(one), 1);
          const isGone = alive.length > 0 && (await ring.leave());
          if (!isGone) await ring.close();
        },
      };
    },
  };
});

/**
 * The engines of a node of a ring, opened together: its folder, and its place among the others. A
 * part of the composition root.
 *
 *   folder ─▶ LSM ─┬─ copies of arcs ─┐
 *   peers ─────────┼──────────────────┴▶ RingNode ─▶ tenures ─▶ store: rows go through logs
 *                  └─ bodies, traces, events, near-index, denials, archive: this node's own
 */
import { systemClock, systemRandom } from './adapters/node/index.ts';
import { openPeers } from './adapters/peer/index.ts';
import { ArcQueue, LsmArcCopies, LsmArcTable, RingRows, RingStore } from './adapters/ring/index.ts';
import { type EngineOptions, type Engines, openEnginesWith } from './compose-engines.ts';
import type { RingFolder } from './compose-ring-folder.ts';
import type { Settings } from './config/index.ts';
import { claimToSendMs } from './crawl/neighbours.ts';
import { politenessFrom } from './crawl/plan.ts';
import { RingAddressTurns } from './crawl/ring-address.ts';
import { RingNode } from './crawl/ring-node.ts';
import type { SharedRules } from './crawl/ring-rules.ts';
import { RingTenures } from './crawl/ring-tenures.ts';
import type { ArcTable } from './ports/arc-table.ts';
import type { RingReport } from './ports/ring-report.ts';
import type { ArcRules } from './ring/index.ts';

export interface RingEngines extends Engines<RingStore> {
  readonly ring: RingNode;
  readonly tenures: RingTenures;
  readonly inbox: ArcTable;
  readonly book: ArcTable;
}

export interface RingHooks {
  readonly log: (what: string, error: unknown) => void;
  readonly failed: (error: unknown) => void;
  readonly totals: () => RingReport['totals'];
}

export async function openRingEngines(
  dir: string,
  settings: Settings,
  options: EngineOptions,
  { key, membership }: RingFolder,
  hooks: RingHooks,
): Promise<RingEngines> {
  const clock = systemClock();
  const { listen, announce } = settings.ring;
  // First of all: a port that is taken is said before anything of the folder is touched.
  const peers = await openPeers({
    ...{ key, membership, listen, clock, ...(announce !== undefined && { announce }) },
  });
  let parts: Omit<RingEngines, keyof Engines<RingStore>> | undefined;
  try {
    const engines = await openEnginesWith(dir, options, async (lsm, traces) => {
      const queue = new ArcQueue();
      const copies = new LsmArcCopies(lsm, queue);
      const rules = ringRulesFrom(settings);
      const turn = () => new Promise<void>((resolve) => setImmediate(resolve));
      const random = systemRandom();
      const ring = new RingNode({ peers, clock, random, copies, rules, turn, ...hooks });
      const tenures = new RingTenures(ring, clock);
      const rows = new RingRows(lsm, ring, queue);
      const log = tenures.logOf(ring);
      const [inbox, book] = [new LsmArcTable(rows, 'inbox'), new LsmArcTable(rows, 'book')];
      parts = { ring, tenures, inbox, book };
      const crawled = new RingRows(lsm, log, queue);
      return RingStore.open({ rows: crawled, log, traces, codec: options.codec });
    });
    return { ...engines, ...(parts as NonNullable<typeof parts>) };
  } catch (error) {
    await peers.close();
    throw error;
  }
}

const AWAITS = { async: 'nothing', 'sync-on-accept': 'admissions', full: 'everything' } as const;

export function ackOf(awaits: ArcRules['awaits']): string {
  return Object.entries(AWAITS).find(([, one]) => one === awaits)?.[0] ?? awaits;
}

export function ringRulesFrom({ ring }: Settings): SharedRules {
  return { copies: ring.copies, awaits: AWAITS[ring.ack], termMs: ring.ringTermMs };
}

/** Where hosts behind one address need no pause, nobody need be asked (P4). */
export function openAddressTurns(
  settings: Settings,
  ring: RingNode,
  holder: string,
  notice: (text: string) => void,
): RingAddressTurns | undefined {
  const { addressDelayMs } = politenessFrom(settings);
  if (addressDelayMs === 0) return undefined;
  const forgetMs = claimToSendMs(settings.fetch.connectTimeoutMs) + addressDelayMs;
  const clock = systemClock();
  return new RingAddressTurns({ arcs: ring, calls: ring, clock, forgetMs, holder, notice });
}

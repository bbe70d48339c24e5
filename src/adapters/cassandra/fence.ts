/**
 * A commit may touch an arc only under a tenure of its own node (shard-store.ts, promise 15). It is
 * asked with what a commit reads anyway; who takes the arc between that and the decision has sealed
 * the log before, so the decision fails (log.ts).
 */
import type { Commit } from '../../ports/shard-store.ts';
import { NotOurs } from '../../ports/tenures.ts';
import { hostKeyOf } from '../../record/index.ts';
import { arcOf } from '../../url/index.ts';
import type { Link } from './link.ts';
import type { Epochs } from './log.ts';
import { isHeldBy, TENURES, type TenureRow } from './tenure-rows.ts';

export class Fence {
  readonly #link: Link;
  readonly #crawl: string;
  readonly #holder: string;
  #seen = new Map<number, number>();
  /** Was there a tenure in the last commit that had not been there before? */
  isNew = false;

  constructor(link: Link, crawl: string, holder: string) {
    this.#link = link;
    this.#crawl = crawl;
    this.#holder = holder;
  }

  /** The tenures under which it is written; rejects with NotOurs where there is none. */
  async epochsFor(commit: Commit): Promise<Epochs> {
    this.isNew = false;
    const arcs = arcsOf(commit);
    if (arcs.length === 0) return new Map();
    const rows = await this.#link.run<TenureRow>(TENURES, [this.#crawl]);
    const held = new Map(
      rows
        .filter((row) => isHeldBy(row, this.#holder))
        .map(({ arc, epoch }) => [arc, epoch.toNumber()]),
    );
    const lost = arcs.filter((arc) => !held.has(arc));
    if (lost.length > 0) throw new NotOurs(lost);
    const epochs = new Map(arcs.map((arc) => [arc, held.get(arc) as number]));
    this.isNew = [...epochs].some(([arc, epoch]) => this.#seen.get(arc) !== epoch);
    this.#seen = new Map([...this.#seen, ...epochs]);
    return epochs;
  }
}

/** Every arc of which a row is changed. */
function arcsOf(commit: Commit): number[] {
  const { settled, admitted, requeued, redated, moved, hosts, robots, sketches } = commit;
  const { erased = [], untraced = [], shelved = [], unshelved = [], forgotten = [] } = commit;
  const waits = [...settled, ...admitted, ...requeued].map(({ waiting }) => waiting);
  const keys = [
    ...[...waits, ...erased, ...shelved, ...unshelved, ...forgotten].map(({ key }) => key),
    ...redated.map(({ due }) => due.key),
    ...moved.map(({ to }) => to.key),
    ...hosts.map(({ host }) => hostKeyOf(host)),
    ...[...robots, ...sketches].map(({ host }) => host),
    ...untraced,
  ];
  return [...new Set(keys.map((key) => arcOf(key)))].sort((a, b) => a - b);
}

/**
 * What of a batch is a node's own to write (K1): asked before its bodies are stored, and again
 * right before its commit. A node that was stopped for a minute wakes in the middle of it.
 *
 *   of an arc that is not ours   a visit       left out: its result is late, and is refused
 *                                a link        handed to whoever owns it
 *                                rows          left to their owner
 *
 * When an engine is away, the batch is kept, and tried again (trouble.ts).
 */
import { MINUTE_MS } from '../base/instant.ts';
import type { Mention } from '../events/index.ts';
import type { Frontier } from '../frontier/index.ts';
import type { Clock } from '../ports/clock.ts';
import type { Due } from '../ports/shard-store.ts';
import { NotOurs } from '../ports/tenures.ts';
import { hostKeyOf, type Waiting } from '../record/index.ts';
import { quarterOf } from '../url/index.ts';
import type { Arcs } from './arcs.ts';
import type { Ending } from './ending.ts';
import type { Batch } from './settle-batch.ts';
import type { Trouble } from './trouble.ts';

export interface SettleMember {
  readonly arcs: Arcs;
  readonly trouble: Trouble;
  /** Something was left out: what it named is not known. */
  readonly onRefused: () => void;
}

/** A batch is refused no more often: each time another arc of it turns out not to be ours. */
const REFUSALS_MAX = 256;
/** Kept for so long while an engine is away; then the URLs are back in the queue (B1). */
const KEPT_MS = 5 * MINUTE_MS;

export class OwnPart {
  readonly #member: SettleMember;
  readonly #frontier: Frontier;
  readonly #clock: Clock;
  /** Visits whose results came too late, since the start. */
  late = 0;

  constructor(member: SettleMember, frontier: Frontier, clock: Clock) {
    this.#member = member;
    this.#frontier = frontier;
    this.#clock = clock;
  }

  /** Before anything of the batch is stored. */
  sieve(batch: Batch): void {
    batch.sieve((ending) => this.#ownOf(ending));
  }

  /** Before its commit: also of the links, which are all for one another by now. */
  sieveLinks(batch: Batch): void {
    this.sieve(batch);
    const strays = batch.admitted.filter(({ waiting }) => !this.#isOurs(waiting.key));
    if (strays.length === 0) return;
    batch.admitted = batch.admitted.filter(({ waiting }) => this.#isOurs(waiting.key));
    batch.strays = [...batch.strays, ...strays.map(({ waiting }) => mentionOf(waiting))];
  }

  /** Resolves when it is time to try the batch again; false when it is not worth it. */
  async mayTryAgain(batch: Batch, error: unknown): Promise<boolean> {
    const { arcs, trouble, onRefused } = this.#member;
    if (error instanceof NotOurs) {
      arcs.lost(error.arcs);
      return ++batch.refusals <= REFUSALS_MAX;
    }
    const now = this.#clock.now();
    batch.failedAt ??= now;
    const isWorthIt = trouble.met(error) && now - batch.failedAt < KEPT_MS;
    if (isWorthIt) await trouble.wait();
    else onRefused();
    return isWorthIt;
  }

  passed(): void {
    this.#member.trouble.passed();
  }

  #ownOf(ending: Ending): Ending | Error | undefined {
    const { lease } = ending;
    if (lease !== undefined) {
      const isOurs = lease.host.presence !== 'gone' && this.#member.arcs.mayAct(lease.host.arc);
      if (!isOurs) return this.#refuse(ending);
    } else {
      const decided = [...(ending.moved ?? []).map(({ to }) => to), ...(ending.erased ?? [])];
      const keys = [...decided.map(({ key }) => key), ...(ending.untraced ?? [])];
      const lost = keys.filter((key) => !this.#isOurs(key));
      if (lost.length > 0) return new NotOurs([...new Set(lost.map(quarterOf))]);
      if ((ending.requeued ?? []).some(({ due }) => !this.#isOurs(due.key))) return undefined;
      const { host } = ending;
      if (host !== undefined && !this.#isOurs(hostKeyOf(host.host))) return undefined;
    }
    return this.#withoutOthers(ending);
  }

  #refuse({ lease }: Ending): undefined {
    this.late++;
    if (lease !== undefined) this.#frontier.giveUp(lease, this.#clock.now());
    this.#member.onRefused();
    return undefined;
  }

  #withoutOthers(ending: Ending): Ending {
    const { robots, resting, sketches, redated, shelved, unshelved, forgotten } = ending;
    const isOurs = ({ key }: Waiting | Due) => this.#isOurs(key);
    const isKept = robots === undefined || this.#isOurs(robots.host);
    const { robots: _, ...rest } = ending;
    return {
      ...(isKept ? ending : rest),
      ...(resting && { resting: resting.filter(({ host }) => this.#isOurs(hostKeyOf(host))) }),
      ...(sketches && { sketches: sketches.filter(({ host }) => this.#isOurs(host)) }),
      ...(redated && { redated: redated.filter(({ due }) => isOurs(due)) }),
      ...(shelved && { shelved: shelved.filter(isOurs) }),
      ...(unshelved && { unshelved: unshelved.filter(isOurs) }),
      ...(forgotten && { forgotten: forgotten.filter(isOurs) }),
    };
  }

  #isOurs(key: Uint8Array): boolean {
    return this.#member.arcs.mayAct(quarterOf(key));
  }
}

/** As it was named: the hop outside that it was counted as is counted again by its owner. */
function mentionOf(waiting: Waiting): Mention {
  const { url, kind, priority, depth, hops, outside, parent, claim, job } = waiting;
  const said = { ...(claim !== undefined && { claim }), ...(job !== undefined && { job }) };
  return { url, kind, priority, depth, hops, outside: Math.max(0, outside - 1), parent, ...said };
}

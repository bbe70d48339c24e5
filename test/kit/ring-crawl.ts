/**
 * A crawl of the test web by a ring, and when it is over: every arc has an owner, nothing waits
 * anywhere, and both have been so for longer than an owner can be missing. What came of it is
 * judged by the web's own log (judged.ts).
 */
import assert from 'node:assert/strict';
import type { WebOptions } from '../../testweb/index.ts';
import { judgeFound, judgeTurns } from './judged.ts';
import type { Cleanup } from './place.ts';
import { ARCS, type RingNode, type RingPlan, type RingSeen, TestRing } from './ring.ts';
import { openWebFor, type TestWeb } from './web.ts';

export interface RingCrawlPlan {
  readonly nodes: number;
  readonly hosts: number;
  readonly pages: number;
  readonly delayMs: number;
  readonly seed?: number;
  /** Requests that a node may have under way. */
  readonly concurrency?: number;
  /** Every answer of the web is this late. */
  readonly latencyMs?: number;
  /** So many more pages on the first host. */
  readonly hot?: number;
  /** For every node, besides. */
  readonly flags?: readonly string[];
  readonly livesOf?: RingPlan['livesOf'];
}

const FEATURES = ['redirects', 'robots', 'errors', 'encodings', 'sitemaps', 'copies'] as const;
const CONCURRENCY = 32;
const LOOK_MS = 500;
/** Looks in a row that find nothing to do. */
const QUIET_LOOKS = 30;
/** Nothing new for so long, and not over: it will not be. */
const STUCK_MS = 180_000;

export class RingCrawl {
  readonly web: TestWeb;
  readonly ring: TestRing;
  readonly plan: RingCrawlPlan;
  readonly #expected: number;

  private constructor(web: TestWeb, ring: TestRing, plan: RingCrawlPlan) {
    this.web = web;
    this.ring = ring;
    this.plan = plan;
    this.#expected = web.web.truth({ scope: 'any' }).expectedFetches;
  }

  static async begin(t: Cleanup, plan: RingCrawlPlan): Promise<RingCrawl> {
    const { nodes, hosts, pages, delayMs, seed = 11, latencyMs = 0, hot = 0, livesOf } = plan;
    const size: WebOptions = { seed, hosts, pages, hot, skew: 0, features: FEATURES };
    const web = await openWebFor(t, size, { latencyMs });
    const flags = [
      ...[...web.flags, '--delay', `${delayMs}ms`, '--scope', 'any', '--workers', '0'],
      ...['--concurrency', `${plan.concurrency ?? CONCURRENCY}`],
      // A robots.txt that fails at first would hold its host up for minutes.
      ...['--contact', 'mailto:test@example.com', '--backoff', '2s', ...(plan.flags ?? [])],
    ];
    const ring = await TestRing.open(t, { nodes, flags, livesOf });
    return new RingCrawl(web, ring, plan);
  }

  async seed(): Promise<void> {
    await this.first.ask('/crawl/seeds', { urls: [this.web.start], scope: 'any' });
  }

  get first(): RingNode {
    return this.ring.nodes[0] as RingNode;
  }

  get requests(): number {
    return this.web.server.log.length;
  }

  /** How much of it is done, from 0 to 1 and a little more. */
  get share(): number {
    return this.requests / this.#expected;
  }

  async after(share: number): Promise<void> {
    const until = Date.now() + STUCK_MS;
    while (this.share < share) {
      await new Promise((look) => setTimeout(look, LOOK_MS));
      this.ring.assertAlive();
      assert.ok(Date.now() < until, `stuck: ${this.requests} requests`);
    }
  }

  async finish(tell: (line: string) => void = () => {}): Promise<void> {
    let [quiet, last, movedAt, toldAt] = [0, '', Date.now(), 0];
    while (quiet < QUIET_LOOKS) {
      await new Promise((look) => setTimeout(look, LOOK_MS));
      this.ring.assertAlive();
      const state = stateOf(await this.ring.seen());
      const now = `${state.known} ${this.requests}`;
      if (now !== last) movedAt = Date.now();
      const isWhole = state.owned === ARCS && state.nodes === this.ring.nodes.length;
      const isQuiet = isWhole && state.waiting === 0 && state.known > 0;
      quiet = isQuiet && now === last ? quiet + 1 : 0;
      last = now;
      assert.ok(Date.now() - movedAt < STUCK_MS, `stuck: ${JSON.stringify(state)}`);
      if (Date.now() - toldAt < 10_000) continue;
      tell(`${this.requests} requests, ${JSON.stringify(state)}`);
      toldAt = Date.now();
    }
  }

  verify(againMax: number): string {
    const found = judgeFound(this.web, () => againMax);
    return `${found}, ${judgeTurns(this.web, this.plan.delayMs)}`;
  }
}

export interface RingState {
  /** Those that answer. */
  readonly nodes: number;
  /** Arcs of which somebody says that it owns them. */
  readonly owned: number;
  readonly handing: number;
  readonly known: number;
  readonly waiting: number;
  readonly fetched: number;
}

export function stateOf({ nodes, arcs }: RingSeen): RingState {
  const sum = (name: string) => nodes.reduce((all, { totals }) => all + (totals?.[name] ?? 0), 0);
  return {
    nodes: nodes.filter((node) => !node.is_silent).length,
    owned: arcs.filter(({ level }) => level !== undefined).length,
    handing: arcs.filter((arc) => arc.is_handing).length,
    ...{ known: sum('known'), waiting: sum('waiting'), fetched: sum('fetched') },
  };
}

/** A crawl by three nodes of a cluster, and what the web's own log says of it (judged.ts). */
import assert from 'node:assert/strict';
import type { WebOptions } from '../../testweb/index.ts';
import {
  type ClusterNode,
  type EngineAddresses,
  type TestCluster,
  testCluster,
} from './cluster.ts';
import type { RecordsKind } from './cluster-own.ts';
import { judgeAddresses, judgeFound, judgeTurns } from './judged.ts';
import { metricOf, tail } from './serving.ts';
import { openWebFor, type TestWeb, waitForRequests } from './web.ts';

export interface CrawlPlan {
  readonly hosts: number;
  readonly pages: number;
  readonly skew?: number;
  readonly hostsPerAddress?: number;
  /** Pages more on the first host. */
  readonly hot?: number;
  readonly delayMs: number;
  readonly termMs: number;
}

/** Those that it does not have of its own are those of `npm run test:live`. */
export interface CrawlEngines {
  readonly kind?: RecordsKind;
  readonly at?: Partial<EngineAddresses>;
}

export const CONCURRENCY = 32;
/** Of all requests, when nothing happens (K1). */
const DUPLICATES_MAX = 0.0001;
const FEATURES = ['redirects', 'robots', 'errors', 'encodings', 'sitemaps', 'copies'] as const;
const START_TRIES = 60;
const START_AGAIN_MS = 2_000;

type Cleanup = Parameters<typeof openWebFor>[0];

export class ClusterCrawl {
  readonly web: TestWeb;
  readonly cluster: TestCluster;
  readonly plan: CrawlPlan;
  /** Those that are meant to run, stopped ones too. */
  nodes: ClusterNode[] = [];
  readonly #expected: number;

  private constructor(web: TestWeb, cluster: TestCluster, plan: CrawlPlan) {
    this.web = web;
    this.cluster = cluster;
    this.plan = plan;
    this.#expected = web.web.truth({ scope: 'any' }).expectedFetches;
  }

  static async begin(t: Cleanup, plan: CrawlPlan, own: CrawlEngines = {}): Promise<ClusterCrawl> {
    const { hosts, pages, skew = 0.5, hot = 0, delayMs, termMs, hostsPerAddress = 1 } = plan;
    const size: WebOptions = { seed: 11, hosts, pages, skew, hot, hostsPerAddress };
    const web = await openWebFor(t, { ...size, features: FEATURES });
    const pace = ['--delay', `${delayMs}ms`, '--term', `${termMs}ms`];
    const flags = [
      ...[...pace, '--scope', 'any', '--workers', '0', '--concurrency', `${CONCURRENCY}`],
      // A robots.txt that fails at first would hold its host up for minutes.
      ...['--contact', 'mailto:test@example.com', '--backoff', '2s'],
    ];
    const cluster = testCluster(t, {
      web,
      flags,
      records: own.kind ?? 'postgres',
      at: own.at ?? {},
    });
    const crawl = new ClusterCrawl(web, cluster, plan);
    await Promise.all([0, 1, 2].map(() => crawl.join()));
    await crawl.first.ask('/crawl/seeds', { urls: [web.start], scope: 'any' });
    return crawl;
  }

  get first(): ClusterNode {
    return this.nodes[0] as ClusterNode;
  }

  get requests(): number {
    return this.web.server.log.length;
  }

  /** How much of it is done, from 0 to 1 and a little more. */
  get share(): number {
    return this.requests / this.#expected;
  }

  /** As whoever looks after processes would: one that finds no engine is started again. */
  async join(): Promise<ClusterNode> {
    for (let tries = 1; ; tries++) {
      try {
        const node = await this.cluster.start();
        this.nodes.push(node);
        return node;
      } catch (error) {
        if (tries === START_TRIES) throw error;
        await new Promise((again) => setTimeout(again, START_AGAIN_MS));
      }
    }
  }

  /** It is not counted among the nodes any more; ending it is up to the caller. */
  leave(node: ClusterNode): void {
    this.nodes = this.nodes.filter((one) => one !== node);
  }

  async after(share: number): Promise<void> {
    const isThere = await waitForRequests(this.web, share * this.#expected, () => false);
    assert.ok(isThere);
  }

  async finish(): Promise<void> {
    const dead = this.nodes.find(({ isOver }) => isOver);
    assert.equal(dead, undefined, `a node has ended by itself: ${tail(dead?.stderr)}`);
    await this.cluster.quiet(this.first);
  }

  /** `mayRepeat`: requests that faults may have caught under way. Answers with what was found. */
  verify(mayRepeat = 0): string {
    const most = (requests: number) => Math.floor(requests * DUPLICATES_MAX) + mayRepeat;
    return `${judgeFound(this.web, most)}, ${this.verifyTurns()}`;
  }

  /** Also of a crawl that is not over. */
  verifyTurns(): string {
    return judgeTurns(this.web, this.plan.delayMs);
  }

  /** The same of addresses, whosever hosts are behind them (P4). */
  verifyAddresses(): string {
    return judgeAddresses(this.web, this.plan.delayMs);
  }

  /** A number of /metrics, summed over the nodes that run. */
  async metric(name: string): Promise<number> {
    const values = await Promise.all(this.nodes.map((node) => metricOf(node, name)));
    return values.reduce((sum, value) => sum + value, 0);
  }
}

/**
 * The scope of a crawl, which may widen by one step (F10): `http://example.com/` that redirects
 * to `https://www.example.com/` meant that host, and a crawl that stopped there would have
 * fetched nothing. Only the two names of one site are joined this way, with or without `www.`;
 * a redirect to anywhere else is judged as a link is.
 */
import type { ShardStore } from '../ports/shard-store.ts';
import { urlKeyOf } from '../record/index.ts';
import {
  hostOf,
  makeScope,
  type Scope,
  type ScopeOptions,
  type ScopeVerdict,
} from '../url/index.ts';

const HOPS_MAX = 5;
const SEEDS_PER_LOOK = 1_000;

export class SeedScope implements Scope {
  readonly #seeds: readonly string[];
  readonly #scope: Scope;

  constructor(options: ScopeOptions) {
    this.#seeds = options.seeds;
    this.#scope = makeScope(options);
  }

  judge(url: string, hopsOutside?: number): ScopeVerdict {
    return this.#scope.judge(url, hopsOutside);
  }

  /** A seed, or a hop from one, redirects: if that is the same site, it is a seed, too. */
  widen(from: string, to: string): void {
    if (hostOf(from) === hostOf(to) || bareHost(from) !== bareHost(to)) return;
    this.#scope.add(to);
  }

  add(seed: string): boolean {
    return this.#scope.add(seed);
  }

  /** Takes the same steps again that an earlier run took. */
  async recall(store: ShardStore): Promise<void> {
    for (let at = 0; at < this.#seeds.length; at += SEEDS_PER_LOOK) {
      let hops = this.#seeds.slice(at, at + SEEDS_PER_LOOK);
      for (let steps = 0; steps < HOPS_MAX && hops.length > 0; steps++) {
        const records = await store.urls(hops.map(urlKeyOf));
        const next = hops.map((from, i) => ({ from, to: records[i]?.redirectTo ?? '' }));
        for (const { from, to } of next) if (to !== '') this.widen(from, to);
        hops = next.flatMap(({ to }) => (to === '' ? [] : [to]));
      }
    }
  }
}

function bareHost(url: string): string {
  const host = hostOf(url);
  return host.startsWith('www.') ? host.slice(4) : host;
}

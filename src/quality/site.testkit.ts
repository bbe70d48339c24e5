/**
 * A crawl of one computed host by its sketch alone: which URLs would be asked, in which order,
 * and what is cut off. No network, no store, no clock: a million pages in seconds.
 */
import { createHash } from 'node:crypto';
import { type Instant, SECOND_MS } from '../base/instant.ts';
import { NO_BYTES, urlKeyOf } from '../record/index.ts';
import { noteFetched, passOver, regard } from './host-watch.ts';
import { Naming } from './naming.ts';
import { HostSketch, type Verdict } from './sketch.ts';
import { decodeSketch, encodeSketch } from './sketch-codec.ts';
import { TRAPS, type TrapPolicy } from './trap-policy.ts';

export interface Site {
  readonly start: string;
  linksAt(path: string): readonly string[] | undefined;
  /** What the page says; pages that say the same are copies. */
  textAt?(path: string): string;
}

export interface SiteCrawl {
  readonly fetched: Set<string>;
  readonly skipped: Set<string>;
  readonly refused: number;
  readonly verdicts: readonly Verdict[];
  readonly sketch: HostSketch;
}

interface Queued {
  readonly url: string;
  readonly depth: number;
  readonly parent: Uint8Array;
}

export interface SiteOptions {
  readonly depthMax?: number;
  readonly fetchesMax?: number;
  readonly lanes?: number;
  readonly policy?: Partial<TrapPolicy>;
  readonly sitemap?: readonly string[];
  /** Written and read back every so many pages, as between two runs. */
  readonly restartEvery?: number;
  readonly now?: Instant;
}

export const ORIGIN = 'http://h.example';
const NOW = Date.UTC(2026, 5, 1);
const PROBE_PRIORITY = 0.75;

/** Buckets by priority: first come, first served within each. */
class Queue {
  readonly #buckets = new Map<number, Queued[]>();

  add(priority: number, url: Queued): void {
    const key = Math.round(priority * 250);
    const bucket = this.#buckets.get(key);
    if (bucket === undefined) this.#buckets.set(key, [url]);
    else bucket.push(url);
  }

  take(): Queued | undefined {
    const best = Math.max(...this.#buckets.keys());
    const bucket = this.#buckets.get(best);
    const url = bucket?.shift();
    if (bucket?.length === 0) this.#buckets.delete(best);
    return url;
  }
}

export function crawlSite(site: Site, options: SiteOptions = {}): SiteCrawl {
  const { depthMax = 20, fetchesMax = 100_000, lanes = 1, restartEvery = 0 } = options;
  const policy = { ...TRAPS, ...options.policy };
  let now = options.now ?? NOW;
  let sketch = new HostSketch();
  const queue = new Queue();
  const seen = new Set<string>();
  const [fetched, skipped] = [new Set<string>(), new Set<string>()];
  let refused = 0;
  const bodies = new Set<string>();
  const admit = (url: string, depth: number, naming: Naming | undefined, parent: Uint8Array) => {
    seen.add(url);
    const found = regard(sketch, url, naming, policy);
    if (found === 0) refused++;
    else
      queue.add(found === 'probe' ? PROBE_PRIORITY : 0.9 * 0.92 ** depth * found, {
        url,
        depth,
        parent,
      });
  };
  for (const path of [site.start, ...(options.sitemap ?? [])])
    admit(ORIGIN + path, 0, undefined, NO_BYTES);
  while (fetched.size < fetchesMax) {
    const batch: Queued[] = [];
    for (let next = queue.take(); next !== undefined; next = queue.take()) {
      if (passOver(sketch, next.url, policy, now) !== undefined)
        skipped.add(next.url.slice(ORIGIN.length));
      else if (batch.push(next) >= lanes) break;
    }
    if (batch.length === 0) break;
    for (const { url, depth, parent } of batch) {
      now += SECOND_MS;
      const path = url.slice(ORIGIN.length);
      const links = site.linksAt(path);
      fetched.add(path);
      if (links === undefined) continue;
      const key = urlKeyOf(url);
      const naming = new Naming(sketch, { url, key, parent });
      for (const href of links) {
        const link = new URL(href, url).href;
        if (seen.has(link)) {
          if (naming.isWatching) naming.known(link);
        } else if (depth + 1 > depthMax) naming.cut();
        else admit(link, depth + 1, naming, key);
      }
      naming.close();
      const text = site.textAt?.(path) ?? path;
      const isCopy = bodies.has(text);
      bodies.add(text);
      const contentHash = createHash('sha256').update(text).digest();
      noteFetched(
        sketch,
        { record: { url, depth, contentHash, original: NO_BYTES }, isCopy },
        policy,
        now,
      );
      if (restartEvery > 0 && fetched.size % restartEvery === 0)
        sketch = decodeSketch(encodeSketch(sketch));
    }
  }
  return { fetched, skipped, refused, verdicts: sketch.verdicts, sketch };
}

/**
 * The truth about a crawl that was not made yet: what it must fetch, what it must not.
 *
 * A walk over the graph of numbers, breadth first, under the rules that a polite crawler keeps:
 * robots (by what the host's kind forbids, not by parsing), scope, depth, five redirect hops.
 * A forbidden page leads nowhere; a redirect leads on at its own depth.
 *
 *   page       answers 200 in the end, fetched once        redirect   answers 3xx, fetched once
 *   dead       answers 4xx, fetched once                   broken     answers 5xx every time
 *   forbidden  linked and in scope, must not be fetched    unreached  exists, nothing leads there
 */
import type { Host } from './hosts.ts';
import { spanOf } from './hosts.ts';
import { type Graph, LinkList, linksOf } from './links.ts';
import { type Nature, natureOf, redirectionOf } from './nature.ts';
import { HOPS_MAX, pathOf, resourceOf, zoneOf } from './resources.ts';
import { forbids } from './robots-kind.ts';

export const CLASSES = ['unreached', 'page', 'redirect', 'dead', 'broken', 'forbidden'] as const;
export type TruthClass = (typeof CLASSES)[number];

export interface TruthQuestion {
  /** The product token; `Orbweaver` unless told. */
  readonly agent?: string;
  /** Absolute URLs; the root of host 0 unless told. */
  readonly seeds?: readonly string[];
  readonly scope?: 'host' | 'domain' | 'any';
  /** Links from a seed; a seed has depth 0. */
  readonly depth?: number;
  /** Whether the crawler reads the sitemaps that robots.txt names; true unless told. */
  readonly sitemaps?: boolean;
}

const REDIRECTS_MAX = 5;
const UNREACHED = 0;
const PAGE = 1;
const REDIRECT = 2;
const DEAD = 3;
const BROKEN = 4;
const FORBIDDEN = 5;

export class Truth {
  readonly #graph: Graph;
  readonly #class: Uint8Array;
  readonly #counts = new Array<number>(CLASSES.length).fill(0);
  #retries = 0;

  constructor(graph: Graph) {
    this.#graph = graph;
    const last = graph.hosts.at(-1)!;
    this.#class = new Uint8Array(last.start + spanOf(last.size));
  }

  count(kind: TruthClass): number {
    return this.#counts[CLASSES.indexOf(kind)]!;
  }

  /** Requests that a complete crawl makes, robots and sitemaps aside; busy pages count twice. */
  get expectedFetches(): number {
    const once = this.count('page') + this.count('redirect') + this.count('dead');
    return once + this.#retries;
  }

  get expectedRetries(): number {
    return this.#retries;
  }

  classOf(host: number, resource: number): TruthClass {
    return CLASSES[this.#class[this.#graph.hosts[host]!.start + resource]!]!;
  }

  /** The canonical URLs of a class, host by host. */
  *urls(kind: TruthClass): Generator<string> {
    const wanted = CLASSES.indexOf(kind);
    for (const host of this.#graph.hosts) {
      for (let resource = 0; resource < spanOf(host.size); resource++) {
        if (this.#class[host.start + resource] === wanted) {
          if (kind === 'unreached' && !exists(this.#graph, host, resource)) continue;
          yield host.origin + pathOf(host, resource);
        }
      }
    }
  }

  isMarked(host: Host, resource: number): boolean {
    return this.#class[host.start + resource] !== UNREACHED;
  }

  mark(host: Host, resource: number, kind: number, retry: boolean): void {
    this.#class[host.start + resource] = kind;
    this.#counts[kind]!++;
    if (retry) this.#retries++;
  }
}

/** Walks the web once; 50,000 pages take about a second. */
export function truthOf(
  graph: Graph,
  find: (url: string) => { readonly host: Host; readonly path: string } | undefined,
  question: TruthQuestion,
): Truth {
  const walk = new Walk(graph, question);
  const starts: [Host, number][] = [];
  for (const seed of question.seeds ?? [`${graph.hosts[0]!.origin}/`]) {
    const at = find(seed);
    const resource = at === undefined ? undefined : resourceOf(at.host, at.path);
    if (at !== undefined && resource !== undefined) starts.push([at.host, resource]);
  }
  walk.run(starts);
  return walk.truth;
}

class Walk {
  readonly truth: Truth;
  readonly #graph: Graph;
  readonly #agent: string;
  readonly #question: TruthQuestion;
  readonly #entered = new Set<number>();
  readonly #links = new LinkList();
  #scope = new Set<string>();
  #level: number[] = [];
  #next: number[] = [];

  constructor(graph: Graph, question: TruthQuestion) {
    this.truth = new Truth(graph);
    this.#graph = graph;
    this.#question = question;
    this.#agent = question.agent ?? 'Orbweaver';
  }

  run(starts: readonly (readonly [Host, number])[]): void {
    const { scope = 'any', depth = Number.POSITIVE_INFINITY } = this.#question;
    if (scope !== 'any') {
      this.#scope = new Set(starts.map(([host]) => (scope === 'host' ? host.name : host.domain)));
    }
    for (const [host, resource] of starts) this.#push(host.index, resource, this.#level);
    for (let at = 0; this.#level.length > 0 && at <= depth; at++) {
      for (let n = 0; n < this.#level.length; n += 2) {
        this.#visit(this.#graph.hosts[this.#level[n]!]!, this.#level[n + 1]!);
      }
      this.#level = this.#next;
      this.#next = [];
    }
  }

  #push(host: number, resource: number, level: number[]): void {
    level.push(host, resource);
  }

  #inScope(host: Host): boolean {
    const { scope = 'any' } = this.#question;
    return scope === 'any' || this.#scope.has(scope === 'host' ? host.name : host.domain);
  }

  #visit(host: Host, resource: number): void {
    if (this.truth.isMarked(host, resource) || !this.#inScope(host)) return;
    if (forbids(host.robots, zoneOf(host, resource), this.#agent)) {
      this.truth.mark(host, resource, FORBIDDEN, false);
      return;
    }
    this.#enter(host);
    const nature = natureOf(this.#graph.natures, host, resource);
    if (nature === undefined) return;
    const redirection = redirectionOf(this.#graph.natures, this.#graph.hosts, host, resource);
    if (redirection !== undefined) {
      this.truth.mark(host, resource, REDIRECT, false);
      const { to } = redirection;
      if (hopNumber(host, resource) < REDIRECTS_MAX) this.#push(to.host, to.resource, this.#level);
      return;
    }
    const kind = kindOf(nature);
    this.truth.mark(host, resource, kind, nature.startsWith('busy-'));
    if (kind === PAGE && hasLinks(nature)) this.#follow(host, resource);
  }

  /** The first page of a host leads to robots.txt, and that to the sitemap's pages. */
  #enter(host: Host): void {
    if (this.#entered.has(host.index)) return;
    this.#entered.add(host.index);
    if (!host.sitemap || this.#question.sitemaps === false) return;
    for (let page = 0; page < host.size; page++) this.#push(host.index, page, this.#next);
  }

  #follow(host: Host, resource: number): void {
    const links = this.#links;
    linksOf(this.#graph, host, resource, links);
    for (let at = 0; at < links.length; at++) {
      const to = this.#graph.hosts[links.hosts[at]!]!;
      if (!this.truth.isMarked(to, links.resources[at]!)) {
        this.#push(to.index, links.resources[at]!, this.#next);
      }
    }
  }
}

function hopNumber(host: Host, resource: number): number {
  return resource < 2 * host.size ? 0 : 1 + ((resource - 2 * host.size) % HOPS_MAX);
}

function kindOf(nature: Nature): number {
  if (nature === 'missing') return DEAD;
  if (nature === 'status-500') return BROKEN;
  return nature.startsWith('status-') ? DEAD : PAGE;
}

/** Bodies without links that count; the soft 404's one link is the root. */
function hasLinks(nature: Nature): boolean {
  return !['pdf', 'binary-as-html', 'plain-text', 'script-only', 'soft-404', 'feed'].includes(
    nature,
  );
}

/** Named by a sitemap alone, or not reached for another reason: it is there all the same. */
function exists(graph: Graph, host: Host, resource: number): boolean {
  if (resource < host.size) return true;
  const nature = natureOf(graph.natures, host, resource);
  return nature !== undefined && nature !== 'missing' && nature !== 'soft-404';
}

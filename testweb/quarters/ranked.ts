/**
 * A web whose importance is known (F2, X4): hosts and pages that others link to by a power law,
 * amid navigation that links to what nobody cares for.
 *
 * Three pages in four are content: they link in their text to ten pages, half of them on other
 * hosts, popular ones more often, and to their children in a tree. The rest are service pages
 * (terms, tags, log-ins), which only navigation names, from every page. Importance is PageRank
 * over the links in texts; what stands in navigation counts nothing.
 */
import type { WebAnswer } from '../exchange.ts';
import { Dice, mix } from '../hash.ts';
import { SECTIONS } from '../words.ts';
import { type Frame, frameOf, type Link, notFound, pageAnswer } from './layout.ts';
import { type Edges, pageRank } from './page-rank.ts';
import { proseOf, slugOf, titleOf } from './prose.ts';
import type { Label, QuarterHost, QuarterOrder, QuarterPlace } from './quarter.ts';
import { eachHost } from './site-host.ts';

const CHILDREN = 6;
const LINKS = 10;
const NAVIGATION = 10;
const SERVICE_SHARE = 0.25;
/** Host and page of rank floor(n·u^SLOPE): the first tenth draws 40% of the links. */
const SLOPE = 2.5;
const SENTENCES = 30;

export function rankedHosts(order: QuarterOrder): QuarterHost[] {
  const web = new RankedWeb(order);
  return eachHost(order, (n) => new RankedHost(web, n));
}

class RankedWeb {
  readonly hosts: number;
  readonly pages: number;
  /** Local numbers below this are content, from here on service pages. */
  readonly content: number;
  readonly seed: number;
  #importance: Float64Array | undefined;

  constructor(order: QuarterOrder) {
    this.hosts = order.hosts;
    this.pages = order.pages + 1;
    this.content = this.pages - Math.floor(order.pages * SERVICE_SHARE);
    this.seed = mix(order.seed, 0x4a9c);
  }

  get importance(): Float64Array {
    this.#importance ??= pageRank(this.#edges());
    return this.#importance;
  }

  pathOf(host: number, page: number): string {
    if (page === 0) return '/';
    const seed = this.#pageSeed(host, page);
    return `/${SECTIONS[seed & 7]}/${slugOf(seed)}-${page}.html`;
  }

  titleOf(host: number, page: number): string {
    return titleOf(this.#pageSeed(host, page));
  }

  textOf(host: number, page: number): string[] {
    return proseOf(this.#pageSeed(host, page), SENTENCES);
  }

  /** [host, page] pairs in the text of a page. */
  linksOf(host: number, page: number): [number, number][] {
    const links: [number, number][] = [];
    if (page >= this.content) return [[host, 0]];
    const dice = new Dice(mix(this.#pageSeed(host, page), 0x11));
    const draw = (limit: number) => Math.floor(limit * (dice.next() / 2 ** 32) ** SLOPE);
    for (let n = 0; n < LINKS; n++) {
      const to = n % 2 === 0 ? host : this.#scattered(draw(this.hosts), this.hosts, 0);
      links.push([to, this.#scattered(draw(this.content), this.content, to + 1)]);
    }
    const first = page * CHILDREN + 1;
    for (let n = first; n < first + CHILDREN && n < this.content; n++) links.push([host, n]);
    return links;
  }

  /** The navigation of a page's section: the root, and service pages. */
  navigationOf(page: number): number[] {
    const service = this.pages - this.content;
    const sections = Math.max(1, Math.ceil(service / NAVIGATION));
    const first = (page % sections) * NAVIGATION;
    const count = Math.max(0, Math.min(NAVIGATION, service - first));
    return [0, ...Array.from({ length: count }, (_, n) => this.content + first + n)];
  }

  #pageSeed(host: number, page: number): number {
    return mix(mix(this.seed, host + 1), page);
  }

  /** Rank to number, so that popular pages are not the ones nearest the root. */
  #scattered(rank: number, count: number, salt: number): number {
    return (rank * stepFor(count) + (mix(this.seed + 7, salt) % count)) % count;
  }

  #edges(): Edges {
    const total = this.hosts * this.pages;
    const from = new Uint32Array(total + 1);
    const to: number[] = [];
    for (let host = 0; host < this.hosts; host++) {
      for (let page = 0; page < this.pages; page++) {
        for (const [h, p] of this.linksOf(host, page)) to.push(h * this.pages + p);
        from[host * this.pages + page + 1] = to.length;
      }
    }
    return { from, to: Uint32Array.from(to) };
  }
}

class RankedHost implements QuarterHost {
  readonly kind = 'ranked';
  readonly label: string;
  readonly popular = false;
  readonly #web: RankedWeb;
  readonly #host: number;
  readonly #frame: Frame;

  constructor(web: RankedWeb, n: number) {
    this.label = `ranked-${n}`;
    this.#web = web;
    this.#host = n - 1;
    this.#frame = frameOf(mix(web.seed, n), []);
  }

  answer(path: string, _request: unknown, place: QuarterPlace): WebAnswer {
    const page = this.#pageOf(path);
    if (page === undefined) return notFound();
    const web = this.#web;
    const links = web.linksOf(this.#host, page).map(([host, to]): Link => {
      const origin = host === this.#host ? '' : place.originOf(`ranked-${host + 1}`);
      return { href: origin + web.pathOf(host, to), text: web.titleOf(host, to) };
    });
    const navigation = web.navigationOf(page).map((to): Link => {
      return { href: web.pathOf(this.#host, to), text: web.titleOf(this.#host, to) };
    });
    const title = web.titleOf(this.#host, page);
    const frame = { ...this.#frame, navigation };
    return pageAnswer({ title, paragraphs: web.textOf(this.#host, page), links, frame });
  }

  labelOf(path: string): Label | undefined {
    const page = this.#pageOf(path);
    if (page === undefined) return undefined;
    const importance = this.#web.importance[this.#host * this.#web.pages + page]!;
    return { role: 'honest', text: `${this.label}:${page}`, edited: 0, importance };
  }

  *paths(): Generator<string> {
    for (let page = 0; page < this.#web.pages; page++) yield this.#web.pathOf(this.#host, page);
  }

  #pageOf(path: string): number | undefined {
    if (path === '/') return 0;
    const page = Number(/-(\d+)\.html$/.exec(path)?.[1] ?? -1);
    const known = page > 0 && page < this.#web.pages;
    return known && this.#web.pathOf(this.#host, page) === path ? page : undefined;
  }
}

/** Near the golden section of n, and without a common divisor. */
function stepFor(count: number): number {
  let step = Math.max(1, Math.round(count * 0.618));
  while (divisor(step, count) !== 1) step++;
  return step;
}

function divisor(a: number, b: number): number {
  return b === 0 ? a : divisor(b, a % b);
}

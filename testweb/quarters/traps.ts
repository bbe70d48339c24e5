/**
 * Trap hosts (Q1): a site without an end beside honest articles that a crawl must still fetch.
 *
 * Two flavours. Plain: the trap's pages are nearly the same. `-filler`: each has random text of
 * its own, so that nothing but the URL gives it away. The pager's first pages are honest: they
 * alone name a third of the articles.
 */
import type { WebAnswer } from '../exchange.ts';
import { mix } from '../hash.ts';
import { Articles } from './articles.ts';
import { type Link, notFound, pageAnswer } from './layout.ts';
import { proseOf, textHash } from './prose.ts';
import type { Label, QuarterHost, QuarterName, QuarterOrder } from './quarter.ts';
import { eachHost, seedOf } from './site-host.ts';
import { TRAPS, type Trap } from './trap-links.ts';

const HONEST_LISTS = 3;
/** Of the path, in title and text. */
const SHOWN = 40;
const PLAIN_SENTENCES = 12;
const FILLER_SENTENCES = 40;

export function trapHosts(order: QuarterOrder): QuarterHost[] {
  return eachHost(order, (n) => new TrapHost(order, n));
}

class TrapHost implements QuarterHost {
  readonly kind: QuarterName;
  readonly label: string;
  readonly popular = false;
  readonly #name: keyof typeof TRAPS;
  readonly #trap: Trap;
  readonly #filler: boolean;
  readonly #articles: Articles;
  /** Articles that only the first pages of a pager name. */
  readonly #listed: Articles | undefined;

  constructor(order: QuarterOrder, n: number) {
    this.kind = order.kind;
    this.label = `${order.kind}-${n}`;
    this.#filler = order.kind.endsWith('-filler');
    this.#name = order.kind.replace('-filler', '') as keyof typeof TRAPS;
    this.#trap = TRAPS[this.#name];
    const seed = seedOf(order, n);
    const listed = this.#name === 'pager' ? Math.floor(order.pages / 3) : 0;
    const entry: Link = { href: this.#trap.start, text: 'All of it' };
    const extraAt = (article: number) => (article % 5 === 0 ? [entry] : []);
    this.#articles = new Articles({ seed, count: order.pages - listed, extraAt });
    if (listed > 0) this.#listed = new Articles({ seed: mix(seed, 1), count: listed });
  }

  answer(path: string): WebAnswer {
    const article = this.#articles.placeOf(path);
    if (article !== undefined) return this.#articles.answer(article);
    const listed = this.#listed?.placeOf(path);
    if (listed !== undefined) return this.#listed!.answer(listed);
    const links = this.#trap.linksAt(path);
    return links === undefined ? notFound() : this.#trapPage(path, links);
  }

  labelOf(path: string): Label | undefined {
    const article = this.#articles.placeOf(path);
    if (article !== undefined) return this.#articles.labelOf(article);
    const listed = this.#listed?.placeOf(path);
    if (listed !== undefined) return this.#listed!.labelOf(listed);
    if (this.#trap.linksAt(path) === undefined) return undefined;
    const role = this.#honestList(path) > 0 ? 'honest' : 'trap';
    const own = this.#filler || role === 'honest';
    return { role, text: `${this.label}:${own ? path : 'trap'}`, edited: 0 };
  }

  *paths(): Generator<string> {
    yield* this.#articles.paths();
    for (let page = 1; page <= HONEST_LISTS && this.#listed !== undefined; page++) {
      yield `/archive?page=${page}`;
    }
    for (let n = 1; n <= (this.#listed?.count ?? 0); n++) yield this.#listed!.pathOf(n);
  }

  /** 1 to 3 for the pages of a pager that really list something, else 0. */
  #honestList(path: string): number {
    if (this.#listed === undefined) return 0;
    const page = Number(path.slice('/archive?page='.length));
    return page <= HONEST_LISTS ? page : 0;
  }

  #trapPage(path: string, hrefs: readonly string[]): WebAnswer {
    const links: Link[] = hrefs.map((href, n) => ({ href, text: `${n + 1}` }));
    const list = this.#honestList(path);
    for (let n = list; list > 0 && n <= this.#listed!.count; n += HONEST_LISTS) {
      links.unshift(this.#listed!.linkTo(n));
    }
    const shown = path.slice(-SHOWN).replace(/[&<]/g, ' ');
    const paragraphs = this.#filler
      ? proseOf(textHash(path), FILLER_SENTENCES)
      : [`Showing ${shown}`, ...proseOf(textHash(this.label), PLAIN_SENTENCES)];
    const title = `${this.#name} ${shown}`;
    return pageAnswer({ title, paragraphs, links, frame: this.#articles.frame });
  }
}

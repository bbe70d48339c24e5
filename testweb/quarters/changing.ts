/**
 * Pages that change at known rates (T1–T5), as a function of (seed, URL, instant).
 *
 *   rates        from hourly to once in a hundred days, by a Poisson process each
 *   validators   both, ETag alone (weak), Last-Modified alone, none: a quarter of the pages each
 *   ticking      one page in ten shows the time of the visit and changes nothing else
 *   vanishing    one in ten is gone from an instant in 2030 on (404 or 410)
 *   moving       one in ten redirects to /moved/… from an instant in 2030 on
 *
 * Its sitemap says when each page last changed; the root's date is in the year 3000, because some
 * are. Before 2030 every page is there. `WebServer.advance` takes a real server to any later time.
 */
import { EMPTY, htmlAnswer, type WebAnswer, type WebRequest, whole } from '../exchange.ts';
import { mix } from '../hash.ts';
import { notModified } from '../versions.ts';
import { Articles, type Place } from './articles.ts';
import { notFound, pageAnswer } from './layout.ts';
import { lastChange } from './poisson.ts';
import { proseOf } from './prose.ts';
import type {
  Label,
  PageState,
  QuarterHost,
  QuarterOrder,
  QuarterPlace,
  Validators,
} from './quarter.ts';
import { eachHost, seedOf } from './site-host.ts';

export const LEAVING_FROM_MS = Date.UTC(2030, 0, 1);
const YEAR_MS = 365 * 86_400_000;
const FASTEST_PER_DAY = 24;
const SLOWEST_PER_DAY = 0.01;
const VALIDATORS: readonly Validators[] = ['both', 'etag', 'date', 'none'];
const MOVED = '/moved';
const MAP = '/sitemap.xml';
const EDITION_SENTENCES = 6;

export function changingHosts(order: QuarterOrder): QuarterHost[] {
  return eachHost(order, (n) => new ChangingHost(seedOf(order, n), n, order.pages));
}

class ChangingHost implements QuarterHost {
  readonly kind = 'changing';
  readonly label: string;
  readonly popular = false;
  readonly #seed: number;
  readonly #articles: Articles;

  constructor(seed: number, n: number, pages: number) {
    this.label = `changing-${n}`;
    this.#seed = seed;
    this.#articles = new Articles({ seed, count: pages, flat: true });
  }

  answer(path: string, request: WebRequest, { origin }: QuarterPlace): WebAnswer {
    if (path === '/robots.txt') return textAnswer('text/plain', `Sitemap: ${origin}${MAP}\n`);
    if (path === MAP) return textAnswer('application/xml', this.#sitemap(origin, request.atMs));
    const at = this.#find(path);
    if (at === undefined) return notFound();
    const sheet = this.#articles.sheetOf(at.place);
    if (at.place.kind === 'list') return pageAnswer(sheet);
    const { n } = at.place;
    const state = this.#stateOf(n, request.atMs);
    if (!at.moved && request.atMs >= state.endsAtMs) return farewell(state, n);
    const headers = validatorsOf(state, this.#seed, n);
    if (notModified(headers, request.headers)) return whole(304, headers, EMPTY);
    const edition = proseOf(mix(mix(this.#seed, n), state.version), EDITION_SENTENCES);
    const clock = state.ticking ? [`It is ${new Date(request.atMs).toISOString()}.`] : [];
    const paragraphs = [...clock, ...edition, ...sheet.paragraphs];
    const page = pageAnswer({ ...sheet, paragraphs });
    return { ...page, headers: { ...page.headers, ...headers } };
  }

  labelOf(path: string): Label | undefined {
    const at = this.#find(path);
    return at === undefined ? undefined : this.#articles.labelOf(at.place);
  }

  paths(): Iterable<string> {
    return this.#articles.paths();
  }

  stateAt(path: string, atMs: number): PageState | undefined {
    const place = this.#find(path)?.place;
    return place?.kind === 'article' ? this.#stateOf(place.n, atMs) : undefined;
  }

  /** Pages that have left are named as well, as forgotten entries are. */
  #sitemap(origin: string, atMs: number): string {
    let rows = '';
    for (let n = 0; n <= this.#articles.count; n++) {
      const lastmod = n === 0 ? '3000-01-01' : isoDate(this.#stateOf(n, atMs).changedAtMs);
      const loc = origin + this.#articles.pathOf(n);
      rows += `<url><loc>${loc}</loc><lastmod>${lastmod}</lastmod></url>\n`;
    }
    const namespace = 'http://www.sitemaps.org/schemas/sitemap/0.9';
    return `<?xml version="1.0"?>\n<urlset xmlns="${namespace}">\n${rows}</urlset>\n`;
  }

  #find(path: string): { readonly place: Place; readonly moved: boolean } | undefined {
    const moved = path.startsWith(`${MOVED}/`);
    const place = this.#articles.placeOf(moved ? path.slice(MOVED.length) : path);
    if (place === undefined) return undefined;
    const isMoving = place.kind === 'article' && kindOf(this.#seed, place.n) === 'moving';
    return moved && !isMoving ? undefined : { place, moved };
  }

  #stateOf(n: number, atMs: number): PageState {
    const draw = mix(this.#seed + 0xc4a, n);
    const kind = kindOf(this.#seed, n);
    const u = (draw >>> 8) / 2 ** 24;
    const rate = FASTEST_PER_DAY * (SLOWEST_PER_DAY / FASTEST_PER_DAY) ** u;
    const ratePerDay = n === 0 || kind === 'ticking' ? 0 : rate;
    const { version, atMs: changedAtMs } = lastChange({ seed: draw, ratePerDay }, atMs);
    const leaves = kind === 'vanishing' || kind === 'moving';
    return {
      ...{ version, changedAtMs, ratePerDay, ticking: kind === 'ticking' },
      validators: kind === 'ticking' ? 'none' : VALIDATORS[draw & 3]!,
      endsAtMs: leaves ? LEAVING_FROM_MS + (mix(draw, 1) / 2 ** 32) * YEAR_MS : Infinity,
      movedTo: kind === 'moving' ? MOVED + this.#articles.pathOf(n) : undefined,
    };
  }
}

/** The root is still, and stays. */
function kindOf(seed: number, n: number): 'ticking' | 'vanishing' | 'moving' | 'staying' {
  const draw = mix(seed + 0x717, n) % 10;
  if (n === 0) return 'staying';
  if (draw === 0) return 'ticking';
  if (draw === 1) return 'vanishing';
  return draw === 2 ? 'moving' : 'staying';
}

function farewell({ movedTo }: PageState, n: number): WebAnswer {
  if (movedTo !== undefined) return whole(301, { location: movedTo }, EMPTY);
  return n % 2 === 0
    ? notFound()
    : htmlAnswer(410, '<!doctype html><title>410</title><h1>Gone</h1>');
}

function validatorsOf(state: PageState, seed: number, n: number): Record<string, string> {
  const { validators, version, changedAtMs } = state;
  const headers: Record<string, string> = {};
  const weak = validators === 'etag' ? 'W/' : '';
  if (validators === 'both' || validators === 'etag') {
    headers.etag = `${weak}"${seed.toString(36)}-${n}-${version}"`;
  }
  if (validators === 'both' || validators === 'date') {
    headers['last-modified'] = new Date(changedAtMs).toUTCString();
  }
  return headers;
}

const isoDate = (atMs: number): string => new Date(atMs).toISOString();

const textAnswer = (type: string, text: string): WebAnswer =>
  whole(200, { 'content-type': type }, Buffer.from(text));

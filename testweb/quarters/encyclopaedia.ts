/**
 * An encyclopaedia: one host, one dominant shape, tens of thousands of honest pages.
 *
 *   /   /wiki/River_stone_museum   /wiki/Amber_orbit_needle …
 *
 * A name is its number in base 'words', after a multiplication that scatters neighbours; so a name
 * gives its number back without a table. Links: eight children of the tree that makes everything
 * reachable, and a dozen by a power law, so that few pages are linked from everywhere.
 */
import type { WebAnswer } from '../exchange.ts';
import { Dice, mix } from '../hash.ts';
import { capital, WORDS } from '../words.ts';
import { type Frame, frameOf, type Link, notFound, pageAnswer } from './layout.ts';
import { proseOf } from './prose.ts';
import type { Label, QuarterHost, QuarterOrder } from './quarter.ts';
import { eachHost, seedOf } from './site-host.ts';

const BASE = WORDS.length;
const NAMES = BASE ** 3;
/** Prime, so that it has an inverse whatever the number of words. */
const SCATTER = 1_299_709;
const UNSCATTER = inverse(SCATTER, NAMES);
const NUMBERS = new Map(WORDS.map((word, at) => [word, at]));
const CHILDREN = 8;
const LINKS = 12;
const SENTENCES = 24;

export function encyclopaediaHosts(order: QuarterOrder): QuarterHost[] {
  if (order.pages > NAMES) throw new RangeError(`an encyclopaedia has at most ${NAMES} pages`);
  return eachHost(order, (n) => new Encyclopaedia(order, n));
}

class Encyclopaedia implements QuarterHost {
  readonly kind = 'encyclopaedia';
  readonly label: string;
  readonly popular = true;
  readonly #seed: number;
  readonly #pages: number;
  readonly #frame: Frame;

  constructor(order: QuarterOrder, n: number) {
    this.label = `encyclopaedia-${n}`;
    this.#seed = seedOf(order, n);
    this.#pages = order.pages;
    const navigation = [
      { href: '/', text: 'Main page' },
      this.#linkTo(0),
      this.#linkTo(1 % order.pages),
    ];
    this.#frame = frameOf(this.#seed, navigation);
  }

  answer(path: string): WebAnswer {
    const page = path === '/' ? -1 : this.#numberOf(path);
    if (page === undefined) return notFound();
    const title = page < 0 ? 'Main page' : nameOf(this.#codeOf(page)).replaceAll('_', ' ');
    const paragraphs = proseOf(mix(this.#seed, page), SENTENCES);
    return pageAnswer({ title, paragraphs, links: this.#linksOf(page), frame: this.#frame });
  }

  labelOf(path: string): Label | undefined {
    const page = path === '/' ? -1 : this.#numberOf(path);
    return page === undefined
      ? undefined
      : { role: 'honest', text: `${this.label}:${page}`, edited: 0 };
  }

  *paths(): Generator<string> {
    yield '/';
    for (let page = 0; page < this.#pages; page++) yield this.#linkTo(page).href;
  }

  #codeOf(page: number): number {
    return (page * SCATTER + (this.#seed % NAMES)) % NAMES;
  }

  #numberOf(path: string): number | undefined {
    const code = path.startsWith('/wiki/') ? codeOfName(path.slice('/wiki/'.length)) : undefined;
    if (code === undefined) return undefined;
    const from = (code - (this.#seed % NAMES) + NAMES) % NAMES;
    const page = timesModulo(from, UNSCATTER, NAMES);
    return page < this.#pages ? page : undefined;
  }

  #linkTo(page: number): Link {
    const name = nameOf(this.#codeOf(page));
    return { href: `/wiki/${name}`, text: name.replaceAll('_', ' ') };
  }

  #linksOf(page: number): Link[] {
    if (page < 0) return [this.#linkTo(0)];
    const links: Link[] = [];
    const dice = new Dice(mix(this.#seed + 1, page));
    for (let n = 0; n < LINKS; n++) {
      const u = dice.next() / 2 ** 32;
      links.push(this.#linkTo(Math.floor(this.#pages * u ** 3)));
    }
    const first = page * CHILDREN + 1;
    for (let n = first; n < Math.min(first + CHILDREN, this.#pages); n++)
      links.push(this.#linkTo(n));
    return links;
  }
}

function nameOf(code: number): string {
  const first = capital(WORDS[code % BASE]!);
  const second = WORDS[Math.floor(code / BASE) % BASE]!;
  return `${first}_${second}_${WORDS[Math.floor(code / BASE / BASE)]!}`;
}

function codeOfName(name: string): number | undefined {
  const parts = name.split('_').map((word) => NUMBERS.get(word.toLowerCase()));
  const [a, b, c] = parts;
  if (parts.length !== 3 || a === undefined || b === undefined || c === undefined) return undefined;
  const code = a + BASE * (b + BASE * c);
  return nameOf(code) === name ? code : undefined;
}

function timesModulo(a: number, b: number, modulus: number): number {
  return Number((BigInt(a) * BigInt(b)) % BigInt(modulus));
}

/** x with a·x = 1 modulo m, by Euclid. */
function inverse(a: number, m: number): number {
  let [r0, r1, x0, x1] = [m, a % m, 0, 1];
  while (r1 > 0) {
    const q = Math.floor(r0 / r1);
    [r0, r1, x0, x1] = [r1, r0 - q * r1, x1, x0 - q * x1];
  }
  if (r0 !== 1) throw new RangeError(`${a} has no inverse modulo ${m}`);
  return (x0 + m) % m;
}

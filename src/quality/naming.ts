/**
 * A page names its links: what that says of the page's own families.
 *
 *   fresh(url)   a URL that nobody named before        known(url)   one that is known
 *   cut()        one that is out of bounds             close()      the page is over
 *
 * Known links are looked at only while a family of the page is watched: elsewhere a link that
 * is known costs nothing. Menus don't count: a link that the page before had, too, says nothing
 * about this one; nor does the way back to the page that named it.
 */
import type { Waiting } from '../record/index.ts';
import { urlKeyOf } from '../record/index.ts';
import { originOf } from '../url/index.ts';
import { type Families, familiesOf, isRepeating } from './families.ts';
import type { Family } from './family.ts';
import type { HostSketch } from './sketch.ts';
import { numbersIn } from './steps.ts';

/** Links of one page that are told apart, and known ones that are looked at. */
const OWN_MAX = 2_000;
const LOOKS_MAX = 32;

interface Tally {
  readonly family: Family;
  readonly level: number;
  fresh: number;
  repeats: number;
  condemned: number;
}

type Page = Pick<Waiting, 'url' | 'key' | 'parent'>;

const NONE: ReadonlySet<string> = new Set();
/** The links to its own family that the last watched page had. */
const menus = new WeakMap<Family, ReadonlySet<string>>();

export class Naming {
  readonly families: Families;
  readonly isWatching: boolean;
  readonly #page: Page;
  readonly #sketch: HostSketch;
  readonly #origin: string;
  readonly #watched: Tally[] = [];
  readonly #numbers: readonly number[];
  #own: Set<string> | undefined;
  /** New URLs, and those of them that have the page's shape. */
  #fresh = 0;
  #sameShape = 0;
  #isCut = false;
  /** Links of the page that fell under a verdict on its own family. */
  #condemned = 0;
  #probes = 0;
  #looked = 0;

  constructor(sketch: HostSketch, page: Page) {
    this.#sketch = sketch;
    this.#page = page;
    this.#origin = `${originOf(page.url)}/`;
    this.families = familiesOf(page.url);
    sketch.page = { url: page.url, families: this.families };
    this.families.forEach((key, level) => {
      const family = key === undefined ? undefined : sketch.levels[level]?.get(key);
      if (family?.watch !== undefined) {
        this.#watched.push({ family, level, fresh: 0, repeats: 0, condemned: 0 });
      }
    });
    this.isWatching = this.#watched.length > 0;
    this.#numbers = this.isWatching ? numbersIn(page.url) : [];
  }

  /** Is a family of the URL the page's own, at this level? */
  isOwn(families: Families, level: number): boolean {
    const key = families[level];
    if (key === undefined || key === this.families[level]) return true;
    // What repeats its segments grows out of what doesn't yet, below the same folder.
    return level === 1 && isRepeating(key) && this.#page.url.includes(key.slice(0, -1));
  }

  /** A link that is known. */
  known(url: string): void {
    if (this.#looked >= LOOKS_MAX || !url.startsWith(this.#origin)) return;
    if (!this.#isFirst(url)) return;
    this.#looked++;
    const families = familiesOf(url);
    for (const tally of this.#watched) {
      if (!belongs(families, tally) || menus.get(tally.family)?.has(url)) continue;
      if (this.#isWayBack(url)) continue;
      tally.repeats++;
      tally.family.noteStep(this.#numbers, url);
    }
  }

  /** A new link on this host. True when it is to be asked soon, to see where it leads. */
  fresh(url: string, families: Families): boolean {
    this.#fresh++;
    if (families[0] === this.families[0]) this.#sameShape++;
    if (!this.isWatching) return false;
    this.#isFirst(url);
    let isTrial = false;
    for (const tally of this.#watched) {
      if (!belongs(families, tally)) continue;
      tally.fresh++;
      isTrial ||= tally.family.watch?.isOnTrial ?? false;
      tally.family.noteStep(this.#numbers, url);
    }
    return isTrial && this.#probes++ === 0;
  }

  /** A new link to another host. */
  away(): void {
    this.#fresh++;
  }

  cut(): void {
    this.#isCut = true;
  }

  /** A link that a verdict refuses: the page leads on all the same. */
  condemn(families: Families): void {
    this.#condemned++;
    for (const tally of this.#watched) if (belongs(families, tally)) tally.condemned++;
  }

  close(): void {
    const shape = this.#sketch.levels[0]?.get(this.families[0]);
    if (shape !== undefined) shape.outlinksMax = Math.max(shape.outlinksMax, this.#sameShape);
    for (const tally of this.#watched) this.#count(tally);
    if (this.#condemned > 0) this.#sketch.noteLeadsOn(this.#page.url);
  }

  #count({ family, fresh, repeats, condemned }: Tally): void {
    const { watch } = family;
    if (watch === undefined) return;
    menus.set(family, this.#own ?? NONE);
    watch.pages++;
    const links = fresh + repeats + condemned;
    watch.mentions += links;
    watch.repeats += repeats;
    watch.chances += links * family.admitted;
    const isDead = fresh === 0 && !this.#isCut && this.#condemned === 0;
    if (isDead) watch.dead++;
    if (watch.isOnTrial) {
      watch.trial++;
      if (isDead) watch.trialDead++;
    }
    if (this.#fresh > fresh) watch.leading++;
  }

  #isFirst(url: string): boolean {
    this.#own ??= new Set();
    if (url === this.#page.url || this.#own.has(url) || this.#own.size >= OWN_MAX) return false;
    this.#own.add(url);
    return true;
  }

  #isWayBack(url: string): boolean {
    const { parent } = this.#page;
    return parent.length > 0 && urlKeyOf(url).equals(parent);
  }
}

/** Of the family, or grown out of it by repeating segments below the same folder. */
function belongs(families: Families, { family, level }: Tally): boolean {
  const key = families[level] ?? '';
  if (key === family.key) return true;
  if (level !== 1 || !isRepeating(key)) return false;
  return family.key.endsWith('/**') && key.startsWith(family.key.slice(0, -2));
}

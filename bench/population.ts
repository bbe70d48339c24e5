/**
 * URLs by number: twenty million of them without a list, so that any can be named again.
 *
 *   0 … hosts − 1   the root of each host
 *   then            runs of 8 URLs of one host, as the links of a page come; the host of a run
 *                   is drawn so that the largest has 1,000 times as many as the smallest
 *
 * Made to look like the web's: 60 to 75 characters, words that repeat, numbers that do not.
 */
import type { Mention } from '../src/crawl/admit.ts';
import { NO_BYTES, urlKeyOf } from '../src/record/index.ts';

/** URLs of one host that follow one another. */
export const RUN = 8;
/** URLs with one instant of admission: what one commit takes in. */
const PER_INSTANT = 1_024;
const INSTANT_MS = 10;
export const EPOCH = Date.UTC(2026, 0, 1);

const WORDS = (
  'amber harbor quiet linen river cedar copper meadow north stone willow paper silver orchard ' +
  'garden falcon winter maple lantern bridge coral violet thistle pebble ember summit hollow ' +
  'marble drift juniper cobalt prairie'
).split(' ');
const SECTIONS = 'guide news docs shop blog topic archive wiki people event'.split(' ');

export class Population {
  readonly hosts: number;
  #parentOf = -1;
  #parent: Uint8Array = NO_BYTES;

  constructor(hosts: number) {
    this.hosts = hosts;
  }

  nameOf(host: number): string {
    const m = mix(host, 7);
    return `www.${word(m)}-${word(m >>> 5)}${host}.example`;
  }

  hostOf(i: number): number {
    if (i < this.hosts) return i;
    const share = mix(Math.floor((i - this.hosts) / RUN), 1) / 2 ** 32;
    return Math.floor(share * share * this.hosts);
  }

  urlOf(i: number): string {
    const host = this.nameOf(this.hostOf(i));
    if (i < this.hosts) return `https://${host}/`;
    const m = mix(i, 3);
    const section = SECTIONS[m % SECTIONS.length];
    return `https://${host}/${section}/${word(m >>> 4)}-${word(m >>> 9)}/${i}.html`;
  }

  mentionOf(i: number): Mention {
    const priority = 0.2 + ((mix(i, 5) & 0xff) / 0xff) * 0.6;
    const url = this.urlOf(i);
    const parent = this.#parentKey(i);
    return { url, kind: 'page', priority, depth: 3, hops: 0, outside: 0, parent };
  }

  /** Half of them, in runs: whether this one is visited when a store is made half waiting. */
  isVisited(i: number): boolean {
    return i < this.hosts ? i % 2 === 0 : Math.floor((i - this.hosts) / RUN) % 2 === 0;
  }

  /** The root of its host named it. */
  #parentKey(i: number): Uint8Array {
    const host = this.hostOf(i);
    if (i < this.hosts) return NO_BYTES;
    if (this.#parentOf !== host) {
      this.#parentOf = host;
      this.#parent = urlKeyOf(this.urlOf(host));
    }
    return this.#parent;
  }
}

/** When a URL is admitted: computed, so that its rank can be computed again. */
export function admittedAt(i: number): number {
  return EPOCH + Math.floor(i / PER_INSTANT) * INSTANT_MS;
}

/** A number of 32 bits that looks random, the same every time. */
export function mix(n: number, salt: number): number {
  let h = Math.imul(n ^ Math.imul(salt, 0x9e3779b1), 0x85ebca6b);
  h = Math.imul(h ^ (h >>> 15), 0xc2b2ae35);
  h ^= h >>> 13;
  return Math.imul(h ^ (h >>> 16), 0x27d4eb2f) >>> 0;
}

function word(m: number): string {
  return WORDS[m & 31] as string;
}

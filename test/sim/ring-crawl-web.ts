/**
 * A small web computed from a seed, for crawls on a simulated ring: hosts by power law, and a
 * page for nearly every taste of loss. Each page but the seed has one link that it hangs on, and
 * half of them have no other: whoever loses the mention of such a page loses it and all below it.
 */
import { seededRandom } from '../../src/base/random.ts';
import { type Position, positionFrom } from '../../src/ring/id.ts';
import { hostKey } from '../../src/url/index.ts';

export interface RingWeb {
  readonly seed: number;
  readonly pages: number;
  readonly hosts: number;
  hostOf(page: number): number;
  /** The arc of a host: the circle is cut into equal ones. */
  arcOf(host: number): number;
  links(page: number): readonly number[];
  pauseMs(host: number): number;
}

export interface RingWebSize {
  readonly pages: number;
  readonly hosts: number;
  readonly arcs: number;
}

export function ringWeb(seed: string, { pages, hosts, arcs }: RingWebSize): RingWeb {
  const random = seededRandom(`web ${seed}`);
  const below = (n: number) => Math.floor(random.next() * n);
  const hostOfPage = Array.from({ length: pages }, () => Math.floor(hosts * random.next() ** 2));
  const links: number[][] = Array.from({ length: pages }, () => []);
  for (let page = 1; page < pages; page++) {
    const parent = Math.max(0, page - 1 - below(Math.min(page, 60)));
    (links[parent] as number[]).push(page);
    if (random.next() < 0.5) (links[below(pages)] as number[]).push(page);
  }
  const arcOfHost = Array.from({ length: hosts }, (_, host) => arcAt(`h${host}.${seed}`, arcs));
  return {
    ...{ seed: 0, pages, hosts },
    hostOf: (page) => hostOfPage[page] as number,
    arcOf: (host) => arcOfHost[host] as number,
    links: (page) => links[page] as number[],
    pauseMs: (host) => (host % 7 === 0 ? 3_000 : 1_000),
  };
}

function arcAt(hostname: string, arcs: number): number {
  const [first = 0, second = 0] = hostKey(hostname);
  return Math.floor(((first * 256 + second) * arcs) / 65_536);
}

/** Where an arc ends: the first node from there on, clockwise, should own it. */
export function endOf(arc: number, arcs: number): Position {
  const end = Math.floor(((arc + 1) * 65_536) / arcs) - 1;
  return positionFrom(Uint8Array.of(end >> 8, end & 255, 255, 255, 255, 255, 255, 255));
}

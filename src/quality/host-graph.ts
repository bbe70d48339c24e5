/**
 * The web as hosts that link to hosts (Q2), one row a host: what was found on its pages.
 *
 *   row   host key (10) · domain (8) · visited up to · pages · repeats · n × target
 *   target   host key (10) · 2 × pages that link there + (same registrable domain? 1 : 0)
 *
 * A page counts once for a host that it links to, however often it does. A link that stands on
 * most pages of its host is part of the template and counts as one link; beyond the first, links
 * count by their logarithm, and those between hosts of one registrable domain a fifth: whoever
 * owns both vouches for himself. Disowned links (`rel=nofollow`) are no edges.
 *
 * Rows lie in key order, so that the graph is read, joined and renewed from front to back.
 */
import { ByteReader, ByteWriter } from '../base/bytes.ts';
import type { Instant } from '../base/instant.ts';
import {
  FLAGS,
  HOST_KEY_BYTES,
  type HostKey,
  hostKeyOf,
  type LinkEdge,
  type UrlRecord,
} from '../record/index.ts';
import { hostKey, hostnameOf, hostOf, registrableDomain } from '../url/index.ts';
import { contextOf } from './link-context.ts';

export const DOMAIN_KEY_BYTES = 8;
/** Hosts that one host may link to; what a link directory names beyond that is not counted. */
export const TARGETS_MAX = 65_536;
const TEMPLATE_PAGES_MIN = 4;
const SAME_DOMAIN_SHARE = 0.2;
const REPEATED = FLAGS.alias | FLAGS.near_duplicate | FLAGS.soft_404;

export interface HostLinks {
  readonly key: HostKey;
  readonly domain: Buffer;
  /** The host's last fetch when its pages were read: another one means that they changed. */
  readonly visitedUpTo: Instant;
  readonly pages: number;
  /** Those of them that repeat another page. */
  readonly repeats: number;
  /** The keys of all targets, one after another. */
  readonly targets: Buffer;
  /** For each target, how many pages link there, and whether it is of the same domain. */
  readonly linking: readonly number[];
  readonly isNear: readonly boolean[];
}

/** Counts the links of one host, page by page. */
export class HostTally {
  readonly #host: string;
  readonly #targets = new Map<string, number>();
  #pages = 0;
  #repeats = 0;

  constructor(host: string) {
    this.#host = host;
  }

  add(record: UrlRecord, links: readonly LinkEdge[]): void {
    if (record.state !== 'indexed' || record.kind !== 'page') return;
    this.#pages++;
    if ((record.flags & REPEATED) !== 0) this.#repeats++;
    if ((record.flags & FLAGS.nofollow) !== 0) return;
    const named = new Set<string>();
    for (const link of links) {
      const host = hostOf(link.target);
      if (host !== this.#host && contextOf(link) > 0) named.add(host);
    }
    for (const host of named) this.#count(host);
  }

  #count(host: string): void {
    const pages = this.#targets.get(host);
    if (pages === undefined && this.#targets.size >= TARGETS_MAX) return;
    this.#targets.set(host, (pages ?? 0) + 1);
  }

  row(visitedUpTo: Instant): Buffer {
    const domain = domainOf(this.#host);
    writer
      .raw(hostKeyOf(this.#host))
      .raw(hostKey(domain))
      .float(visitedUpTo)
      .varint(this.#pages)
      .varint(this.#repeats)
      .varint(this.#targets.size);
    for (const [host, pages] of this.#targets) {
      writer.raw(hostKeyOf(host)).varint(2 * pages + (domainOf(host) === domain ? 1 : 0));
    }
    return writer.take();
  }
}

const writer = new ByteWriter();

function domainOf(host: string): string {
  return registrableDomain(hostnameOf(`http://${host}/`));
}

export function decodeHostLinks(row: Uint8Array): HostLinks {
  const r = new ByteReader(row);
  const head = {
    key: r.raw(HOST_KEY_BYTES),
    domain: r.raw(DOMAIN_KEY_BYTES),
    visitedUpTo: r.float(),
    pages: r.varint(),
    repeats: r.varint(),
  };
  const count = r.varint();
  const targets = Buffer.allocUnsafe(count * HOST_KEY_BYTES);
  const linking: number[] = [];
  const isNear: boolean[] = [];
  for (let i = 0; i < count; i++) {
    targets.set(r.raw(HOST_KEY_BYTES), i * HOST_KEY_BYTES);
    const packed = r.varint();
    linking.push(Math.floor(packed / 2));
    isNear.push(packed % 2 === 1);
  }
  return { ...head, targets, linking, isNear };
}

/** How much of the host's vote goes to each target; together they are 1. */
export function votesOf({ linking, pages, isNear }: HostLinks): number[] {
  const votes: number[] = [];
  let sum = 0;
  for (let i = 0; i < linking.length; i++) {
    const vote = linkWeight(linking[i] as number, pages, isNear[i] as boolean);
    votes.push(vote);
    sum += vote;
  }
  for (let i = 0; i < votes.length; i++) votes[i] = (votes[i] as number) / sum;
  return votes;
}

export function linkWeight(linking: number, pages: number, isNear: boolean): number {
  const isTemplate = pages >= TEMPLATE_PAGES_MIN && linking > pages / 2;
  const links = isTemplate ? 1 : 1 + Math.log2(linking);
  return isNear ? SAME_DOMAIN_SHARE * links : links;
}

/**
 * Pages that parsers elsewhere read (K3, K5): to a visit it is the `ParserPool`, as any other; to
 * a parser it is the desk at which it leases pages and hands in what they hold.
 *
 *   visit ─ digest(page) ─▶ outwork.ts ─▶ lease ─▶ a parser reads ─▶ bring ─▶ the visit goes on
 *
 * Links, body and record are settled together by the owner, as ever: a parser only reads. As long
 * as there is none, pages wait here and nothing more is fetched.
 */
import { CrawlError } from '../base/errors.ts';
import {
  brokenDigest,
  type Digest,
  type DigestHead,
  digestFrom,
  isCanonical,
  type RawPage,
} from '../content/index.ts';
import type { Clock } from '../ports/clock.ts';
import type { ParserPool } from '../ports/parser-pool.ts';
import type { Random } from '../ports/random.ts';
import { Recent } from '../seen/index.ts';
import { Outwork } from './outwork.ts';

export interface ReadingRules {
  /** Media types that the plugins of this crawl read: a parser needs the same ones. */
  readonly pluginTypes: readonly string[];
  readonly decodedBytesMax: number;
  /** Told once when pages wait and no parser asks for them, and when one does again. */
  readonly onNews?: (isBad: boolean, text: string) => void;
}

export type BringEnd = 'taken' | 'lost' | { readonly wrong: string };

/** Links that were found good a moment ago are not looked at again. */
const GOOD_LINKS = 50_000;

export class Readings implements ParserPool {
  readonly rules: ReadingRules;
  readonly work: Outwork<RawPage, Digest>;
  readonly #good = new Recent(GOOD_LINKS);

  constructor(ports: { readonly clock: Clock; readonly random: Random }, rules: ReadingRules) {
    this.rules = rules;
    const tell = rules.onNews ?? (() => undefined);
    this.work = new Outwork(ports, {
      bytesOf: ({ body }) => body.length,
      givenUp: (_, parsers) => brokenDigest(`${parsers} parsers took it, and none brought it back`),
      onAlone: (waiting) =>
        tell(true, `${pagesWait(waiting)} for a parser, and none asks. ${CURE}`),
      onCompany: () => tell(false, 'A parser is there: pages are read again.'),
    });
  }

  get isBehind(): boolean {
    return this.work.isBehind;
  }

  digest(page: RawPage): Promise<Digest> {
    return this.work.do(page);
  }

  /** What makes no sense is read by the next one. */
  bring(parser: string, id: string, head: DigestHead, bytes: Buffer): BringEnd {
    const lent = this.work.leased(parser, id);
    if (lent === undefined) return 'lost';
    const made = digestFrom(head, bytes, lent.job, (link) => this.#isGood(link));
    if (typeof made === 'string') {
      this.work.handBack(parser, id);
      return { wrong: made };
    }
    return this.work.bring(parser, id, made);
  }

  /** Most links of a page are those of the pages before it. */
  #isGood(link: string): boolean {
    if (this.#good.has(link)) return true;
    const isGood = isCanonical(link);
    if (isGood) this.#good.add(link);
    return isGood;
  }

  /** Nothing more is fetched: what no parser reads goes back to the queue. */
  drain(): void {
    this.work.drain(noParser());
  }

  abort(): void {
    this.work.stop(noParser());
  }

  async close(): Promise<void> {
    this.abort();
  }
}

/** A page that was fetched and not read: it is asked for again. */
export function isUnread(error: unknown): boolean {
  return error instanceof CrawlError && error.code === 'E_NO_PARSER';
}

const CURE = 'Start one: orb serve --roles parse --frontier http://THIS-NODE:7070';

function noParser(): CrawlError {
  return new CrawlError('E_NO_PARSER', 'No parser reads the pages of this node.', CURE);
}

function pagesWait(count: number): string {
  return count === 1 ? 'A page waits' : `${count} pages wait`;
}

/**
 * Everything that one visit leaves behind, and what else is written with such: a row that comes
 * due, a host that rests, what an operator decided. settle.ts writes many of them at once.
 */
import type { Exchanged } from '../archive/index.ts';
import type { TextPrint } from '../content/index.ts';
import type { FetchEvent, Mention } from '../events/index.ts';
import type { Lease } from '../frontier/index.ts';
import type { Body } from '../ports/blob-store.ts';
import type { Commit, Settled, Totals } from '../ports/shard-store.ts';
import type { HostKey, HostRecord, RobotsRecord, UrlRecord, Waiting } from '../record/index.ts';

export interface Ending {
  readonly lease?: Lease;
  readonly settled?: Settled;
  readonly host?: HostRecord;
  /** Other hosts whose turn is not written yet: at a clean end, or moved by this visit. */
  readonly resting?: readonly HostRecord[];
  readonly robots?: { readonly host: HostKey; readonly records: readonly RobotsRecord[] };
  readonly body?: Body;
  /** The tag of the body, if it is not there yet (G2). */
  readonly region?: string;
  /** Of a page that was rendered: as it was sent, and as a picture (J1). */
  readonly otherBodies?: readonly Body[];
  /** For the archive, where one is written. */
  readonly archived?: Exchanged;
  readonly event?: FetchEvent;
  /** Of the words of the body; left out when none was read, and when it may not be kept. */
  readonly print?: TextPrint;
  /** It says that there is no such page (C3). */
  readonly isMissing?: boolean;
  /** What the visit before left, if there was one. */
  readonly before?: UrlRecord;
  /** URLs that may be new. */
  readonly candidates: readonly Waiting[];
  /** Told after the commit which of them were new: nobody else is told the same (S4). */
  readonly onFresh?: (fresh: ReadonlySet<Waiting>) => void;
  /** URLs for other owners to decide upon. */
  readonly foreign?: readonly Mention[];
  readonly requeued?: Commit['requeued'];
  readonly redated?: Commit['redated'];
  readonly moved?: Commit['moved'];
  readonly sketches?: Commit['sketches'];
  readonly erased?: Commit['erased'];
  readonly untraced?: Commit['untraced'];
  readonly shelved?: Commit['shelved'];
  readonly unshelved?: Commit['unshelved'];
  readonly forgotten?: Commit['forgotten'];
  readonly change: Partial<Totals>;
}

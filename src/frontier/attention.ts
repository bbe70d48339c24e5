/**
 * Attention: how much of it a host's URLs deserve, by what its pages have shown (Q1, C3, C4).
 *
 *   regard    a URL is named     → refused, later, parked, at once      ../quality/host-watch.ts
 *   passOver  its turn has come  → skipped with a reason, if a trap
 *   notice    it was fetched     → evidence; flags of page and host; the sketch to be kept
 *
 * A host gets a sketch when it is busy. Few sketches are awake: of the others the bytes are kept,
 * and a host that has none in memory brings them along with its robots rows (refill).
 */
import type { Instant } from '../base/instant.ts';
import {
  DomainShare,
  decodeSketch,
  encodeSketch,
  HostSketch,
  isNearProbe,
  judgeFarm,
  judgeSoft404,
  MISSING_REASON,
  MISSING_WORDS_MAX,
  Naming,
  noteFetched,
  noteKnown,
  passOver,
  type Regard,
  regard,
  TRAP_SUSPICION,
  wantsProbe,
} from '../quality/index.ts';
import {
  FLAGS,
  HOST_FLAGS,
  type HostKey,
  type HostRecord,
  type UrlRecord,
  type Waiting,
} from '../record/index.ts';
import { hostnameOf, hostOf, originOf, overlap, registrableDomain } from '../url/index.ts';
import { Awake } from './awake.ts';
import type { Host } from './host.ts';
import type { Forbidden } from './lease.ts';
import type { Politeness } from './policy.ts';
import { robotsVerdict } from './robots-verdict.ts';

/** A host is busy after this many pages, or new URLs in a day. */
const BUSY_PAGES = 20;
const BUSY_URLS = 100;
/** Pages after which a sketch is written again, when nothing in it is urgent. */
const SAVE_EVERY = 64;
/** What is left of a host's quality when a trap is found on it, until it is rated again. */
const QUALITY_LEFT = 0.8;

export type Standing = Regard | 'parked';

/** A page that was fetched, and what is known of it by now. */
export interface SeenPage {
  readonly host: Host;
  readonly record: UrlRecord;
  readonly isExact: boolean;
  readonly isNear: boolean;
  /** It says of itself that there is no such page. */
  readonly isMissing: boolean;
  /** How many it has. */
  readonly words: number;
  /** Fetched before: it is no new evidence on its family. */
  readonly again: boolean;
  /** The visit before took it for one that is not there. */
  readonly wasSoft: boolean;
}

export interface Noticed {
  readonly record: UrlRecord;
  /** Set when the host's record is another now. */
  readonly host?: HostRecord;
  readonly sketches: readonly { readonly host: HostKey; readonly bytes: Uint8Array }[];
}

export class Attention {
  readonly #policy: Politeness;
  readonly #hosts: ReadonlyMap<string, Host>;
  readonly #domains = new Map<string, DomainShare>();
  readonly #awake = new Awake();
  /** Verdicts since the start. */
  trapsFound = 0;

  constructor(policy: Politeness, hosts: ReadonlyMap<string, Host>) {
    this.#policy = policy;
    this.#hosts = hosts;
  }

  // ---- URLs that are named ------------------------------------------------------------

  /** The page whose links are taken in now; undefined when there is nothing to watch. */
  naming(page: Waiting): Naming | undefined {
    const host = page.kind === 'page' ? this.#hosts.get(hostOf(page.url)) : undefined;
    const sketch = host && this.#sketchOf(host);
    return sketch && new Naming(sketch, page);
  }

  /** A new URL. `from` is the host of the page that named it, `naming` its links, if watched. */
  regard(
    url: string,
    from: string | undefined,
    naming: Naming | undefined,
    isHop = false,
  ): Standing {
    const name = hostOf(url);
    const host = this.#hosts.get(name);
    const isAway = from !== undefined && from !== name;
    if (isAway) naming?.away();
    if (host === undefined) return 1;
    if (isAway) this.#noteLink(host, from);
    const sketch = this.#sketchOf(host);
    const { traps } = this.#policy.quality;
    const found = sketch && regard(sketch, url, isAway ? undefined : naming, traps, isHop);
    if (found === 0 || found === 'probe') return found;
    if (this.#shareOf(host).isOver(this.#policy.quality.domains, this.partOf(host)))
      return 'parked';
    return isFarm(host) ? TRAP_SUSPICION : (found ?? 1);
  }

  /** Taken for new by those who named it, and known to the store. */
  knew(urls: readonly Waiting[]): void {
    for (const { url } of urls) {
      const host = this.#hosts.get(hostOf(url));
      const sketch = host?.hasSketch ? this.#sketchOf(host) : undefined;
      if (sketch !== undefined) noteKnown(sketch, url);
    }
  }

  /** The store has taken a new URL of the host in. */
  took(host: Host): void {
    this.#shareOf(host).taken++;
  }

  /** What is left of the host's budgets. */
  partOf(host: Host): number {
    return isFarm(host) ? this.#policy.quality.farm.budget : 1;
  }

  /** Redirects go in a circle there (Q3): nothing leads to it any more. */
  blockLoop(urls: readonly string[]): void {
    for (const url of urls) {
      const host = this.#hosts.get(hostOf(url));
      if (host === undefined) continue;
      const sketch = this.#sketchOf(host) ?? this.#wake(host, new HostSketch());
      sketch.noteLoop(url);
      sketch.unsaved++;
    }
  }

  // ---- URLs whose turn has come -------------------------------------------------------

  passOver(host: Host, waiting: Waiting, now: Instant): Forbidden | undefined {
    const isTrapped = (host.flags & HOST_FLAGS.trap) !== 0;
    if (!isTrapped || waiting.depth === 0 || waiting.kind !== 'page') return undefined;
    const sketch = this.#sketchOf(host);
    const passed = sketch && passOver(sketch, waiting.url, this.#policy.quality.traps, now);
    return passed && { ...passed, flags: FLAGS.trap_suspected };
  }

  // ---- pages that were fetched --------------------------------------------------------

  notice(page: SeenPage, now: Instant): Noticed {
    const { host, record } = page;
    const sketch = isPage(record) || page.wasSoft ? this.#sketchOf(host) : undefined;
    if (sketch === undefined) {
      const isSoft = isPage(record) && page.isMissing;
      return { record: isSoft ? this.#missing(record, MISSING_REASON, now) : record, sketches: [] };
    }
    const before = host.flags;
    const isNew = this.#learn(sketch, page, now);
    if (isNew) this.trapsFound++;
    const reason = isPage(record) ? softReason(sketch, page) : undefined;
    this.#flag(host, sketch);
    if (wantsProbe(sketch, now)) this.#askImpossible(host, sketch, record.url, now);
    const isUrgent = isNew || host.flags !== before;
    const noticed = {
      record: reason === undefined ? record : this.#missing(record, reason, now),
      sketches: isUrgent || ++sketch.unsaved >= SAVE_EVERY ? [this.#saved(host, sketch)] : [],
    };
    return host.flags === before ? noticed : { ...noticed, host: host.toRecord() };
  }

  /** The answer to an impossible URL: a hash of the body, or 0 when the host said no. */
  probed(host: Host, hash: number, simhash: bigint, now: Instant): Noticed['sketches'] {
    const sketch = this.#sketchOf(host);
    if (sketch === undefined) return [];
    sketch.isProbing = false;
    sketch.probe = { at: now, hash, simhash };
    return [this.#saved(host, sketch)];
  }

  // ---- sketches -----------------------------------------------------------------------

  /** What the store kept of a host that comes back. */
  hydrate(host: Host, bytes: Uint8Array | undefined): void {
    if (bytes !== undefined && bytes.length > 0 && !host.hasSketch) host.sketch = bytes;
  }

  /** Evidence that no commit has taken yet, for a clean end. */
  *unsaved(arc?: number): Iterable<Noticed['sketches'][number]> {
    for (const host of this.#awake.hosts()) {
      if (arc !== undefined && !overlap(host.arc, arc)) continue;
      const { sketch } = host;
      if (sketch instanceof HostSketch && sketch.unsaved > 0) yield this.#saved(host, sketch);
    }
  }

  /** Nothing is left of a host but this (G2). */
  forget(left: HostRecord): void {
    this.#hosts.get(left.host)?.forget(left);
  }

  /** What only hosts needed that have left with their arc. */
  forgetGone(): void {
    this.#awake.forgetGone();
    const shares = new Set([...this.#hosts.values()].map(({ share }) => share));
    for (const [name, share] of this.#domains) if (!shares.has(share)) this.#domains.delete(name);
  }

  /** Undefined while the host has shown too little. */
  #sketchOf(host: Host): HostSketch | undefined {
    const { sketch } = host;
    if (sketch instanceof HostSketch) {
      this.#awake.weigh(sketch);
      return sketch;
    }
    if (sketch !== undefined) return this.#wake(host, decodeSketch(sketch));
    const isBusy = host.fetched >= BUSY_PAGES || host.newToday >= BUSY_URLS;
    return isBusy && host.hydrated ? this.#wake(host, new HostSketch()) : undefined;
  }

  #wake(host: Host, sketch: HostSketch): HostSketch {
    this.#awake.add(host, sketch);
    return sketch;
  }

  #saved(host: Host, sketch: HostSketch): Noticed['sketches'][number] {
    sketch.unsaved = 0;
    return { host: host.key, bytes: encodeSketch(sketch) };
  }

  // ---- inside -------------------------------------------------------------------------

  /** True when there is a new verdict. */
  #learn(sketch: HostSketch, page: SeenPage, now: Instant): boolean {
    const { record, isExact, isNear } = page;
    const { traps, soft404, farm } = this.#policy.quality;
    if (page.wasSoft) sketch.forgive();
    if (!isOldNews(page)) sketch.notePage(bodiesOf(page), isNear);
    judgeSoft404(sketch, soft404, now);
    judgeFarm(sketch, farm, now);
    if (page.again || !isPage(record)) return false;
    return noteFetched(sketch, { record, isCopy: isExact || isNear }, traps, now) !== undefined;
  }

  #flag(host: Host, sketch: HostSketch): void {
    const wasTrap = (host.flags & HOST_FLAGS.trap) !== 0;
    const isTrap = sketch.verdicts.length > 0;
    const { trap, soft_404, content_farm } = HOST_FLAGS;
    const others = host.flags & ~(trap | soft_404 | content_farm);
    host.flags =
      others |
      (isTrap ? trap : 0) |
      (sketch.soft404 ? soft_404 : 0) |
      (sketch.farm ? content_farm : 0);
    if (isTrap && !wasTrap) host.quality *= QUALITY_LEFT;
  }

  #missing(record: UrlRecord, reason: string, now: Instant): UrlRecord {
    const nextCrawlAt = now + this.#policy.quality.soft404.refreshMs;
    return { ...record, flags: record.flags | FLAGS.soft_404, reason, nextCrawlAt };
  }

  /** An errand like that for robots.txt: under the host's turn, and where robots allow it. */
  #askImpossible(host: Host, sketch: HostSketch, like: string, now: Instant): void {
    const origin = originOf(like);
    const robots = host.robotsFor(origin, now);
    const url = `${origin}/no-such-page-${Math.round(now).toString(36)}`;
    const isAllowed = robots && robotsVerdict(robots, this.#policy.agent, url) === undefined;
    if (!isAllowed || host.errands.length > 0) return;
    sketch.isProbing = true;
    host.errands = [{ url, origin, for: host, hops: 0, isProbe: true }];
  }

  #noteLink(host: Host, from: string): void {
    const share = this.#shareOf(host);
    const { domains } = this.#policy.quality;
    if (!share.isCounting(domains)) return;
    share.noteLink(this.#hosts.get(from)?.share?.name ?? domainOf(from), domains);
  }

  #shareOf(host: Host): DomainShare {
    if (host.share !== undefined) return host.share;
    const name = domainOf(host.host);
    let share = this.#domains.get(name);
    if (share === undefined) {
      share = new DomainShare(name);
      this.#domains.set(name, share);
    }
    host.share = share;
    share.taken += host.fetched;
    share.rated = Math.max(share.rated, host.inDomains);
    return share;
  }
}

function domainOf(host: string): string {
  return registrableDomain(hostnameOf(`http://${host}/`));
}

function isFarm(host: Host): boolean {
  return (host.flags & HOST_FLAGS.content_farm) !== 0;
}

function isPage({ kind, state, redirectTo, contentHash }: UrlRecord): boolean {
  return kind === 'page' && state === 'indexed' && redirectTo === '' && contentHash.length > 0;
}

/**
 * One name for the same body, one for all that say 'not found', and for a short page one for
 * what it nearly repeats: long ones that do so are a farm's, not a server's excuse.
 */
function bodiesOf({ record, isMissing, words }: SeenPage): string[] {
  if (isMissing) return ['missing'];
  const own = Buffer.from(record.contentHash.subarray(0, 6)).toString('hex');
  if (record.original.length === 0 || words > MISSING_WORDS_MAX) return [own];
  return [own, `~${Buffer.from(record.original.subarray(8, 14)).toString('hex')}`];
}

function softReason(sketch: HostSketch, page: SeenPage): string | undefined {
  if (page.isMissing) return MISSING_REASON;
  if (isNearProbe(sketch, page.record))
    return 'the host gives the same answer to addresses that cannot exist';
  const isCommon = sketch.soft404 && bodiesOf(page).includes(sketch.softBody);
  return isCommon ? `${sketch.soft404?.reason}, this one too` : undefined;
}

/** A page that is as it was has been counted already: visits must not add up to copies. */
function isOldNews({ again, record, wasSoft }: SeenPage): boolean {
  if (!isPage(record)) return true;
  return again && !wasSoft && record.lastChangedAt < record.lastFetchedAt;
}

/**
 * Ratings become host records, and waiting URLs get the places that follow from them (F8).
 *
 *   hosts ─┐                          ┌─ URLs wait ──→ hold → move, in batches → rate → release
 *   graph ─┼─ joined by key → rated ──┤
 *   flow  ─┤                          └─ none waits ─→ rate, many at once
 *   in-domains                          (nothing new: nothing is written)
 *
 * URLs are moved first and the host's record last: a record never says more than its queue does,
 * and a job that is killed in between does the same again, to the same end, because a URL's
 * priority follows from its claim and the authority alone.
 *
 * Memory: a batch of URLs, a batch of hosts.
 */
import { type ShardStore, WHOLE_CIRCLE } from '../ports/shard-store.ts';
import {
  DAMPING,
  decodeHostLinks,
  type HostLinks,
  priorityOf,
  type RatingRules,
  rateHost,
} from '../quality/index.ts';
import {
  admittedAtOf,
  HOST_FLAGS,
  type HostRecord,
  hostKeyOf,
  quantised,
  rankOf,
  type Waiting,
} from '../record/index.ts';
import type { RankDesk, RatedHost } from './rank-desk.ts';
import { IN_DOMAINS } from './rank-domains.ts';
import { FLOW } from './rank-flow.ts';
import { GRAPH, type Pace, type RankPorts, rest } from './rank-graph.ts';
import { nextOf, readRows, readValues } from './rank-rows.ts';

const URLS_PER_MOVE = 1_000;
const HOSTS_PER_RATE = 500;
/** A smaller change of authority moves no URL: half a step of priority at most. */
const AUTHORITY_CHANGE_MIN = 0.02;

export interface Applied {
  readonly rated: number;
  readonly moved: number;
  readonly movedHosts: number;
  readonly starved: number;
  readonly denied: number;
  /** The best hosts, best first. */
  readonly top: readonly TopHost[];
}

export interface TopHost {
  readonly host: string;
  /** PageRank as a multiple of the average host's. */
  readonly rank: number;
  readonly authority: number;
  readonly quality: number;
  readonly inDomains: number;
  readonly pages: number;
}

export interface ApplyOptions {
  readonly rules: RatingRules;
  readonly hosts: number;
  readonly floor: number;
  readonly top: number;
  readonly pace: Pace;
}

export async function applyRatings(
  ports: RankPorts,
  desk: RankDesk,
  options: ApplyOptions,
): Promise<Applied> {
  const count = { rated: 0, moved: 0, movedHosts: 0, starved: 0, denied: 0 };
  const top: TopHost[] = [];
  const voted = desk.votedHosts();
  let quiet: RatedHost[] = [];
  for await (const { record, rating, facts } of rated(ports, options)) {
    options.pace.signal?.throwIfAborted();
    keepBest(top, { host: record.host, ...facts, ...rating }, options.top);
    if (rating.authority === 0) count.starved++;
    if ((rating.flags & HOST_FLAGS.denied) !== 0) count.denied++;
    const hasNews = isNews(record, rating);
    if (hasNews) count.rated++;
    const hasMoves = rating.authority !== record.authority || voted.has(record.host);
    const moved = hasMoves ? await moveUrls({ record, rating }, ports, desk, options.pace) : 0;
    count.moved += moved;
    if (moved > 0) count.movedHosts++;
    else if (hasNews && quiet.push({ record, rating }) === HOSTS_PER_RATE) {
      await desk.rate(quiet);
      quiet = [];
    }
  }
  if (quiet.length > 0) await desk.rate(quiet);
  return { ...count, top: top.map(rounded) };
}

interface Rated extends RatedHost {
  readonly facts: { readonly rank: number; readonly pages: number };
}

/** Every host of the graph with what follows from it. */
async function* rated({ store, files }: RankPorts, options: ApplyOptions): AsyncGenerator<Rated> {
  const flows = readValues(files, FLOW);
  const domains = readValues(files, IN_DOMAINS);
  const hosts = hostsOf(store);
  try {
    let host = await hosts.next();
    for await (const row of readRows(files, GRAPH)) {
      const links = decodeHostLinks(row);
      const flow = await nextOf(flows);
      const inDomains = await nextOf(domains);
      // A host that came after the graph was made waits for the next one.
      while (!host.done && hostKeyOf(host.value.host).compare(links.key) < 0) {
        host = await hosts.next();
      }
      if (host.done || !hostKeyOf(host.value.host).equals(links.key)) continue;
      const rank = (options.floor + DAMPING * flow) * options.hosts;
      yield ratedBy(host.value, links, rank, inDomains, options.rules);
    }
  } finally {
    for (const open of [flows, domains, hosts]) await open.return(undefined);
  }
}

async function* hostsOf(store: ShardStore): AsyncGenerator<HostRecord> {
  for await (const hosts of store.hosts(WHOLE_CIRCLE)) yield* hosts;
}

function ratedBy(
  record: HostRecord,
  { pages, repeats }: HostLinks,
  rank: number,
  inDomains: number,
  rules: RatingRules,
): Rated {
  const { flags } = record;
  const rating = rateHost(record.host, { rank, inDomains, pages, repeats, flags }, rules);
  const facts = { rank, pages };
  const authority = quantised(rating.authority);
  const isSmall = Math.abs(authority - record.authority) < AUTHORITY_CHANGE_MIN && authority > 0;
  const kept = { ...rating, authority: isSmall ? record.authority : authority };
  return { record, facts, rating: { ...kept, quality: quantised(rating.quality) } };
}

function isNews(record: HostRecord, rating: RatedHost['rating']): boolean {
  return (
    rating.authority !== record.authority ||
    rating.quality !== quantised(record.quality) ||
    rating.inDomains !== record.inDomains ||
    rating.flags !== record.flags
  );
}

/** Answers how many URLs got another place; when some did, the host is rated as well. */
async function moveUrls(
  host: RatedHost,
  ports: RankPorts,
  desk: RankDesk,
  pace: Pace,
): Promise<number> {
  const { record, rating } = host;
  const first = await ports.store.waiting(hostKeyOf(record.host), undefined, URLS_PER_MOVE);
  if (movesOf(first, rating.authority, desk).length === 0 && first.length < URLS_PER_MOVE) return 0;
  await desk.hold(record.host);
  try {
    const moved = await moveHeld(host, ports, desk, pace);
    await desk.rate([host]);
    return moved;
  } finally {
    desk.release(record.host);
  }
}

async function moveHeld(
  { record, rating }: RatedHost,
  { store, clock }: { store: ShardStore; clock: RankPorts['clock'] },
  desk: RankDesk,
  pace: Pace,
): Promise<number> {
  let moved = 0;
  for (let after: Waiting | undefined; ; ) {
    const startedAt = clock.now();
    const rows = await store.waiting(hostKeyOf(record.host), after, URLS_PER_MOVE);
    const moves = movesOf(rows, rating.authority, desk);
    if (moves.length > 0) await desk.move(moves);
    moved += moves.length;
    after = rows[rows.length - 1];
    if (rows.length < URLS_PER_MOVE) return moved;
    await rest(clock, clock.now() - startedAt, pace);
  }
}

/** Those of the URLs whose place changes, from where to where. */
export function movesOf(urls: readonly Waiting[], authority: number, desk: RankDesk) {
  return urls.flatMap((from) => {
    if (from.claim === undefined) return [];
    const priority = quantised(priorityOf(from.claim, authority, desk.votesFor(from.url)));
    if (priority === from.priority) return [];
    return [{ from, to: { ...from, priority, rank: rankOf(priority, admittedAtOf(from)) } }];
  });
}

/** Keeps `top` sorted and short. */
function keepBest(top: TopHost[], host: TopHost, max: number): void {
  if (max === 0 || (top.length === max && host.rank <= (top[max - 1] as TopHost).rank)) return;
  let at = top.length;
  while (at > 0 && (top[at - 1] as TopHost).rank < host.rank) at--;
  top.splice(at, 0, host);
  if (top.length > max) top.pop();
}

function rounded({ host, rank, authority, quality, inDomains, pages }: TopHost): TopHost {
  return { host, rank: Number(rank.toPrecision(4)), authority, quality, inDomains, pages };
}

/** A host as the API shows it, and what its robots.txt said. */
import Type, { type Static } from 'typebox';
import type { TrapNote } from '../../crawl/answers.ts';
import type { HostDetail } from '../../crawl/serve-lookups.ts';
import { HOST_CLASSES, HOST_FLAGS, type HostRecord } from '../../record/index.ts';
import { isoOf, leaveOut } from './page-view.ts';

type HostFlag = keyof typeof HOST_FLAGS;
const FLAG_NAMES = Object.keys(HOST_FLAGS) as HostFlag[];
const instant = () => Type.Optional(Type.String({ format: 'date-time' }));

export const HOST = Type.Object({
  host: Type.String(),
  last_fetch_at: instant(),
  turn_at: instant(),
  crawl_delay_ms: Type.Number(),
  backoff: Type.Number(),
  latency_ms: Type.Number(),
  errors: Type.Integer(),
  errors_since: instant(),
  downs: Type.Integer(),
  address: Type.Optional(Type.String()),
  fetched_today: Type.Integer(),
  new_today: Type.Integer(),
  fetched: Type.Integer(),
  failed: Type.Integer(),
  bytes: Type.Number(),
  authority: Type.Number(),
  quality: Type.Number(),
  in_domains: Type.Integer(),
  class: Type.Enum([...HOST_CLASSES]),
  flags: Type.Array(Type.Enum(FLAG_NAMES)),
});

const ROBOTS = Type.Object({
  origin: Type.String(),
  status: Type.Integer(),
  fetched_at: instant(),
  expires_at: instant(),
  problem: Type.Optional(Type.String()),
  text: Type.String(),
});

export const TRAP = Type.Object({
  shape: Type.String(),
  kind: Type.String(),
  reason: Type.String(),
  since: instant(),
  fetched: Type.Number(),
  skipped: Type.Number(),
  look_at: instant(),
});

export const HOST_DETAIL = Type.Object({
  host: HOST,
  robots: Type.Array(ROBOTS),
  traps: Type.Array(TRAP),
});

export function hostView(host: HostRecord): Static<typeof HOST> {
  return leaveOut({
    host: host.host,
    last_fetch_at: isoOf(host.lastFetchAt),
    turn_at: isoOf(host.turnAt),
    crawl_delay_ms: host.crawlDelayMs,
    backoff: host.backoff,
    latency_ms: host.latencyMs,
    errors: host.errors,
    errors_since: isoOf(host.errorsSince),
    downs: host.downs,
    address: host.address,
    fetched_today: host.fetchedToday,
    new_today: host.newToday,
    fetched: host.fetched,
    failed: host.failed,
    bytes: host.bytes,
    authority: host.authority,
    quality: host.quality,
    in_domains: host.inDomains,
    class: host.hostClass,
    flags: FLAG_NAMES.filter((name) => (host.flags & HOST_FLAGS[name]) !== 0),
  });
}

export function hostDetailView(detail: HostDetail): Static<typeof HOST_DETAIL> {
  return {
    host: hostView(detail.record),
    robots: detail.robots.map((robots) => ({
      ...leaveOut<Omit<Static<typeof ROBOTS>, 'text'>>({
        origin: robots.origin,
        status: robots.status,
        fetched_at: isoOf(robots.fetchedAt),
        expires_at: isoOf(robots.expiresAt),
        problem: robots.problem,
      }),
      text: Buffer.from(robots.body).toString('utf8'),
    })),
    traps: detail.traps.map(trapView),
  };
}

export function trapView(trap: TrapNote): Static<typeof TRAP> {
  return leaveOut({
    ...{ shape: trap.shape, kind: trap.kind, reason: trap.reason },
    since: isoOf(trap.since),
    ...{ fetched: trap.fetched, skipped: trap.skipped },
    look_at: isoOf(trap.lookAt),
  });
}

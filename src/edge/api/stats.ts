/** How the crawl goes, in numbers: what is stored, what this run did, what was judged. */
import Type, { type Static } from 'typebox';
import { type Instant, SECOND_MS } from '../../base/instant.ts';
import type { StatusAnswer } from '../../crawl/answers.ts';
import type { CrawlProgress, CrawlSession } from '../../crawl/session.ts';
import { jsonAnswer } from './answer.ts';
import { type Endpoint, endpoint } from './endpoint.ts';

const counts = () => Type.Record(Type.String(), Type.Number());

export const PROGRESS = Type.Object({
  now: Type.String({ format: 'date-time' }),
  started_at: Type.String({ format: 'date-time' }),
  pages: Type.Integer({ description: 'Pages of this run' }),
  bytes: Type.Number(),
  open_visits: Type.Integer(),
  hosts: Type.Integer(),
  hosts_ready: Type.Integer(),
  hosts_waiting: Type.Integer(),
  is_draining: Type.Boolean(),
  is_on_ring: Type.Optional(Type.Boolean({ description: 'A node of a ring: /ring tells more' })),
  statuses: counts(),
  failures: counts(),
  totals: counts(),
});

const STATS = Type.Object({
  seeds: Type.Integer(),
  by_state: counts(),
  judged: counts(),
  totals: counts(),
  run: PROGRESS,
});

export function progressView(progress: CrawlProgress): Static<typeof PROGRESS> {
  const { pages, bytes, openVisits, hosts, hostsReady, hostsWaiting, isDraining } = progress;
  return {
    now: new Date(progress.now).toISOString(),
    started_at: new Date(progress.startedAt).toISOString(),
    ...{ pages, bytes, hosts, open_visits: openVisits },
    ...{ hosts_ready: hostsReady, hosts_waiting: hostsWaiting, is_draining: isDraining },
    ...(progress.isOnRing && { is_on_ring: true }),
    ...{ statuses: { ...progress.statuses }, failures: { ...progress.failures } },
    totals: snaked(progress.totals),
  };
}

/** Counting what was judged looks at every host: once in a while is enough for all who ask. */
const STATUS_MS = 5 * SECOND_MS;

export function statsEndpoint({ answers, progress }: CrawlSession): Endpoint {
  let last: { readonly at: Instant; readonly status: Promise<StatusAnswer> } | undefined;
  const statusAt = (now: Instant) => {
    if (last === undefined || now - last.at > STATUS_MS) {
      last = { at: now, status: answers.status() };
      last.status.catch(() => {
        last = undefined;
      });
    }
    return last.status;
  };
  return endpoint({
    ...{ method: 'GET', path: '/crawl/stats', role: 'read' },
    summary: 'How the crawl goes: this run at once, what was judged some seconds ago',
    answers: { 200: { what: 'Counts', schema: STATS } },
    async handle() {
      const run = progress();
      const { seeds, byState, judged, totals } = await statusAt(run.now);
      return jsonAnswer(200, {
        ...{ seeds: seeds.length, by_state: byState, judged: snaked(judged) },
        ...{ totals: snaked({ ...run.totals, hosts: totals.hosts }), run: progressView(run) },
      });
    },
  });
}

/** camelCase names as the API writes them. */
export function snaked(counts: object): Record<string, number> {
  const entries = Object.entries(counts) as [string, number][];
  return Object.fromEntries(
    entries.map(([name, value]) => [
      name.replace(/[A-Z]|\d+/g, (part) => `_${part.toLowerCase()}`),
      value,
    ]),
  );
}

/**
 * Nobody waits for ever (F3): how long URLs of low priority wait beside a stream of better ones,
 * and the bound that ageing and exploring imply.
 *
 *   npm run sim -- waiting [--days N]
 *
 * A URL of priority p gains 0.01 a day. What is admitted more than 100 × (1 − p) days after it
 * comes behind it, whatever its priority: so only the URLs Q that are ahead by then count, and
 * the host gets a turn at least every D = pause + 5 G / c, because one lease in five goes to the
 * host that has been ready longest (G hosts, c leases an hour). So it waits at most (Q + 1) × D.
 *
 * The world here is crowded on purpose: 20 hosts that could be asked every hour, four requests an
 * hour for all of them, and 1.2 new good URLs for each that is fetched. One host has nothing but
 * bad URLs; every other host has one of each kind among the good ones.
 */
import { DAY_MS, HOUR_MS, type Instant } from '../../src/base/instant.ts';
import { seededRandom } from '../../src/base/random.ts';
import { Frontier, type Lease, POLITE } from '../../src/frontier/index.ts';
import { waitingAfter } from '../../src/frontier/world-rows.testkit.ts';
import {
  NO_BYTES,
  quantised,
  type RobotsRecord,
  rankOf,
  urlKeyOf,
  type Waiting,
} from '../../src/record/index.ts';
import { hostOf } from '../../src/url/index.ts';

export interface Wait {
  readonly url: string;
  readonly priority: number;
  readonly waitedDays: number;
  readonly boundDays: number;
}

const START = Date.UTC(2030, 0, 1);
const HOSTS = 20;
const LEASES_PER_HOUR = 4;
const GOOD = 0.9;
const BAD = [0.05, 0.3, 0.6];
const POOR_URLS = 60;
/** Good URLs for each fetch that a host gets. */
const LOAD = 1.2;
const POOR = 'poor.test';

class World {
  now: Instant = START;
  readonly fetchedAt = new Map<string, Instant>();
  readonly watched: Waiting[] = [];
  readonly #store = new Map<string, Waiting>();
  /** For each watched URL, how many were ahead of it when nothing could pass it any more. */
  readonly ahead = new Map<string, number>();
  readonly #random = seededRandom('waiting');
  readonly #frontier: Frontier;
  readonly #rich: readonly string[];
  #made = 0;

  constructor() {
    const policy = { ...POLITE, delayMs: HOUR_MS, addressDelayMs: 0, slowFactor: 0 };
    const random = seededRandom('explore');
    this.#frontier = new Frontier(policy, 10 * HOUR_MS, () => random.next());
    const names = Array.from({ length: HOSTS - 1 }, (_, n) => `rich${n}.test`);
    for (const host of names) for (const bad of BAD) this.#admit(host, bad, true);
    for (let n = 0; n < POOR_URLS; n++) this.#admit(POOR, BAD[0] as number, true);
    this.#rich = names;
  }

  get isDone(): boolean {
    return this.watched.every(({ url }) => this.fetchedAt.has(url));
  }

  hour(): void {
    const perHost = (LOAD * LEASES_PER_HOUR) / HOSTS;
    for (const host of this.#rich) if (this.#random.next() < perHost) this.#admit(host, GOOD);
    for (let left = LEASES_PER_HOUR; left > 0; ) {
      const [lease] = this.#frontier.take(1, 1, this.now);
      this.#refill();
      if (lease === undefined) break;
      this.#answer(lease);
      if (lease.kind === 'page') left--;
    }
    this.now += HOUR_MS;
    this.#count();
  }

  #admit(host: string, priority: number, isWatched = false): void {
    const url = `http://${host}/${++this.#made}`;
    const own = quantised(priority);
    const rest = { kind: 'page', depth: 1, hops: 0, outside: 0, fails: 0, again: false } as const;
    const rank = rankOf(own, this.now);
    const row = { key: urlKeyOf(url), url, rank, priority: own, parent: NO_BYTES, ...rest };
    this.#store.set(url, row);
    if (isWatched) this.watched.push(row);
    this.#frontier.push([row], this.now);
  }

  #refill(): void {
    for (const host of this.#frontier.wanted(HOSTS)) {
      const asked = this.#frontier.refillSize(host);
      const rows = waitingAfter(this.#store.values(), host, asked);
      this.#frontier.refill(host, rows, asked, []);
    }
  }

  #answer(lease: Lease): void {
    const { now } = this;
    const times = { startedAt: now, answeredAt: now, endedAt: now };
    this.#frontier.conclude(lease, { ...times, sign: 'well', retryAfterMs: 0 }, 0);
    if (lease.kind === 'robots') {
      this.#frontier.setRobots(lease.errand, noRobots(lease.errand.origin), 0);
    } else {
      this.#store.delete(lease.url);
      this.fetchedAt.set(lease.url, now);
    }
    this.#frontier.settle(lease);
  }

  /** The moment from which nothing that comes can pass a URL: who is ahead of it then? */
  #count(): void {
    for (const { url, priority, rank } of this.watched) {
      const passed = this.now - START >= 100 * (1 - priority) * DAY_MS;
      if (!passed || this.ahead.has(url) || this.fetchedAt.has(url)) continue;
      let ahead = 0;
      for (const other of this.#store.values()) {
        if (hostOf(other.url) === hostOf(url) && other.rank <= rank) ahead++;
      }
      this.ahead.set(url, ahead - 1);
    }
  }
}

function noRobots(origin: string): RobotsRecord {
  const times = { fetchedAt: START, expiresAt: Number.MAX_SAFE_INTEGER };
  return { origin, ...times, status: 404, tries: 0, body: NO_BYTES, problem: '' };
}

/** Every watched URL with how long it waited; `daysMax` ends a world in which somebody starves. */
export function waits(daysMax: number): Wait[] {
  const world = new World();
  while (!world.isDone && world.now < START + daysMax * DAY_MS) world.hour();
  const turnHours = 1 + (5 * HOSTS) / LEASES_PER_HOUR;
  return world.watched.map(({ url, priority }) => {
    const waitedDays = ((world.fetchedAt.get(url) ?? Number.POSITIVE_INFINITY) - START) / DAY_MS;
    const passable = 100 * (1 - priority);
    // The poor host's URLs are all alike, and nothing passes them.
    const isPoor = hostOf(url) === POOR;
    const before = isPoor ? POOR_URLS - 1 : (world.ahead.get(url) ?? 0);
    const queueDays = ((before + 1) * turnHours) / 24;
    return { url, priority, waitedDays, boundDays: (isPoor ? 0 : passable) + queueDays };
  });
}

export function* run(args: readonly string[]) {
  const at = args.indexOf('--days');
  const all = waits(at < 0 ? 400 : Number(args[at + 1]));
  const kinds = [
    ...BAD.map((bad) => [`${bad} among ${GOOD}`, (w: Wait) => isAmong(w, bad)] as const),
    ['only bad ones on its host', (w: Wait) => hostOf(w.url) === POOR] as const,
  ];
  for (const [name, isIt] of kinds) {
    const some = all.filter(isIt);
    const worst = some.reduce((a, b) =>
      a.waitedDays / a.boundDays > b.waitedDays / b.boundDays ? a : b,
    );
    yield {
      'priority of the URL': name,
      URLs: some.length,
      'longest wait, days': Math.max(...some.map((w) => w.waitedDays)),
      'its bound': worst.boundDays,
      'worst wait / bound': worst.waitedDays / worst.boundDays,
    };
  }
}

function isAmong({ url, priority }: Wait, bad: number): boolean {
  return hostOf(url) !== POOR && priority === quantised(bad);
}

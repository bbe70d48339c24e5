/**
 * What a commit to PostgreSQL costs (B5, K2): 64 visited pages with 20 links each, half of them
 * new, as a crawl makes them.
 *
 *   npm run bench -- postgres [--commits 100] [--originals 100000]
 *
 * The server is started for it (tools/engines/) unless ORB_LIVE_POSTGRES says where one is.
 *
 *   plain, fenced   commits of a store without a holder and of one that holds all arcs, turn by
 *                   turn: what it costs to be refused when one is not the owner
 *   round trips     counted on the line: how often the client spoke after the server had
 *   cpu             of the server's processes and of this one, for one commit: what is left on a
 *                   machine with neighbours, where times are theirs, too
 *   renew           of all 64 tenures, while nothing else goes on
 *   find            64 pages among so many originals, none of which is near
 */
import { existsSync, readFileSync } from 'node:fs';
import { createServer, connect as dial } from 'node:net';
import { parseArgs } from 'node:util';
import pg from 'pg';
import { systemClock } from '../src/adapters/node/index.ts';
import {
  PostgresNearIndex,
  PostgresShardStore,
  PostgresTenures,
} from '../src/adapters/postgres/index.ts';
import { waitingFrom } from '../src/crawl/admit.ts';
import { type Commit, NOTHING, type Settled } from '../src/ports/shard-store.ts';
import {
  blankHost,
  encodeTrace,
  queuedRecord,
  urlKeyOf,
  type Waiting,
} from '../src/record/index.ts';
import { postgres } from '../tools/engines/index.ts';
import { type Emit, type Say, sayFor } from './measure.ts';
import { admittedAt, mix, Population } from './population.ts';
import { withEngine } from './with-engine.ts';

const PAGES = 64;
const LINKS = 20;
const HOSTS = 2_000;
const ARCS = Array.from({ length: 64 }, (_, arc) => arc);
const HOLDER = 'bench';
const RENEWS = 100;
const FINDS = 50;
const MS_PER_TICK = 10;

const population = new Population(HOSTS);
const clock = systemClock();

export async function run(args: string[], emit: Emit): Promise<void> {
  const { values } = parseArgs({
    args,
    options: {
      commits: { type: 'string', default: '100' },
      originals: { type: 'string', default: '100000' },
    },
  });
  const say = sayFor('postgres', emit);
  await withEngine(postgres, async (url) => {
    const schema = `bench_${process.pid}`;
    try {
      await measureCommits(url, schema, Number(values.commits), say);
      await measureRenewals(url, schema, say);
      await measureFinds(url, schema, Number(values.originals), say);
    } finally {
      const client = new pg.Client({ connectionString: url });
      await client.connect();
      await client.query(`DROP SCHEMA IF EXISTS ${schema} CASCADE`);
      await client.end();
    }
  });
}

async function measureCommits(
  url: string,
  schema: string,
  commits: number,
  say: Say,
): Promise<void> {
  const line = await Counted.to(url);
  const tenures = await PostgresTenures.open({ url, schema, clock });
  await tenures.take(ARCS, HOLDER, 3_600_000);
  const options = { url: line.url, schema, clock };
  const stores = {
    plain: await PostgresShardStore.open(options),
    fenced: await PostgresShardStore.open({ ...options, holder: HOLDER }),
  };
  const names = ['plain', 'fenced'] as const;
  for (let nth = 0; nth < 4; nth++) await stores[names[nth % 2] ?? 'plain'].commit(commitOf(nth));
  const times = { plain: [] as number[], fenced: [] as number[] };
  const [turns, bytes, pids] = [line.turns, line.bytes, await backends(url, line.ports)];
  const serverMs = cpuMsOf(pids);
  let ownMs = 0;
  for (let nth = 0; nth < 2 * commits; nth++) {
    const name = names[nth % 2] ?? 'plain';
    const commit = commitOf(nth + 4);
    const before = process.cpuUsage();
    times[name].push(await timed(() => stores[name].commit(commit)));
    const { user, system } = process.cpuUsage(before);
    ownMs += (user + system) / 1e3;
  }
  say('pages_per_commit', PAGES, 'pages');
  say('links_per_page', LINKS, 'links');
  for (const name of names) {
    say(`${name}_commit_median`, quantile(times[name], 0.5), 'ms');
    say(`${name}_commit_p95`, quantile(times[name], 0.95), 'ms');
    say(`${name}_pages_per_sec`, (PAGES * 1e3) / quantile(times[name], 0.5), 'pages/s');
  }
  say('round_trips_per_commit', (line.turns - turns) / (2 * commits), '');
  say('server_cpu_per_commit', (cpuMsOf(pids) - serverMs) / (2 * commits), 'ms');
  say('own_cpu_per_commit', ownMs / (2 * commits), 'ms');
  say('sent_per_page', (line.bytes - bytes) / (2 * commits * PAGES), 'bytes');
  for (const one of [stores.plain, stores.fenced, tenures]) await one.close();
  line.close();
}

/** The server's processes for connections from these ports. */
async function backends(url: string, ports: readonly number[]): Promise<number[]> {
  const client = new pg.Client({ connectionString: url });
  await client.connect();
  const text = 'SELECT pid FROM pg_stat_activity WHERE client_port = ANY ($1)';
  const { rows } = await client.query<{ pid: number }>(text, [ports]);
  await client.end();
  return rows.map(({ pid }) => pid);
}

/** Their CPU so far, where they are on this machine; else 0. */
function cpuMsOf(pids: readonly number[]): number {
  const places = pids.map((pid) => `/proc/${pid}/stat`).filter((place) => existsSync(place));
  return places.reduce((sum, place) => {
    const fields = readFileSync(place, 'utf8').split(') ')[1]?.split(' ') ?? [];
    return sum + (Number(fields[11]) + Number(fields[12])) * MS_PER_TICK;
  }, 0);
}

async function measureRenewals(url: string, schema: string, say: Say): Promise<void> {
  const tenures = await PostgresTenures.open({ url, schema, clock });
  const times: number[] = [];
  for (let nth = 0; nth < RENEWS; nth++) {
    times.push(await timed(() => tenures.renew(ARCS, HOLDER, 3_600_000)));
  }
  say('renew_median', quantile(times, 0.5), 'ms');
  await tenures.close();
}

async function measureFinds(
  url: string,
  schema: string,
  originals: number,
  say: Say,
): Promise<void> {
  const near = await PostgresNearIndex.open({ url, schema, clock });
  const page = (n: number) => ({
    ...{ key: urlKeyOf(`https://near.example/${n}`), pairs: BigInt(mix(n, 9)) },
    simhash: (BigInt(mix(n, 1)) << 32n) | BigInt(mix(n, 2)),
  });
  const pagesFrom = (from: number, count: number) =>
    Array.from({ length: count }, (_, i) => page(from + i));
  for (let at = 0; at < originals; at += 5_000) await near.write(pagesFrom(at, 5_000), []);
  const times: number[] = [];
  for (let nth = 0; nth < FINDS; nth++) {
    const asked = pagesFrom(originals + nth * PAGES, PAGES);
    times.push(await timed(() => near.find(asked)));
  }
  say('originals', originals, 'pages');
  say('find_64_median', quantile(times, 0.5), 'ms');
  await near.close();
}

/** The nth: pages that no commit before had, and links of which every other one is new. */
function commitOf(nth: number): Commit {
  const firstPage = HOSTS + nth * PAGES * LINKS;
  const pages = Array.from({ length: PAGES }, (_, i) => firstPage + i * LINKS);
  const linksOf = (page: number) =>
    Array.from({ length: LINKS }, (_, k) => (k % 2 === 0 ? page + k : Math.max(HOSTS, page - k)));
  const hosts = new Set(pages.map((page) => population.nameOf(population.hostOf(page))));
  return {
    ...NOTHING,
    settled: pages.map((page) => settledOf(page, linksOf(page))),
    admitted: pages.flatMap((page) =>
      linksOf(page).map((link) => ({ waiting: waitingOf(link), maybeKnown: true })),
    ),
    hosts: [...hosts].map((host) => ({ ...blankHost(host), fetched: nth, lastFetchAt: nth })),
    change: { waiting: -PAGES, fetched: PAGES, asked: PAGES, bytes: PAGES * 20_000 },
  };
}

function waitingOf(n: number): Waiting {
  return waitingFrom(population.mentionOf(n), 0, admittedAt(n));
}

function settledOf(page: number, links: readonly number[]): Settled {
  const waiting = waitingOf(page);
  const at = admittedAt(page);
  const record = {
    ...{ ...queuedRecord(waiting), state: 'indexed' as const, httpStatus: 200, visits: 1 },
    ...{ title: `Page ${page} of the bench`, contentType: 'text/html', bodyBytes: 20_000 },
    ...{ lastFetchedAt: at, nextCrawlAt: at + 86_400_000 },
  };
  const targets = links.map((link) => population.urlOf(link));
  const texts = links.map((link) => `more about ${link}`).join('\n');
  const trace = encodeTrace({ server: 'nginx' }, { targets, texts, rels: {}, kinds: {} });
  return { waiting, record, trace, isAsked: true, bytes: 20_000 };
}

/** A relay that counts what the client says, and how often it does after the server has. */
class Counted {
  turns = 0;
  bytes = 0;
  /** Ours, as the server sees them. */
  readonly ports: number[] = [];
  readonly #server = createServer();
  url = '';

  static async to(url: string): Promise<Counted> {
    const [line, target] = [new Counted(), new URL(url)];
    const [host, port] = [target.hostname, Number(target.port)];
    line.#server.on('connection', (client) => {
      const server = dial({ host, port });
      server.on('connect', () => line.ports.push(server.localPort ?? 0));
      let isAnswered = true;
      client.on('data', (bytes) => {
        line.turns += isAnswered ? 1 : 0;
        line.bytes += bytes.length;
        isAnswered = false;
        server.write(bytes);
      });
      server.on('data', (bytes) => {
        isAnswered = true;
        client.write(bytes);
      });
      client.on('close', () => server.destroy());
      server.on('close', () => client.destroy());
    });
    await new Promise<void>((done) => line.#server.listen(0, '127.0.0.1', done));
    target.port = `${(line.#server.address() as { port: number }).port}`;
    line.url = target.href;
    return line;
  }

  close(): void {
    this.#server.close();
  }
}

async function timed(work: () => Promise<unknown>): Promise<number> {
  const from = performance.now();
  await work();
  return performance.now() - from;
}

function quantile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0;
}

/**
 * The driver's connections, with our patience around them.
 *
 * Every request has a deadline. A node that restarts, a quorum that is missing for a moment and an
 * answer that does not come are waited out, up to `patienceMs`, by sending the same again: whatever
 * goes through `run()` and `all()` may be done twice. Whatever else fails becomes a CrawlError.
 */
import type { Client, QueryOptions } from 'cassandra-driver';
import { CrawlError } from '../../base/errors.ts';
import type { Clock } from '../../ports/clock.ts';
import { placeIn } from './place.ts';
import { isNobodyThere, isPassing, storeError } from './problems.ts';

export interface CassandraOptions {
  /** cassandra://user:password@host:port,host:port/?dc=NAME (place.ts) */
  readonly url: string;
  /** Of all tables. */
  readonly keyspace: string;
  /** Several crawls can share the tables: each row says whose it is. */
  readonly crawl: string;
  readonly clock: Clock;
  /** How long an outage may last before it is an error. */
  readonly patienceMs?: number;
  /** How long one answer may take before the same is asked again. */
  readonly answerMs?: number;
  /** Copies of a keyspace that does not exist yet; 3, or as many as there are nodes. */
  readonly copies?: number;
}

export type Value = Buffer | string | number | boolean | null | undefined | readonly Buffer[];
export type Values = readonly Value[];
/** A statement, and what stands for its question marks. */
export interface Step {
  readonly text: string;
  readonly values: Values;
}

type Driver = typeof import('cassandra-driver');

const PATIENCE_MS = 60_000;
const ANSWER_MS = 5_000;
const CONNECT_MS = 5_000;
const RETRY_MS = 200;
/** A second node is asked as well when the first has not answered by then. */
const SECOND_ASKED_MS = 400;
const IN_FLIGHT_MAX = 64;
/** Every statement has a limit of its own. */
const NO_PAGES = 0;

export class Link {
  readonly #driver: Driver;
  #client: Client;
  /** The end of the one before, which no node answered any more. */
  #ending: Promise<void> | undefined;
  readonly #options: CassandraOptions;
  /** The server, as it may be shown: without the password. */
  readonly where: string;

  private constructor(driver: Driver, options: CassandraOptions) {
    const { nodes } = placeIn(options.url);
    this.where = nodes.join(',');
    this.#driver = driver;
    this.#options = options;
    this.#client = new driver.Client(settingsOf(driver, options));
  }

  static async open(options: CassandraOptions): Promise<Link> {
    refuseName(options.keyspace);
    const link = new Link(await driver(), options);
    try {
      await link.#patiently((client) => client.connect());
      return link;
    } catch (error) {
      await link.close();
      throw error;
    }
  }

  get keyspace(): string {
    return this.#options.keyspace;
  }

  get datacenter(): string {
    return placeIn(this.#options.url).datacenter;
  }

  get nodeCount(): number {
    return this.#client.hosts.length;
  }

  /** Which nodes have which rows, so that these are asked first. */
  async learnPlaces(): Promise<void> {
    await this.#client.metadata.refreshKeyspace(this.keyspace);
  }

  /** One statement that may be done twice. */
  run<R extends object>(text: string, values: Values = []): Promise<R[]> {
    return this.#patiently((client) => this.#send<R>(client, text, values));
  }

  /** As of all that was decided before, also what is being decided now (Paxos). */
  serial<R extends object>(text: string, values: Values): Promise<R[]> {
    const consistency = this.#driver.types.consistencies.localSerial;
    return this.#patiently((client) => this.#send<R>(client, text, values, { consistency }));
  }

  /**
   * Changes of one partition on conditions (`IF …`): were they made, all of them? After a lost
   * answer it is asked again, so a `false` may mean that they were made by the first try.
   */
  async decide(steps: readonly Step[]): Promise<boolean> {
    const queries = steps.map(({ text, values }) => ({
      query: this.#cql(text),
      params: [...values],
    }));
    const options = { prepare: true, isIdempotent: false };
    const { rows } = await this.#patiently((client) =>
      queries.length === 1
        ? client.execute(queries[0]?.query ?? '', queries[0]?.params ?? [], options)
        : client.batch(queries, options),
    );
    return rows[0]?.['[applied]'] === true;
  }

  /** In one request: what is in one partition is changed as a whole, what is not is not. */
  async together(steps: readonly Step[]): Promise<void> {
    const [first, ...more] = steps;
    if (first === undefined) return;
    if (more.length === 0) return void (await this.run(first.text, first.values));
    const queries = steps.map(({ text, values }) => ({
      query: this.#cql(text),
      params: [...values],
    }));
    const options = { prepare: true, logged: false, isIdempotent: true };
    await this.#patiently((client) => client.batch(queries, options));
  }

  /** Each of them, so many at a time; answers in their order. */
  async each<T, R>(items: readonly T[], work: (item: T) => Promise<R>): Promise<R[]> {
    const answers: R[] = new Array(items.length);
    let next = 0;
    const walk = async () => {
      while (next < items.length) {
        const nth = next++;
        answers[nth] = await work(items[nth] as T);
      }
    };
    const walks = Array.from({ length: Math.min(IN_FLIGHT_MAX, items.length) }, walk);
    const ends = await Promise.allSettled(walks);
    const failed = ends.find((end) => end.status === 'rejected');
    if (failed !== undefined) throw failed.reason;
    return answers;
  }

  async close(): Promise<void> {
    await this.#ending;
    await endOf(this.#client);
  }

  async #send<R extends object>(
    client: Client,
    text: string,
    values: Values,
    more: QueryOptions = {},
  ) {
    const options = { prepare: true, isIdempotent: true, fetchSize: NO_PAGES, ...more };
    const { rows } = await client.execute(this.#cql(text), [...values], options);
    return (rows ?? []) as unknown as R[];
  }

  /** Statements name a table as `@url`: the keyspace goes there. */
  #cql(text: string): string {
    return text.replaceAll('@', `${this.#options.keyspace}.`);
  }

  async #patiently<T>(work: (client: Client) => Promise<T>): Promise<T> {
    const { clock, patienceMs = PATIENCE_MS } = this.#options;
    let endsAt: number | undefined;
    for (;;) {
      const client = this.#client;
      try {
        return await work(client);
      } catch (error) {
        endsAt ??= clock.now() + patienceMs;
        if (!isPassing(error) || clock.now() >= endsAt) throw storeError(error, this.where);
        await clock.sleepUntil(clock.now() + RETRY_MS);
        if (isNobodyThere(error)) await this.#renewed(client);
      }
    }
  }

  /** The driver gives a node up that was away, and takes its time to look again: a new one does not. */
  async #renewed(gone: Client): Promise<void> {
    if (this.#client === gone) {
      this.#client = new this.#driver.Client(settingsOf(this.#driver, this.#options));
      this.#ending = endOf(gone)
        .then(() => this.learnPlaces())
        .catch(() => undefined);
    }
    await this.#ending;
  }
}

/** What the driver leaves behind when it could not connect, or was about to: nobody else ends it. */
interface Inside {
  readonly controlConnection: {
    readonly hosts: { values(): { shutdown(waits: boolean): Promise<void> }[] };
    readonly connection: { close(): void } | null;
    shutdown(): void;
  };
}

async function endOf(client: Client): Promise<void> {
  await client.shutdown().catch(() => undefined);
  const { controlConnection } = client as unknown as Inside;
  controlConnection.shutdown();
  const hosts = controlConnection.hosts.values();
  await Promise.all(hosts.map((host) => host.shutdown(false).catch(() => undefined)));
  controlConnection.connection?.close();
}

function settingsOf(driver: Driver, options: CassandraOptions) {
  const { nodes, datacenter, user, isTls } = placeIn(options.url);
  const { policies, types } = driver;
  return {
    ...{ contactPoints: [...nodes], localDataCenter: datacenter, isMetadataSyncEnabled: false },
    ...(user && { credentials: { ...user } }),
    ...(isTls && { sslOptions: {} }),
    queryOptions: {
      consistency: types.consistencies.localQuorum,
      serialConsistency: types.consistencies.localSerial,
      captureStackTrace: false,
    },
    // Bytes of a row must not keep the whole answer in memory.
    encoding: { useUndefinedAsUnset: true, copyBuffer: true },
    socketOptions: { readTimeout: options.answerMs ?? ANSWER_MS, connectTimeout: CONNECT_MS },
    policies: {
      reconnection: new policies.reconnection.ConstantReconnectionPolicy(RETRY_MS),
      speculativeExecution: new policies.speculativeExecution.ConstantSpeculativeExecutionPolicy(
        SECOND_ASKED_MS,
        1,
      ),
    },
  };
}

const NAME = /^[a-z][a-z0-9_]{0,47}$/;

function refuseName(keyspace: string): void {
  if (NAME.test(keyspace)) return;
  const hint = 'use small letters, digits and _, at most 48 of them';
  throw new CrawlError('E_CONFIG', `"${keyspace}" is no name for a keyspace`, hint);
}

/** An optional dependency: only who names Cassandra needs it. */
async function driver(): Promise<Driver> {
  try {
    const loaded = await import('cassandra-driver');
    return (loaded as { default?: Driver }).default ?? loaded;
  } catch (error) {
    const hint = 'install it beside Orbweaver: npm install cassandra-driver';
    throw new CrawlError('E_CONFIG', 'the driver of Cassandra is not installed', hint, error);
  }
}

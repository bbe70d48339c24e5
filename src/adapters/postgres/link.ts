/**
 * A connection that comes back. What is sent through it goes out at once, without waiting for the
 * answer to what was sent before (the driver's pipeline): a batch of statements is one round trip.
 *
 * A cut connection and a server that restarts are waited out, up to `patienceMs`; whatever else
 * fails, and an outage that lasts longer, becomes a CrawlError.
 */
import { randomUUID } from 'node:crypto';
import type { Client, ClientConfig, QueryResultRow } from 'pg';
import { CrawlError } from '../../base/errors.ts';
import type { Clock } from '../../ports/clock.ts';
import { isPassing, storeError } from './problems.ts';

export interface PostgresOptions {
  /** postgres://user:password@host:port/database */
  readonly url: string;
  /** Each crawl has a schema of its own. */
  readonly schema: string;
  readonly clock: Clock;
  /** How long an outage may last before it is an error; 0: told at once. */
  readonly patienceMs?: number;
  /** A server that is silent for so long has gone: its connection is cut. */
  readonly answerMs?: number;
}

/** A statement that the server keeps prepared under its name. */
export interface Statement {
  readonly name: string;
  readonly text: string;
}

export type Values = readonly (Buffer | string | number | null)[];
export type Send = <R extends QueryResultRow>(s: Statement, values?: Values) => Promise<R[]>;

const PATIENCE_MS = 60_000;
const RETRY_MS = 250;
const CONNECT_MS = 10_000;
const ANSWER_MS = 60_000;
const SCHEMA_NAME = /^[a-z_][a-z0-9_]{0,62}$/;
/**
 * Every statement is about keys that have an index. A plan made while a table was nearly empty
 * would read it whole, for as long as the connection lasts.
 */
const PLANNING = 'plan_cache_mode=force_generic_plan jit=off'
  .concat(' enable_seqscan=off enable_hashjoin=off enable_mergejoin=off')
  .replace(/(\S+)/g, '-c $1');

/**
 * A node that is stopped in the middle of a commit keeps its arcs from others by its row locks
 * (fence.ts): so the server ends what nobody goes on with.
 */
const IDLE_MS = 3_000;
const ENDING = `-c idle_in_transaction_session_timeout=${IDLE_MS}`;

type Driver = typeof import('pg')['default'];

const INT8 = 20;
/** A session that lost its client may still be at work: it must have ended before we go on. */
const END_FORMER: Statement = {
  name: '',
  text: `SELECT pg_terminate_backend(pid, 10000) FROM pg_stat_activity
    WHERE application_name = $1 AND pid <> pg_backend_pid()`,
};

/**
 * What a page said of its links is some KB, which the server compresses. Its own way was an eighth
 * of all that a commit cost it; lz4, where it was built with that, is much quicker.
 */
const COMPRESS_QUICKLY: Statement = {
  name: '',
  text: `SELECT set_config(name, 'lz4', false) FROM pg_settings
    WHERE name = 'default_toast_compression' AND 'lz4' = ANY (enumvals)`,
};

export class Link {
  readonly #driver: Driver;
  readonly #options: PostgresOptions;
  /** What its sessions are called on the server. */
  readonly #name = `orbweaver ${randomUUID().slice(0, 13)}`;
  #client: Promise<Client> | undefined;
  #wasOpen = false;

  private constructor(driver: Driver, options: PostgresOptions) {
    this.#driver = driver;
    this.#options = options;
  }

  static async open(options: PostgresOptions): Promise<Link> {
    if (!SCHEMA_NAME.test(options.schema)) {
      const hint = 'use small letters, digits and _, at most 63 of them';
      throw new CrawlError('E_CONFIG', `"${options.schema}" is no name for a schema`, hint);
    }
    const link = new Link(await driver(), options);
    await link.run((send) => send({ name: '', text: 'SELECT 1' }));
    return link;
  }

  /** The server, as it may be shown: without the password. */
  get where(): string {
    return shownUrl(this.#options.url);
  }

  /** Does the work with a connection, and again with another one if that was cut. */
  async run<T>(work: (send: Send) => Promise<T>): Promise<T> {
    const { clock, patienceMs = PATIENCE_MS } = this.#options;
    let endsAt: number | undefined;
    for (;;) {
      try {
        const client = await this.#connected();
        return await work(sendBy(client));
      } catch (error) {
        endsAt ??= clock.now() + patienceMs;
        if (!isPassing(error) || clock.now() >= endsAt) throw storeError(error, this.where);
        await clock.sleepUntil(clock.now() + RETRY_MS);
      }
    }
  }

  async close(): Promise<void> {
    const client = await this.#client?.catch(() => undefined);
    this.#client = undefined;
    await client?.end().catch(() => undefined);
  }

  #connected(): Promise<Client> {
    this.#client ??= this.#connect();
    return this.#client;
  }

  async #connect(): Promise<Client> {
    const { url, schema, answerMs = ANSWER_MS } = this.#options;
    const config: ClientConfig & { readonly pipeline: true } = {
      ...{ connectionString: url, pipeline: true, keepAlive: true },
      ...{ connectionTimeoutMillis: Math.min(CONNECT_MS, answerMs), query_timeout: answerMs },
      application_name: this.#name,
      ...{
        options: `-c search_path=${schema} ${PLANNING} ${ENDING}`,
        types: { getTypeParser: this.#parser },
      },
    };
    const client = new this.#driver.Client(config);
    const forget = () => {
      this.#client = undefined;
    };
    client.on('error', forget);
    client.on('end', forget);
    try {
      await client.connect();
      const send = sendBy(client);
      await send(COMPRESS_QUICKLY);
      if (this.#wasOpen) await send(END_FORMER, [this.#name]);
      this.#wasOpen = true;
      return client;
    } catch (error) {
      forget();
      throw error;
    }
  }

  /** Counts and instants are below 2^53. */
  readonly #parser = (type: number, format?: 'text' | 'binary') =>
    type === INT8 ? Number : this.#driver.types.getTypeParser(type, format as 'text');
}

function sendBy(client: Client): Send {
  return async <R extends QueryResultRow>({ name, text }: Statement, values: Values = []) => {
    const { rows } = await client.query<R>({ ...(name && { name }), text, values: [...values] });
    return rows;
  };
}

/** An optional dependency: only who names PostgreSQL needs it. */
async function driver(): Promise<Driver> {
  try {
    return (await import('pg')).default;
  } catch (error) {
    const hint = 'install it beside Orbweaver: npm install pg';
    throw new CrawlError('E_CONFIG', 'the driver of PostgreSQL is not installed', hint, error);
  }
}

function shownUrl(url: string): string {
  try {
    const { host, pathname } = new URL(url);
    return `${host}${pathname}`;
  } catch {
    return 'a URL that cannot be read';
  }
}

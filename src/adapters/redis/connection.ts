/**
 * A line to Redis or Valkey, one server or a cluster, loaded only where one is configured (K2).
 *
 *   send(key, words)      one command, to the node that has the key
 *   run(script, keys, …)  a script by its hash; its text goes over the line once per server
 *
 * Nothing waits in a queue for a server that is away: whoever asks is told at once, and the line
 * mends itself behind their back. A server that hangs is given up after `deadlineMs`.
 */
import { createHash } from 'node:crypto';
import { CrawlError } from '../../base/errors.ts';

export interface RedisOptions {
  /** `redis://` or `rediss://` with user and password; several nodes of a cluster, or one. */
  readonly urls: readonly string[];
  readonly isCluster?: boolean;
  readonly deadlineMs?: number;
}

export type Word = string | Buffer;

/** What Redis answers to our scripts and commands. */
export type Reply = string | Buffer | number | null | readonly Reply[];

interface Line {
  readonly isReady: boolean;
  connect(): Promise<unknown>;
  send(key: string, words: readonly Word[], asBytes: boolean): Promise<Reply>;
  close(): void;
}

const DEADLINE_MS = 2_000;
const RECONNECT_MS_MAX = 1_000;
/** Between two attempts to find a cluster of which no node answered. */
const SEEK_MS = 500;
/** A server that hangs keeps at most so many commands of ours. */
const COMMANDS_WAITING_MAX = 4_096;

export class RedisConnection {
  readonly #line: Line;
  readonly #deadlineMs: number;
  readonly #hashes = new Map<string, string>();
  #seeking: Promise<unknown> | undefined;
  #soughtAt = Number.NEGATIVE_INFINITY;
  #isClosed = false;

  constructor(line: Line, deadlineMs: number) {
    this.#line = line;
    this.#deadlineMs = deadlineMs;
  }

  get isReady(): boolean {
    return this.#line.isReady;
  }

  async send(key: string, words: readonly Word[], asBytes = false): Promise<Reply> {
    if (!this.#line.isReady) this.#seek();
    return withDeadline(this.#line.send(key, words, asBytes), this.#deadlineMs);
  }

  /** All keys of a script are on one node: they share a {tag}. */
  async run(
    script: string,
    keys: readonly string[],
    words: readonly Word[],
    asBytes = false,
  ): Promise<Reply> {
    const rest = [`${keys.length}`, ...keys, ...words];
    const first = keys[0] as string;
    try {
      return await this.send(first, ['EVALSHA', this.#hashOf(script), ...rest], asBytes);
    } catch (error) {
      if (!wordsOf(error).startsWith('NOSCRIPT')) throw error;
      return this.send(first, ['EVAL', script, ...rest], asBytes);
    }
  }

  async close(): Promise<void> {
    this.#isClosed = true;
    await this.#seeking;
    this.#line.close();
  }

  /** Connects again where the driver does not do so by itself. */
  #seek(): void {
    const now = performance.now();
    if (this.#isClosed || this.#seeking !== undefined || now - this.#soughtAt < SEEK_MS) return;
    this.#soughtAt = now;
    this.#seeking = this.#line
      .connect()
      .catch(() => undefined)
      .finally(() => {
        this.#seeking = undefined;
      });
  }

  #hashOf(script: string): string {
    const known = this.#hashes.get(script);
    if (known !== undefined) return known;
    const hash = createHash('sha1').update(script).digest('hex');
    this.#hashes.set(script, hash);
    return hash;
  }
}

/** Resolves also when no server answers, for that may change; rejects when we are refused. */
export async function connectRedis(options: RedisOptions): Promise<RedisConnection> {
  const driver = await loadDriver();
  const problems: unknown[] = [];
  const line = options.isCluster
    ? clusterLine(driver, options)
    : serverLine(driver, options, problems);
  const deadlineMs = options.deadlineMs ?? DEADLINE_MS;
  try {
    await withDeadline(line.connect(), deadlineMs);
  } catch (error) {
    problems.push(error);
  }
  const refusal = problems.map(wordsOf).find((words) => REFUSED.test(words));
  if (refusal === undefined) return new RedisConnection(line, deadlineMs);
  line.close();
  throw new CrawlError(
    'E_CONFIG',
    `Redis at ${placesOf(options.urls)} does not let us in: ${refusal}`,
    'set the user and password in its URL: redis://USER:PASSWORD@HOST:PORT',
  );
}

const REFUSED = /WRONGPASS|NOAUTH|NOPERM|invalid (?:username|password)/i;

type Driver = typeof import('redis');

async function loadDriver(): Promise<Driver> {
  try {
    return await import('redis');
  } catch (cause) {
    throw new CrawlError(
      'E_CONFIG',
      'a Redis server is configured, but its driver is not installed',
      'run `npm install redis`',
      cause,
    );
  }
}

function socketOptions({ deadlineMs = DEADLINE_MS }: RedisOptions) {
  const reconnectStrategy = (tries: number) => Math.min(25 * 2 ** tries, RECONNECT_MS_MAX);
  return { connectTimeout: deadlineMs, reconnectStrategy };
}

/** The driver reconnects by itself, for ever: the first refusal ends the wait for it. */
function serverLine(driver: Driver, options: RedisOptions, problems: unknown[]): Line {
  const { urls } = options;
  const client = driver.createClient({
    ...{ url: urls[0] as string, socket: socketOptions(options), disableOfflineQueue: true },
    ...{ commandsQueueMaxLength: COMMANDS_WAITING_MAX },
  });
  const bytes = { typeMapping: { [driver.RESP_TYPES.BLOB_STRING]: Buffer } };
  client.on('error', (error: unknown) => {
    if (problems.length < 1) problems.push(error);
  });
  return {
    get isReady() {
      return client.isReady;
    },
    connect: () =>
      client.isOpen
        ? Promise.resolve()
        : Promise.race([
            client.connect(),
            new Promise((_, refuse) => client.once('error', refuse)),
          ]),
    send: (_, words, asBytes) => client.sendCommand<Reply>(words, asBytes ? bytes : undefined),
    close: () => client.destroy(),
  };
}

function clusterLine(driver: Driver, options: RedisOptions): Line {
  const { urls } = options;
  const { username, password } = new URL(urls[0] as string);
  const cluster = driver.createCluster({
    rootNodes: urls.map((url) => ({
      url,
      socket: { ...socketOptions(options), reconnectStrategy: false },
    })),
    defaults: {
      ...{ socket: socketOptions(options), disableOfflineQueue: true },
      ...{ commandsQueueMaxLength: COMMANDS_WAITING_MAX },
      ...(username && { username: decodeURIComponent(username) }),
      ...(password && { password: decodeURIComponent(password) }),
    },
  });
  const bytes = { typeMapping: { [driver.RESP_TYPES.BLOB_STRING]: Buffer } };
  cluster.on('error', () => undefined);
  return {
    get isReady() {
      return cluster.isOpen && cluster.isReady;
    },
    connect: () => (cluster.isOpen ? Promise.resolve() : cluster.connect()),
    send: (key, words, asBytes) =>
      cluster.sendCommand<Reply>(key, false, [...words], asBytes ? bytes : undefined),
    close: () => {
      if (cluster.isOpen) cluster.destroy();
    },
  };
}

/** The answer to a command given up may still come; nobody listens then. */
function withDeadline<T>(answer: Promise<T>, ms: number): Promise<T> {
  const deadline = AbortSignal.timeout(ms);
  return new Promise((resolve, reject) => {
    const late = () => reject(new Error(`no answer within ${ms} ms`));
    deadline.addEventListener('abort', late, { once: true });
    answer.then(resolve, reject).finally(() => deadline.removeEventListener('abort', late));
  });
}

export function wordsOf(error: unknown): string {
  const { message, cause } = error as { message?: string; cause?: { message?: string } };
  return message || cause?.message || String(error);
}

/** Without the password. */
function placesOf(urls: readonly string[]): string {
  return urls.map((url) => new URL(url).host).join(', ');
}

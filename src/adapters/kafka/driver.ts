/**
 * Kafka's driver: loaded only where a broker is configured (K1), so that nobody else needs it.
 */
import { CrawlError } from '../../base/errors.ts';

export type Driver = typeof import('@platformatic/kafka');

export interface Broker {
  /** `host:port`, one or more. */
  readonly addresses: readonly string[];
  /** What our topics are called: `urls` and `pages` behind it. */
  readonly prefix: string;
  /** Who we are, where the brokers want to know. */
  readonly login?: BrokerLogin | undefined;
  /** The line is encrypted; the broker's certificate must be good. */
  readonly isTls?: boolean;
}

export interface BrokerLogin {
  readonly mechanism: 'PLAIN' | 'SCRAM-SHA-256' | 'SCRAM-SHA-512';
  readonly user: string;
  readonly password: string;
}

export interface ClientOptions {
  readonly clientId: string;
  readonly bootstrapBrokers: string[];
  readonly connectTimeout: number;
  readonly requestTimeout: number;
  readonly retries: number;
  readonly retryDelay: number;
  readonly sasl?: { mechanism: BrokerLogin['mechanism']; username: string; password: string };
  readonly tls?: { servername?: string };
  readonly tlsServerName?: boolean;
}

const CONNECT_MS = 3_000;
const REQUEST_MS = 10_000;

export async function loadDriver(): Promise<Driver> {
  try {
    return await import('@platformatic/kafka');
  } catch (cause) {
    throw new CrawlError(
      'E_CONFIG',
      'a Kafka broker is configured, but its driver is not installed',
      'run `npm install @platformatic/kafka`',
      cause,
    );
  }
}

/**
 * The driver tries again for a second, while a topic is made or its leader changes. Beyond that,
 * whoever calls knows whether to go on.
 */
export function clientOptions(broker: Broker): ClientOptions {
  const { login, isTls } = broker;
  return {
    ...(login && {
      sasl: { mechanism: login.mechanism, username: login.user, password: login.password },
    }),
    ...(isTls && { tls: {}, tlsServerName: true }),
    ...{ clientId: 'orbweaver', bootstrapBrokers: [...broker.addresses] },
    ...{ connectTimeout: CONNECT_MS, requestTimeout: REQUEST_MS, retries: 5, retryDelay: 200 },
  };
}

/** What the broker did to us, as an error that says what to do. */
export function brokerDown(broker: Broker, cause: unknown): CrawlError {
  const [places, words] = [broker.addresses.join(', '), wordsOf(cause)];
  if (NOT_LET_IN.test(words)) {
    return new CrawlError(
      'E_CONFIG',
      `Kafka at ${places} does not let us in: ${words}`,
      'set --kafka-user, ORB_BROKER_KAFKA_PASSWORD and --kafka-sasl as the brokers know them',
      cause,
    );
  }
  return new CrawlError(
    'E_BROKER_DOWN',
    `the Kafka broker at ${places} does not do what it is asked: ${words}`,
    'see whether it runs, and that the address, --kafka-user and --kafka-tls are right',
    cause,
  );
}

const NOT_LET_IN = /SASL|authentication/i;

/** The driver wraps what went wrong, several times: the innermost says it. */
export function wordsOf(cause: unknown): string {
  let error = cause as { message?: string; errors?: unknown[]; cause?: unknown } | undefined;
  for (let inner: unknown = error; inner !== undefined; ) {
    error = inner as typeof error;
    inner = error?.errors?.[0] ?? error?.cause;
  }
  return error?.message ?? String(cause);
}

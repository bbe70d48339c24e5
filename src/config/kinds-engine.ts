/**
 * Kinds that know where the engines of a cluster are. They check the form only: whether one
 * answers there, `orb doctor` asks. A URL may hold a password, so no message repeats it.
 */
import type { Kind, Parsed } from './kind.ts';
import { text } from './kinds-plain.ts';

const SCHEMES = {
  redis: { schemes: ['redis:', 'rediss:'], example: 'redis://HOST:6379' },
  postgres: {
    schemes: ['postgres:', 'postgresql:'],
    example: 'postgres://USER:PASSWORD@HOST:5432/DATABASE',
  },
} as const;

export function engineUrl(engine: keyof typeof SCHEMES): Kind<string, ''> {
  const { schemes, example } = SCHEMES[engine];
  const parse = (given: string): Parsed<string> => {
    const value = given.trim();
    if (!URL.canParse(value)) return { problem: 'is not a URL' };
    const { protocol, hostname } = new URL(value);
    if (!schemes.some((scheme) => scheme === protocol)) {
      return { problem: `is not a ${schemes[0]}// URL` };
    }
    return hostname === '' ? { problem: 'names no host' } : { value };
  };
  return { ...text('URL', `a URL such as ${example}`), parse };
}

/** Several nodes in one URL, which no URL parser takes: the adapter reads it closely. */
export function cassandraUrl(): Kind<string, ''> {
  const parse = (given: string): Parsed<string> => {
    const value = given.trim();
    if (!/^cassandra:\/\//.test(value)) return { problem: 'is not a cassandra:// URL' };
    const isWhole = /^cassandra:\/\/(?:[^@/]*@)?[^/?#@]+\/?(?:\?[^#]*)?$/.test(value);
    return isWhole ? { value } : { problem: 'is not of the form cassandra://HOST:PORT,HOST:PORT' };
  };
  const form = 'a URL such as cassandra://USER:PASSWORD@HOST:9042,HOST:9042/?dc=NAME';
  return { ...text('URL', form), parse };
}

/** `HOST:PORT`, as brokers are named everywhere. */
export function kafkaBroker(): Kind<string, ''> {
  return hostPort('a broker such as kafka-1:9092');
}

/** An IPv6 address stands in brackets. */
export function hostPort(expects: string, portMin = 1): Kind<string, ''> {
  const parse = (given: string): Parsed<string> => {
    const value = given.trim();
    const port = Number(/^(?:\[[0-9a-f:]+\]|[\w.-]+):(\d{1,5})$/i.exec(value)?.[1] ?? -1);
    const isPort = port >= portMin && port < 65_536;
    return isPort ? { value } : { problem: 'is not of the form HOST:PORT' };
  };
  return { ...text('HOST:PORT', expects), parse };
}

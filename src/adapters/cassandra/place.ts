/**
 * Where the store is, from one URL:
 *
 *   cassandra://user:password@one:9042,two:9042/?dc=datacenter1&tls=true
 *
 * Several nodes may be named, in case one is down at the start; the others are found by asking.
 */
import { CrawlError } from '../../base/errors.ts';

export interface StorePlace {
  readonly nodes: readonly string[];
  readonly datacenter: string;
  readonly user: { readonly username: string; readonly password: string } | undefined;
  readonly isTls: boolean;
}

const URL_FORM = /^cassandra:\/\/(?:([^:@/]*)(?::([^@/]*))?@)?([^/?#@]+)\/?(?:\?([^#]*))?$/;
const NODE = /^(?:\[[\da-f:.]+\]|[\w.-]+)(?::\d{1,5})?$/i;
const DEFAULT_PORT = 9042;
const DEFAULT_DATACENTER = 'datacenter1';
const KNOWN = ['dc', 'tls'];

export function placeIn(url: string): StorePlace {
  const [whole, username, password = '', nodes = '', query = ''] = URL_FORM.exec(url) ?? [];
  const options = new URLSearchParams(query);
  const strange = [...options.keys()].find((name) => !KNOWN.includes(name));
  const named = nodes.split(',');
  if (whole === undefined || !named.every((node) => NODE.test(node)) || strange !== undefined) {
    const hint = 'write cassandra://user:password@host:9042/?dc=datacenter1';
    const what = strange === undefined ? 'cannot be read' : `has an unknown option, ${strange}`;
    throw new CrawlError('E_CONFIG', `the URL of the Cassandra store ${what}`, hint);
  }
  return {
    nodes: named.map((node) => (/:\d+$/.test(node) ? node : `${node}:${DEFAULT_PORT}`)),
    datacenter: options.get('dc') ?? DEFAULT_DATACENTER,
    user: username ? { username: decoded(username), password: decoded(password) } : undefined,
    isTls: options.get('tls') === 'true',
  };
}

function decoded(text: string): string {
  try {
    return decodeURIComponent(text);
  } catch {
    return text;
  }
}

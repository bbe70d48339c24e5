/**
 * Asks for the addresses of one name, once, without remembering anything.
 *
 *   the hosts file         first, when the system's servers are used
 *   DNS, A and AAAA        at the same time, IPv4 first in the answer
 *   the system's look-up   for single-label names, and when no server could be reached; not for
 *                          a name that DNS says does not exist, since it would only ask again
 *
 * With servers given (`--dns`), they alone are asked, but for localhost.
 */
import { promises as dns, type LookupAddress } from 'node:dns';
import { readHostsFile } from './hosts-file.ts';

export type Addresses =
  | { readonly kind: 'found'; readonly addresses: readonly string[] }
  | { readonly kind: 'failed'; readonly detail: string };

export type Ask = (hostname: string) => Promise<Addresses>;

export interface AskOptions {
  /** `127.0.0.1:5353`; the system's servers when empty. */
  readonly servers?: readonly string[];
  readonly timeoutMs?: number;
  readonly tries?: number;
}

/** DNS answered, and there is no such name or no address under it. */
const NO_SUCH_NAME = new Set(['ENOTFOUND', 'ENODATA']);

export function dnsAsk(options: AskOptions): Ask {
  const { servers = [], timeoutMs = 2_000, tries = 2 } = options;
  const resolver = new dns.Resolver({ timeout: timeoutMs, tries });
  if (servers.length > 0) resolver.setServers([...servers]);
  const hosts = servers.length > 0 ? new Map<string, string[]>() : readHostsFile();
  return async (hostname) => {
    const listed = hosts.get(hostname);
    if (listed !== undefined) return { kind: 'found', addresses: listed };
    if (isLocal(hostname)) return lookUp(hostname);
    if (servers.length === 0 && !hostname.includes('.')) return lookUp(hostname);
    const { answer, isSettled } = await query(resolver, hostname);
    return isSettled || servers.length > 0 ? answer : lookUp(hostname);
  };
}

function isLocal(hostname: string): boolean {
  return hostname === 'localhost' || hostname.endsWith('.localhost');
}

interface Queried {
  readonly answer: Addresses;
  /** DNS has spoken; otherwise it could not be asked. */
  readonly isSettled: boolean;
}

async function query(resolver: dns.Resolver, hostname: string): Promise<Queried> {
  const [v4, v6] = await Promise.allSettled([
    resolver.resolve4(hostname),
    resolver.resolve6(hostname),
  ]);
  const addresses = [
    ...(v4.status === 'fulfilled' ? v4.value : []),
    ...(v6.status === 'fulfilled' ? v6.value : []),
  ];
  if (addresses.length > 0) return { answer: { kind: 'found', addresses }, isSettled: true };
  const errors = [v4, v6].map((one) =>
    one.status === 'rejected' ? codeOf(one.reason) : 'ENODATA',
  );
  const trouble = errors.find((code) => !NO_SUCH_NAME.has(code));
  const detail = `${hostname}: ${trouble ?? errors[0]}`;
  return { answer: { kind: 'failed', detail }, isSettled: trouble === undefined };
}

async function lookUp(hostname: string): Promise<Addresses> {
  if (isLocal(hostname)) return { kind: 'found', addresses: ['127.0.0.1', '::1'] };
  try {
    const found: LookupAddress[] = await dns.lookup(hostname, { all: true, order: 'ipv4first' });
    return { kind: 'found', addresses: found.map(({ address }) => address) };
  } catch (error) {
    return { kind: 'failed', detail: `${hostname}: ${codeOf(error)}` };
  }
}

function codeOf(error: unknown): string {
  return (error as NodeJS.ErrnoException).code ?? String(error);
}

/**
 * Who is let in, from the head of a request alone (A3).
 *
 *   rate      so many requests a second for each client address               429
 *   Host      an address we listen at, or a name that was configured           403
 *   Origin    when there is one, the same: no other site's page may call      403
 *   token     needed beyond loopback; a wrong one is refused everywhere      401, 403
 *
 * A page of another site can make a browser on this machine call 127.0.0.1, also under a name
 * of its own (DNS rebinding): the browser then says that name in Host, and its site in Origin.
 */
import type { Role } from '../../config/sections/serve.ts';
import type { Clock } from '../../ports/clock.ts';
import type { WebAnswer, WebCall } from '../../ports/web-server.ts';
import { problem } from './problem.ts';
import type { RateLimit } from './rate-limit.ts';
import { bearerOf, findToken, mayDo, type TokenEntry } from './tokens.ts';

export interface GuardRules {
  readonly clock: Clock;
  readonly rate: RateLimit;
  /** Names that stand for this service besides its addresses. */
  readonly names: readonly string[];
  readonly tokens: readonly TokenEntry[];
  /** Loopback: whoever is on this machine may do everything. */
  readonly isOpen: boolean;
}

export type Guard = (call: WebCall, role: Role | undefined) => WebAnswer | undefined;

export function makeGuard(rules: GuardRules): Guard {
  return (call, role) => {
    const waitSeconds = rules.rate.take(call.remoteAddress, rules.clock.now());
    if (waitSeconds > 0) {
      const detail = `Ask again in ${waitSeconds} second(s).`;
      return problem('too-many-requests', detail, { 'retry-after': String(waitSeconds) });
    }
    return foreign(call, rules) ?? (role === undefined ? undefined : stranger(call, role, rules));
  };
}

function foreign(call: WebCall, rules: GuardRules): WebAnswer | undefined {
  const { host, origin } = call.headers;
  if (typeof host !== 'string' || !isOurs(host, call, rules)) {
    const detail = 'Call the service by its address, or start it with --server-name NAME.';
    return problem('foreign-host', detail);
  }
  if (origin === undefined) return undefined;
  const site = /^https?:\/\/([^/]+)$/.exec(String(origin))?.[1];
  if (site !== undefined && isOurs(site, call, rules)) return undefined;
  return problem('foreign-origin', 'Pages of other sites may not call this service.');
}

function isOurs(given: string, call: WebCall, { names }: GuardRules): boolean {
  const [, name = '', port] = /^(\[[^\]]*\]|[^:]*)(?::(\d+))?$/.exec(given.toLowerCase()) ?? [];
  if (names.includes(name) || names.includes(given.toLowerCase())) return true;
  const local = call.localAddress.replace(/^::ffff:/, '').toLowerCase();
  const isLoopback = local.startsWith('127.') || local === '::1';
  const addresses = [local.includes(':') ? `[${local}]` : local];
  if (isLoopback) addresses.push('localhost');
  return addresses.includes(name) && Number(port ?? 80) === call.localPort;
}

function stranger(call: WebCall, role: Role, { tokens, isOpen }: GuardRules) {
  const given = bearerOf(call);
  if (given === undefined && isOpen) return undefined;
  const entry = given === undefined ? undefined : findToken(tokens, given);
  if (entry === undefined) {
    const detail =
      given === undefined
        ? 'Send `Authorization: Bearer TOKEN`; `orb serve token add NAME` makes one.'
        : 'The token is not known here.';
    return problem('unauthorized', detail, { 'www-authenticate': 'Bearer realm="orbweaver"' });
  }
  if (mayDo(entry, role)) return undefined;
  const detail = `This needs a token with the role ${role}; this one has ${entry.roles.join(', ')}.`;
  return problem('wrong-role', detail);
}

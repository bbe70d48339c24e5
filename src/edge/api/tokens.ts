/**
 * Tokens: who may call, and what for. The file keeps their SHA-256 alone: a token is 32 random
 * bytes, so nobody can guess one from its hash, and who reads the file cannot call.
 *
 *   { "tokens": [{ "name": "dashboard", "roles": ["read"], "sha256": "…", "createdAt": "…" }] }
 */
import { createHash, timingSafeEqual } from 'node:crypto';
import { CrawlError } from '../../base/errors.ts';
import { ROLES, type Role } from '../../config/sections/serve.ts';
import type { WebCall } from '../../ports/web-server.ts';

export interface TokenEntry {
  readonly name: string;
  readonly roles: readonly Role[];
  readonly sha256: string;
  readonly createdAt: string;
}

export function newTokenEntry(
  name: string,
  roles: readonly Role[],
  token: string,
  createdAt: string,
): TokenEntry {
  return { name, roles, sha256: hashOf(token).toString('hex'), createdAt };
}

export function writeTokens(tokens: readonly TokenEntry[]): string {
  return `${JSON.stringify({ tokens }, undefined, 2)}\n`;
}

/** Refuses a file that is not one of tokens: a service must not open because of a slip. */
export function parseTokens(text: string | undefined, path: string): readonly TokenEntry[] {
  if (text === undefined) return [];
  try {
    const { tokens } = JSON.parse(text) as { tokens: readonly TokenEntry[] };
    if (Array.isArray(tokens) && tokens.every(isEntry)) return tokens;
  } catch {
    // Refused below, as any other text that is no list of tokens.
  }
  const hint = 'Restore it, or delete it and add tokens with `orb serve token add NAME`.';
  throw new CrawlError('E_CONFIG', `${path} is not a file of tokens.`, hint);
}

function isEntry(entry: Partial<TokenEntry> | null): boolean {
  if (typeof entry !== 'object' || entry === null) return false;
  const { name, roles, sha256 } = entry;
  const areRoles = Array.isArray(roles) && roles.every((role) => ROLES.includes(role));
  return typeof name === 'string' && areRoles && /^[0-9a-f]{64}$/.test(sha256 ?? '');
}

/** The token that a call brings; '' for one that cannot be read, undefined for none. */
export function bearerOf({ headers }: Pick<WebCall, 'headers'>): string | undefined {
  const { authorization } = headers;
  if (authorization === undefined) return undefined;
  return /^bearer +(\S+) *$/i.exec(String(authorization))?.[1] ?? '';
}

/** Looks at all of them, whichever fits, so that the time tells nothing. */
export function findToken(tokens: readonly TokenEntry[], token: string): TokenEntry | undefined {
  const hash = hashOf(token);
  let found: TokenEntry | undefined;
  for (const entry of tokens) {
    if (timingSafeEqual(hash, Buffer.from(entry.sha256, 'hex'))) found = entry;
  }
  return found;
}

/** Who may crawl or take down may look, too; who works for the crawl is only told what to do. */
export function mayDo({ roles }: TokenEntry, role: Role): boolean {
  return role === 'read' ? roles.some((one) => !WORKING.has(one)) : roles.includes(role);
}

const WORKING: ReadonlySet<Role> = new Set(['fetch', 'parse', 'render']);

function hashOf(token: string): Buffer {
  return createHash('sha256').update(token).digest();
}

/**
 * How the contract of the `Http` port asks, and what it expects of an answer.
 * Part of http.contract.ts.
 */
import assert from 'node:assert/strict';
import type { AddressRules } from '../fetch/address.ts';
import type { Answered, Failed, Outcome } from '../fetch/outcome.ts';
import { type Answerer, type RawServer, rawServer } from './http.contract.raw.ts';
import type { FetchLimits, Http, HttpRequest } from './http.ts';

export const LOOPBACK: AddressRules = { allowPrivate: true, blockedNetworks: [], blockedHosts: [] };

export const LIMITS: FetchLimits = {
  connectMs: 2_000,
  firstByteMs: 2_000,
  wholeMs: 5_000,
  headerBytes: 16 * 1024,
  bodyBytes: 256 * 1024,
};

export type Asked = Partial<Omit<HttpRequest, 'limits'>> & {
  readonly limits?: Partial<FetchLimits>;
};

/** Starts a raw server, asks it once, and closes it. */
export async function ask(http: Http, answer: Answerer, asked: Asked = {}): Promise<Outcome> {
  return withServer(answer, (server) => askOf(http, server, asked));
}

export async function withServer<T>(
  answer: Answerer,
  use: (server: RawServer) => Promise<T>,
): Promise<T> {
  const server = await rawServer(answer);
  try {
    return await use(server);
  } finally {
    await server.close();
  }
}

export function askOf(http: Http, { port }: { port: number }, asked: Asked = {}): Promise<Outcome> {
  return http.exchange({
    ...requestFor(`http://127.0.0.1:${port}/`),
    ...asked,
    limits: limits(asked),
  });
}

function limits(asked: Asked): FetchLimits {
  return { ...LIMITS, ...asked.limits };
}

export function requestFor(url: string): HttpRequest {
  return { url, address: '127.0.0.1', headers: {}, limits: LIMITS, wants: () => true };
}

export function answered(outcome: Outcome): Answered {
  assert.equal(outcome.kind, 'answered', JSON.stringify(outcome));
  return outcome as Answered;
}

export function failed(outcome: Outcome): Failed {
  assert.equal(outcome.kind, 'failed', JSON.stringify(outcome).slice(0, 300));
  return outcome as Failed;
}

export function textOf(outcome: Outcome): string {
  return Buffer.from(answered(outcome).body).toString();
}

/** What a fetcher may say of its request, as JSON, and read from it. */
import Type, { type Static } from 'typebox';
import type { FetcherResult } from '../../crawl/lend-result.ts';
import { CLOSED } from './endpoint.ts';

const MS = Type.Number({ minimum: 0, maximum: 3_600_000 });
const DETAIL = Type.String({ maxLength: 1_000 });

export const ANSWERED = Type.Object(
  {
    kind: Type.Literal('answered'),
    status: Type.Integer({ minimum: 100, maximum: 599 }),
    headers: Type.Record(Type.String(), Type.String(), {
      description: "Repeated fields joined with ', ', set-cookie and x-robots-tag with a line feed",
    }),
    body: Type.Optional(
      Type.String({
        ...{ pattern: '^[A-Za-z0-9+/]*={0,2}$' },
        description: 'In base64, as it was sent: still under its content-encoding',
      }),
    ),
    truncated: Type.Optional(
      Type.Enum(
        ['body-limit', 'time-limit', 'connection-closed', 'length-mismatch', 'broken-framing'],
        { description: 'Why it is shorter than what was sent' },
      ),
    ),
    remote_address: Type.String({ maxLength: 60, description: 'As connected to' }),
    http_version: Type.Optional(Type.Enum(['1.0', '1.1', '2'], { default: '1.1' })),
    connect_ms: Type.Optional(MS),
    first_byte_ms: MS,
    whole_ms: MS,
  },
  CLOSED,
);

export const FAILED = Type.Object(
  {
    kind: Type.Literal('failed'),
    reason: Type.Enum([
      ...(['connect', 'tls', 'connect-timeout', 'first-byte-timeout'] as const),
      ...(['whole-timeout', 'header-limit', 'protocol', 'closed'] as const),
    ]),
    detail: DETAIL,
    whole_ms: MS,
  },
  CLOSED,
);

export const REFUSED = Type.Object(
  {
    kind: Type.Literal('refused'),
    detail: Type.String({ maxLength: 1_000, description: 'Which rule forbids that address' }),
  },
  { ...CLOSED, description: 'Nothing was sent: the rules of the fetcher forbid the address (Y1)' },
);

export const RETURNED = Type.Object(
  { kind: Type.Literal('returned') },
  { ...CLOSED, description: 'This fetcher will not ask; the URL waits for another' },
);

type Said = Static<typeof ANSWERED | typeof FAILED | typeof REFUSED | typeof RETURNED>;

export function resultOf(said: Said): FetcherResult {
  if (said.kind === 'failed') {
    const { kind, reason, detail, whole_ms: wholeMs } = said;
    return { kind, reason, detail, wholeMs };
  }
  if (said.kind !== 'answered') return said;
  const { kind, status, truncated, connect_ms: connectMs, body = '' } = said;
  const lower = Object.entries(said.headers).map(([name, value]) => [name.toLowerCase(), value]);
  return {
    ...{ kind, status, headers: Object.fromEntries(lower), body: Buffer.from(body, 'base64') },
    ...(truncated !== undefined && { truncated }),
    ...{ remoteAddress: said.remote_address, httpVersion: said.http_version ?? '1.1' },
    ...(connectMs !== undefined && { connectMs }),
    ...{ firstByteMs: said.first_byte_ms, wholeMs: said.whole_ms },
  };
}

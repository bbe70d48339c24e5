/** Answers with the headers that all of them have: not kept, not guessed at, not followed. */
import type { WebAnswer, WebStream } from '../../ports/web-server.ts';

const COMMON = {
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'referrer-policy': 'no-referrer',
} as const;

/** A page of ours: its own style sheet and nothing else; no script at all. */
export const PAGE_POLICY =
  "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; " +
  "frame-ancestors 'none'";

/** What was crawled: should a browser show it after all, it can do nothing. */
const BODY_POLICY = "default-src 'none'; sandbox; frame-ancestors 'none'";

type Headers = Readonly<Record<string, string>>;

export function jsonAnswer(status: number, body: unknown, headers: Headers = {}): WebAnswer {
  const media = { 'content-type': 'application/json; charset=utf-8' };
  return { status, headers: { ...COMMON, ...media, ...headers }, body: JSON.stringify(body) };
}

export function textAnswer(mediaType: string, body: string): WebAnswer {
  const policy = mediaType.startsWith('text/html')
    ? { 'content-security-policy': PAGE_POLICY, 'x-frame-options': 'DENY' }
    : {};
  return { status: 200, headers: { ...COMMON, 'content-type': mediaType, ...policy }, body };
}

export function bytesAnswer(mediaType: string, body: Uint8Array): WebAnswer {
  return { status: 200, headers: { ...COMMON, 'content-type': mediaType }, body };
}

/** Bytes of a stranger: to be saved, never to be shown (Y3). */
export function strangeAnswer(body: Uint8Array, name: string, isText: boolean): WebAnswer {
  const headers = {
    ...COMMON,
    'content-type': isText ? 'text/plain; charset=utf-8' : 'application/octet-stream',
    'content-disposition': `attachment; filename="${name}"`,
    'content-security-policy': BODY_POLICY,
    'cross-origin-resource-policy': 'same-origin',
  };
  return { status: 200, headers, body };
}

export function streamAnswer(body: WebStream): WebAnswer {
  const headers = { ...COMMON, 'content-type': 'text/event-stream; charset=utf-8' };
  return { status: 200, headers, body };
}

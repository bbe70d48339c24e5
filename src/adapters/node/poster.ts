/**
 * Posts with node:http and node:https. The name is resolved by our own resolver, which knows the
 * address rules, and the connection goes to that address: a name that answers differently the
 * second time changes nothing (Y1).
 */
import { type ClientRequest, type IncomingMessage, request as requestHttp } from 'node:http';
import { request as requestHttps } from 'node:https';
import type { PostEnd } from '../../hooks/index.ts';
import type { Poster, PostRequest } from '../../ports/poster.ts';
import type { Resolution, Resolver } from '../../ports/resolver.ts';

const HEADER_BYTES_MAX = 16_384;

export function nodePoster(resolver: Resolver): Poster {
  return {
    post: async (request, signal) => {
      const url = new URL(request.url);
      const found = await resolver.resolve(url.hostname.replace(/^\[|\]$/g, ''), signal);
      if (found.kind !== 'address') return failed(found.detail);
      return send(request, url, found, signal);
    },
  };
}

function send(
  { headers, body, wholeMs }: PostRequest,
  url: URL,
  { address, family }: Extract<Resolution, { kind: 'address' }>,
  signal: AbortSignal | undefined,
): Promise<PostEnd> {
  return new Promise((resolve) => {
    const timeout = AbortSignal.timeout(wholeMs);
    const end = signal === undefined ? timeout : AbortSignal.any([timeout, signal]);
    const request: ClientRequest = (url.protocol === 'https:' ? requestHttps : requestHttp)(url, {
      ...{ method: 'POST', agent: false, signal: end, maxHeaderSize: HEADER_BYTES_MAX },
      headers: { ...headers, 'content-length': Buffer.byteLength(body) },
      lookup: (_name, options, done) => {
        if (options.all === true) done(null, [{ address, family }]);
        else done(null, address, family);
      },
    });
    request.on('error', (error) => resolve(failed(reasonOf(error, timeout))));
    request.on('response', (response) => {
      resolve(answerOf(response));
      response.destroy();
    });
    request.end(body);
  });
}

function answerOf({ statusCode, headers }: IncomingMessage): PostEnd {
  return { kind: 'answered', status: statusCode ?? 0, retryAfter: headers['retry-after'] ?? '' };
}

function reasonOf(error: Error, timeout: AbortSignal): string {
  return timeout.aborted ? 'no answer in time' : error.message;
}

function failed(detail: string): PostEnd {
  return { kind: 'failed', detail };
}

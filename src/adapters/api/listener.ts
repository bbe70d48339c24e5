/**
 * Fastify as the web server: it finds the route, reads the body within its bound, and hands
 * over. Everything that is decided is decided in the site (edge/api/).
 */

import type { AddressInfo } from 'node:net';
import Fastify, { type FastifyInstance, type FastifyReply, type FastifyRequest } from 'fastify';
import { CrawlError } from '../../base/errors.ts';
import { SECOND_MS } from '../../base/instant.ts';
import {
  WEB_METHODS,
  type WebAnswer,
  type WebCall,
  type WebFault,
  type WebListener,
  type WebPlace,
  type WebRoute,
  type WebSite,
} from '../../ports/web-server.ts';
import { stream } from './sink.ts';
import { readBytes, readJson, refuseUnread, runOut } from './unread.ts';

/** A client that sends its request slowly is not waited for longer; 32 MB may take a while. */
const REQUEST_MS = 60 * SECOND_MS;
const HEADER_BYTES_MAX = 16 * 1024;
const CONNECTIONS_MAX = 1_024;

export async function listenWeb(site: WebSite, { bind, port }: WebPlace): Promise<WebListener> {
  const app = Fastify({
    exposeHeadRoutes: false,
    forceCloseConnections: true,
    requestTimeout: REQUEST_MS,
    routerOptions: { maxParamLength: 512 },
    http: { maxHeaderSize: HEADER_BYTES_MAX },
    // An address that cannot be decoded, or is too long, comes to no route.
    frameworkErrors: (_error, request, reply) =>
      void send(reply, site.refuse('malformed', new Call(request), 'its address is no address')),
    clientErrorHandler: (error, socket) => refuseUnread(site, error, socket),
  });
  app.server.maxConnections = CONNECTIONS_MAX;
  app.removeContentTypeParser(['text/plain', 'application/json']);
  readJson(app);
  mount(app, site);
  try {
    await app.listen({ host: bind, port });
  } catch (error) {
    await app.close();
    throw cannotListen(error, bind, port);
  }
  const { address, port: given } = app.server.address() as AddressInfo;
  return { address, port: given, close: () => app.close() };
}

function mount(app: FastifyInstance, site: WebSite): void {
  const refuse = (fault: WebFault, request: FastifyRequest, reply: FastifyReply, detail = '') =>
    send(reply, site.refuse(fault, new Call(request), detail));
  const byPath = new Map<string, WebRoute[]>();
  for (const route of site.routes) {
    byPath.set(route.path, [...(byPath.get(route.path) ?? []), route]);
    if (route.takesBytes) app.register(async (child) => mountRoute(readBytes(child), route));
    else mountRoute(app, route);
  }
  for (const [path, routes] of byPath) {
    const taken: string[] = routes.map(({ method }) => method);
    if (taken.includes('GET')) taken.push('HEAD');
    const method = [...WEB_METHODS, 'HEAD', 'OPTIONS'].filter((one) => !taken.includes(one));
    app.route({
      ...{ method, url: path, handler: async () => undefined },
      onRequest: async (request, reply) => {
        reply.header('allow', taken.join(', '));
        return refuse('method-not-allowed', request, reply, taken.join(', '));
      },
    });
  }
  app.setNotFoundHandler((request, reply) => refuse('not-found', request, reply));
  app.setErrorHandler(async (error: Error & { statusCode?: number }, request, reply) => {
    const fault = FAULTS[error.statusCode ?? 500] ?? 'broken';
    if (fault === 'too-large') await runOut(request.raw);
    return refuse(fault, request, reply, fault === 'malformed' ? error.message : '');
  });
}

const FAULTS: Readonly<Record<number, WebFault>> = {
  400: 'malformed',
  404: 'not-found',
  413: 'too-large',
  415: 'unsupported-media-type',
};

function mountRoute(app: FastifyInstance, route: WebRoute): void {
  app.route({
    method: route.method === 'GET' ? ['GET', 'HEAD'] : route.method,
    url: route.path,
    bodyLimit: route.bodyBytesMax,
    onRequest: async (request, reply) => {
      const refused = route.admit(new Call(request));
      return refused === undefined ? undefined : send(reply, refused);
    },
    handler: async (request, reply) => send(reply, await route.answer(new Call(request))),
  });
}

function send(reply: FastifyReply, answer: WebAnswer): FastifyReply {
  const { status, headers, body } = answer;
  if (typeof body === 'function' && reply.request.method === 'HEAD') {
    return reply.code(status).headers(headers).send();
  }
  if (typeof body === 'function') {
    reply.hijack();
    stream(reply.raw, answer, body);
    return reply;
  }
  const bytes =
    typeof body === 'string' ? body : Buffer.from(body.buffer, body.byteOffset, body.byteLength);
  return reply.code(status).headers(headers).send(bytes);
}

/** A request as the site sees it; nothing of it is copied, the body comes when it has been read. */
class Call implements WebCall {
  readonly #request: FastifyRequest;
  readonly path: string;

  constructor(request: FastifyRequest) {
    this.#request = request;
    const end = request.url.indexOf('?');
    this.path = end < 0 ? request.url : request.url.slice(0, end);
  }

  get method(): string {
    return this.#request.method;
  }

  get params(): WebCall['params'] {
    return (this.#request.params ?? {}) as WebCall['params'];
  }

  get query(): WebCall['query'] {
    return (this.#request.query ?? {}) as WebCall['query'];
  }

  get headers(): WebCall['headers'] {
    return this.#request.headers;
  }

  get body(): unknown {
    return this.#request.body;
  }

  get isGone(): boolean {
    return this.#request.socket.destroyed;
  }

  get remoteAddress(): string {
    return this.#request.socket.remoteAddress ?? '';
  }

  get localAddress(): string {
    return this.#request.socket.localAddress ?? '';
  }

  get localPort(): number {
    return this.#request.socket.localPort ?? 0;
  }
}

function cannotListen(error: unknown, bind: string, port: number): CrawlError {
  const what = `Nobody can listen at ${bind}, port ${port}: ${(error as Error).message}.`;
  const hint = 'Choose another with --port or --bind, or end the program that has it.';
  return new CrawlError('E_CONFIG', what, hint, error);
}

/**
 * Requests that come to no route because they cannot be read: broken or endless heads, bodies
 * that are too long or not UTF-8. They are refused in the site's words, as all others are.
 *
 * A body that is too long is let run out before the refusal is sent, for a while: whoever sends
 * first and reads then would find a closed connection instead of the reason. Nothing of it is kept.
 */
import { isUtf8 } from 'node:buffer';
import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Socket } from 'node:net';
import type { FastifyInstance } from 'fastify';
import { SECOND_MS } from '../../base/instant.ts';
import type { WebFault, WebSite } from '../../ports/web-server.ts';

const LINGER_BYTES_MAX = 64_000_000;
const LINGER_MS = 5 * SECOND_MS;

const FAULTS: Readonly<Record<string, WebFault>> = {
  HPE_HEADER_OVERFLOW: 'head-too-large',
  ERR_HTTP_REQUEST_TIMEOUT: 'too-slow',
};

/** There is no request to answer, only a connection. */
export function refuseUnread(site: WebSite, error: NodeJS.ErrnoException, socket: Socket): void {
  if (error.code === 'ECONNRESET' || !socket.writable) return void socket.destroy();
  const fault = FAULTS[error.code ?? ''] ?? 'malformed';
  const { status, headers, body } = site.refuse(fault, undefined, 'it is not HTTP');
  const bytes = Buffer.from(body as string);
  const fields = { ...headers, 'content-length': bytes.length, connection: 'close' };
  const lines = Object.entries(fields).map(([name, value]) => `${name}: ${value}\r\n`);
  socket.write(`HTTP/1.1 ${status} ${STATUS_CODES[status]}\r\n${lines.join('')}\r\n`);
  socket.end(bytes, () => socket.destroy());
}

/** Until the body is over, or long or slow enough to be cut off. */
export function runOut(request: IncomingMessage): Promise<void> {
  return new Promise((resolve) => {
    let bytes = 0;
    const done = () => resolve();
    AbortSignal.timeout(LINGER_MS).addEventListener('abort', done);
    request.on('data', (part: Buffer) => {
      bytes += part.length;
      if (bytes > LINGER_BYTES_MAX) done();
    });
    for (const end of ['end', 'close', 'error']) request.once(end, done);
    if (request.complete || request.destroyed) done();
    request.resume();
  });
}

/** For routes that take bytes, and nothing else. */
export function readBytes(app: FastifyInstance): FastifyInstance {
  app.removeAllContentTypeParsers();
  app.addContentTypeParser(
    'application/octet-stream',
    { parseAs: 'buffer' },
    (_request, body, done) => done(null, body),
  );
  return app;
}

/** JSON is UTF-8: what is not is refused, not mended into another text. */
export function readJson(app: FastifyInstance): void {
  const parse = app.getDefaultJsonParser('error', 'error');
  app.addContentTypeParser('application/json', { parseAs: 'buffer' }, (request, body, done) => {
    if (isUtf8(body as Buffer)) return parse(request, body.toString(), done);
    done(Object.assign(new Error('its body is not UTF-8'), { statusCode: 400 }));
  });
}

/**
 * Plays an answer on a socket: ordinary ones through Node's server, bad behaviour by writing the
 * bytes of HTTP/1.1 by hand. Over HTTP/2 what only HTTP/1.1 can say ends as a stream error.
 */
import type { IncomingMessage, ServerResponse } from 'node:http';
import type { Http2ServerRequest, Http2ServerResponse } from 'node:http2';
import type { Socket } from 'node:net';
import { unreachable } from '../src/base/assert.ts';
import type { WebAnswer } from './exchange.ts';

export type Incoming = IncomingMessage | Http2ServerRequest;
export type Outgoing = ServerResponse | Http2ServerResponse;

const HTTP2_INTERNAL_ERROR = 2;
const FLOOD_CHUNK_BYTES = 64 * 1024;

export function play(answer: WebAnswer, request: Incoming, response: Outgoing): void {
  if (answer.delayMs === 0) {
    begin(answer, request, response);
    return;
  }
  const timer = setTimeout(() => begin(answer, request, response), answer.delayMs);
  response.once('close', () => clearTimeout(timer));
}

function begin(answer: WebAnswer, request: Incoming, response: Outgoing): void {
  const { body, status, headers } = answer;
  if (body.kind === 'whole') {
    const { bytes } = body;
    const bodiless = status === 304 || status === 204;
    const all = bodiless ? headers : { ...headers, 'content-length': String(bytes.length) };
    (response as ServerResponse).writeHead(status, all);
    if (request.method === 'HEAD' || bodiless) response.end();
    else response.end(bytes);
    return;
  }
  if (body.kind === 'stream') {
    (response as ServerResponse).writeHead(status, headers);
    void stream(body.chunks(), body.everyMs, response);
    return;
  }
  if ('stream' in response) response.stream.close(HTTP2_INTERNAL_ERROR);
  else raw(answer, response.socket!);
}

async function stream(
  chunks: Iterable<Uint8Array>,
  everyMs: number,
  response: Outgoing,
): Promise<void> {
  for (const chunk of chunks) {
    if (response.destroyed || response.writableEnded) return;
    const room = (response as ServerResponse).write(chunk);
    if (!room) await drained(response);
    if (everyMs > 0) await pause(everyMs, response);
  }
  response.end();
}

function pause(ms: number, response: Outgoing): Promise<void> {
  return new Promise((done) => {
    const go = (): void => {
      clearTimeout(timer);
      response.off('close', go);
      done();
    };
    const timer = setTimeout(go, ms);
    response.on('close', go);
  });
}

function drained(response: Outgoing): Promise<void> {
  return new Promise((done) => {
    const go = (): void => {
      response.off('drain', go);
      response.off('close', go);
      done();
    };
    response.on('drain', go);
    response.on('close', go);
  });
}

function raw(answer: WebAnswer, socket: Socket): void {
  const { body } = answer;
  switch (body.kind) {
    case 'whole':
    case 'stream':
      return;
    case 'false-length':
      socket.write(headOf(answer, `content-length: ${body.declared}`));
      socket.end(body.bytes);
      return;
    case 'broken-chunk':
      socket.write(headOf(answer, 'transfer-encoding: chunked'));
      socket.write(`${body.bytes.length.toString(16)}\r\n`);
      socket.write(body.bytes);
      socket.write('\r\nZZZ\r\nnot a size\r\n');
      return;
    case 'cut':
      socket.write(headOf(answer, 'transfer-encoding: chunked'));
      socket.write(`${(body.bytes.length * 2).toString(16)}\r\n`);
      socket.write(body.bytes, () => socket.destroy());
      return;
    case 'header-flood':
      socket.write(`HTTP/1.1 ${answer.status} OK\r\n`);
      flood(socket, body.headerBytes);
      return;
    case 'drip-head':
      dripHead(socket, body.everyMs);
      return;
    case 'silence':
      return;
    case 'garbage':
      socket.end(body.bytes);
      return;
    case 'reset':
      socket.resetAndDestroy();
      return;
    default:
      unreachable(body);
  }
}

function headOf(answer: WebAnswer, length: string): string {
  const lines = Object.entries(answer.headers).map(([name, value]) => `${name}: ${value}\r\n`);
  return `HTTP/1.1 ${answer.status} OK\r\n${lines.join('')}${length}\r\n\r\n`;
}

/** Waits for the reader, so that the server holds one chunk whatever the flood's size. */
function flood(socket: Socket, left: number): void {
  if (socket.destroyed) return;
  if (left <= 0) {
    socket.end('content-length: 0\r\n\r\n');
    return;
  }
  const line = `x-flood-${left}: ${'f'.repeat(1_000)}\r\n`;
  const chunk = line.repeat(Math.ceil(FLOOD_CHUNK_BYTES / line.length));
  const next = (): void => flood(socket, left - chunk.length);
  if (socket.write(chunk)) setImmediate(next);
  else socket.once('drain', next);
}

function dripHead(socket: Socket, everyMs: number): void {
  socket.write('HTTP/1.1 200 OK\r\nx-slow: ');
  const timer = setInterval(() => socket.write('z'), everyMs);
  socket.once('close', () => clearInterval(timer));
}

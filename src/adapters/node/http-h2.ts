/**
 * HTTP/2 on one connection, over node:http2, one exchange at a time, told as HTTP/1 is.
 *
 * For GET only. A stream that was reset ends like any other: only its code at the close tells
 * that it was cut.
 */
import { type ClientHttp2Session, connect, constants, type IncomingHttpHeaders } from 'node:http2';
import type { Socket } from 'node:net';
import { addField, Fields } from '../../fetch/http1-head.ts';
import { type Fault, failure, faultOf } from './http-errors.ts';
import { type Answering, type Asking, INTERIM_MAX } from './http-h1.ts';

const WINDOW_BYTES = 1024 * 1024;

export interface H2Rules {
  readonly origin: string;
  /** As :authority: node:http2 would add the port that goes without saying. */
  readonly host: string;
  readonly headerBytes: number;
  readonly idleMs: number;
  readonly onClose: () => void;
}

export class H2Session {
  readonly #session: ClientHttp2Session;
  readonly #rules: H2Rules;
  readonly version = '2';

  constructor(socket: Socket, rules: H2Rules) {
    const { origin, headerBytes: maxHeaderListSize, idleMs } = rules;
    this.#rules = rules;
    this.#session = connect(origin, {
      createConnection: () => socket,
      settings: { enablePush: false, initialWindowSize: WINDOW_BYTES, maxHeaderListSize },
    });
    this.#session.on('error', () => {});
    this.#session.on('goaway', () => this.#session.close());
    this.#session.once('close', rules.onClose);
    this.#session.setTimeout(idleMs, () => this.#session.close());
  }

  get idleMs(): number {
    return this.#session.closed || this.#session.destroyed ? 0 : this.#rules.idleMs;
  }

  ask(asking: Asking, answering: Answering): void {
    try {
      this.#ask(asking, answering);
    } catch (error) {
      answering.onFault(faultOf(error as Error));
    }
  }

  rest(): void {
    this.#session.unref();
  }

  destroy(): void {
    this.#session.destroy();
  }

  #ask({ path, fields, sign }: Asking, answering: Answering): void {
    if (!answering.onAsked()) return;
    this.#session.ref();
    const { host } = this.#rules;
    const asked = { ':method': 'GET', ':authority': host, ':path': path };
    const stream = this.#session.request({ ...fields, ...sign?.(host), ...asked });
    const { headerBytes } = this.#rules;
    let fault: Fault | undefined;
    let isEnded = false;
    let interim = 0;
    const stop = (why: Fault) => {
      fault = why;
      stream.close(constants.NGHTTP2_CANCEL);
    };
    stream.on('headers', () => {
      if (++interim > INTERIM_MAX) stop(failure('protocol', 'too many 1xx answers'));
    });
    stream.once('response', (named: IncomingHttpHeaders, _: number, raw?: string[]) => {
      const headers = fieldsOf(named, raw);
      if (sizeOf(headers) > headerBytes) {
        stop(failure('header-limit', `header fields beyond ${headerBytes} bytes`));
      } else answering.onHead(Number(named[':status']), headers, bodyBytesOf(named));
    });
    stream.on('data', (chunk: Buffer) => answering.onBody(chunk, 0, chunk.length));
    stream.once('end', () => {
      isEnded = true;
    });
    stream.once('error', (error) => {
      fault ??= faultOf(error);
    });
    stream.once('close', () => {
      const { rstCode = 0 } = stream;
      if (isEnded && rstCode === 0 && fault === undefined) answering.onEnd();
      else answering.onFault(fault ?? faultOf(closedWith(rstCode)));
    });
  }
}

/** Without pseudo-fields; out of the list as sent when there is one, so that none are joined. */
function fieldsOf(named: IncomingHttpHeaders, raw?: readonly string[]): Record<string, string> {
  const fields = new Fields();
  const list = Array.isArray(raw) ? raw : Object.entries(named).flat().map(String);
  for (let i = 0; i + 1 < list.length; i += 2) {
    const name = list[i] as string;
    if (!name.startsWith(':')) addField(fields, name, list[i + 1] as string);
  }
  return fields;
}

/** As `Answering.onHead` wants it. */
function bodyBytesOf(headers: IncomingHttpHeaders): number {
  const status = Number(headers[':status']);
  if (status === 204 || status === 304) return 0;
  const length = headers['content-length'];
  return length !== undefined && /^\d+$/.test(length) ? Number(length) : -1;
}

function sizeOf(headers: Readonly<Record<string, string>>): number {
  let bytes = 0;
  for (const name in headers) bytes += name.length + String(headers[name]).length;
  return bytes;
}

function closedWith(code: number): Error {
  const error: NodeJS.ErrnoException = new Error(`stream closed with code ${code}`);
  error.code = 'ERR_HTTP2_STREAM_ERROR';
  return error;
}

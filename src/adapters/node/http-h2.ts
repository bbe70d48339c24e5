/**
 * HTTP/2 on one connection, over node:http2, with the handler that undici would call.
 *
 * undici's own HTTP/2 client throws from its event handlers when a server resets, refuses or
 * goes away (7.30: `Cannot read properties of null (reading 'localAddress')`, a failed
 * assertion on close), which no caller can catch: one bad server would end the crawl. It also
 * takes a stream that was reset for one that ended. So this is done here, for GET only.
 */
import { type ClientHttp2Session, connect, constants, type IncomingHttpHeaders } from 'node:http2';
import type { Socket } from 'node:net';
import type { Dispatcher } from 'undici';

const WINDOW_BYTES = 1024 * 1024;

export interface H2Rules {
  readonly origin: string;
  readonly headerBytes: number;
  readonly idleMs: number;
  readonly onClose: () => void;
}

export class H2Session {
  readonly #session: ClientHttp2Session;
  readonly #headerBytes: number;

  constructor(socket: Socket, rules: H2Rules) {
    const { origin, headerBytes: maxHeaderListSize, idleMs } = rules;
    this.#headerBytes = rules.headerBytes;
    this.#session = connect(origin, {
      createConnection: () => socket,
      settings: { enablePush: false, initialWindowSize: WINDOW_BYTES, maxHeaderListSize },
    });
    this.#session.on('error', () => {});
    this.#session.on('goaway', () => this.#session.close());
    this.#session.once('close', rules.onClose);
    this.#session.setTimeout(idleMs, () => this.#session.close());
  }

  get isOpen(): boolean {
    return !this.#session.closed && !this.#session.destroyed;
  }

  dispatch(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): void {
    try {
      this.#ask(options, handler);
    } catch (error) {
      handler.onResponseError?.(new H2Controller(() => {}), error as Error);
    }
  }

  destroy(): void {
    this.#session.destroy();
  }

  #ask(options: Dispatcher.DispatchOptions, handler: Dispatcher.DispatchHandler): void {
    this.#session.ref();
    const fields = options.headers as Record<string, string> | undefined;
    const stream = this.#session.request({ ...fields, ':method': 'GET', ':path': options.path });
    const control = new H2Controller(() => stream.close(constants.NGHTTP2_CANCEL));
    let fault: Error | undefined;
    let isEnded = false;
    handler.onRequestStart?.(control, {});
    const started = (headers: IncomingHttpHeaders) => {
      if (sizeOf(headers) > this.#headerBytes) {
        fault = overflow();
        stream.close(constants.NGHTTP2_CANCEL);
        return;
      }
      handler.onResponseStart?.(control, Number(headers[':status']), plain(headers));
    };
    stream.on('headers', started);
    stream.once('response', started);
    stream.on('data', (chunk: Buffer) => handler.onResponseData?.(control, chunk));
    stream.once('end', () => {
      isEnded = true;
    });
    stream.once('error', (error) => {
      fault = error;
    });
    // A reset stream ends like any other; only its code at the close tells that it was cut.
    stream.once('close', () => {
      if (this.isOpen) this.#session.unref();
      const { rstCode = 0 } = stream;
      if (isEnded && rstCode === 0 && fault === undefined) handler.onResponseEnd?.(control, {});
      else handler.onResponseError?.(control, fault ?? closedWith(rstCode));
    });
  }
}

class H2Controller implements Dispatcher.DispatchController {
  readonly paused = false;
  readonly #stop: () => void;
  aborted = false;
  reason: Error | null = null;

  constructor(stop: () => void) {
    this.#stop = stop;
  }

  pause(): void {}
  resume(): void {}

  abort(reason: Error): void {
    this.aborted = true;
    this.reason = reason;
    this.#stop();
  }
}

/** The fields alone: pseudo-fields and Node's own symbols stay out. */
function plain(headers: IncomingHttpHeaders): IncomingHttpHeaders {
  const fields: IncomingHttpHeaders = {};
  for (const name of Object.keys(headers)) {
    if (!name.startsWith(':')) fields[name] = headers[name];
  }
  return fields;
}

function sizeOf(headers: IncomingHttpHeaders): number {
  let bytes = 0;
  for (const name of Object.keys(headers)) bytes += name.length + String(headers[name]).length;
  return bytes;
}

/** Node bounds what it will hold of a header list; this holds it to our own limit. */
function overflow(): Error {
  return coded('UND_ERR_HEADERS_OVERFLOW', 'header fields beyond the limit');
}

function closedWith(code: number): Error {
  return coded('ERR_HTTP2_STREAM_ERROR', `stream closed with code ${code}`);
}

function coded(code: string, message: string): Error {
  const error: NodeJS.ErrnoException = new Error(message);
  error.code = code;
  return error;
}

/**
 * HTTP/1 on one connection, one exchange at a time: a text goes out, and the bytes that come in
 * are read by `fetch/http1-*.ts` as they arrive.
 *
 *   idle → head → body → idle
 *
 * The bytes lie in a buffer that all connections share (http-connect.ts): whoever hears of them
 * copies what it keeps. Bytes that nobody asked for end the connection.
 */
import type { Socket } from 'node:net';
import { ChunkReader } from '../../fetch/http1-chunks.ts';
import { type Framing, framingOf } from '../../fetch/http1-framing.ts';
import { type Head, HeadReader } from '../../fetch/http1-head.ts';
import type { Answered } from '../../fetch/outcome.ts';
import type { SignRequest } from '../../sign/index.ts';
import { cutBody, endedEarly, type Fault, failure, faultOf } from './http-errors.ts';
import { type RequestFields, requestText } from './http-request.ts';

/** Who hears the answer to one request. Nothing is told after `onEnd` or `onFault`. */
export interface Answering {
  /** Connected, and the request goes out now; false when it must not any more. */
  onAsked(): boolean;
  /** `bodyBytes` as announced: 0 means no body, less than 0 that its length is not known. */
  onHead(
    status: number,
    headers: Readonly<Record<string, string>>,
    bodyBytes: number,
    text?: string,
  ): void;
  /** The bytes are lent for the call alone. */
  onBody(bytes: Buffer, from: number, to: number): void;
  onEnd(): void;
  onFault(fault: Fault): void;
}

export interface Asking {
  readonly path: string;
  readonly fields: RequestFields;
  /** Called as the request goes out, also when it is asked a second time. */
  readonly sign: SignRequest | undefined;
}

export interface H1Rules {
  readonly host: string;
  readonly headerBytes: number;
  readonly idleMs: number;
  /** The connection is gone, or said something unasked, while nobody used it. */
  readonly onClose: () => void;
}

/** Interim answers (1xx) that we bear before the final one. */
export const INTERIM_MAX = 8;

export class H1Connection {
  version: Answered['httpVersion'] = '1.1';
  /** How long it may idle from the last answer on; 0 when it must not be used again. */
  idleMs = 0;
  readonly #socket: Socket;
  readonly #rules: H1Rules;
  readonly #heads: HeadReader;
  #answering: Answering | undefined;
  #hasBegun = false;
  #interim = 0;
  #framing: Framing | undefined;
  #chunks: ChunkReader | undefined;
  #left = 0;

  constructor(socket: Socket, rules: H1Rules) {
    this.#socket = socket;
    this.#rules = rules;
    this.#heads = new HeadReader(rules.headerBytes);
    socket.on('error', (error) => this.#onLost(error));
    socket.once('end', () => this.#onLost());
    socket.once('close', () => this.#onLost());
  }

  ask(asking: Asking, answering: Answering): void {
    const { host } = this.#rules;
    this.send(requestText(asking.path, host, asking.fields, asking.sign?.(host)), answering);
  }

  /** A request as it goes out, whatever it asks for: its text, or its bytes with those of its body. */
  send(request: string | Uint8Array, answering: Answering): void {
    this.#answering = answering;
    this.#hasBegun = false;
    this.#interim = 0;
    this.#framing = undefined;
    this.#chunks = undefined;
    this.idleMs = 0;
    this.#socket.ref();
    if (!answering.onAsked()) return;
    if (typeof request === 'string') this.#socket.write(request, 'latin1');
    else this.#socket.write(request);
  }

  /** Idle connections do not keep the process. */
  rest(): void {
    this.#socket.unref();
  }

  destroy(): void {
    this.#answering = undefined;
    this.#socket.destroy();
  }

  onBytes(bytes: Buffer, length: number): void {
    if (this.#answering === undefined) {
      this.#socket.destroy();
      this.#rules.onClose();
      return;
    }
    this.#hasBegun = true;
    const at = this.#framing === undefined ? this.#readHead(bytes, length) : 0;
    if (at !== -1 && this.#answering !== undefined) this.#readBody(bytes, at, length);
  }

  #readHead(bytes: Buffer, length: number): number {
    for (let at = 0; ; ) {
      at = this.#heads.read(bytes, at, length);
      if (at === -1) {
        const { fault } = this.#heads;
        if (fault !== undefined) this.#fail(failure(fault.reason, fault.detail));
        return -1;
      }
      const head = this.#heads.head as Head;
      if (head.status >= 200) {
        this.#begin(head);
        return at;
      }
      if (head.status <= 101 && head.status !== 100) {
        this.#fail(failure('protocol', `an answer ${head.status} that nobody asked for`));
        return -1;
      }
      if (++this.#interim > INTERIM_MAX) {
        this.#fail(failure('protocol', 'too many 1xx answers'));
        return -1;
      }
    }
  }

  #begin(head: Head): void {
    const { headerBytes, idleMs } = this.#rules;
    const framing = framingOf(head, idleMs);
    const { ending, bytes } = framing;
    this.version = head.version;
    this.#framing = framing;
    this.#left = bytes;
    if (ending === 'chunks') this.#chunks = new ChunkReader(headerBytes);
    const announced = ending === 'none' ? 0 : ending === 'length' ? bytes : -1;
    this.#answering?.onHead(head.status, head.headers, announced, head.text);
  }

  #readBody(bytes: Buffer, from: number, to: number): void {
    const answering = this.#answering as Answering;
    const { ending } = this.#framing as Framing;
    if (ending === 'chunks') this.#readChunks(bytes, from, to);
    else if (ending === 'close') {
      if (to > from) answering.onBody(bytes, from, to);
    } else {
      const end = Math.min(to, from + this.#left);
      this.#left -= end - from;
      if (end > from) answering.onBody(bytes, from, end);
      if (this.#left === 0) this.#finish(end < to);
    }
  }

  #readChunks(bytes: Buffer, from: number, to: number): void {
    const chunks = this.#chunks as ChunkReader;
    const end = chunks.read(bytes, from, to, this.#answering as Answering);
    if (chunks.isDone) this.#finish(end < to);
    else if (chunks.isBroken) this.#fail(cutBody('broken-framing', 'chunks that make no sense'));
  }

  /** Bytes beyond the answer could only be taken for the next one, so there is no next one. */
  #finish(isMoreSent: boolean): void {
    const answering = this.#answering;
    const { isDisputed, idleMs } = this.#framing as Framing;
    this.#answering = undefined;
    this.idleMs = isMoreSent ? 0 : idleMs;
    if (isDisputed) answering?.onFault(cutBody('length-mismatch', 'lengths that differ'));
    else answering?.onEnd();
  }

  #fail(fault: Fault): void {
    const answering = this.#answering;
    this.#answering = undefined;
    answering?.onFault(fault);
  }

  #onLost(error?: Error): void {
    if (this.#answering === undefined) {
      this.#rules.onClose();
      return;
    }
    if (error !== undefined) this.#fail(faultOf(error, this.#hasBegun));
    else if (this.#framing?.ending === 'close') this.#finish(true);
    else {
      const isShort = this.#framing?.ending === 'length';
      this.#fail(endedEarly(isShort ? 'length-mismatch' : 'connection-closed', this.#hasBegun));
    }
  }
}

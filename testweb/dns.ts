/**
 * A name server for the test web: UDP, one question a packet, on loopback.
 *
 * A gives the host's address, AAAA an empty answer, an unknown name NXDOMAIN, and some names
 * SERVFAIL or another address each time. RFC 1035, as much as a stub resolver needs.
 */
import { createSocket, type Socket } from 'node:dgram';
import { isIPv4 } from 'node:net';
import type { NameAnswer } from './specials.ts';
import type { Web } from './web.ts';

const TYPE_A = 1;
const HEADER_BYTES = 12;
const TTL_SECONDS = 60;

export interface NameServer {
  readonly port: number;
  /** Questions for A records so far, by name. */
  readonly asked: ReadonlyMap<string, number>;
  close(): Promise<void>;
}

export async function serveNames(web: Web): Promise<NameServer> {
  const socket = createSocket('udp4');
  const asked = new Map<string, number>();
  socket.on('message', (packet, from) => {
    const question = readQuestion(packet);
    if (question === undefined) return;
    const reply = replyTo(web, asked, packet, question);
    socket.send(reply, from.port, from.address);
  });
  await new Promise<void>((done, fail) => {
    socket.once('error', fail);
    socket.bind(0, '127.0.0.1', done);
  });
  return { port: socket.address().port, asked, close: () => closed(socket) };
}

function closed(socket: Socket): Promise<void> {
  return new Promise((done) => {
    socket.close(() => done());
  });
}

interface Question {
  readonly name: string;
  readonly type: number;
  readonly end: number;
}

function replyTo(
  web: Web,
  asked: Map<string, number>,
  packet: Uint8Array,
  question: Question,
): Buffer {
  if (question.type !== TYPE_A) {
    const known = web.resolve(question.name, 0).kind;
    return reply(packet, question, { kind: known === 'address' ? 'empty' : known });
  }
  const times = asked.get(question.name) ?? 0;
  asked.set(question.name, times + 1);
  return reply(packet, question, web.resolve(question.name, times));
}

/** Undefined for what is no question: such a packet gets no answer. */
function readQuestion(packet: Buffer): Question | undefined {
  if (packet.length < HEADER_BYTES || packet.readUInt16BE(4) !== 1) return undefined;
  const labels: string[] = [];
  let at = HEADER_BYTES;
  while (at < packet.length && packet[at] !== 0) {
    const length = packet[at]!;
    if (length > 63 || at + 1 + length >= packet.length) return undefined;
    labels.push(packet.toString('latin1', at + 1, at + 1 + length));
    at += 1 + length;
  }
  if (at + 5 > packet.length) return undefined;
  return { name: labels.join('.').toLowerCase(), type: packet.readUInt16BE(at + 1), end: at + 5 };
}

const CODES = { address: 0, empty: 0, servfail: 2, nxdomain: 3 };

function reply(
  packet: Uint8Array,
  question: Question,
  answer: NameAnswer | { readonly kind: 'empty' },
): Buffer {
  const head = Buffer.from(packet.subarray(0, question.end));
  const found = answer.kind === 'address' && isIPv4(answer.address);
  head.writeUInt16BE(0x8580 | CODES[answer.kind], 2);
  head.writeUInt16BE(found ? 1 : 0, 6);
  head.writeUInt32BE(0, 8);
  if (!found) return head;
  const record = Buffer.alloc(16);
  record.writeUInt16BE(0xc00c, 0);
  record.writeUInt16BE(TYPE_A, 2);
  record.writeUInt16BE(1, 4);
  record.writeUInt32BE(TTL_SECONDS, 6);
  record.writeUInt16BE(4, 10);
  for (const [at, part] of answer.address.split('.').entries()) record[12 + at] = Number(part);
  return Buffer.concat([head, record]);
}

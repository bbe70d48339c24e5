/**
 * What nodes of a ring say to each other about addresses, as bytes (P4).
 *
 *   question   kind(1) caller(8) number(6) ms(4) ms(4) address
 *   answer     how long to wait(4): 0 is a yes
 *
 * Bytes of others are believed only as far as they are exactly this; no time is longer than a day.
 */
import { createHash } from 'node:crypto';
import { DAY_MS } from '../base/instant.ts';
import type { Claimant } from '../frontier/index.ts';

/** `restLost`: the node does not know when it asked, and is like all others. */
const KINDS = ['claim', 'hold', 'rest', 'restLost'] as const;

export interface AddressQuestion extends Claimant {
  readonly kind: (typeof KINDS)[number];
  readonly address: string;
  /** How long it is held, or rests. */
  readonly ms: number;
  /** Of a claim. */
  readonly pauseMs: number;
}

const CALLER_BYTES = 8;
const NUMBER_BYTES = 6;
const CALLER_AT = 1;
const NUMBER_AT = CALLER_AT + CALLER_BYTES;
const MS_AT = NUMBER_AT + NUMBER_BYTES;
const PAUSE_AT = MS_AT + 4;
const ADDRESS_AT = PAUSE_AT + 4;
/** An IPv6 address, with its zone. */
const ADDRESS_BYTES_MAX = 64;
const ADDRESS = /^[0-9a-f.:]+(?:%[\w.-]+)?$/i;

/** 16 hex digits for the name of a process. */
export function callerOf(holder: string): string {
  return createHash('sha256')
    .update(holder)
    .digest('hex')
    .slice(0, 2 * CALLER_BYTES);
}

/** `number` is the claim's, of those of its caller. */
export function addressQuestion(
  { kind, node, address, ms, pauseMs }: Omit<AddressQuestion, 'id'>,
  number: number,
): Uint8Array {
  const bytes = Buffer.alloc(ADDRESS_AT + address.length);
  bytes[0] = KINDS.indexOf(kind);
  bytes.write(node, CALLER_AT, 'hex');
  bytes.writeUIntBE(number, NUMBER_AT, NUMBER_BYTES);
  bytes.writeUInt32BE(msOf(ms), MS_AT);
  bytes.writeUInt32BE(msOf(pauseMs), PAUSE_AT);
  bytes.write(address, ADDRESS_AT, 'latin1');
  return bytes;
}

/** Undefined when it is none. */
export function addressQuestionIn(question: Uint8Array): AddressQuestion | undefined {
  const kind = KINDS[question[0] ?? KINDS.length];
  const length = question.length - ADDRESS_AT;
  if (kind === undefined || length < 2 || length > ADDRESS_BYTES_MAX) return undefined;
  const bytes = Buffer.from(question.buffer, question.byteOffset, question.length);
  const address = bytes.toString('latin1', ADDRESS_AT);
  const [ms, pauseMs] = [bytes.readUInt32BE(MS_AT), bytes.readUInt32BE(PAUSE_AT)];
  if (!ADDRESS.test(address) || ms > DAY_MS || pauseMs > DAY_MS) return undefined;
  const node = bytes.toString('hex', CALLER_AT, NUMBER_AT);
  const id = bytes.toString('hex', CALLER_AT, MS_AT);
  return { kind, node, id, address, ms, pauseMs };
}

export function waitAnswer(waitMs: number): Uint8Array {
  const bytes = Buffer.alloc(4);
  bytes.writeUInt32BE(msOf(waitMs));
  return bytes;
}

/** Undefined when it is none. */
export function waitIn(answer: Uint8Array): number | undefined {
  if (answer.length !== 4) return undefined;
  return Buffer.from(answer.buffer, answer.byteOffset, 4).readUInt32BE();
}

/** Whole: nobody waits for less than was meant. */
function msOf(ms: number): number {
  return Math.min(DAY_MS, Math.max(0, Math.ceil(ms)));
}

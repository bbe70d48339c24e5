/**
 * The two halves of a greeting on a channel: hello, then an answer of one byte and the other's hello.
 *
 *   dialer ── hello ──▶ listener          not a member, another version: told so, and dropped
 *   dialer ◀─ answer, hello ── listener   the dialer believes no answer without the proof behind it
 *
 * A message counts only after that.
 */
import type { Clock } from '../../ports/clock.ts';
import {
  ANSWERS,
  HELLO_BYTES_MAX,
  type HelloAnswer,
  heardHello,
  helloOf,
  type Introduction,
  type Peer,
  type Refusal,
  RING_VERSION,
} from '../../ring/index.ts';
import type { Line } from './line.ts';
import { bindingOf } from './secure.ts';

/** The longest frame before both are known: an answer and a hello. */
export const GREETING_BYTES_MAX = 1 + HELLO_BYTES_MAX;

export type Greeting =
  | { readonly kind: 'known'; readonly peer: Peer; readonly life: string }
  | { readonly kind: 'refused'; readonly why: Refusal | 'silent'; readonly detail: string };

export interface Greeter {
  readonly me: Introduction;
  readonly clock: Clock;
}

const NO_BYTES = Buffer.alloc(0);

export async function greetAsDialer({ me, clock }: Greeter, line: Line): Promise<Greeting> {
  const binding = bindingOf(line.socket);
  line.send(NO_BYTES, helloOf(me, 'dialer', binding));
  const frame = await line.one();
  if (frame === undefined) return silent(await line.closed);
  const answer = ANSWERS[frame[0] as number];
  const heard = heardHello(frame.subarray(1), 'listener', binding, me.membership, clock.now());
  if (heard.kind === 'refused') return refused(heard.why, `it speaks version ${heard.version}`);
  if (answer === 'welcome') return heard;
  if (answer === undefined) return silent('an answer nobody knows');
  return refused(answer, `it speaks version ${RING_VERSION}`);
}

/** Who dials; nothing was answered yet. */
export async function hearDialer({ me, clock }: Greeter, line: Line): Promise<Greeting> {
  const frame = await line.one();
  if (frame === undefined) return silent(await line.closed);
  const binding = bindingOf(line.socket);
  const heard = heardHello(frame, 'dialer', binding, me.membership, clock.now());
  if (heard.kind === 'known') return heard;
  return refused(heard.why, `it speaks version ${heard.version}`);
}

export function answerDialer(me: Introduction, line: Line, answer: HelloAnswer): void {
  if (!line.isOpen) return;
  const hello = helloOf(me, 'listener', bindingOf(line.socket));
  line.send(Buffer.from([ANSWERS.indexOf(answer)]), hello);
}

/** Resolves when the line has ended; until then the door's deadline goes on. */
export async function refuseDialer(me: Introduction, line: Line, answer: Refusal): Promise<void> {
  answerDialer(me, line, answer);
  line.closeAfterSending(answer);
  await line.closed;
}

function refused(why: Refusal, said: string): Greeting {
  const detail = why === 'version' ? said : DETAILS[why];
  return { kind: 'refused', why, detail };
}

const DETAILS = {
  stranger: 'no member of this ring',
  'id-taken': 'another node with this key is alive',
  full: 'too many connections',
} as const;

function silent(detail: string): Greeting {
  return { kind: 'refused', why: 'silent', detail };
}

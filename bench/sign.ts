/**
 * What a signature costs a request (P8): CPU microseconds on one core, and bytes on the wire.
 *
 *   npm run bench -- sign [--requests 20000]
 *
 *   sign      all three fields of one request, nonce and clock included
 *   ed25519   the signature alone: the part that nothing of ours can make cheaper
 *   verify    what the same request costs a site that checks it
 */
import { createPublicKey, randomBytes, verify } from 'node:crypto';
import { parseArgs } from 'node:util';
import { systemClock } from '../src/adapters/node/index.ts';
import { NONCE_BYTES, requestSigner, SEED_BYTES, SignKey } from '../src/sign/index.ts';
import { type Emit, sayFor, watch } from './measure.ts';

const HOSTS = 500;
const ROUNDS = 3;

export async function run(args: string[], emit: Emit): Promise<void> {
  const { values } = parseArgs({ args, options: { requests: { type: 'string' } } });
  const requests = Number(values.requests ?? 20_000);
  const say = sayFor('sign', emit);
  const key = new SignKey(randomBytes(SEED_BYTES));
  const clock = systemClock();
  const sign = requestSigner({
    ...{ key, signatureAgent: 'https://bot.example.com', form: 'dictionary' },
    now: () => clock.now(),
    nonce: () => randomBytes(NONCE_BYTES),
  });
  const text = randomBytes(400);
  const signature = key.sign(text);
  const published = createPublicKey({ key: { ...key.publicJwk }, format: 'jwk' });
  const micros = (act: (i: number) => unknown) => bestOf(requests, act);
  say('requests', requests, 'requests');
  say(
    'sign',
    micros((i) => sign(`h${i % HOSTS}.example.com`)),
    'µs a request',
  );
  say(
    'ed25519',
    micros(() => key.sign(text)),
    'µs a request',
  );
  say(
    'verify',
    micros(() => verify(null, text, published, signature)),
    'µs a request',
  );
  const fields = Object.entries(sign('www.example.com'));
  const bytes = fields.reduce((sum, [name, value]) => sum + name.length + value.length + 4, 0);
  say('fields', bytes, 'bytes a request');
}

/** The best of some rounds, by CPU, so that neighbours on the machine count little. */
function bestOf(times: number, act: (i: number) => unknown): number {
  let best = Number.POSITIVE_INFINITY;
  for (let round = 0; round < ROUNDS; round++) {
    const read = watch();
    for (let i = 0; i < times; i++) act(i);
    best = Math.min(best, (read().cpuSec * 1e6) / times);
  }
  return best;
}

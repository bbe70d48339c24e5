import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import type { FetchEvent } from '../events/index.ts';
import { isHookSecret, messageOf, patienceAfter, signedFields, verdictOn } from './index.ts';

const SECRET = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';

test('signature: the example of the Standard Webhooks libraries', () => {
  const message = { id: 'msg_p5jXN8AQM9LWM0D4loKWxJek', body: '{"test": 2432232314}' };
  const fields = signedFields(message, SECRET, 1_614_265_330_999);
  assert.equal(fields['webhook-timestamp'], '1614265330');
  assert.equal(fields['webhook-signature'], 'v1,g0hM9SsE+OTPJTGt/tmIKtSyZlE3uFJELVlNIOLJ1OE=');
});

test('secret: whsec_ and 24 to 64 bytes; anything else is refused', () => {
  const of = (bytes: number) => `whsec_${Buffer.alloc(bytes, 7).toString('base64')}`;
  for (const good of [SECRET, of(24), of(64)]) assert.ok(isHookSecret(good), good);
  for (const bad of ['', 'whsec_', SECRET.slice(6), of(23), of(65), `${SECRET}\n`, 'whsec_%%%%']) {
    assert.ok(!isHookSecret(bad), JSON.stringify(bad));
  }
});

test('message: the same events have the same id, at any time; others have another', () => {
  const events = [{ id: 'a' }, { id: 'b' }] as FetchEvent[];
  const first = messageOf(events, 1_000);
  assert.equal(messageOf(events, 2_000).id, first.id);
  assert.notEqual(messageOf(events.slice(1), 1_000).id, first.id);
  const body = JSON.parse(first.body);
  assert.deepEqual(body, {
    ...{ type: 'pages.fetched', timestamp: '1970-01-01T00:00:01.000Z', data: { events } },
  });
});

test('verdict: only 2xx is delivered, only 410 is for ever', () => {
  const on = (status: number) => verdictOn({ kind: 'answered', status, retryAfter: '' });
  for (const status of [200, 202, 204, 299]) assert.equal(on(status), 'delivered');
  for (const status of [301, 400, 404, 429, 500, 503, 199]) assert.equal(on(status), 'later');
  assert.equal(on(410), 'never');
  assert.equal(verdictOn({ kind: 'failed', detail: 'x' }), 'later');
});

test('patience: it doubles, has an end, and obeys Retry-After', () => {
  const failed = { kind: 'failed', detail: '' } as const;
  assert.equal(patienceAfter(failed, 1, 0, 0.5), 1_000);
  assert.equal(patienceAfter(failed, 4, 0, 0.5), 8_000);
  const busy = (retryAfter: string) => ({ kind: 'answered', status: 503, retryAfter }) as const;
  assert.equal(patienceAfter(busy('7'), 1, 0, 0.5), 7_000);
  assert.equal(patienceAfter(busy('99999999'), 1, 0, 0.5), 3_600_000);
  assert.equal(patienceAfter(busy('soon'), 1, 0, 0.5), 1_000);
  fc.assert(
    fc.property(
      fc.integer({ min: 1 }),
      fc.double({ min: 0, max: 0.999, noNaN: true }),
      (fails, chance) => {
        const ms = patienceAfter(failed, fails, 0, chance);
        assert.ok(ms >= 750 && ms <= 375_000, String(ms));
      },
    ),
  );
});

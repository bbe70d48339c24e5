import assert from 'node:assert/strict';
import { it } from 'node:test';
import fc from 'fast-check';
import { decodeMentions, encodeMentions, type Mention } from './mention.ts';

const amount = fc.double({ min: 0, noNaN: true, noDefaultInfinity: true });
const mention: fc.Arbitrary<Mention> = fc.record(
  {
    url: fc.webUrl(),
    kind: fc.constantFrom('page' as const, 'sitemap' as const),
    priority: fc.double({ min: 0, max: 1, noNaN: true }).map((priority) => priority + 0),
    depth: fc.nat(),
    hops: fc.nat(20),
    outside: fc.nat(3),
    parent: fc.uint8Array({ maxLength: 24 }).map((bytes) => Buffer.from(bytes)),
    claim: amount.map((claim) => claim + 0),
    job: fc.integer({ min: 1, max: 1e9 }),
  },
  {
    noNullPrototype: true,
    requiredKeys: ['url', 'kind', 'priority', 'depth', 'hops', 'outside', 'parent'],
  },
);

it('mentions that travel: arrive as they were sent (E1)', () => {
  fc.assert(
    fc.property(fc.array(mention), (sent) => {
      assert.deepEqual(decodeMentions(encodeMentions(sent)), sent);
    }),
  );
});

it('any bytes: never an exception, and no mention without a URL', () => {
  fc.assert(
    fc.property(fc.oneof(fc.uint8Array(), fc.json().map(Buffer.from)), (bytes) => {
      for (const { url } of decodeMentions(bytes) ?? []) assert.equal(typeof url, 'string');
    }),
  );
});

it('a message of a version to come, or not of ours: none', () => {
  const whole = {
    url: 'https://a.test/',
    kind: 'page',
    priority: 1,
    depth: 0,
    hops: 0,
    outside: 0,
  };
  const told = (message: unknown) => decodeMentions(Buffer.from(JSON.stringify(message)));
  assert.equal(told({ v: 1, urls: [whole] })?.length, 1);
  assert.equal(told({ v: 2, urls: [whole] }), undefined);
  assert.equal(told({ v: 1, urls: [{ ...whole, depth: -1 }] }), undefined);
  assert.equal(told({ v: 1, urls: [{ ...whole, kind: 'letter' }] }), undefined);
  assert.equal(told({ v: 1, urls: [{ ...whole, url: 7 }] }), undefined);
  assert.equal(told({ v: 1, urls: {} }), undefined);
  assert.equal(told('hello'), undefined);
});

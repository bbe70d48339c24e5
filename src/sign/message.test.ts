/** Signature bases for whatever comes: readable by another parser of structured fields. */
import assert from 'node:assert/strict';
import { createPublicKey, verify } from 'node:crypto';
import { test } from 'node:test';
import fc from 'fast-check';
import {
  directoryOf,
  keyFrom,
  privateJwkText,
  SignKey,
  signatureBase,
  signMessage,
} from './index.ts';
import { sfString } from './structured.ts';

const visible = fc.string({
  unit: fc.integer({ min: 0x20, max: 0x7e }).map((c) => String.fromCharCode(c)),
});
const seeds = fc.uint8Array({ minLength: 32, maxLength: 32 });

test('a string: quotes and backslashes are escaped, and read back the same', () => {
  fc.assert(
    fc.property(visible, (text) => {
      const written = sfString(text);
      assert.match(written, /^"(?:[^"\\]|\\["\\])*"$/);
      assert.equal(written.slice(1, -1).replace(/\\(.)/g, '$1'), text);
    }),
  );
  assert.throws(() => sfString('line\nbreak'), /visible ASCII/);
  assert.throws(() => sfString('é'), /visible ASCII/);
});

test('a component with a line break: refused, for it could sign another message', () => {
  assert.throws(
    () => signatureBase([{ name: 'date', value: 'a\n"@method": PUT' }], []),
    /one line/,
  );
});

test('any key, any host: the signature verifies with the public half that is published', () => {
  fc.assert(
    fc.property(seeds, fc.domain(), (seed, host) => {
      const key = keyFrom(privateJwkText(seed)) as SignKey;
      assert.equal(key.keyid, new SignKey(seed).keyid);
      const components = [{ name: '@authority', value: host }];
      const { signature } = signMessage(key, 's', components, [['keyid', key.keyid]]);
      const { text } = signatureBase(components, [['keyid', key.keyid]]);
      const [jwk] = JSON.parse(directoryOf([key], 0, host).body).keys;
      const published = createPublicKey({ key: jwk, format: 'jwk' });
      const bytes = Buffer.from(signature.slice(3, -1), 'base64');
      assert.ok(verify(null, Buffer.from(text), published, bytes));
    }),
    { numRuns: 30 },
  );
});

test('a directory of two keys: both listed, each proves itself; of none: an empty list', () => {
  const keys = [1, 2].map((n) => new SignKey(new Uint8Array(32).fill(n)));
  const { body, headers } = directoryOf(keys, 0, 'bot.example');
  assert.deepEqual(
    JSON.parse(body).keys.map(({ kid }: { kid: string }) => kid),
    keys.map(({ keyid }) => keyid),
  );
  assert.match(headers.signature ?? '', /^binding=:[^:]+:, binding2=:[^:]+:$/);
  for (const { keyid } of keys) assert.ok(headers['signature-input']?.includes(`keyid="${keyid}"`));
  const none = directoryOf([], 0, 'bot.example');
  assert.equal(none.body, '{"keys":[]}');
  assert.equal(none.headers.signature, undefined);
});

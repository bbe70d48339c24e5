/**
 * Published examples, byte for byte: RFC 9421 (B.1.4, B.2.6), RFC 8037 (A.3), and
 * draft-meunier-webbotauth-httpsig-protocol-02 (Test Vectors, EdDSA).
 */
import assert from 'node:assert/strict';
import { createPublicKey, verify } from 'node:crypto';
import { test } from 'node:test';
import {
  type Component,
  directoryOf,
  isKeyProblem,
  keyFrom,
  SignKey,
  signatureBase,
  signMessage,
  thumbprint,
} from './index.ts';
import type { Parameters } from './structured.ts';

/** test-key-ed25519: known to everybody. */
const D = 'n4Ni-HpISpVObnQMW0wOhCKROaIKqKtW_2ZYb2p9KcU';
const X = 'JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs';
const PEM = `-----BEGIN PRIVATE KEY-----
MC4CAQAwBQYDK2VwBCIEIJ+DYvh6SEqVTm50DFtMDoQikTmiCqirVv9mWG9qfSnF
-----END PRIVATE KEY-----`;
const KEYID = 'poqkLGiymh_W0uP6PZFw-dvez3QJT5SolqXBCW38r0U';
const key = new SignKey(Buffer.from(D, 'base64url'));
const CREATED = 1_735_689_600;

function isValid(signature: string, base: string): boolean {
  const jwk = { kty: 'OKP', crv: 'Ed25519', x: X };
  const publicKey = createPublicKey({ key: jwk, format: 'jwk' });
  const bytes = Buffer.from(/:(.*):/.exec(signature)?.[1] ?? '', 'base64');
  return verify(null, Buffer.from(base), publicKey, bytes);
}

test('RFC 9421 B.2.6: the signature base and the signature are the published ones', () => {
  const components: Component[] = [
    { name: 'date', value: 'Tue, 20 Apr 2021 02:07:55 GMT' },
    { name: '@method', value: 'POST' },
    { name: '@path', value: '/foo' },
    { name: '@authority', value: 'example.com' },
    { name: 'content-type', value: 'application/json' },
    { name: 'content-length', value: '18' },
  ];
  const parameters: Parameters = [
    ['created', 1_618_884_473],
    ['keyid', 'test-key-ed25519'],
  ];
  const input =
    '("date" "@method" "@path" "@authority" "content-type" "content-length")' +
    ';created=1618884473;keyid="test-key-ed25519"';
  const base = [
    '"date": Tue, 20 Apr 2021 02:07:55 GMT',
    '"@method": POST',
    '"@path": /foo',
    '"@authority": example.com',
    '"content-type": application/json',
    '"content-length": 18',
    `"@signature-params": ${input}`,
  ].join('\n');
  const published =
    'sig-b26=:wqcAqbmYJ2ji2glfAMaRy4gruYYnx2nEFN2HN6jrnDnQCK1' +
    'u02Gb04v9EDgwUPiu4A0w6vuQv5lIp5WPpBKRCw==:';
  assert.equal(signatureBase(components, parameters).text, base);
  const { signature, signatureInput } = signMessage(key, 'sig-b26', components, parameters);
  assert.equal(signatureInput, `sig-b26=${input}`);
  assert.equal(signature, published);
  assert.ok(isValid(published, base));
  assert.ok(!isValid(published, base.replace('/foo', '/bar')), 'another path is a forgery');
});

test('RFC 8037 A.3: the thumbprint of a key is the published one', () => {
  const x = '11qYAYKxCrfVS_7TyWQHOg7hcvPapiMlrwIaaPcHURo';
  assert.equal(thumbprint(x), 'kPrK_qmxVWaYVA9wwBF6Iuo3vVzz7TxHCTwXBygrS4k');
  assert.equal(key.keyid, KEYID);
});

test('RFC 9421 B.1.4: the same key out of its JWK and out of its PEM file', () => {
  const jwk = keyFrom(JSON.stringify({ kty: 'OKP', crv: 'Ed25519', d: D, x: X }));
  const pem = keyFrom(PEM);
  assert.ok(!isKeyProblem(jwk) && !isKeyProblem(pem));
  assert.deepEqual([jwk.keyid, pem.keyid], [KEYID, KEYID]);
  assert.equal(pem.publicJwk.x, X);
});

const AGENT = { name: 'signature-agent', value: '"https://signature-agent.test"' };

test('web-bot-auth: the example with a dictionary is reproduced', () => {
  const agent = { ...AGENT, parameters: [['key', 'agent2']] as const };
  const parameters: Parameters = [
    ['created', CREATED],
    ['keyid', KEYID],
    ['alg', 'ed25519'],
    ['expires', 4_889_289_600],
    [
      'nonce',
      'n9p433xm+NJ3ph3upfBIGmsuwHw387YV7Q/F+6BSpGCVjYCqQw6rznNA8PVVLySrAWsv0hQtFioQb6E1YsauiA==',
    ],
    ['tag', 'web-bot-auth'],
  ];
  const components = [{ name: '@authority', value: 'example.com' }, agent];
  const { text } = signatureBase(components, parameters);
  assert.ok(
    text.startsWith('"@authority": example.com\n"signature-agent";key="agent2": "https://'),
  );
  const { signature } = signMessage(key, 'sig2', components, parameters);
  assert.equal(
    signature,
    'sig2=:RdNFx5Bj6au3YgAMQL/RzmUlZE8QZLIaXGRpw985hWnwPfMxT228NMk6ehRS1PSl4e8PhbNZACSanGdhEwYCCg==:',
  );
});

test('web-bot-auth: the example with a string is reproduced', () => {
  const parameters: Parameters = [
    ['created', CREATED],
    ['keyid', KEYID],
    ['alg', 'ed25519'],
    ['expires', 1_735_693_200],
    [
      'nonce',
      'e8N7S2MFd/qrd6T2R3tdfAuuANngKI7LFtKYI/vowzk4lAZYadIX6wW25MwG7DCT9RUKAJ0qVkU0mEeLElW1qg==',
    ],
    ['tag', 'web-bot-auth'],
  ];
  const components = [{ name: '@authority', value: 'example.com' }, AGENT];
  const { signature } = signMessage(key, 'sig2', components, parameters);
  assert.equal(
    signature,
    'sig2=:jdq0SqOwHdyHr9+r5jw3iYZH6aNGKijYp/EstF4RQTQdi5N5YYKrD+mCT1HA1nZDsi6nJKuHxUi/5Syp3rLWBA==:',
  );
});

test('web-bot-auth: the example of a signed directory is reproduced', () => {
  const { body, headers } = directoryOf([key], CREATED * 1_000, 'signature-agent.test');
  assert.equal(
    body,
    `{"keys":[{"kty":"OKP","crv":"Ed25519","kid":"${KEYID}","x":"${X}","use":"sig"}]}`,
  );
  const digest = 'sha-256=:CADMT2aBdV/rqQr/NIru64ERQkCobVvllA4V0fLFDu0=:';
  assert.equal(headers['content-digest'], digest);
  const components: Component[] = [
    { name: '@authority', parameters: [['req', true]], value: 'signature-agent.test' },
    { name: 'content-digest', value: digest },
  ];
  const { signature, signatureInput } = signMessage(key, 'binding', components, [
    ['created', CREATED],
    ['expires', 4_889_289_600],
    ['keyid', KEYID],
    ['tag', 'http-message-signatures-directory'],
  ]);
  assert.equal(
    signature,
    'binding=:l6P8R67tm3kujAxbHWio7ll01qrEZ0dKD/WWlGhNYEmTnFZM8Wt0VQ9zqGfvo7T/UMkBxsigzChM1Gpz7gOVBg==:',
  );
  const week = signatureInput.replace('4889289600', String(CREATED + 7 * 86_400));
  assert.equal(headers['signature-input'], week, 'ours differs by its week of life alone');
});

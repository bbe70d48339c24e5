/** Key files on a disk: what may be read, what is refused, and that no error tells a secret. */
import assert from 'node:assert/strict';
import { generateKeyPairSync } from 'node:crypto';
import { chmod, mkdir, readFile, stat, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { inspect } from 'node:util';
import { scratch } from '../../../test/kit/index.ts';
import { CrawlError } from '../../base/errors.ts';
import { systemClock } from './clock.ts';
import { diskKeyFiles, openSigner } from './key-files.ts';

async function open(t: TestContext) {
  const dir = await scratch(t);
  return { dir, files: diskKeyFiles(dir) };
}

async function refusal(asked: Promise<unknown>): Promise<CrawlError> {
  const error = await asked.then(
    () => assert.fail('it was taken'),
    (reason: unknown) => reason,
  );
  assert.ok(error instanceof CrawlError, String(error));
  return error;
}

test('a new key: readable by its owner alone, and read back as the same key', async (t) => {
  const { dir, files } = await open(t);
  const made = await files.create('key.json');
  const { mode } = await stat(join(dir, 'key.json'));
  assert.equal(mode & 0o777, 0o600);
  const read = await files.read('key.json');
  assert.deepEqual(read.publicJwk, made.publicJwk);
  assert.deepEqual(read.sign(Buffer.from('x')), made.sign(Buffer.from('x')));
  assert.notEqual((await files.create('other.json')).keyid, made.keyid);
});

test('a new key in a folder that is not there: the folder is made, too', async (t) => {
  const { files } = await open(t);
  const { keyid } = await files.create('keys/2026/key.json');
  assert.equal((await files.read('keys/2026/key.json')).keyid, keyid);
});

test('a key that is shown, logged or serialised: its public half alone', async (t) => {
  const { dir, files } = await open(t);
  const key = await files.create('key.json');
  const { d } = JSON.parse(await readFile(join(dir, 'key.json'), 'utf8'));
  const shown = inspect(key, { depth: 9, showHidden: true }) + JSON.stringify(key) + String(key);
  assert.equal(Buffer.from(d, 'base64url').length, 32);
  assert.ok(!shown.includes(d), shown);
});

test('a name that is taken: E_OUTPUT_EXISTS, and the old key stays', async (t) => {
  const { files } = await open(t);
  const { keyid } = await files.create('key.json');
  assert.equal((await refusal(files.create('key.json'))).code, 'E_OUTPUT_EXISTS');
  assert.equal((await files.read('key.json')).keyid, keyid);
});

const SECRET = 'n4Ni-HpISpVObnQMW0wOhCKROaIKqKtW_2ZYb2p9KcU';
const OKP = { kty: 'OKP', crv: 'Ed25519' };
const X = 'JrQLj5P_89iXES9-vFgrIy29clF9CC_oPPsw3c5D0bs';
const rsa = generateKeyPairSync('rsa', { modulusLength: 1024 }).privateKey;
const ec = generateKeyPairSync('ec', { namedCurve: 'P-256' }).privateKey;
const pem = { type: 'pkcs8', format: 'pem' } as const;

const WRONG: [situation: string, text: string, says: RegExp][] = [
  ['an empty file', '', /neither a JWK nor a PEM/],
  ['some other text', `password=${SECRET}`, /neither a JWK nor a PEM/],
  ['broken JSON', `{"d":"${SECRET}"`, /not JSON/],
  ['the public half', JSON.stringify({ ...OKP, x: X }), /public half only/],
  ['a directory', JSON.stringify({ keys: [{ ...OKP, x: X, d: SECRET }] }), /a set of keys/],
  ['an EC key', JSON.stringify(ec.export({ format: 'jwk' })), /not an Ed25519 key/],
  ['a short key', JSON.stringify({ ...OKP, x: X, d: SECRET.slice(4) }), /not 32 bytes/],
  ['two halves of two keys', JSON.stringify({ ...OKP, x: `${X}A`, d: SECRET }), /is not of its/],
  ['an RSA key', String(rsa.export(pem)), /type rsa, not Ed25519/],
  ['a broken PEM', `-----BEGIN PRIVATE KEY-----\n${SECRET}\n`, /cannot be read|can be read/],
  ['a long file', `{${' '.repeat(70_000)}}`, /too long/],
];
for (const [situation, text, says] of WRONG) {
  test(`${situation}: E_CONFIG that says what to do, without a byte of it`, async (t) => {
    const { dir, files } = await open(t);
    await writeFile(join(dir, 'key'), text, { mode: 0o600 });
    const error = await refusal(files.read('key'));
    assert.deepEqual([error.code, error.exitCode], ['E_CONFIG', 4]);
    assert.match(error.message, says);
    assert.match(error.hint, /orb key new|Give|backup|Name/);
    assert.ok(!inspect(error, { depth: 9 }).includes(SECRET.slice(4, 20)));
    assert.equal(error.cause, undefined, 'a cause could quote what was read');
  });
}

for (const mode of [0o644, 0o604, 0o620, 0o666]) {
  const shown = mode.toString(8).padStart(4, '0');
  const why = process.platform === 'win32' ? { skip: 'Windows has no mode bits' } : {};
  test(`a good key that others can read or change (${shown}): refused`, why, async (t) => {
    const { dir, files } = await open(t);
    await files.create('key.json');
    await chmod(join(dir, 'key.json'), mode);
    const error = await refusal(files.read('key.json'));
    assert.equal(error.code, 'E_CONFIG');
    assert.match(error.message, new RegExp(shown));
    assert.match(error.hint, /chmod 600 key\.json/);
  });
}

test('a secret that was mounted for a group to read: taken', async (t) => {
  const { dir, files } = await open(t);
  const { keyid } = await files.create('key.json');
  await chmod(join(dir, 'key.json'), 0o440);
  assert.equal((await files.read('key.json')).keyid, keyid);
});

test('no file, and a folder in its place: E_CONFIG that says what to do', async (t) => {
  const { dir, files } = await open(t);
  await mkdir(join(dir, 'folder'), { mode: 0o700 });
  const missing = await refusal(files.read('none.json'));
  const folder = await refusal(files.read('folder'));
  assert.deepEqual([missing.code, folder.code], ['E_CONFIG', 'E_CONFIG']);
  assert.match(missing.message, /none\.json does not exist/);
  assert.match(missing.hint, /orb key new --out none\.json/);
  assert.match(folder.message, /cannot be read \(EISDIR\)/);
});

test('no key in the settings: no signer', async () => {
  const settings = { signKey: undefined, signatureAgent: undefined } as const;
  const signer = await openSigner({ ...settings, signatureForm: 'dictionary' }, systemClock());
  assert.equal(signer, undefined);
});

/**
 * Bodies in a real S3 server: the contracts, and what only a server can do: be killed and come
 * back, hang, refuse us.
 */
import assert from 'node:assert/strict';
import { createHash, randomBytes } from 'node:crypto';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { describe, it, type TestContext } from 'node:test';
import {
  CreateBucketCommand,
  DeleteObjectCommand,
  GetObjectCommand,
  ListMultipartUploadsCommand,
  ListObjectsV2Command,
  ListObjectVersionsCommand,
  PutBucketVersioningCommand,
  PutObjectCommand,
  S3Client,
} from '@aws-sdk/client-s3';
import { systemClock } from '../../src/adapters/node/index.ts';
import { openS3Blobs, type S3BlobOptions, type S3Place } from '../../src/adapters/s3/index.ts';
import { CrawlError } from '../../src/base/errors.ts';
import { erasableBlobsContract } from '../../src/ports/blob-store.contract.erase.ts';
import { blobStoreContract } from '../../src/ports/blob-store.contract.ts';
import type { Body } from '../../src/ports/blob-store.ts';
import { killAfter } from '../../src/ports/crash.contract.ts';
import { s3 } from '../../tools/engines/s3.ts';
import { breakable, liveEngine } from '../kit/live.ts';
import { s3Place } from './s3-place.ts';

const live = liveEngine(s3);
const { skip } = live;
const clock = systemClock();
const QUICK = { attemptMs: 1_000, allMs: 1_500 };
const BUSY = { attemptMs: 8_000, allMs: 8_000 };
let count = 0;

function newPlace(address = live.address): S3Place {
  return { ...s3Place(address), prefix: `t${process.pid}-${count++}/` };
}

/** A client that knows nothing of ours. */
function plainClient({ endpoint, credentials }: S3Place): S3Client {
  const access = { accessKeyId: '', secretAccessKey: '', ...credentials };
  return new S3Client({
    ...{ region: 'us-east-1', endpoint: endpoint ?? '', forcePathStyle: true },
    credentials: access,
  });
}

function bodyOf(bytes: Buffer): Body {
  return { bytes, hash: createHash('sha256').update(bytes).digest() };
}

async function objects(place: S3Place): Promise<{ key: string; bytes: number }[]> {
  const list = { Bucket: place.bucket, Prefix: place.prefix };
  const client = plainClient(place);
  const { Contents = [] } = await client.send(new ListObjectsV2Command(list));
  client.destroy();
  return Contents.map(({ Key = '', Size = 0 }) => ({ key: Key, bytes: Size }));
}

async function keyOf(place: S3Place, hash: Uint8Array): Promise<string> {
  const hex = Buffer.from(hash).toString('hex');
  const found = (await objects(place)).find(({ key }) => key.endsWith(hex));
  assert.ok(found, 'its key ends with its hash');
  return found.key;
}

async function overwrite(place: S3Place, Key: string, how: (bytes: Buffer) => Buffer) {
  const client = plainClient(place);
  const at = { Bucket: place.bucket, Key };
  const { Body, ContentEncoding } = await client.send(new GetObjectCommand(at));
  const bytes = Buffer.from((await Body?.transformToByteArray()) ?? []);
  await client.send(new PutObjectCommand({ ...at, ContentEncoding, Body: how(bytes) }));
  client.destroy();
}

function flipped(bytes: Buffer): Buffer {
  const at = bytes.length >> 1;
  bytes.writeUInt8(bytes.readUInt8(at) ^ 1, at);
  return bytes;
}

async function codeOf(options: Omit<S3BlobOptions, 'clock'>): Promise<CrawlError> {
  const error = await openS3Blobs({ clock, ...options }).catch((error: unknown) => error);
  assert.ok(error instanceof CrawlError, String(error));
  return error;
}

async function openCase() {
  const place = newPlace();
  const store = await openS3Blobs({ clock, ...place });
  const bytes = async () => (await objects(place)).reduce((sum, one) => sum + one.bytes, 0);
  const damage = async (hash: Uint8Array) => overwrite(place, await keyOf(place, hash), flipped);
  return { store, bytes, reopen: () => openS3Blobs({ clock, ...place }), damage };
}

if (skip) it('s3', { skip }, () => undefined);
else {
  blobStoreContract('s3', {
    open: openCase,
    async crash(steps) {
      const place = newPlace();
      const script = new URL('./s3-killed.child.ts', import.meta.url);
      const done = await killAfter(steps, script, [live.address, place.prefix ?? '']);
      return { steps: done, store: await openS3Blobs({ clock, ...place }) };
    },
  });
  erasableBlobsContract('s3', openCase);
}

describe('s3 blob-store, its server', { skip }, () => {
  it('a body of many parts: read back; put again: nothing is written, no part is left', async () => {
    const place = newPlace();
    const store = await openS3Blobs({ clock, ...place, partBytes: 5 << 20 });
    const body = bodyOf(randomBytes(12 << 20));
    assert.deepEqual(await store.put([body]), [true]);
    assert.deepEqual(await store.put([body]), [false]);
    assert.equal(Buffer.compare((await store.get(body.hash)) ?? Buffer.alloc(0), body.bytes), 0);
    const client = plainClient(place);
    const open = new ListMultipartUploadsCommand({ Bucket: place.bucket, Prefix: place.prefix });
    assert.deepEqual((await client.send(open)).Uploads ?? [], []);
    client.destroy();
    await store.close();
  });

  it('a body cut short behind our back: an error, not an answer', async () => {
    const place = newPlace();
    const store = await openS3Blobs({ clock, ...place });
    const [packed, plain] = [bodyOf(Buffer.alloc(9_000, 'words ')), bodyOf(Buffer.from('short'))];
    await store.put([packed, plain]);
    for (const { hash } of [packed, plain]) {
      await overwrite(place, await keyOf(place, hash), (bytes) => bytes.subarray(0, -2));
      await assert.rejects(store.get(hash), { code: 'E_STORE_DAMAGED' });
    }
    await store.close();
  });

  it('kill -9 and restart between puts: what was put is there; while it is down, E_STORE_DOWN', async (t) => {
    const engine = await breakable(t, s3);
    const place = newPlace(engine.address);
    const store = await openS3Blobs({ clock, ...place });
    const impatient = await openS3Blobs({ clock, ...place, patience: QUICK });
    const put: Body[] = [];
    for (let round = 0; round < 2; round++) {
      const bodies = Array.from({ length: 20 }, () => bodyOf(randomBytes(3_000)));
      await store.put(bodies);
      put.push(...bodies);
      await engine.kill();
      const late = bodyOf(randomBytes(1_000));
      await assert.rejects(impatient.put([late]), { code: 'E_STORE_DOWN' });
      await assert.rejects(impatient.get(late.hash), { code: 'E_STORE_DOWN' });
      await assert.rejects(impatient.remove([late.hash]), { code: 'E_STORE_DOWN' });
      await engine.restart();
      assert.deepEqual(await store.put([late]), [true]);
      put.push(late);
      for (const { hash, bytes } of put) assert.deepEqual(await store.get(hash), bytes);
    }
    await impatient.close();
    await store.close();
  });

  it('killed in the middle of a batch and put again: every body is there, whole', async (t) => {
    const engine = await breakable(t, s3);
    const store = await openS3Blobs({ clock, ...newPlace(engine.address), patience: BUSY });
    const bodies = Array.from({ length: 400 }, () => bodyOf(randomBytes(20_000)));
    const first = store.put(bodies).catch((error: CrawlError) => error.code);
    await store.put([bodyOf(Buffer.from('a first one is through'))]);
    await engine.kill();
    assert.ok(['E_STORE_DOWN', 'array'].includes(nameOf(await first)));
    await engine.restart();
    await store.put(bodies);
    for (const { hash, bytes } of bodies) assert.deepEqual(await store.get(hash), bytes);
    await store.close();
  });

  it('hangs: given up in time, and it goes on when the server does', async (t) => {
    const engine = await breakable(t, s3);
    const store = await openS3Blobs({ clock, ...newPlace(engine.address), patience: QUICK });
    const body = bodyOf(Buffer.from('late'));
    engine.signal('SIGSTOP');
    await assert.rejects(store.put([body]), { code: 'E_STORE_DOWN' });
    engine.signal('SIGCONT');
    await store.put([body]);
    assert.deepEqual(Buffer.from((await store.get(body.hash)) ?? []), body.bytes);
    await store.close();
  });

  it('two nodes, the same bodies at once: each is written once', async () => {
    const place = newPlace();
    const [one, two] = await Promise.all([
      openS3Blobs({ clock, ...place }),
      openS3Blobs({ clock, ...place }),
    ]);
    const bodies = Array.from({ length: 100 }, () => bodyOf(randomBytes(2_000)));
    const [a, b] = await Promise.all([one.put(bodies), two.put([...bodies].reverse())]);
    const second = [...b].reverse();
    for (const [i, isNew] of a.entries()) assert.equal(Number(isNew) + Number(second[i]), 1);
    await one.close();
    await two.close();
  });

  it('no such bucket, wrong secret, unknown key: said at the start, with what to do', async () => {
    const place = newPlace();
    const access = place.credentials?.accessKeyId ?? '';
    const secretAccessKey = place.credentials?.secretAccessKey ?? '';
    const missing = await codeOf({ ...place, bucket: 'nowhere' });
    assert.equal(missing.code, 'E_CONFIG');
    assert.match(missing.message, /bucket nowhere .* no such bucket/);
    const wrong = { accessKeyId: access, secretAccessKey: 'wrong' };
    const refused = await codeOf({ ...place, credentials: wrong });
    assert.equal(refused.code, 'E_CONFIG');
    assert.match(refused.message, /secret key is wrong/);
    const unknown = await codeOf({ ...place, credentials: { accessKeyId: 'no', secretAccessKey } });
    assert.equal(unknown.code, 'E_CONFIG');
    assert.match(unknown.message, /access key/);
  });

  it('a bucket that keeps versions: what is removed is gone with all of them', async () => {
    const place = { ...newPlace(), bucket: `versions-${process.pid}` };
    const Bucket = place.bucket;
    const client = plainClient(place);
    await client.send(new CreateBucketCommand({ Bucket }));
    const VersioningConfiguration = { Status: 'Enabled' } as const;
    await client.send(new PutBucketVersioningCommand({ Bucket, VersioningConfiguration }));
    const store = await openS3Blobs({ clock, ...place });
    const bodies = ['gone', 'deleted by hand', 'stays'].map((text) => bodyOf(Buffer.from(text)));
    const [gone, byHand, stays] = bodies as [Body, Body, Body];
    await store.put(bodies);
    await overwrite(place, await keyOf(place, gone.hash), (bytes) => bytes);
    const Key = await keyOf(place, byHand.hash);
    await client.send(new DeleteObjectCommand({ Bucket, Key }));
    assert.equal(await store.remove([gone.hash, byHand.hash]), 1);
    const left = await client.send(new ListObjectVersionsCommand({ Bucket }));
    assert.deepEqual(
      [...(left.Versions ?? []), ...(left.DeleteMarkers ?? [])].map((one) => one.Key),
      [await keyOf(place, stays.hash)],
    );
    client.destroy();
    await store.close();
  });

  it('our clock an hour ahead: set by the server’s, and it works', async (t) => {
    t.mock.timers.enable({ apis: ['Date'], now: Date.now() + 3_600_000 });
    const store = await openS3Blobs({ clock, ...newPlace() });
    const body = bodyOf(Buffer.from('from the future'));
    assert.deepEqual(await store.put([body]), [true]);
    assert.deepEqual(Buffer.from((await store.get(body.hash)) ?? []), body.bytes);
    await store.close();
  });

  it('nobody listens: E_STORE_DOWN with the address', async () => {
    const error = await codeOf({ ...newPlace(), endpoint: 'http://127.0.0.1:1', patience: QUICK });
    assert.equal(error.code, 'E_STORE_DOWN');
    assert.match(error.message, /127\.0\.0\.1:1/);
  });

  it('a server without conditional writes: asked first, and each is still written once', async (t) => {
    const [url, refused] = await withoutConditions(t, live.address);
    const place = { ...newPlace(), endpoint: url };
    const store = await openS3Blobs({ clock, ...place });
    const [body, other] = [bodyOf(Buffer.from('one')), bodyOf(Buffer.from('two'))];
    assert.deepEqual(await store.put([body]), [true]);
    assert.deepEqual(await store.put([body, other]), [false, true]);
    assert.equal(refused(), 1, 'it was asked for what it cannot do once');
    await store.close();
  });
});

function nameOf(ended: readonly boolean[] | string): string {
  return typeof ended === 'string' ? ended : 'array';
}

/** The live server behind a proxy that answers conditional writes with 501. */
async function withoutConditions(
  t: TestContext,
  address: string,
): Promise<readonly [url: string, refused: () => number]> {
  const { hostname, port } = new URL(address);
  let refused = 0;
  const proxy = createServer((asked, response) => {
    if (asked.headers['if-none-match'] !== undefined) {
      refused++;
      asked.resume();
      response.writeHead(501, { 'content-type': 'application/xml' });
      response.end('<Error><Code>NotImplemented</Code><Message>no</Message></Error>');
      return;
    }
    const { method, url: path, headers } = asked;
    const onward = request({ hostname, port, method, path, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    });
    asked.pipe(onward);
  });
  await new Promise<void>((done) => proxy.listen(0, '127.0.0.1', done));
  t.after(() => proxy.close());
  return [`http://127.0.0.1:${(proxy.address() as AddressInfo).port}`, () => refused];
}

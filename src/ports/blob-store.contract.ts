/**
 * The promises of the `BlobStore` port, proved of any adapter.
 *
 *   blobStoreContract('folder', openForTest)
 *
 * What an engine cannot do (keep bodies over a close, be damaged from outside, be killed) is
 * left out of its case; the tests of it say so and are skipped.
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { BlobStore, Body } from './blob-store.ts';
import { stepUntilKilled } from './crash.contract.ts';

export interface BlobStoreCase {
  readonly store: BlobStore;
  /** Bytes that the store takes; to show that something was not written. */
  bytes(): Promise<number>;
  /** Closes the store and opens another one over what it kept. */
  reopen?(): Promise<BlobStore>;
  /** Changes a byte of a stored body behind the store's back. */
  damage?(hash: Uint8Array): Promise<void>;
}

export interface BlobStoreEngine {
  open(): Promise<BlobStoreCase>;
  /** Runs putUntilKilled() in a child killed after some steps, and opens what it left. */
  crash?(steps: number): Promise<{ readonly steps: number; readonly store: BlobStore }>;
}

export function blobStoreContract(name: string, engine: BlobStoreEngine): void {
  describe(`${name} blob-store`, () => {
    putTwice(engine);
    readBack(engine);
    damage(engine);
    const { crash } = engine;
    if (crash !== undefined) killed(crash);
  });
}

const BODIES_PER_STEP = 8;

/** The child's side of `crash`. */
export function putUntilKilled(store: BlobStore): Promise<never> {
  return stepUntilKilled((nth) => store.put(stepBodies(nth).map(blob)));
}

/** Bodies from a few bytes to 40 KB that any process can make again. */
function stepBodies(step: number): Buffer[] {
  return Array.from({ length: BODIES_PER_STEP }, (_, i) => {
    const nth = step * BODIES_PER_STEP + i;
    return Buffer.from(`body ${nth} `.repeat(1 + ((nth * 7_919) % 4_000)));
  });
}

function blob(bytes: Uint8Array): Body {
  return { hash: hashOf(bytes), bytes };
}

function hashOf(body: Uint8Array): Buffer {
  return createHash('sha256').update(body).digest();
}

function text(words: string, times = 50): Buffer {
  return Buffer.from(`${words} `.repeat(times));
}

async function assertHas(store: BlobStore, body: Uint8Array): Promise<void> {
  const got = await store.get(hashOf(body));
  assert.ok(got !== undefined, 'the body is gone');
  assert.equal(Buffer.compare(got, body), 0);
}

function putTwice(engine: BlobStoreEngine): void {
  it('promise 1: a hash that is there: nothing is written, false is answered', async () => {
    const { store, bytes } = await engine.open();
    assert.deepEqual(await store.put([blob(text('a')), blob(text('b'))]), [true, true]);
    const before = await bytes();
    assert.deepEqual(await store.put([blob(text('a'))]), [false]);
    assert.equal(await bytes(), before);
    await store.close();
  });

  it('promise 1: one hash twice in a batch: the first is written', async () => {
    const { store } = await engine.open();
    const batch = [blob(text('a')), blob(text('b')), blob(text('a'))];
    assert.deepEqual(await store.put(batch), [true, true, false]);
    await store.close();
  });

  it('promise 1: two puts of a hash at once: one writes it', async () => {
    const { store } = await engine.open();
    const both = await Promise.all([store.put([blob(text('a'))]), store.put([blob(text('a'))])]);
    assert.deepEqual(both.flat().sort(), [false, true]);
    await store.close();
  });

  it('an empty batch: nothing is written', async () => {
    const { store, bytes } = await engine.open();
    const before = await bytes();
    assert.deepEqual(await store.put([]), []);
    assert.equal(await bytes(), before);
    await store.close();
  });
}

function readBack(engine: BlobStoreEngine): void {
  it('promise 3: bodies of every size in one batch: their bytes are given back', async () => {
    const { store } = await engine.open();
    const long = Buffer.alloc(1_300_000, 'a page that fills blocks by itself ');
    const many = Array.from({ length: 200 }, (_, i) => text(`page ${i}`, 300));
    const bodies = [text('page'), Buffer.from('short'), Buffer.alloc(1), long, ...many];
    await store.put(bodies.map(blob));
    for (const body of bodies) await assertHas(store, body);
    await store.close();
  });

  it('promise 3: a hash never put: undefined', async () => {
    const { store } = await engine.open();
    assert.equal(await store.get(hashOf(text('never'))), undefined);
    await store.put([blob(text('a'))]);
    assert.equal(await store.get(hashOf(text('never'))), undefined);
    await store.close();
  });

  it('promises 1 to 3: any batches, closed in between: as a map would answer', async () => {
    const body = fc.uint8Array({ maxLength: 400 });
    const histories = fc.array(fc.array(body, { maxLength: 6 }), { maxLength: 6 });
    await fc.assert(
      fc.asyncProperty(histories, (batches) => likeMap(engine, batches)),
      {
        numRuns: 40,
      },
    );
  });
}

async function likeMap(engine: BlobStoreEngine, batches: Uint8Array[][]): Promise<void> {
  const opened = await engine.open();
  let { store } = opened;
  const known = new Map<string, Uint8Array>();
  for (const batch of batches) {
    const answers = await store.put(batch.map(blob));
    for (const [i, body] of batch.entries()) {
      const name = hashOf(body).toString('hex');
      assert.equal(answers[i], !known.has(name));
      known.set(name, body);
    }
    store = (await opened.reopen?.()) ?? store;
  }
  for (const body of known.values()) await assertHas(store, body);
  await store.close();
}

function damage(engine: BlobStoreEngine): void {
  it('promise 3: a damaged body, where one can be: an error that says where', async (t) => {
    const opened = await engine.open();
    const { store } = opened;
    for (const words of ['before', 'spoiled', 'after']) await store.put([blob(text(words))]);
    if (opened.damage === undefined) return t.skip('nothing outside can reach its bytes');
    await opened.damage(hashOf(text('spoiled')));
    await assert.rejects(store.get(hashOf(text('spoiled'))), { code: 'E_STORE_DAMAGED' });
    await assertHas(store, text('before'));
    await assertHas(store, text('after'));
    await store.close();
  });
}

function killed(crash: NonNullable<BlobStoreEngine['crash']>): void {
  for (const steps of [1, 5, 40]) {
    it(`promise 2: kill -9 after ${steps} batches: what was put is read back`, async () => {
      const left = await crash(steps);
      for (let step = 0; step < left.steps; step++) {
        for (const body of stepBodies(step)) await assertHas(left.store, body);
      }
      // What was under way is there or not, but never half: this batch and all after it go in.
      const next = stepBodies(left.steps);
      await left.store.put(next.map(blob));
      for (const body of next) await assertHas(left.store, body);
      await left.store.close();
    });
  }
}

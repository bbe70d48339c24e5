/** Promise 4 of the `BlobStore` port, of stores that can forget (G1). */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { describe, it } from 'node:test';
import type { ErasableBlobs } from './blob-store.ts';

export interface ErasableCase {
  readonly store: ErasableBlobs;
  reopen?(): Promise<ErasableBlobs>;
  /** Whether any file holds the text, once everything in it is undone. */
  holds?(text: string): Promise<boolean>;
}

const BODIES = Array.from({ length: 20 }, (_, i) =>
  `body ${i} says word${i * 7919} `.repeat(9 + i),
);

function blobOf(text: string) {
  const bytes = Buffer.from(text);
  return { hash: hashOf(text), bytes };
}

function hashOf(text: string): Buffer {
  return createHash('sha256').update(text).digest();
}

async function textOf(store: ErasableBlobs, text: string): Promise<string | undefined> {
  const bytes = await store.get(hashOf(text));
  return bytes && Buffer.from(bytes).toString();
}

export function erasableBlobsContract(name: string, open: () => Promise<ErasableCase>): void {
  describe(`${name} blob-store, forgetting`, () => {
    it('promise 4: removed from among others: gone from every file, the others as they were', async () => {
      const opened = await open();
      let { store } = opened;
      await store.put(BODIES.map(blobOf));
      const gone = [BODIES[3], BODIES[4], BODIES[17]] as string[];
      assert.equal(await store.remove([...gone.map(hashOf), hashOf('never')]), 3);
      for (const isAgain of [false, true]) {
        if (isAgain) store = (await opened.reopen?.()) ?? store;
        for (const text of BODIES) {
          assert.equal(await textOf(store, text), gone.includes(text) ? undefined : text);
        }
      }
      for (const text of gone) assert.ok(!(await opened.holds?.(text.slice(0, 60))));
      assert.equal(await store.remove(gone.map(hashOf)), 0);
      assert.equal(await store.remove([hashOf(BODIES[5] as string)]), 1, 'of a block that moved');
      assert.equal(await textOf(store, BODIES[6] as string), BODIES[6]);
      assert.deepEqual(await store.put(gone.map(blobOf)), [true, true, true], 'new again');
      assert.equal(await textOf(store, gone[0] as string), gone[0]);
      await store.close();
    });

    it('promise 4: read while it is removed: the bytes or nothing, never others', async () => {
      const { store } = await open();
      await store.put(BODIES.map(blobOf));
      const reads = BODIES.map(async (text) => {
        const got = await textOf(store, text);
        assert.ok(got === undefined || got === text);
        return got;
      });
      const removing = store.remove([hashOf(BODIES[0] as string)]);
      const more = BODIES.map((text) => textOf(store, text));
      await removing;
      const [, ...others] = await Promise.all(more);
      assert.deepEqual(others, BODIES.slice(1));
      await Promise.all(reads);
      await store.close();
    });
  });
}

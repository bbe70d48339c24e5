import assert from 'node:assert/strict';
import { test } from 'node:test';
import { NOTHING } from '../ports/shard-store.ts';
import { urlKeyOf, type Waiting } from '../record/index.ts';
import { seedMention, waitingFrom } from './admit.ts';
import { SHARDS, Shards } from './metrics-shards.ts';

const URLS = Array.from({ length: 300 }, (_, i) => `http://host-${i}.example/`);
const waiting = (url: string): Waiting => waitingFrom(seedMention(url, 'page', 0.5), 0, 0);
const placesOf = (urls: readonly string[]) => urls.map((url) => urlKeyOf(url)[0] as number);
const admission = (url: string) => ({ waiting: waiting(url), maybeKnown: false });

function expected(urls: readonly string[]): number[] {
  const sizes = new Array<number>(SHARDS).fill(0);
  for (const place of placesOf(urls)) sizes[place >> 2]!++;
  return sizes;
}

/** A store's picture that a test lets go on. */
function picture(urls: readonly string[]) {
  const asked: string[][] = [];
  const gate = { open: () => {} };
  const opened = new Promise<void>((open) => {
    gate.open = open;
  });
  async function* runs() {
    await opened;
    yield placesOf(urls.slice(0, 100));
    yield placesOf(urls.slice(100));
  }
  const places = () => {
    asked.push([...urls]);
    return runs();
  };
  return { gate, asked, places };
}

const soon = () => new Promise((resolve) => setImmediate(resolve));

test('shards: nothing is told until all are counted, and what is committed meanwhile counts', async () => {
  const { gate, places } = picture(URLS.slice(0, 200));
  const shards = new Shards(places);
  assert.equal(shards.sizes(), undefined);
  shards.beginCommit();
  const admitted = URLS.slice(200, 250).map(admission);
  const fresh = admitted.map((_, i) => i >= 10);
  const settled = URLS.slice(0, 50).map((url) => ({ waiting: waiting(url), record: {} as never }));
  shards.committed({ ...NOTHING, admitted, settled }, fresh);
  shards.endCommit();
  assert.equal(shards.sizes(), undefined);
  gate.open();
  await soon();
  assert.deepEqual(shards.sizes(), expected([...URLS.slice(50, 200), ...URLS.slice(210, 250)]));
  const due = { at: 1, key: urlKeyOf(URLS[0]!) };
  const requeued = [{ due, waiting: waiting(URLS[0]!) }];
  shards.committed({ ...NOTHING, requeued }, []);
  const now = [URLS[0]!, ...URLS.slice(50, 200), ...URLS.slice(210, 250)];
  assert.deepEqual(shards.sizes(), expected(now));
});

test('shards: asked during a commit, the picture is taken before the next one', async () => {
  const { gate, asked, places } = picture(URLS);
  const shards = new Shards(places);
  shards.beginCommit();
  shards.sizes();
  assert.equal(asked.length, 0, 'what of the commit is in it, nobody knows');
  shards.committed({ ...NOTHING, admitted: [admission(URLS[0]!)] }, [true]);
  shards.endCommit();
  shards.beginCommit();
  assert.equal(asked.length, 1);
  shards.endCommit();
  gate.open();
  await soon();
  assert.deepEqual(shards.sizes(), expected(URLS), 'the first commit is in the picture');
});

test('shards: a store that fails is counted anew when somebody asks again', async () => {
  let tries = 0;
  const shards = new Shards(async function* () {
    yield placesOf(URLS);
    if (++tries === 1) throw new Error('closed');
  });
  shards.sizes();
  await soon();
  assert.equal(shards.sizes(), undefined);
  await soon();
  assert.deepEqual(shards.sizes(), expected(URLS));
});

test('shards: without a reader nothing is counted', () => {
  const shards = new Shards(() => assert.fail('the store was read'));
  shards.beginCommit();
  shards.committed({ ...NOTHING, admitted: [admission(URLS[0]!)] }, [true]);
  shards.endCommit();
});

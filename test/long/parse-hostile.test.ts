/**
 * What parsers may send to a node, over real HTTP (K3, K5): answers twice, too late, in another's
 * name, of another version, or nonsense. Each page is read by one who knows better, once.
 */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { FRAMES_MEDIA, readFrames, writeFrames } from '../../src/base/frames.ts';
import { digest, digestParts, type RawPage, READING_VERSION } from '../../src/content/index.ts';
import { newTokenEntry } from '../../src/edge/api/index.ts';
import { openReadingDesk, startParser } from '../kit/reading.ts';
import { openService } from '../kit/service.ts';

const PAGE: RawPage = {
  ...{ url: 'https://h.example/', kind: 'page', headers: { 'content-type': 'text/html' } },
  ...{ body: Buffer.from('<title>t</title><a href=/x>x</a>'), decodedBytesMax: 1_000, agent: 'O' },
};

async function desk(t: TestContext, types: readonly string[] = []) {
  const open = await openReadingDesk(types);
  t.after(() => open.close());
  const lease = async (worker: string, more: object = {}) => {
    const asked = { worker, n: 10, version: READING_VERSION, types, ...more };
    const response = await fetch(`${open.at}parse/lease_batch`, {
      ...{ method: 'POST', headers: { 'content-type': 'application/json' } },
      body: JSON.stringify(asked),
    });
    const bytes = Buffer.from(await response.arrayBuffer());
    const frames = response.status === 200 ? readFrames(bytes, 10) : [];
    assert.ok(typeof frames !== 'string');
    const ids = frames.map(({ head }) => (head as { lease: string }).lease);
    return { status: response.status, ids, text: bytes.toString() };
  };
  const ack = async (
    worker: string,
    body: Buffer<ArrayBuffer>,
    media = FRAMES_MEDIA,
    version = READING_VERSION,
  ) => {
    const response = await fetch(`${open.at}parse/ack?worker=${worker}&version=${version}`, {
      ...{ method: 'POST', headers: { 'content-type': media }, body },
    });
    // biome-ignore lint/suspicious/noExplicitAny: it is what the tests look at
    const json: any = await response.json();
    return { status: response.status, json, states: json.pages?.map((one: Ended) => one.state) };
  };
  return { ...open, lease, ack };
}

interface Ended {
  readonly state: string;
}

function answer(lease: string, change: object = {}): Buffer<ArrayBuffer> {
  const { head, parts } = digestParts(digest(PAGE), undefined);
  return writeFrames([{ head: { lease, made: { ...head, ...change } }, parts }]);
}

test('ack: twice, in the name of another, of a lease that nobody has: lost', async (t) => {
  const { readings, lease, ack, bugs } = await desk(t);
  const made = readings.digest(PAGE);
  const { ids } = await lease('one');
  const [id = ''] = ids;
  assert.deepEqual((await ack('two', answer(id))).states, ['lost']);
  assert.deepEqual((await ack('one', answer('nobody-knows'))).states, ['lost']);
  assert.deepEqual((await ack('one', answer(id))).states, ['taken']);
  assert.deepEqual((await ack('one', answer(id))).states, ['lost']);
  assert.equal((await made).title, 't');
  assert.deepEqual(bugs, []);
});

test('ack: nonsense is refused, and the next parser reads the page', async (t) => {
  const { readings, lease, ack, at, bugs } = await desk(t);
  const made = readings.digest(PAGE);
  const [id = ''] = (await lease('one')).ids;
  const wrong = await ack('one', answer(id, { content_hash: 'ab'.repeat(32) }));
  assert.deepEqual(wrong.json.pages, [
    { lease: id, state: 'refused', detail: 'its hash is not that of its body' },
  ]);
  assert.deepEqual((await ack('one', answer(id))).states, ['lost'], 'it is not its any more');
  const { end, parser } = startParser(at, 'better');
  t.after(end);
  assert.deepEqual((await made).links, ['https://h.example/x']);
  assert.equal(parser.counts.refused, 0);
  assert.deepEqual(bugs, []);
});

test('ack: what is no message of ours is refused with its place, and changes nothing', async (t) => {
  const { readings, lease, ack, bugs } = await desk(t);
  const made = readings.digest(PAGE);
  const [id = ''] = (await lease('one')).ids;
  const good = answer(id);
  const status = async (...sent: Parameters<typeof ack>) => (await ack(...sent)).status;
  assert.equal(await status('one', Buffer.alloc(0)), 422);
  assert.equal(await status('one', Buffer.from('{"lease":"x"}')), 422);
  assert.equal(await status('one', good.subarray(0, good.length - 1)), 422);
  assert.equal(await status('one', Buffer.concat([good, Buffer.of(1)])), 422);
  for (const change of [
    { words: -1 },
    { simhash: 'x' },
    { extra: 1 },
    { parts: [1] },
    { title: 7 },
  ]) {
    assert.equal(await status('one', answer(id, change)), 422, JSON.stringify(change));
  }
  const heads = [null, 7, [], {}, { lease: '' }, { lease: id, made: null }, { lease: id, more: 1 }];
  for (const head of heads) {
    const message = writeFrames([{ head: head as object, parts: [] }]);
    assert.equal(await status('one', message), 422, JSON.stringify(head));
  }
  assert.equal(await status('one', good, 'application/json'), 415);
  assert.equal(await status('one', good, 'text/plain'), 415);
  assert.equal(await status('o%20e', good), 422);
  assert.equal(await status('one', Buffer.alloc(40 << 20)), 413);
  assert.deepEqual((await ack('one', good)).states, ['taken']);
  assert.equal((await made).title, 't');
  assert.deepEqual(bugs, []);
});

test('versions: a parser of another version, or with other plugins, is told so and gets nothing', async (t) => {
  const { readings, lease, ack } = await desk(t, ['text/x-notes']);
  const made = readings.digest(PAGE).catch(() => undefined);
  const other = await lease('one', { version: READING_VERSION + 1 });
  assert.equal(other.status, 409);
  assert.match(other.text, /other-version.*version 3 of \/parse, this one 4: start both/);
  const plugins = await lease('one', { types: [] });
  assert.equal(plugins.status, 409);
  assert.match(plugins.text, /read text\/x-notes, those of the parser nothing/);
  assert.equal((await ack('one', answer('x'), FRAMES_MEDIA, READING_VERSION + 1)).status, 409);
  assert.equal(readings.work.waiting, 1);
  await readings.close();
  await made;
});

test('lease: what no parser may ask is refused', async (t) => {
  const { lease } = await desk(t);
  for (const wrong of [
    { n: 0 },
    { n: 1_000 },
    { seconds: 0 },
    { seconds: 1e9 },
    { worker: '' },
    { more: 1 },
  ]) {
    assert.equal((await lease('one', wrong)).status, 422, JSON.stringify(wrong));
  }
});

test('tokens: a parser may read for the crawl and no more; where a node reads itself, it is told', async (t) => {
  const tokens = [
    newTokenEntry('p', ['parse'], 'of-parser', ''),
    newTokenEntry('f', ['fetch'], 'of-fetcher', ''),
  ];
  const plan = { flags: ['--dns', '127.0.0.1:9'], tokens, isClosed: true };
  const api = await openService(t, undefined, plan);
  const as = (token: string) => ({ authorization: `Bearer ${token}` });
  const ask = { worker: 'one', n: 1, version: READING_VERSION, types: [] };
  const path = '/parse/lease_batch';
  assert.equal((await api.post(path, ask)).status, 401);
  assert.equal((await api.post(path, ask, as('of-fetcher'))).status, 403);
  const itself = await api.post(path, ask, as('of-parser'));
  assert.equal(itself.status, 404);
  assert.match(itself.json.detail, /reads its pages itself/);
  assert.equal((await api.ask('/pages', { headers: as('of-parser') })).status, 403);
});

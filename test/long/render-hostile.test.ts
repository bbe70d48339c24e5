/**
 * What renderers may send to a node, over real HTTP (K3, J2, Y1): whatever they try, the page's
 * wishes go through the node alone, as many as its limits allow, and only while it is theirs.
 */
import assert from 'node:assert/strict';
import { type TestContext, test } from 'node:test';
import { listenWeb } from '../../src/adapters/api/index.ts';
import { systemClock, systemRandom } from '../../src/adapters/node/index.ts';
import { FRAMES_MEDIA, readFrames, writeFrames } from '../../src/base/frames.ts';
import { Renderings } from '../../src/crawl/renderings.ts';
import { siteOf } from '../../src/edge/api/index.ts';
import { renderEndpoints } from '../../src/edge/api/render.ts';
import { RENDERING_VERSION, type RenderJob, type Wish } from '../../src/ports/renderer.ts';

const LIMITS = {
  ...{ pageMs: 1_000, wholeMs: 20_000, requests: 3, bytes: 1 << 20, domBytes: 100, scrolls: 1 },
};

async function desk(t: TestContext) {
  const clock = systemClock();
  const renderings = new Renderings({ clock, random: systemRandom() });
  const site = siteOf(renderEndpoints(renderings), {
    ...{ clock, names: [], tokens: [], isOpen: true, requestsPerSecond: 10_000 },
    onBug: (error) => assert.fail(String(error)),
  });
  const listener = await listenWeb(site, { bind: '127.0.0.1', port: 0 });
  t.after(async () => {
    await renderings.close();
    await listener.close();
  });
  const post = async (path: string, body: string | Buffer<ArrayBuffer>) => {
    const media = typeof body === 'string' ? 'application/json' : FRAMES_MEDIA;
    const response = await fetch(`http://127.0.0.1:${listener.port}/render/${path}`, {
      ...{ method: 'POST', headers: { 'content-type': media }, body },
    });
    return { status: response.status, bytes: Buffer.from(await response.arrayBuffer()) };
  };
  const wishes: Wish[] = [];
  const job: RenderJob = {
    ...{
      url: 'http://app.test/',
      status: 200,
      headers: {},
      body: Buffer.from('<p>'),
      limits: LIMITS,
    },
    ...{ userAgent: 'Orb', screenshot: false },
    ask: async (wish) => {
      wishes.push(wish);
      return { kind: 'answered', status: 200, headers: { a: 'b' }, body: Buffer.from('for you') };
    },
  };
  const lease = async (worker: string) => {
    const asked = { worker, n: 1, version: RENDERING_VERSION };
    const frames = readFrames((await post('lease_batch', JSON.stringify(asked))).bytes, 1);
    assert.ok(typeof frames !== 'string' && frames[0] !== undefined);
    return (frames[0].head as { lease: string }).lease;
  };
  const ask = async (worker: string, id: string, url = 'http://app.test/x.js', kind = 'script') =>
    post('ask', JSON.stringify({ worker, lease: id, url, kind }));
  const ack = async (worker: string, id: string, made: object, body = '') => {
    const message = writeFrames([{ head: { lease: id, made }, parts: [Buffer.from(body)] }]);
    const path = `ack?worker=${worker}&version=${RENDERING_VERSION}`;
    const { status, bytes } = await post(path, message);
    const states = status === 200 ? JSON.parse(bytes.toString()).pages : [];
    return { status, state: states[0]?.state };
  };
  return { renderings, job, wishes, lease, ask, ack, post };
}

const RENDERED = { kind: 'rendered', base: 'http://app.test/', is_cut: false, requests: 1, ms: 5 };

test('ask: answered by the node while the page is its own, and as often as its limits allow', async (t) => {
  const { renderings, job, wishes, lease, ask, ack } = await desk(t);
  const made = renderings.render(job);
  const id = await lease('one');
  const [frame] = readFrames((await ask('one', id)).bytes, 1) as { head: object; body: Buffer }[];
  assert.deepEqual(frame?.head, { kind: 'answered', status: 200, headers: { a: 'b' } });
  assert.equal(frame?.body.toString(), 'for you');
  assert.equal((await ask('two', id)).status, 409, 'of another');
  assert.equal((await ask('one', 'nobody')).status, 409);
  for (let nth = 0; nth < 5; nth++) assert.equal((await ask('one', id)).status, 200);
  assert.equal(wishes.length, LIMITS.requests, 'no more than its limits');
  assert.ok(!wishes[0]?.signal.aborted);
  assert.deepEqual(await ack('one', id, { ...RENDERED, html_bytes: 3 }, '<b>'), {
    ...{ status: 200, state: 'taken' },
  });
  assert.ok(wishes[0]?.signal.aborted, 'nobody waits for its wishes any more');
  assert.equal((await ask('one', id)).status, 409, 'it is over');
  const end = await made;
  assert.deepEqual([end.kind, end.kind === 'rendered' && end.html], ['rendered', '<b>']);
});

test('ask: what is no address of the web is not even a wish', async (t) => {
  const { renderings, job, wishes, lease, ask } = await desk(t);
  void renderings.render(job);
  const id = await lease('one');
  for (const url of ['file:///etc/passwd', 'data:,x', '', 'x'.repeat(20_000), 'ftp://h/']) {
    assert.equal((await ask('one', id, url)).status, 422, url.slice(0, 20));
  }
  assert.equal((await ask('one', id, 'http://h/', 'image')).status, 422);
  const odd = readFrames((await ask('one', id, 'http://[')).bytes, 1);
  assert.deepEqual(typeof odd !== 'string' && odd[0]?.head, {
    kind: 'refused',
    reason: 'no address',
  });
  assert.equal(wishes.length, 0);
});

test('ack: nonsense is refused, twice is lost, and the next renderer has the page', async (t) => {
  const { renderings, job, lease, ack } = await desk(t);
  const made = renderings.render(job);
  const first = await lease('one');
  assert.equal((await ack('one', first, { ...RENDERED, html_bytes: -1 })).status, 422);
  assert.equal(
    (await ack('one', first, { kind: 'failed', reason: 'tired', detail: '', ms: 0 })).status,
    422,
  );
  assert.equal((await ack('one', first, { ...RENDERED, html_bytes: 9 }, '<b>')).state, 'refused');
  assert.equal((await ack('one', first, { ...RENDERED, html_bytes: 3 }, '<b>')).state, 'lost');
  const second = await lease('two');
  const long = 'x'.repeat(301);
  assert.equal((await ack('two', second, { ...RENDERED, html_bytes: 301 }, long)).state, 'refused');
  const third = await lease('two');
  const failed = { kind: 'failed', reason: 'timeout', detail: 'too slow', ms: 7 };
  assert.equal((await ack('two', third, failed)).state, 'taken');
  assert.equal((await ack('two', third, failed)).state, 'lost');
  assert.deepEqual(await made, failed);
});

test('render: broken off while a renderer is at it: over at once, and what it brings is lost', async (t) => {
  const { renderings, job, wishes, lease, ask, ack } = await desk(t);
  const stop = new AbortController();
  const made = renderings.render(job, stop.signal);
  const id = await lease('one');
  await ask('one', id);
  stop.abort();
  const end = await made;
  assert.deepEqual([end.kind, end.kind === 'failed' && end.reason], ['failed', 'aborted']);
  assert.ok(wishes[0]?.signal.aborted);
  assert.equal((await ack('one', id, { ...RENDERED, html_bytes: 0 })).state, 'lost');
  assert.deepEqual([renderings.work.out, renderings.work.waiting], [0, 0]);
});

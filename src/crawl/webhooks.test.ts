import assert from 'node:assert/strict';
import { test } from 'node:test';
import { MemoryEventLog } from '../adapters/memory/index.ts';
import type { FetchEvent } from '../events/index.ts';
import type { PostEnd } from '../hooks/index.ts';
import type { Bookmarks } from '../ports/bookmarks.ts';
import type { PostRequest } from '../ports/poster.ts';
import { type HookNews, WebhookReader } from './webhooks.ts';

const HOOK = {
  url: 'https://hook.example/in',
  secret: `whsec_${Buffer.alloc(32, 1).toString('base64')}`,
  userAgent: 'Orbweaver/test',
};
const TAKEN: PostEnd = { kind: 'answered', status: 204, retryAfter: '' };
const GONE: PostEnd = { kind: 'answered', status: 410, retryAfter: '' };
const SILENT: PostEnd = { kind: 'failed', detail: 'no answer in time' };

function eventOf(n: number, kind: FetchEvent['kind'] = 'page'): FetchEvent {
  return {
    v: 1,
    id: `e${n}`,
    kind,
    url: `https://h.example/${n}`,
    host: 'h.example',
  } as FetchEvent;
}

/** A server that answers as told, then takes everything; time passes when somebody sleeps. */
function placeWith(answers: PostEnd[]) {
  const log = new MemoryEventLog();
  const marks = new Map<string, string>();
  const bookmarks: Bookmarks = {
    get: async (reader) => marks.get(reader),
    set: async (reader, cursor) => void marks.set(reader, cursor),
  };
  const posted: PostRequest[] = [];
  const slept: number[] = [];
  const news: HookNews[] = [];
  let now = 1_000_000;
  const clock = {
    now: () => now,
    sleepUntil: async (at: number) => {
      slept.push(at - now);
      now = at;
      await new Promise(setImmediate);
    },
  };
  const poster = {
    post: async (request: PostRequest) => {
      posted.push(request);
      return answers.shift() ?? TAKEN;
    },
  };
  const ports = { events: log, bookmarks, poster, clock, random: { next: () => 0.5 } };
  const reader = () => new WebhookReader(HOOK, ports, (one) => news.push(one));
  return { log, posted, slept, news, marks, reader };
}

const idsIn = ({ body }: PostRequest): string[] =>
  JSON.parse(body).data.events.map(({ id }: FetchEvent) => id);

/** Follows the log until it has nothing new. */
async function follow(reader: WebhookReader): Promise<void> {
  while ((await reader.deliver()) !== 'idle');
}

test('webhooks: every page once, in batches, without robots.txt', async () => {
  const { log, posted, reader } = placeWith([]);
  const events = Array.from({ length: 250 }, (_, n) => eventOf(n, n % 5 === 0 ? 'robots' : 'page'));
  await log.publish(events);
  await follow(reader());
  assert.deepEqual(
    posted.map(idsIn).map((ids) => ids.length),
    [100, 100],
  );
  const pages = events.filter(({ kind }) => kind === 'page').map(({ id }) => id);
  assert.deepEqual(posted.flatMap(idsIn), pages);
  const [first] = posted;
  assert.match(first?.headers['webhook-signature'] ?? '', /^v1,[A-Za-z0-9+/]{43}=$/);
  assert.equal(first?.headers['content-type'], 'application/json');
});

test('webhooks: a server that is down gets the same message again, later and later', async () => {
  const { log, posted, slept, news, marks, reader } = placeWith([SILENT, SILENT, SILENT]);
  await log.publish([eventOf(1), eventOf(2)]);
  await follow(reader());
  assert.equal(posted.length, 4);
  assert.equal(new Set(posted.map(({ headers }) => headers['webhook-id'])).size, 1);
  assert.deepEqual(slept, [1_000, 2_000, 4_000]);
  assert.deepEqual(news[0], { kind: 'waiting', detail: 'no answer in time', ms: 1_000 });
  assert.equal(marks.get(HOOK.url), '2');
});

test('webhooks: after a restart it goes on behind what was taken, and ends with the last', async () => {
  const { log, posted, reader } = placeWith([]);
  await log.publish([eventOf(1), eventOf(2)]);
  await follow(reader());
  await log.publish([eventOf(3)]);
  const abort = new AbortController();
  const second = reader();
  const ending = new AbortController();
  const running = second.run(abort.signal, ending.signal);
  while (posted.length < 2) await new Promise(setImmediate);
  await log.publish([eventOf(4)]);
  ending.abort();
  await running;
  assert.deepEqual(posted.map(idsIn), [['e1', 'e2'], ['e3'], ['e4']]);
});

test('webhooks: 410 ends it, and it is said', async () => {
  const { log, posted, news, marks, reader } = placeWith([GONE]);
  await log.publish([eventOf(1)]);
  const never = new AbortController().signal;
  await reader().run(never, never);
  assert.equal(posted.length, 1);
  assert.deepEqual(news, [{ kind: 'gone' }]);
  assert.equal(marks.size, 0, 'nothing counts as taken');
});

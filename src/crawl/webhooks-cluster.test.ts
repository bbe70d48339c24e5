import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FetchEvent } from '../events/index.ts';
import type { PostEnd } from '../hooks/index.ts';
import type { PostRequest } from '../ports/poster.ts';
import { runClusterHook } from './webhooks-cluster.ts';

const HOOK = {
  url: 'https://hook.example/in',
  secret: `whsec_${Buffer.alloc(32, 1).toString('base64')}`,
  userAgent: 'Orbweaver/test',
};
const TAKEN: PostEnd = { kind: 'answered', status: 204, retryAfter: '' };

/** A log of arcs, places that all nodes share, and a server that takes everything. */
function place(answer: PostEnd = TAKEN) {
  const log = new Map<number, FetchEvent[]>();
  const marks = new Map<number, number>();
  const posted: string[][] = [];
  const clock = { now: () => 0, sleepUntil: () => new Promise<void>((done) => setImmediate(done)) };
  const post = async ({ body }: PostRequest) => {
    const { data } = JSON.parse(body) as { data: { events: FetchEvent[] } };
    posted.push(data.events.map(({ id }) => id));
    return answer;
  };
  type Places = Record<string, number>;
  const logOf = (arcs: ReadonlySet<number>) => ({
    events: {
      read: async function* (after?: string) {
        const at: Places = after === undefined ? {} : (JSON.parse(after) as Places);
        for (const arc of arcs) {
          const events = log.get(arc) ?? [];
          for (let nth = at[arc] ?? 0; nth < events.length; nth++) {
            at[arc] = nth + 1;
            yield { cursor: JSON.stringify(at), event: events[nth] as FetchEvent };
          }
        }
      },
    },
    bookmarks: {
      get: async () => JSON.stringify(Object.fromEntries(marks)),
      set: async (_: string, cursor: string) => {
        for (const [arc, nth] of Object.entries(JSON.parse(cursor) as Places)) {
          if (arcs.has(Number(arc))) marks.set(Number(arc), nth);
        }
      },
    },
  });
  const tell = (arc: number, ...ids: string[]) => {
    const events = ids.map((id) => ({ v: 1, id, kind: 'page', url: `http://${id}/` }));
    log.set(arc, [...(log.get(arc) ?? []), ...(events as FetchEvent[])]);
  };
  const join = (arcs: Set<number>) => {
    const stopped = new AbortController();
    const isMine = (key: Uint8Array) => arcs.has((key[0] as number) >> 2);
    const ports = { clock, random: { next: () => 0 }, poster: { post }, arcs: { isMine }, logOf };
    const ended = runClusterHook(HOOK, ports, () => undefined, stopped.signal);
    return { arcs, ended, stop: () => stopped.abort() };
  };
  return { tell, join, posted };
}

async function turns(count = 30): Promise<void> {
  for (let i = 0; i < count; i++) await new Promise((done) => setImmediate(done));
}

test('webhooks of a cluster: each node tells of its own arcs; an arc that moves goes on, and is told once', async () => {
  const { tell, join, posted } = place();
  const [one, two] = [join(new Set([1])), join(new Set([2]))];
  tell(1, 'a', 'b');
  tell(2, 'c');
  await turns();
  assert.deepEqual(posted.flat().sort(), ['a', 'b', 'c']);
  one.arcs.delete(1);
  await turns();
  tell(1, 'd');
  await turns();
  assert.equal(posted.flat().includes('d'), false, 'nobody has the arc');
  two.arcs.add(1);
  await turns();
  tell(2, 'e');
  await turns();
  assert.deepEqual(posted.flat().sort(), ['a', 'b', 'c', 'd', 'e']);
  for (const node of [one, two]) node.stop();
  await Promise.all([one.ended, two.ended]);
});

test('webhooks of a cluster: a server that is gone is asked no more, whatever arcs come', async () => {
  const { tell, join, posted } = place({ kind: 'answered', status: 410, retryAfter: '' });
  const node = join(new Set([1]));
  tell(1, 'a');
  await node.ended;
  assert.deepEqual(posted, [['a']]);
});

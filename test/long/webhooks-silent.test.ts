/**
 * Webhooks that answer badly, beside one that answers well (A5): nobody waits for the silent, not
 * the other hooks and not the end of the run. Time passes only when the test says so.
 */
import assert from 'node:assert/strict';
import { createServer, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { MemoryEventLog } from '../../src/adapters/memory/index.ts';
import { systemClock } from '../../src/adapters/node/index.ts';
import { startHooks } from '../../src/compose-hooks.ts';
import { isRefusal, resolveSettings } from '../../src/config/index.ts';
import type { HookNews } from '../../src/crawl/webhooks.ts';
import type { FetchEvent } from '../../src/events/index.ts';
import { scratch } from '../kit/index.ts';

const SECRET = `whsec_${Buffer.alloc(32, 9).toString('base64')}`;
const EVENTS = 250;
const MESSAGES = 3;
/** What each says to a message: nothing, half a line, or a head whose body never comes. */
const SAID = {
  silent: '',
  half: 'HTTP/1.1 20',
  headOnly: 'HTTP/1.1 204 Taken\r\ncontent-type: text/plain\r\n\r\n',
  noBody: 'HTTP/1.1 200 OK\r\ncontent-length: 1000000\r\n\r\nx',
  good: 'HTTP/1.1 204 Taken\r\nconnection: close\r\n\r\n',
} as const;
type Manner = keyof typeof SAID;

/** Never closes what a client has opened. */
async function hookThat(t: TestContext, manner: Manner) {
  const open = new Set<Socket>();
  const hook = { url: '', messages: 0, open };
  const server = createServer({ allowHalfOpen: true }, (socket) => {
    open.add(socket);
    let isMet = false;
    socket.on('data', () => {
      if (!isMet) hook.messages++;
      if (!isMet && SAID[manner] !== '') socket.write(SAID[manner]);
      isMet = true;
    });
    socket.on('end', () => socket.end());
    socket.on('error', () => undefined);
    socket.on('close', () => open.delete(socket));
  });
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done));
  t.after(() => {
    for (const socket of open) socket.destroy();
    server.close();
  });
  hook.url = `http://127.0.0.1:${(server.address() as { port: number }).port}/${manner}`;
  return hook;
}

/** Long waits end when the test says so; others are short enough to be waited for. */
function patientClock() {
  const { now, sleepUntil } = systemClock();
  let end: () => void = () => undefined;
  const enough = new Promise<void>((resolve) => {
    end = resolve;
  });
  return {
    end,
    now,
    sleepUntil: (at: number, signal?: AbortSignal) =>
      at - now() > 5_000 ? Promise.race([enough, aborted(signal)]) : sleepUntil(at, signal),
  };
}

function aborted(signal: AbortSignal | undefined): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) resolve();
    signal?.addEventListener('abort', () => resolve(), { once: true });
  });
}

async function hooksTo(t: TestContext, urls: readonly string[]) {
  const events = new MemoryEventLog();
  const told = { v: 1, kind: 'page', host: 'h.example' };
  await events.publish(
    Array.from({ length: EVENTS }, (_, n) => {
      return { ...told, id: `e${n}`, url: `https://h.example/${n}` } as FetchEvent;
    }),
  );
  const argv = [...urls.flatMap((url) => ['--webhook', url]), '--webhook-secret', SECRET];
  const resolved = resolveSettings({ argv: [...argv, '--allow-private'] });
  assert.ok(!isRefusal(resolved), JSON.stringify(resolved));
  const clock = patientClock();
  const news: (HookNews & { readonly url: string })[] = [];
  const address = { kind: 'address', address: '127.0.0.1', family: 4 } as const;
  const hooks = startHooks({
    ...{ settings: resolved.settings, folder: await scratch(t), events, clock },
    resolver: { resolve: async () => ({ ...address, addresses: ['127.0.0.1'] }) } as never,
    random: { next: () => 0.5 },
    onNews: (url, one) => news.push({ ...one, url }),
  });
  return { hooks, clock, news };
}

async function until(isSo: () => boolean): Promise<void> {
  while (!isSo()) await new Promise((turn) => setImmediate(turn));
}

test('webhooks: a silent one holds back no other, and the end of the run not for long', async (t) => {
  const silent = await hookThat(t, 'silent');
  const half = await hookThat(t, 'half');
  const headOnly = await hookThat(t, 'headOnly');
  const noBody = await hookThat(t, 'noBody');
  const good = await hookThat(t, 'good');
  const all = [silent, half, headOnly, noBody, good];
  const { hooks, clock } = await hooksTo(
    t,
    all.map(({ url }) => url),
  );
  await until(() => [headOnly, noBody, good].every(({ messages }) => messages === MESSAGES));
  assert.deepEqual([silent.messages, half.messages], [1, 1], 'they still hold their first');
  await until(() => headOnly.open.size + noBody.open.size === 0);
  let isOver = false;
  const finished = hooks.finish().then(() => {
    isOver = true;
  });
  await new Promise(setImmediate);
  assert.ok(!isOver, 'the silent are given a while');
  clock.end();
  await finished;
  await until(() => silent.open.size + half.open.size === 0);
});

test('webhooks: one that is not there is not waited for at the end', async (t) => {
  const gone = createServer();
  await new Promise<void>((done) => gone.listen(0, '127.0.0.1', done));
  const { port } = gone.address() as { port: number };
  await new Promise((done) => gone.close(done));
  const { hooks, news } = await hooksTo(t, [`http://127.0.0.1:${port}/`]);
  await until(() => news.length > 0);
  await hooks.finish();
  assert.equal(news[0]?.kind, 'waiting');
});

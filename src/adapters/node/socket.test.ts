import assert from 'node:assert/strict';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, stat, writeFile } from 'node:fs/promises';
import { createConnection, createServer, type Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import { CrawlError } from '../../base/errors.ts';
import { SOCKET_LIMITS, type SocketHandler, type SocketLimits, serveSocket } from './socket.ts';
import { askSocket } from './socket-ask.ts';

async function folder(t: TestContext, name = ''): Promise<string> {
  const top = await mkdtemp(join(tmpdir(), 'orbtest-'));
  t.after(() => rm(top, { recursive: true, force: true }));
  const dir = join(top, name);
  await mkdir(dir, { recursive: true });
  return dir;
}

async function served(
  t: TestContext,
  handle: SocketHandler,
  limits: Partial<SocketLimits> = {},
  name = '',
) {
  const dir = await folder(t, name);
  const server = await serveSocket(dir, handle, { ...SOCKET_LIMITS, ...limits });
  t.after(() => server.close());
  const ask = async (request: string) => {
    const asker = await askSocket(dir);
    assert.ok(asker);
    return asker.ask(request);
  };
  return { dir, server, ask, path: join(dir, 'orb.sock') };
}

async function all(rows: AsyncIterable<string>): Promise<string[]> {
  const found: string[] = [];
  for await (const row of rows) found.push(row);
  return found;
}

function opened(path: string, request = ''): Socket {
  const client = createConnection(path);
  client.on('error', () => undefined);
  if (request !== '') client.write(request);
  return client;
}

/** `once` would reject on the reset that may come before. */
function closed(client: Socket): Promise<void> {
  return new Promise((resolve) => client.once('close', () => resolve()).resume());
}

async function* echo(request: string): AsyncIterable<string> {
  for (let i = 0; i < 3; i++) yield `${request} ${i}`;
}

test('socket: a question is answered with its rows, several at a time', async (t) => {
  const { ask } = await served(t, echo);
  const answers = await Promise.all(['a', 'ü', '.', '!'].map(async (q) => all(await ask(q))));
  assert.deepEqual(answers[0], ['a 0', 'a 1', 'a 2']);
  assert.deepEqual(answers[1]?.[2], 'ü 2');
  assert.deepEqual(answers[2]?.[0], '. 0');
  assert.deepEqual(answers[3]?.[0], '! 0');
});

test('socket: only the owner may connect', async (t) => {
  const { path } = await served(t, echo);
  assert.equal((await stat(path)).mode & 0o777, 0o600);
});

test('socket: a folder without a running crawl has nobody to ask', async (t) => {
  const dir = await folder(t);
  assert.equal(await askSocket(dir), undefined);
  await writeFile(join(dir, 'orb.sock'), 'no socket');
  assert.equal(await askSocket(dir), undefined);
});

test('socket: what a killed crawl left behind is replaced', async (t) => {
  const dir = await folder(t);
  const dead = createServer().listen(join(dir, 'orb.sock'));
  await once(dead, 'listening');
  await writeFile(join(dir, 'orb.sock.path'), '/etc/passwd');
  const server = await serveSocket(dir, echo);
  t.after(() => server.close());
  const asker = await askSocket(dir);
  assert.equal((await all(asker?.ask('x') ?? echo('')))[0], 'x 0');
  dead.close();
});

test('socket: a folder too deep for a socket points to another place, gone after close', async (t) => {
  const { dir, ask, server } = await served(t, echo, {}, 'deep'.repeat(30));
  const far = await readFile(join(dir, 'orb.sock.path'), 'utf8');
  assert.ok(existsSync(far));
  assert.deepEqual((await all(await ask('q')))[0], 'q 0');
  await server.close();
  assert.ok(!existsSync(far));
  assert.ok(!existsSync(join(dir, 'orb.sock.path')));
  assert.equal(await askSocket(dir), undefined);
});

test('socket: an error of ours arrives as it is, a bug as one', async (t) => {
  const { ask } = await served(t, (request) => {
    if (request === 'bug') throw new TypeError('oops');
    throw new CrawlError('E_BLOB_CODEC', 'too new', 'upgrade');
  });
  const known = { name: 'CrawlError', code: 'E_BLOB_CODEC', message: 'too new', hint: 'upgrade' };
  await assert.rejects(all(await ask('x')), known);
  await assert.rejects(all(await ask('bug')), { code: 'E_INTERNAL', message: 'oops' });
});

test('socket: a client that reads nothing gets no more rows than there is room for', async (t) => {
  let made = 0;
  let isEnded: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    isEnded = resolve;
  });
  const row = 'x'.repeat(10_000);
  const { path } = await served(
    t,
    async function* () {
      try {
        for (; made < 100_000; made++) yield row;
      } finally {
        isEnded();
      }
    },
    { idleMs: 100 },
  );
  const client = opened(path, 'all\n');
  // It is cut off for reading nothing, which ends the work for it.
  await ended;
  assert.ok(made < 1_000, `${made} rows of 10 kB were made for nobody`);
  client.destroy();
});

test('socket: a client that goes away ends the work for it', async (t) => {
  let isEnded: () => void = () => undefined;
  const ended = new Promise<void>((resolve) => {
    isEnded = resolve;
  });
  const { ask } = await served(t, async function* () {
    try {
      for (;;) yield 'row';
    } finally {
      isEnded();
    }
  });
  for await (const row of await ask('endless')) {
    assert.equal(row, 'row');
    break;
  }
  await ended;
});

test('socket: a request without end, or none at all, is cut off', async (t) => {
  const { path } = await served(t, echo, { requestBytesMax: 1_000, idleMs: 100 });
  const talker = opened(path, 'y'.repeat(5_000));
  await Promise.all([closed(talker), closed(opened(path))]);
});

test('socket: more clients than allowed are turned away, the others are answered', async (t) => {
  let release: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  const handle = async function* () {
    await gate;
    yield 'late';
  };
  const { path } = await served(t, handle, { clientsMax: 2 });
  const [first, second] = [opened(path, 'q\n'), opened(path, 'q\n')];
  await Promise.all([once(first, 'connect'), once(second, 'connect')]);
  await closed(opened(path, 'q\n'));
  release();
  const [text] = await once(first, 'data');
  assert.match(String(text), /^\+late/);
  second.destroy();
});

test('socket: while it answers slowly a patient client is not cut off', async (t) => {
  let release: () => void = () => undefined;
  const gate = new Promise<void>((resolve) => {
    release = resolve;
  });
  const handle = async function* () {
    await gate;
    yield 'done';
  };
  const { ask, path } = await served(t, handle, { idleMs: 50 });
  const answer = all(await ask('q'));
  // Two that say nothing are cut off one after the other, which takes longer than idling may.
  await closed(opened(path));
  await closed(opened(path));
  release();
  assert.deepEqual(await answer, ['done']);
});

test('socket: closing cuts off who is being answered, with a word about it', async (t) => {
  const { ask, server } = await served(t, async function* () {
    yield 'first';
    await new Promise(() => undefined);
  });
  const rows = (await ask('q'))[Symbol.asyncIterator]();
  assert.equal((await rows.next()).value, 'first');
  await server.close();
  await assert.rejects(Promise.resolve(rows.next()), { code: 'E_STORE_DOWN' });
});

/** `orb serve` and its tokens: exit codes, and what is said (A3, L3). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { WebPlace } from '../../ports/web-server.ts';
import { FakeSession, type FakeWorld, fakeWorld } from './fake-world.test.ts';
import { runCli } from './run.ts';

function listening(world: FakeWorld) {
  const places: WebPlace[] = [];
  const closed: string[] = [];
  let isListening = (): void => undefined;
  const began = new Promise<void>((resolve) => {
    isListening = resolve;
  });
  const listen: FakeWorld['listen'] = async (_site, place) => {
    places.push(place);
    isListening();
    return { address: place.bind, port: 7_070, close: async () => void closed.push('listener') };
  };
  return { world: { ...world, listen }, places, closed, began };
}

test('serve: beyond loopback it does not start without a token, and says what to do', async () => {
  const world = fakeWorld({ argv: ['serve', '--bind', '0.0.0.0'] });
  assert.equal(await runCli(world), 4);
  assert.match(world.err(), /orb serve token add NAME/);
  assert.deepEqual(world.requests, []);
});

test('serve: drains at a signal, and its exit code says which', async () => {
  for (const [signal, code] of [
    ['SIGTERM', 143],
    ['SIGINT', 130],
  ] as const) {
    const session = new FakeSession({});
    const fake = fakeWorld({ argv: ['serve'], session });
    const { world, began, closed, places } = listening(fake);
    const end = runCli(world);
    await Promise.race([began, end]);
    await new Promise(setImmediate);
    fake.signal(signal);
    assert.equal(await end, code);
    assert.deepEqual(session.told, ['drain', 'close']);
    assert.deepEqual([closed, places], [['listener'], [{ bind: '127.0.0.1', port: 7_070 }]]);
    assert.match(fake.err(), /http:\/\/127\.0\.0\.1:7070\//);
    const [request] = fake.requests;
    assert.deepEqual([request?.dir, request?.seeds, request?.asMade], ['.orb/serve', [], true]);
    assert.equal(request?.settings.recrawl.keepFresh, true);
  }
});

test('serve: a crawl that ended at a limit is still answered for', async () => {
  const session = new FakeSession({ end: 'done' });
  const fake = fakeWorld({ argv: ['serve'], session });
  const { world, began } = listening(fake);
  const end = runCli(world);
  await Promise.race([began, end]);
  while (!/goes on answering/.test(fake.err())) await new Promise(setImmediate);
  fake.signal('SIGTERM');
  assert.equal(await end, 143);
});

test('serve: when nobody can listen, the folder is let go', async () => {
  const session = new FakeSession({});
  const world = fakeWorld({ argv: ['serve'], session });
  assert.equal(await runCli(world), 1);
  assert.deepEqual(session.told, ['close']);
});

test('serve token: shown once, kept as a hash, listed, removed', async () => {
  const files: Record<string, string> = {};
  const call = async (...argv: string[]) => {
    const world = fakeWorld({ argv: ['serve', 'token', ...argv], files });
    const code = await runCli(world);
    Object.assign(files, Object.fromEntries(world.files));
    return { code, out: world.out(), err: world.err() };
  };
  const added = await call('add', 'ci', '--role', 'operate');
  assert.deepEqual([added.code, added.out], [0, 'a secret\n']);
  assert.ok(!(files['.orb/tokens.json'] ?? 'a secret').includes('a secret'));
  assert.equal((await call('add', 'ci')).code, 2);
  assert.equal((await call('add', 'a b')).code, 2);
  assert.match((await call('list')).out, /^ci {2}operate {2}/);
  assert.equal((await call('remove', 'nobody')).code, 2);
  assert.equal((await call('remove', 'ci')).code, 0);
  assert.equal((await call('list')).out, '');
  assert.equal((await call('frob', 'x')).code, 2);
});

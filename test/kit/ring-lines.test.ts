/** The network that the tests of a ring cut: silence and nothing else, between the right nodes. */
import assert from 'node:assert/strict';
import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { connect, createServer, type Socket } from 'node:net';
import { type TestContext, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { RingLines } from './ring-lines.ts';

const skip = process.platform === 'linux' ? false : 'who dials is read from /proc';
const [HERE, THERE, NEAR] = ['127.0.0.2', '127.0.0.3', '127.0.0.4'] as const;
const CHILD = fileURLToPath(new URL('./ring-lines.child.ts', import.meta.url));

/** This process dials from HERE; a server behind a relay says in capitals what it hears. */
async function world(t: TestContext) {
  const lines = new RingLines();
  lines.settle(HERE, process.pid);
  const open = async (host: string) => {
    const relay = await lines.relay(host);
    const sockets = new Set<Socket>();
    const server = createServer((socket) => {
      sockets.add(socket);
      socket.on('data', (bytes) => socket.write(bytes.toString().toUpperCase()));
      socket.on('error', () => undefined);
    });
    const [at = '', port] = relay.listen.split(':');
    server.listen(Number(port), at);
    await once(server, 'listening');
    t.after(() => {
      for (const socket of sockets) socket.destroy();
      server.close();
      relay.close();
    });
    return relay.announce;
  };
  return { lines, there: await open(THERE), near: await open(NEAR) };
}

function dial(t: TestContext, announce: string): Socket {
  const [host = '', port] = announce.split(':');
  const socket = connect({ host, port: Number(port) });
  t.after(() => socket.destroy());
  return socket;
}

async function heard(socket: Socket): Promise<string> {
  return String((await once(socket, 'data'))[0]);
}

test('lines: a cut is silence between the two sides, and healed, all of it arrives', {
  skip,
}, async (t) => {
  const { lines, there, near } = await world(t);
  const [far, close] = [dial(t, there), dial(t, near)];
  far.write('one');
  assert.equal(await heard(far), 'ONE');

  lines.cut(new Set([THERE]));
  let early = '';
  const listen = (bytes: Buffer) => {
    early += bytes;
  };
  far.on('data', listen);
  far.write('two');
  const late = dial(t, there);
  late.write('three');
  // The other side of the cut is reached, a few times over: silence is no slowness.
  for (let n = 0; n < 5; n++) {
    close.write('x');
    assert.equal(await heard(close), 'X');
  }
  assert.equal(early, '');
  assert.ok(!far.destroyed && !late.destroyed);

  far.off('data', listen);
  lines.heal();
  assert.equal(await heard(far), 'TWO');
  assert.equal(await heard(late), 'THREE');
  assert.deepEqual(lines.counts, { passages: 3, unknown: 0 });
});

test('lines: who dials is known by its process, and a stranger is not cut', { skip }, async (t) => {
  const { lines, there } = await world(t);
  const child: ChildProcess = fork(CHILD, [there]);
  t.after(() => child.kill('SIGKILL'));
  await once(child, 'message');
  lines.cut(new Set([THERE]));
  child.send('dial');
  assert.deepEqual((await once(child, 'message'))[0], 'HELLO', 'nobody knows it');
  lines.heal();

  lines.settle(NEAR, child.pid as number);
  lines.cut(new Set([THERE, NEAR]));
  child.send('dial');
  assert.deepEqual((await once(child, 'message'))[0], 'HELLO', 'on the same side');
  const mine = dial(t, there);
  let said = '';
  mine.on('data', (bytes) => {
    said += bytes;
  });
  mine.write('mine');
  child.send('dial');
  await once(child, 'message');
  assert.equal(said, '');
});

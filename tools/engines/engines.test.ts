import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { mkdir, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type TestContext, test } from 'node:test';
import type { Engine } from './engine.ts';
import { enginesNamed } from './list.ts';
import { had, shelfIn } from './obtain.ts';
import { beganAt, beganIn, isAlive, launch, signal, stop } from './processes.ts';
import { startEngine } from './start.ts';
import { isUp, State, stopEngine } from './state.ts';

async function scratch(t: TestContext): Promise<string> {
  const dir = await mkdtemp(join(tmpdir(), 'orbe-'));
  t.after(() => rm(dir, { recursive: true, force: true }));
  return dir;
}

/** A server that is Node with one line; it answers when its file is there. */
function toy(script: string): Engine {
  return {
    ...{ name: 'toy', variable: 'ORB_LIVE_TOY', obtain: async () => process.execPath },
    plan: async ({ programs, dir, port }) => ({
      address: join(dir, `${await port()}`),
      commands: ['one', 'two'].map((name) => ({
        ...{ name, program: programs, args: ['-e', script, join(dir, name)] },
      })),
    }),
    answers: async (address) => {
      for (const name of ['one', 'two']) await readFile(join(address, '..', name));
    },
  };
}

const SERVES = "fs.writeFileSync(process.argv[1], ''); setInterval(() => {}, 1000)";
const ENDS = "console.log('no licence'); process.exit(3)";

test('a process: its beginning is read past a name with spaces and parentheses', () => {
  const rest = ['S', ...Array.from({ length: 18 }, (_, i) => `${i}`), '4711', '0'];
  assert.equal(beganIn(`7 (a) b (c)) ${rest.join(' ')}`, 'boot'), 'boot 4711');
});

test('a process: a zombie counts as gone', () => {
  assert.equal(beganIn(`7 (x) Z ${'0 '.repeat(20)}`, 'boot'), undefined);
});

test('a process: an id that belongs to another by now is left alone', async () => {
  const began = beganAt(process.pid);
  assert.ok(began);
  assert.ok(isAlive({ pid: process.pid, began }));
  const somebodyElse = { pid: process.pid, began: `${began}1` };
  assert.equal(signal(somebodyElse, 'SIGKILL'), false);
  await stop(somebodyElse);
});

test('a process: one that does not listen to SIGTERM is ended all the same', async (t) => {
  const dir = await scratch(t);
  const args = ['-e', `process.on('SIGTERM', () => {}); ${SERVES}`, join(dir, 'up')];
  const deaf = launch({ name: 'deaf', program: process.execPath, args }, dir);
  while (!existsSync(join(dir, 'up'))) await new Promise(setImmediate);
  await stop(deaf, 'SIGTERM', 100);
  assert.equal(isAlive(deaf), false);
});

test('an engine: is on disk while it runs, and gone from there afterwards', async (t) => {
  const dir = await scratch(t);
  await startEngine(toy(SERVES), dir, shelfIn(join(dir, 'shelf')));
  const found = new State(dir).get('toy');
  assert.ok(found && isUp(found));
  assert.deepEqual(
    found.processes.map(({ command }) => command.name),
    ['one', 'two'],
  );
  await stopEngine(new State(dir), found);
  assert.equal(found.processes.some(isAlive), false);
  assert.deepEqual(new State(dir).all(), []);
});

test('an engine: one process killed, restart brings back that one only', async (t) => {
  const dir = await scratch(t);
  const running = await startEngine(toy(SERVES), dir, shelfIn(join(dir, 'shelf')));
  const idsOf = () =>
    new Map(new State(dir).get('toy')?.processes.map((p) => [p.command.name, p.pid]));
  const before = idsOf();
  await running.kill('two');
  await running.restart();
  assert.equal(idsOf().get('one'), before.get('one'));
  assert.notEqual(idsOf().get('two'), before.get('two'));
  await running.stop();
});

test('an engine: one that ends by itself says its last words, and leaves nothing', async (t) => {
  const dir = await scratch(t);
  await assert.rejects(startEngine(toy(ENDS), dir, shelfIn(dir)), /toy has ended.*no licence/s);
  assert.deepEqual(new State(dir).all(), []);
});

test('a state file that is no JSON: is an error, not an empty list', async (t) => {
  const dir = await scratch(t);
  await mkdir(join(dir, 'state'));
  await writeFile(join(dir, 'state', 'toy.json'), '{');
  assert.throws(() => new State(dir).all(), /toy\.json cannot be read/);
});

test('a shelf: is filled once; what failed leaves nothing behind', async (t) => {
  const dir = await scratch(t);
  const shelf = shelfIn(dir);
  await assert.rejects(
    shelf.keep('a', () => Promise.reject(new Error('no net'))),
    /no net/,
  );
  const kept = await shelf.keep('a', (draft) => writeFile(join(draft, 'x'), '1'));
  await shelf.keep('a', () => Promise.reject(new Error('filled twice')));
  assert.equal(await readFile(join(kept, 'x'), 'utf8'), '1');
});

test('a shelf: two who ask at once wait for one filling', async (t) => {
  const shelf = shelfIn(await scratch(t));
  let fillings = 0;
  const fill = async (draft: string) => {
    fillings++;
    await writeFile(join(draft, 'x'), '1');
  };
  await Promise.all([shelf.keep('a', fill), shelf.keep('a', fill)]);
  assert.equal(fillings, 1);
});

test('a tool that fails: is asked again, and told in its own words when it does not help', async () => {
  const fails = (times: number) => (tries: number) =>
    tries > times ? Promise.resolve() : Promise.reject({ stderr: `E: no net, try ${tries}\n` });
  await had('it', 'sh', fails(2), 1);
  await assert.rejects(had('it', 'sh', fails(3), 1), /it cannot be had: E: no net, try 3/);
  await assert.rejects(had('it', 'no-such-tool', fails(0), 1), /no no-such-tool here to ask/);
});

test('names of engines: an unknown one is told with those that there are', () => {
  assert.throws(() => enginesNamed(['postgrse']), /no engine postgrse: there are postgres/);
});

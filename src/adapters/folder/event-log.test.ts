import assert from 'node:assert/strict';
import { appendFile, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { it } from 'node:test';
import type { FetchEvent } from '../../events/index.ts';
import { killAfter } from '../../ports/crash.contract.ts';
import { eventLogContract } from '../../ports/event-log.contract.ts';
import { type FolderEventLog, openFolderEvents } from './event-log.ts';
import { FailingDisk, scratchFolder } from './scratch.testkit.ts';

const CHILD = new URL('./killed.testkit.ts', import.meta.url);
/** Small, so that the contract walks over many files. */
const SEGMENT_BYTES_MAX = 5_000;

eventLogContract('folder', {
  async open() {
    const options = { folder: await scratchFolder(), segmentBytesMax: SEGMENT_BYTES_MAX };
    const log = await openFolderEvents(options);
    const again = async (before: () => Promise<void>) => {
      await log.close();
      await before();
      return openFolderEvents(options);
    };
    return {
      log,
      reopen: () => again(async () => {}),
      tear: () =>
        again(async () => {
          const newest = (await readdir(options.folder)).sort().at(-1) as string;
          await appendFile(join(options.folder, newest), '{"v":1,"id":"torn","ti');
        }),
    };
  },
  async crash(steps) {
    const folder = await scratchFolder();
    const done = await killAfter(steps, CHILD, ['events', folder]);
    return { steps: done, log: await openFolderEvents({ folder }) };
  },
});

function event(id: string): FetchEvent {
  return {
    v: 1,
    id,
    kind: 'page',
    url: 'https://a.test/',
    host: 'a.test',
    address: '127.0.0.1',
    startedAt: 1,
    answeredAt: 2,
    endedAt: 3,
    delayMs: 1_000,
    status: 200,
    bytes: 4,
    urlHash: 'ab',
  };
}

async function ids(log: FolderEventLog, after?: string): Promise<string> {
  const read: string[] = [];
  for await (const logged of log.read(after)) read.push(logged.event.id);
  return read.join(' ');
}

it('folder events: lines that are no events: passed over and counted, the rest is read', async () => {
  const folder = await scratchFolder();
  const lines = [
    JSON.stringify(event('a')),
    '{"v":1,"id":"half',
    '',
    'null',
    '[]',
    '"text"',
    '\0\0\0\0',
    JSON.stringify({ ...event('newer'), v: 2 }),
    JSON.stringify(event('b')),
  ];
  await writeFile(join(folder, 'events-000001.jsonl'), `${lines.join('\n')}\n`);
  const log = await openFolderEvents({ folder });
  assert.equal(await ids(log), 'a b');
  assert.equal(log.passedOver, 7);
  await log.close();
});

it('folder events: a line longer than what is read at once: whole', async () => {
  const log = await openFolderEvents({ folder: await scratchFolder() });
  const long = { ...event('long'), title: 'é'.repeat(400_000) };
  await log.publish([event('a'), long, event('b')]);
  const read: FetchEvent[] = [];
  for await (const logged of log.read()) read.push(logged.event);
  assert.deepEqual(read, [event('a'), long, event('b')]);
  await log.close();
});

it('folder events: a torn end of any length, also of a whole file: cut off on open', async () => {
  const folder = await scratchFolder();
  const path = join(folder, 'events-000001.jsonl');
  const whole = `${JSON.stringify(event('a'))}\n`;
  const tail = JSON.stringify({ ...event('b'), title: 'x'.repeat(600_000) });
  for (const length of [1, 100, tail.length - 1, tail.length]) {
    for (const before of ['', whole]) {
      await writeFile(path, before + tail.slice(0, length));
      const log = await openFolderEvents({ folder });
      assert.equal(await readFile(path, 'utf8'), before);
      assert.equal(await ids(log), before === '' ? '' : 'a');
      await log.close();
    }
  }
});

it('folder events: old files removed by hand: read from the oldest that is left', async () => {
  const folder = await scratchFolder();
  const log = await openFolderEvents({ folder, segmentBytesMax: 10 });
  for (const id of ['a', 'b', 'c']) await log.publish([event(id)]);
  await log.close();
  await rm(join(folder, 'events-000001.jsonl'));
  const again = await openFolderEvents({ folder });
  assert.equal(await ids(again), 'b c');
  assert.equal(await ids(again, '1:0'), 'b c');
  await again.close();
});

it('folder events: a cursor inside a line: goes on with the next line', async () => {
  const log = await openFolderEvents({ folder: await scratchFolder() });
  await log.publish([event('a'), event('b'), event('c')]);
  assert.equal(await ids(log, '1:3'), 'b c');
  assert.equal(await ids(log, '1:0'), 'a b c');
  assert.equal(await ids(log, '1:999999'), '');
  assert.equal(await ids(log, '7:0'), '');
  await log.close();
});

it('folder events: a cursor that is none: refused, with what one looks like', async () => {
  const log = await openFolderEvents({ folder: await scratchFolder() });
  for (const cursor of ['', 'x', '1', '1:', '1:-1', ' 1:1', '1:1e3']) {
    await assert.rejects(ids(log, cursor), { code: 'E_USAGE', hint: /such as 1:4096/ });
  }
  await log.close();
});

it('folder events: the disk fills within a batch and is freed: no event twice or in part', async () => {
  const disk = new FailingDisk();
  const log = await openFolderEvents({
    folder: await scratchFolder(),
    openToWrite: disk.openToWrite,
  });
  await log.publish([event('a')]);
  disk.left = 200;
  await assert.rejects(log.publish([event('b'), event('c')]), { code: 'E_DISK_FULL' });
  assert.equal(await ids(log), 'a');
  disk.left = 100_000;
  await log.publish([event('b'), event('c')]);
  assert.equal(await ids(log), 'a b c');
  assert.equal(log.passedOver, 0);
  await log.close();
});

/** The inbox of an arc: its limits, and what becomes of it when its owner changes. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeMentions, type Mention } from '../events/index.ts';
import { NotOurs } from '../ports/tenures.ts';
import { NO_BYTES } from '../record/index.ts';
import { ToyRing } from './ring.testkit.ts';
import { INBOX_ROWS_MAX, Inbox, URGENT_ROWS_MAX } from './ring-inbox.ts';

function message(...urls: string[]): Uint8Array {
  const places = { depth: 0, hops: 0, outside: 0, parent: NO_BYTES };
  return encodeMentions(urls.map((url) => ({ url, kind: 'page', priority: 0.5, ...places })));
}

/** Reads until so many have come. */
async function read(inbox: Inbox, arc: number, count: number): Promise<string[]> {
  const got: string[] = [];
  const over = new AbortController();
  const tell = async (mentions: readonly Mention[]) => {
    got.push(...mentions.map(({ url }) => url));
    if (got.length >= count) over.abort();
  };
  await inbox.read(arc, tell, over.signal);
  return got;
}

test('inbox: full: later; urgent: let in; read: room again', async () => {
  const node = new ToyRing().join();
  const inbox = new Inbox(node.table('i'), node);
  const add = (isUrgent = false) => inbox.add(3, message('https://a.test/'), isUrgent);
  const taken = await Promise.all(Array.from({ length: INBOX_ROWS_MAX }, () => add()));
  assert.ok(taken.every(Boolean));
  assert.equal(await add(), false);
  assert.equal(await add(true), true);
  assert.equal(await add(), false);
  await read(inbox, 3, INBOX_ROWS_MAX + 1);
  assert.equal(await add(), true);
});

test('inbox: another owner takes over: what waits is counted, told first, and in order', async () => {
  const ring = new ToyRing();
  const [one, two] = [ring.join(), ring.join()];
  const before = new Inbox(one.table('i'), one);
  for (let n = 0; n < 40; n++) await before.add(4, message(`https://a.test/${n}`), false);
  ring.give(4, two);
  const after = new Inbox(two.table('i'), two);
  for (let n = 40; n < 50; n++) await after.add(4, message(`https://a.test/${n}`), false);
  await assert.rejects(before.add(4, message('https://a.test/'), false), NotOurs);
  const expected = Array.from({ length: 50 }, (_, n) => `https://a.test/${n}`);
  assert.deepEqual(await read(after, 4, 50), expected);
});

test('inbox: no end to what is urgent but one: the disk is not the askers', async () => {
  const node = new ToyRing().join();
  const rows = node.table('i');
  const inbox = new Inbox({ ...rows, count: async () => URGENT_ROWS_MAX }, node);
  assert.equal(await inbox.add(5, message('https://a.test/'), true), false);
});

test('inbox: what is not canonical is passed over', async () => {
  const node = new ToyRing().join();
  const inbox = new Inbox(node.table('i'), node);
  await inbox.add(6, message('https://A.test/', 'javascript:0', 'https://a.test/'), false);
  assert.deepEqual(await read(inbox, 6, 1), ['https://a.test/']);
});

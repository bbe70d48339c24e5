/** The book of a ring on the simplest ring there is: questions are heard twice now and then. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { systemClock } from '../adapters/node/index.ts';
import { jobBookContract } from '../ports/job-book.contract.ts';
import type { JobEntry } from '../ports/job-book.ts';
import { ToyRing } from './ring.testkit.ts';
import { RingBook } from './ring-book.ts';
import { Caller } from './ring-caller.ts';

let books = 0;

function bookOn(ring: ToyRing): RingBook {
  const node = ring.join();
  const holder = `node ${++books}`;
  const table = node.table('k');
  return new RingBook({ arcs: node, calls: node, table, clock: systemClock(), holder });
}

jobBookContract('toy ring', async () => {
  const ring = new ToyRing();
  return { book: bookOn(ring), reopen: async () => bookOn(ring) };
});

const JOB: JobEntry = {
  ...{ id: 7, name: 'a job', createdAt: 1, seeds: 1, priority: 'normal', scope: 'host' },
};

test('ring book: more jobs and seeds than an answer holds: all of them, in order', async () => {
  const ring = new ToyRing();
  const [book, other] = [bookOn(ring), bookOn(ring)];
  const long = 'x'.repeat(900);
  const seeds = Array.from({ length: 300 }, (_, nth) => `https://example.com/${nth}/${long}`);
  for (let id = 0; id < 150; id++) await book.put({ ...JOB, id, name: `${id} ${long}` });
  await book.addSeeds(7, seeds);
  await other.addSeeds(7, ['https://example.org/']);
  const all = await other.all();
  assert.deepEqual(
    all.map(({ id }) => id),
    Array.from({ length: 150 }, (_, id) => id),
  );
  assert.deepEqual(await other.seeds(7), [...seeds, 'https://example.org/']);
});

test('ring book: opened, and its answer lost with the owner: true again, for nobody else', async () => {
  const ring = new ToyRing();
  bookOn(ring);
  bookOn(ring);
  const [one, two] = ring.nodes;
  const question = new Caller('one').question(
    Buffer.from(JSON.stringify({ kind: 'open', entry: JOB })),
  );
  const ask = (node = one) => node?.answerOf('book')?.(question, 0) as Promise<Uint8Array>;
  assert.equal(String(await ask()), String(Buffer.from('{"isNew":true}')));
  ring.give(0, two as NonNullable<typeof two>);
  assert.equal(Buffer.from(await ask(two)).toString(), '{"isNew":true}');
  const other = new Caller('two').question(question.subarray(14));
  const told = await two?.answerOf('book')?.(other, 0);
  assert.equal(Buffer.from(told ?? []).toString(), '{"isNew":false}');
});

test('ring book: a receipt with more refused URLs than fit: fewer are shown', async () => {
  const book = bookOn(new ToyRing());
  const refused = Array.from({ length: 100 }, () => ({ url: '\u0001'.repeat(200), reason: 'no' }));
  const receipt = { queued: 0, known: 0, refusedCount: 5_000, refused, startAt: 5 };
  await book.put({ ...JOB, receipt });
  const [kept] = await book.all();
  assert.equal(kept?.receipt?.refusedCount, 5_000);
  assert.ok((kept?.receipt?.refused.length ?? 0) >= 5);
});

test('ring book: what is no question is answered with nothing, and changes nothing', async () => {
  const ring = new ToyRing();
  const book = bookOn(ring);
  const ask = (body: unknown) =>
    ring.nodes[0]?.askOwner(0, 'book', new Caller('x').question(Buffer.from(JSON.stringify(body))));
  for (const body of [
    null,
    [],
    { kind: 'drop' },
    { kind: 'open', entry: { ...JOB, id: -1 } },
    { kind: 'put', entry: { ...JOB, priority: 'urgent' } },
    { kind: 'put', entry: { ...JOB, receipt: { refused: 'all' } } },
    { kind: 'add', job: 2 ** 32, at: 0, urls: 'x' },
    { kind: 'seeds', job: 1, after: '../..' },
  ]) {
    assert.equal((await ask(body))?.length, 0, JSON.stringify(body));
  }
  assert.equal((await ring.nodes[0]?.askOwner(0, 'book', Buffer.from('short')))?.length, 0);
  assert.deepEqual(await book.all(), []);
});

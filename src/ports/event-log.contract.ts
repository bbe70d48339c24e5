/**
 * The promises of the `EventLog` port, proved of any adapter.
 *
 *   eventLogContract('folder', { open, … })
 *
 * What an engine cannot do is left out of its case; the tests of it say so and are skipped.
 */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import fc from 'fast-check';
import type { FetchEvent } from '../events/index.ts';
import { stepUntilKilled } from './crash.contract.ts';
import type { EventCursor, EventLog, LoggedEvent, ScrubbableLog } from './event-log.ts';

export interface EventLogCase {
  readonly log: EventLog;
  /** Closes the log and opens another one over what it kept. */
  reopen?(): Promise<EventLog>;
  /** Closes the log, leaves the first half of an event behind its last, and opens it again. */
  tear?(): Promise<EventLog>;
}

export interface EventLogEngine {
  open(): Promise<EventLogCase>;
  /** A log in several parts keeps the order of each host only; others that of everything. */
  readonly order?: 'host';
  /** Runs publishUntilKilled() in a child killed after some steps, and opens what it left. */
  crash?(steps: number): Promise<{ readonly steps: number; readonly log: EventLog }>;
}

export function eventLogContract(name: string, engine: EventLogEngine): void {
  describe(`${name} event-log`, () => {
    inOrder(engine);
    fromCursor(engine);
    content(engine);
    torn(engine);
    scrubbed(engine);
    const { crash } = engine;
    if (crash !== undefined) killed(crash);
  });
}

const EVENTS_PER_STEP = 8;
const HOSTS = 5;

/** The child's side of `crash`. */
export function publishUntilKilled(log: EventLog): Promise<never> {
  return stepUntilKilled((step) => log.publish(stepEvents(step)));
}

function stepEvents(step: number): FetchEvent[] {
  return events(step * EVENTS_PER_STEP, EVENTS_PER_STEP);
}

function events(from: number, count: number): FetchEvent[] {
  return Array.from({ length: count }, (_, i) => event(from + i));
}

/** The nth event; its titles have all lengths up to 2,000. */
function event(nth: number, change: Partial<FetchEvent> = {}): FetchEvent {
  const host = `host-${nth % HOSTS}.test`;
  return {
    v: 1,
    id: String(nth),
    kind: 'page',
    url: `https://${host}/${nth}`,
    host,
    address: '127.0.0.1',
    startedAt: 1_700_000_000_000.25 + nth,
    answeredAt: 1_700_000_000_010 + nth,
    endedAt: 1_700_000_000_020 + nth,
    delayMs: 1_000,
    status: 200,
    bytes: nth,
    urlHash: 'ab'.repeat(32),
    title: 'x'.repeat((nth * 7_919) % 2_000),
    ...change,
  };
}

async function all(log: EventLog, after?: EventCursor): Promise<LoggedEvent[]> {
  const read: LoggedEvent[] = [];
  for await (const logged of log.read(after)) read.push(logged);
  return read;
}

async function ids(log: EventLog, after?: EventCursor): Promise<string[]> {
  return (await all(log, after)).map(idOf);
}

function idOf(logged: LoggedEvent): string {
  return logged.event.id;
}

/** They were read at least once, in the order that the engine promises. */
function assertRead(engine: EventLogEngine, read: readonly string[], all: readonly string[]): void {
  const byHost = (a: string, b: string) => (Number(a) % HOSTS) - (Number(b) % HOSTS);
  const inOrder = (ids: readonly string[]) =>
    engine.order === 'host' ? [...ids].sort(byHost) : ids;
  assert.deepEqual(inOrder([...new Set(read)]), inOrder(all));
}

function numbers(from: number, end: number): string[] {
  return Array.from({ length: end - from }, (_, i) => String(from + i));
}

function inOrder(engine: EventLogEngine): void {
  it('a new log: nothing to read', async () => {
    const { log } = await engine.open();
    assert.deepEqual(await all(log), []);
    await log.publish([]);
    assert.deepEqual(await all(log), []);
    await log.close();
  });

  it('promise 1: what was published: read by every reader, in order', async () => {
    const { log } = await engine.open();
    await log.publish(events(0, 3));
    await log.publish(events(3, 40));
    const [one, other] = await Promise.all([all(log), all(log)]);
    for (const { event: read } of one) assert.deepEqual(read, event(Number(read.id)));
    for (const reading of [one, other]) {
      assertRead(engine, reading.map(idOf), numbers(0, 43));
    }
    await log.close();
  });

  it('promise 1: many publish at once: each host in the order of publishing', async () => {
    const { log } = await engine.open();
    const steps = Array.from({ length: 30 }, (_, step) => log.publish(stepEvents(step)));
    await Promise.all(steps);
    const byHost = new Map<string, number[]>();
    const read = new Map((await all(log)).map((logged) => [logged.event.id, logged.event.host]));
    for (const [id, host] of read) byHost.set(host, [...(byHost.get(host) ?? []), Number(id)]);
    assert.equal(byHost.size, HOSTS);
    for (const [host, order] of byHost) {
      assert.equal(order.length, (30 * EVENTS_PER_STEP) / HOSTS, host);
      assert.deepEqual(
        order,
        [...order].sort((a, b) => a - b),
        host,
      );
    }
    await log.close();
  });

  it('promise 1: published while it is being read: nothing is read out of order', async () => {
    const { log } = await engine.open();
    await log.publish(events(0, 10));
    const read: string[] = [];
    let last: EventCursor | undefined;
    for await (const logged of log.read()) {
      last = logged.cursor;
      if (read.push(logged.event.id) === 5) await log.publish(events(10, 10));
    }
    assertRead(engine, [...read, ...(await ids(log, last))], numbers(0, 20));
    await log.close();
  });
}

function fromCursor(engine: EventLogEngine): void {
  it('promise 2: from any cursor: exactly what came after it', async () => {
    const { log } = await engine.open();
    await log.publish(events(0, 25));
    const read = await all(log);
    for (const [i, { cursor }] of read.entries()) {
      const before = new Set(read.slice(0, i + 1).map(idOf));
      const after = read.slice(i + 1).map(idOf);
      const isNew = (id: string) => !before.has(id);
      assertRead(engine, (await ids(log, cursor)).filter(isNew), [...new Set(after.filter(isNew))]);
    }
    await log.close();
  });

  it('promise 2: from the last cursor: nothing, until more is published', async () => {
    const { log } = await engine.open();
    await log.publish(events(0, 4));
    const last = (await all(log)).at(-1)?.cursor;
    assert.deepEqual(await ids(log, last), []);
    await log.publish(events(4, 2));
    assertRead(engine, await ids(log, last), ['4', '5']);
    await log.close();
  });

  it('promise 2: a cursor from before a restart: goes on behind it', async (t) => {
    const opened = await engine.open();
    await opened.log.publish(events(0, 30));
    const read = await all(opened.log);
    if (opened.reopen === undefined) return t.skip('it forgets when it is closed');
    const log = await opened.reopen();
    await log.publish(events(30, 5));
    const rest = [...read.slice(20).map(idOf), ...numbers(30, 35)];
    assertRead(engine, await ids(log, read[19]?.cursor), rest);
    assertRead(engine, await ids(log), numbers(0, 35));
    await log.close();
  });
}

function content(engine: EventLogEngine): void {
  it('any text in an event: read as it was published', async () => {
    const texts = fc.string({ unit: 'binary', maxLength: 30 });
    const { log } = await engine.open();
    let last: EventCursor | undefined;
    await fc.assert(
      fc.asyncProperty(fc.array(texts, { minLength: 1, maxLength: 8 }), async (titles) => {
        const told = titles.map((title, i) => event(i * HOSTS, { title }));
        await log.publish(told);
        const read = await all(log, last);
        last = read.at(-1)?.cursor;
        assert.deepEqual(
          read.map((logged) => logged.event),
          told,
        );
      }),
      { numRuns: 40 },
    );
    await log.close();
  });

  it('a title that ends inside a character: the whole event is read all the same', async () => {
    const { log } = await engine.open();
    const told = [event(0, { title: 'cut \ud83d' }), event(HOSTS, { title: '\ude00 rest' })];
    await log.publish(told);
    assert.deepEqual(
      (await all(log)).map((logged) => logged.event),
      told,
    );
    await log.close();
  });

  it('fields that this version does not know: kept for those who do', async () => {
    const { log } = await engine.open();
    const future = { ...event(0), mood: { of: ['the', 'server'] } };
    await log.publish([future]);
    assert.deepEqual((await all(log))[0]?.event, future);
    await log.close();
  });
}

function torn(engine: EventLogEngine): void {
  it('promise 4: a torn last event, where one can be: not read, and the next one is', async (t) => {
    const opened = await engine.open();
    await opened.log.publish(events(0, 7));
    const last = (await all(opened.log)).at(-1)?.cursor;
    if (opened.tear === undefined) return t.skip('its events are whole or not there');
    const log = await opened.tear();
    assert.deepEqual(await ids(log), numbers(0, 7));
    await log.publish(events(7, 3));
    assert.deepEqual(await ids(log, last), ['7', '8', '9']);
    assert.deepEqual(await ids(log), numbers(0, 10));
    await log.close();
  });
}

function killed(crash: NonNullable<EventLogEngine['crash']>): void {
  for (const steps of [1, 20, 200]) {
    it(`promise 1: kill -9 after ${steps} batches: all of them are read, none in part`, async () => {
      const left = await crash(steps);
      const read = await all(left.log);
      assert.ok(read.length >= left.steps * EVENTS_PER_STEP, `${read.length} events are left`);
      for (const [nth, { event: one }] of read.entries()) assert.deepEqual(one, event(nth));
      await left.log.publish([event(read.length)]);
      assert.deepEqual(await ids(left.log, read.at(-1)?.cursor), [String(read.length)]);
      await left.log.close();
    });
  }
}

function scrubbed(engine: EventLogEngine): void {
  it('promise 3: scrubbed events say less to every reader; others and cursors are as they were', async (t) => {
    const opened = await engine.open();
    const log = opened.log as ScrubbableLog;
    if (log.scrub === undefined) return t.skip('what is in it stays until its time has come');
    await log.publish(events(0, 60));
    const before = await all(log);
    const less = (one: FetchEvent): FetchEvent => ({ ...one, url: 'erased:', title: '' });
    const fits = ({ url }: FetchEvent) => /\/1[0-9]$/.test(url);
    assert.equal(await log.scrub(fits, less, '/1'), 10);
    assert.equal(await log.scrub(fits, less), 0, 'there are none left');
    const again = (await opened.reopen?.()) ?? log;
    const expected = before.map((one) => {
      return fits(one.event) ? { ...one, event: less(one.event) } : one;
    });
    assert.deepEqual(await all(again), expected);
    assert.deepEqual(await ids(again, before[30]?.cursor), numbers(31, 60));
    await again.publish(events(60, 1));
    assert.equal((await all(again)).length, 61);
    await again.close();
  });
}

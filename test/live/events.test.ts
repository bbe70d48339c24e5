/**
 * The event contract (E1): what an independent reader finds in `pages` after a crawl of the test
 * web. kcat shares no code with us, the schema is the one that is published in docs/reference,
 * and which pages there are is the web's own truth.
 */
import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { before, describe, test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { type Broker, KafkaEventLog } from '../../src/adapters/kafka/index.ts';
import {
  localOwnership,
  MemoryBlobStore,
  MemoryNearIndex,
  MemoryShardStore,
  openMemoryFilter,
} from '../../src/adapters/memory/index.ts';
import {
  openHttp,
  openResolver,
  systemClock,
  systemRandom,
} from '../../src/adapters/node/index.ts';
import { inlinePool } from '../../src/adapters/node/inline-pool.ts';
import { isRefusal, resolveSettings } from '../../src/config/index.ts';
import { CrawlNode, seedMention } from '../../src/crawl/index.ts';
import * as plan from '../../src/crawl/plan.ts';
import type { FetchEvent } from '../../src/events/index.ts';
import type { EventLog } from '../../src/ports/event-log.ts';
import type { UrlRecord } from '../../src/record/index.ts';
import { kafka } from '../../tools/engines/kafka.ts';
import { obtainKcat, type ReadMessage, readTopic } from '../../tools/engines/kcat.ts';
import { SHELF } from '../../tools/engines/list.ts';
import { liveEngine, openWebFor, type TestWeb } from '../kit/index.ts';

const { address, skip } = liveEngine(kafka);
const SCHEMA = new URL('../../docs/reference/events.schema.json', import.meta.url);

/** A crawl in memory, but for its network and its events. */
async function crawl(web: TestWeb, events: EventLog): Promise<UrlRecord[]> {
  const flags = [...web.flags, '--allow-private', '--rate', 'max', '--scope', 'any'];
  const resolved = resolveSettings({ argv: [web.start, ...flags] });
  assert.ok(!isRefusal(resolved));
  const { settings, seeds } = resolved;
  const [clock, store] = [systemClock(), new MemoryShardStore()];
  const addresses = plan.addressRulesFrom(settings);
  const http = openHttp({ clock, addresses, acceptBadTls: false, allowH2: false });
  const stored: UrlRecord[] = [];
  const node = await CrawlNode.open(
    {
      ...{ clock, random: systemRandom(), pool: inlinePool(), http, store, records: store, events },
      resolver: openResolver({ clock, addresses, servers: settings.network.dns }),
      ...{ blobs: new MemoryBlobStore(), near: new MemoryNearIndex() },
      filter: openMemoryFilter({ expectedKeys: 10_000, falsePositiveRate: 0.001, complete: true }),
      ownership: localOwnership(),
    },
    {
      politeness: plan.politenessFrom(settings),
      admit: plan.admitRulesFrom(settings, seeds),
      visit: plan.visitRulesFrom(settings, seeds),
      budget: plan.budgetFrom(settings, clock.now()),
      concurrency: settings.fetch.concurrency,
      patienceMs: settings.limits.patienceMs,
      recrawl: plan.recrawlFrom(settings),
      ...{ keepFresh: false, wasClean: true },
      onPage: ({ record }) => void stored.push(record),
    },
  );
  await node.plant(seeds.map((url) => seedMention(url, 'page', 1)));
  await node.run();
  await http.close();
  return stored;
}

describe('events in Kafka, read by kcat', { skip }, () => {
  let read: readonly ReadMessage[] = [];
  let events: readonly FetchEvent[] = [];
  let stored: readonly UrlRecord[] = [];
  const published: FetchEvent[] = [];
  let web: TestWeb;
  const ends: (() => unknown)[] = [];

  before(async () => {
    const cleanup = { after: (end: () => unknown) => void ends.push(end) };
    web = await openWebFor(cleanup, { hosts: 12, pages: 300, features: 'honest' });
    const broker: Broker = { addresses: [address], prefix: `e${process.pid}-` };
    const log = await KafkaEventLog.open(broker, systemClock());
    stored = await crawl(web, {
      publish(events) {
        published.push(...events);
        return log.publish(events);
      },
      read: (after) => log.read(after),
      close: () => log.close(),
    });
    await log.close();
    const program = await obtainKcat(SHELF);
    read = await readTopic(program, address, `${broker.prefix}pages`);
    events = read.map(({ payload }) => JSON.parse(payload ?? 'null') as FetchEvent);
    for (const end of ends) await end();
  });

  test('every message fits the published schema, and no field is missing from it', () => {
    const schema = JSON.parse(readFileSync(SCHEMA, 'utf8')) as {
      $defs: { pages: { additionalProperties?: boolean } };
    };
    schema.$defs.pages.additionalProperties = false;
    const ajv = new Ajv2020({ allErrors: true });
    ajv.addSchema(schema, 'events');
    const fits = ajv.compile({ $ref: 'events#/$defs/pages' });
    for (const event of events) {
      assert.ok(fits(event), `${ajv.errorsText(fits.errors)}: ${JSON.stringify(event)}`);
    }
    assert.ok(events.length > 300);
  });

  test('every stored page is there, and every page that the server was asked for', () => {
    const told = new Set(events.map(({ url }) => url));
    assert.ok(stored.length >= 200, `${stored.length} pages were stored`);
    assert.deepEqual(
      stored.filter(({ url }) => !told.has(url)).map(({ url }) => url),
      [],
    );
    const asked = new Set([...web.server.log.requests()].map(({ url }) => url));
    assert.deepEqual(
      [...asked].filter((url) => !told.has(url)),
      [],
    );
  });

  test('a message is keyed by its host, and a host is in one partition', () => {
    const partitions = new Map<string, Set<number>>();
    for (const [i, { key, partition }] of read.entries()) {
      const { host } = events[i] as FetchEvent;
      assert.equal(key, host);
      partitions.set(host, (partitions.get(host) ?? new Set()).add(partition));
    }
    for (const [host, places] of partitions) assert.equal(places.size, 1, host);
    assert.ok(partitions.size >= 12);
  });

  test('each host is read in the order in which its fetches were published', () => {
    const idsOf = (some: readonly FetchEvent[]) =>
      new Map(
        some.map(({ host }) => [
          host,
          some.filter((event) => event.host === host).map(({ id }) => id),
        ]),
      );
    const [ours, theirs] = [idsOf(published), idsOf(events)];
    for (const [host, ids] of ours) assert.deepEqual(theirs.get(host), ids, host);
    assert.equal(theirs.size, ours.size);
  });

  test('of one URL, a later fetch is told later', () => {
    const last = new Map<string, number>();
    for (const { startedAt, url } of events) {
      assert.ok(startedAt >= (last.get(url) ?? 0), `${url} comes after a later request for it`);
      last.set(url, startedAt);
    }
  });

  test('a fetch that is told twice has one id', () => {
    const fetches = new Map(events.map((event) => [event.id, event]));
    for (const event of events) assert.deepEqual(fetches.get(event.id), event);
  });
});

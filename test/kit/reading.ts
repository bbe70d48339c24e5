/** A node's desk for parsers behind the real server, and parsers that only know its API. */
import { listenWeb, openReadingLender } from '../../src/adapters/api/index.ts';
import { systemClock, systemRandom } from '../../src/adapters/node/index.ts';
import { inlinePool } from '../../src/adapters/node/inline-pool.ts';
import type { Digest, RawPage } from '../../src/content/index.ts';
import { Hand } from '../../src/crawl/hand.ts';
import { Readings } from '../../src/crawl/readings.ts';
import { siteOf } from '../../src/edge/api/index.ts';
import { parseEndpoints } from '../../src/edge/api/parse.ts';
import type { ParserPool } from '../../src/ports/parser-pool.ts';

export interface ReadingDesk {
  readonly at: string;
  readonly readings: Readings;
  readonly bugs: readonly unknown[];
  close(): Promise<void>;
}

const DECODED_BYTES_MAX = 1_000_000;

export async function openReadingDesk(pluginTypes: readonly string[] = []): Promise<ReadingDesk> {
  const clock = systemClock();
  const bugs: unknown[] = [];
  const readings = new Readings(
    { clock, random: systemRandom() },
    { pluginTypes, decodedBytesMax: DECODED_BYTES_MAX },
  );
  const site = siteOf(parseEndpoints(readings), {
    ...{ clock, names: [], tokens: [], isOpen: true, requestsPerSecond: 10_000 },
    onBug: (error) => bugs.push(error),
  });
  const listener = await listenWeb(site, { bind: '127.0.0.1', port: 0 });
  const close = async () => {
    await readings.close();
    await listener.close();
  };
  return { at: `http://127.0.0.1:${listener.port}/`, readings, bugs, close };
}

export function startParser(at: string, name: string, pool: ParserPool = inlinePool()) {
  const parser = new Hand<RawPage, Digest>(systemClock(), {
    do: ({ job }) => pool.digest(job),
    bytesOf: ({ bodyBytes }) => bodyBytes,
    atOnce: 16,
  });
  const run = parser.run([openReadingLender({ url: at, worker: name, types: [] })]);
  const end = async () => {
    parser.abort();
    await run;
  };
  return { parser, end };
}

/** A pool of another process's making, as far as its pages can tell. */
export async function openRemotePool(): Promise<ParserPool> {
  const desk = await openReadingDesk();
  const { end } = startParser(desk.at, 'one');
  return {
    digest: (page) => desk.readings.digest(page),
    close: async () => {
      await desk.close();
      await end();
    },
  };
}

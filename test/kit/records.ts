/** What a crawl's folder says about URLs and hosts, read from a copy after the crawl has ended. */
import { cp } from 'node:fs/promises';
import { join } from 'node:path';
import { openEngines } from '../../src/compose.ts';
import { WHOLE_CIRCLE } from '../../src/ports/shard-store.ts';
import type { HostRecord, UrlKey, UrlRecord } from '../../src/record/index.ts';
import { type Cleanup, scratch } from './place.ts';

export interface Records {
  readonly urls: ReadonlyMap<string, UrlRecord>;
  /** By url key, in hex: what `original` and `parent` point at. */
  readonly byKey: ReadonlyMap<string, UrlRecord>;
  /** By `host` as in a URL, with its port. */
  readonly hosts: ReadonlyMap<string, HostRecord>;
}

const ROWS = 1_000;

export const keyText = (key: Uint8Array): string => Buffer.from(key).toString('hex');

export async function recordsOf(t: Cleanup, dir: string): Promise<Records> {
  const copy = join(await scratch(t), 'copy');
  await cp(dir, copy, { recursive: true, filter: (path) => !path.endsWith('.sock') });
  const engines = await openEngines(copy, { syncAlways: false, codec: 'none' });
  const urls = new Map<string, UrlRecord>();
  const byKey = new Map<string, UrlRecord>();
  const hosts = new Map<string, HostRecord>();
  try {
    for (let after: UrlKey | undefined; ; ) {
      const rows = await engines.store.scan(after, ROWS);
      for (const { key, record } of rows) {
        urls.set(record.url, record);
        byKey.set(keyText(key), record);
      }
      after = rows[rows.length - 1]?.key;
      if (after === undefined) break;
    }
    for await (const batch of engines.store.hosts(WHOLE_CIRCLE)) {
      for (const record of batch) hosts.set(record.host, record);
    }
  } finally {
    await engines.close();
  }
  return { urls, byKey, hosts };
}

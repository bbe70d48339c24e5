/** Records, tenures and compliance on a real Cassandra (B5, K2): their contracts. */
import { randomUUID } from 'node:crypto';
import { after, before, describe } from 'node:test';
import {
  CassandraComplyStore,
  CassandraEraseLedger,
  CassandraJobBook,
  CassandraNearIndex,
  CassandraTenures,
} from '../../src/adapters/cassandra/index.ts';
import { complyStoreContract } from '../../src/ports/comply-store.contract.ts';
import { killAfter } from '../../src/ports/crash.contract.ts';
import { dueTruthContract } from '../../src/ports/due-index.contract.ts';
import { eraseLedgerContract } from '../../src/ports/erase-ledger.contract.ts';
import { jobBookContract } from '../../src/ports/job-book.contract.ts';
import { nearIndexContract } from '../../src/ports/near-index.contract.ts';
import { shardStoreContract } from '../../src/ports/shard-store.contract.ts';
import { tenuresContract } from '../../src/ports/tenures.contract.ts';
import { Line } from '../kit/line.ts';
import { address, clock, open, place, skip } from './cassandra-place.ts';

const opened: { close(): Promise<void> }[] = [];

async function kept<T extends { close(): Promise<void> }>(opening: Promise<T>): Promise<T> {
  const one = await opening;
  opened.push(one);
  return one;
}

describe('cassandra', { skip }, () => {
  before(async () => {
    await (await open()).close();
  });
  after(async () => {
    for (const one of opened) await one.close();
  });

  dueTruthContract('cassandra', async () => {
    const store = await open({ crawl: randomUUID() });
    return { store, close: () => store.close() };
  });
  shardStoreContract('cassandra', async () => {
    const crawl = randomUUID();
    const line = await kept(Line.to(address));
    const { url } = line;
    let store = await open({ crawl, url, patienceMs: 2_000 });
    return {
      store,
      reopen: async () => {
        await store.close();
        store = await open({ crawl, url });
        return store;
      },
      breakDown: async () => {
        line.cut();
        return async () => line.mend();
      },
    };
  });

  tenuresContract('cassandra', async () => {
    const crawl = randomUUID();
    const other = () => kept(CassandraTenures.open(place({ crawl })));
    const pass = (ms: number) => clock.sleepUntil(clock.now() + ms);
    return { tenures: await other(), other, pass, keepsWhole: true };
  });

  eraseLedgerContract('cassandra', async () => {
    const crawl = randomUUID();
    const another = () => kept(CassandraEraseLedger.open(place({ crawl })));
    return { ledger: await another(), another };
  });
  complyStoreContract('cassandra', async () => {
    const crawl = randomUUID();
    const open = () => kept(CassandraComplyStore.open(place({ crawl })));
    return { store: await open(), reopen: open, another: open };
  });

  jobBookContract('cassandra', async () => {
    const crawl = randomUUID();
    const openBook = () => kept(CassandraJobBook.open(place({ crawl })));
    return { book: await openBook(), reopen: openBook };
  });

  nearIndexContract('cassandra', async () => {
    const crawl = randomUUID();
    const openIndex = () => kept(CassandraNearIndex.open(place({ crawl })));
    const killed = async () => {
      const child = new URL('cassandra-killed.child.ts', import.meta.url);
      const writes = await killAfter(30, child, [crawl, 'near']);
      return { index: await openIndex(), writes };
    };
    return { index: await openIndex(), killed };
  });
});

/** The shard store on a real Cassandra (B5, K2): its contract. */
import { randomUUID } from 'node:crypto';
import { after, before, describe } from 'node:test';
import { CassandraShardStore, CassandraTenures } from '../../src/adapters/cassandra/index.ts';
import { systemClock } from '../../src/adapters/node/clock.ts';
import { shardStoreContract } from '../../src/ports/shard-store.contract.ts';
import { tenuresContract } from '../../src/ports/tenures.contract.ts';
import { cassandra } from '../../tools/engines/index.ts';
import { Line } from '../kit/line.ts';
import { liveEngine } from '../kit/live.ts';

const { address, skip } = liveEngine(cassandra);
const clock = systemClock();
const KEYSPACE = 'contract';
const lines: Line[] = [];
const tenures: CassandraTenures[] = [];

/** Making tables takes longer than any case: all share them, each as a crawl of its own. */
function open(crawl: string, { url = address, patienceMs = 3_000, ...more } = {}) {
  return CassandraShardStore.open({ url, keyspace: KEYSPACE, crawl, clock, patienceMs, ...more });
}

async function line(): Promise<Line & { readonly url: string }> {
  const one = await Line.to(address);
  lines.push(one);
  return one;
}

describe('cassandra', { skip }, () => {
  before(async () => {
    await (await open('first')).close();
  });
  after(async () => {
    for (const one of [...tenures, ...lines]) await one.close();
  });

  shardStoreContract('cassandra', async () => {
    const crawl = randomUUID();
    const way = await line();
    let store = await open(crawl, { url: way.url });
    return {
      store,
      reopen: async () => {
        await store.close();
        store = await open(crawl, { url: way.url });
        return store;
      },
      breakDown: async () => {
        way.cut();
        return async () => way.mend();
      },
    };
  });

  tenuresContract('cassandra', async () => {
    const crawl = randomUUID();
    const other = async () => {
      const one = await CassandraTenures.open({ url: address, keyspace: KEYSPACE, crawl, clock });
      tenures.push(one);
      return one;
    };
    const pass = (ms: number) => clock.sleepUntil(clock.now() + ms);
    return { tenures: await other(), other, pass };
  });
});

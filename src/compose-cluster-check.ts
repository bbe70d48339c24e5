/** Every engine of a cluster, asked whether it will do: for `orb doctor`. */
import { probeKafka } from './adapters/kafka/probe.ts';
import { systemClock } from './adapters/node/clock.ts';
import { probeRedis } from './adapters/redis/probe.ts';
import { probeS3 } from './adapters/s3/probe.ts';
import { placesFrom } from './compose-cluster-places.ts';
import { probeRecords } from './compose-cluster-records.ts';
import type { Settings } from './config/index.ts';
import type { EngineCheck } from './ports/engine-check.ts';

export async function checkEngines(settings: Settings): Promise<readonly EngineCheck[]> {
  const { broker, redis, records, s3 } = placesFrom(settings);
  const checks = await Promise.all([
    probeKafka(broker),
    probeRedis(redis, systemClock()),
    probeRecords(records),
    probeS3(s3),
  ]);
  return checks.flat();
}

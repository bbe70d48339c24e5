/**
 * For `orb doctor`: does Redis answer and let us in, is it new enough, does it throw our filter
 * away when it is full, is its clock ours (K2, S5, L6)?
 */
import type { Clock } from '../../ports/clock.ts';
import { clockCheck, type EngineCheck, failedCheck } from '../../ports/engine-check.ts';
import { connectRedis, type RedisConnection, type RedisOptions, wordsOf } from './connection.ts';

const VERSION_LEAST = 6;
const FULL_SHARE = 0.9;
/** A crawl goes on without it after less; a doctor waits, also while other drivers load. */
const PATIENCE_MS = 10_000;

export async function probeRedis(
  options: RedisOptions,
  clock: Clock,
): Promise<readonly EngineCheck[]> {
  let connection: RedisConnection | undefined;
  try {
    connection = await connectRedis({ ...options, deadlineMs: PATIENCE_MS });
    const facts = infoOf(String(await connection.send('orb', ['INFO'])));
    const where = options.urls.map((url) => new URL(url).host).join(', ');
    return [serverCheck(facts, where), memoryCheck(facts), await timeCheck(connection, clock)];
  } catch (error) {
    const hint = 'See that it runs and can be reached; a crawl goes on without it, more slowly.';
    const told = { message: `it does not answer: ${wordsOf(error)}`, hint };
    return [failedCheck('redis', 'hint' in (error as object) ? error : told)];
  } finally {
    await connection?.close();
  }
}

/** `name:value` lines. */
function infoOf(text: string): ReadonlyMap<string, string> {
  const pairs = [...text.matchAll(/^(\w+):(.*?)\r?$/gm)];
  return new Map(pairs.map(([, name = '', value = '']) => [name, value]));
}

function serverCheck(facts: ReadonlyMap<string, string>, where: string): EngineCheck {
  const valkey = facts.get('valkey_version');
  const version = valkey ?? facts.get('redis_version') ?? '';
  const mode = facts.get('redis_mode') === 'cluster' ? ', a cluster' : '';
  const what = `${valkey ? 'Valkey' : 'Redis'} ${version}${mode} at ${where}`;
  if (Number.parseInt(version, 10) >= VERSION_LEAST) return { name: 'redis', state: 'ok', what };
  return { name: 'redis', state: 'fail', what, fix: `Use Redis ${VERSION_LEAST} or later.` };
}

/** A filter of which a part is thrown away is rebuilt, again and again. */
function memoryCheck(facts: ReadonlyMap<string, string>): EngineCheck {
  const name = 'redis';
  const max = Number(facts.get('maxmemory') ?? 0);
  const used = Number(facts.get('used_memory') ?? 0);
  const policy = facts.get('maxmemory_policy') ?? '';
  const share = max > 0 ? `${Math.round((100 * used) / max)}% of its memory` : 'no limit of memory';
  const what = `${share}, ${policy}`;
  if (max > 0 && policy.startsWith('allkeys')) {
    const fix = 'Set maxmemory-policy to volatile-ttl: caches go then, nothing else.';
    return { name, state: 'warn', what, fix };
  }
  const isFull = max > 0 && used > FULL_SHARE * max;
  if (!isFull) return { name, state: 'ok', what };
  const fix = 'Raise its maxmemory: when it is full, every URL is looked up in the records.';
  return { name, state: 'warn', what, fix };
}

async function timeCheck(connection: RedisConnection, clock: Clock): Promise<EngineCheck> {
  const from = clock.now();
  const told = (await connection.send('orb', ['TIME'])) as readonly unknown[];
  const [seconds = 0, micros = 0] = told.map(Number);
  return clockCheck('redis', seconds * 1_000 + micros / 1_000, { from, to: clock.now() });
}

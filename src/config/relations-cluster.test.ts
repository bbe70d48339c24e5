/** A cluster's settings: all of its engines or none, and no password in a message (K1, L4). */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isClustered } from './relations-cluster.ts';
import { isRefusal, resolveSettings } from './resolve.ts';

const WHOLE = {
  ORB_CLUSTER_KAFKA: 'kafka-1:9092,kafka-2:9092',
  ORB_CLUSTER_REDIS: 'redis://:hush@redis:6379',
  ORB_CLUSTER_POSTGRES: 'postgres://orb:hush@postgres/orb',
  ORB_CLUSTER_BUCKET: 'bodies',
};

function mistakesOf(env: Record<string, string>, argv: string[] = []) {
  const resolved = resolveSettings({ env, argv });
  return isRefusal(resolved) ? resolved.mistakes : [];
}

test('cluster: none of its engines is a crawl in a folder, all of them are a node', () => {
  const alone = resolveSettings({});
  assert.ok(!isRefusal(alone) && !isClustered(alone.settings));
  const node = resolveSettings({ env: WHOLE });
  assert.ok(!isRefusal(node), JSON.stringify(node));
  assert.ok(isClustered(node.settings));
  assert.deepEqual(node.settings.cluster.kafka, ['kafka-1:9092', 'kafka-2:9092']);
});

test('cluster: of half a configuration everything that is missing is named at once', () => {
  const names = (env: Record<string, string>, argv?: string[]) =>
    mistakesOf(env, argv).map(
      ({ message }) => /needs ((?:cluster|broker)\.\w+)/.exec(message)?.[1],
    );
  assert.deepEqual(names({ ORB_CLUSTER_BUCKET: 'bodies' }), [
    ...['cluster.kafka', 'cluster.redis', 'cluster.postgres'],
  ]);
  assert.deepEqual(names({}, ['--name', 'news']).length, 4, 'a name asks for a cluster, too');
  const { ORB_CLUSTER_REDIS: _, ...lacking } = WHOLE;
  assert.deepEqual(names(lacking), ['cluster.redis']);
  assert.deepEqual(names(WHOLE, ['--kafka-user', 'orb']), ['broker.kafkaPassword']);
  assert.deepEqual(names({ ...WHOLE, ORB_BROKER_KAFKA_PASSWORD: 'hush' }), ['broker.kafkaUser']);
});

test('cluster: what is wrong is told without the password in it', () => {
  const env = {
    ...WHOLE,
    ORB_CLUSTER_REDIS: 'http://:hush@redis:6379',
    ORB_CLUSTER_POSTGRES: 'orb:hush@postgres',
  };
  const mistakes = mistakesOf(env);
  assert.equal(mistakes.length, 2);
  assert.ok(!JSON.stringify(mistakes).includes('hush'), JSON.stringify(mistakes));
});

test('cluster: a name that no schema or topic could have is refused', () => {
  for (const name of ['News', '1st', 'a-b', 'x'.repeat(41)]) {
    assert.equal(mistakesOf(WHOLE, ['--name', name]).length, 1, name);
  }
});

test('roles: frontier stands with or without fetch and parse; they not without it', () => {
  assert.equal(mistakesOf(WHOLE, ['--roles', 'fetch,parse']).length, 1);
  assert.equal(mistakesOf(WHOLE, ['--roles', 'parse,api']).length, 1);
  assert.deepEqual(mistakesOf(WHOLE, ['--roles', 'api']), []);
  assert.deepEqual(mistakesOf(WHOLE, ['--roles', 'frontier,fetch,parse']), []);
  assert.deepEqual(mistakesOf(WHOLE, ['--roles', 'frontier,parse,api']), []);
  assert.deepEqual(mistakesOf(WHOLE, ['--roles', 'frontier,api']), []);
  assert.deepEqual(mistakesOf(WHOLE, ['--roles', 'frontier,fetch']), []);
  assert.equal(mistakesOf(WHOLE, ['--roles', 'cook']).length, 1);
});

test('records: Cassandra takes the place of PostgreSQL, and not a place beside it', () => {
  const { ORB_CLUSTER_POSTGRES: _, ...others } = WHOLE;
  const there = { ORB_CLUSTER_CASSANDRA: 'cassandra://orb:hush@one:9042,two:9042/?dc=eu' };
  assert.deepEqual(mistakesOf({ ...others, ...there }), []);
  const both = mistakesOf({ ...WHOLE, ...there });
  assert.equal(both.length, 1);
  assert.ok(!JSON.stringify(both).includes('hush'));
  assert.equal(mistakesOf({ ...others, ORB_CLUSTER_CASSANDRA: 'one:9042' }).length, 1);
});

test('roles: fetch, parse or render alone leases from nodes that are named, and nobody else names any', () => {
  const at = ['--frontier', 'http://127.0.0.1:7070/'];
  assert.deepEqual(mistakesOf({}, ['--roles', 'fetch', ...at]), []);
  assert.deepEqual(mistakesOf({}, ['--roles', 'parse', ...at]), []);
  assert.deepEqual(mistakesOf({}, ['--roles', 'render', ...at]), []);
  assert.equal(mistakesOf({}, ['--roles', 'render']).length, 1);
  assert.equal(mistakesOf({}, ['--roles', 'parse,render', ...at]).length, 1);
  assert.equal(mistakesOf({}, ['--roles', 'parse']).length, 1);
  assert.equal(mistakesOf({}, ['--roles', 'fetch']).length, 1);
  assert.equal(mistakesOf({}, at).length, 1);
  assert.equal(mistakesOf(WHOLE, ['--roles', 'fetch,api', ...at]).length, 1);
});

/** Benchmarks that need engines stay alive: each starts its own, runs with tiny numbers, says its figures. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { assertAbove0, COMMON, figures } from '../../bench/figures.ts';

test('postgres: two round trips for a commit, with the fence and without', async () => {
  const found = await figures('postgres', '--commits', '3', '--originals', '5000');
  assertAbove0(found, ['plain_commit_median', 'fenced_commit_median', 'find_64_median']);
  // A piece of a long question may be on the line while its beginning is answered.
  const trips = found.get('round_trips_per_commit') ?? 0;
  assert.ok(trips >= 2 && trips < 3, `${trips} round trips`);
});

test('redis: eight thousand URLs in one server, a command for each arc of a batch', async () => {
  const found = await figures('redis', '--urls', '8192', '--only', 'server');
  assertAbove0(found, ['server_new_rate', 'server_known_rate', 'server_new_reads', ...COMMON]);
  assert.equal(found.get('server_known_commands'), 64);
  assert.ok((found.get('server_new_called_known') ?? 1) < 0.01);
});

test('due: with sets in Redis a look asks PostgreSQL nothing, and finds as many rows', async () => {
  const found = await figures('due', '--urls', '24000', '--looks', '20', '--sets', '20000');
  assertAbove0(found, ['sets_memory', 'sets_look', 'records_look', 'sets_requeue_1000', ...COMMON]);
  assert.equal(found.get('sets_look_postgres_cpu'), 0);
  assert.equal(found.get('sets_look_rows'), found.get('records_look_rows'));
});

test('cluster: one node finds what a crawl in a folder does, a write to S3 for each page', async () => {
  const found = await figures('cluster', '--pages', '200', '--hosts', '20', '--rounds', '1');
  assertAbove0(found, ['ratio', 'ratio_by_cpu', 'kafka_cpu_per_1000_pages', ...COMMON]);
  assert.equal(found.get('node_1_pages'), found.get('local_1_pages'));
  assert.ok(Math.abs((found.get('s3_requests') ?? 0) - 1) < 0.05);
  assert.ok((found.get('kafka_messages_out') ?? 0) >= 1);
});

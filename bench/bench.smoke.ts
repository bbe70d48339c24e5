/**
 * The benchmarks stay alive: each runs with tiny numbers and says its main figures. Not timed:
 * what a figure must be is in docs/bench.md, and belongs to a quiet machine.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { describe, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { corpusPages } from '../tools/corpus.ts';
import { docsWebMissing } from './docs-web.ts';
import { BENCHES } from './index.ts';
import type { Line } from './measure.ts';
import { Population } from './population.ts';

const RUN = fileURLToPath(new URL('./run.ts', import.meta.url));

async function figures(...args: string[]): Promise<Map<string, number>> {
  const { stdout } = await promisify(execFile)(process.execPath, [RUN, ...args, '--json']);
  const lines = stdout.trimEnd().split('\n');
  return new Map(
    lines.map((text) => {
      const line = JSON.parse(text) as Line;
      assert.deepEqual(Object.keys(line), ['bench', 'metric', 'value', 'unit']);
      return [line.metric, line.value];
    }),
  );
}

function assertAbove0(found: ReadonlyMap<string, number>, metrics: readonly string[]): void {
  for (const metric of metrics) assert.ok((found.get(metric) ?? 0) > 0, `${metric} is said`);
}

const COMMON = ['bench_wall', 'bench_cpu', 'bench_peak_rss', 'node'];

describe('bench', () => {
  test('every benchmark of the list has its file', () => {
    const files = readdirSync(new URL('.', import.meta.url));
    for (const name of Object.keys(BENCHES)) assert.ok(files.includes(`${name}.ts`), name);
  });

  test('an unknown name: the list, and exit 2', async () => {
    const run = promisify(execFile)(process.execPath, [RUN, 'speed']);
    await assert.rejects(run, (error: { code: number; stderr: string }) => {
      assert.equal(error.code, 2);
      for (const name of Object.keys(BENCHES)) assert.match(error.stderr, new RegExp(`  ${name} `));
      return true;
    });
  });

  test('population: URLs are distinct, of usual length, and hosts of unequal size', () => {
    const population = new Population(100);
    const urls = new Set<string>();
    let characters = 0;
    for (let i = 100; i < 10_100; i++) {
      urls.add(population.urlOf(i));
      characters += population.urlOf(i).length;
    }
    assert.equal(urls.size, 10_000);
    assert.ok(characters / 10_000 > 60 && characters / 10_000 < 75, `${characters / 10_000}`);
  });

  test('seen: eight thousand URLs, all known at the end, half of them waiting', async () => {
    const found = await figures('seen', '--urls', '8192', '--hosts', '256');
    assertAbove0(found, ['new_rate_all', 'repeat_rate', 'repeat_rate_cold', 'rss_end', ...COMMON]);
    assert.equal(found.get('known'), 8_192);
    const waiting = found.get('waiting') ?? 0;
    assert.ok(waiting > 3_600 && waiting < 4_600, `${waiting} wait`);
  });

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

  test('cluster: one node finds what a crawl in a folder does, a write to S3 for each page', async () => {
    const found = await figures('cluster', '--pages', '200', '--hosts', '20', '--rounds', '1');
    assertAbove0(found, ['ratio', 'ratio_by_cpu', 'kafka_cpu_per_1000_pages', ...COMMON]);
    assert.equal(found.get('node_1_pages'), found.get('local_1_pages'));
    assert.ok(Math.abs((found.get('s3_requests') ?? 0) - 1) < 0.05);
    assert.ok((found.get('kafka_messages_out') ?? 0) >= 1);
  });

  test('frontier: a small store is leased and settled', async () => {
    const found = await figures('frontier', '--urls', '4096', '--hosts', '128', '--leases', '200');
    assertAbove0(found, ['lease_settle_rate_2048', 'lease_settle_rate_4096', ...COMMON]);
  });

  test('restart: a killed and a stopped process come back to their first lease', async () => {
    const found = await figures('restart', '--urls', '4096', '--hosts', '128');
    assertAbove0(found, ['after_kill_first_lease', 'after_clean_first_lease', ...COMMON]);
    assert.equal(found.get('after_kill_hosts'), 128);
  });

  const noCorpus = corpusPages(1).length === 0 ? 'no corpus here: npm run corpus' : false;
  test('simhash: a few pages, ten thousand originals: none missed, none made up', {
    skip: noCorpus,
  }, async () => {
    const found = await figures('simhash', '--fingerprints', '10000', '--pages', '10');
    assertAbove0(found, ['gather_and_fingerprint', 'lookup_copies_rate', 'disk', ...COMMON]);
    assert.equal(found.get('lookup_copies_wrong'), 0);
    assert.equal(found.get('lookup_new_pages_wrong'), 0);
  });

  test('near: one page in sixty-four: copies are found, pages not mixed up', {
    skip: noCorpus,
  }, async () => {
    const found = await figures('near', '--every', '64', '--copies-every', '128');
    assert.ok((found.get('recall') ?? 0) >= 92, `recall ${found.get('recall')}`);
    assert.ok((found.get('precision') ?? 0) >= 95, `precision ${found.get('precision')}`);
  });

  test('crawl: a small test web is found whole, none of it twice', async () => {
    const found = await figures('crawl', '--pages', '300', '--hosts', '10');
    assertAbove0(found, ['rate', 'cpu_per_1000_pages', 'peak_rss', ...COMMON]);
    assert.equal(found.get('pages_missing'), 0);
    assert.equal(found.get('pages_twice'), 0);
  });

  const missing = docsWebMissing();
  const skip = missing === undefined ? false : missing;
  test('crawl --docs: two hosts of real pages are found whole', { skip }, async () => {
    const found = await figures('crawl', '--docs', '--hosts', '1');
    assertAbove0(found, ['rate', 'documents', ...COMMON]);
    assert.equal(found.get('documents_missing'), 0);
    assert.equal(found.get('documents_twice'), 0);
    if (existsSync('/usr/bin/wget2')) assertAbove0(found, ['rate_over_wget2']);
  });

  test('api: a busy service answers every request, and says what that cost', async () => {
    const small = ['--pages', '500', '--hosts', '10', '--rate', '50', '--seconds', '1'];
    const found = await figures('api', ...small, '--alone', '0.2', '--warmup', '1');
    assertAbove0(found, ['latency_p99', 'request_rate', 'service_cpu_under_load', ...COMMON]);
    assert.deepEqual([found.get('requests'), found.get('errors')], [50, 0]);
  });

  test('sign: a few requests are signed and counted', async () => {
    const found = await figures('sign', '--requests', '200');
    assertAbove0(found, ['sign', 'ed25519', 'verify', 'fields', ...COMMON]);
  });

  test('polite: a few hosts for a few seconds, never closer than a second', async () => {
    const found = await figures('polite', '--hosts', '5', '--seconds', '3', '--warmup', '1');
    assertAbove0(found, ['rate', 'gap_p50', ...COMMON]);
    assert.ok((found.get('gap_smallest') ?? 0) >= 1_000, `gap ${found.get('gap_smallest')}`);
  });
});

/**
 * The benchmarks stay alive: each runs with tiny numbers and says its main figures. Not timed:
 * what a figure must be is in docs/bench.md, and belongs to a quiet machine.
 */
import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { describe, test } from 'node:test';
import { promisify } from 'node:util';
import { corpusPages } from '../tools/corpus.ts';
import { docsWebMissing } from './docs-web.ts';
import { assertAbove0, COMMON, figures, RUN } from './figures.ts';
import { BENCHES } from './index.ts';
import { Population } from './population.ts';

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

  test('deflate: real pages become small in each way', { skip: noCorpus }, async () => {
    const found = await figures('deflate', '--pages', '40');
    const ways = ['quick', 'dense', 'zlib1'].flatMap((way) => [`${way}_time`, `${way}_bytes`]);
    assertAbove0(found, ['pages', 'mean_page', ...ways, ...COMMON]);
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

  test('ring: one node and three find what a crawl in a folder finds, and say what it cost', async () => {
    const found = await figures('ring', '--pages', '300', '--hosts', '20', '--rounds', '1');
    const said = ['rate', 'cpu_per_1000_pages', 'rate_ratio', 'cpu_ratio'];
    assertAbove0(found, [...said.map((name) => `one_${name}`), 'local_rate', ...COMMON]);
    assertAbove0(
      found,
      [...said, 'messages', 'bytes'].map((name) => `three_${name}`),
    );
    for (const kind of ['local', 'one', 'three'])
      assert.equal(found.get(`${kind}_pages_missing`), 0);
  });

  test('parser: a few pages are read by another process', async () => {
    const found = await figures('parser', '--pages', '100', '--bytes', '3000');
    assertAbove0(found, ['here', 'node', 'parser', 'node.gzip', 'parser.gzip', ...COMMON]);
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

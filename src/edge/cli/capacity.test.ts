import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { PRESET_NAMES } from '../../plan/index.ts';
import type { Capacity } from './capacity-row.ts';
import { type FakeParts, fakeWorld } from './fake-world.test.ts';
import { runCli } from './run.ts';

async function plan(argv: readonly string[], parts: Omit<FakeParts, 'argv'> = {}) {
  const world = fakeWorld({ ...parts, argv: ['plan', ...argv] });
  const code = await runCli(world);
  return { code, out: world.out(), err: world.err(), files: world.files };
}

async function planned(...argv: readonly string[]): Promise<Capacity> {
  const { code, out, err } = await plan([...argv, '--json']);
  assert.equal(code, 0, err);
  return JSON.parse(out);
}

test('plan: a table on stdout, nothing on stderr, no line wider than 100 columns', async () => {
  const { code, out, err } = await plan(['--pages-per-day', '1e9', '--compression-ratio', '1']);
  assert.equal(code, 0);
  assert.equal(err, '');
  assert.match(out, /^ {2}pages a second +11,574 pages\/s +1B pages ÷ 86,400 s$/m);
  assert.match(out, /^ {2}retained +3 PB +100 TB a day × 30 d$/m);
  for (const line of out.split('\n')) assert.ok(line.length <= 100, line);
});

test('plan --json: one object with every figure as a number, a unit and a formula', async () => {
  const { load, storage, filter, fleet } = await planned('--pages-per-day', '86.4M');
  for (const group of [load, storage, filter, fleet]) {
    for (const [key, { value, formula }] of Object.entries(group)) {
      assert.equal(typeof value, 'number', key);
      assert.notEqual(formula, '', key);
    }
  }
  assert.equal(load.pagesPerSecond.value, 1_000);
  assert.equal(load.pagesPerSecond.unit, 'pages/s');
});

test('plan: every way to write an amount means the same', async () => {
  const forms = [
    ['1e9', '100KB', '30d', '30%'],
    ['1B', '0.1MB', '720h', '0.3'],
    ['1_000_000_000', '100000', '2592000s', '.3'],
  ] as const;
  const plans = await Promise.all(
    forms.map(([pages, size, kept, share]) =>
      planned(
        `--pages-per-day=${pages}`,
        `--page-size=${size}`,
        `--retention=${kept}`,
        `--recrawl-share=${share}`,
      ),
    ),
  );
  assert.deepEqual(plans[1], plans[0]);
  assert.deepEqual(plans[2], plans[0]);
});

test('plan: politeness is the setting of the crawl, as a delay or as a rate', async () => {
  const needed = async (...argv: string[]) =>
    (await planned('--pages-per-day', '86.4M', '--peak-factor', '1', ...argv)).fleet.hostsNeeded;
  assert.equal((await needed()).value, 1_000);
  assert.equal((await needed('--delay', '5s')).value, 5_000);
  assert.equal((await needed('--rate', '0.5')).value, 2_000);
  assert.equal((await needed('--host-quota-per-day', '10')).value, 8_640_000);
});

test('plan: every mistake is told at once, with what to do, and ends with 2', async () => {
  const argv = ['--pages-per-day', 'many', '--page-size', '-1', '--recrawl-share', '130%'];
  argv.push('--retention', 'long', '--preset', 'huge', '--bogus', '--depth', '3');
  const { code, out, err } = await plan(argv);
  assert.equal(code, 2);
  assert.equal(out, '');
  const lines = err.trimEnd().split('\n');
  assert.equal(lines.length, 14, err);
  assert.match(err, /--pages-per-day: 'many' is not a count\.\n +Give a count such as 250, 1e9/);
  assert.match(
    err,
    /--recrawl-share: '130%' is above the most, 100%\.\n +Give a share such as 30%/,
  );
  assert.match(err, /--preset: 'huge' is not one of the choices\.\n +Give one of billion-a-day/);
  assert.match(err, /--bogus is not known/);
  assert.match(err, /--depth means nothing to this command/);
});

test('plan: an operand is refused with 2', async () => {
  const { code, err } = await plan(['1e9']);
  assert.equal(code, 2);
  assert.match(err, /does not know what to do with '1e9'/);
});

test('plan: the price table lives in a file, and a flag wins over it', async () => {
  const prices = { currency: 'EUR', priceStorage: 7, priceNode: 40 };
  const files = { 'prices.json': JSON.stringify({ price: prices }) };
  const argv = ['--config', 'prices.json', '--price-node', '50', '--json'];
  const { out } = await plan(argv, { files });
  const { bill } = JSON.parse(out) as Capacity;
  assert.equal(bill.currency, 'EUR');
  const [storage, nodes] = bill.lines;
  assert.deepEqual([storage?.price, nodes?.price], [7, 50]);
  assert.equal(storage?.cost, (storage?.amount ?? 0) * 7);
});

test('plan: a wrong price in a file is a mistake of configuration', async () => {
  const files = { 'prices.json': JSON.stringify({ price: { priceNode: -1, priceNod: 2 } }) };
  const { code, err } = await plan(['--config', 'prices.json'], { files });
  assert.equal(code, 4);
  assert.match(err, /price\.priceNode in prices\.json/);
  assert.match(err, /Did you mean price\.priceNode\?/);
});

test('plan: the environment gives inputs, too', async () => {
  const env = { ORB_PLAN_PAGES_PER_DAY: '86400' };
  const { out } = await plan(['--json'], { env });
  assert.equal((JSON.parse(out) as Capacity).load.pagesPerSecond.value, 1);
});

test('plan --preset: each runs, and quotes of two of them are marked as not following', async () => {
  for (const preset of PRESET_NAMES) {
    const { code, out } = await plan(['--preset', preset]);
    assert.equal(code, 0);
    assert.match(out, /^As quoted$/m);
  }
  const billion = (await plan(['--preset', 'billion-a-day'])).out.replace(/\s+/g, ' ');
  assert.match(billion, /0\.01% DOES NOT FOLLOW: 0\.12%\. 14 bits a URL give 0\.12% at best/);
  const thousand = (await plan(['--preset', 'thousand-a-second'])).out.replace(/\s+/g, ' ');
  assert.match(thousand, /0\.1% DOES NOT FOLLOW: 2\.16%\. 8 bits/);
});

test('plan --preset: a flag wins over it, and then nothing is said of what was quoted', async () => {
  const changed = await planned('--preset', 'billion-a-day', '--bits-per-url', '20');
  assert.equal(changed.load.pagesPerSecondPeak.value, (1e9 / 86_400) * 3);
  assert.equal(changed.filter.filterMemory.value, 75e9);
  assert.deepEqual(changed.quoted, []);
  const priced = await planned('--preset', 'billion-a-day', '--price-node', '1');
  assert.equal(priced.quoted.length, 8);
});

test('plan --format csv: a row for each figure and each line of the bill', async () => {
  const { out } = await plan(['--format', 'csv']);
  const [head, ...rows] = out.trimEnd().split('\n');
  assert.equal(head, 'group,key,name,value,unit,formula');
  assert.ok(rows.length > 30, String(rows.length));
  assert.match(rows[0] ?? '', /^load,pagesPerSecond,pages a second,115\.74/);
  assert.match(rows.at(-1) ?? '', /^bill,perMonth,total,/);
});

test('plan -o: the data goes to the file, and stdout stays empty', async () => {
  const { out, files } = await plan(['--json', '-o', 'plan.json']);
  assert.equal(out, '');
  assert.ok(JSON.parse(files.get('plan.json') ?? '').load);
});

test('plan: a hostile name of a currency cannot act on the terminal (Y3)', async () => {
  const { out } = await plan(['--currency', 'E\u001b[2JUR\u202e']);
  assert.doesNotMatch(out.replaceAll('\n', ''), /[\p{C}\p{Zl}\p{Zp}]/u);
});

test('docs/plan.md: its outputs are what its command lines print', async () => {
  const text = readFileSync(new URL('../../../docs/plan.md', import.meta.url), 'utf8');
  const blocks = [...text.matchAll(/^```\n\$ orb plan ?(.*)\n([\s\S]*?)^```$/gm)];
  assert.ok(blocks.length >= 3);
  for (const [, line = '', printed] of blocks) {
    const { out } = await plan(line.split(' ').filter((word) => word !== ''));
    assert.equal(printed, out, line);
  }
});

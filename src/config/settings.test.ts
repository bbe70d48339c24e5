import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { ERRORS } from '../base/errors.ts';
import { EXIT_CODES, exitCode } from './exit-codes.ts';
import { isProblem } from './kind.ts';
import { defaultSettings } from './resolve.ts';
import { ENTRIES, SECTION_TITLES, SETTINGS, type Settings, valueIn } from './settings.ts';

test('table: names, flags, short forms and variables are each unique', () => {
  const columns = [
    ENTRIES.map(({ name }) => name),
    ENTRIES.flatMap(({ flag, setting }) => [flag, ...(setting.also ?? [])]),
    ENTRIES.map(({ environment }) => environment),
    ENTRIES.flatMap(({ setting }) => setting.short ?? []),
  ];
  for (const column of columns) assert.equal(new Set(column).size, column.length);
});

test('table: no alias is the flag of another setting', () => {
  const flags = new Set(ENTRIES.map(({ flag }) => flag));
  for (const { setting } of ENTRIES) {
    for (const alias of setting.aliases ?? []) assert.ok(!flags.has(alias), alias);
  }
});

test('table: no section has more than twelve settings, and each has a title', () => {
  for (const [name, section] of Object.entries(SETTINGS)) {
    assert.ok(Object.keys(section).length <= 12, name);
  }
  assert.deepEqual(Object.keys(SECTION_TITLES), Object.keys(SETTINGS));
});

for (const { key, kind, setting } of ENTRIES) {
  test(`table: ${key}: its example is taken and its default can be written and read`, () => {
    const example = setting.example.replace(/^'(.*)'$/, '$1');
    const parsed = kind.parse(example);
    assert.ok(!isProblem(parsed), 'problem' in parsed ? parsed.problem : '');
    if (setting.default === undefined) return;
    assert.deepEqual(kind.parse(kind.write(setting.default)), { value: setting.default });
  });

  test(`table: ${key}: its help is one sentence that ends`, () => {
    assert.match(setting.help, /^[A-Z].*\.$/);
    assert.ok(setting.help.length <= 110, String(setting.help.length));
  });
}

test('table: a resolved section has the unit in the name, and a type from the table alone', () => {
  const settings: Settings = defaultSettings();
  const timeout: number = settings.fetch.timeoutMs;
  const scope: 'host' | 'domain' | 'any' = settings.scope.scope;
  const workers: number | 'auto' = settings.cpu.workers;
  const include: readonly RegExp[] = settings.scope.include;
  const dir: string | undefined = settings.crawl.dir;
  assert.deepEqual(
    [timeout, scope, workers, include, dir],
    [30_000, 'host', 'auto', [], undefined],
  );
  // @ts-expect-error a duration is not there under its bare name
  assert.equal(settings.fetch.timeout, undefined);
});

test('defaults: they are the ones that the requirements name', () => {
  const { limits, polite, fetch, store, scope, network } = defaultSettings();
  assert.equal(limits.depth, 20);
  assert.equal(limits.patienceMs, 300_000);
  assert.deepEqual([polite.rate, polite.delayMs, polite.ipRate], [1, 1_000, 1]);
  assert.deepEqual([polite.hostQuotaPerDay, polite.hostNewPerDay], [100_000, 1_000_000]);
  assert.deepEqual([fetch.maxBodyBytes, fetch.maxHeaderBytes], [10_485_760, 65_536]);
  assert.deepEqual([store.expectedUrls, store.falsePositive], [10_000_000, 0.001]);
  assert.deepEqual([scope.scope, network.allowPrivate], ['host', false]);
});

test('defaults: they resolve to what the table says', () => {
  const settings = defaultSettings();
  for (const entry of ENTRIES) {
    assert.deepEqual(valueIn(settings, entry), entry.setting.default, entry.key);
  }
});

test('user agent: the version is the version of the package', () => {
  const text = readFileSync(new URL('../../package.json', import.meta.url), 'utf8');
  const { version } = JSON.parse(text) as { version: string };
  assert.equal(defaultSettings().agent.userAgent, `Orbweaver/${version}`);
});

test('exit codes: every error of the table ends in one that is documented', () => {
  const codes = new Set<number>(Object.values(EXIT_CODES).map(({ code }) => code));
  for (const [name, { exit }] of Object.entries(ERRORS)) assert.ok(codes.has(exit), name);
  assert.equal(codes.size, Object.keys(EXIT_CODES).length);
  assert.deepEqual([exitCode('complete'), exitCode('interrupted')], [0, 130]);
});

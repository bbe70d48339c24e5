import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isRefusal, resolveSettings, type Sources } from './resolve.ts';
import type { Settings } from './settings.ts';

function settingsOf(argv: readonly string[], more: Sources = {}): Settings {
  const result = resolveSettings({ argv, ...more });
  assert.ok(!isRefusal(result), isRefusal(result) ? JSON.stringify(result.mistakes) : '');
  return result.settings;
}

function refusal(argv: readonly string[], more: Sources = {}): string {
  const result = resolveSettings({ argv, ...more });
  assert.ok(isRefusal(result), 'it was taken');
  return result.mistakes.map(({ code, message }) => `${code} ${message}`).join('\n');
}

test('rate and delay: either fills in the other, and the rate of an IP follows', () => {
  const byRate = settingsOf(['--rate', '4']).polite;
  assert.deepEqual([byRate.rate, byRate.delayMs, byRate.ipRate], [4, 250, 4]);
  const byDelay = settingsOf(['--delay', '2s']).polite;
  assert.deepEqual([byDelay.rate, byDelay.delayMs, byDelay.ipRate], [0.5, 2_000, 0.5]);
  assert.equal(settingsOf(['--rate', '4', '--ip-rate', '1']).polite.ipRate, 1);
});

test('rate and delay: on one place they must agree, else the stronger place wins', () => {
  assert.equal(settingsOf(['--rate', '3', '--delay', '333ms']).polite.rate, 3);
  assert.match(
    refusal(['--rate', '3', '--delay', '2s']),
    /E_USAGE --rate 3 and --delay 2s contradict/,
  );
  const { polite } = settingsOf(['--delay', '2s'], { env: { ORB_POLITE_RATE: '3' } });
  assert.deepEqual([polite.rate, polite.delayMs], [0.5, 2_000]);
});

test('rate max: in whatever form, only with --allow-private', () => {
  const forms = [
    ['--rate', 'max'],
    ['--delay', '0'],
    ['--delay', '0.001ms'],
    ['--ip-rate', 'max'],
    ['--rate-for', 'a.example=max'],
  ];
  for (const form of forms) {
    assert.match(refusal(form), /for private addresses only/, form.join(' '));
    settingsOf([...form, '--allow-private']);
  }
  const { polite } = settingsOf(['--rate', 'max', '--allow-private']);
  assert.deepEqual([polite.rate, polite.delayMs, polite.ipRate], [Infinity, 0, Infinity]);
});

test('rate max in the settings file is a mistake of configuration', () => {
  const file = { name: 'orb.json', text: '{"polite": {"rate": "max"}}' };
  assert.match(refusal([], { file }), /^E_CONFIG --rate max/);
});

test('user agent: the robots token follows its name, and must be part of it', () => {
  assert.equal(settingsOf(['--user-agent', 'MyBot2/1.0']).agent.robotsToken, 'MyBot');
  assert.equal(
    settingsOf(['--user-agent', 'My-Bot/1', '--robots-token', 'bot']).agent.robotsToken,
    'bot',
  );
  assert.match(
    refusal(['--robots-token', 'Googlebot']),
    /Googlebot is no part of --user-agent Orb/,
  );
});

test('times: a default part follows a shorter whole, a given part may not outlast it', () => {
  const { fetch } = settingsOf(['--timeout', '5s']);
  assert.deepEqual([fetch.connectTimeoutMs, fetch.firstByteTimeoutMs], [5_000, 5_000]);
  assert.match(refusal(['--first-byte-timeout', '31s']), /longer than the whole, --timeout 30s/);
  assert.match(refusal(['--timeout', '5s', '--connect-timeout', '6s']), /--connect-timeout 6s/);
  assert.match(refusal(['--backoff', '2h', '--max-backoff', '1h']), /--backoff 2h is above/);
});

test('sizes: the decoded limit follows the body limit, and may not be below it', () => {
  assert.equal(settingsOf(['--max-body', '50mb']).fetch.maxDecodedBytes, 52_428_800);
  assert.equal(settingsOf(['--max-decoded', '1mb']).fetch.maxBodyBytes, 1_048_576);
  assert.match(
    refusal(['--max-body', '2mb', '--max-decoded', '1mb']),
    /--max-decoded 1mb is below/,
  );
  assert.match(refusal(['--compression', 'gzip', '--compression-level', '12']), /for gzip/);
});

test('output: --json and --format agree or the stronger place wins', () => {
  assert.equal(settingsOf(['--json']).output.format, 'json');
  assert.equal(settingsOf(['--format', 'json']).output.json, true);
  assert.match(refusal(['--json', '--format', 'csv']), /--json and --format csv contradict/);
  const { output } = settingsOf(['--format', 'csv'], { env: { ORB_OUTPUT_JSON: 'true' } });
  assert.deepEqual([output.format, output.json], ['csv', false]);
  assert.match(refusal(['-qv']), /contradict/);
  assert.match(refusal(['--fresh', '--retry-failed']), /nothing to retry/);
});

test('a refused value takes part in no relation', () => {
  const text = refusal(['--timeout', '5 parsecs', '--first-byte-timeout', '50s']);
  assert.match(text, /^E_USAGE --timeout: '5 parsecs' is not a duration\.$/);
  assert.doesNotMatch(
    refusal(['--rate', 'max', '--allow-private=maybe']),
    /private addresses only/,
  );
});

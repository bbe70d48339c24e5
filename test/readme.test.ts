/** The README's own lines for the service, run as they are printed against a live crawl (A1). */
import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { promisify } from 'node:util';
import { startOrb } from './kit/orb.ts';
import { scratch } from './kit/place.ts';
import { openWebFor } from './kit/web.ts';

const run = promisify(execFile);
const README = readFileSync(new URL('../README.md', import.meta.url), 'utf8');

const hasCurl = spawnSync('curl', ['--version']).status === 0;
const isCi = process.env.CI === 'true';
const skip = hasCurl || isCi ? false : 'curl is not installed, and these lines are for curl';

test('readme: every curl line of the service works as printed', { skip }, async (t) => {
  const web = await openWebFor(t, { seed: 3, hosts: 1, pages: 10, bodyBytes: 500 });
  const cwd = await scratch(t);
  const flags = [...web.flags, '--allow-private', '--rate', 'max', '--port', '0'];
  const service = startOrb(t, ['serve', ...flags], { cwd });
  await service.said(/"event":"listening"/);
  const at = /"url":"(http:\/\/[^"]+)\/"/.exec(service.stderr)?.[1] ?? '';
  const block = /## As a service[\s\S]*?```sh\n([\s\S]*?)```/.exec(README)?.[1] ?? '';
  const lines = block.trim().split('\n');
  assert.ok(lines.filter((line) => line.includes('curl')).length >= 12, block);
  // The page must be there before it is asked for: a person is slower than this.
  const untilFetched =
    'until curl -s "$API/pages?url=https://example.com/" | grep -q \'"state":"indexed"\'; do :; done';
  const strict = 'set -e; curl() { command curl --fail-with-body --max-time 10 "$@"; echo; }';
  const script = [strict, lines[0], lines[1], lines[2], untilFetched, ...lines.slice(3)]
    .join('\n')
    .replaceAll('http://127.0.0.1:7070', at)
    .replaceAll('https://example.com/', web.start)
    .replaceAll('hosts/example.com', `hosts/${new URL(web.start).host}`);
  const { stdout } = await run('bash', ['-c', script], { cwd, timeout: 30_000 });
  for (const said of ['"queued_urls":1', '"totals":', '"story":', '"url_hash":', '"links":']) {
    assert.ok(stdout.includes(said), `${said} in\n${stdout}`);
  }
  assert.match(stdout, /"removed":\{"records":\d,"bodies":1,/);
  assert.match(stdout, new RegExp(`"denials":\\[\\{"kind":"url","value":"${web.start}"`));
  assert.match(stdout, /^orb_fetches_total/m);
  service.kill('SIGTERM');
  assert.equal((await service.ended).code, 143);
});

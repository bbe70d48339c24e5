/**
 * Takedown, hold, complaints and the trail over the API (G1–G3, A1): each answer is held against
 * the published document by the kit's client, and what was asked by the server's own log.
 */
import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import type { TokenEntry } from '../../src/edge/api/index.ts';
import { openWebFor, pageRequests } from '../kit/index.ts';
import { openService } from '../kit/service.ts';

const FLAGS = ['--scope', 'any', '--allow-private', '--rate', 'max'];

function tokenOf(name: string, role: TokenEntry['roles'][number]): TokenEntry {
  const sha256 = createHash('sha256').update(`secret-of-${name}`).digest('hex');
  return { name, roles: [role], sha256, createdAt: '2026-01-01T00:00:00.000Z' };
}

test('takedown: DELETE erases the page, denies it for ever, and the trail says who', async (t) => {
  const web = await openWebFor(t, { seed: 12, hosts: 2, pages: 30, bodyBytes: 800 });
  const tokens = [tokenOf('ann', 'comply'), tokenOf('bob', 'operate')];
  const service = await openService(t, web, { flags: [...web.flags, ...FLAGS], tokens });
  await service.post('/crawl/seeds', { urls: [web.start] });
  await service.quiet(30);
  const { json: listed } = await service.ask('/pages?state=indexed&limit=5');
  const [page] = listed.pages;
  const at = `/pages/${page.url_hash}`;
  const by = (name: string) => ({ authorization: `Bearer secret-of-${name}` });
  const remove = (query: string, headers = {}) =>
    service.ask(at + query, { method: 'DELETE', headers });

  assert.equal((await remove('')).status, 422, 'a reason is needed');
  assert.equal((await remove('?reason=x', by('bob'))).status, 403, 'the role is needed');
  const gone = await remove('?reason=court%20order%0A17', by('ann'));
  assert.equal(gone.status, 200, gone.text);
  assert.equal(gone.json.removed.records, 1);
  assert.equal((await service.ask(`${at}/content`)).status, 404);

  const before = pageRequests(web).filter(({ url }) => url === page.url).length;
  await service.post('/crawl/recrawl', { url: page.url });
  const again = await service.post('/crawl/seeds', { urls: [page.url], recrawl_ttl_hours: 0 });
  assert.deepEqual([again.json.queued_urls, again.json.known_urls], [0, 0]);
  assert.match(again.json.refused[0].reason, /^taken down by api token ann on .*: court order/);
  await service.quiet();
  assert.equal(pageRequests(web).filter(({ url }) => url === page.url).length, before);
  assert.match((await service.ask(`/why?url=${encodeURIComponent(page.url)}`)).text, /court order/);

  const { json: deny } = await service.ask('/denylist');
  assert.equal(deny.denials[0].value, page.url);
  assert.equal(deny.denials[0].by, 'api token ann');
  const { json: audit } = await service.ask('/audit', { headers: by('ann') });
  assert.ok(audit.lines.length >= 2, 'what was meant, and what was done');
  const { json: verdict } = await service.ask('/audit/verify');
  assert.deepEqual([verdict.bad, verdict.pending], [undefined, 0]);
  assert.deepEqual(service.bugs, []);
});

test('hold: what is held is not erased: 409, and the refusal is in the trail', async (t) => {
  const service = await openService(t, undefined);
  const subject = { host: 'held.example', reason: 'litigation' };
  assert.equal((await service.post('/holds', subject)).status, 200);
  const refused = await service.post('/takedowns', { ...subject, reason: 'owner asks' });
  assert.equal(refused.status, 409, refused.text);
  assert.match(refused.json.detail, /legal hold .*litigation/);
  assert.equal((await service.post('/holds', { ...subject, release: true })).status, 200);
  assert.equal((await service.post('/holds', { ...subject, release: true })).status, 409);
  const done = await service.post('/takedowns', { ...subject, reason: 'owner asks' });
  assert.equal(done.status, 200, done.text);
  const { json } = await service.ask('/audit?after=1&limit=1');
  assert.equal(json.lines[0].phase, 'refused');
});

test('complaints: recorded and counted; a host that opts out is never asked', async (t) => {
  const service = await openService(t, undefined);
  const said = { host: 'angry.example', text: 'stop\r\nnow\u001b[2J' };
  const first = await service.post('/complaints', said);
  assert.deepEqual([first.json.total, first.json.opted_out], [1, false]);
  const second = await service.post('/complaints', { ...said, opt_out: true });
  assert.deepEqual([second.json.total, second.json.opted_out], [2, true]);
  const { json: deny } = await service.ask('/denylist');
  assert.deepEqual([deny.complaints, deny.denials[0].value], [2, 'angry.example']);
  const { json } = await service.post('/crawl/seeds', { urls: ['https://www.angry.example/'] });
  assert.equal(json.queued_urls, 0);
  assert.match(json.refused[0].reason, /^blocked by .*: stop/);
  const subject = { host: 'angry.example', subdomains: true, reason: 'they agree now' };
  assert.equal((await service.post('/denylist/lift', subject)).status, 200);
  assert.equal((await service.post('/denylist/lift', subject)).status, 409);
  assert.deepEqual((await service.ask('/denylist')).json.denials, []);
});

test('takedown: no subject, two of them, or no URL: told what is wrong, nothing done', async (t) => {
  const service = await openService(t, undefined);
  for (const subject of [{}, { url: 'x', host: 'y' }, { url: 'not a url' }, { pattern: '' }]) {
    const { status, text } = await service.post('/takedowns', { ...subject, reason: 'r' });
    assert.equal(status, 422, `${JSON.stringify(subject)}: ${text}`);
  }
  assert.deepEqual((await service.ask('/audit')).json.lines, []);
  assert.deepEqual(service.bugs, []);
});

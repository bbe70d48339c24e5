import assert from 'node:assert/strict';
import { it } from 'node:test';
import { type Identity, requestHeaders, userAgent } from './request.ts';

const IDENTITY: Identity = { name: 'Orbweaver', version: '1.2.3', infoUrl: 'https://orb.test/bot' };
const SEED = 'https://seed.test';

it('the user agent: says who, which version, where to read; the contact when there is one', () => {
  const agent = 'Mozilla/5.0 (compatible; Orbweaver/1.2.3; +https://orb.test/bot)';
  assert.equal(userAgent(IDENTITY), agent);
  const withContact = userAgent({ ...IDENTITY, contact: 'ops@site.test' });
  assert.equal(withContact, `${agent.slice(0, -1)}; ops@site.test)`);
  assert.equal(userAgent({ ...IDENTITY, userAgent: 'Mine/1' }), 'Mine/1');
});

it('a contact with brackets or line ends: cannot change what the field says', () => {
  const agent = userAgent({ ...IDENTITY, contact: 'a) Evil/1\r\nX-Y: z' });
  assert.doesNotMatch(agent, /[\r\n]/);
  assert.equal(agent.indexOf(')'), agent.length - 1);
});

it('a mail address as contact: sent as From too', () => {
  const identity = { ...IDENTITY, contact: 'ops@site.test' };
  assert.equal(requestHeaders({ identity, seedOrigins: [] })('x').from, 'ops@site.test');
  const other = { ...IDENTITY, contact: 'https://site.test/@me' };
  assert.equal(requestHeaders({ identity: other, seedOrigins: [] })('x').from, undefined);
});

it('a page seen before: its validators are sent as they were received', () => {
  const headers = requestHeaders({ identity: IDENTITY, seedOrigins: [] });
  const known = { etag: 'W/"abc"', lastModified: 'Sun, 15 Nov 2026 09:20:59 GMT' };
  const fields = headers(SEED, known);
  assert.equal(fields['if-none-match'], known.etag);
  assert.equal(fields['if-modified-since'], known.lastModified);
  assert.equal(headers(SEED)['if-none-match'], undefined);
  assert.equal(headers(SEED, {})['if-none-match'], undefined);
});

it('secrets: go to the origins of the seeds and nowhere else', () => {
  const headers = requestHeaders({
    identity: IDENTITY,
    seedOrigins: [SEED, 'http://plain.test'],
    headers: { Authorization: 'Bearer x', 'X-Api-Key': 'k', 'X-Team': 'blue' },
    cookies: 'sid=1',
  });
  for (const origin of [SEED, 'http://plain.test', 'https://plain.test']) {
    const fields = headers(origin);
    assert.equal(fields.authorization, 'Bearer x', origin);
    assert.equal(fields.cookie, 'sid=1', origin);
    assert.equal(fields['x-api-key'], 'k', origin);
  }
  for (const origin of ['http://seed.test', 'https://seed.test:8443', 'https://www.seed.test']) {
    const fields = headers(origin);
    assert.equal(fields.authorization, undefined, origin);
    assert.equal(fields.cookie, undefined, origin);
    assert.equal(fields['x-api-key'], undefined, origin);
    assert.equal(fields['x-team'], 'blue', origin);
  }
});

it('fields that belong to the connection: never taken from the user', () => {
  const given = { Host: 'x', 'Content-Length': '5', 'transfer-encoding': 'chunked', 'a b': 'c' };
  const fields = requestHeaders({ identity: IDENTITY, seedOrigins: [], headers: given })('x');
  for (const name of ['host', 'content-length', 'transfer-encoding', 'a b']) {
    assert.equal(fields[name], undefined, name);
  }
});

it('a field value with line ends: cannot start a second field', () => {
  const headers = { 'X-A': 'b\r\nX-Evil: 1' };
  const fields = requestHeaders({ identity: IDENTITY, seedOrigins: [], headers })('x');
  assert.equal(fields['x-a'], 'bX-Evil: 1');
});

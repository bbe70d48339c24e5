import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { encodeMentions, type Mention } from './mention.ts';
import { EVENTS_SCHEMA } from './schema.ts';

const ajv = new Ajv2020();
ajv.addSchema(EVENTS_SCHEMA, 'events');
const isPage = ajv.compile({ $ref: 'events#/$defs/pages' });
const isUrls = ajv.compile({ $ref: 'events#/$defs/urls' });

const HASH = `sha256:${'0a'.repeat(32)}`;
const PAGE = {
  ...{ v: 1, id: `${HASH}@1.5`, kind: 'page', url: 'https://a.test/', host: 'a.test' },
  ...{ address: '192.0.2.1', startedAt: 1.5, answeredAt: 2, endedAt: 3, delayMs: 1_000 },
  ...{ status: 200, bytes: 4, urlHash: HASH, contentHash: HASH, links: 3, flags: ['noindex'] },
};

test('events schema: it is a schema, and a fetch fits it', () => {
  assert.ok(ajv.validateSchema(EVENTS_SCHEMA), ajv.errorsText());
  assert.ok(isPage(PAGE), ajv.errorsText(isPage.errors));
  assert.ok(isPage({ ...PAGE, fieldToCome: 1 }), 'fields may come without a new version');
});

test('events schema: another version, a missing field or a wrong one does not fit', () => {
  const { host: _, ...homeless } = PAGE;
  for (const wrong of [
    { ...PAGE, v: 2 },
    homeless,
    { ...PAGE, kind: 'letter' },
    { ...PAGE, status: '200' },
    { ...PAGE, contentHash: 'abc' },
    { ...PAGE, bytes: -1 },
    [],
    null,
  ]) {
    assert.equal(isPage(wrong), false, JSON.stringify(wrong));
  }
});

test('events schema: mentions as they are sent fit it', () => {
  const mention: Mention = {
    ...{ url: 'https://a.test/', kind: 'page', priority: 0.5, depth: 1, hops: 0, outside: 0 },
    ...{ parent: Buffer.from('ab01', 'hex'), claim: 0.2, job: 7 },
  };
  const seed = { ...mention, parent: Buffer.alloc(0) };
  const sent = JSON.parse(encodeMentions([mention, seed]).toString()) as { urls: object[] };
  assert.ok(isUrls(sent), ajv.errorsText(isUrls.errors));
  assert.equal(isUrls({ ...sent, v: 2 }), false);
  assert.equal(isUrls({ v: 1, urls: [{ ...sent.urls[0], depth: -1 }] }), false);
});

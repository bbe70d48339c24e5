import assert from 'node:assert/strict';
import { test } from 'node:test';
import { DOMAINS, DomainShare } from './domain-budget.ts';

test('domain: its budget grows with the domains that link to it, not with its own links', () => {
  const share = new DomainShare('a.example');
  share.taken = DOMAINS.base;
  assert.ok(share.isOver(DOMAINS, 1));
  for (let n = 0; n < 100; n++) share.noteLink('a.example', DOMAINS);
  assert.ok(share.isOver(DOMAINS, 1));
  for (let n = 0; n < 20; n++) share.noteLink(`d${n}.example`, DOMAINS);
  assert.ok(!share.isOver(DOMAINS, 1));
  assert.ok(Math.abs(share.linking - 20) <= 2, `${share.linking} domains`);
  share.taken = 40_000;
  assert.ok(share.isOver(DOMAINS, 1));
  share.rated = 100;
  assert.ok(!share.isOver(DOMAINS, 1));
});

test('domain: a farm has a tenth, and a base of 0 switches budgets off', () => {
  const share = new DomainShare('farm.example');
  share.taken = DOMAINS.base / 5;
  assert.ok(!share.isOver(DOMAINS, 1));
  assert.ok(share.isOver(DOMAINS, 0.1));
  share.taken = 1e9;
  assert.ok(!share.isOver({ ...DOMAINS, base: 0 }, 0.1));
});

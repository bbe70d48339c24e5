/** The table of addresses (P4) beyond what the port's contract shows of it: its bounds. */
import assert from 'node:assert/strict';
import { test } from 'node:test';
import { AddressTable } from './address-table.ts';

const TERMS = { holdMs: 30_000, pauseMs: 1_000 };
const one = (id: number) => ({ node: 'one', id: `one ${id}` });

test('address table: a claim that is heard twice is one claim', () => {
  const table = new AddressTable();
  assert.equal(table.claim('192.0.2.1', one(1), TERMS, 0), 0);
  assert.equal(table.claim('192.0.2.1', one(1), TERMS, 20), 0);
  assert.equal(table.claim('192.0.2.1', one(2), TERMS, 20), 1_000);
});

test('address table: full: no turn at an address that it does not know, others as ever', () => {
  const table = new AddressTable(2);
  for (const at of ['192.0.2.1', '192.0.2.2']) assert.equal(table.claim(at, one(1), TERMS, 0), 0);
  assert.equal(table.claim('192.0.2.3', one(2), TERMS, 0), 1_000);
  table.rest('192.0.2.1', one(1), 500, 0);
  assert.equal(table.claim('192.0.2.1', one(3), TERMS, 0), 0);
  assert.equal(table.size, 2);
});

test('address table: what is over is forgotten when entries have become many', () => {
  const table = new AddressTable();
  for (let n = 0; n < 5_000; n++) {
    const at = n * 100;
    const claim = one(n);
    table.claim(`address ${n}`, claim, TERMS, at);
    table.rest(`address ${n}`, claim, 1_000, at + 50);
  }
  assert.ok(table.size <= 1_000, `${table.size}`);
});

test('address table: said again: held where nobody has it, nothing where somebody does', () => {
  const table = new AddressTable();
  const two = { node: 'two', id: 'two 1' };
  table.hold('192.0.2.1', one(1), 5_000, 0);
  table.hold('192.0.2.1', two, 50_000, 0);
  assert.equal(table.claim('192.0.2.1', two, TERMS, 4_000), 1_000);
  assert.equal(table.claim('192.0.2.1', two, TERMS, 5_000), 0);
});

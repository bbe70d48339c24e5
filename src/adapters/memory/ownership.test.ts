import assert from 'node:assert/strict';
import { it } from 'node:test';
import { hostKeyOf } from '../../record/index.ts';
import { localOwnership } from './ownership.ts';

it('local ownership: any host: mine', () => {
  for (const host of ['a.test', 'b.test:8080', '[::1]']) {
    assert.equal(localOwnership().isMine(hostKeyOf(host)), true);
  }
});

it('local ownership: a mention that is handed on all the same: a broken invariant', async () => {
  await localOwnership<string>().hand([]);
  await assert.rejects(localOwnership<string>().hand(['https://a.test/']), /broken invariant/);
});

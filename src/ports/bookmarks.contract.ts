/** The promises of bookmarks, for every adapter that keeps them. */
import assert from 'node:assert/strict';
import { it } from 'node:test';
import type { Bookmarks } from './bookmarks.ts';

export function bookmarksContract(name: string, open: () => Promise<() => Bookmarks>): void {
  it(`${name} bookmarks: promise 1: the last place of each reader, also after a restart`, async () => {
    const reopen = await open();
    const marks = reopen();
    assert.equal(await marks.get('a'), undefined);
    await marks.set('a', '1:10');
    await marks.set('b', '1:5');
    await marks.set('a', '2:0');
    assert.equal(await marks.get('a'), '2:0');
    const again = reopen();
    assert.deepEqual([await again.get('a'), await again.get('b')], ['2:0', '1:5']);
  });

  it(`${name} bookmarks: promise 1: any name is a reader's`, async () => {
    const marks = (await open())();
    const names = [
      'https://user:pass@h.example/x?y#z',
      '../up',
      '',
      'a/b',
      '\0',
      'x'.repeat(5_000),
    ];
    for (const [i, reader] of names.entries()) await marks.set(reader, String(i));
    for (const [i, reader] of names.entries()) assert.equal(await marks.get(reader), String(i));
  });
}

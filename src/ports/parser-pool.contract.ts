/** The promises of the `ParserPool` port, proved of any adapter. */
import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { digest, type RawPage } from '../content/index.ts';
import type { ParserPool } from './parser-pool.ts';

export function parserPoolContract(
  name: string,
  open: () => ParserPool | Promise<ParserPool>,
): void {
  describe(`${name} parser-pool`, () => {
    it('promise 1: many pages at once: each gets the digest that it gets inline', async () => {
      const pool = await open();
      const pages = Array.from({ length: 40 }, (_, nth) => nth);
      const made = await Promise.all(pages.map((nth) => pool.digest(pageOf(nth))));
      made.forEach((one, nth) => {
        assert.deepEqual(plain(one), plain(digest(pageOf(nth))));
      });
      await pool.close();
    });

    it('promise 2: a page that breaks its parser: the answer says so, the next page is read', async () => {
      const pool = await open();
      const broken = await pool.digest({ ...pageOf(1), url: 'not a url at all' });
      assert.equal(typeof broken.trouble, 'string');
      const next = await pool.digest(pageOf(2));
      assert.equal(next.title, 'Page 2');
      await pool.close();
    });

    it('a body that is a slice of a larger buffer: the rest of the buffer is left alone', async () => {
      const pool = await open();
      const whole = Buffer.from(`before<title>in</title>after`);
      const made = await pool.digest({ ...pageOf(1), body: whole.subarray(6, 23) });
      assert.equal(made.title, 'in');
      assert.equal(whole.toString(), 'before<title>in</title>after');
      await pool.close();
    });

    it('pages without a body that share one empty buffer: each is read, of whatever kind', async () => {
      const pool = await open();
      const body = new Uint8Array(0);
      for (const type of ['text/html', 'application/json', '', 'text/html', 'application/pdf']) {
        const made = await pool.digest({ ...pageOf(1), body, headers: { 'content-type': type } });
        assert.deepEqual([made.bodyBytes, made.links.length], [0, 0], type);
      }
      await pool.close();
    });
  });
}

function pageOf(nth: number): RawPage {
  const links = Array.from({ length: nth }, (_, i) => `<a href="/p${i}">to ${i}</a>`).join('');
  return {
    url: `https://h.example/page/${nth}`,
    kind: 'page',
    body: Buffer.from(`<title>Page ${nth}</title>${links}<a href="/?q=п">п</a>`),
    headers: { 'content-type': 'text/html; charset=utf-8' },
    decodedBytesMax: 1_000_000,
    agent: 'Orbweaver',
    // As of a page that was sent in another charset, and rendered (H5).
    ...(nth % 2 === 1 && { queryCharset: 'windows-1251' }),
  };
}

/** Bytes as hex, whatever view a thread hands out. */
function plain(value: object): Record<string, unknown> {
  return Object.fromEntries(
    Object.entries(value).map(([name, field]) => [
      name,
      field instanceof Uint8Array ? Buffer.from(field).toString('hex') : field,
    ]),
  );
}

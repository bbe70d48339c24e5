/** A crawl that is stopped, or killed, while pages wait for the browser: nothing is lost (J2, S1). */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import { aliveIn, browsersOf } from '../../src/adapters/chromium/processes.testkit.ts';
import { FLAGS } from '../../src/record/index.ts';
import { browserPath, openWebFor, orb, recordsOf, scratch, startOrb } from '../kit/index.ts';

describe('render, resumed', { concurrency: 2 }, () => {
  for (const signal of ['SIGINT', 'SIGKILL'] as const) {
    test(`render: ${signal} in the middle of a page: no browser is left, and the next run renders it`, async (t) => {
      const chromium = await browserPath(t);
      if (chromium === undefined) return;
      if (!existsSync('/proc/self')) return t.skip('there is no /proc to look for processes');
      const options = { seed: 61, hosts: 1, pages: 2, features: 'plain' } as const;
      const web = await openWebFor(t, { ...options, quarters: { app: { hosts: 1, pages: 1 } } });
      const dir = join(await scratch(t), 'crawl');
      const start = web.web.urlsIn('app')[0] ?? '';
      const flags = ['--allow-private', '--delay', '5ms', '--ip-rate', '1000', '--render', 'auto'];
      const args = ['crawl', start, '--dir', dir, ...web.flags, ...flags, '--chromium', chromium];
      const run = startOrb(t, args);
      const isAsked = (end: string) =>
        [...web.server.log.requests()].some(({ url }) => url.endsWith(end));
      while (!isAsked('/app.js') && !run.isOver) await new Promise((look) => setTimeout(look, 2));
      const browsers = browsersOf(run.pid);
      assert.equal(browsers.length, 1);
      run.kill(signal);
      const end = await run.ended;
      assert.equal(end.code, signal === 'SIGINT' ? 130 : null, end.stderr);
      for (const until = performance.now() + 10_000; aliveIn(browsers) > 0; ) {
        assert.ok(performance.now() < until, 'the browser has ended');
        await new Promise((look) => setTimeout(look, 10));
      }
      const again = await orb(t, args);
      assert.equal(again.code, 0, again.stderr);
      const { urls } = await recordsOf(t, dir);
      const scripted = web.web.urlsIn('app').filter((url) => web.web.labelOf(url)?.scripted);
      for (const url of scripted) {
        assert.ok(((urls.get(url)?.flags ?? 0) & FLAGS.rendered) !== 0, `${url} was rendered`);
      }
    });
  }
});

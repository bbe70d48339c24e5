import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { jobOf, rendererContract } from '../../ports/renderer.contract.ts';
import { systemClock } from '../node/clock.ts';
import { findBrowser } from './find.ts';
import { openChromium } from './index.ts';
import { aliveIn, browsersOf } from './processes.testkit.ts';

const places = {
  executable: process.env.ORB_CHROMIUM,
  ...{ folders: process.env.PATH ?? '', cwd: process.cwd() },
};
const options = {
  ...{ clock: systemClock(), ...places },
  ...{ pages: 3, pagesPerBrowser: 50, memoryMax: 400 << 20 },
};
const found = await findBrowser(places);
const problem = existsSync('/proc/self')
  ? problemOf(found)
  : 'there is no /proc to look for processes';

function problemOf(browser: typeof found): string | undefined {
  return browser.kind === 'missing' ? `no Chromium: ${browser.problem}` : undefined;
}

if (problem !== undefined) {
  if (process.env.CI === 'true') throw new Error(problem);
  process.stderr.write(`SKIPPED: nothing was rendered, ${problem}\n`);
} else {
  rendererContract('chromium', () => {
    const known = new Set<number>();
    const look = () => {
      for (const pid of browsersOf(process.pid)) known.add(pid);
      return [...known].filter((pid) => aliveIn([pid]) > 0);
    };
    return {
      renderer: openChromium(options),
      kill: () => look().filter((pid) => process.kill(pid, 'SIGKILL')).length > 0,
      alive: () => aliveIn(look()),
    };
  });

  test('chromium: our own process is killed in the middle of a page: its browser ends, too', async () => {
    const kit = fileURLToPath(new URL('killed.testkit.ts', import.meta.url));
    const executable =
      places.executable ?? (found.kind === 'found' ? found.what.split(' (')[0] : '');
    const child = spawn(process.execPath, [kit, executable ?? ''], {
      stdio: ['ignore', 'pipe', 'inherit'],
    });
    const [line] = await once(child.stdout.setEncoding('utf8'), 'data');
    const browser = Number(line);
    assert.ok(aliveIn([browser]) > 0, `the browser ${browser} runs`);
    child.kill('SIGKILL');
    await once(child, 'close');
    for (const until = performance.now() + 10_000; aliveIn([browser]) > 0; ) {
      assert.ok(performance.now() < until, 'it has ended within ten seconds');
      await new Promise((resolve) => setImmediate(resolve));
    }
  });

  test('chromium: a browser is replaced after so many pages, when its last page has gone', async () => {
    const renderer = openChromium({ ...options, pagesPerBrowser: 2 });
    for (let n = 0; n < 3; n++) {
      const { job } = jobOf(`<p>${n}`);
      assert.equal((await renderer.render(job)).kind, 'rendered');
    }
    assert.equal(renderer.stats().starts, 2);
    assert.equal(renderer.stats().deaths, 0);
    const started = browsersOf(process.pid);
    await renderer.close();
    assert.equal(aliveIn(started), 0);
  });
}

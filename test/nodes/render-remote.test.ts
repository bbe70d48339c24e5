/**
 * Browsers elsewhere (K3, J2): the promises of the `Renderer` port over real HTTP and a real
 * Chromium, and a crawl whose pages are rendered by another process, with the web's own log as the
 * witness that every request of that browser was made by the owner, at its turn.
 */
import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { findBrowser } from '../../src/adapters/chromium/find.ts';
import { openChromium } from '../../src/adapters/chromium/index.ts';
import { aliveIn, browsersOf } from '../../src/adapters/chromium/processes.testkit.ts';
import { systemClock } from '../../src/adapters/node/index.ts';
import { rendererContract } from '../../src/ports/renderer.contract.ts';
import { gaps, judgeQuarters } from '../../testweb/index.ts';
import { browserPath } from '../kit/browser.ts';
import { startOrb } from '../kit/orb.ts';
import { remoteRenderer } from '../kit/rendering.ts';
import { openService } from '../kit/service.ts';
import { openWebFor } from '../kit/web.ts';

const RATE = 40;

test('renderer: killed in the middle, another finishes; the owner asked for everything, politely', async (t) => {
  const chromium = await browserPath(t);
  if (chromium === undefined) return;
  const web = await openWebFor(t, {
    ...{
      seed: 61,
      hosts: 2,
      pages: 6,
      features: 'plain',
      quarters: { app: { hosts: 2, pages: 2 } },
    },
  });
  const roles = ['--roles', 'frontier,fetch,parse,schedule,api', '--render', 'auto'];
  const pace = ['--rate', String(RATE), '--ip-rate', '1000', '--render-pages', '4'];
  const api = await openService(t, web, { flags: [...roles, ...pace] });
  // It has no way to the web: no name server, no network that it may ask.
  const alone = ['--chromium', chromium, '--dns', '127.0.0.1:9'];
  const start = () =>
    startOrb(t, ['serve', '--roles', 'render', '--frontier', api.at, ...alone], {
      env: { ORB_RENDER_RENDER: 'auto' },
    });
  const first = start();
  await first.said(/"event":"working"/);
  await api.post('/crawl/seeds', { urls: [web.start], scope: 'any' });
  while ((api.session.renderings?.work.out ?? 0) === 0 && !first.isOver) {
    await new Promise((look) => setTimeout(look, 5));
  }
  first.kill('SIGKILL');
  await first.ended;
  const second = start();
  const missed = () => judgeQuarters(web.web, web.server.log).flatMap((place) => place.missed);
  while (missed().length > 0 && !second.isOver) await new Promise((look) => setTimeout(look, 50));
  assert.deepEqual(missed(), [], `every page behind the apps was asked for: ${second.stderr}`);
  while ((api.session.renderings?.work.out ?? 0) > 0)
    await new Promise((look) => setTimeout(look, 50));
  const { json } = await api.ask('/pages?flag=rendered&limit=100');
  assert.ok(json.pages.length > 0, 'and rendered');
  const rows = [...web.server.log.requests()];
  assert.ok(
    rows.some((row) => new URL(row.url).pathname.startsWith('/data/')),
    'data was asked for',
  );
  assert.deepEqual(
    rows.filter((row) => row.url.includes('/data/private/')),
    [],
    'but not what robots.txt forbids',
  );
  for (const gap of gaps(web.server.log)) {
    assert.equal(gap.overlaps, 0, gap.of);
    assert.ok(gap.smallestMs >= 1_000 / RATE - 1, `${gap.of}: ${gap.smallestMs} ms`);
  }
  second.kill('SIGTERM');
  assert.equal((await second.ended).code, 143, second.stderr);
  assert.deepEqual(api.bugs, []);
});

const places = {
  executable: process.env.ORB_CHROMIUM,
  ...{ folders: process.env.PATH ?? '', cwd: process.cwd() },
};
const found = await findBrowser(places);
const problem = existsSync('/proc/self')
  ? found.kind === 'missing' && `no Chromium: ${found.problem}`
  : 'there is no /proc to look for processes';

if (problem !== false) {
  if (process.env.CI === 'true') throw new Error(problem);
  process.stderr.write(`SKIPPED: nothing was rendered elsewhere, ${problem}\n`);
} else {
  rendererContract('remote', () => {
    const known = new Set<number>();
    const look = () => {
      for (const pid of browsersOf(process.pid)) known.add(pid);
      return [...known].filter((pid) => aliveIn([pid]) > 0);
    };
    const browser = openChromium({
      ...{ clock: systemClock(), ...places },
      ...{ pages: 3, pagesPerBrowser: 50, memoryMax: 400 << 20 },
    });
    return {
      renderer: remoteRenderer(browser),
      kill: () => look().filter((pid) => process.kill(pid, 'SIGKILL')).length > 0,
      alive: () => aliveIn(look()),
    };
  });
}

/**
 * The page of the ring in a real browser (O2): drawn, chosen by mouse and by keyboard, silent nodes
 * marked, and absent where there is no ring. Pictures are written to .cache/screens/.
 */
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Browser, Page } from 'playwright-core';
import { systemClock } from '../../src/adapters/node/index.ts';
import { StillRing } from '../../src/crawl/ring-seen.testkit.ts';
import { dashboardEndpoints } from '../../src/edge/dashboard/index.ts';
import type { Peer } from '../../src/ring/index.ts';
import { startBrowser } from '../kit/browser.ts';
import { looked, numberOf, shoot, until, WIDE, watch } from '../kit/looks.ts';
import type { RingNode } from '../kit/ring.ts';
import { RingCrawl } from '../kit/ring-crawl.ts';
import { openService } from '../kit/service.ts';

const PATIENCE_MS = 20_000;
const REAL = { nodes: 3, hosts: 8, pages: 200, delayMs: 200, flags: ['--ring-term', '4s'] };
const ENDS: (() => unknown)[] = [];
const cleanup = { after: (end: () => unknown) => void ENDS.push(end) };

const browser = await startBrowser();
const skip = 'reason' in browser ? browser.reason : false;

describe('dashboard of a ring', { skip }, () => {
  const wrong: string[] = [];
  const more = dashboardEndpoints();
  after(async () => {
    await (browser as Browser).close();
    for (const end of ENDS) await end();
  });

  async function openAt(nodes: number) {
    const ring = new StillRing(nodes, systemClock());
    const at = (i: number) => ring.peers[i] as Peer;
    const ringAnswers = ring.answersOf(at(0));
    const { at: address } = await openService(cleanup, undefined, { more, ringAnswers });
    return { ring, at, page: await openPage(address) };
  }

  async function openPage(baseURL: string): Promise<Page> {
    const context = await (browser as Browser).newContext({ baseURL, viewport: WIDE });
    const page = await context.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    watch(page, baseURL, wrong);
    return page;
  }

  describe('three nodes', () => {
    let [ring, page, at] = [{} as StillRing, {} as Page, (_: number) => ({}) as Peer];
    before(async () => {
      ({ ring, page, at } = await openAt(3));
    });

    test('the page is a link away, and shows every node and arc', async () => {
      await page.goto('/');
      await page.getByRole('link', { name: 'Ring' }).click();
      await page.getByRole('heading', { level: 1, name: 'Ring' }).waitFor();
      await until(async () => (await numberOf(page, 'Nodes')) === 3);
      assert.equal(await numberOf(page, 'Arcs owned'), 64);
      assert.equal(await page.locator('.ring-drawing .piece').count(), 64);
      assert.equal(await page.locator('.ring-drawing .node').count(), 3);
      await page.getByRole('heading', { name: /^Node .* this one$/ }).waitFor();
      await page.getByText('Fingers', { exact: true }).waitFor();
      await looked(page, 'ring-3');
    });

    test('a host is looked up: its arc is chosen, its owner named', async () => {
      await page.getByLabel('Host', { exact: true }).fill('example.com');
      await page.keyboard.press('Enter');
      await page.getByText('example.com is at').waitFor();
      await page.getByRole('heading', { name: /^Arc \d+$/ }).waitFor();
      await page.locator('.ring-drawing .owner-way').waitFor({ state: 'attached' });
      assert.equal(await page.locator('.ring-drawing .seat-way').count(), 2);
      await shoot(page, 'ring-3-arc');
      await page.getByLabel('Host', { exact: true }).fill('a b');
      await page.keyboard.press('Enter');
      await page.getByText('no name of a host').waitFor();
      wrong.splice(0);
    });

    test('a node that becomes silent is marked in the drawing and in the table', async () => {
      ring.silent.add(at(1).place);
      await page.locator('.ring-drawing .node.silent').waitFor({ state: 'attached' });
      await page
        .locator('.ring-nodes')
        .getByRole('row', { name: /silent, heard/ })
        .waitFor();
      await page.getByText('1 silent').waitFor();
      ring.silent.clear();
      await page.locator('.ring-drawing .node.silent').waitFor({ state: 'detached' });
    });
  });

  test('twelve nodes: one silent, one dead, arcs moving; chosen by mouse and by keyboard', async () => {
    const { ring, at, page } = await openAt(12);
    await page.goto('/#/ring');
    await page.locator('.ring-drawing .node').nth(11).waitFor({ state: 'attached' });
    await shoot(page, 'ring-12');
    for (const host of ['a.example', 'b.example', 'c.example', 'd.example', 'e.example']) {
      await ring.answersOf(at(5)).lookup(host);
    }
    ring.handing.add(9).add(10);
    ring.kill(at(7));
    ring.silent.add(at(8).place);
    const name = at(5).place.slice(0, 4);
    await page.locator(`.ring-drawing [data-place="${at(5).place}"] .dot-shape`).click();
    await page.getByRole('heading', { name: `Node ${name}` }).waitFor();
    await page.locator('.ring-drawing .looked').nth(4).waitFor({ state: 'attached' });
    await page.locator('.ring-drawing .node.silent').nth(1).waitFor({ state: 'attached' });
    await looked(page, 'ring-12-silent');
    const button = page.getByRole('button', { name: 'Arc 9', exact: true });
    await button.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name: 'Arc 9', exact: true }).waitFor();
    assert.equal(await button.getAttribute('aria-pressed'), 'true');
    await page.getByText('on its way to another owner').waitFor();
    await shoot(page, 'ring-12-arc');
  });

  test('a hundred nodes: still one page, and still read', async () => {
    const { page } = await openAt(100);
    await page.goto('/#/ring');
    await page.locator('.ring-drawing .node').nth(99).waitFor({ state: 'attached' });
    await shoot(page, 'ring-100');
  });

  test('three processes that crawl: each is seen at work, and one that is killed is missed', async (t) => {
    const crawl = await RingCrawl.begin(t, REAL);
    const page = await openPage(crawl.first.at);
    await page.goto('/#/ring');
    await page.locator('.ring-drawing .node').nth(2).waitFor({ state: 'attached' });
    await until(async () => (await numberOf(page, 'Arcs owned')) === 64);
    await crawl.seed();
    await page.getByLabel('Host', { exact: true }).fill(new URL(crawl.web.start).host);
    await page.keyboard.press('Enter');
    await page.getByText(' is at ').waitFor();
    const fetched = async () => {
      const cells = await page.locator('.ring-nodes tbody td:nth-child(7)').allInnerTexts();
      return cells.reduce((sum, cell) => sum + (Number(cell.replaceAll(',', '')) || 0), 0);
    };
    await until(async () => (await fetched()) > REAL.hosts);
    await looked(page, 'ring-real');
    const victim = crawl.ring.nodes.at(-1) as RingNode;
    await crawl.ring.kill(victim);
    await page.locator('.ring-drawing .node.silent').waitFor({ state: 'attached' });
    await page
      .getByRole('row', { name: new RegExp(`${victim.announce}.*silent, heard`) })
      .waitFor();
    await shoot(page, 'ring-real-silent');
    await until(async () => (await page.locator('.piece.orphan').count()) === 0);
    await shoot(page, 'ring-real-after');
    crawl.ring.assertAlive();
    // Before the ring, which the page would miss.
    await page.close();
  });

  test('where there is no ring: no link, and its address says so', async () => {
    const { at: address } = await openService(cleanup, undefined, { more });
    const page = await openPage(address);
    await page.goto('/');
    await page.getByText('Live').waitFor();
    assert.equal(await page.getByRole('link', { name: 'Ring' }).count(), 0);
    const before = wrong.length;
    await page.goto('/#/ring');
    await page.getByText('This node is on no ring.').waitFor();
    await shoot(page, 'ring-none');
    assert.ok(wrong.splice(before).every((line) => /404/.test(line)));
  });

  test('all along: no error in the console, and nothing asked of anybody else', () => {
    assert.deepEqual(wrong, []);
  });
});

/**
 * The dashboard in a real browser, against a crawl of the test web that runs meanwhile (O2, O3,
 * A4, Y3). Pictures of each page are written to .cache/screens/, to be looked at.
 */
import assert from 'node:assert/strict';
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import type { Browser, BrowserContext, Page } from 'playwright-core';
import { listenWeb } from '../../src/adapters/api/index.ts';
import { systemClock } from '../../src/adapters/node/index.ts';
import { makeSite, newTokenEntry, type TokenEntry } from '../../src/edge/api/index.ts';
import { dashboardEndpoints } from '../../src/edge/dashboard/index.ts';
import { DEFAULT_INPUTS, type PlanInputs, planCapacity, sayFigure } from '../../src/plan/index.ts';
import { ATTACK_HEADER, ATTACK_TITLE, serveAttacks } from '../kit/attacks.ts';
import { startBrowser } from '../kit/browser.ts';
import { fetchedPage, ruledHost } from '../kit/found.ts';
import { looked, numberOf, shoot, until, WIDE, watch } from '../kit/looks.ts';
import { openService, type TestService } from '../kit/service.ts';
import { openWebFor, type TestWeb } from '../kit/web.ts';

const WEB = {
  ...{ seed: 7, hosts: 8, pages: 9_000, bodyBytes: 3_000, features: 'honest' as const },
  quarters: { calendar: {}, 'soft-404': {}, mirror: { hosts: 1, pages: 40 } },
} as const;
/** What pages say while there is nothing to show. */
const EMPTY = [
  ['jobs', 'No job was started yet.'],
  ['hosts', 'No host is known yet.'],
  ['shards', 'in 0 arcs of 64'],
  ['fresh', 'No page is to be visited again yet.'],
  ['copies', 'No page repeats another.'],
  ['comply', 'Nothing was decided yet.'],
] as const;
/** A stranger may have chosen it. */
const JOB_NAME = 'Everything <img src=x onerror="window.pwned=9">';
/** More than any page needs, also where others share the machine. */
const PATIENCE_MS = 20_000;
/** The crawl ends before the webs that it crawls. */
const ENDS: (() => unknown)[] = [];
const LAST: (() => unknown)[] = [];
const cleanup = { after: (end: () => unknown) => void ENDS.push(end) };
const cleanupLast = { after: (end: () => unknown) => void LAST.push(end) };

const browser = await startBrowser();
const skip = 'reason' in browser ? browser.reason : false;

describe('dashboard', { skip }, () => {
  let [web, api, at, attack] = [{} as TestWeb, {} as TestService, '', ''];
  let context = {} as BrowserContext;
  let page = {} as Page;
  const wrong: string[] = [];

  before(async () => {
    web = await openWebFor(cleanupLast, WEB);
    attack = await serveAttacks(cleanupLast);
    api = await openService(cleanup, web, { flags: ['--scope', 'any', '--rate', '25'] });
    at = await serveDashboard(api);
    context = await (browser as Browser).newContext({
      baseURL: at,
      viewport: WIDE,
      locale: 'en-US',
    });
    page = await context.newPage();
    page.setDefaultTimeout(PATIENCE_MS);
    watch(page, at, wrong);
  });
  after(async () => {
    await (browser as Browser).close();
    for (const end of [...ENDS, ...LAST]) await end();
  });

  test('a service with nothing to do: says so, and leads to the form', async () => {
    await page.goto('/');
    await page.getByText('There is nothing to crawl yet.').waitFor();
    await shoot(page, 'empty');
    for (const [name, said] of EMPTY) {
      await page.goto(`/#/${name}`);
      await page.getByText(said).first().waitFor();
      await shoot(page, `empty-${name}`);
    }
    await page.goto('/#/');
    await page.getByRole('link', { name: 'Start crawling' }).last().click();
    await page.getByRole('heading', { level: 1, name: 'Start crawling' }).waitFor();
  });

  test('start crawling: seeds from the form are queued, refused ones are told', async () => {
    const seeds = [web.start, attack, 'ftp://nobody.test/'].join('\n');
    await page.getByLabel('Addresses, one a line').fill(seeds);
    await page.getByLabel('Name').fill(JOB_NAME);
    await page.getByLabel('Pages at most').fill('100000');
    await page.getByRole('button', { name: 'Start crawling' }).click();
    await page.getByText('2 URLs queued.').waitFor();
    await page.getByText('ftp://nobody.test/').last().waitFor();
    await looked(page, 'start');
    await page.getByRole('link', { name: 'Watch it' }).click();
  });

  test('overview: the numbers move by themselves while the crawl runs', async () => {
    await page.getByRole('heading', { level: 1, name: 'Overview' }).waitFor();
    const fetched = () => numberOf(page, 'Fetched');
    while (!((await numberOf(page, 'Pages a second')) > 0)) await page.waitForTimeout(50);
    const first = await fetched();
    while ((await fetched()) <= first) await page.waitForTimeout(50);
    await page.getByRole('row', { name: /2xx/ }).waitFor();
    assert.match(await page.locator('.link-mark').innerText(), /^Live/);
    await page.locator('.chart canvas').first().waitFor();
    await looked(page, 'overview');
  });

  test('jobs: one is paused and resumed, another is cancelled, each as the page says', async () => {
    await page.getByRole('link', { name: 'Jobs' }).click();
    const first = page.getByRole('listitem').filter({ hasText: 'Everything' });
    await first.getByText('Running').waitFor();
    assert.match(await first.innerText(), /of 100,000 pages/);
    await first.getByRole('button', { name: 'Pause' }).click();
    await first.getByText('Paused').waitFor();
    await looked(page, 'jobs');
    const before = (await api.ask('/jobs')).json.jobs;
    assert.ok(before.some((job: { name: string; state: string }) => job.state === 'paused'));
    await first.getByRole('button', { name: 'Resume' }).click();
    await first.getByText('Running').waitFor();

    const many = Array.from({ length: 300 }, (_, i) => `${web.start}?of=another&n=${i}`);
    await page.getByRole('link', { name: 'Start a job' }).click();
    await page.getByLabel('Addresses, one a line').fill(many.join('\n'));
    await page.getByLabel('Name').fill('Another one');
    await page.getByLabel('Links to follow').fill('0');
    await page.getByRole('button', { name: 'Start crawling' }).click();
    await page.getByRole('link', { name: 'To the jobs' }).click();
    const other = page.getByRole('listitem').filter({ hasText: 'Another one' });
    await other.getByRole('button', { name: 'Cancel' }).click();
    await shoot(page, 'jobs-cancel');
    await page.keyboard.press('Escape');
    // The browser gives the focus back before the page knows that its dialog is closed.
    await page.locator('dialog').waitFor({ state: 'detached' });
    assert.match(String(await page.evaluate('document.activeElement.innerText')), /^Cancel/);
    await page.keyboard.press('Enter');
    await page.getByRole('button', { name: 'Cancel the job' }).click();
    await other.getByText('Cancelled', { exact: true }).waitFor();
  });

  test('hosts: sorted and found by part of a name among all of them, and one opened', async () => {
    const host = await ruledHost(api);
    await page.getByRole('link', { name: 'Hosts' }).click();
    await page.getByRole('heading', { level: 1, name: 'Hosts' }).waitFor();
    const sorted = page.waitForResponse((response) => response.url().includes('sort=host'));
    await page.getByRole('button', { name: 'Host' }).click();
    await sorted;
    await page.locator('th[aria-sort=ascending]').waitFor();
    const names = () => page.locator('tbody tr td:first-child').allInnerTexts();
    await until(async () => isSorted(await names()));
    assert.ok((await names()).length > 3);
    await looked(page, 'hosts');
    await page.getByLabel('Find a host').fill(host.slice(1, -1).toUpperCase());
    await page.getByText('1 host with').waitFor();
    await page.getByRole('link', { name: host, exact: true }).click();
    await page.getByRole('heading', { level: 1, name: host }).waitFor();
  });

  test('one host: its timeline, its queue, and the lines of robots.txt that decide', async () => {
    await page.getByText('Crawl-delay', { exact: true }).first().waitFor();
    await page.getByText('all there ever were').waitFor();
    await page.locator('.timeline .step').first().waitFor();
    await page.getByRole('heading', { name: 'Queue' }).waitFor();
    await page.getByRole('table', { name: 'URLs that wait' }).waitFor();
    await page.getByText('is allowed').waitFor();
    const text = await page.locator('.marked').innerText();
    const forbidden = /^disallow: *(\/[^\s*$]+)/im.exec(text)?.[1];
    await page.getByLabel('May this path be asked?').fill(`${forbidden}page`);
    await page.getByText('is forbidden by line').waitFor();
    assert.match(await page.locator('.mark-forbids').innerText(), /^disallow/i);
    assert.match(await page.locator('.mark-speaks').first().innerText(), /^user-agent/i);
    await looked(page, 'host');
  });

  test('one URL: its why is told as a story, with record, versions and links', async () => {
    await page.getByRole('link', { name: 'Why a URL' }).click();
    await page.getByLabel('URL', { exact: true }).fill(web.start);
    const told = page.waitForResponse((response) => response.url().includes('/why?'));
    await page.getByRole('button', { name: 'Tell why' }).click();
    await page.getByText('It was fetched.').waitFor();
    const why = (await (await told).json()) as { readonly story: readonly string[] };
    const story = await page.locator('.story li').allInnerTexts();
    assert.deepEqual(story, why.story);
    assert.ok(story.length > 3);
    await page.getByRole('heading', { name: 'Links out' }).waitFor();
    await page.getByRole('heading', { name: 'Headers' }).waitFor();
    await page.getByText('the one that is stored').waitFor();
    await page.getByRole('button', { name: 'Look for links to it' }).click();
    await page.getByText('Show more links, from').waitFor();
    await looked(page, 'url');
  });

  test('shards, freshness, copies and traps: numbers of the crawl as a whole', async () => {
    await page.getByRole('link', { name: 'Shards' }).click();
    await page.getByRole('heading', { level: 1, name: 'Shards' }).waitFor();
    await until(async () => (await numberOf(page, 'Hosts')) >= WEB.hosts);
    await until(async () => (await numberOf(page, 'Visits a second')) > 0);
    assert.equal(await page.locator('.arcs tbody tr').count(), 64);
    await looked(page, 'shards');
    await page.getByRole('link', { name: 'Freshness' }).click();
    await page.getByRole('heading', { name: 'By tier and class' }).waitFor();
    await page.getByText('in a sample').first().waitFor();
    await looked(page, 'fresh');
    await until(async () => (await api.ask('/traps')).json.hosts.length > 0);
    await page.getByRole('link', { name: 'Copies and traps' }).click();
    await page.locator('.wrong .traps li').first().waitFor();
    await page.getByRole('table', { name: 'Pages with the most copies' }).waitFor();
    await page.getByText('looked through').first().waitFor();
    await page.getByRole('heading', { name: 'Hosts with something' }).waitFor();
    await looked(page, 'copies');
  });

  test('a page that attacks whoever shows it: is text, everywhere', async () => {
    await page.goto(`/#/url/${encodeURIComponent(attack)}`);
    await page.getByRole('button', { name: 'Show the stored body' }).click();
    await page.getByText('window.pwned = 4').waitFor();
    const text = await page.locator('main').innerText();
    const seen = ATTACK_TITLE.replace('\u001b', '\u27e8U+001B\u27e9').replace(
      '\u202e',
      '\u27e8U+202E\u27e9',
    );
    assert.ok(text.includes(seen), 'the title stands there as it is');
    assert.ok(text.includes(ATTACK_HEADER), 'so does the header');
    assert.ok(!text.includes('\u001b'), 'nothing unseen is left');
    await shoot(page, 'attack');
    const { host } = new URL(attack);
    await page.goto(`/#/hosts/${encodeURIComponent(host)}`);
    await page.getByText('Disallow: /nothing').waitFor();
    assert.equal(await page.evaluate('window.pwned'), undefined);
    assert.equal(await page.locator('img, main script').count(), 0);
  });

  test('a page is taken down: asked first, then gone, denied, and in the trail', async () => {
    const target = await fetchedPage(api, web.start);
    await page.goto(`/#/url/${encodeURIComponent(target)}`);
    await page.getByText('It was fetched.').waitFor();
    await page.getByRole('button', { name: 'Take this page down' }).click();
    const dialog = page.getByRole('dialog', { name: 'Take this page down?' });
    await dialog.getByLabel('Who asks for it').fill('Ann <img onerror=alert(1)>');
    await dialog.getByLabel('Reason').fill('letter of 3 May');
    await looked(page, 'takedown');
    await dialog.getByRole('button', { name: 'Take it down' }).click();
    await page.getByText('Taken down.').waitFor();
    await page.getByText('It is on the denylist, or its host is.').waitFor();
    assert.equal(await page.getByRole('button', { name: 'Show the stored body' }).count(), 0);
    await page.getByRole('link', { name: 'of the audit trail' }).click();
    await page.getByText('The trail is as it was written.').waitFor();
    await page
      .getByRole('row', { name: 'letter of 3 May (asked for by Ann <img' })
      .first()
      .waitFor();
    await page.getByLabel('Find a denial').fill('letter of');
    await page.getByText('1 of 1').waitFor();
    await page.getByLabel('Find a denial').fill('');
    await page.getByLabel('What to hold').fill('held.test');
    await page.getByRole('button', { name: 'Hold…' }).click();
    await page.getByLabel('Who asks for it').fill('Bob');
    await page.getByLabel('Reason').fill('a lawsuit');
    await page.getByRole('button', { name: 'Hold it' }).click();
    await page.getByRole('button', { name: 'Release' }).waitFor();
    await page.getByRole('button', { name: 'Record a complaint…' }).click();
    await page.getByLabel('Host', { exact: true }).fill('angry.test');
    await page.getByLabel('What they say').fill('too fast');
    await page.getByLabel('They want never').check();
    await page.getByRole('button', { name: 'Record it' }).click();
    await page.getByText('1 complaint so far').waitFor();
    await page.getByRole('cell', { name: 'complain' }).first().waitFor();
    await page.getByRole('button', { name: 'Lift angry.test' }).click();
    await page.getByLabel('Who asks for it').fill('Bob');
    await page.getByLabel('Reason').fill('they are content now');
    await page.getByRole('button', { name: 'Lift it' }).click();
    await page.getByRole('cell', { name: 'they are content now' }).first().waitFor();
    await page.getByRole('button', { name: 'Lift angry.test' }).waitFor({ state: 'detached' });
    await looked(page, 'comply');
    assert.equal(await page.locator('img').count(), 0);
  });

  test('a trail that somebody changed: the line is named, plainly', async () => {
    const file = join(api.dir, 'audit.jsonl');
    const whole = readFileSync(file, 'utf8');
    writeFileSync(file, whole.replace('letter of 3 May', 'letter of 4 May'));
    await page.getByRole('button', { name: 'Verify again' }).click();
    await page.getByText('Line 1 is wrong.').waitFor();
    await shoot(page, 'comply-wrong');
    writeFileSync(file, whole);
    await page.getByRole('button', { name: 'Verify again' }).click();
    await page.getByText('The trail is as it was written.').waitFor();
  });

  test('more jobs than a page shows: the older ones are a button away, and back', async () => {
    const seeds = { urls: [web.start], crawl_depth: 0 };
    for (let n = 0; n < 20; n++) {
      const begun = await api.post('/crawl/seeds', { ...seeds, name: `late ${n}` });
      assert.equal(begun.status, 202);
    }
    await page.getByRole('link', { name: 'Jobs' }).click();
    await page.getByRole('heading', { name: 'late 19' }).waitFor();
    assert.equal(await page.locator('.jobs > li').count(), 20);
    await looked(page, 'jobs-many');
    await page.getByRole('button', { name: 'Older jobs' }).click();
    await page.getByRole('heading', { name: 'The crawl itself' }).waitFor();
    await page.getByRole('heading', { name: /^Everything/ }).waitFor();
    assert.equal(await page.locator('.jobs > li').count(), 3);
    assert.ok(await page.getByRole('button', { name: 'Older jobs' }).isDisabled());
    await page.getByRole('button', { name: 'Newer jobs' }).click();
    await page.getByRole('heading', { name: 'late 0', exact: true }).waitFor();
  });

  test('planner: a dial changes the figures, to those of `orb plan`', async () => {
    await page.getByRole('link', { name: 'Planner' }).click();
    const shown = () => page.locator('.figures .value').allInnerTexts();
    await page.getByRole('heading', { level: 1, name: 'Planner' }).waitFor();
    assert.deepEqual(await shown(), figuresFor(DEFAULT_INPUTS));
    await page.getByLabel('Begin with').selectOption('billion-a-day');
    await page.getByText('does not follow').first().waitFor();
    await looked(page, 'plan');
    await page.getByLabel('Begin with').selectOption('');
    await page.getByLabel('Peak over average').fill('5');
    const load = { ...DEFAULT_INPUTS.load, peakFactor: 5 };
    await page.getByText('orb plan --peak-factor 5').waitFor();
    assert.deepEqual(await shown(), figuresFor({ ...DEFAULT_INPUTS, load }));
  });

  test('access and an address that is none: are pages, too', async () => {
    await page.goto('/#/access');
    await page.getByText('No token is used').waitFor();
    await looked(page, 'access');
    await page.goto('/#/nowhere');
    await page.getByText('There is nothing at this address.').waitFor();
    await looked(page, 'nowhere');
    await page.goto('/#/url/http%3A%2F%2Fnever.test%2F');
    await page.getByText('The crawl has never met a link to it.').waitFor();
  });

  test('a service beyond loopback: a token is asked for, taken, and kept in the tab', async () => {
    const token = newTokenEntry('eyes', ['read'], 'correct-horse', '2026-01-01');
    const closed = await context.newPage();
    closed.setDefaultTimeout(PATIENCE_MS);
    await closed.goto(await serveDashboard(api, [token]));
    await closed.getByRole('link', { name: 'Enter a token' }).click();
    await closed.getByLabel('Token').fill('wrong');
    await closed.getByRole('button', { name: 'Use it' }).click();
    await closed.getByText('The token is not known here.').waitFor();
    await shoot(closed, 'token');
    await closed.getByLabel('Token').fill('correct-horse');
    await closed.getByRole('button', { name: 'Use it' }).click();
    await closed.getByText('The service accepts this token.').waitFor();
    await closed.reload();
    await closed.getByRole('link', { name: 'Overview' }).click();
    await closed.locator('.numbers').waitFor();
    await closed.close();
  });

  test('a service that gives no stream: the numbers are asked for instead', async () => {
    const polling = await context.newPage();
    polling.setDefaultTimeout(PATIENCE_MS);
    await polling.route('**/events', (route) => route.fulfill({ status: 503 }));
    await polling.goto('/');
    await polling.getByText('Every 2 s').waitFor();
    await polling.locator('.numbers').waitFor();
    await polling.close();
  });

  test('all along: no error in the console, and nothing asked of anybody else', () => {
    assert.deepEqual(wrong, []);
  });
});

/** The API and the dashboard at one address, as `orb serve` has them. */
async function serveDashboard(
  { session, feed }: TestService,
  tokens: readonly TokenEntry[] = [],
): Promise<string> {
  const site = makeSite({
    ...{ session, feed, clock: systemClock(), version: '0.0.0', tokens, names: [] },
    ...{
      isOpen: tokens.length === 0,
      requestsPerSecond: 10_000,
      onBug: (error) => assert.fail(String(error)),
    },
    more: dashboardEndpoints(),
  });
  const listener = await listenWeb(site, { bind: '127.0.0.1', port: 0 });
  cleanup.after(() => listener.close());
  return `http://127.0.0.1:${listener.port}`;
}

function figuresFor(inputs: PlanInputs): string[] {
  const { load, storage, filter, fleet } = planCapacity(inputs);
  return [load, storage, filter, fleet].flatMap((group) => Object.values(group).map(sayFigure));
}

function isSorted(names: readonly string[]): boolean {
  return names.every((name, i) => i === 0 || (names[i - 1] as string) < name);
}
